"""Calls over a host's WebSocket, on real sockets: outcomes, cancellation, and its end."""

import socket
import struct
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import attrs
import outcome
import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock

from charlotte.cluster.direct_calls import DirectCalls, serve_direct_calls
from charlotte.cluster.host_sessions import GATEWAY_LOST
from charlotte.cluster.messages import DirectAddress
from charlotte.cluster.ray_calls import ActorGone
from charlotte.errors import ConnectionLost, SessionProblem
from charlotte.protocol.transport import TransportClosed, Unreachable, open_websocket


@attrs.define(eq=False)
class Host:
    """A host that answers with the arguments; a call of ``wait`` runs until it is cancelled."""

    begun: trio.Event = attrs.field(factory=trio.Event)
    was_cancelled: trio.Event = attrs.field(factory=trio.Event)
    _running: dict[str, trio.CancelScope] = attrs.field(factory=dict[str, trio.CancelScope])

    async def answer(
        self, call_id: str, method: str, arguments: tuple[Any, ...]
    ) -> outcome.Outcome[Any]:
        if method == "refuse":
            return outcome.Error(ConnectionLost("The page is gone."))
        if method == "fail":
            raise ValueError("a bug")
        if method == "repeat":
            return outcome.Value([*arguments, b"y" * 20_000])
        if method == "wait":
            with trio.CancelScope() as scope:
                self._running[call_id] = scope
                self.begun.set()
                try:
                    await trio.sleep_forever()
                finally:
                    self.was_cancelled.set()
        return outcome.Value(arguments)

    def cancel(self, call_id: str) -> None:
        self._running[call_id].cancel("the gateway has cancelled it")


def port_of(address: DirectAddress) -> int:
    return urlsplit(address.url).port or 0


@asynccontextmanager
async def serving(host: Host) -> AsyncGenerator[tuple[DirectAddress, trio.CancelScope]]:
    """Run a host's server; the scope ends it."""
    scope = trio.CancelScope()

    async def serve(*, task_status: trio.TaskStatus[DirectAddress]) -> None:
        with scope:
            await serve_direct_calls(host, "127.0.0.1", task_status=task_status)

    async with trio.open_nursery() as nursery:
        address = await nursery.start(serve)
        with trio.fail_after(120):
            yield address, scope
        scope.cancel("the test ends")


@asynccontextmanager
async def connected(host: Host) -> AsyncGenerator[tuple[DirectCalls, trio.CancelScope]]:
    """Connect a gateway to a host; the scope ends the host."""
    async with serving(host) as (address, scope), trio.open_nursery() as nursery:
        calls = DirectCalls()
        await nursery.start(calls.run, address)
        yield calls, scope
        calls.close()


async def test_calls_return_values_and_raise_errors() -> None:
    async with connected(Host()) as (calls, _):
        results = list[outcome.Outcome[Any]]()

        async def ask(number: int) -> None:
            results.append(await calls.ask("echo", number, b"x" * 100_000))

        async with trio.open_nursery() as nursery:
            for number in range(20):
                nursery.start_soon(ask, number)
        assert sorted(result.unwrap()[0] for result in results) == [*range(20)]
        with pytest.raises(ConnectionLost, match="The page is gone"):
            (await calls.ask("refuse")).unwrap()


async def test_a_bug_fails_its_call_alone() -> None:
    async with connected(Host()) as (calls, _):
        with capture_logs() as logs, pytest.raises(RuntimeError, match="a bug"):
            (await calls.ask("fail")).unwrap()
        assert [row["event"] for row in logs] == ["a call of a browser host failed"]
        assert (await calls.ask("echo", 1)).unwrap() == (1,)


async def test_a_cancelled_call_ends_on_its_host() -> None:
    host = Host()
    async with connected(host) as (calls, _):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(calls.ask, "wait")
            await host.begun.wait()
            nursery.cancel_scope.cancel("the client has cancelled it")
        await host.was_cancelled.wait()
        assert (await calls.ask("echo", 1)).unwrap() == (1,)


async def test_a_host_that_ends_fails_its_calls() -> None:
    host = Host()
    async with connected(host) as (calls, scope):

        async def end() -> None:
            await host.begun.wait()
            scope.cancel("the host ends")

        async with trio.open_nursery() as nursery:
            nursery.start_soon(end)
            with pytest.raises(ActorGone, match="closed the connection"):
                await calls.ask("wait")
        assert not calls.is_open


async def test_a_gateway_that_ends_calls_its_hosts_until_it_closes_the_connections() -> None:
    async with serving(Host()) as (address, _), trio.open_nursery() as nursery:
        calls = DirectCalls()
        await nursery.start(calls.run, address)
        nursery.cancel_scope.cancel("the gateway ends")
        with trio.CancelScope(shield=True):
            assert (await calls.ask("goodbye")).unwrap() == ()
        calls.close()
    with pytest.raises(ActorGone):
        await calls.ask("goodbye")


async def test_the_calls_of_a_gateway_that_closes_the_connection_are_cancelled() -> None:
    host = Host()
    async with connected(host) as (calls, _), trio.open_nursery() as nursery:

        async def ask() -> None:
            with pytest.raises(ActorGone):
                await calls.ask("wait")

        nursery.start_soon(ask)
        await host.begun.wait()
        calls.close()
        await host.was_cancelled.wait()


async def test_a_silent_gateway_counts_as_lost(mock_clock: MockClock) -> None:
    host = Host()
    async with connected(host) as (calls, _):
        assert (await calls.ask("echo")).unwrap() == ()
        for _ in range(2):
            mock_clock.jump(GATEWAY_LOST - 1)
            assert (await calls.ask("echo")).unwrap() == ()

        async def stay_silent() -> None:
            await host.begun.wait()
            mock_clock.jump(GATEWAY_LOST + 1)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(stay_silent)
            with pytest.raises(ActorGone):
                await calls.ask("wait")


async def test_a_gateway_without_the_token_is_refused() -> None:
    async with serving(Host()) as (address, _), trio.open_nursery() as nursery:
        assert "token" not in repr(address)
        for token in ("other", address.token[:-1]):
            with pytest.raises(Unreachable) as caught:
                await nursery.start(DirectCalls().run, attrs.evolve(address, token=token))
            assert caught.value.status == 403


UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n%s\r\n"
)


@pytest.mark.parametrize(
    "sent",
    [
        b"no HTTP\r\n\r\n",
        UPGRADE % (b"host", b""),
        UPGRADE % (b"\xff", b""),
        UPGRADE % (b"host", b"Sec-WebSocket-Protocol: \xff\r\n"),
        UPGRADE % (b"host", b"Sec-WebSocket-Extensions: \xff\r\n"),
        b"",
    ],
)
async def test_a_peer_without_the_token_ends_its_own_connection_only(sent: bytes) -> None:
    async with serving(Host()) as (address, _), trio.open_nursery() as nursery:
        calls = DirectCalls()
        await nursery.start(calls.run, address)
        with trio.socket.socket() as peer:
            reset = struct.pack("ii", 1, 0)  # closing sends RST
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
            await peer.connect(("127.0.0.1", port_of(address)))
            await peer.send(sent)
        for _ in range(20):
            assert (await calls.ask("echo", 1)).unwrap() == (1,)
        calls.close()


async def test_a_refused_connection_is_closed() -> None:
    async with serving(Host()) as (address, _):
        received = b""
        async with await trio.open_tcp_stream("127.0.0.1", port_of(address)) as peer:
            await peer.send_all(UPGRADE % (b"host", b""))
            with suppress(trio.BrokenResourceError):
                async for part in peer:
                    received += part
        assert received.startswith(b"HTTP/1.1 403")


async def test_a_message_that_cannot_be_read_ends_its_connection_only() -> None:
    async with serving(Host()) as (address, _), trio.open_nursery() as nursery:
        good = DirectCalls()
        await nursery.start(good.run, address)
        headers = [("Authorization", f"Bearer {address.token}")]
        for message in ("text", b"no pickle"):
            async with open_websocket(address.url, headers=headers) as bad:
                await bad.send_message(message)
                with pytest.raises(TransportClosed):
                    await bad.get_message()
        assert (await good.ask("echo", 1)).unwrap() == (1,)
        good.close()


async def test_a_message_that_is_too_large_fails_its_call_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("charlotte.cluster.direct_calls.MAX_MESSAGE", 10_000)
    async with connected(Host()) as (calls, _):
        with pytest.raises(SessionProblem, match="The call has 2"):
            (await calls.ask("echo", b"x" * 20_000)).unwrap()
        with pytest.raises(SessionProblem, match="The answer of this call has 2"):
            (await calls.ask("repeat", b"x" * 5_000)).unwrap()
        assert (await calls.ask("echo", 1)).unwrap() == (1,)
