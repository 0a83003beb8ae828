"""Who a request is from, and which session it names."""

from typing import Any

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, authorization_context
from mcp.server.auth.provider import AccessToken
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.requests import HTTPConnection

from charlotte.errors import InvalidArgument
from charlotte.server.content import SESSION_KEY
from charlotte.server.visits import Context

Caller = tuple[str | None, ...]
"""Client, issuer and subject of a token; nothing where no token is wanted."""

CONNECTION_HEADER = "mcp-session-id"
PARAMETER = "session"


def caller_of(request: HTTPConnection | None) -> Caller:
    """Whom the request's token was given to."""
    user = request.scope.get("user") if request else None
    if not isinstance(user, AuthenticatedUser):
        return ()
    known = authorization_context(user)
    return known["client_id"], known["issuer"], known["subject"]


def user_of(token: AccessToken) -> AuthenticatedUser:
    """What the SDK knows a caller by."""
    return AuthenticatedUser(token)


def is_stateless(context: Context) -> bool:
    """Whether the client speaks the protocol in which nothing but a name makes a session."""
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS


def connection_of(context: Context) -> str:
    """The id that the SDK has given to the client's connection."""
    connection: str = context.request.headers[CONNECTION_HEADER] if context.request else ""
    return connection


def named(context: Context, arguments: dict[str, Any]) -> str | None:
    """The session that a call names; its name is taken out of the arguments.

    Raises `InvalidArgument`.
    """
    name = arguments.pop(PARAMETER, None)
    if name is None and context.meta is not None:
        name = context.meta.get(SESSION_KEY)
    if name is not None and not isinstance(name, str):
        raise InvalidArgument("session is a text.", "Give it as it was given to you.")
    return name or None
