"""Charlotte for asyncio programs: the same sessions, tabs, methods, objects and errors.

    async with open_charlotte(Config()) as charlotte, charlotte.open_session() as session:
        tab = await session.open_tab("https://example.org")
        page = await tab.observe()

trio runs in its own thread. Cancelling a call in asyncio cancels it in trio.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial

from charlotte import app
from charlotte.actors.kernel.events import Restarted
from charlotte.aio.bridge import open_bridge
from charlotte.aio.sessions import Charlotte, EventStream, Session
from charlotte.config import Config

__all__ = ["Charlotte", "EventStream", "Session", "open_charlotte"]


@asynccontextmanager
async def open_charlotte(
    config: Config | None = None, *, on_restart: Callable[[Restarted], None] | None = None
) -> AsyncGenerator[Charlotte]:
    """Start the browser and the actors; returns at once, and the first calls wait for them.

    ``on_restart`` is called in the program's event loop when an actor has crashed.
    """
    loop = asyncio.get_running_loop()

    def hook(restarted: Restarted) -> None:
        if on_restart is not None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(on_restart, restarted)

    opened = partial(app.open_charlotte, config, on_restart=hook)
    async with open_bridge() as bridge, bridge.entered(opened) as running:
        yield Charlotte(running, bridge)
