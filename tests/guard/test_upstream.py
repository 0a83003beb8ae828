"""Connections through the proxy behind the egress proxy."""

import base64
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import attrs
import pytest
import trio

from charlotte.guard.host_patterns import HostList
from charlotte.guard.socks_proxy import Forbidden, Route
from charlotte.guard.upstream import Upstream, read_upstream
from charlotte.guard.url_guard import Guard
from charlotte.secrets.redaction import read_credential

_SOCKS_REQUEST = b"\5\1\0\3\6a.test\x01\xbb"


@attrs.define
class Proxy:
    """A proxy with fixed replies to its first requests."""

    replies: list[bytes]
    requests: list[bytes] = attrs.field(factory=list[bytes])

    async def serve(self, stream: trio.SocketStream) -> None:
        for reply in self.replies:
            self.requests.append(await stream.receive_some())
            await stream.send_all(reply)
        await stream.aclose()


@asynccontextmanager
async def running(*replies: bytes) -> AsyncGenerator[tuple[Proxy, int]]:
    proxy = Proxy([*replies])
    async with trio.open_nursery() as nursery:
        [listener] = await trio.open_tcp_listeners(0, host="127.0.0.1")
        await nursery.start(trio.serve_listeners, proxy.serve, [listener])
        with trio.fail_after(60):
            yield proxy, listener.socket.getsockname()[1]
        nursery.cancel_scope.cancel()


async def test_an_http_proxy_is_asked_for_a_tunnel_with_its_login() -> None:
    async with running(b"HTTP/1.1 200 OK\r\nVia: b\r\n\r\n", b"hello") as (proxy, port):
        address = f"http://127.0.0.1:{port}"
        login = read_credential(f"http://ada:s%C3%A9cret%E2%82%AC@127.0.0.1:{port}", address)
        async with await read_upstream(address, [login]).connect("a.test", 443) as stream:
            await stream.send_all(b"hi")
            assert await stream.receive_some() == b"hello"
    token = base64.b64encode("ada:sécret€".encode())
    request, greeting = proxy.requests
    assert request.startswith(b"CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n")
    assert b"\r\nProxy-Authorization: Basic %b\r\n" % token in request
    assert greeting == b"hi"


async def test_a_socks_proxy_resolves_the_name() -> None:
    replies = b"\5\0", b"\5\0\0\1\0\0\0\0\0\0hello"
    async with (
        running(*replies) as (proxy, port),
        await Upstream("socks5", "127.0.0.1", port).connect("a.test", 443) as stream,
    ):
        assert await stream.receive_some() == b"hello"
    assert proxy.requests == [b"\5\1\0", _SOCKS_REQUEST]


@pytest.mark.parametrize(
    ("scheme", "replies"),
    [
        ("http", [b"HTTP/1.1 407 Login\r\n\r\n"]),
        ("http", [b"nonsense\r\n\r\n"]),
        ("http", [b""]),
        ("socks5", [b"\5\xff"]),
        ("socks5", [b"\5\0", b"\5\4\0\1\0\0\0\0\0\0"]),
        ("socks5", [b"\5"]),
    ],
)
async def test_a_refusal_is_an_error(scheme: str, replies: list[bytes]) -> None:
    async with running(*replies) as (_, port):
        with pytest.raises(OSError, match="the upstream proxy"):
            await Upstream(scheme, "127.0.0.1", port).connect("a.test", 443)


async def test_the_upstream_proxy_is_not_asked_for_refused_hosts_and_this_machine() -> None:
    async with running(b"") as (proxy, port):
        upstream = Upstream("http", "127.0.0.1", port)
        only = HostList.read(["localhost", "a.test"])
        route = Route(Guard(only=only), upstream)
        with pytest.raises(Forbidden):
            await route.connect("b.test", 443)
        async with await route.connect("localhost", port):
            pass
        assert not upstream.serves("localhost")
        assert upstream.serves("a.test")
    assert proxy.requests in ([], [b""])
