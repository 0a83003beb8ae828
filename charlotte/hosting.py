"""How hypercorn serves web applications on trio."""

import logging
from socket import socket
from typing import Any, cast

import trio
from hypercorn.config import Config as HypercornConfig
from hypercorn.config import Sockets
from hypercorn.trio import serve  # pyright: ignore[reportUnknownVariableType]
from starlette.types import ASGIApp, Receive, Scope, Send

_IDLE = 75.0
_BACKLOG = 1024
"""Connections that wait to be accepted: as many clients may connect in the same moment."""


class Hosting(HypercornConfig):
    """Sockets that listen, and how hypercorn is to serve there."""

    def __init__(self, *listeners: socket) -> None:
        super().__init__()
        self._listeners = [*listeners]
        self.keep_alive_timeout = _IDLE
        self.backlog = _BACKLOG
        self.keep_alive_max_requests = 2**31
        self.include_server_header = False
        self.errorlog = logging.getLogger("hypercorn.error")

    def create_sockets(self) -> Sockets:
        """The sockets there are."""
        return Sockets([], self._listeners, [])


async def host(
    app: ASGIApp,
    hosting: Hosting,
    stop: trio.Event | None = None,
    task_status: trio.TaskStatus[list[str]] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve until cancelled, or gently until ``stop``; starts with the addresses."""
    trigger = None if stop is None else stop.wait
    served = cast("Any", _with_lifespan(app))
    await serve(served, hosting, shutdown_trigger=trigger, task_status=task_status)


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
