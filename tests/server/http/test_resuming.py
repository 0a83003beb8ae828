"""A client that lost its connection comes back and is told what it missed; of its own alone."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio
from mcp.server.streamable_http import GET_STREAM_KEY, EventMessage
from mcp_types import JSONRPCError, JSONRPCMessage, JSONRPCNotification, JSONRPCResponse
from starlette.types import Message as ASGIMessage

from charlotte.server.http.event_store import MAX_CHARACTERS, RETRY_MS, Delivery, EventLog
from tests.server.clients import request
from tests.server.fake_server import FakeService
from tests.server.http.clients import ERAS, Handshaking, Message, Stateless
from tests.server.http.stage import Running, open_http, until

WAIT = request(7, "tools/call", name="wait", arguments={})


async def _called_and_cut(server: Running, client: Handshaking) -> str:
    """Call the tool that waits, and hang up once it runs; the id of the only event so far."""
    lines: list[str] = []

    async def call() -> None:
        headers = client.headers
        async with client.http.stream("POST", client.url, json=WAIT, headers=headers) as response:
            async for line in response.aiter_lines():
                lines.append(line)  # noqa: PERF401 - it is read meanwhile

    async with trio.open_nursery() as nursery:
        nursery.start_soon(call)
        await until(lambda: "" in lines and _service(server).started)
        nursery.cancel_scope.cancel()
    assert f"retry: {RETRY_MS}" in lines
    [heard] = [line.removeprefix("id: ") for line in lines if line.startswith("id: ")]
    return heard


def _service(server: Running) -> FakeService:
    return server.application.sessions[0]


@asynccontextmanager
async def _resumed(client: Handshaking, heard: str) -> AsyncGenerator[list[Message]]:
    """What is told to a client that comes back; its stream has ended when this has."""
    headers = client.headers | {"accept": "text/event-stream", "last-event-id": heard}
    told: list[Message] = []

    async def listen(task_status: trio.TaskStatus[None]) -> None:
        async with client.http.stream("GET", client.url, headers=headers) as response:
            task_status.started()
            lines = [line async for line in response.aiter_lines()]
        told.extend(json.loads(line[5:]) for line in lines if line.startswith("data: {"))

    async with trio.open_nursery() as nursery:
        await nursery.start(listen)
        yield told


@asynccontextmanager
async def _cut_off() -> AsyncGenerator[tuple[Running, Handshaking, str]]:
    async with open_http() as server, server.client(Handshaking) as client:
        await client.call("noop")
        yield server, client, await _called_and_cut(server, client)


async def test_who_comes_back_is_told_the_answer_that_came_meanwhile() -> None:
    async with _cut_off() as (server, client, heard):
        _service(server).gate.set()
        await until(lambda: _service(server).ended)
        async with _resumed(client, heard) as told:
            pass
    assert [(7, "wait")] == [(one["id"], one["result"]["content"][0]["text"]) for one in told]


@pytest.mark.parametrize("kind", ERAS)
async def test_an_answer_is_delivered_once_it_is_written(
    kind: type[Handshaking | Stateless],
) -> None:
    async with open_http() as server, server.client(kind) as client:
        await client.call("noop")
        await until(lambda: _service(server).delivered == ["noop"])


async def test_an_answer_that_nobody_hears_is_delivered_when_its_client_comes_back() -> None:
    async with _cut_off() as (server, client, heard):
        _service(server).gate.set()
        await until(lambda: _service(server).ended)
        await client.call("noop")
        await until(lambda: _service(server).delivered == ["noop", "noop"])

        async with _resumed(client, heard):
            pass

        await until(lambda: _service(server).delivered == ["noop", "noop", "wait"])


async def test_notifications_and_failures_to_write_deliver_nothing() -> None:
    delivery, delivered, written = Delivery(), list[str](), list[bytes]()

    async def write(message: ASGIMessage) -> None:
        if b"broken" in message["body"]:
            raise OSError("disconnected")
        written.append(message["body"])

    send = delivery.wrap_send(write)
    delivery.expect(7, partial(delivered.append, "answer 7"))
    await send({"type": "http.response.body", "body": b'{"params":{"message":"\\"result\\":"}}'})
    with pytest.raises(OSError, match="disconnected"):
        await send({"type": "http.response.body", "body": b'{"result":{"text":"broken"}}'})
    assert delivered == []
    for _ in range(2):
        await send({"type": "http.response.body", "body": b'{"result":{}}'})

    assert delivered == ["answer 7"]


async def test_who_comes_back_before_the_answer_waits_for_it() -> None:
    async with _cut_off() as (server, client, heard), _resumed(client, heard) as told:
        _service(server).gate.set()
    assert [7] == [one["id"] for one in told]


async def test_the_stream_of_who_came_back_ends_with_its_session() -> None:
    async with _cut_off() as (_, client, heard), _resumed(client, heard) as told:
        await client.leave()
    assert [(7, True)] == [(one["id"], "error" in one) for one in told]


async def test_nobody_is_told_what_was_said_to_another() -> None:
    async with _cut_off() as (server, _, heard), server.client(Handshaking) as other:
        _service(server).gate.set()
        await until(lambda: _service(server).ended)
        async with _resumed(other, heard) as told:
            pass
    assert ["error"] == [key for one in told for key in one if key in {"error", "result"}]


def _answer(number: int, size: int = 1) -> JSONRPCResponse:
    return JSONRPCResponse(jsonrpc="2.0", id=number, result={"text": "x" * size})


NEWS = JSONRPCNotification(jsonrpc="2.0", method="notifications/tools/list_changed")


async def _replayed(memory: EventLog, after: str) -> list[JSONRPCMessage]:
    told: list[JSONRPCMessage] = []

    async def tell(event: EventMessage) -> None:
        told.append(event.message)

    with trio.move_on_after(0):
        await memory.replay_events_after(after, tell)
    return told


async def test_each_stream_is_told_alone_and_from_where_it_was_lost() -> None:
    memory = EventLog()
    first = await memory.store_event("1", None)
    await memory.store_event("2", None)
    second = await memory.store_event("1", NEWS)
    await memory.store_event("2", _answer(2))
    await memory.store_event("1", _answer(1))
    assert [NEWS, _answer(1)] == await _replayed(memory, first)
    assert [_answer(1)] == await _replayed(memory, second)


async def test_what_is_said_outside_of_any_answer_is_told_without_end() -> None:
    memory = EventLog()
    first = await memory.store_event(GET_STREAM_KEY, NEWS)
    await memory.store_event(GET_STREAM_KEY, NEWS)
    assert [NEWS] == await _replayed(memory, first)
    memory.close()
    assert [] == await _replayed(memory, "2-" + GET_STREAM_KEY)


@pytest.mark.parametrize(
    ("last", "request_id"), [("1-1", 1), ("9-a", "a"), ("nonsense", ""), ("9" * 5000, "")]
)
async def test_what_is_not_kept_any_more_is_an_error_and_no_endless_wait(
    last: str, request_id: object
) -> None:
    memory = EventLog()
    for number in range(1, 5):
        await memory.store_event(str(number), _answer(number, MAX_CHARACTERS // 3))
    [told] = await _replayed(memory, last)
    assert isinstance(told, JSONRPCError)
    assert (request_id, "no longer stored" in told.error.message) == (told.id, True)


async def test_the_newest_is_kept_however_long_it_is() -> None:
    memory = EventLog()
    begun = await memory.store_event("1", None)
    await memory.store_event("1", _answer(1, 2 * MAX_CHARACTERS))
    assert [_answer(1, 2 * MAX_CHARACTERS)] == await _replayed(memory, begun)
