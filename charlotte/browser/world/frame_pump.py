"""Drawing of background tabs while a call waits for frames."""

import math
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import NoReturn

import trio

from charlotte.browser import probe
from charlotte.protocol import page, runtime
from charlotte.protocol.connection import CdpSession, Subscription

_LONG = 1.0
"""Seconds after which a running call can be waiting for frames."""

_RECORDING = page.StartScreencast(
    format="jpeg", quality=1, max_width=1, max_height=1, every_nth_frame=1_000_000
)
_LIVE = page.StartScreencast(
    format="jpeg", quality=60, max_width=1920, max_height=1920, every_nth_frame=1
)
_MOVES = (page.FrameStartedNavigating, page.FrameNavigated, page.FrameStoppedLoading)


class FramePump:
    """Makes the browser draw the page during calls that wait for missed or late frames.

    Chromium draws a background tab only once a second after several frames without acknowledgement.
    It draws a recorded page like a visible one, so Charlotte starts a recording that sends no
    pictures, unless a person watches the page.
    """

    def __init__(self, session: CdpSession, main_frame: str) -> None:
        self._session = session
        self._main_frame = main_frame
        self._wants, self._since, self._missed = 0, 0.0, False
        self._watched = False
        self._changed = trio.lowlevel.ParkingLot()

    @contextmanager
    def drawing(self) -> Generator[None]:
        """Draw frames during the block if they are needed."""
        if self._wants == 0:
            self._since, self._missed = max(self._since, trio.current_time()), False
        self._wants += 1
        self._changed.unpark_all()
        try:
            yield
        finally:
            self._wants -= 1
            self._changed.unpark_all()

    @contextmanager
    def watching(self) -> Generator[Subscription[page.ScreencastFrame]]:
        """Have the browser send pictures during the block; the caller acknowledges each."""
        with self._session.events(page.ScreencastFrame) as frames:
            self._watched = True
            self._changed.unpark_all()
            try:
                yield frames
            finally:
                self._watched = False
                self._changed.unpark_all()

    def draw_now(self) -> None:
        """Draw at once: the caller waits for a frame of a tab that may be in the background."""
        self._missed = True
        self._changed.unpark_all()

    async def follow(self) -> NoReturn:
        """Draw while a call is `drawing`; raises `SessionGone` when the page is closed."""
        while True:
            await self._until(lambda: self._wants > 0)
            while self._wants and not (
                self._watched or self._missed or trio.current_time() >= self._since + _LONG
            ):
                with trio.move_on_at(self._since + _LONG):
                    await self._changed.park()
            if self._wants:
                watched = self._watched
                await self._session.begin(_LIVE if watched else _RECORDING)
                await self._until(lambda: self._wants == 0 or self._watched != watched)  # noqa: B023
                await self._session.begin(page.StopScreencast())

    async def listen(self) -> NoReturn:
        """Follow events about missed frames; raises `SessionGone` when the page is closed."""
        with self._session.events(runtime.BindingCalled, *_MOVES) as events:
            while True:
                event = await events.next()
                match event:
                    case runtime.BindingCalled(probe.FRAME_BINDING):
                        self._missed = True
                    case page.FrameStartedNavigating(self._main_frame):
                        if not event.is_same_document:
                            self._since = math.inf  # a document on its way waits for no frames
                    case page.FrameStoppedLoading(self._main_frame):
                        self._since = min(self._since, trio.current_time())
                    case page.FrameNavigated(frame) if frame.id == self._main_frame:
                        self._since = trio.current_time()
                    case _:
                        pass
                self._changed.unpark_all()

    async def _until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            await self._changed.park()
