"""Egress proxy (SOCKS 5, RFC 1928): connects a browser only to permitted addresses.

The guard of the tabs checks documents, the proxy every connection. The browser resolves no names
itself then. The proxy connects to the address that it has checked, so a name cannot resolve to
another address a moment later.

If other machines can use the server, all connections go through the proxy. Otherwise only plain
HTTP does, except to addresses of this machine: cloud metadata endpoints use no TLS, so HTTPS keeps
its speed.

With ``--only-host``, each browser context has its own `Route`, and the browser reaches nothing but
these proxies.
"""

import math
import struct
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address
from typing import Final

import attrs
import structlog
import trio

from charlotte.base.blocks import closing
from charlotte.base.urls import is_public
from charlotte.guard.upstream import Upstream
from charlotte.guard.url_guard import Guard, resolved

FOR_LOOPBACK: Final = "--proxy-bypass-list=<-loopback>"
"""The switch that makes the browser use the proxy for this machine too."""
FOR_WEBRTC: Final = "--force-webrtc-ip-handling-policy=disable_non_proxied_udp"
"""The switch that keeps WebRTC from connecting around the proxy."""
EGRESS_HOST: Final = "charlotte-egress"
"""The name of this machine in the addresses of routes, in a browser without other names."""
CONTAINED: Final = (
    FOR_LOOPBACK,
    FOR_WEBRTC,
    "--disable-quic",
    "--disable-features=WebRtcHideLocalIpsWithMdns",  # announces a name in the local network
    # without a proxy, the browser finds no address: neither for connections nor for lookups
    f"--host-resolver-rules=MAP {EGRESS_HOST} 127.0.0.1,MAP * ~NOTFOUND",
)
"""The switches of a browser that reaches nothing but routes."""
_VERSION, _NO_AUTHENTICATION, _CONNECT = 5, 0, 1
_IPV4, _NAME, _IPV6 = 1, 3, 4
_DONE, _FORBIDDEN, _UNREACHABLE, _REFUSED, _UNSUPPORTED = 0, 2, 4, 5, 7
_GREETING_WITHIN = 10.0
_CONNECTED_WITHIN = 30.0
_NEXT_ADDRESS_AFTER = 3.0
"""Seconds for one of several addresses of a host."""
_CHUNK = 2**16

log = structlog.get_logger(__name__)


class Forbidden(Exception):
    """The host has no allowed address."""


class Unresolved(OSError):
    """The host has no address."""


class SocksError(Exception):
    """The client does not speak SOCKS 5."""


@attrs.define(eq=False)
class Route:
    """A proxy for one browser context, which reaches what ``guard`` permits.

    ``on_refusal`` is called with the host and port of each refused connection.
    """

    guard: Guard
    upstream: Upstream | None = None
    on_refusal: Callable[[str, int], None] = lambda _host, _port: None
    port: int = attrs.field(default=0, init=False)
    _whole: trio.CancelScope = attrs.field(factory=trio.CancelScope, init=False)
    _open: dict[trio.CancelScope, tuple[str, int]] = attrs.field(
        factory=dict[trio.CancelScope, "tuple[str, int]"], init=False
    )

    async def run(
        self, *, task_status: trio.TaskStatus[list[trio.SocketListener]] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Serve connections until the route is closed."""
        with self._whole:
            [listener] = await trio.open_tcp_listeners(0, host="127.0.0.1")
            self.port = listener.socket.getsockname()[1]
            await trio.serve_listeners(self._serve, [listener], task_status=task_status)

    def close(self) -> None:
        """Close the proxy and its connections."""
        self._whole.cancel("route closed")

    def restrict(self, guard: Guard) -> None:
        """Replace the guard, and end the connections that the new guard refuses."""
        self.guard = guard
        for scope, (host, port) in self._open.items():
            if guard.refuses(host, port):
                scope.cancel("refused now")

    async def _serve(self, client: trio.SocketStream) -> None:
        """Serve one connection; failures do not affect others."""
        try:
            with suppress(trio.BrokenResourceError, trio.TooSlowError, SocksError):
                with trio.fail_after(_GREETING_WITHIN):
                    host, port = await _read_request(client)
                with trio.CancelScope() as scope:
                    self._open[scope] = host, port
                    try:
                        await self._forward(client, host, port)
                    finally:
                        del self._open[scope]
        except Exception:
            log.exception("connection failed")

    async def _forward(self, client: trio.SocketStream, host: str, port: int) -> None:
        try:
            upstream = await self.connect(host, port)
        except Forbidden:
            self.on_refusal(host, port)
            # with a list of hosts, refusals are usual and `requests` lists them
            level = log.warning if self.guard.only is None else log.info
            level("address refused", host=host, port=port)
            await client.send_all(_reply(_FORBIDDEN))
        except Unresolved:
            await client.send_all(_reply(_UNREACHABLE))
        except OSError:
            await client.send_all(_reply(_REFUSED))
        else:
            async with closing(upstream):
                await client.send_all(_reply(_DONE))
                await carry_both(client, upstream)

    async def connect(self, host: str, port: int) -> trio.abc.Stream:
        """Connect to a host; raises `Forbidden` and ``OSError``."""
        if self.guard.refuses(host, port):
            raise Forbidden("the address is not allowed")
        if self.upstream is not None and self.upstream.serves(host):
            with trio.move_on_after(_CONNECTED_WITHIN):
                return await self.upstream.connect(host, port)
            raise OSError("the upstream proxy did not answer in time")
        return await connect(self.guard, host, port)


@asynccontextmanager
async def open_egress(route: Route) -> AsyncGenerator[int]:
    """Run a route during the block; yield its port."""
    async with trio.open_nursery() as nursery:
        await nursery.start(route.run)
        yield route.port
        nursery.cancel_scope.cancel("closed")


def permitted(guard: Guard, address: str, *, is_allowed: bool) -> bool:
    """Return whether connecting to an address is allowed."""
    where = ip_address(address.partition("%")[0])
    return not guard.refuses_address(where) and (is_allowed or is_public(where))


async def _read_request(client: trio.SocketStream) -> tuple[str, int]:
    """Read the requested host and port."""
    version, methods = await _receive_exactly(client, 2)
    if version != _VERSION or _NO_AUTHENTICATION not in await _receive_exactly(client, methods):
        raise SocksError
    await client.send_all(bytes([_VERSION, _NO_AUTHENTICATION]))
    version, command, _, kind = await _receive_exactly(client, 4)
    if (version, command) != (_VERSION, _CONNECT):
        await client.send_all(_reply(_UNSUPPORTED))
        raise SocksError
    if kind == _NAME:
        (length,) = await _receive_exactly(client, 1)
        host = (await _receive_exactly(client, length)).decode("ascii", "replace").lower()
    elif kind in {_IPV4, _IPV6}:
        host = str(ip_address(await _receive_exactly(client, 4 if kind == _IPV4 else 16)))
    else:
        raise SocksError
    (port,) = struct.unpack("!H", await _receive_exactly(client, 2))
    return host, port


async def _receive_exactly(client: trio.SocketStream, count: int) -> bytes:
    data = b""
    while len(data) < count:
        if not (more := await client.receive_some(count - len(data))):
            raise SocksError
        data += more
    return data


async def connect(guard: Guard, host: str, port: int) -> trio.SocketStream:
    """Connect to the first allowed address; raises `Forbidden` and ``OSError``."""
    if guard.refuses(host, port):
        raise Forbidden("the address is not allowed")
    is_allowed = guard.allows(host)
    try:
        addresses = await resolved(host)
    except OSError as error:
        raise Unresolved(f"{host} has no address") from error
    targets = [address for address in addresses if permitted(guard, address, is_allowed=is_allowed)]
    if not targets:
        raise Forbidden("the address is not allowed")
    problem = OSError("not tried")
    with trio.move_on_after(_CONNECTED_WITHIN):
        for address in targets:
            seconds = math.inf if address == targets[-1] else _NEXT_ADDRESS_AFTER
            try:
                with trio.move_on_after(seconds):
                    return await trio.open_tcp_stream(address, port)
            except OSError as error:
                problem = error
    raise problem


async def carry_both(one: trio.abc.Stream, other: trio.abc.Stream) -> None:
    """Forward data in both directions until both sides have ended; TLS ends both at once."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_carry, one, other, nursery.cancel_scope)
        nursery.start_soon(_carry, other, one, nursery.cancel_scope)


async def _carry(source: trio.abc.Stream, sink: trio.abc.Stream, both: trio.CancelScope) -> None:
    with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        while data := await source.receive_some(_CHUNK):
            await sink.send_all(data)
        if isinstance(sink, trio.abc.HalfCloseableStream):
            await sink.send_eof()
            return
    both.cancel("one of them is gone")


def _reply(code: int) -> bytes:
    return bytes([_VERSION, code, 0, _IPV4]) + bytes(6)
