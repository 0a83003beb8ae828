"""CDP Network, Fetch, IO and Storage domains: requests, paused requests, streams, cookies."""

from typing import Any, Literal

import attrs

from charlotte.protocol.wire import CdpEvent, Command, Nothing, bare_command

OK = 200
"""The HTTP status of a usual response."""

EnableNetwork = bare_command("Network.enable")
DisableNetwork = bare_command("Network.disable")  # discards all bodies
DisableFetch = bare_command("Fetch.disable")  # continues paused requests


class EmulateNetworkConditions(Command[Nothing], method="Network.emulateNetworkConditions"):
    """Latency in ms, throughput in bytes per second; 0 and -1 mean no limit.

    ``packet_loss`` is a percentage of the packets of WebRTC.
    """

    offline: bool
    latency: float
    download_throughput: float
    upload_throughput: float
    packet_loss: float | None = None


@attrs.frozen
class MatchedConditions:
    """Conditions for the URLs of a pattern; an empty pattern is for all others."""

    url_pattern: str
    latency: float
    download_throughput: float
    upload_throughput: float
    offline: bool = False


class EmulateConditionsByRule(Command[Nothing], method="Network.emulateNetworkConditionsByRule"):
    """Latency and throughput by URL, as `EmulateNetworkConditions` for all of them."""

    matched_network_conditions: list[MatchedConditions]


class SetExtraHttpHeaders(Command[Nothing], method="Network.setExtraHTTPHeaders"):
    """Set headers that every request sends."""

    headers: dict[str, str]


class SetBypassServiceWorker(Command[Nothing], method="Network.setBypassServiceWorker"):
    """Bypass service workers."""

    bypass: bool


class DeleteCookies(Command[Nothing], method="Network.deleteCookies"):
    """Delete a cookie of the target's context."""

    name: str
    domain: str
    path: str
    partition_key: Any = None


@attrs.frozen
class PostDataEntry:
    """A part of a request body in base64; a part without ``bytes`` is a file."""

    bytes: str | None = None


@attrs.frozen
class NetworkRequest:
    """A request; ``post_data`` is absent if it is long, and corrupted if it is binary."""

    url: str
    method: str
    headers: dict[str, str] = attrs.field(factory=dict[str, str])
    has_post_data: bool = False
    post_data: str | None = None
    post_data_entries: list[PostDataEntry] = attrs.field(factory=list[PostDataEntry])


@attrs.frozen
class Response:
    """A response; ``timing`` in ms since its ``requestTime``, which is in seconds."""

    status: int
    status_text: str
    mime_type: str = ""
    headers: dict[str, str] = attrs.field(factory=dict[str, str])
    protocol: str | None = None
    timing: dict[str, float] | None = None
    from_disk_cache: bool = False
    from_service_worker: bool = False
    url: str = ""


class RequestWillBeSent(CdpEvent, method="Network.requestWillBeSent"):
    """A request starts, or continues after a redirect; ``wall_time`` in s since the epoch."""

    request_id: str
    loader_id: str
    request: NetworkRequest
    wall_time: float
    type: str = "Other"
    frame_id: str | None = None
    redirect_response: Response | None = None
    redirect_has_extra_info: bool | None = None
    timestamp: float = 0


class ResponseReceived(CdpEvent, method="Network.responseReceived"):
    """The status line and headers of a response arrived."""

    request_id: str
    loader_id: str
    type: str
    response: Response
    frame_id: str | None = None
    has_extra_info: bool | None = None


class RequestServedFromCache(CdpEvent, method="Network.requestServedFromCache"):
    """The response was served from the memory cache."""

    request_id: str


class RequestWillBeSentExtraInfo(CdpEvent, method="Network.requestWillBeSentExtraInfo"):
    """The headers that were sent; can arrive before `RequestWillBeSent`."""

    request_id: str
    headers: dict[str, str]


class ResponseReceivedExtraInfo(CdpEvent, method="Network.responseReceivedExtraInfo"):
    """The headers that were received; can arrive before `ResponseReceived`."""

    request_id: str
    headers: dict[str, str]


class DataReceived(CdpEvent, method="Network.dataReceived"):
    """A part of the response body arrived; sizes in bytes."""

    request_id: str
    data_length: int = 0


class LoadingFinished(CdpEvent, method="Network.loadingFinished"):
    """The response body is complete; ``timestamp`` in seconds of the browser's clock."""

    request_id: str
    timestamp: float = 0
    encoded_data_length: float = 0


class LoadingFailed(CdpEvent, method="Network.loadingFailed"):
    """A request failed before its response was complete."""

    request_id: str
    type: str
    error_text: str
    blocked_reason: str | None = None
    timestamp: float = 0


@attrs.frozen
class Body:
    """The body of a request or response."""

    body: str
    base64_encoded: bool


class GetResponseBody(Command[Body], method="Network.getResponseBody"):
    """Get the body of a response; available while its document exists."""

    request_id: str


@attrs.frozen
class PostData:
    """The body of a request, in full."""

    post_data: str
    base64_encoded: bool = False


class GetRequestPostData(Command[PostData], method="Network.getRequestPostData"):
    """Get the body of a request whose event did not contain it."""

    request_id: str


@attrs.frozen
class Handshake:
    """The request that opens a WebSocket."""

    headers: dict[str, str] = attrs.field(factory=dict[str, str])


class WebSocketCreated(CdpEvent, method="Network.webSocketCreated"):
    """A script opened a WebSocket."""

    request_id: str
    url: str


class WebSocketHandshakeSent(CdpEvent, method="Network.webSocketWillSendHandshakeRequest"):
    """A WebSocket asks the server to be opened; ``wall_time`` in s since the epoch."""

    request_id: str
    timestamp: float
    wall_time: float
    request: Handshake


class WebSocketOpened(CdpEvent, method="Network.webSocketHandshakeResponseReceived"):
    """The server answered the opening of a WebSocket."""

    request_id: str
    response: Response


class WebSocketFailed(CdpEvent, method="Network.webSocketFrameError"):
    """A WebSocket could not be opened, or got a malformed frame."""

    request_id: str
    error_message: str


class WebSocketClosed(CdpEvent, method="Network.webSocketClosed"):
    """A WebSocket was closed or failed to open."""

    request_id: str
    timestamp: float = 0


@attrs.frozen
class WebSocketPayload:
    """A message on a WebSocket: text (opcode 1), or base64 of bytes."""

    payload_data: str
    opcode: int


class WebSocketFrameReceived(CdpEvent, method="Network.webSocketFrameReceived"):
    """A WebSocket message arrived; ``timestamp`` in seconds of the browser's clock."""

    request_id: str
    timestamp: float
    response: WebSocketPayload

    @property
    def length(self) -> int:
        """Its characters."""
        return len(self.response.payload_data)


class WebSocketFrameSent(WebSocketFrameReceived, method="Network.webSocketFrameSent"):
    """A WebSocket message was sent."""


class EventSourceMessageReceived(CdpEvent, method="Network.eventSourceMessageReceived"):
    """A server-sent event arrived; ``event_name`` is ``message`` if unset."""

    request_id: str
    timestamp: float
    data: str
    event_name: str = ""
    event_id: str = ""

    @property
    def length(self) -> int:
        """Its characters."""
        return len(self.data)


@attrs.frozen
class RequestPattern:
    """Requests to pause; in a URL pattern, ``*`` matches any text, ``?`` any character.

    The ``request_stage`` is ``Request``, the default, or ``Response``.
    """

    url_pattern: str
    resource_type: str | None = None
    request_stage: str | None = None


class EnableFetch(Command[Nothing], method="Fetch.enable"):
    """Pause matching requests, with ``handle_auth_requests`` also at a log-in, until continued."""

    patterns: list[RequestPattern]
    handle_auth_requests: bool = False


@attrs.frozen
class HeaderEntry:
    """A header of a response."""

    name: str
    value: str


class RequestPaused(CdpEvent, method="Fetch.requestPaused"):
    """A request was paused; for a document, ``network_id`` is its loader id.

    At its response, it has a ``response_status_code`` or a ``response_error_reason``.
    """

    request_id: str
    request: NetworkRequest
    resource_type: str = ""
    network_id: str | None = None
    frame_id: str = ""
    response_status_code: int | None = None
    response_error_reason: str | None = None
    response_headers: list[HeaderEntry] = attrs.field(factory=list[HeaderEntry])

    @property
    def has_response(self) -> bool:
        """Whether the request is paused at its response."""
        return self.response_status_code is not None or self.response_error_reason is not None


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


class TakeResponseBodyAsStream(
    Command[str], method="Fetch.takeResponseBodyAsStream", result="stream"
):
    """Take the body of a paused response, which cannot be continued then; returns a stream."""

    request_id: str


class FulfillRequest(Command[Nothing], method="Fetch.fulfillRequest"):
    """Answer a request with a response; the body is base64."""

    request_id: str
    response_code: int
    response_headers: list[HeaderEntry]
    body: str


SameSite = Literal["Strict", "Lax", "None"]


@attrs.frozen(kw_only=True)
class Cookie:
    """A cookie; ``expires`` in seconds since the epoch, -1 for a session cookie."""

    name: str
    value: str
    domain: str
    path: str = "/"
    expires: float = -1
    http_only: bool = False
    secure: bool = False
    same_site: SameSite | None = None
    partition_key: Any = None


class GetCookies(Command[list[Cookie]], method="Storage.getCookies", result="cookies"):
    """Get all cookies of a context."""

    browser_context_id: str | None = None


class SetCookies(Command[Nothing], method="Storage.setCookies"):
    """Set cookies in a context."""

    cookies: list[Cookie]
    browser_context_id: str | None = None


@attrs.frozen
class StreamPart:
    """A part of a stream of a body; ``eof`` is set at its end."""

    data: str
    eof: bool
    base64_encoded: bool = False


class ReadStream(Command[StreamPart], method="IO.read"):
    """Read at most ``size`` bytes of a stream."""

    handle: str
    size: int


class CloseStream(Command[Nothing], method="IO.close"):
    """Discard a stream."""

    handle: str
