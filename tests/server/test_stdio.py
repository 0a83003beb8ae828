"""The server as a process: its stdin, stdout and exit."""

import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from mcp import Client, StdioServerParameters
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCResponse, TextContent
from trio.testing import lockstep_stream_one_way_pair, memory_stream_pair, wait_all_tasks_blocked

from charlotte.base.errors import SessionProblem
from charlotte.server.serve import LazyService, serve
from charlotte.server.stdio import PendingRequests, Writer, connect
from tests.server.clients import PATIENCE, RawClient, call, request
from tests.server.fake_server import CONFIG, FakeService

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "tests.server.fake_server"]


@asynccontextmanager
async def open_process() -> AsyncGenerator[tuple[trio.Process, RawClient]]:
    """Start the fake server; it is dead when this ends."""
    process = await trio.lowlevel.open_process(PROGRAM, stdin=-1, stdout=-1, stderr=-1, cwd=ROOT)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process, RawClient(trio.StapledStream(process.stdin, process.stdout))
    finally:
        process.kill()
        with trio.move_on_after(PATIENCE, shield=True):
            await process.wait()


async def test_the_sdk_client_talks_to_a_process_that_prints() -> None:
    program = StdioServerParameters(command=PROGRAM[0], args=PROGRAM[1:], cwd=ROOT)
    surprises: list[object] = []

    async def note(message: object) -> None:
        surprises.append(message)

    async def talk(mode: str) -> None:
        async with Client(program, mode=mode, message_handler=note) as client:
            noisy = await client.call_tool("noisy")
            size = await client.call_tool("size", {"text": "x" * 1_000_000})
        assert noisy.content == [TextContent(text="stdin=b''")]
        assert size.content == [TextContent(text="1000000")]

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(talk, "legacy")
            nursery.start_soon(talk, "auto")
    assert surprises == []


@pytest.mark.req("C-ARCH-01")
async def test_stdout_has_only_answers_and_stderr_the_other_output() -> None:
    async with open_process() as (process, client):
        await client.initialize()
        threads = (Path("/proc") / str(process.pid) / "status").read_text(encoding="utf-8")
        await client.send(b"garbage", b"x" * 5_000_000)
        await client.send(call(1, "noisy"), call(2, "late", seconds=0.1))
        await client.stream.send_eof()
        answers = [await client.receive() for _ in range(4)]
        assert process.stderr is not None
        with trio.fail_after(PATIENCE):
            assert await client.line() is None
            stderr = b"".join([chunk async for chunk in process.stderr])
            assert await process.wait() == 0
    assert "Threads:\t1\n" in threads
    assert sorted(str(answer["id"]) for answer in answers) == ["1", "2", "None", "None"]
    assert stderr.count(b"a stray ") == 3
    assert stderr.count(b"malformed line on stdin") == 2
    assert b"printed after serving" in stderr
    assert len(stderr) < 2000


async def test_a_process_whose_client_does_not_read_still_ends() -> None:
    async with open_process() as (process, client):
        await client.initialize()
        await client.send(call(1, "echo", text="x" * 1_000_000))
        await client.stream.send_eof()
        with trio.fail_after(PATIENCE):
            assert await process.wait() == 0


async def until_asleep(pid: int) -> None:
    """Wait until a process waits for something: an interrupt in the middle of work may be lost."""
    stat = Path("/proc") / str(pid) / "stat"
    with trio.fail_after(PATIENCE):
        while stat.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "S":  # noqa: ASYNC110
            await trio.sleep(0.01)  # no event to wait for


async def test_an_interrupt_ends_the_process_while_stdin_is_open() -> None:
    async with open_process() as (process, client):
        await client.initialize()
        await client.send(call(1, "wait"), request(2, "ping"))
        assert (await client.receive())["id"] == 2
        await until_asleep(process.pid)
        process.send_signal(signal.SIGINT)
        answer = await client.receive()
        with trio.fail_after(PATIENCE):
            assert await process.wait() != 0
    assert answer["error"]["message"] == "Connection closed"


async def test_a_process_fed_from_a_file_answers_everything(tmp_path: Path) -> None:
    requests = tmp_path / "requests.jsonl"
    requests.write_text(
        '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":'
        '"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n'
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"noop"}}',
        encoding="utf-8",
    )
    with requests.open("rb") as stdin, trio.fail_after(PATIENCE):
        done = await trio.run_process(PROGRAM, stdin=stdin, capture_stdout=True, cwd=ROOT)
    assert done.stdout.count(b'"result"') == 2


async def test_an_answer_is_delivered_only_if_it_is_written() -> None:
    sending, receiving = lockstep_stream_one_way_pair()
    pending, delivered = PendingRequests(), list[str]()
    writer = Writer(sending, pending)
    for number in (1, 2, 3):
        pending.call_when_sent(number, partial(delivered.append, f"answer {number}"))

    def answer(number: int) -> SessionMessage:
        return SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=number, result={}))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(writer.send, answer(1))
        await wait_all_tasks_blocked()
        with trio.move_on_after(0) as cancelled:  # as a call that is cancelled behind another
            await writer.send(answer(2))
        pending.release(3)  # a call that was cancelled before it had an answer
        assert cancelled.cancelled_caught
        assert delivered == []
        await receiving.receive_some()

    assert delivered == ["answer 1"]
    pending.mark_sent(2)
    pending.mark_sent(3)
    assert delivered == ["answer 1"]


async def test_the_service_opens_after_the_answer_to_initialize() -> None:
    opened = trio.Event()

    @asynccontextmanager
    async def open_service() -> AsyncGenerator[Any]:
        opened.set()
        yield FakeService()

    ours, theirs = memory_stream_pair()
    client = RawClient(ours)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve, LazyService(open_service), CONFIG, *connect(theirs, theirs))
        await wait_all_tasks_blocked()
        assert not opened.is_set()

        await client.initialize()
        await opened.wait()
        nursery.cancel_scope.cancel()


async def test_a_service_that_cannot_open_ends_the_server_with_the_cause() -> None:
    @asynccontextmanager
    async def open_service() -> AsyncGenerator[Any]:
        raise SessionProblem("no browser")
        yield

    ours, theirs = memory_stream_pair()
    with pytest.RaisesGroup(
        pytest.RaisesExc(SessionProblem, match="no browser"), flatten_subgroups=True
    ):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve, LazyService(open_service), CONFIG, *connect(theirs, theirs))
            await RawClient(ours).initialize()
            await trio.sleep_forever()
