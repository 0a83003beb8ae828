"""Addresses to which the egress proxy connects."""

import struct
from contextlib import suppress

import pytest
import trio

from charlotte.guard.host_patterns import HostList
from charlotte.guard.socks_proxy import Route, open_egress, permitted
from charlotte.guard.url_guard import Guard


@pytest.mark.parametrize("address", ["127.0.0.1", "10.1.2.3", "64:ff9b::7f00:1", "ff02::1"])
def test_a_host_that_is_not_allowed_must_have_a_public_address(address: str) -> None:
    assert not permitted(Guard(), address, is_allowed=False)
    assert permitted(Guard(), "8.8.8.8", is_allowed=False)


def test_an_allowed_host_may_have_any_address_but_metadata_endpoints() -> None:
    assert permitted(Guard(), "10.0.0.1", is_allowed=True)
    assert permitted(Guard(), "fe80::1%eth0", is_allowed=True)
    for wrapped in (
        "169.254.169.254",
        "::ffff:a9fe:a9fe",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::a9fe:a9fe",
        "::a9fe:a9fe",
        "2002:a9fe:a9fe::",
        "169.254.170.2",
        "100.100.100.200",
        "fd00:ec2::254",
    ):
        assert not permitted(Guard(), wrapped, is_allowed=True)


@pytest.mark.parametrize("address", ["10.1.2.3", "::ffff:10.1.2.3", "64:ff9b::a01:203", "fd00::7"])
def test_a_blocked_address_is_refused_under_every_name(address: str) -> None:
    guard = Guard(blocked=("10.1.2.3", "fd00::*"))

    assert not permitted(guard, address, is_allowed=True)
    assert permitted(guard, "10.1.2.4", is_allowed=True)


async def _greet(stream: trio.SocketStream) -> None:
    with trio.fail_after(60):
        said = await stream.receive_some()
        await stream.send_all(b"you said " + said)


async def _connected(port: int) -> trio.SocketStream:
    """A connection to the proxy that has been greeted."""
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    with trio.fail_after(60):
        await stream.send_all(b"\5\1\0")
        assert await stream.receive_some(2) == b"\5\0"
    return stream


def _request(host: str, port: int) -> bytes:
    name = host.encode()
    return bytes([5, 1, 0, 3, len(name)]) + name + struct.pack("!H", port)


async def _ask(host: str, *allowed: str, blocked: tuple[str, ...] = ()) -> tuple[int, bytes]:
    """What the proxy replies for a server on this machine, and what that answers."""
    [listener] = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port = listener.socket.getsockname()[1]
    guard = Guard(allowed=allowed, blocked=blocked, public_only=True)
    async with trio.open_nursery() as nursery, open_egress(Route(guard)) as proxy:
        nursery.start_soon(trio.serve_listeners, _greet, [listener])
        async with await _connected(proxy) as stream:
            with trio.fail_after(60):
                await stream.send_all(_request(host, port))
                reply = await stream.receive_some(10)
                answer = b""
                if reply[1] == 0:
                    await stream.send_all(b"hello")
                    answer = await stream.receive_some()
        nursery.cancel_scope.cancel()
    return reply[1], answer


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "shop.localhost"])
async def test_a_private_address_is_refused_under_every_name(host: str) -> None:
    assert await _ask(host) == (2, b"")


@pytest.mark.parametrize("host", ["localhost", "shop.localhost"])
async def test_an_allowed_host_is_connected_to(host: str) -> None:
    assert await _ask(host, "localhost") == (0, b"you said hello")


async def test_a_blocked_host_is_refused_at_every_address() -> None:
    assert await _ask("localhost", "localhost", blocked=("localhost",)) == (2, b"")


@pytest.mark.parametrize("host", ["nowhere.invalid", "a..b", f"{'a' * 64}.test", "caf\u00e9.test"])
async def test_an_unresolved_name_is_not_a_refusal(host: str) -> None:
    assert (await _ask(host))[0] == 4


async def test_a_failed_connection_does_not_affect_others(monkeypatch: pytest.MonkeyPatch) -> None:
    async def getaddrinfo(*_: object, **__: object) -> object:
        raise RuntimeError("a bug")

    async with open_egress(Route(Guard())) as proxy, await _connected(proxy) as first:
        with monkeypatch.context() as broken:
            broken.setattr(trio.socket, "getaddrinfo", getaddrinfo)
            await first.send_all(_request("localhost", 80))
            with trio.fail_after(60):
                assert await first.receive_some() == b""
        async with await _connected(proxy):
            pass


@pytest.mark.parametrize("said", [b"GET / HTTP/1.1\r\n\r\n", b"\5\1\2", b"\5\1\0\5\2\0\1", b""])
async def test_a_client_that_does_not_speak_socks_is_disconnected(said: bytes) -> None:
    async with open_egress(Route(Guard(public_only=True))) as proxy:
        stream = await trio.open_tcp_stream("127.0.0.1", proxy)
        with trio.fail_after(60), suppress(trio.BrokenResourceError):
            async with stream:
                await stream.send_all(said)
                await stream.send_eof()
                while await stream.receive_some():
                    pass


async def test_a_route_reaches_only_listed_hosts_and_reports_others() -> None:
    refused: list[tuple[str, int]] = []
    guard = Guard(only=HostList.read(["localhost"]))
    route = Route(guard, on_refusal=lambda host, port: refused.append((host, port)))
    async with open_egress(route) as proxy, await _connected(proxy) as stream:
        with trio.fail_after(60):
            await stream.send_all(_request("127.0.0.1", 80))
            assert (await stream.receive_some(10))[1] == 2
    assert refused == [("127.0.0.1", 80)]


async def _wait(stream: trio.SocketStream) -> None:
    await stream.receive_some()


async def test_a_restricted_route_ends_connections_that_it_refuses_now() -> None:
    async with trio.open_nursery() as nursery:
        [listener] = await trio.open_tcp_listeners(0, host="127.0.0.1")
        port = listener.socket.getsockname()[1]
        nursery.start_soon(trio.serve_listeners, _wait, [listener])
        route = Route(Guard(only=HostList.read(["*"])))
        async with open_egress(route) as proxy, await _connected(proxy) as stream:
            with trio.fail_after(60):
                await stream.send_all(_request("localhost", port))
                assert (await stream.receive_some(10))[1] == 0
                route.restrict(Guard(only=HostList.read([f"localhost:{port}"])))
                with trio.move_on_after(0.05) as still_open:
                    await stream.receive_some()
                assert still_open.cancelled_caught
                route.restrict(Guard(only=HostList.read(["other.test"])))
                with suppress(trio.BrokenResourceError):
                    assert await stream.receive_some() == b""
        nursery.cancel_scope.cancel()
