"""Frames for a page that is not the front one of its window, while something is done with it.

Chromium draws such a page once a second as soon as it has changed for some frames, for nobody has
seen those: whatever waits for a frame then waits as long. A page that is being recorded is drawn
as if it were shown, so it is recorded, but no picture of it asked for.
"""

import math
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import NoReturn

import trio

from charlotte.browser import probe
from charlotte.protocol import page, runtime
from charlotte.protocol.session import Session
from charlotte.protocol.wire import Event

_LONG = 1.0
"""Seconds after which what is still being done may be waiting for frames of the page's own."""

_RECORDING = page.StartScreencast(
    format="jpeg", quality=1, max_width=1, max_height=1, every_nth_frame=1_000_000
)
_MOVES = (page.FrameStartedNavigating, page.FrameNavigated, page.FrameStoppedLoading)


class Drawing:
    """Has a page drawn while somebody works with it, once a frame is missed or it takes long."""

    def __init__(self, session: Session, main_frame: str) -> None:
        self._session = session
        self._main_frame = main_frame
        self._wants = 0
        self._since = 0.0
        self._missed = False
        self._changed = trio.Event()

    @contextmanager
    def wanted(self) -> Generator[None]:
        """What is done in the block may wait for frames."""
        if self._wants == 0:
            self._since = max(self._since, trio.current_time())  # never, while it is on its way
            self._missed = False
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
            while self._wants and not (self._missed or self._is_long()):
                with trio.move_on_at(self._since + _LONG):
                    await self._changed.wait()
            if self._wants:
                await self._record()

    def _is_long(self) -> bool:
        return trio.current_time() >= self._since + _LONG

    async def listen(self) -> NoReturn:
        """Hear of the frames that are missed; raises `SessionGone` when the page is closed."""
        with self._session.events(runtime.BindingCalled, *_MOVES) as events:
            while True:
                self._note(await events.next())
                self._tell()

    def _note(self, event: Event) -> None:
        """A page that has yet to come waits for no frames, however long its server takes."""
        match event:
            case runtime.BindingCalled(probe.FRAME_BINDING):
                self._missed = True
            case page.FrameStartedNavigating(self._main_frame) if not event.is_same_document:
                self._since = math.inf
            case page.FrameStoppedLoading(self._main_frame):
                self._since = min(self._since, trio.current_time())
            case page.FrameNavigated(frame) if frame.id == self._main_frame:
                self._since = trio.current_time()
            case _:
                pass

    async def _record(self) -> None:
        await self._session.begin(_RECORDING)
        await self._until(lambda: self._wants == 0)
        await self._session.begin(page.StopScreencast())

    async def _until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            await self._changed.wait()
