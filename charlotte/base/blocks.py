"""How blocks end: a stream is closed, a member leaves its list, an event cancels a scope."""

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar

import trio

S = TypeVar("S", bound=trio.abc.AsyncResource)
T = TypeVar("T")


@asynccontextmanager
async def closing(stream: S) -> AsyncGenerator[S]:
    """Close a stream at the end; a cancelled scope does not replace the exception on its way."""
    try:
        yield stream
    finally:
        with trio.CancelScope(shield=True):
            await trio.aclose_forcefully(stream)


async def cancel_once(event: trio.Event, scope: trio.CancelScope, reason: str) -> None:
    """Cancel a scope when an event is set."""
    await event.wait()
    scope.cancel(reason)


@contextmanager
def kept_in(members: list[T], member: T) -> Generator[None]:
    """Keep a member in a list during the block."""
    members.append(member)
    try:
        yield
    finally:
        members.remove(member)
