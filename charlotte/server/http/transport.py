"""Serves a site with hypercorn, on trio."""

import logging
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, cast

import trio
from hypercorn.config import Config as HypercornConfig
from hypercorn.config import Sockets
from hypercorn.trio import serve  # pyright: ignore[reportUnknownVariableType]
from starlette.types import ASGIApp, Receive, Scope, Send

from charlotte.config import Config
from charlotte.server.http.site import PATH, Site

LAST_WORDS = 1.5
"""Seconds for answers that are still to be written when all calls have ended.

Streams without an end count as answers too, so that those who listen have that long.
"""
_HANGING_UP = 0.5
"""Seconds for streams that end by themselves when the server does."""
_IDLE = 75.0
_STALLED_MS = 20_000


class Port(HypercornConfig):
    """A port that is taken, and how hypercorn is to serve there."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        host = f"[{config.host}]" if ":" in config.host else config.host
        self.bind = [f"{host}:{config.port}"]
        self.keep_alive_timeout = _IDLE
        self.keep_alive_max_requests = 2**31
        self.graceful_timeout = config.drain + 2 * LAST_WORDS
        self.include_server_header = False
        self.errorlog = logging.getLogger("hypercorn.error")
        self._sockets = super().create_sockets()

    def create_sockets(self) -> Sockets:
        """The sockets there are. A client that does not read is given up, else they would wait."""
        for one in self._sockets.insecure_sockets:
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _STALLED_MS)
        return self._sockets


@asynccontextmanager
async def open_site(site: Site, port: Port) -> AsyncGenerator[tuple[str, Callable[[], None]]]:
    """Serve the site; what is yielded is its address, and what lets nobody in any more.

    At the end, answers that are being written have `LAST_WORDS` seconds.
    """
    closing, app = trio.Event(), cast("Any", _with_lifespan(site.app()))
    run = partial(serve, app, port, shutdown_trigger=closing.wait)
    async with site.manager.run(), trio.open_nursery() as nursery:
        addresses: list[str] = await nursery.start(run)
        yield f"{addresses[0]}{PATH}", closing.set
        closing.set()
        with trio.move_on_after(LAST_WORDS):
            await site.all_answered()
        with trio.move_on_after(_HANGING_UP):
            await site.all_over()
        nursery.cancel_scope.cancel("served")


def _with_lifespan(app: ASGIApp) -> ASGIApp:
    """Agree to start and end. Starlette's own way raises when it is cancelled."""

    async def serve_it(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await app(scope, receive, send)
            return
        while (message := await receive())["type"] != "lifespan.shutdown":
            await send({"type": f"{message['type']}.complete"})
        await send({"type": "lifespan.shutdown.complete"})

    return serve_it
