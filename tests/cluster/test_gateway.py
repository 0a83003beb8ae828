"""A server over HTTP whose sessions live on the nodes of a cluster."""

from pathlib import Path

import pytest

from bench.agents import Agent, open_callers, work
from tests.cluster.gateways import open_gateway
from tests.cluster.nodes import Nodes
from tests.server.http.clients import Handshaking, Stateless, connected
from tests.site.server import open_site
from tests.whole import test_http

PAGE = "data:text/html,<title>{}</title><button onclick='this.textContent=1'>Buy</button>"


@pytest.mark.smoke
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


@pytest.mark.usefixtures("nodes")
async def test_two_http_clients_are_isolated_on_the_nodes(tmp_path: Path) -> None:
    await test_http.test_two_http_clients_are_isolated_until_the_server_ends(tmp_path)
