"""`charlotte.aio` with browsers on the nodes of a Ray cluster."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import attrs

from charlotte import aio
from charlotte.actors.kernel.mailbox import Restarted
from charlotte.aio import AsyncioCharlotte, AsyncioSession
from charlotte.config.config import Config

__all__ = ["AsyncioCharlotte", "AsyncioSession", "open_charlotte"]


def open_charlotte(
    config: Config | None = None, *, on_restart: Callable[[Restarted], None] | None = None
) -> AbstractAsyncContextManager[AsyncioCharlotte]:
    """Do what `charlotte.aio.open_charlotte` does, with ``engine="ray"``."""
    config = attrs.evolve(config or Config(), engine="ray")
    return aio.open_charlotte(config, on_restart=on_restart)
