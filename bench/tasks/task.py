"""One task: a fixed script of steps on one application."""

from collections.abc import Awaitable, Callable

import attrs

from bench.tasks.agent import Agent
from bench.tasks.applications import Application, Running
from bench.tasks.model import TaskFailed

Work = Callable[[Agent, Running], Awaitable[None]]


@attrs.frozen
class Task:
    """A task; ``number`` is its number in the findings. ``work`` raises `TaskFailed`."""

    number: int
    title: str
    application: Application
    work: Work


def expect(found: object, wanted: object) -> None:
    """Raise `TaskFailed` if a result is not the right one."""
    if found != wanted:
        raise TaskFailed(f"got {found!r} instead of {wanted!r}")
