"""What the page is doing, as the browser's events tell it: documents, navigations, requests.

Nothing here waits for a renderer. `Activity.feed` takes events in; whoever wants to know when
something is so waits in `Activity.until`.
"""

import math
from collections import deque
from collections.abc import Callable

import attrs
import trio

from charlotte.protocol import network, page
from charlotte.protocol.wire import Event

FEED: tuple[type[Event], ...] = (
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
"""What says of itself that it comes piece by piece, and may begin with silence."""

_ASKED_FOR = ""
"""In place of the loader of what a page has asked for, until the browser begins with it."""

_PARSED_WITHIN = 1.0
_REMEMBERED = 100
_KEPT = "BackForwardCacheRestore"
_COMPLETE = frozenset({"DOMContentLoaded", "load", "networkIdle"})  # of which no event tells then
_LOCAL = ("blob:", "data:")
"""What needs no network, but for the script of a worker is never said to have been loaded."""


@attrs.define
class OpenRequest:
    """A request without its last byte; ``begun`` is its number among all of the tab's requests.

    ``heard`` is when the last piece of its body came, by trio's clock; before the first, never.
    ``missing`` is how many bytes of that have yet to come, where it is known.
    """

    label: str
    begun: int
    heard: float = math.inf
    missing: float = math.inf

    def answered(self, response: network.Response) -> None:
        """Take note of the head of the response."""
        headers = {name.lower(): value for name, value in response.headers.items()}
        length = headers.get("content-length", "")
        if length.isascii() and length.isdecimal() and "content-encoding" not in headers:
            self.missing = int(length)
        if response.mime_type in _STREAMS:
            self.heard = trio.current_time()


@attrs.frozen
class Socket:
    """A WebSocket of the tab that is not closed, and when it was opened, by trio's clock."""

    request_id: str
    url: str
    opened: float


class Activity:
    """The main frame's documents, and the requests that are open.

    ``rivalled`` says that the document before the present one was still going elsewhere when this
    one came: what it asked for may come yet.
    """

    def __init__(self, main_frame: page.Frame) -> None:
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
        self._begun: str | None = None  # the loader of the latest navigation, if it has one yet
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
        """What brought the document that is there."""
        return self._loaders[-1]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until ``condition`` holds; it is asked after every event."""
        while not condition():
            await self.change()

    async def change(self) -> None:
        """Wait for the next event."""
        await self._changed.wait()

    async def parsed(self) -> None:
        """Wait until a document that has just come is all there; not for long, and only once.

        Before, there is next to nothing in it.
        """
        if self._is_new:
            with trio.move_on_after(_PARSED_WITHIN):
                await self.until(lambda: "DOMContentLoaded" in self._milestones)
            self._is_new = False

    def has_come(self, loader: str) -> bool:
        """Whether a document has come, be it that another has come since."""
        return loader in self._loaders

    def reached(self, milestone: str) -> bool:
        """Whether this document has come to ``load``, ``DOMContentLoaded``, ``networkIdle``."""
        return milestone in self._milestones and self.navigating_to is None

    def open_since(self, begun: int) -> list[OpenRequest]:
        """The requests still open that began after request number ``begun``."""
        return [request for request in self.requests.values() if request.begun > begun]

    def feed(self, event: Event) -> None:
        """Take note of one event."""
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
                self._navigation_begins(event)
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

    def _navigation_begins(self, event: page.FrameStartedNavigating) -> None:
        if event.is_same_document:
            self.navigating_to = None
            return
        self.navigating_to = event.url
        self._begun = event.loader_id

    def _feed_frame(self, event: Event) -> None:
        """Take note of what happens in any frame but the main one."""
        match event:
            case page.FrameAttached(frame_id):
                self.frames.add(frame_id)
            case page.FrameDetached(frame_id, "remove"):
                self.frames.discard(frame_id)
                self.requests.pop(frame_id, None)
            case page.FrameRequestedNavigation(frame_id, url, _, "currentTab"):
                self._frame_leaves(frame_id, url)
            case page.FrameStoppedLoading(frame_id) | page.NavigatedWithinDocument(frame_id):
                self.requests.pop(frame_id, None)
            case _:
                self._feed_request(event)

    def _frame_leaves(self, frame_id: str, url: str) -> None:
        """Hold the place of the request that is to come, under the name of the frame."""
        self.requests_begun += 1
        self.requests[frame_id] = OpenRequest(f"GET {url}", self.requests_begun)

    def _lifecycle(self, event: page.LifecycleEvent) -> None:
        if event.frame_id == self.main_frame and event.loader_id == self.loader:
            self._milestones.add(event.name)

    def _frame_navigated(self, frame: page.Frame) -> None:
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

    def _feed_request(self, event: Event) -> None:
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
                    self._hear(request_id, request, length)
            case network.LoadingFinished(request_id) | network.LoadingFailed(request_id):
                self.requests.pop(request_id, None)
            case _:
                pass

    def _hear(self, request_id: str, request: OpenRequest, length: int) -> None:
        """A body that is complete is not open, though a page that never reads it leaves it so."""
        request.heard = trio.current_time()
        request.missing -= length
        if request.missing <= 0:
            del self.requests[request_id]

    def _request_begins(self, event: network.RequestWillBeSent) -> None:
        is_document = event.type == "Document" and event.frame_id == self.main_frame
        if is_document:
            self._note_method(event)
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

    def _note_method(self, event: network.RequestWillBeSent) -> None:
        if event.request.method == "GET":  # also after a redirect, which may answer a POST
            self._posts.discard(event.loader_id)
        else:
            self._posts.add(event.loader_id)

    def _response(self, event: network.ResponseReceived) -> None:
        if event.type == "Fetch" and (request := self.requests.get(event.request_id)):
            request.answered(event.response)
        if event.type == "Document" and event.frame_id == self.main_frame:
            self._statuses[event.loader_id] = event.response.status
            if event.loader_id == self.loader:
                self.status = event.response.status
