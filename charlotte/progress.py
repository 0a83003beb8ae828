"""How far a call has come: whoever works on it says so, whoever made it passes it on.

Saying something never waits: a client that reads slowly must not hold up a page. What is said
while the client is still being told of something else replaces what was said before.
"""

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

import attrs
import trio

from charlotte.errors import CharlotteError

R = TypeVar("R")
S = TypeVar("S")

HEARTBEAT = 1.0
"""Seconds after which it is said again that the call goes on."""
_LEAST = 0.001


class Report(Protocol):
    """Tells the client; ``progress`` grows from call to call, ``total`` is in the same unit."""

    async def __call__(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Tell it now."""
        ...


@attrs.define(eq=False)
class Course:
    """The course of one call: in steps if it has some, else in seconds."""

    begun: float = attrs.field(factory=trio.current_time)
    stage: str | None = None
    step: str | None = None
    done: int = 0
    total: int | None = None
    _told: float = 0.0
    _news: trio.Event = attrs.field(factory=trio.Event)

    def at(self, stage: str) -> None:
        """Say what is being done now."""
        if stage != self.stage:
            self.stage = stage
            self._news.set()

    def takes(self, steps: int) -> None:
        """Count in steps from now on."""
        self.total = steps

    def makes(self, step: str) -> None:
        """Say which step is being made."""
        self.step, self.stage = step, None
        self._news.set()

    def made(self) -> None:
        """Count a step that is over."""
        self.done += 1
        self._news.set()

    async def pass_on(self, report: Report) -> None:
        """Tell the client whenever something was said, and that the call goes on."""
        while True:
            with trio.move_on_after(HEARTBEAT):
                await self._news.wait()
            self._news = trio.Event()
            message = ": ".join(filter(None, (self.step, self.stage))) or None
            await report(self._progress(), self.total, message)

    def _progress(self) -> float:
        """Steps or seconds; more than the last time in any case, for the protocol wants it so."""
        reached = self.done if self.total else round(trio.current_time() - self.begun, 1)
        self._told = max(float(reached), round(self._told + _LEAST, 3))
        return self._told


_course: ContextVar[Course | None] = ContextVar("course", default=None)


def course() -> Course | None:
    """The course of the call that is being worked on, if somebody wants to know it."""
    return _course.get()


def stage(text: str) -> None:
    """Say what is being done now."""
    if (here := _course.get()) is not None:
        here.at(text)


@contextmanager
def following(one: Course) -> Generator[None]:
    """Work on a call whose course somebody wants to know, perhaps in another task than its own."""
    token = _course.set(one)
    try:
        yield
    finally:
        _course.reset(token)


def followed(work: Callable[[S], Awaitable[R]]) -> Callable[[S], Awaitable[R]]:
    """The same work as part of the call that is being worked on, whichever task it is done in."""
    if (one := course()) is None:
        return work

    async def followed_work(state: S) -> R:
        with following(one):
            return await work(state)

    return followed_work


async def reported(report: Report, work: Callable[[], Awaitable[R]]) -> R:
    """Do the work, and report its course; raises what it raises."""
    one = Course()
    results: list[R | CharlotteError] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.pass_on, report)
        try:
            with following(one):
                results.append(await work())
        except CharlotteError as error:  # the nursery would make a group of it
            results.append(error)
        nursery.cancel_scope.cancel("done")
    [result] = results
    if isinstance(result, CharlotteError):
        raise result
    return result
