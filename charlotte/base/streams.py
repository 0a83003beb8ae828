"""Streams that are closed at the end of a block."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TypeVar

import trio

S = TypeVar("S", bound=trio.abc.AsyncResource)


@asynccontextmanager
async def closing(stream: S) -> AsyncGenerator[S]:
    """Close a stream at the end; a cancelled scope does not replace the exception on its way."""
    try:
        yield stream
    finally:
        with trio.CancelScope(shield=True):
            await trio.aclose_forcefully(stream)
