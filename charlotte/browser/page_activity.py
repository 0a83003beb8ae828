"""The activity of a page, derived from browser events: documents, navigations, requests.

Nothing here waits for a renderer. `Activity.feed` takes events; `Activity.until` waits for a
condition.
"""

import math
from collections import deque
from collections.abc import Callable

import attrs
import trio

from charlotte.protocol import network, page
from charlotte.protocol.wire import CdpEvent

FEED: tuple[type[CdpEvent], ...] = (
    page.FrameAttached,
    page.FrameDetached,
    page.FrameNavigated,
    page.NavigatedWithinDocument,
    page.FrameRequestedNavigation,
    page.FrameStartedNavigating,
    page.FrameStoppedLoading,
    page.LifecycleEvent,
    network.RequestWillBeSent,
    network.ResponseReceived,
    network.DataReceived,
    network.LoadingFinished,
    network.LoadingFailed,
    network.WebSocketCreated,
    network.WebSocketClosed,
)

_UNAWAITED_TYPES = frozenset(
    {"EventSource", "WebSocket", "Ping", "Preflight", "CSPViolationReport"}
)
_STREAMS = frozenset({"text/event-stream", "application/x-ndjson"})
"""Types of streaming responses, which can begin with a pause."""

_ASKED_FOR = ""
"""Loader id of a navigation that the page requested and the browser has not begun."""

_PARSED_WITHIN = 1.0
_REMEMBERED = 100
_KEPT = "BackForwardCacheRestore"
_COMPLETE = frozenset(
    {"DOMContentLoaded", "load", "networkIdle"}
)  # no events are sent for these then
_LOCAL = ("blob:", "data:")
"""URLs without network; for worker scripts, the browser never reports their end."""


@attrs.define
class OpenRequest:
    """A request that is not complete; ``begun`` is its number among all requests of the tab.

    ``heard`` is the time of the last piece of its body, infinite before the first piece.
    ``missing``
    is the number of bytes that have not arrived, if it is known.
    """

    label: str
    begun: int
    heard: float = math.inf
    missing: float = math.inf

    def answered(self, response: network.Response) -> None:
        """Record the head of the response."""
        headers = {name.lower(): value for name, value in response.headers.items()}
        length = headers.get("content-length", "")
        if length.isascii() and length.isdecimal() and "content-encoding" not in headers:
            self.missing = int(length)
        if response.mime_type in _STREAMS:
            self.heard = trio.current_time()


@attrs.frozen
class Socket:
    """An open WebSocket of the tab with the time at which it was opened."""

    request_id: str
    url: str
    opened: float


class Activity:
    """The documents of the main frame, and the open requests.

    ``rivalled`` means that the previous document was navigating elsewhere when the present one
    arrived, so that navigation can still complete.
    """

    def __init__(self, main_frame: page.FrameInfo) -> None:
        self.main_frame = main_frame.id
        self._loaders = deque([main_frame.loader_id], maxlen=_REMEMBERED)
        self.url = main_frame.url + main_frame.url_fragment
        self.status: int | None = None
        self.posted = False
        self.documents = 0
        self.frames: set[str] = set()
        self.arrivals = 0
        self.navigating_to: str | None = None
        self.rivalled = False
        self._begun: str | None = None  # loader id of the latest navigation, if it is known
        self.requests: dict[str, OpenRequest] = {}
        self.requests_begun = 0
        self.socket: Socket | None = None
        self._milestones: set[str] = set()
        self._statuses: dict[str, int] = {}
        self._posts: set[str] = set()
        self._is_new = False
        self._asks_to_leave = False
        self._changed = trio.Event()

    @property
    def loader(self) -> str:
        """Loader id of the present document."""
        return self._loaders[-1]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until ``condition`` holds; it is checked after every event."""
        while not condition():
            await self.change()

    async def change(self) -> None:
        """Wait for the next event."""
        await self._changed.wait()

    async def parsed(self) -> None:
        """Wait until a new document is parsed, at most 1 s and once per document.

        Before that, a document is nearly empty.
        """
        if self._is_new:
            with trio.move_on_after(_PARSED_WITHIN):
                await self.until(lambda: "DOMContentLoaded" in self._milestones)
            self._is_new = False

    def has_arrived(self, loader: str) -> bool:
        """Return whether a document has arrived, even if another one has replaced it."""
        return loader in self._loaders

    def reached(self, milestone: str) -> bool:
        """Return whether the document has reached ``load`` or another lifecycle event."""
        return milestone in self._milestones and self.navigating_to is None

    def open_since(self, begun: int) -> list[OpenRequest]:
        """Return the open requests that began after request number ``begun``."""
        return [request for request in self.requests.values() if request.begun > begun]

    def feed(self, event: CdpEvent) -> None:
        """Record an event."""
        match event:
            case page.LifecycleEvent():
                self._lifecycle(event)
            case page.FrameNavigated(frame, kind):
                self._frame_navigated(frame)
                if frame.id == self.main_frame and kind == _KEPT:
                    self._milestones |= _COMPLETE
            case page.NavigatedWithinDocument(self.main_frame, url):
                self.url = url
                self.arrivals += 1
                self.navigating_to = None
            case page.FrameRequestedNavigation(self.main_frame, url, _, "currentTab"):
                self.navigating_to = url
                self._begun = _ASKED_FOR
            case page.FrameStartedNavigating(self.main_frame):
                self._begin_navigation(event)
            case page.FrameStoppedLoading(self.main_frame):
                self.navigating_to = None
            case page.JavascriptDialogOpening(type=kind):
                self._asks_to_leave = kind == "beforeunload"
            case page.JavascriptDialogClosed(result=False) if self._asks_to_leave:
                self.navigating_to = None
            case _:
                self._feed_frame(event)
        self._changed.set()
        self._changed = trio.Event()

    def _begin_navigation(self, event: page.FrameStartedNavigating) -> None:
        if event.is_same_document:
            self.navigating_to = None
            return
        self.navigating_to = event.url
        self._begun = event.loader_id

    def _feed_frame(self, event: CdpEvent) -> None:
        """Record an event of a child frame."""
        match event:
            case page.FrameAttached(frame_id):
                self.frames.add(frame_id)
            case page.FrameDetached(frame_id, "remove"):
                self.frames.discard(frame_id)
                self.requests.pop(frame_id, None)
            case page.FrameRequestedNavigation(frame_id, url, _, "currentTab"):
                # reserves an entry for the coming request, under the id of the frame
                self.requests_begun += 1
                self.requests[frame_id] = OpenRequest(f"GET {url}", self.requests_begun)
            case page.FrameStoppedLoading(frame_id) | page.NavigatedWithinDocument(frame_id):
                self.requests.pop(frame_id, None)
            case _:
                self._feed_request(event)

    def _lifecycle(self, event: page.LifecycleEvent) -> None:
        if event.frame_id == self.main_frame and event.loader_id == self.loader:
            self._milestones.add(event.name)

    def _frame_navigated(self, frame: page.FrameInfo) -> None:
        if frame.id != self.main_frame:
            self.requests.pop(frame.id, None)
            return
        if frame.loader_id != self.loader:
            self._loaders.append(frame.loader_id)
            self.documents += 1
            self._is_new = True
            self.rivalled = self._begun not in {frame.loader_id, None}
            self._begun = None
            self._milestones.clear()
            self.requests.clear()
            self.socket = None
        self.arrivals += 1
        self.url = frame.unreachable_url or frame.url + frame.url_fragment
        self.status = self._statuses.pop(frame.loader_id, None)
        self._statuses.clear()
        self.posted = frame.loader_id in self._posts
        self._posts.clear()
        self.navigating_to = None

    def _feed_request(self, event: CdpEvent) -> None:
        match event:
            case network.RequestWillBeSent():
                self._request_begins(event)
            case network.ResponseReceived():
                self._response(event)
            case network.WebSocketCreated():
                self.socket = Socket(event.request_id, event.url, trio.current_time())
            case network.WebSocketClosed(request_id):
                if self.socket is not None and self.socket.request_id == request_id:
                    self.socket = None
            case network.DataReceived(request_id, length):
                if request := self.requests.get(request_id):
                    self._count_bytes(request_id, request, length)
            case network.LoadingFinished(request_id) | network.LoadingFailed(request_id):
                self.requests.pop(request_id, None)
            case _:
                pass

    def _count_bytes(self, request_id: str, request: OpenRequest, length: int) -> None:
        """Count received bytes; a complete body is closed even if the page does not read it."""
        request.heard = trio.current_time()
        request.missing -= length
        if request.missing <= 0:
            del self.requests[request_id]

    def _request_begins(self, event: network.RequestWillBeSent) -> None:
        is_document = event.type == "Document" and event.frame_id == self.main_frame
        if is_document:
            if event.request.method == "GET":  # also after the redirect of a POST
                self._posts.discard(event.loader_id)
            else:
                self._posts.add(event.loader_id)
        if is_document or event.type in _UNAWAITED_TYPES or event.request_id in self.requests:
            return
        if event.request.url.startswith(_LOCAL):
            return
        place = self.requests.pop(event.frame_id or "", None) if event.type == "Document" else None
        if place is None:
            self.requests_begun += 1
        begun = place.begun if place else self.requests_begun
        label = f"{event.request.method} {event.request.url}"
        self.requests[event.request_id] = OpenRequest(label, begun)

    def _response(self, event: network.ResponseReceived) -> None:
        if event.type == "Fetch" and (request := self.requests.get(event.request_id)):
            request.answered(event.response)
        if event.type == "Document" and event.frame_id == self.main_frame:
            self._statuses[event.loader_id] = event.response.status
            if event.loader_id == self.loader:
                self.status = event.response.status
