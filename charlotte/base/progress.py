"""Progress of a call: the code that works on the call reports it, the server passes it on.

Reporting never blocks, because a client that reads slowly must not hold up a page. While one
report is being sent, later reports replace each other.
"""

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

import attrs
import outcome
import trio

R = TypeVar("R")

HEARTBEAT = 1.0
"""Seconds between two reports of a call that makes no progress."""
_LEAST = 0.001


Report = Callable[..., Awaitable[None]]
"""Sends ``progress``, which must grow, ``total`` and ``message`` to the client."""


@attrs.define(eq=False)
class Progress:
    """Progress of one call, in steps if the call has steps, else in seconds."""

    begun: float = attrs.field(factory=trio.current_time)
    stage: str | None = None
    step: str | None = None
    done: int = 0
    total: int | None = None
    _reported: float = 0.0
    changed: trio.Event = attrs.field(factory=trio.Event)

    def count_steps(self, total: int) -> None:
        """Count in steps from now on."""
        self.total = total

    def begin_step(self, step: str) -> None:
        """Set the present step."""
        self.step, self.stage = step, None
        self.changed.set()

    def end_step(self) -> None:
        """Count a completed step."""
        self.done += 1
        self.changed.set()

    async def send_reports(self, report: Report) -> None:
        """Send a report after each change, and at least once per `HEARTBEAT`."""
        while True:
            with trio.move_on_after(HEARTBEAT):
                await self.changed.wait()
            self.changed = trio.Event()
            message = ": ".join(filter(None, (self.step, self.stage))) or None
            reached = self.done if self.total else round(trio.current_time() - self.begun, 1)
            # MCP requires that progress grows with every report.
            self._reported = max(float(reached), round(self._reported + _LEAST, 3))
            await report(self._reported, self.total, message)


progress_variable: ContextVar[Progress | None] = ContextVar("progress", default=None)


def current_progress() -> Progress | None:
    """Return the progress of the call that is being executed, if a client asked for it."""
    return progress_variable.get()


def stage(text: str) -> None:
    """Set the present activity of the call that is being executed."""
    if (progress := progress_variable.get()) is not None and text != progress.stage:
        progress.stage = text
        progress.changed.set()


@contextmanager
def track_progress(progress: Progress) -> Generator[None]:
    """Make ``progress`` that of the current call, in the task that executes the block."""
    token = progress_variable.set(progress)
    try:
        yield
    finally:
        progress_variable.reset(token)


async def report_progress(report: Report, work: Callable[[], Awaitable[R]]) -> R:
    """Run ``work`` and report its progress; raises what ``work`` raises."""
    progress = Progress()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(progress.send_reports, report)
        with track_progress(progress):
            result = await outcome.acapture(work)
        nursery.cancel_scope.cancel("done")
    return result.unwrap()
