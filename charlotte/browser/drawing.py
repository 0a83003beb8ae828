"""Frames for a page that is not the front one of its window, while something is done with it.

Chromium draws such a page once a second as soon as it has changed for some frames, for nobody has
seen those: whatever waits for a frame then waits as long. A page that is being recorded is drawn
as if it were shown, so it is recorded, but no picture of it asked for.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import NoReturn

import trio

from charlotte.protocol import page
from charlotte.protocol.session import Session

_SOON = 0.1
"""Seconds after which what is still being done may be waiting for a frame."""

_RECORDING = page.StartScreencast(
    format="jpeg", quality=1, max_width=1, max_height=1, every_nth_frame=1_000_000
)


class Drawing:
    """Has a page drawn while somebody wants that, if it is for longer than a moment."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._wants = 0
        self._since = 0.0
        self._changed = trio.Event()

    @contextmanager
    def wanted(self) -> Generator[None]:
        """What is done in the block may wait for frames."""
        self._want(1)
        try:
            yield
        finally:
            self._want(-1)

    def _want(self, more: int) -> None:
        if self._wants == 0:
            self._since = trio.current_time()
        self._wants += more
        self._changed.set()
        self._changed = trio.Event()

    async def follow(self) -> NoReturn:
        """Do what is `wanted`; raises `SessionGone` when the page is closed."""
        while True:
            await self._until(lambda: self._wants > 0)
            await trio.sleep_until(self._since + _SOON)
            if self._wants and trio.current_time() >= self._since + _SOON:
                await self._record()

    async def _record(self) -> None:
        await self._session.begin(_RECORDING)
        await self._until(lambda: self._wants == 0)
        await self._session.begin(page.StopScreencast())

    async def _until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            await self._changed.wait()
