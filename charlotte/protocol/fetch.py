"""CDP Fetch domain: what we use of it."""

from typing import ClassVar

import attrs

from charlotte.protocol.network import Request
from charlotte.protocol.wire import Command, Event, Nothing


@attrs.frozen
class Pattern:
    """Requests to pause; in a URL pattern, ``*`` matches any text, ``?`` any character."""

    url_pattern: str
    resource_type: str | None = None


@attrs.frozen(kw_only=True)
class Enable(Command[Nothing]):
    """Pause matching requests until a command continues or ends them.

    With ``handle_auth_requests`` also where they are asked to log in.
    """

    method = "Fetch.enable"
    patterns: list[Pattern]
    handle_auth_requests: bool = False


@attrs.frozen(kw_only=True)
class Disable(Command[Nothing]):
    """Stop pausing requests, and continue paused ones."""

    method = "Fetch.disable"


@attrs.frozen
class RequestPaused(Event):
    """A request was paused; for a document, ``network_id`` is its loader id."""

    method: ClassVar[str] = "Fetch.requestPaused"
    request_id: str
    request: Request
    resource_type: str = ""
    network_id: str | None = None


@attrs.frozen
class AuthChallenge:
    """The origin of an authentication challenge: a server or a proxy."""

    origin: str
    source: str = "Server"


@attrs.frozen
class AuthRequired(Event):
    """A paused request got an authentication challenge; again, if credentials were refused."""

    method: ClassVar[str] = "Fetch.authRequired"
    request_id: str
    request: Request
    auth_challenge: AuthChallenge


@attrs.frozen
class AuthChallengeResponse:
    """The answer: ``ProvideCredentials``, or ``CancelAuth`` to continue without credentials."""

    response: str
    username: str | None = attrs.field(default=None, repr=False)
    password: str | None = attrs.field(default=None, repr=False)


@attrs.frozen(kw_only=True)
class ContinueWithAuth(Command[Nothing]):
    """Answer an authentication challenge."""

    method = "Fetch.continueWithAuth"
    request_id: str
    auth_challenge_response: AuthChallengeResponse


@attrs.frozen(kw_only=True)
class ContinueRequest(Command[Nothing]):
    """Continue a request unchanged."""

    method = "Fetch.continueRequest"
    request_id: str


@attrs.frozen(kw_only=True)
class FailRequest(Command[Nothing]):
    """Fail a request with an ``error_reason`` such as ``BlockedByClient``."""

    method = "Fetch.failRequest"
    request_id: str
    error_reason: str


@attrs.frozen
class HeaderEntry:
    """A header of a response."""

    name: str
    value: str


@attrs.frozen(kw_only=True)
class FulfillRequest(Command[Nothing]):
    """Answer a request with a response; the body is base64."""

    method = "Fetch.fulfillRequest"
    request_id: str
    response_code: int
    response_headers: list[HeaderEntry]
    body: str
