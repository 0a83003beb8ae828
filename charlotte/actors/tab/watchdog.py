"""Deadlines for a page's answers, which neither a paused nor a busy machine ends too early.

They count only while this process runs, and restart with each sign of life, within limits.
"""

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import NoReturn

import attrs
import trio

_TICK = 0.1
_LONGEST_TICK = 3 * _TICK
"""Seconds that a tick counts at most: a longer tick means that the process was paused."""

CREDIT = 8.0
"""Seconds that a wait may last longer for signs of life."""


@attrs.define(eq=False)
class _Wait:
    """``left`` of its ``seconds`` from ``counted`` on, a time of trio's clock.

    ``credit``: how many more seconds signs of life may give it.
    """

    seconds: float
    left: float = attrs.field(init=False)
    credit: float
    scope: trio.CancelScope = attrs.field(factory=trio.CancelScope)
    counted: float = attrs.field(factory=trio.current_time)

    def __attrs_post_init__(self) -> None:
        self.left = self.seconds

    def renew(self) -> None:
        self.count()
        more = min(self.seconds - self.left, self.credit)
        self.left += more
        self.credit -= more

    def count(self) -> None:
        now = trio.current_time()
        self.left -= min(now - self.counted, _LONGEST_TICK)
        self.counted = now


async def _never() -> bool:
    """Return False: the browser is not late."""
    return False


class Patience:
    """The deadlines of all present waits for a page."""

    def __init__(self) -> None:
        self._waits: set[_Wait] = set()
        self._begun = trio.Event()

    @contextmanager
    def move_on_after(self, seconds: float, credit: float = CREDIT) -> Generator[trio.CancelScope]:
        """Cancel the block after so many seconds, plus pauses of the process and signs of life."""
        wait = _Wait(seconds, credit)
        wait.count()
        self._waits.add(wait)
        self._begun.set()
        try:
            with wait.scope as scope:
                yield scope
        finally:
            self._waits.remove(wait)

    def hear(self) -> None:
        """Extend all waits after a sign of life of the page."""
        for wait in self._waits:
            wait.renew()

    async def count(self, is_behind: Callable[[], Awaitable[bool]] = _never) -> NoReturn:
        """Serve `move_on_after`.

        Before waits end, ``is_behind`` is asked: if it is true, they get more time from their
        credit. The time for asking comes from their credit too.
        """
        while True:
            await self._begun.wait()
            self._begun = trio.Event()
            while waits := [wait for wait in self._waits if not wait.scope.cancel_called]:
                await trio.sleep(min(_TICK, *(max(wait.left, 0) for wait in waits)))
                for wait in waits:
                    wait.count()
                if over := [wait for wait in waits if wait.left <= 0]:
                    await _end(over, is_behind)


async def _end(waits: list[_Wait], is_behind: Callable[[], Awaitable[bool]]) -> None:
    asked = trio.current_time()
    get_more = await is_behind()
    for wait in waits:
        wait.credit = max(wait.credit - (trio.current_time() - asked), 0)
        if get_more:
            wait.renew()
        if wait.left <= 0:
            wait.scope.cancel("no answer")
