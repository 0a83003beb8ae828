"""The status of a server, printed at SIGUSR1."""

import json
import signal
import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import trio


@asynccontextmanager
async def print_status_on_signal(
    status: Callable[[], Mapping[str, Any]], hidden: Callable[[Any], Any]
) -> AsyncGenerator[None]:
    """Write the status as JSON at every SIGUSR1 during the block, redacted by ``hidden``."""
    with trio.open_signal_receiver(signal.SIGUSR1) as signals:

        async def write() -> None:
            async for _ in signals:
                sys.stderr.write(f"{json.dumps(hidden(status()), indent=1)}\n")
                sys.stderr.flush()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(write)
            yield
            nursery.cancel_scope.cancel("closed")
