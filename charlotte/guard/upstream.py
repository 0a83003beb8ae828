"""The proxy behind the egress proxy: that of ``--proxy-server``."""

import ssl
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

import attrs
import trio

from charlotte.base.urls import PROXY_PORTS, is_loopback, is_this_machine
from charlotte.secrets.redaction import Credential


@attrs.frozen
class Upstream:
    """A proxy through which connections to other machines are opened."""

    scheme: str
    host: str
    port: int
    login: Credential | None = None

    def serves(self, host: str) -> bool:
        """Return whether a host is reached through the proxy; this machine is not."""
        return not (is_loopback(host) or is_this_machine(host))

    async def connect(self, host: str, port: int) -> trio.abc.Stream:
        """Open a connection to a host, whose name the proxy resolves; raises ``OSError``."""
        # few servers have such a proxy
        from python_socks import ProxyError, ProxyType  # noqa: PLC0415
        from python_socks.async_.trio.v2 import Proxy  # noqa: PLC0415

        proxy = Proxy(
            ProxyType.SOCKS5 if self.scheme == "socks5" else ProxyType.HTTP,
            self.host,
            self.port,
            username=_as_utf8(self.login.username) if self.login else None,
            password=_as_utf8(self.login.password) if self.login else None,
            proxy_ssl=ssl.create_default_context() if self.scheme == "https" else None,
        )
        try:
            connection: Any = await proxy.connect(host, port)
        except (ProxyError, trio.BrokenResourceError) as error:
            raise OSError(f"the upstream proxy opened no connection: {error}") from error
        stream: trio.abc.Stream = connection.trio_stream
        return stream


def read_upstream(address: str, credentials: Iterable[Credential]) -> Upstream:
    """Parse the URL of a proxy (see `charlotte.base.urls.is_proxy`), and find its login."""
    parts = urlsplit(address)
    login = next((one for one in credentials if one.is_for_proxy), None)
    port = parts.port or PROXY_PORTS[parts.scheme]
    return Upstream(parts.scheme, parts.hostname or "", port, login)


def _as_utf8(text: str) -> str:
    """Return a text whose bytes in Latin-1, which python-socks sends, are UTF-8."""
    return text.encode().decode("latin-1")
