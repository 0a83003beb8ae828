"""Frames for a page that is not the front one of its window, while something is done with it.

Chromium draws such a page once a second as soon as it has changed for some frames, for nobody has
seen those: whatever waits for a frame then waits as long. A page that is being recorded is drawn
as if it were shown, so it is recorded, but no picture of it asked for.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import NoReturn

import trio

from charlotte.browser.probe import FRAME_BINDING
from charlotte.protocol import page, runtime
from charlotte.protocol.session import Session

_LONG = 1.0
"""Seconds after which what is still being done may be waiting for frames of the page's own."""

_RECORDING = page.StartScreencast(
    format="jpeg", quality=1, max_width=1, max_height=1, every_nth_frame=1_000_000
)


class Drawing:
    """Has a page drawn while somebody works with it, once a frame is missed or it takes long."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._wants = 0
        self._since = 0.0
        self._missed = False
        self._changed = trio.Event()

    @contextmanager
    def wanted(self) -> Generator[None]:
        """What is done in the block may wait for frames."""
        if self._wants == 0:
            self._since, self._missed = trio.current_time(), False
        self._wants += 1
        self._tell()
        try:
            yield
        finally:
            self._wants -= 1
            self._tell()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    async def follow(self) -> NoReturn:
        """Do what is `wanted`; raises `SessionGone` when the page is closed."""
        while True:
            await self._until(lambda: self._wants > 0)
            with trio.move_on_at(self._since + _LONG):
                await self._until(lambda: self._missed or self._wants == 0)
            if self._wants and (self._missed or self._is_long()):
                await self._record()

    def _is_long(self) -> bool:
        return trio.current_time() >= self._since + _LONG

    async def listen(self) -> NoReturn:
        """Hear of the frames that are missed; raises `SessionGone` when the page is closed."""
        with self._session.events(runtime.BindingCalled) as calls:
            while True:
                if (await calls.next()).name == FRAME_BINDING:
                    self._missed = True
                    self._tell()

    async def _record(self) -> None:
        await self._session.begin(_RECORDING)
        await self._until(lambda: self._wants == 0)
        await self._session.begin(page.StopScreencast())

    async def _until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            await self._changed.wait()
