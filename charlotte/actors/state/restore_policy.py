"""Restore of tabs in a new browser process, given up for pages that crash browsers.

At first, all tabs are restored at once. If the browser ends while tabs are being restored or within
seconds of their arrival, each of these tabs is a suspect: the next browser restores a suspect only
when it is used. A single suspect that crashes a second browser stays blank.
"""

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

    ``is_given_up`` is set when the page has crashed browsers. ``of_renderer`` is set if only the
    renderer crashed, not the browser.
    """

    url: str | None = None
    is_given_up: bool = False
    of_renderer: bool = False
    _strikes: int = 0
    _begun: float | None = None

    @property
    def is_suspect(self) -> bool:
        """Whether the page may have crashed a browser."""
        return self._strikes > 0

    @property
    def is_on_probation(self) -> bool:
        """Whether the page is being restored, or was restored less than `PROBATION` ago."""
        return self._begun is not None and trio.current_time() - self._begun < PROBATION

    def begin(self) -> None:
        """Record that the page is being loaded again."""
        self._begun = trio.current_time()

    def end(self) -> None:
        """Record that the page has arrived, or will not arrive."""
        self.url = None

    def note_document(self, url: str) -> None:
        """End the restore when a document other than the blank page arrives."""
        if url != "about:blank":
            self.end()

    def note_renderer_crash(self, url: str) -> None:
        """Restore ``url``, after a blank page, because the renderer died during a restore."""
        if self.url is None:
            self.url, self.of_renderer = url, True

    def blame(self, *, alone: bool) -> None:
        """Count a browser that ended; ``alone`` if this page is the only suspect."""
        self._strikes += 1
        self.is_given_up = self._strikes >= (2 if alone else _MOST_STRIKES)

    def note_browser_end(self, url: str) -> None:
        """Restore ``url`` because the browser ended, unless another URL is being restored."""
        if self.url is None and not self.is_on_probation:
            self._strikes, self.is_given_up = 0, False
        self.url, self._begun, self.of_renderer = self.url or url, None, False


def plan_restore(tabs: Sequence[tuple[RestorePolicy, str]]) -> None:
    """Plan the restore of all tabs, with their URLs, after the browser ended."""
    suspects = [policy for policy, _ in tabs if policy.is_on_probation]
    blamed = [policy for policy in suspects if policy.url is not None] or suspects
    for policy in blamed:
        policy.blame(alone=len(blamed) == 1)
    for policy, url in tabs:
        policy.note_browser_end(url)
