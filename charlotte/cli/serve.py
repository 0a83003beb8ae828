"""``charlotte serve``: MCP over stdio or HTTP."""

import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import trio

from charlotte.base.garbage import collect_garbage, import_at_once
from charlotte.cli.parser import Invocation
from charlotte.cli.program import cancel_on_signal
from charlotte.config.config import Config
from charlotte.watchdog import start_watchdog


async def run(invocation: Invocation) -> int:
    """Serve until the client leaves or a signal arrives; return the exit code."""
    config = invocation.config
    if config.join is not None:
        server = import_at_once("charlotte.server")
        joined = import_at_once("charlotte.cli.joined_stdio")
        settings = {name: getattr(config, name) for name in invocation.sources if name != "join"}
        opened = partial(joined.open_joined, config.join, settings)
        service = server.LazyService(opened, roots_known=True)
        await server.serve_stdio(service, config)
        return 0
    return await (_serve_http if config.http else _serve_stdio)(config)


async def _serve_http(config: Config) -> int:
    server = import_at_once("charlotte.server.http")
    try:
        port = server.bind_port(config)
    except OSError as error:
        where = f"{config.host}:{config.port}"
        print(f"charlotte: error: cannot listen on {where}: {error.strerror}", file=sys.stderr)  # noqa: T201
        return 1
    app = import_at_once("charlotte.api.app")
    stop = trio.Event()
    await start_watchdog()
    async with trio.open_nursery() as nursery:
        await nursery.start(cancel_on_signal, nursery.cancel_scope, stop)
        async with app.open_charlotte(config, on_restart=collect_garbage) as charlotte:
            shown = charlotte.dashboard_state if config.dashboard else None
            await server.serve_http(charlotte, config, port, stop, _announce, dashboard_state=shown)
        nursery.cancel_scope.cancel("served")
    return 0


def _announce(address: str) -> None:
    print(f"Charlotte listens on {address}", flush=True)  # noqa: T201 - over HTTP, stdout carries no messages


async def _serve_stdio(config: Config) -> int:
    # The SDK import dominates the start. The rest is imported, and the browser started, after the
    # client got its answer to initialize: in parallel, both would delay that answer.
    server = import_at_once("charlotte.server")
    stdin = os.dup(0)  # the server replaces descriptor 0

    @asynccontextmanager
    async def open_service() -> AsyncGenerator[Any]:
        begun = None
        async with trio.open_nursery() as nursery:
            if not config.is_foreign:
                source = import_at_once("charlotte.browser.process.browser_source")
                begun = source.PrelaunchedBrowser(source.own_browser(config))
                nursery.start_soon(begun.run)
            nursery.start_soon(start_watchdog, stdin)
            app = await trio.to_thread.run_sync(import_at_once, "charlotte.api.app")
            async with (
                app.open_local(
                    config, connect=begun and begun.open, on_restart=collect_garbage
                ) as charlotte,
                charlotte.open_session() as session,
                open_dashboard(config, charlotte.dashboard_state),
            ):
                yield session
            nursery.cancel_scope.cancel("closed")

    await server.serve_stdio(server.LazyService(open_service), config)
    return 0


@asynccontextmanager
async def open_dashboard(config: Config, state: Any) -> AsyncGenerator[None]:
    """Serve the dashboard during the block, if it is configured; calls do not wait for it."""
    async with trio.open_nursery() as nursery:
        if config.dashboard:
            nursery.start_soon(_serve_dashboard, state)
        yield
        nursery.cancel_scope.cancel("closed")


async def _serve_dashboard(state: Any) -> None:
    name = "charlotte.server.http.serve"
    dashboard = await trio.to_thread.run_sync(import_at_once, name)
    await dashboard.serve_local_dashboard(state)
