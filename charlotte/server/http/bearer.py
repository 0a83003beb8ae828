"""Lets in only those who show the token."""

import hmac

import attrs
import structlog
from mcp.server.auth.provider import AccessToken, TokenVerifier
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from charlotte.server.http.callers import user_of

_SCHEME = "bearer "

log = structlog.get_logger(__name__)


@attrs.frozen
class SharedToken(TokenVerifier):
    """One token for all clients, which are one caller then."""

    _token: str = attrs.field(repr=False)

    async def verify_token(self, token: str) -> AccessToken | None:
        """Compare in constant time, and the bytes: headers are read as Latin-1."""
        if not hmac.compare_digest(token.encode("latin-1", "replace"), self._token.encode()):
            return None
        return AccessToken(token="", client_id="token", scopes=[])


@attrs.frozen
class Bearer:
    """ASGI middleware; the user of a request is whom its token was given to, else it gets a 401.

    ``challenge`` is added to what a refusal asks for.
    """

    _app: ASGIApp
    _verifier: TokenVerifier | None
    _challenge: str = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the request, or refuse it."""
        if self._verifier is None:
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get("authorization", "")
        token = given[len(_SCHEME) :].strip() if given.lower().startswith(_SCHEME) else None
        access = await self._verifier.verify_token(token) if token else None
        if access is None:
            await self._refusal(scope, has_token=bool(token))(scope, receive, send)
        else:
            await self._app({**scope, "user": user_of(access)}, receive, send)

    def _refusal(self, scope: Scope, *, has_token: bool) -> JSONResponse:
        reason = "wrong token" if has_token else "no token"
        log.warning("request refused", reason=reason, path=scope["path"], client=scope["client"])
        challenge = ['error="invalid_token"'] if has_token else []
        if self._challenge:
            challenge.append(self._challenge)
        return JSONResponse(
            {"error": "invalid_token", "error_description": f"Refused: {reason}."},
            401,
            {"www-authenticate": " ".join(["Bearer", ", ".join(challenge)]).strip()},
        )
