"""Access over HTTP: tokens, and a guard against requests of foreign web pages.

Charlotte issues no tokens. A client without a valid token is referred to metadata (RFC 9728) that
names the OAuth server. That server signs a JWT for the audience of this one.

A web page can make a browser on this machine send requests to this server: under a foreign name
that resolves to its address (DNS rebinding, visible in the Host header), or from the page's own
origin (visible in the Origin header).
"""

import hmac
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address
from typing import cast
from urllib.parse import urlsplit

import attrs
import httpx2
import jwt
import structlog
import trio
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, authorization_context
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.routes import build_resource_metadata_url, create_protected_resource_routes
from pydantic import AnyHttpUrl
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from charlotte.base.errors import ellipsize
from charlotte.base.urls import is_loopback
from charlotte.config.config import Config

Caller = tuple[str | None, ...]
"""Client, issuer and subject of a token; empty if the server requires no token."""

_SCHEME = "bearer "
_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"]
_REQUIRED = ["exp", "iss", "aud", "sub"]
_DISCOVERY = "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"
_FETCH_INTERVAL = 60.0
_FETCH_TIMEOUT = 10.0
_FAILURES = jwt.PyJWTError, httpx2.HTTPError, trio.TooSlowError

_PORTS = {"http": 80, "https": 443}
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

log = structlog.get_logger(__name__)


def get_caller(request: HTTPConnection | None) -> Caller:
    """Return the owner of the token of a request."""
    user = request.scope.get("user") if request else None
    if not isinstance(user, AuthenticatedUser):
        return ()
    owner = authorization_context(user)
    return owner["client_id"], owner["issuer"], owner["subject"]


@attrs.frozen
class BearerAuth:
    """ASGI middleware that sets the user of a request to the owner of its token.

    A request whose token no verifier accepts gets a 401, with ``challenge`` in its headers.
    Without ``verifiers``, no token is required.
    """

    _app: ASGIApp
    _verifiers: Sequence[TokenVerifier] | None
    _challenge: str = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the request, or refuse it."""
        if self._verifiers is None:
            await self._app(scope, receive, send)
            return
        value = Headers(scope=scope).get("authorization", "")
        token = value[len(_SCHEME) :].strip() if value.lower().startswith(_SCHEME) else None
        for verifier in self._verifiers if token else ():
            if access := await verifier.verify_token(token or ""):
                await self._app({**scope, "user": AuthenticatedUser(access)}, receive, send)
                return
        reason = "wrong token" if token else "no token"
        log.warning("request refused", reason=reason, path=scope["path"], client=scope["client"])
        challenge = ['error="invalid_token"'] if token else []
        if self._challenge:
            challenge.append(self._challenge)
        refusal = JSONResponse(
            {"error": "invalid_token", "error_description": f"Refused: {reason}."},
            401,
            {"www-authenticate": " ".join(["Bearer", ", ".join(challenge)]).strip()},
        )
        await refusal(scope, receive, send)


@attrs.frozen
class SharedToken(TokenVerifier):
    """One token for all clients, which share one caller."""

    _token: str = attrs.field(repr=False)

    async def verify_token(self, token: str) -> AccessToken | None:
        """Compare in constant time, and bytes, because headers are decoded as Latin-1."""
        if not hmac.compare_digest(token.encode("latin-1", "replace"), self._token.encode()):
            return None
        return AccessToken(token="", client_id="token", scopes=[])


@attrs.define(eq=False)
class OAuthIssuer(TokenVerifier):
    """The tokens of one OAuth server; a token with an unknown key makes it fetch the keys."""

    url: str
    audience: str
    _keys: dict[str | None, jwt.PyJWK] = attrs.field(factory=dict[str | None, jwt.PyJWK])
    _fetched: float = float("-inf")
    _turn: trio.Lock = attrs.field(factory=trio.Lock)

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return the owner of a token; None if the token is not valid for this server."""
        try:
            key = await self._get_key(jwt.get_unverified_header(token).get("kid"))
            claims = jwt.decode(
                token,
                key,
                algorithms=_ALGORITHMS,
                audience=self.audience,
                issuer=self.url,
                options={"require": _REQUIRED},
            )
        except (*_FAILURES, LookupError, ValueError) as error:
            log.info("token not accepted", issuer=self.url, error=ellipsize(repr(error), 300))
            return None
        return AccessToken(
            token="",
            client_id=str(claims.get("client_id") or claims.get("azp") or claims["sub"]),
            scopes=str(claims.get("scope", "")).split(),
            expires_at=int(claims["exp"]),
            subject=str(claims["sub"]),
            claims={"iss": claims["iss"]},
        )

    async def _get_key(self, name: str | None) -> jwt.PyJWK:
        """Return a key; only tokens with unknown keys wait for a fetch.

        Any client can name an unknown key, so keys are fetched once a minute at most.
        """
        if name not in self._keys:
            async with self._turn:
                if name not in self._keys and trio.current_time() > self._fetched + _FETCH_INTERVAL:
                    self._fetched = trio.current_time()
                    with trio.fail_after(_FETCH_TIMEOUT):
                        self._keys = await self._fetch()
        return self._keys[name]

    async def _fetch(self) -> dict[str | None, jwt.PyJWK]:
        async with httpx2.AsyncClient(timeout=_FETCH_TIMEOUT) as http:
            responses = [await http.get(self.url.rstrip("/") + path) for path in _DISCOVERY]
            metadata = next((each for each in responses if each.is_success), responses[0])
            address = cast("str", metadata.raise_for_status().json()["jwks_uri"])
            keys = (await http.get(address)).raise_for_status().json()
        return {key.key_id: key for key in jwt.PyJWKSet.from_dict(keys).keys}


def build_verifiers(config: Config) -> list[TokenVerifier] | None:
    """Return the verifiers of tokens; None if the server requires no token."""
    verifiers: list[TokenVerifier] = []
    if config.auth_token:
        verifiers.append(SharedToken(config.auth_token))
    if config.oauth_issuer and config.oauth_audience:
        verifiers.append(OAuthIssuer(config.oauth_issuer, config.oauth_audience))
    return verifiers or None


def build_metadata(config: Config) -> tuple[str, list[Route]]:
    """Return the routes of the metadata of the OAuth server, and a challenge that names them."""
    if not (config.oauth_issuer and config.oauth_audience):
        return "", []
    audience = AnyHttpUrl(config.oauth_audience)
    routes = create_protected_resource_routes(
        resource_url=audience, authorization_servers=[AnyHttpUrl(config.oauth_issuer)]
    )
    return f'resource_metadata="{build_resource_metadata_url(audience)}"', routes


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
        refusal = self._find_refusal(scope) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send)

    def _find_refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        if "transfer-encoding" in headers and "content-length" in headers:
            # RFC 9112, section 6.1: a proxy may have parsed another length.
            text = "A request must not have both Content-Length and Transfer-Encoding."
            return PlainTextResponse(text, 400, {"connection": "close"})
        hosts = [_hostname(host) for host in headers.getlist("host")]
        if len(hosts) != 1 or not self._names.allows(hosts[0]):
            return _refuse(scope, 421, "Host", headers.get("host"))
        for origin in headers.getlist("origin"):
            if not self._names.allows_origin(origin, headers["host"]):
                return _refuse(scope, 403, "Origin", origin)
        return None


def _refuse(scope: Scope, status: int, header: str, value: str | None) -> PlainTextResponse:
    log.warning("request refused", reason=f"foreign {header}", value=value, client=scope["client"])
    advice = "If it is a name of this server, add it with --server-name."
    return PlainTextResponse(f"{header} {value!r} is not allowed. {advice}", status)


def _hostname(host: str) -> str | None:
    """Return the name in a Host header, in lower case; None if it is anything but host and port."""
    with suppress(ValueError):
        parts = urlsplit(f"//{host}")
        name, _ = parts.hostname, parts.port  # a wrong port raises ValueError
        return name if parts.netloc == host and "@" not in host else None
    return None
