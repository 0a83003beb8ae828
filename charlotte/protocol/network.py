"""CDP Network domain: what we use of it."""

from typing import Any, ClassVar

import attrs

from charlotte.protocol.wire import Command, Event, Length, Nothing


@attrs.frozen(kw_only=True)
class Enable(Command[Nothing]):
    """Report network events."""

    method = "Network.enable"


@attrs.frozen(kw_only=True)
class Disable(Command[Nothing]):
    """Stop reporting network events, and discard all bodies."""

    method = "Network.disable"


@attrs.frozen(kw_only=True)
class EmulateNetworkConditions(Command[Nothing]):
    """Latency in ms, throughput in bytes per second; 0 and -1 mean no limit."""

    method = "Network.emulateNetworkConditions"
    offline: bool
    latency: float
    download_throughput: float
    upload_throughput: float


@attrs.frozen(kw_only=True)
class SetExtraHttpHeaders(Command[Nothing]):
    """Set headers that every request sends."""

    method = "Network.setExtraHTTPHeaders"
    headers: dict[str, str]


@attrs.frozen(kw_only=True)
class SetBypassServiceWorker(Command[Nothing]):
    """Bypass service workers."""

    method = "Network.setBypassServiceWorker"
    bypass: bool


@attrs.frozen(kw_only=True)
class DeleteCookies(Command[Nothing]):
    """Delete a cookie of the target's context."""

    method = "Network.deleteCookies"
    name: str
    domain: str
    path: str
    partition_key: Any = None


@attrs.frozen
class PostDataEntry:
    """A part of a request body in base64; a part without ``bytes`` is a file."""

    bytes: str | None = None


@attrs.frozen
class Request:
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


@attrs.frozen
class RequestWillBeSent(Event):
    """A request starts, or continues after a redirect; ``wall_time`` in s since the epoch."""

    method: ClassVar[str] = "Network.requestWillBeSent"
    request_id: str
    loader_id: str
    request: Request
    wall_time: float
    type: str = "Other"
    frame_id: str | None = None
    redirect_response: Response | None = None
    redirect_has_extra_info: bool | None = None
    timestamp: float = 0


@attrs.frozen
class ResponseReceived(Event):
    """The status line and headers of a response arrived."""

    method: ClassVar[str] = "Network.responseReceived"
    request_id: str
    loader_id: str
    type: str
    response: Response
    frame_id: str | None = None
    has_extra_info: bool | None = None


@attrs.frozen
class RequestServedFromCache(Event):
    """The response was served from the memory cache."""

    method: ClassVar[str] = "Network.requestServedFromCache"
    request_id: str


@attrs.frozen
class RequestWillBeSentExtraInfo(Event):
    """The headers that were sent; can arrive before `RequestWillBeSent`."""

    method: ClassVar[str] = "Network.requestWillBeSentExtraInfo"
    request_id: str
    headers: dict[str, str]


@attrs.frozen
class ResponseReceivedExtraInfo(Event):
    """The headers that were received; can arrive before `ResponseReceived`."""

    method: ClassVar[str] = "Network.responseReceivedExtraInfo"
    request_id: str
    headers: dict[str, str]


@attrs.frozen
class DataReceived(Event):
    """A part of the response body arrived; sizes in bytes."""

    method: ClassVar[str] = "Network.dataReceived"
    request_id: str
    data_length: int = 0


@attrs.frozen
class LoadingFinished(Event):
    """The response body is complete; ``timestamp`` in seconds of the browser's clock."""

    method: ClassVar[str] = "Network.loadingFinished"
    request_id: str
    timestamp: float = 0
    encoded_data_length: float = 0


@attrs.frozen
class LoadingFailed(Event):
    """A request failed before its response was complete."""

    method: ClassVar[str] = "Network.loadingFailed"
    request_id: str
    type: str
    error_text: str
    canceled: bool = False
    blocked_reason: str | None = None


@attrs.frozen
class Body:
    """The body of a request or response."""

    body: str
    base64_encoded: bool


@attrs.frozen(kw_only=True)
class GetResponseBody(Command[Body]):
    """Get the body of a response; available while its document exists."""

    method = "Network.getResponseBody"
    request_id: str


@attrs.frozen
class PostData:
    """The body of a request, in full."""

    post_data: str
    base64_encoded: bool = False


@attrs.frozen(kw_only=True)
class GetRequestPostData(Command[PostData]):
    """Get the body of a request whose event did not contain it."""

    method = "Network.getRequestPostData"
    request_id: str


@attrs.frozen
class WebSocketCreated(Event):
    """A script opened a WebSocket."""

    method: ClassVar[str] = "Network.webSocketCreated"
    request_id: str
    url: str


@attrs.frozen
class WebSocketClosed(Event):
    """A WebSocket was closed or failed to open."""

    method: ClassVar[str] = "Network.webSocketClosed"
    request_id: str


@attrs.frozen
class WebSocketFrame:
    """A message on a WebSocket."""

    payload_data: Length


@attrs.frozen
class WebSocketFrameReceived(Event):
    """A WebSocket message arrived; ``timestamp`` in seconds of the browser's clock."""

    method: ClassVar[str] = "Network.webSocketFrameReceived"
    timestamp: float
    response: WebSocketFrame

    @property
    def length(self) -> int:
        """Its characters."""
        return self.response.payload_data


@attrs.frozen
class WebSocketFrameSent(WebSocketFrameReceived):
    """A WebSocket message was sent."""

    method: ClassVar[str] = "Network.webSocketFrameSent"


@attrs.frozen
class EventSourceMessageReceived(Event):
    """A server-sent event arrived; ``timestamp`` in seconds of the browser's clock."""

    method: ClassVar[str] = "Network.eventSourceMessageReceived"
    timestamp: float
    data: Length

    @property
    def length(self) -> int:
        """Its characters."""
        return self.data


@attrs.frozen
class RequestBegun(Event):
    """A `RequestWillBeSent` reduced to its time, for subscribers that only count."""

    method: ClassVar[str] = "Network.requestWillBeSent"
    timestamp: float = 0


Streamed = WebSocketFrameReceived | WebSocketFrameSent | EventSourceMessageReceived | RequestBegun
STREAMED: tuple[type[Streamed], ...] = (
    RequestBegun,
    WebSocketFrameReceived,
    WebSocketFrameSent,
    EventSourceMessageReceived,
)
"""Events that can arrive thousands of times per second."""
