"""Guard against DNS rebinding: accepts only requests for the names of this server.

A web page can make a browser on this machine send requests to this server: under a foreign name
that resolves to its address (visible in the Host header), or from the page's own origin (visible in
the Origin header).
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
class HostNames:
    """The allowed hosts; with ``addresses``, any IP address too."""

    known: frozenset[str]
    addresses: bool
    public: frozenset[str] = frozenset()
    """Names that a proxy may serve on any port."""

    def allows(self, host: str | None) -> bool:
        """Return whether a host is allowed. An IP address cannot be rebound."""
        if host in self.known:
            return True
        with suppress(ValueError):
            return self.addresses and bool(ip_address(host or ""))
        return False

    def allows_origin(self, origin: str, host: str) -> bool:
        """Return whether pages of an origin may send requests to a host: same server and port."""
        with suppress(ValueError):
            theirs, ours = urlsplit(origin), urlsplit(f"//{host}")
            if theirs.hostname in self.public:
                return True
            default = _PORTS.get(theirs.scheme)
            is_same = theirs.hostname == ours.hostname or theirs.hostname in self.known
            return is_same and (theirs.port or default) == (ours.port or default)
        return False


def build_host_names(config: Config) -> HostNames:
    """Return the names of the configured server."""
    local = is_loopback(config.host)
    known = {config.host.lower(), *(name.lower() for name in config.server_name), *_LOOPBACK}
    public = frozenset(name.lower() for name in config.server_name) - _LOOPBACK
    return HostNames(frozenset(known), addresses=not local, public=public)


@attrs.frozen
class HostGuard:
    """ASGI middleware: answers 421 to a foreign Host and 403 to a foreign Origin.

    A request whose length is ambiguous gets a 400 before these checks, and its connection closes.
    """

    _app: ASGIApp
    _names: HostNames

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the request, or refuse it."""
        if scope["type"] == "http" and (refusal := self._find_refusal(scope)):
            await refusal(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _find_refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        if "transfer-encoding" in headers and "content-length" in headers:
            # RFC 9112, section 6.1: a proxy may have parsed another length.
            text = "A request must not have both Content-Length and Transfer-Encoding."
            return PlainTextResponse(text, 400, {"connection": "close"})
        hosts = [_hostname(f"//{host}") for host in headers.getlist("host")]
        if len(hosts) != 1 or not self._names.allows(hosts[0]):
            return _refuse(scope, 421, "Host", headers.get("host"))
        origin = headers.get("origin")
        if origin is not None and not self._names.allows_origin(origin, headers["host"]):
            return _refuse(scope, 403, "Origin", origin)
        return None


def _refuse(scope: Scope, status: int, header: str, value: str | None) -> PlainTextResponse:
    log.warning("request refused", reason=f"foreign {header}", value=value, client=scope["client"])
    advice = "If it is a name of this server, add it with --server-name."
    return PlainTextResponse(f"{header} {value!r} is not allowed. {advice}", status)


def _hostname(url: str) -> str | None:
    with suppress(ValueError):
        return urlsplit(url).hostname
    return None
