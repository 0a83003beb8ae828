"""The restore of tabs in a new browser, which finds pages that crash browsers."""

from collections.abc import Sequence

import attrs
import trio

PROBATION = 10.0
"""Seconds that a browser has to survive with a restored page."""

_MOST_STRIKES = 4
"""Browsers that may end with a page as one of several suspects before it is given up."""


@attrs.define(eq=False)
class RestorePolicy:
    """The restore of a tab; ``url`` is the URL to restore, None once it has arrived.

    At first, all tabs are restored at once. If the browser ends while tabs are being restored or
    within seconds of their arrival, each of these tabs is a suspect: the next browser restores a
    suspect only when it is used. A single suspect that crashes a second browser stays blank.

    ``is_given_up`` is set when the page has crashed browsers. ``of_renderer`` is set if only the
    renderer crashed, not the browser. ``strikes`` counts the browsers that the page may have
    crashed. ``begun`` is the trio time at which the page began to be loaded again. ``is_saved`` is
    set for a tab of a saved session until its page is loaded again: no typed text can be lost.
    """

    url: str | None = None
    is_given_up: bool = False
    of_renderer: bool = False
    strikes: int = 0
    begun: float | None = None
    is_saved: bool = False

    @property
    def is_on_probation(self) -> bool:
        """Whether the page is being restored, or was restored less than `PROBATION` ago."""
        return self.begun is not None and trio.current_time() - self.begun < PROBATION

    def begin(self) -> None:
        """Record that the page is being loaded again."""
        self.begun = trio.current_time()

    def end(self) -> None:
        """Record that the page has arrived, or will not arrive."""
        self.url = None


def plan_restore(tabs: Sequence[tuple[RestorePolicy, str]]) -> None:
    """Plan the restore of all tabs, with their URLs, after the browser ended."""
    suspects = [policy for policy, _ in tabs if policy.is_on_probation]
    blamed = [policy for policy in suspects if policy.url is not None] or suspects
    for policy in blamed:
        policy.strikes += 1
        policy.is_given_up = policy.strikes >= (2 if len(blamed) == 1 else _MOST_STRIKES)
    for policy, url in tabs:
        if policy.url is None and not policy.is_on_probation:
            policy.strikes, policy.is_given_up = 0, False
        policy.url, policy.begun, policy.of_renderer = policy.url or url, None, False
