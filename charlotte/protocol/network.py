"""CDP Network domain: what we use of it."""

from typing import Any, ClassVar

import attrs

from charlotte.protocol.wire import Command, Event, Nothing


@attrs.frozen(kw_only=True)
class Enable(Command[Nothing]):
    """Report network events."""

    method = "Network.enable"


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
class DeleteCookies(Command[Nothing]):
    """Forget a cookie of the target's context."""

    method = "Network.deleteCookies"
    name: str
    domain: str
    path: str
    partition_key: Any = None


@attrs.frozen
class Request:
    """What was sent."""

    url: str
    method: str


@attrs.frozen
class Response:
    """What came back."""

    url: str
    status: int
    status_text: str
    mime_type: str = ""
    from_disk_cache: bool = False


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


@attrs.frozen
class ResponseReceived(Event):
    """The response's head is in."""

    method: ClassVar[str] = "Network.responseReceived"
    request_id: str
    loader_id: str
    type: str
    response: Response
    frame_id: str | None = None


@attrs.frozen
class LoadingFinished(Event):
    """The response's body is in."""

    method: ClassVar[str] = "Network.loadingFinished"
    request_id: str


@attrs.frozen
class LoadingFailed(Event):
    """No response, or not all of it."""

    method: ClassVar[str] = "Network.loadingFailed"
    request_id: str
    type: str
    error_text: str
    canceled: bool = False
    blocked_reason: str | None = None
