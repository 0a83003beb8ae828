"""The websocket, against a real one on this machine."""

import gc
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from functools import partial

import pytest
import trio
import trio_websocket
from trio.testing import wait_all_tasks_blocked
from trio_websocket import ConnectionClosed, WebSocketConnection, WebSocketRequest

from charlotte.base.errors import SessionProblem
from charlotte.protocol import transport
from charlotte.protocol.connection import open_connection
from charlotte.protocol.runtime import Evaluate
from charlotte.protocol.target import GetVersion
from charlotte.protocol.transport import TransportClosed, Unreachable, open_websocket

Peer = Callable[[WebSocketConnection], Awaitable[None]]


@asynccontextmanager
async def listening(handler: Callable[[WebSocketRequest], Awaitable[None]]) -> AsyncGenerator[str]:
    """A server whose every connection is a handler's; yields its address."""
    start = partial(
        trio_websocket.serve_websocket,
        handler,
        "127.0.0.1",
        0,
        ssl_context=None,
        max_message_size=2**28,
        receive_buffer_size=2**16,
    )
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            server = await nursery.start(start)
            yield f"ws://127.0.0.1:{server.port}/devtools/browser/x"
            nursery.cancel_scope.cancel()


@asynccontextmanager
async def serving(peer: Peer) -> AsyncGenerator[str]:
    """A server that lets ``peer`` talk on every connection."""

    async def accept(request: WebSocketRequest) -> None:
        await peer(await request.accept())

    async with listening(accept) as address:
        yield address


async def echo(socket: WebSocketConnection) -> None:
    try:
        while True:
            await socket.send_message(await socket.get_message())
    except ConnectionClosed:
        return


async def test_messages_go_both_ways() -> None:
    async with serving(echo) as address, open_websocket(address) as socket:
        for text in ("{}", "ä€𝄞", ""):
            await socket.send_message(text)
            assert await socket.get_message() == text


async def test_messages_of_many_megabytes_are_received() -> None:
    """Screenshots and large pages; trio-websocket's own limit is 1 MiB."""
    long = "x" * 12_000_000
    async with serving(echo) as address, open_websocket(address) as socket:
        await socket.send_message(long)
        assert await socket.get_message() == long


async def test_a_message_that_is_too_long_ends_the_connection_with_a_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("charlotte.protocol.transport._MAX_MESSAGE", 1000)
    async with serving(echo) as address, open_websocket(address) as socket:
        await socket.send_message("x" * 1001)
        with pytest.raises(TransportClosed, match="sent a message of more than 256 MiB"):
            await socket.get_message()


@pytest.mark.parametrize("patience", [5, 0], ids=["with a close frame", "without"])
async def test_both_methods_fail_when_the_other_side_has_closed(patience: float) -> None:
    async def leave(socket: WebSocketConnection) -> None:
        with trio.move_on_after(patience):
            await socket.aclose()

    async with serving(leave) as address, open_websocket(address) as socket:
        with pytest.raises(TransportClosed):
            await socket.get_message()
        with pytest.raises(TransportClosed):
            await socket.send_message("{}")


@pytest.mark.parametrize("fails", [False, True])
async def test_leaving_the_block_closes_the_connection(*, fails: bool) -> None:
    closed = trio.Event()

    async def listen(socket: WebSocketConnection) -> None:
        with pytest.raises(ConnectionClosed):
            await socket.get_message()
        closed.set()

    async with serving(listen) as address:
        with pytest.RaisesGroup(ZeroDivisionError) if fails else nullcontext():
            async with open_websocket(address):
                if fails:
                    raise ZeroDivisionError
        await closed.wait()
    gc.collect()  # a socket that was left open would be complained about here


async def test_an_exception_that_leaves_a_cancelled_block_is_kept() -> None:
    async with serving(echo) as address:
        with pytest.RaisesGroup(KeyboardInterrupt), trio.CancelScope() as scope:
            async with open_websocket(address):
                scope.cancel()
                raise KeyboardInterrupt


async def check_not_connected(address: str) -> None:
    with trio.fail_after(60), pytest.RaisesGroup(SessionProblem, allow_unwrapped=True):
        async with open_websocket(address):
            pass
    gc.collect()


async def test_connecting_to_a_closed_port_fails() -> None:
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port = listener.socket.getsockname()[1]
    await listener.aclose()
    await check_not_connected(f"ws://127.0.0.1:{port}/")


async def test_connecting_to_a_server_that_rejects_the_handshake_fails() -> None:
    async def reject(request: WebSocketRequest) -> None:
        await request.reject(403)

    async with listening(reject) as address:
        await check_not_connected(address)


async def test_connecting_to_a_silent_server_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "_CONNECT_WAIT", 0.05)

    async def ponder(_: WebSocketRequest) -> None:
        await trio.sleep_forever()

    async with listening(ponder) as address:
        await check_not_connected(address)


async def test_the_answer_to_an_upgrade_may_take_longer_if_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transport, "_CONNECT_WAIT", 0.05)
    monkeypatch.setattr(transport, "_USUAL_WAIT", 0.05)
    held = trio.Event()

    async def accept_late(request: WebSocketRequest) -> None:
        await held.wait()
        await echo(await request.accept())

    async with (
        listening(accept_late) as address,
        open_websocket(address, upgrade_wait=20, on_hold=held.set) as socket,
    ):
        await socket.send_message("sent")
        assert await socket.get_message() == "sent"


async def test_a_peer_that_hangs_up_during_the_upgrade_is_noticed_at_once() -> None:
    async def hang_up(stream: trio.SocketStream) -> None:
        await stream.receive_some()
        await stream.aclose()

    async with trio.open_nursery() as nursery:
        [listener] = await nursery.start(partial(trio.serve_tcp, hang_up, 0, host="127.0.0.1"))
        port = listener.socket.getsockname()[1]
        with trio.fail_after(60), pytest.raises(Unreachable, match="the connection was closed"):
            async with open_websocket(f"ws://127.0.0.1:{port}/", upgrade_wait=600):
                pass
        nursery.cancel_scope.cancel()
    gc.collect()


async def test_a_peer_that_does_not_read_ends_the_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transport, "_SEND_WAIT", 0.1)

    async def sit(_: WebSocketConnection) -> None:
        await trio.sleep_forever()

    async with serving(sit) as address, open_websocket(address) as socket:
        await socket.send_message("one is read, and fills the queue")
        await socket.send_message("two stops the reader")
        with pytest.raises(TransportClosed):
            await socket.send_message("x" * 8_000_000)
        with pytest.raises(TransportClosed):
            await socket.send_message("{}")
        with pytest.raises(TransportClosed):
            await socket.get_message()


async def test_a_command_is_sent_completely_although_its_caller_is_cancelled() -> None:
    """Half a frame would make nonsense of everything that comes after it."""
    reads, received = trio.Event(), list[int]()

    async def read_late(socket: WebSocketConnection) -> None:
        await reads.wait()
        received.extend([len(await socket.get_message()) for _ in range(4)])
        await socket.send_message('{"id": 2, "result": {"product": "x", "protocolVersion": "1"}}')
        await trio.sleep_forever()

    async with (
        serving(read_late) as address,
        open_websocket(address) as socket,
        open_connection(socket) as connection,
    ):
        await socket.send_message("one fills the queue")
        await socket.send_message("two stops the reader")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(connection.root.call, Evaluate(expression="x" * 8_000_000))
            await wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
            reads.set()
        await connection.root.call(GetVersion())
    assert received[2] > 8_000_000
    assert received[3] < 100
