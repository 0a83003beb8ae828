"""A tab's way back into a browser that was started again, given up where it kills browsers.

At first every tab is brought back at once. Where the browser ends within seconds of that, it may
have been any of them: from then on, each waits until it is asked for. Where the browser ends again
within seconds of that, it was this one, and it stays blank.
"""

import attrs
import trio

PROBATION = 10.0
"""Seconds that a browser has to live with a page that was brought back."""

_GIVEN_UP = 2


@attrs.define(eq=False)
class Comeback:
    """``url`` is where the tab has to be brought back to, None once it is there."""

    url: str | None = None
    _strikes: int = 0
    _begun: float | None = None

    @property
    def waits(self) -> bool:
        """Whether it has to be asked for first."""
        return self._strikes > 0

    @property
    def is_given_up(self) -> bool:
        """Whether it has killed browsers."""
        return self._strikes >= _GIVEN_UP

    def begin(self) -> None:
        """The page is being loaded again."""
        self._begun = trio.current_time()

    def end(self) -> None:
        """The page is there, or will not come."""
        self.url = None

    def browser_ended(self, url: str) -> None:
        """Have the tab come back to ``url``, if it is not still on its way to another."""
        if self._begun is not None and trio.current_time() - self._begun < PROBATION:
            self._strikes += 1
        elif self.url is None:
            self._strikes = 0
        self.url, self._begun = self.url or url, None
