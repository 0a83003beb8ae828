"""CDP Fetch domain: what we use of it."""

from typing import ClassVar

import attrs

from charlotte.protocol.network import Request
from charlotte.protocol.wire import Command, Event, Nothing


@attrs.frozen
class Pattern:
    """Which requests to hold: ``*`` in a URL is any text, ``?`` any character."""

    url_pattern: str
    resource_type: str | None = None


@attrs.frozen(kw_only=True)
class Enable(Command[Nothing]):
    """Hold requests that match, until they are told how to go on.

    With ``handle_auth_requests`` also where they are asked to log in.
    """

    method = "Fetch.enable"
    patterns: list[Pattern]
    handle_auth_requests: bool = False


@attrs.frozen(kw_only=True)
class Disable(Command[Nothing]):
    """Hold nothing, and let go what is held."""

    method = "Fetch.disable"


@attrs.frozen
class RequestPaused(Event):
    """A request is held; ``network_id`` of one for a document is the id of its loader."""

    method: ClassVar[str] = "Fetch.requestPaused"
    request_id: str
    request: Request
    resource_type: str = ""
    network_id: str | None = None


@attrs.frozen
class AuthChallenge:
    """Who asks to log in: a server, or a proxy under its own ``origin``."""

    origin: str
    source: str = "Server"


@attrs.frozen
class AuthRequired(Event):
    """A held request is asked to log in; again, if what was shown was not taken."""

    method: ClassVar[str] = "Fetch.authRequired"
    request_id: str
    request: Request
    auth_challenge: AuthChallenge


@attrs.frozen
class AuthChallengeResponse:
    """What is answered: ``ProvideCredentials``, or ``CancelAuth`` to go on without."""

    response: str
    username: str | None = attrs.field(default=None, repr=False)
    password: str | None = attrs.field(default=None, repr=False)


@attrs.frozen(kw_only=True)
class ContinueWithAuth(Command[Nothing]):
    """Let a request that was asked to log in go on."""

    method = "Fetch.continueWithAuth"
    request_id: str
    auth_challenge_response: AuthChallengeResponse


@attrs.frozen(kw_only=True)
class ContinueRequest(Command[Nothing]):
    """Let a request go on as it is."""

    method = "Fetch.continueRequest"
    request_id: str


@attrs.frozen(kw_only=True)
class FailRequest(Command[Nothing]):
    """End a request; ``error_reason`` as ``BlockedByClient``."""

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
    """Answer a request; the body in base64."""

    method = "Fetch.fulfillRequest"
    request_id: str
    response_code: int
    response_headers: list[HeaderEntry]
    body: str
