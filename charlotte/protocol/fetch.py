"""CDP Fetch domain: requests that are paused, answered or refused."""

import attrs

from charlotte.protocol.network import NetworkRequest
from charlotte.protocol.wire import CdpEvent, Command, Nothing


@attrs.frozen
class RequestPattern:
    """Requests to pause; in a URL pattern, ``*`` matches any text, ``?`` any character."""

    url_pattern: str
    resource_type: str | None = None


class EnableFetch(Command[Nothing], method="Fetch.enable"):
    """Pause matching requests until a command continues or ends them.

    With ``handle_auth_requests`` also where they are asked to log in.
    """

    patterns: list[RequestPattern]
    handle_auth_requests: bool = False


class DisableFetch(Command[Nothing], method="Fetch.disable"):
    """Stop pausing requests, and continue paused ones."""


class RequestPaused(CdpEvent, method="Fetch.requestPaused"):
    """A request was paused; for a document, ``network_id`` is its loader id."""

    request_id: str
    request: NetworkRequest
    resource_type: str = ""
    network_id: str | None = None


@attrs.frozen
class AuthChallenge:
    """The origin of an authentication challenge: a server or a proxy."""

    origin: str
    source: str = "Server"


class AuthRequired(CdpEvent, method="Fetch.authRequired"):
    """A paused request got an authentication challenge; again, if credentials were refused."""

    request_id: str
    request: NetworkRequest
    auth_challenge: AuthChallenge


@attrs.frozen
class AuthChallengeResponse:
    """The answer: ``ProvideCredentials``, or ``CancelAuth`` to continue without credentials."""

    response: str
    username: str | None = attrs.field(default=None, repr=False)
    password: str | None = attrs.field(default=None, repr=False)


class ContinueWithAuth(Command[Nothing], method="Fetch.continueWithAuth"):
    """Answer an authentication challenge."""

    request_id: str
    auth_challenge_response: AuthChallengeResponse


class ContinueRequest(Command[Nothing], method="Fetch.continueRequest"):
    """Continue a request unchanged."""

    request_id: str


class FailRequest(Command[Nothing], method="Fetch.failRequest"):
    """Fail a request with an ``error_reason`` such as ``BlockedByClient``."""

    request_id: str
    error_reason: str


@attrs.frozen
class HeaderEntry:
    """A header of a response."""

    name: str
    value: str


class FulfillRequest(Command[Nothing], method="Fetch.fulfillRequest"):
    """Answer a request with a response; the body is base64."""

    request_id: str
    response_code: int
    response_headers: list[HeaderEntry]
    body: str
