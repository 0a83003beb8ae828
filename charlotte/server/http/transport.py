"""Serves a site with hypercorn, on trio."""

import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import partial

import trio
from hypercorn.config import Config as HypercornConfig

from charlotte.asgi_server import Hosting, host
from charlotte.config import Config
from charlotte.server.http.site import PATH, Site

LAST_WORDS = 1.5
"""Seconds for answers that are still to be written when all calls have ended.

Streams without an end count as answers too, so that those who listen have that long.
"""
_HANGING_UP = 0.5
"""Seconds for streams that end by themselves when the server does."""
_STALLED_MS = 20_000


class Port(Hosting):
    """A port that is taken, and how it is served; raises ``OSError`` if it cannot be taken.

    A client that does not read is given up, else others would wait for it.
    """

    def __init__(self, config: Config) -> None:
        listeners = _bound(config)
        super().__init__(*listeners)
        for one in listeners:
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _STALLED_MS)
        self.graceful_timeout = config.drain + 2 * LAST_WORDS


def _bound(config: Config) -> list[socket.socket]:
    asked = HypercornConfig()
    name = f"[{config.host}]" if ":" in config.host else config.host
    asked.bind = [f"{name}:{config.port}"]
    return asked.create_sockets().insecure_sockets


@asynccontextmanager
async def open_site(site: Site, port: Port) -> AsyncGenerator[tuple[str, Callable[[], None]]]:
    """Serve the site; what is yielded is its address, and what lets nobody in any more.

    At the end, answers that are being written have `LAST_WORDS` seconds.
    """
    closing = trio.Event()
    run = partial(host, site.app(), port, closing)
    async with site.manager.run(), trio.open_nursery() as nursery:
        addresses: list[str] = await nursery.start(run)
        yield f"{addresses[0]}{PATH}", closing.set
        closing.set()
        with trio.move_on_after(LAST_WORDS):
            await site.all_answered()
        with trio.move_on_after(_HANGING_UP):
            await site.all_over()
        nursery.cancel_scope.cancel("served")
