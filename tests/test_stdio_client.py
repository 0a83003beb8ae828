"""The client on stdin and stdout, against a fake server and against processes."""

import json
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import attrs
import pytest
import trio
from trio.testing import memory_stream_pair, wait_all_tasks_blocked

from tests import stdio_client as module
from tests.stdio_client import Client, RequestFailed, open_client


@attrs.frozen
class FakeServer:
    """Server end: the client's messages come from ``lines``, the server's go to ``stdout``."""

    lines: trio.MemoryReceiveChannel[bytes]
    stdout: trio.abc.HalfCloseableStream

    async def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self.lines.receive())
        return message

    async def send(self, *messages: dict[str, Any]) -> None:
        await self.stdout.send_all(b"".join(json.dumps(each).encode() + b"\n" for each in messages))


@asynccontextmanager
async def connected() -> AsyncGenerator[tuple[Client, FakeServer, trio.Nursery]]:
    outgoing, lines = trio.open_memory_channel[bytes](10)
    ours, theirs = memory_stream_pair()
    client = Client(1, outgoing)
    with trio.fail_after(5):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(client.listen, ours)
            yield client, FakeServer(lines, theirs), nursery
            nursery.cancel_scope.cancel()


def answer(number: int, **result: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "result": result}


async def test_answers_in_any_order_reach_the_requests_they_belong_to() -> None:
    async with connected() as (client, server, nursery):
        results: dict[str, Any] = {}

        async def ask(tool: str) -> None:
            results[tool] = await client.call(tool, tab_id="tab-1")

        for tool in ("click", "find", "key"):
            nursery.start_soon(ask, tool)
        requests = [await server.receive() for _ in range(3)]
        for request in reversed(requests):
            await server.send(answer(request["id"], tool=request["params"]["name"]))
        await wait_all_tasks_blocked()

        assert {tool: {"tool": tool} for tool in ("click", "find", "key")} == results
        assert {"tab_id": "tab-1"} == requests[0]["params"]["arguments"]


async def test_a_tools_error_is_a_result_and_a_protocols_error_is_raised() -> None:
    async with connected() as (client, server, nursery):
        nursery.start_soon(server.send, answer(1, isError=True, content=[]))
        assert (await client.call("click"))["isError"] is True

        error = {"jsonrpc": "2.0", "id": 2, "error": {"code": -32602, "message": "Unknown tool"}}
        nursery.start_soon(server.send, error)
        with pytest.raises(RequestFailed, match=r"Unknown tool \(-32602\)"):
            await client.call("fly")


async def test_an_answer_in_pieces_is_joined() -> None:
    async with connected() as (client, server, nursery):
        line = json.dumps(answer(1, text="ä" * 1000)).encode() + b"\n" + b'{"jsonrpc": "2.0", '

        async def trickle() -> None:
            for start in range(0, len(line), 700):
                await server.stdout.send_all(line[start : start + 700])
                await wait_all_tasks_blocked()

        nursery.start_soon(trickle)
        assert {"text": "ä" * 1000} == await client.request("tools/list")


async def test_a_cancelled_request_is_cancelled_at_the_server_and_its_late_answer_dropped() -> None:
    async with connected() as (client, server, nursery):
        with trio.CancelScope() as scope:
            nursery.start_soon(_cancel_when_idle, scope)
            await client.call("navigate", url="about:blank")
        request, notification = await server.receive(), await server.receive()
        assert "notifications/cancelled" == notification["method"]
        assert request["id"] == notification["params"]["requestId"]

        nursery.start_soon(server.send, answer(request["id"]), answer(2, late=False))
        assert {"late": False} == await client.call("tabs")
        assert not client.notifications


async def _cancel_when_idle(scope: trio.CancelScope) -> None:
    await wait_all_tasks_blocked()
    scope.cancel()


async def test_a_server_that_ends_ends_all_requests() -> None:
    async with connected() as (client, server, nursery):
        refused: list[str] = []

        async def ask(tool: str) -> None:
            try:
                await client.call(tool)
            except RequestFailed as failure:
                refused.append(str(failure))

        for tool in ("click", "find"):
            nursery.start_soon(ask, tool)
        await wait_all_tasks_blocked()
        await server.stdout.send_eof()
        await wait_all_tasks_blocked()
        await ask("tabs")

        assert ["The server ended without answering tools/call."] * 3 == refused


async def test_the_newest_hundred_notifications_are_kept() -> None:
    async with connected() as (client, server, _):
        await server.send(*({"jsonrpc": "2.0", "method": f"n/{number}"} for number in range(150)))
        await wait_all_tasks_blocked()

        assert [f"n/{n}" for n in range(50, 150)] == [n["method"] for n in client.notifications]


POLITE = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": message}), flush=True)
"""
STUBBORN = f"import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n{POLITE}signal.pause()"


@pytest.mark.parametrize("program", [POLITE, STUBBORN], ids=["leaves", "has to be killed"])
async def test_a_server_process_is_gone_in_the_end(
    program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.2 if program is STUBBORN else 5.0)
    with trio.fail_after(10):
        async with open_client([sys.executable, "-c", program]) as client:
            hello = await client.initialize()
            assert "2025-11-25" == hello["params"]["protocolVersion"]
            os.kill(client.pid, 0)
        with pytest.raises(ProcessLookupError):
            os.kill(client.pid, 0)


async def test_a_server_that_is_killed_ends_the_request_it_had() -> None:
    with trio.fail_after(10):
        async with open_client([sys.executable, "-c", "import time; time.sleep(60)"]) as client:
            os.kill(client.pid, signal.SIGKILL)
            with pytest.raises(RequestFailed, match="ended without answering initialize"):
                await client.initialize()
