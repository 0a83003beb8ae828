"""The entry point of programs: sessions on this machine, or on a cluster if it is configured."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

from charlotte.actors.kernel.mailbox import Restarted
from charlotte.api import app
from charlotte.browser.process.browser_source import OpenEndpoint
from charlotte.config.config import Config


@asynccontextmanager
async def open_charlotte(
    config: Config | None = None,
    *,
    on_restart: Callable[[Restarted], None] | None = None,
    open_endpoint: OpenEndpoint | None = None,
) -> AsyncGenerator[app.Charlotte]:
    """Start the browser and the actors; returns at once, and the first calls wait for them.

    Connects to the browser of ``attach`` only with the first call that needs it. With the engine
    ``ray``, sessions have their browsers on the cluster, and the same methods.

    ``on_restart`` is called when an actor has crashed: a tab, a monitor, the browser.
    ``open_endpoint`` replaces the configured way to get a browser; it must start the browser with
    Charlotte's switches, unless a ``cdp_endpoint`` is configured. Logs go to stderr, unless the
    program has configured structlog. Raises `RuntimeError` outside trio, `SessionProblem` without
    Ray, `InvalidArgument` if ``only_host`` leaves routes open or ``policy`` names an unknown tool.
    """
    if config is not None and config.engine == "ray":
        engine: Any = import_module("charlotte.cluster.engine")  # with the extra, if installed
        async with engine.open_cluster(config, on_restart=on_restart) as cluster:
            yield cluster
        return
    opened = app.open_charlotte(config, on_restart=on_restart, open_endpoint=open_endpoint)
    async with opened as charlotte:
        yield charlotte
