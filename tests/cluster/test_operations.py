"""What operators do, and what agents see of it: nodes are drained, gateways and heads replaced."""

import os
import signal
import time
from collections import Counter
from contextlib import AsyncExitStack
from typing import Any

import attrs
import pytest
import trio
from starlette.responses import Response

from bench.agents import PROGRAM
from tests.cluster.agents import (
    check_whole,
    host_of,
    log_in,
    running_call,
    status_of,
    tab_ids,
    text_of,
)
from tests.cluster.gateways import connected, open_gateway
from tests.cluster.nodes import Nodes, node_of, silent_head
from tests.server.http.clients import Stateless
from tests.site.routes import Request
from tests.site.server import PAGES, open_site

pytestmark = pytest.mark.fault

ERROR_WITHIN = 5.0
MOVED_WITHIN = 30.0
NO_HEAD = "The head of the Ray cluster does not answer"


@attrs.define(eq=False)
class Gate:
    """A route of the site at which a call waits until the gate is ``open``."""

    arrived: trio.Event = attrs.field(factory=trio.Event)
    open: trio.Event = attrs.field(factory=trio.Event)
    answers: list[str] = attrs.field(factory=list[str])

    async def route(self, _: Request) -> Response:
        self.arrived.set()
        await self.open.wait()
        return Response("passed")

    async def pass_with(self, client: Stateless) -> None:
        """Make a call that ends once the gate is open."""
        client.http.timeout = 60
        wait = "await (await fetch('/gate')).text()"
        self.answers.append(await text_of(client, "evaluate", expression=wait, timeout=60_000))


async def test_while_the_head_is_silent_only_lost_and_unknown_sessions_have_errors(
    nodes: Nodes,
) -> None:
    async with (
        open_site(PAGES) as site,
        open_gateway() as (url, _),
        connected(Stateless, url) as one,
        connected(Stateless, url) as other,
        connected(Stateless, url) as new,
    ):
        for client, name in ((one, "one"), (other, "other")):
            await log_in(client, site.url("/index.html"), name)
        host: int = (await status_of(one))["process"]["pid"]
        with silent_head(nodes):
            async with running_call(one) as lost:
                os.kill(host, signal.SIGKILL)
                killed = time.time()
            assert lost.answered - killed < ERROR_WITHIN
            with trio.fail_after(ERROR_WITHIN):
                assert NO_HEAD in await text_of(one, "tabs")
            with trio.fail_after(ERROR_WITHIN):
                await check_whole(other, "other")
            new.session = "0" * 24
            with trio.fail_after(ERROR_WITHIN):
                assert NO_HEAD in await text_of(new, "tabs")
            new.session = None
            with trio.fail_after(ERROR_WITHIN):
                assert "snapshot_id" in await text_of(new, "navigate", url="data:text/html,new")
        with trio.fail_after(MOVED_WITHIN):
            while NO_HEAD in await text_of(one, "tabs"):
                await trio.lowlevel.checkpoint()
        await check_whole(one, "one")
        await check_whole(other, "other")


async def test_a_drain_goes_on_when_a_node_joins_and_ends_with_the_last_call(
    nodes: Nodes,
) -> None:
    gate, slots = Gate(), 3
    places = slots * nodes.count
    async with (
        open_site(PAGES, routes={"/gate": gate.route}) as site,
        open_gateway("--max-sessions", str(slots), places=places) as (url, _),
        AsyncExitStack() as stack,
    ):
        clients = await _log_in_all(stack, url, site.url("/index.html"), places - 1)
        tabs = [await tab_ids(client) for client in clients]
        hosts = [await host_of(client) for client in clients]
        [(full, _)] = Counter(hosts).most_common(1)
        busy, *idle = [clients[n] for n, host in enumerate(hosts) if host == full]
        node, ended = await node_of(nodes, full), trio.Event()

        async def drain() -> None:
            output = await _drain(nodes, node)
            assert b"other nodes have free slots" in output, "the command names what it waits for"
            assert b"is drained" in output
            ended.set()

        async def left() -> int:
            return [await host_of(client) for client in idle].count(full)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(gate.pass_with, busy)
            await gate.arrived.wait()
            nursery.start_soon(drain)
            with trio.fail_after(MOVED_WITHIN):
                while await left() == len(idle):
                    await trio.lowlevel.checkpoint()
            assert await left() == len(idle) - 1, "there is one slot elsewhere"
            nodes.add()
            with trio.fail_after(MOVED_WITHIN):
                while await left():
                    await trio.lowlevel.checkpoint()
            assert not ended.is_set()
            gate.open.set()
        assert "passed" in gate.answers[0]
        assert full not in [await host_of(client) for client in clients]
        for n, client in enumerate(clients):
            await check_whole(client, f"agent-{n}", tabs[n])
        await _drain(nodes, node, "--undo")


async def _drain(nodes: Nodes, node: Any, *flags: str) -> bytes:
    command = [*PROGRAM, "drain", node.node_id, "--address", nodes.address, *flags]
    return (await trio.run_process(command, capture_stdout=True)).stdout


async def _log_in_all(stack: AsyncExitStack, url: str, address: str, count: int) -> list[Stateless]:
    """Open sessions, each with a name of its own."""
    clients = [await stack.enter_async_context(connected(Stateless, url)) for _ in range(count)]
    async with trio.open_nursery() as nursery:
        for n, client in enumerate(clients):
            client.http.timeout = 60
            nursery.start_soon(log_in, client, address, f"agent-{n}")
    return clients


async def test_sessions_go_on_at_a_gateway_with_other_settings_which_new_sessions_get(
    nodes: Nodes,
) -> None:
    gate, long = Gate(), "'x'.repeat(20_000)"
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(open_site(PAGES, routes={"/gate": gate.route}))
        url, former = await stack.enter_async_context(open_gateway())
        clients = await _log_in_all(stack, url, site.url("/index.html"), nodes.count)
        tabs = [await tab_ids(client) for client in clients]
        latest = open_gateway("--max-chars", "5000", places=0)
        new_url, _ = await stack.enter_async_context(latest)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(gate.pass_with, clients[0])
            await gate.arrived.wait()
            former.send_signal(signal.SIGTERM)
            for client in clients[1:]:
                client.url = new_url
                await text_of(client, "tabs")
            gate.open.set()
        assert "passed" in gate.answers[0]
        clients[0].url = new_url
        for n, client in enumerate(clients):
            await check_whole(client, f"agent-{n}", tabs[n])
        assert await former.wait() == 0
        new = await stack.enter_async_context(connected(Stateless, new_url))
        new.http.timeout = 60
        assert "snapshot_id" in await text_of(new, "navigate", url="data:text/html,new")
        assert len(await text_of(new, "evaluate", expression=long)) < 5_000
        for n, client in enumerate(clients):
            await check_whole(client, f"agent-{n}", tabs[n])
