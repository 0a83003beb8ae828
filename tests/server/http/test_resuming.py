"""A client that reconnects receives the events of its own streams that it missed."""

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
from tests.server.http.clients import Handshaking, Message
from tests.server.http.stage import Running, open_http, until

WAIT = request(7, "tools/call", name="wait", arguments={})


async def _call_and_disconnect(server: Running, client: Handshaking) -> str:
    """Call the tool that waits, disconnect, and return the id of the only event so far."""
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
    [last_event] = [line.removeprefix("id: ") for line in lines if line.startswith("id: ")]
    return last_event


def _service(server: Running) -> FakeService:
    return server.application.sessions[0]


@asynccontextmanager
async def _resumed(client: Handshaking, last_event: str) -> AsyncGenerator[list[Message]]:
    """Yield the messages of a client that reconnects, complete when this ends."""
    headers = client.headers | {"accept": "text/event-stream", "last-event-id": last_event}
    received: list[Message] = []

    async def listen(task_status: trio.TaskStatus[None]) -> None:
        async with client.http.stream("GET", client.url, headers=headers) as response:
            task_status.started()
            lines = [line async for line in response.aiter_lines()]
        received.extend(json.loads(line[5:]) for line in lines if line.startswith("data: {"))

    async with trio.open_nursery() as nursery:
        await nursery.start(listen)
        yield received


@asynccontextmanager
async def _disconnected() -> AsyncGenerator[tuple[Running, Handshaking, str]]:
    async with open_http() as server, server.client(Handshaking) as client:
        await client.call("noop")
        yield server, client, await _call_and_disconnect(server, client)


async def test_a_client_that_reconnects_receives_the_answer_it_missed() -> None:
    async with _disconnected() as (server, client, last_event):
        _service(server).gate.set()
        await until(lambda: _service(server).ended)
        async with _resumed(client, last_event) as received:
            pass
    assert [(7, "wait")] == [(one["id"], one["result"]["content"][0]["text"]) for one in received]


async def test_an_unread_answer_is_delivered_when_its_client_reconnects() -> None:
    async with _disconnected() as (server, client, last_event):
        _service(server).gate.set()
        await until(lambda: _service(server).ended)
        await client.call("noop")
        await until(lambda: _service(server).delivered == ["noop", "noop"])

        async with _resumed(client, last_event):
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


async def test_a_client_that_reconnects_before_the_answer_waits_for_it() -> None:
    async with (
        _disconnected() as (server, client, last_event),
        _resumed(client, last_event) as received,
    ):
        _service(server).gate.set()
    assert [7] == [one["id"] for one in received]


async def test_a_client_cannot_resume_the_stream_of_another_client() -> None:
    async with _disconnected() as (server, _, last_event), server.client(Handshaking) as other:
        _service(server).gate.set()
        await until(lambda: _service(server).ended)
        async with _resumed(other, last_event) as received:
            pass
    assert ["error"] == [key for one in received for key in one if key in {"error", "result"}]


def _answer(number: int, size: int = 1) -> JSONRPCResponse:
    return JSONRPCResponse(jsonrpc="2.0", id=number, result={"text": "x" * size})


NEWS = JSONRPCNotification(jsonrpc="2.0", method="notifications/tools/list_changed")


async def _replayed(log: EventLog, after: str) -> list[JSONRPCMessage]:
    received: list[JSONRPCMessage] = []

    async def receive(event: EventMessage) -> None:
        received.append(event.message)

    with trio.move_on_after(0):
        await log.replay_events_after(after, receive)
    return received


async def test_a_stream_is_replayed_alone_from_its_last_received_event() -> None:
    log = EventLog()
    first = await log.store_event("1", None)
    await log.store_event("2", None)
    second = await log.store_event("1", NEWS)
    await log.store_event("2", _answer(2))
    await log.store_event("1", _answer(1))
    assert [NEWS, _answer(1)] == await _replayed(log, first)
    assert [_answer(1)] == await _replayed(log, second)


async def test_the_stream_of_notifications_is_replayed_without_end() -> None:
    log = EventLog()
    first = await log.store_event(GET_STREAM_KEY, NEWS)
    await log.store_event(GET_STREAM_KEY, NEWS)
    assert [NEWS] == await _replayed(log, first)
    log.close()
    assert [] == await _replayed(log, "2-" + GET_STREAM_KEY)


@pytest.mark.parametrize(
    ("last", "request_id"), [("1-1", 1), ("9-a", "a"), ("nonsense", ""), ("9" * 5000, "")]
)
async def test_an_evicted_answer_is_replayed_as_an_error(last: str, request_id: object) -> None:
    log = EventLog()
    for number in range(1, 5):
        await log.store_event(str(number), _answer(number, MAX_CHARACTERS // 3))
    [received] = await _replayed(log, last)
    assert isinstance(received, JSONRPCError)
    assert (request_id, "no longer stored" in received.error.message) == (received.id, True)
