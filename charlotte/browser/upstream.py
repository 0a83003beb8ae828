"""The proxy behind the egress proxy: that of ``--proxy-server``."""

import ssl
import struct
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

import attrs
import trio

from charlotte.redaction import Credential
from charlotte.urls import PROXY_PORTS, is_loopback, is_this_machine

_LONGEST_HEAD: Final = 16_384
_SOCKS_REPLY: Final = 4
_ADDRESS_LENGTHS: Final = {1: 4, 4: 16}


@attrs.frozen
class Upstream:
    """A proxy through which connections to other machines are opened; ``token`` is its login."""

    scheme: str
    host: str
    port: int
    token: str | None = attrs.field(default=None, repr=False)

    def serves(self, host: str) -> bool:
        """Return whether a host is reached through the proxy; this machine is not."""
        return not (is_loopback(host) or is_this_machine(host))

    async def connect(self, host: str, port: int) -> trio.abc.Stream:
        """Open a connection to a host, whose name the proxy resolves; raises ``OSError``."""
        stream: trio.abc.Stream = await trio.open_tcp_stream(self.host, self.port)
        try:
            if self.scheme == "https":
                tls = ssl.create_default_context()
                stream = trio.SSLStream(
                    stream, tls, server_hostname=self.host, https_compatible=True
                )
            ask = self._ask_socks if self.scheme == "socks5" else self._ask_http
            await ask(stream, host, port)
        except trio.BrokenResourceError as error:
            await trio.aclose_forcefully(stream)
            raise OSError("the upstream proxy closed the connection") from error
        except BaseException:
            await trio.aclose_forcefully(stream)
            raise
        return stream

    async def _ask_http(self, stream: trio.abc.Stream, host: str, port: int) -> None:
        target = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        login = f"Proxy-Authorization: Basic {self.token}\r\n" if self.token else ""
        await stream.send_all(
            f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n{login}\r\n".encode()
        )
        head = b""
        while not head.endswith(b"\r\n\r\n") and len(head) < _LONGEST_HEAD:
            head += await _receive(stream, 1)
        status = head.partition(b"\r\n")[0].decode("latin-1").split(" ", 2)[1:2]
        if status != ["200"]:
            raise OSError(f"the upstream proxy answered {' '.join(status) or 'no status'}")

    async def _ask_socks(self, stream: trio.abc.Stream, host: str, port: int) -> None:
        await stream.send_all(b"\5\1\0")
        if await _receive(stream, 2) != b"\5\0":
            raise OSError("the upstream proxy requires a login")
        name = host.encode()
        await stream.send_all(bytes([5, 1, 0, 3, len(name)]) + name + struct.pack("!H", port))
        _, code, _, kind = await _receive(stream, _SOCKS_REPLY)
        if code:
            raise OSError(f"the upstream proxy answered {code}")
        length = _ADDRESS_LENGTHS.get(kind) or (await _receive(stream, 1))[0]
        await _receive(stream, length + 2)


def read_upstream(address: str, credentials: Iterable[Credential]) -> Upstream:
    """Parse the URL of a proxy (see `charlotte.urls.is_proxy`), and find its login."""
    parts = urlsplit(address)
    token = next((one.token for one in credentials if one.is_for_proxy), None)
    port = parts.port or PROXY_PORTS[parts.scheme]
    return Upstream(parts.scheme, parts.hostname or "", port, token)


async def _receive(stream: trio.abc.Stream, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = await stream.receive_some(count - len(data))
        if not more:
            raise OSError("the upstream proxy closed the connection")
        data += more
    return data
