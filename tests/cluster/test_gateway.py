"""A server over HTTP whose sessions live on the nodes of a cluster."""

from base64 import b64decode
from pathlib import Path

import httpx2
import pytest
import trio

from bench.agents import Agent, open_callers, work
from tests.cluster.gateways import connected, open_gateway, read_metric
from tests.cluster.nodes import Nodes
from tests.server.http.clients import Handshaking, Stateless
from tests.site.server import PAGES, open_site
from tests.whole.test_http import check_isolation

PAGE = "data:text/html,<title>{}</title><button onclick='this.textContent=1'>Buy</button>"


async def test_clients_of_both_eras_work_on_the_nodes(nodes: Nodes) -> None:
    async with (
        open_gateway() as (url, _),
        connected(Stateless, url) as one,
        connected(Handshaking, url) as other,
    ):
        for client in (one, other):
            shown = await client.call("navigate", url=PAGE.format("x"))
            assert '"title":"x"' in shown["content"][0]["text"]


async def test_eight_sessions_see_their_own_pages_cookies_and_storage(nodes: Nodes) -> None:
    async with (
        open_site() as site,
        open_gateway() as (url, _),
        open_callers(url, 8) as callers,
    ):
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


async def test_the_dashboard_shows_tabs_and_events_of_all_hosts(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHARLOTTE_AUTH_TOKEN", "a token of the tests")
    headers = {"authorization": "Bearer a token of the tests"}
    async with (
        open_gateway("--dashboard", headers=headers) as (url, _),
        connected(Stateless, url, **headers) as client,
        httpx2.AsyncClient(headers=headers, timeout=60) as people,
    ):
        live = url.replace("/mcp", "/dashboard/api/live")
        async with people.stream("GET", live) as stream:
            await client.call("navigate", url=PAGE.format("watched"))
            text = ""
            with (
                trio.CancelScope() as reading
            ):  # ends the library's generators, which `break` does not
                async for chunk in stream.aiter_bytes():
                    text += chunk.decode()
                    if all(part in text for part in ("watched", "-host-", '"kind": "TabOpened"')):
                        reading.cancel("all has arrived")
        assert reading.cancelled_caught, text
