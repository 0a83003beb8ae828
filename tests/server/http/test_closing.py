"""After the signal to stop, the port closes and running calls finish."""

from contextlib import suppress
from functools import partial

import httpx2
import pytest
import trio
from starlette.types import Message as ASGIMessage

from charlotte.server.http.sessions import Delivery
from tests.server.http.clients import ERAS, Handshaking, Message, Stateless
from tests.server.http.stage import Running, open_http, until


async def _wait(client: Handshaking | Stateless, answers: list[Message]) -> None:
    answers.append(await client.call("wait"))


async def _call_runs(server: Running) -> None:
    application = server.application
    await until(lambda: application.sessions and application.sessions[0].started)


async def _wait_until_the_port_is_closed(server: Running) -> None:
    with suppress(httpx2.ConnectError):
        while True:
            await server.get("/healthz")


@pytest.mark.parametrize("era", ERAS)
async def test_a_running_call_is_answered(era: type[Handshaking | Stateless]) -> None:
    answers: list[Message] = []
    async with open_http() as server, server.client(era) as client, trio.open_nursery() as nursery:
        nursery.start_soon(_wait, client, answers)
        await _call_runs(server)
        server.stop.set()
        await _wait_until_the_port_is_closed(server)
        assert not server.ended.is_set()
        server.application.sessions[0].gate.set()
        await server.ended.wait()
    assert answers[0]["content"][0]["text"] == "wait"
    assert len(server.application.closed) == 2


async def test_a_call_that_exceeds_the_drain_time_is_cancelled() -> None:
    async with open_http(drain=0) as server, server.client(Stateless) as client:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_until_cut, client)
            await _call_runs(server)
            server.stop.set()
            await server.ended.wait()
        assert server.application.sessions[0].ended == ["wait"]


async def _until_cut(client: Stateless) -> None:
    with pytest.raises(httpx2.RemoteProtocolError):
        await client.call("wait")


async def test_a_listening_client_does_not_delay_the_end() -> None:
    async with (
        open_http() as server,
        server.client(Handshaking) as client,
        trio.open_nursery() as nursery,
    ):
        await nursery.start(client.listen)
        server.stop.set()
        with trio.fail_after(60):
            await server.ended.wait()
        nursery.cancel_scope.cancel()


async def test_notifications_and_failures_to_write_deliver_nothing() -> None:
    delivery, delivered, written = Delivery(), list[str](), list[bytes]()

    async def write(message: ASGIMessage) -> None:
        if b"broken" in message["body"]:
            raise OSError("disconnected")
        written.append(message["body"])

    send = delivery.wrap_send(write)
    delivery.delivered = partial(delivered.append, "answer 7")
    await send({"type": "http.response.body", "body": b'{"params":{"message":"\\"result\\":"}}'})
    with pytest.raises(OSError, match="disconnected"):
        await send({"type": "http.response.body", "body": b'{"result":{"text":"broken"}}'})
    assert delivered == []
    for _ in range(2):
        await send({"type": "http.response.body", "body": b'{"result":{}}'})

    assert delivered == ["answer 7"]
