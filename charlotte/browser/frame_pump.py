"""Frames for background tabs of a window while a call waits for them.

Chromium draws a background tab only once a second after several frames without acknowledgement. It
draws a recorded page like a visible one, so Charlotte starts a recording that sends no pictures.
"""

import math
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import NoReturn

import trio

from charlotte.browser import probe
from charlotte.protocol import page, runtime
from charlotte.protocol.connection import Session
from charlotte.protocol.wire import CdpEvent

_LONG = 1.0
"""Seconds after which a running call can be waiting for frames."""

_RECORDING = page.StartScreencast(
    format="jpeg", quality=1, max_width=1, max_height=1, every_nth_frame=1_000_000
)
_MOVES = (page.FrameStartedNavigating, page.FrameNavigated, page.FrameStoppedLoading)


class FramePump:
    """Makes the browser draw the page during calls that wait for missed or late frames."""

    def __init__(self, session: Session, main_frame: str) -> None:
        self._session = session
        self._main_frame = main_frame
        self._wants = 0
        self._since = 0.0
        self._missed = False
        self._changed = trio.Event()

    @contextmanager
    def drawing(self) -> Generator[None]:
        """Draw frames during the block if they are needed."""
        if self._wants == 0:
            self._since = max(
                self._since, trio.current_time()
            )  # infinite while a document is on its way
            self._missed = False
        self._wants += 1
        self._notify()
        try:
            yield
        finally:
            self._wants -= 1
            self._notify()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    async def follow(self) -> NoReturn:
        """Draw while a call is `drawing`; raises `SessionGone` when the page is closed."""
        while True:
            await self._until(lambda: self._wants > 0)
            while self._wants and not (self._missed or trio.current_time() >= self._since + _LONG):
                with trio.move_on_at(self._since + _LONG):
                    await self._changed.wait()
            if self._wants:
                await self._session.begin(_RECORDING)
                await self._until(lambda: self._wants == 0)
                await self._session.begin(page.StopScreencast())

    async def listen(self) -> NoReturn:
        """Follow events about missed frames; raises `SessionGone` when the page is closed."""
        with self._session.events(runtime.BindingCalled, *_MOVES) as events:
            while True:
                self._note(await events.next())
                self._notify()

    def _note(self, event: CdpEvent) -> None:
        """Record an event; a document that has not arrived yet waits for no frames."""
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

    async def _until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            await self._changed.wait()
