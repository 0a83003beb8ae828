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
    """Report them no more, and forget all bodies."""

    method = "Network.disable"


@attrs.frozen(kw_only=True)
class EmulateNetworkConditions(Command[Nothing]):
    """Latency in ms, throughputs in bytes per second; 0 and -1 are without limit."""

    method = "Network.emulateNetworkConditions"
    offline: bool
    latency: float
    download_throughput: float
    upload_throughput: float


@attrs.frozen(kw_only=True)
class SetExtraHttpHeaders(Command[Nothing]):
    """Headers of every request from now on."""

    method = "Network.setExtraHTTPHeaders"
    headers: dict[str, str]


@attrs.frozen(kw_only=True)
class SetBypassServiceWorker(Command[Nothing]):
    """Send requests past service workers."""

    method = "Network.setBypassServiceWorker"
    bypass: bool


@attrs.frozen(kw_only=True)
class DeleteCookies(Command[Nothing]):
    """Forget a cookie of the target's context."""

    method = "Network.deleteCookies"
    name: str
    domain: str
    path: str
    partition_key: Any = None


@attrs.frozen
class PostDataEntry:
    """A piece of a request's body, in base64; without ``bytes`` it is a file."""

    bytes: str | None = None


@attrs.frozen
class Request:
    """What was sent; ``post_data`` is absent where it is long, and mangled where it is binary."""

    url: str
    method: str
    headers: dict[str, str] = attrs.field(factory=dict[str, str])
    has_post_data: bool = False
    post_data: str | None = None
    post_data_entries: list[PostDataEntry] = attrs.field(factory=list[PostDataEntry])


@attrs.frozen
class Response:
    """What came back; ``timing`` in ms since its ``requestTime``, which is in seconds."""

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
    """A request starts, or goes on after a redirect; ``wall_time`` in seconds since the epoch."""

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
    """The response's head is in."""

    method: ClassVar[str] = "Network.responseReceived"
    request_id: str
    loader_id: str
    type: str
    response: Response
    frame_id: str | None = None
    has_extra_info: bool | None = None


@attrs.frozen
class RequestServedFromCache(Event):
    """The browser still had the response in memory."""

    method: ClassVar[str] = "Network.requestServedFromCache"
    request_id: str


@attrs.frozen
class RequestWillBeSentExtraInfo(Event):
    """The headers that went over the wire; may come before the request itself is told."""

    method: ClassVar[str] = "Network.requestWillBeSentExtraInfo"
    request_id: str
    headers: dict[str, str]


@attrs.frozen
class ResponseReceivedExtraInfo(Event):
    """The headers that came over the wire; may come before the request itself is told."""

    method: ClassVar[str] = "Network.responseReceivedExtraInfo"
    request_id: str
    headers: dict[str, str]


@attrs.frozen
class DataReceived(Event):
    """A piece of the response's body is in, so many bytes."""

    method: ClassVar[str] = "Network.dataReceived"
    request_id: str
    data_length: int = 0


@attrs.frozen
class LoadingFinished(Event):
    """The response's body is in; ``timestamp`` in seconds, of the same clock as all others."""

    method: ClassVar[str] = "Network.loadingFinished"
    request_id: str
    timestamp: float = 0
    encoded_data_length: float = 0


@attrs.frozen
class LoadingFailed(Event):
    """No response, or not all of it."""

    method: ClassVar[str] = "Network.loadingFailed"
    request_id: str
    type: str
    error_text: str
    canceled: bool = False
    blocked_reason: str | None = None


@attrs.frozen
class Body:
    """What a request or its response carries."""

    body: str
    base64_encoded: bool


@attrs.frozen(kw_only=True)
class GetResponseBody(Command[Body]):
    """The body of a response, while its document is there."""

    method = "Network.getResponseBody"
    request_id: str


@attrs.frozen
class PostData:
    """The body of a request."""

    post_data: str
    base64_encoded: bool = False


@attrs.frozen(kw_only=True)
class GetRequestPostData(Command[PostData]):
    """The body of a request that its event did not have."""

    method = "Network.getRequestPostData"
    request_id: str


@attrs.frozen
class WebSocketCreated(Event):
    """A script opens a WebSocket."""

    method: ClassVar[str] = "Network.webSocketCreated"
    request_id: str
    url: str


@attrs.frozen
class WebSocketClosed(Event):
    """A WebSocket was closed, or could not be opened."""

    method: ClassVar[str] = "Network.webSocketClosed"
    request_id: str


@attrs.frozen
class WebSocketFrame:
    """A message on a WebSocket."""

    payload_data: Length


@attrs.frozen
class WebSocketFrameReceived(Event):
    """A message came on a WebSocket; ``timestamp`` in seconds of the browser's clock."""

    method: ClassVar[str] = "Network.webSocketFrameReceived"
    timestamp: float
    response: WebSocketFrame

    @property
    def length(self) -> int:
        """Its characters."""
        return self.response.payload_data


@attrs.frozen
class WebSocketFrameSent(WebSocketFrameReceived):
    """A message went out on a WebSocket."""

    method: ClassVar[str] = "Network.webSocketFrameSent"


@attrs.frozen
class EventSourceMessageReceived(Event):
    """A server-sent event came; ``timestamp`` in seconds of the browser's clock."""

    method: ClassVar[str] = "Network.eventSourceMessageReceived"
    timestamp: float
    data: Length

    @property
    def length(self) -> int:
        """Its characters."""
        return self.data


@attrs.frozen
class RequestBegun(Event):
    """The moment of a `RequestWillBeSent`, for those who only count."""

    method: ClassVar[str] = "Network.requestWillBeSent"
    timestamp: float = 0


Streamed = WebSocketFrameReceived | WebSocketFrameSent | EventSourceMessageReceived | RequestBegun
STREAMED: tuple[type[Streamed], ...] = (
    RequestBegun,
    WebSocketFrameReceived,
    WebSocketFrameSent,
    EventSourceMessageReceived,
)
"""What a page may have thousands of in a second."""
