"""Streams that are closed at the end of a block."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import trio


@asynccontextmanager
async def closing(stream: trio.abc.AsyncResource) -> AsyncGenerator[None]:
    """Close a stream at the end of the block, also if that is cancelled.

    Unshielded, closing in a cancelled scope raises `Cancelled`, which would replace the exception
    that ends the block, such as `KeyboardInterrupt`.
    """
    try:
        yield
    finally:
        with trio.CancelScope(shield=True):
            await trio.aclose_forcefully(stream)
