"""Sessions over HTTP share one browser: fairness between sessions, and their maximum number."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import trio

from bench.agents import open_http_server
from tests.server.clients import request
from tests.server.http.clients import Handshaking, Message, Stateless, connected
from tests.site.server import PAGES, Site, open_site

pytestmark = [pytest.mark.chromium, pytest.mark.fault]


@asynccontextmanager
async def served(*flags: str) -> AsyncGenerator[tuple[Site, str]]:
    async with open_site(PAGES) as site, open_http_server(*flags) as (address, _):
        yield site, address


async def test_a_busy_session_does_not_block_other_sessions() -> None:
    waited: list[Message] = []

    async def load() -> None:
        arguments = {"url": site.url("/hang"), "tab_id": 1}
        await busy.post(request(98, "tools/call", name="navigate", arguments=arguments))

    async def wait() -> None:
        waited.append(await busy.call("evaluate", tab_id=2, expression="1"))

    async with (
        served("--session-calls", "1") as (site, address),
        connected(Handshaking, address) as busy,
        connected(Stateless, address) as other,
        trio.open_nursery() as nursery,
    ):
        for _ in range(2):
            await busy.call("tab_open")
        nursery.start_soon(load)
        await site.requested("/hang")
        nursery.start_soon(wait)
        answer = await other.call("evaluate", expression="6 * 7")
        assert not waited
        await busy.cancel(98)

    assert '"value":42' in answer["content"][0]["text"]
    assert not waited[0]["isError"]
