"""A server over HTTP whose sessions live on the nodes of a cluster."""

from base64 import b64decode
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import trio

from bench.agents import Agent, open_callers, work
from tests.cluster.gateways import connected, open_gateway, read_metric
from tests.cluster.nodes import Nodes
from tests.server.http.clients import Handshaking, Stateless
from tests.site.server import PAGES, open_site
from tests.whole.test_http import check_isolation

PAGE = "data:text/html,<title>{}</title><button onclick='this.textContent=1'>Buy</button>"


async def test_eight_sessions_see_their_own_pages_cookies_and_storage(nodes: Nodes) -> None:
    async with open_site() as site, open_gateway() as (url, _), open_callers(url, 8) as callers:
        agents = [Agent(f"agent-{n}", each, site, marks=True) for n, each in enumerate(callers)]
        await work(agents, pages=4, page_ms=100)


async def test_files_progress_and_cancellation_work_on_the_nodes(
    nodes: Nodes, tmp_path: Path
) -> None:
    async with (
        open_site(PAGES) as site,
        open_gateway("--output-dir", str(tmp_path)) as (url, _),
        connected(Stateless, url) as one,
        connected(Handshaking, url) as other,
    ):
        await check_isolation(one, other, site, tmp_path)
        await _saved_files_are_read_from_the_node(one)
        assert await read_metric(url, "charlotte_tabs") >= 2
        assert await read_metric(url, "charlotte_sessions") == 2


async def _saved_files_are_read_from_the_node(client: Stateless) -> None:
    saved = await client.call("screenshot", save=True)
    [link] = [block for block in saved["content"] if block["type"] == "resource_link"]
    listed = (await client.ask("resources/list"))["result"]["resources"]
    assert link["uri"] in {row["uri"] for row in listed}
    [read] = (await client.ask("resources/read", uri=link["uri"]))["result"]["contents"]
    assert b64decode(read["blob"]).startswith(b"\x89PNG")


@pytest.mark.fault
async def test_a_joining_node_takes_sessions_that_wait(nodes: Nodes) -> None:
    url_of = PAGE.format("x")
    async with (
        open_gateway("--max-sessions", "1", places=nodes.count) as (url, _),
        AsyncExitStack() as stack,
    ):
        opening = [connected(Stateless, url) for _ in range(nodes.count + 1)]
        *held, waiting = [await stack.enter_async_context(client) for client in opening]
        for client in [*held, *held]:  # a session that is named again keeps its slot
            assert not (await client.call("navigate", url=url_of)).get("isError")
        answers: list[bool] = []

        async def wait() -> None:
            answers.append(bool((await waiting.call("navigate", url=url_of)).get("isError")))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait)
            while not await read_metric(url, "charlotte_sessions_waiting"):
                await trio.lowlevel.checkpoint()
            assert not answers
            nodes.add()
        assert answers == [False]
