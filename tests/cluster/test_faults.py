"""Lost hosts and nodes: what agents get, and how soon."""

import json
import os
import signal
import time

import pytest
import trio

from tests.cluster.agents import check_whole, log_in, running_call, status_of, text_of
from tests.cluster.gateways import connected, open_gateway
from tests.cluster.nodes import Nodes, node_of
from tests.server.http.clients import HttpClient, Stateless
from tests.site.server import PAGES, open_site

pytestmark = pytest.mark.fault

LOST_WITHIN = 5.0
BACK_WITHIN = 15.0


async def _lose(nodes: Nodes, how: str, client: HttpClient) -> float:
    """Kill the session's host, or its node; return the time of that."""
    pid: int = (await status_of(client))["process"]["pid"]
    node, killed = node_of(nodes, pid), time.time()
    if how == "host":
        os.kill(pid, signal.SIGKILL)
    else:
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
