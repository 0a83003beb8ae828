"""Lost hosts, nodes and gateways: what agents get, and how soon."""

import json
import signal
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import trio

from bench.agents import PROGRAM
from tests.cluster.agents import check_whole, host_of, log_in, running_call, text_of
from tests.cluster.gateways import connected, open_gateway
from tests.cluster.nodes import Nodes, kill_host, node_of
from tests.server.http.clients import HttpClient, Stateless
from tests.site.server import PAGES, open_site

pytestmark = pytest.mark.fault

LOST_WITHIN = 5.0
BACK_WITHIN = 15.0


async def _lose(nodes: Nodes, how: str, client: HttpClient) -> float:
    """Kill the session's host, or its node; return the time of that."""
    name = await host_of(client)
    if how == "host":
        return await kill_host(nodes, name)
    node = await node_of(nodes, name)
    killed = time.time()
    await trio.to_thread.run_sync(nodes.remove, node)
    return killed


@pytest.mark.parametrize("how", ["host", "node"])
async def test_a_lost_host_is_an_error_within_seconds_and_the_session_continues(
    nodes: Nodes, how: str
) -> None:
    async with (
        open_site(PAGES) as site,
        open_gateway() as (url, _),
        connected(Stateless, url) as one,
        connected(Stateless, url) as other,
    ):
        address = site.url("/index.html")
        await log_in(one, address, "one")
        await log_in(other, address, "other")
        shown = json.loads(await text_of(one, "observe"))
        async with running_call(one) as lost:
            killed = await _lose(nodes, how, one)
        assert lost.result is not None
        assert "CDP_CONNECTION_LOST" in lost.result["content"][0]["text"]
        assert lost.answered - killed < LOST_WITHIN
        with trio.fail_after(BACK_WITHIN):
            again = json.loads(await text_of(one, "observe"))
        assert "reopened" in str(again["notices"])
        assert again["snapshot_id"] > shown["snapshot_id"]
        await check_whole(one, "one")
        await check_whole(other, "other")
        assert "reopened" not in await text_of(one, "observe")
        new = json.loads(await text_of(one, "tab_open"))["tab_id"]
        assert new not in {"tab-1", "tab-2"}
        assert "TAB_NOT_FOUND" in await text_of(one, "observe", tab_id="tab-999")


@asynccontextmanager
async def open_two_gateways() -> AsyncGenerator[tuple[Stateless, Stateless, trio.Process]]:
    """Yield a client of each of two gateways, and the process of the first gateway."""
    async with (
        open_gateway() as (first_url, first),
        open_gateway() as (second_url, _),
        connected(Stateless, first_url) as client,
        connected(Stateless, second_url) as other,
    ):
        yield client, other, first


async def test_another_gateway_serves_the_session_of_a_lost_one(nodes: Nodes) -> None:
    async with open_site(PAGES) as site, open_two_gateways() as (client, other, first):
        await log_in(client, site.url("/index.html"), "one")
        first.send_signal(signal.SIGKILL)
        await first.wait()
        other.session = client.session
        await check_whole(other, "one")


async def test_two_gateways_serve_a_session_by_its_name(nodes: Nodes) -> None:
    async with open_two_gateways() as (client, other, _):
        await client.call("navigate", url="data:text/html,<title>mine</title>")
        other.session = client.session
        assert "mine" in await text_of(other, "tabs")
        assert "mine" in await text_of(client, "tabs")
        other.session = "0" * 24
        assert "not found" in await text_of(other, "tabs")


async def test_gateways_of_which_one_has_lost_a_host_agree_again_on_its_session(
    nodes: Nodes,
) -> None:
    async with open_site(PAGES) as site, open_two_gateways() as (client, other, first):
        await log_in(client, site.url("/index.html"), "one")
        other.session = client.session
        await host_of(other)
        first.send_signal(signal.SIGSTOP)
        await trio.sleep(LOST_WITHIN)
        first.send_signal(signal.SIGCONT)
        await trio.sleep(1)  # the gateway notices that it has missed polls
        with trio.fail_after(BACK_WITHIN):
            while await host_of(client) != await host_of(other):
                await trio.lowlevel.checkpoint()
        await client.call("tab_open", url="data:text/html,<title>opened by the first</title>")
        assert "opened by the first" in await text_of(other, "tabs")
        await other.call("tab_open", url="data:text/html,<title>opened by the second</title>")
        assert "opened by the second" in await text_of(client, "tabs")


async def test_a_drained_node_loses_its_sessions_without_an_error(nodes: Nodes) -> None:
    async with (
        open_site(PAGES) as site,
        open_gateway() as (url, _),
        connected(Stateless, url) as client,
    ):
        await log_in(client, site.url("/index.html"), "one")
        host = await host_of(client)
        node = await node_of(nodes, host)
        drain = [*PROGRAM, "drain", node.node_id, "--address", nodes.address]
        ended = await trio.run_process(drain, capture_stdout=True)
        assert b"is drained" in ended.stdout
        await check_whole(client, "one")
        assert host != await host_of(client)
        await trio.run_process([*drain, "--undo"], capture_stdout=True)


async def test_a_joining_node_takes_sessions_that_wait(nodes: Nodes) -> None:
    flags = "--max-sessions", "1"
    count = nodes.count
    async with open_gateway(*flags, places=count) as (url, _), trio.open_nursery() as nursery:
        scope = nursery.cancel_scope
        clients = [await nursery.start(_hold_client, url, scope) for _ in range(count + 1)]
        held = clients[:count]
        for client in [*held, *held]:  # a session that is named again keeps its slot
            assert "snapshot_id" in await text_of(client, "navigate", url="data:text/html,x")
        answers: list[str] = []

        async def wait() -> None:
            answers.append(await text_of(clients[count], "navigate", url="data:text/html,x"))

        async with trio.open_nursery() as waiting:
            waiting.start_soon(wait)
            await trio.sleep(1)
            assert not answers
            nodes.add()
        assert "snapshot_id" in answers[0]
        nursery.cancel_scope.cancel()


async def _hold_client(url: str, _: object, task_status: trio.TaskStatus[HttpClient]) -> None:
    async with connected(Stateless, url) as client:
        task_status.started(client)
        await trio.sleep_forever()
