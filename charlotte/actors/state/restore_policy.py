"""A tab's way back into a browser that was started again, given up where it kills browsers.

At first every tab is brought back at once. Where the browser ends while some are on their way, or
within seconds of their arrival, each of these may be why: in the next browser, it waits until it is
asked for. Where it is the only one that may be why, and not for the first time, it stays blank.
"""

from collections.abc import Sequence

import attrs
import trio

PROBATION = 10.0
"""Seconds that a browser has to live with a page that was brought back."""

_MOST_STRIKES = 4
"""Browsers that may end under a page before it is given up although it is one of several."""


@attrs.define(eq=False)
class Comeback:
    """``url`` is where the tab has to be brought back to, None once it is there.

    ``is_given_up`` once it has killed browsers; until then it ``waits`` to be asked for.
    ``of_renderer`` where its browser still runs.
    """

    url: str | None = None
    is_given_up: bool = False
    of_renderer: bool = False
    _strikes: int = 0
    _begun: float | None = None

    @property
    def waits(self) -> bool:
        """Whether it may have killed a browser."""
        return self._strikes > 0

    @property
    def is_on_probation(self) -> bool:
        """Whether its page is being brought back, or just was."""
        return self._begun is not None and trio.current_time() - self._begun < PROBATION

    def begin(self) -> None:
        """The page is being loaded again."""
        self._begun = trio.current_time()

    def end(self) -> None:
        """The page is there, or will not come."""
        self.url = None

    def arrive(self, url: str) -> None:
        """A document is there: with any but the blank one, the way back is over."""
        if url != "about:blank":
            self.end()

    def start_over(self, url: str) -> None:
        """The renderer died before the tab was back: its page has to follow a blank one."""
        if self.url is None:
            self.url, self.of_renderer = url, True

    def blame(self, *, alone: bool) -> None:
        """The browser ended, and this may be why; ``alone`` if nothing else may."""
        self._strikes += 1
        self.is_given_up = self._strikes >= (2 if alone else _MOST_STRIKES)

    def go_back_to(self, url: str) -> None:
        """The browser ended: return to ``url``, if not still on the way to another."""
        if self.url is None and not self.is_on_probation:
            self._strikes, self.is_given_up = 0, False
        self.url, self._begun, self.of_renderer = self.url or url, None, False


def browser_ended(tabs: Sequence[tuple[Comeback, str]]) -> None:
    """Have all tabs come back to where they were, and see which of them may have killed it."""
    suspects = [comeback for comeback, _ in tabs if comeback.is_on_probation]
    blamed = [one for one in suspects if one.url is not None] or suspects
    for comeback in blamed:
        comeback.blame(alone=len(blamed) == 1)
    for comeback, url in tabs:
        comeback.go_back_to(url)
