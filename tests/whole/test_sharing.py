"""Sessions over HTTP share one browser: fairness between sessions, and their maximum number."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import trio
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from bench.agents import open_http_server
from tests.server.clients import request
from tests.server.http.clients import Handshaking, Message, Stateless, connected
from tests.site.server import PAGES, Site, open_site

pytestmark = [pytest.mark.chromium, pytest.mark.fault]


@asynccontextmanager
async def served(*flags: str) -> AsyncGenerator[tuple[Site, str]]:
    async with open_site(PAGES) as site, open_http_server(*flags) as (address, _):
        yield site, address


def error_of(result: Message) -> Message:
    assert result["isError"], result
    error: Message = json.loads(result["content"][0]["text"])["error"]
    return error


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


async def test_a_session_beyond_the_limit_waits_or_gets_a_retry_time() -> None:
    admitted: list[Message] = []

    async def wait() -> None:
        admitted.append(await next_one.call("tabs"))

    async with (
        served("--max-sessions", "1", "--session-queue", "1") as (_, address),
        connected(Handshaking, address) as only,
        connected(Stateless, address) as next_one,
        connected(Stateless, address) as last,
        trio.open_nursery() as nursery,
    ):
        await only.call("tabs")
        nursery.start_soon(wait)
        metrics = address.replace("/mcp", "/metrics")
        while "charlotte_sessions_waiting 1.0\n" not in (await last.http.get(metrics)).text:
            pass
        refused = error_of(await last.call("tabs"))
        await only.leave()

    assert not admitted[0]["isError"]
    assert "SESSION_ERROR" == refused["code"]
    assert "1 sessions are open and 1 more wait" in refused["message"]
    assert refused["details"]["retry_after_s"] > 0
    assert f"{refused['details']['retry_after_s']} s" in refused["suggestion"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore:Async generator:ResourceWarning")  # caused by the client
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_sdk_client_lists_and_calls_tools_over_http(mode: str) -> None:
    async with (
        served() as (site, address),
        Client(streamable_http_client(address), mode=mode) as client,
    ):
        tools = [tool.name for tool in (await client.list_tools()).tools]
        url = site.url("/counter.html")
        shown = await client.call_tool("charlotte_navigate", {"url": url})

    assert "charlotte_navigate" in tools
    assert not shown.is_error
    assert url in str(shown.content)
