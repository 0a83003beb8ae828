"""Lets in only requests that were meant for this server: the guard against DNS rebinding.

A page on the web can have a browser on this machine send requests here: under a foreign name that
resolves to our address (which the Host header tells), or openly from its own origin (which the
Origin header tells).
"""

from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

import attrs
import structlog
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from charlotte.config import Config
from charlotte.urls import is_loopback

_PORTS = {"http": 80, "https": 443}
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

log = structlog.get_logger(__name__)


@attrs.frozen
class Names:
    """The hosts by which this server may be asked for; with ``addresses``, any IP address too."""

    known: frozenset[str]
    addresses: bool
    public: frozenset[str] = frozenset()
    """Names that a proxy may serve on any port."""

    def has(self, host: str | None) -> bool:
        """Whether it is one of them. An address cannot be rebound to another."""
        return host in self.known or (self.addresses and _is_address(host))

    def is_own(self, origin: str, host: str) -> bool:
        """Whether a page of an origin may ask for a host: the same server, at the same port."""
        with suppress(ValueError):
            theirs, ours = urlsplit(origin), urlsplit(f"//{host}")
            if theirs.hostname in self.public:
                return True
            usual = _PORTS.get(theirs.scheme)
            is_same = theirs.hostname == ours.hostname or theirs.hostname in self.known
            return is_same and (theirs.port or usual) == (ours.port or usual)
        return False


def names_of(config: Config) -> Names:
    """By which names the configured server is reached."""
    local = is_loopback(config.host)
    known = {config.host.lower(), *(name.lower() for name in config.server_name), *_LOOPBACK}
    public = frozenset(name.lower() for name in config.server_name) - _LOOPBACK
    return Names(frozenset(known), addresses=not local, public=public)


@attrs.frozen
class Gate:
    """ASGI middleware; answers 421 to a foreign Host and 403 to a foreign Origin.

    Before that, a request whose end is uncertain gets a 400, and its connection is closed.
    """

    _app: ASGIApp
    _names: Names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the request, or refuse it."""
        if scope["type"] == "http" and (refusal := self._refusal(scope)):
            await refusal(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        if "transfer-encoding" in headers and "content-length" in headers:
            # RFC 9112, section 6.1: a proxy may have seen another end of the request.
            text = "A request has either Content-Length or Transfer-Encoding."
            return PlainTextResponse(text, 400, {"connection": "close"})
        hosts = [_host(f"//{host}") for host in headers.getlist("host")]
        if len(hosts) != 1 or not self._names.has(hosts[0]):
            return _refuse(scope, 421, "Host", headers.get("host"))
        origin = headers.get("origin")
        if origin is not None and not self._names.is_own(origin, headers["host"]):
            return _refuse(scope, 403, "Origin", origin)
        return None


def _refuse(scope: Scope, status: int, header: str, value: str | None) -> PlainTextResponse:
    log.warning("request refused", reason=f"foreign {header}", value=value, client=scope["client"])
    advice = "charlotte --server-name says which names are its own."
    return PlainTextResponse(f"{header} {value!r} is foreign to this server. {advice}", status)


def _host(url: str) -> str | None:
    with suppress(ValueError):
        return urlsplit(url).hostname
    return None


def _is_address(host: str | None) -> bool:
    with suppress(ValueError):
        return bool(ip_address(host or ""))
    return False
