"""The time until a tab is free after its call was cancelled, over both transports.

The call loads a page that never answers. The time from the cancellation to the answer of the next
call on that tab is measured, and printed with the time of such a call alone.
"""

import statistics
import subprocess
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final

import httpx2
import trio

from bench.agents import PROGRAM, HttpCaller, open_http_server
from tests.site.routes import hang
from tests.site.server import Site
from tests.stdio_client import Message, open_client

MOST_MS: Final = 100.0
_TIMES: Final = 20
_HEADERS: Final = {"accept": "application/json, text/event-stream"}

Call = Callable[..., Awaitable[Message]]
"""A function that calls a tool; cancelling it cancels the call."""


@asynccontextmanager
async def _over_stdio() -> AsyncGenerator[Call]:
    async with open_client(PROGRAM, stderr=subprocess.DEVNULL) as client:
        await client.initialize()
        yield client.call


@asynccontextmanager
async def _over_http() -> AsyncGenerator[Call]:
    async with (
        open_http_server() as (url, _),
        httpx2.AsyncClient(headers=_HEADERS, timeout=60) as http,
    ):
        caller = HttpCaller(url, http)
        await caller.connect()
        yield caller.call


_TRANSPORTS: Final[dict[str, Callable[[], AbstractAsyncContextManager[Call]]]] = {
    "stdio": _over_stdio,
    "HTTP": _over_http,
}


async def measure(site: Site) -> float:
    """Print a line for each transport; return the worst of their medians, in ms."""
    worst, site.routes = 0.0, {**site.routes, "/never/*": hang}
    for name, transport in _TRANSPORTS.items():
        async with transport() as call:
            await call("navigate", url=site.url("/index.html"))
            alone = [await _answered(call, trio.current_time()) for _ in range(_TIMES)]
            freed = [await _freed(call, site, number) for number in range(_TIMES)]
        worst = max(worst, statistics.median(freed))
        print(
            f"cancelled over {name}: the next call on the tab is answered after "
            f"{statistics.median(freed):.0f} ms (most {max(freed):.0f}, alone "
            f"{statistics.median(alone):.0f})"
        )
    return worst


async def _freed(call: Call, site: Site, number: int) -> float:
    path = f"/never/{number}"
    async with trio.open_nursery() as nursery:

        async def load() -> None:
            await call("navigate", url=site.url(path))

        nursery.start_soon(load)
        await site.requested(path)
        begun = trio.current_time()
        nursery.cancel_scope.cancel()
    return await _answered(call, begun)


async def _answered(call: Call, begun: float) -> float:
    """Call a tool on the tab; return the ms from ``begun`` to its answer."""
    await call("evaluate", expression="1")
    return (trio.current_time() - begun) * 1000
