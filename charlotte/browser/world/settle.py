"""Settling: waits until the page has reacted to an action, by navigations, requests, mutations.

Charlotte waits for navigations that began since the action, until their load, at most
`NAVIGATION_CAP` seconds, of which a server has `ANSWER_WAIT` for its answer; for requests, at most
`REQUEST_CAP` seconds, or until a streaming body pauses for `STREAM_QUIET` seconds; for the reply
to the first message on a WebSocket, at most `REPLY_WAIT` seconds; then for two quiet frames in the
probe, and for timers and workers that the probe knows. Activity that begins meanwhile is evidence
again, but only within `CHAIN_GRACE` seconds after the last round with something new, and
`CHAIN_CAP` seconds in all, so that a polling page cannot block a call. Timers and animations beyond
these limits, and repeating intervals, are reported instead.

`Activity` is the activity of a page, derived from browser events, without waiting for a renderer.
"""

import json
import math
import re
from collections import Counter, defaultdict, deque
from collections.abc import Awaitable, Callable
from typing import Any

import attrs
import trio

from charlotte.base.errors import DeadlineExceeded
from charlotte.base.log import now_ms
from charlotte.base.progress import stage
from charlotte.guard.url_guard import quoted
from charlotte.page.tokens import plural
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
    page.WindowOpen,
    page.LifecycleEvent,
    network.RequestWillBeSent,
    network.ResponseReceived,
    network.DataReceived,
    network.LoadingFinished,
    network.LoadingFailed,
    network.WebSocketCreated,
    network.WebSocketClosed,
    network.WebSocketFrameSent,
    network.WebSocketFrameReceived,
)

_UNAWAITED_TYPES = frozenset(
    {"EventSource", "WebSocket", "Ping", "Preflight", "CSPViolationReport"}
)
_KINDS = {"Document": "frame", "Script": "script", "Stylesheet": "style sheet", "Image": "image"}
_STREAMS = frozenset({"text/event-stream", "application/x-ndjson"})
"""Types of streaming responses, which can begin with a pause."""

_EMPTY = {204, 205}
_PARSED_WITHIN = 1.0
_REMEMBERED = 100
_KEPT = "BackForwardCacheRestore"
_COMPLETE = frozenset({"DOMContentLoaded", "load", "networkIdle"})
"""Milestones of a restored page, for which no events are sent."""
_LOCAL = ("blob:", "data:")
"""URLs without network; for worker scripts, the browser never reports their end."""


REPLY_WAIT = 0.5
"""Seconds within which a message on a WebSocket gets its reply; afterwards, none is expected."""

REQUEST_CAP = 5.0
ARRIVAL_CAP = 2.0
"""Maximum wait for requests of a loaded document; some are never answered."""

STREAM_QUIET = 0.5
CHAIN_GRACE = 0.5
CHAIN_CAP = 5.0
NAVIGATION_CAP = 10.0
ANSWER_WAIT = 8.0
QUIET_CAP_MS = 500

_MOST_DOCUMENTS = 10
"""Maximum documents in a row, half as many after `CHAIN_CAP`."""

_NEVER_STAYS = "the page kept navigating"
_DIFFERS = re.compile(r"\?.*|\d+")
_LEFT = {
    "later": "a timer of {:,} ms is pending",
    "animation": "an animation of {:,} ms is running",
    "every": "a timer repeats every {:,} ms",
}
"""Activity that is reported instead of awaited, in order of preference."""

_ROUNDED = 0.003
"""Seconds of rounding between two clocks with whole milliseconds."""

Ask = Callable[..., Awaitable[str]]
"""Calls a function of the probe: its name, then its arguments.

Raises `DeadlineExceeded` when a navigation keeps the page from answering.
"""


@attrs.define
class OpenRequest:
    """A request that is not complete; ``begun`` is its number among all requests of the tab.

    ``heard`` is the time of the last piece of its body, infinite before the first piece.
    ``missing`` is the number of bytes that have not arrived, if it is known. A message on the
    ``socket`` with that id counts until its reply, or until it ``expires``.
    """

    label: str
    begun: int
    heard: float = math.inf
    missing: float = math.inf
    socket: str | None = None
    expires: float = math.inf
    kind: str = "request"

    def has_expired(self) -> bool:
        """Return whether a reply is no longer expected."""
        return self.expires < math.inf and trio.current_time() >= self.expires


@attrs.define
class _Load:
    """The load of a document that has not arrived."""

    status: int | None = None
    failure: str = "no response"
    posted: bool = False


class Activity:
    """The documents of the main frame, and the open requests.

    ``failure`` is why the browser shows its error page in place of the document, if it does. A load
    that began last ``was_unanswered`` if it failed without a response, and ``has_posted`` if it
    sent more than a GET; until ``answer_by``, calls wait for its document. ``empty_reply`` is set
    by an answer without a document.
    """

    def __init__(self, main_frame: page.FrameInfo) -> None:
        self.main_frame = main_frame.id
        self._loaders = deque([main_frame.loader_id], maxlen=_REMEMBERED)
        self.url = main_frame.url + main_frame.url_fragment
        self.status: int | None = None
        self.failure: str | None = None
        self.posted = False
        self.documents = 0
        self.frames: set[str] = set()
        self.arrivals = 0
        self.frame_arrivals = 0
        self.navigating_to: str | None = None
        self.departed = 0.0
        self.answer_by = 0.0
        self.was_unanswered = False
        self.empty_reply: str | None = None
        self.has_posted = False
        self.requests: dict[str, OpenRequest] = {}
        self.requests_begun = 0
        self.sockets: dict[str, str] = {}  # URLs
        self._milestones: set[str] = set()
        self._created = "", 0.0
        self._loads = defaultdict[str, _Load](_Load)
        self._parsed_by = -math.inf
        self._asks_to_leave = False
        self._changed = trio.lowlevel.ParkingLot()

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
        await self._changed.park()

    async def parsed(self) -> None:
        """Wait until a new document is parsed, at most until 1 s after its arrival.

        Before that, a document is nearly empty.
        """
        with trio.move_on_at(self._parsed_by):
            await self.until(lambda: "DOMContentLoaded" in self._milestones)

    def has_arrived(self, loader: str) -> bool:
        """Return whether a document has arrived, even if another one has replaced it."""
        return loader in self._loaders

    def reached(self, milestone: str) -> bool:
        """Return whether the document has reached ``load`` or another lifecycle event."""
        return milestone in self._milestones and self.navigating_to is None

    async def reach(self, milestone: str) -> None:
        """Wait for ``load`` or another lifecycle event of the document.

        Frames alone, if their servers do not answer, hold back ``load`` for `REQUEST_CAP` seconds.
        """
        end = math.inf
        while not self.reached(milestone) and trio.current_time() < end:
            left = self.open_since(0) if "DOMContentLoaded" in self._milestones else []
            silent = [one for one in left if one.kind == "frame" and one.heard == math.inf]
            is_held = milestone == "load" and left and left == silent
            end = min(end, trio.current_time() + REQUEST_CAP) if is_held else math.inf
            with trio.move_on_at(end):
                await self.change()

    def describe_load(self) -> str | None:
        """Return what the present or the next document still waits for; None if it is complete."""
        if self.navigating_to is not None:
            waited = f"no answer for {trio.current_time() - self.departed:.0f} s"
            to = quoted(self.navigating_to)
            return f"on its way to {to}: {waited}; this is the page as last read"
        if "load" in self._milestones:
            return None
        kinds = Counter(request.kind for request in self.open_since(0))
        parts = [f"{count} {plural(count, kind)}" for kind, count in kinds.items()]
        return f"still loading: {', '.join(parts) or 'the document'}"

    def open_since(self, begun: int) -> list[OpenRequest]:
        """Return the open requests that began after request number ``begun``."""
        return [
            request
            for request in self.requests.values()
            if request.begun > begun and not request.has_expired()
        ]

    def feed(self, event: CdpEvent) -> None:
        """Record an event."""
        match event:
            case page.LifecycleEvent(self.main_frame):
                self._reach(event)
            case page.FrameNavigated(frame, kind) if frame.id == self.main_frame:
                self._document_arrives(frame, kind)
            case page.NavigatedWithinDocument(self.main_frame, url):
                self.url = url
                self.arrivals += 1
                self.navigating_to = None
            case page.FrameRequestedNavigation(self.main_frame, url, _, "currentTab"):
                self._depart(url)
            case page.FrameStartedNavigating(self.main_frame) if not event.is_same_document:
                self._depart(event.url)
            case page.FrameStoppedLoading(self.main_frame) if self.navigating_to is None:
                self._milestones.add("load")  # or the load was stopped
            case page.FrameStartedNavigating(self.main_frame) | page.FrameStoppedLoading(
                self.main_frame
            ):
                self.navigating_to = None
            case page.JavascriptDialogOpening(type=kind):
                self._asks_to_leave = kind == "beforeunload"
            case page.JavascriptDialogClosed(result=False) if self._asks_to_leave:
                self.navigating_to = None
            case _:
                self._feed_frame(event)
        self._changed.unpark_all()

    def _depart(self, url: str) -> None:
        self.navigating_to, self.departed = url, trio.current_time()
        self.answer_by = self.departed + ANSWER_WAIT
        self.was_unanswered = self.has_posted = False

    def _reach(self, event: page.LifecycleEvent) -> None:
        if event.name == "init":  # reported before the document arrives
            self._created = event.loader_id, event.timestamp
        if event.loader_id == self.loader:
            self._milestones.add(event.name)

    @property
    def created(self) -> float:
        """The time in the browser's clock at which the document replaced another, 0 if unknown."""
        loader, created = self._created
        return created if loader == self.loader else 0

    def _feed_frame(self, event: CdpEvent) -> None:
        """Record an event of a child frame."""
        if isinstance(event, page.FrameNavigated | page.NavigatedWithinDocument):
            self.frame_arrivals += 1
        match event:
            case page.FrameAttached(frame_id):
                self.frames.add(frame_id)
            case page.FrameDetached(frame_id, reason):
                self.requests.pop(frame_id, None)  # a swapped frame has a document elsewhere
                if reason == "remove":
                    self.frames.discard(frame_id)
            case page.FrameRequestedNavigation(frame_id, url, _, "currentTab"):
                # reserves an entry for the coming request, under the id of the frame
                self.requests_begun += 1
                self.requests[frame_id] = OpenRequest(f"GET {url}", self.requests_begun)
            case page.FrameNavigated(frame):
                self.requests.pop(frame.id, None)
            case page.FrameStoppedLoading(frame_id) | page.NavigatedWithinDocument(frame_id):
                self.requests.pop(frame_id, None)
            case _:
                self._feed_request(event)

    def _document_arrives(self, frame: page.FrameInfo, kind: str) -> None:
        if frame.loader_id != self.loader:
            self._loaders.append(frame.loader_id)
            self.documents += 1
            self._parsed_by = trio.current_time() + _PARSED_WITHIN
            self._milestones.clear()
            self.requests.clear()
            self.sockets.clear()
        if kind == _KEPT:
            self._milestones |= _COMPLETE
        self.arrivals += 1
        self.url = frame.unreachable_url or frame.url + frame.url_fragment
        load = self._loads[frame.loader_id]
        self._loads.clear()
        self.status, self.posted = load.status, load.posted
        self.failure = load.failure if frame.unreachable_url else None
        self.navigating_to = None

    def _feed_request(self, event: CdpEvent) -> None:
        match event:
            case network.RequestWillBeSent():
                self._request_begins(event)
            case network.ResponseReceived():
                self._response(event)
            case network.DataReceived(request_id, length) if request_id in self.requests:
                request = self.requests[request_id]
                request.heard = trio.current_time()
                request.missing -= length
                if request.missing <= 0:  # a page may leave the end of a complete body unread
                    del self.requests[request_id]
            case network.LoadingFailed(request_id, "Document", reason) if request_id in self._loads:
                load = self._loads[request_id]
                load.failure, self.was_unanswered = reason, load.status is None
            case network.LoadingFinished(request_id) | network.LoadingFailed(request_id):
                self.requests.pop(request_id, None)
            case _:
                self._feed_socket(event)

    def _feed_socket(self, event: CdpEvent) -> None:
        match event:
            case network.WebSocketCreated(request_id, url):
                self.sockets[request_id] = url
            case network.WebSocketClosed(request_id):
                self.sockets.pop(request_id, None)
                self.requests.pop(request_id, None)
            case network.WebSocketFrameSent(request_id=request_id) if request_id in self.sockets:
                asked = self.requests.get(request_id)
                if asked is None or asked.has_expired():
                    self.requests_begun += 1
                    label, at = f"WebSocket {self.sockets[request_id]}", trio.current_time()
                    self.requests[request_id] = OpenRequest(
                        label, self.requests_begun, at, socket=request_id, expires=at + REPLY_WAIT
                    )
            case network.WebSocketFrameReceived(request_id=request_id):
                self.requests.pop(request_id, None)
            case _:
                pass

    def _request_begins(self, event: network.RequestWillBeSent) -> None:
        is_document = event.type == "Document" and event.frame_id == self.main_frame
        if is_document:
            # a POST may be redirected to a GET
            self._loads[event.loader_id].posted = posted = event.request.method != "GET"
            self.has_posted |= posted
        is_known = event.request_id in self.requests
        is_local = event.request.url.startswith(_LOCAL)
        if is_document or is_known or is_local or event.type in _UNAWAITED_TYPES:
            return
        place = self.requests.pop(event.frame_id or "", None) if event.type == "Document" else None
        if place is None:
            self.requests_begun += 1
        begun = place.begun if place else self.requests_begun
        label = f"{event.request.method} {event.request.url}"
        kind = _KINDS.get(event.type, "request")
        self.requests[event.request_id] = OpenRequest(label, begun, kind=kind)

    def _response(self, event: network.ResponseReceived) -> None:
        response = event.response
        if event.type == "Fetch" and (request := self.requests.get(event.request_id)):
            headers = {name.lower(): value for name, value in response.headers.items()}
            length = headers.get("content-length", "")
            if length.isascii() and length.isdecimal() and "content-encoding" not in headers:
                request.missing = int(length)
            if response.mime_type in _STREAMS:
                request.heard = trio.current_time()
        if event.type == "Document" and event.frame_id == self.main_frame:
            self._loads[event.loader_id].status = response.status
            if response.status in _EMPTY:
                status = f"answered {response.status}: no document"
                self.empty_reply = f"{quoted(response.url)} {status}, the page stays."
            if event.loader_id == self.loader:
                self.status = response.status


@attrs.define
class SettleResult:
    """The reasons for waiting; ``unsettled`` describes activity that was still going on.

    ``removed_messages`` are messages of live regions that disappeared meanwhile, ``set_messages``
    the texts of live regions that were set meanwhile, even to the same text. ``visual_changes``
    names elements whose look can have changed without a change of text. ``copied`` is what the
    page has copied to the clipboard: ``text`` and ``html``.
    """

    waited_for: list[str] = attrs.field(factory=list[str])
    unsettled: str | None = None
    removed_messages: list[str] = attrs.field(factory=list[str])
    set_messages: list[str] = attrs.field(factory=list[str])
    visual_changes: list[str] = attrs.field(factory=list[str])
    copied: list[dict[str, str]] = attrs.field(factory=list[dict[str, str]])


@attrs.frozen
class Checkpoint:
    """The moment before an action."""

    documents: int
    requests: int
    time: float = attrs.field(factory=trio.current_time, eq=False)


def checkpoint(activity: Activity) -> Checkpoint:
    """Record the activity before an action: only later activity is evidence."""
    return Checkpoint(activity.documents, activity.requests_begun)


async def settle(
    activity: Activity,
    ask: Ask,
    since: Checkpoint,
    request_cap: float = REQUEST_CAP,
    *,
    arriving: bool = False,
) -> SettleResult:
    """Wait until the page has reacted since the checkpoint, or until a new document has arrived."""
    waiting = _Waiting(activity, ask, since, since, request_cap, arriving)
    await waiting.run()
    return waiting.settled


@attrs.define(eq=False)
class _Waiting:
    """Waits for activity in rounds; ``awaited`` is where the next round begins."""

    activity: Activity
    ask: Ask
    begun: Checkpoint
    awaited: Checkpoint
    request_cap: float
    arriving: bool = False
    settled: SettleResult = attrs.field(factory=SettleResult)
    deadline: float = attrs.field(factory=lambda: trio.current_time() + NAVIGATION_CAP)
    unrest: str | None = None
    asked: dict[str, OpenRequest] = attrs.field(factory=dict[str, OpenRequest])

    async def run(self) -> None:
        """Run rounds while there is new activity."""
        await self.run_round()
        last = trio.current_time() + CHAIN_CAP
        grace = trio.current_time() + CHAIN_GRACE
        while self.is_unfinished() and trio.current_time() < min(grace, last, self.deadline):
            known = self.labels()
            await self.run_round()
            if not self.labels() <= known:
                grace = trio.current_time() + CHAIN_GRACE
        if self.activity.navigating_to is None or self._is_never_staying():
            self.report_unfinished()

    async def run_round(self) -> None:
        """Wait for activity since the last round; newer activity belongs to the next round."""
        await self._navigation()
        if self.activity.navigating_to is not None:  # the browser holds back all questions
            self.deadline = trio.current_time()
            return
        awaited = checkpoint(self.activity)
        await self._requests(awaited.requests)
        self.awaited = awaited
        await self._quiet()

    def is_unfinished(self) -> bool:
        """Return whether new activity began during the last round and is not complete."""
        return (
            self.activity.navigating_to is not None
            or self.activity.documents != self.awaited.documents
            or bool(self._open())
        )

    def labels(self) -> set[str]:
        """Return the reasons for waiting without parts that differ at each repetition."""
        return {_DIFFERS.sub("", label) for label in self.settled.waited_for}

    def report_unfinished(self) -> None:
        """Describe the activity that was still going on at the end of the wait."""
        settled = self.settled
        if settled.unsettled is not None:
            return
        if self.is_unfinished():
            left = self._open()
            settled.unsettled = f"request {left[0].label} still open" if left else _NEVER_STAYS
        elif self.unrest:
            settled.unsettled = self.unrest

    async def _navigation(self) -> None:
        activity, since = self.activity, self.awaited
        if activity.navigating_to is None and activity.documents == since.documents:
            return
        self.settled.waited_for.append("navigation")
        stage("waiting for the page that is loading")
        with trio.move_on_at(self.deadline) as scope:
            while not self._is_never_staying() and (
                activity.navigating_to is not None
                or (activity.documents != since.documents and not activity.reached("load"))
            ):
                answer_by = activity.answer_by if activity.navigating_to else math.inf
                scope.deadline = min(answer_by, self.deadline)
                await activity.change()

    def _is_never_staying(self) -> bool:
        documents = self.activity.documents - self.begun.documents
        age = trio.current_time() - self.begun.time
        most = _MOST_DOCUMENTS // (5 if age >= NAVIGATION_CAP else 2 if age > CHAIN_CAP else 1)
        return documents > most

    async def _requests(self, last: int) -> None:
        """Wait for requests up to a number."""
        cap = min(trio.current_time() + self.request_cap, self.deadline)
        left = self._open(last)
        if left:
            stage(f"waiting for {left[0].label}")
        self.settled.waited_for.extend(request.label for request in left)
        while left:
            # infinite until each request has an answer
            end = min(cap, max(request.heard for request in left) + STREAM_QUIET)
            with trio.move_on_at(min(end, *(request.expires for request in left))):
                await self.activity.change()
            left = self._open(last)
            if trio.current_time() >= end:
                break
        if left:
            self.settled.unsettled = f"request {left[0].label} still open"

    def _open(self, last: float = math.inf) -> list[OpenRequest]:
        """Return the open requests of this round up to a number.

        Of the messages on a WebSocket, only the first counts: some pages send them endlessly.
        """
        return [
            request
            for request in self.activity.open_since(self.awaited.requests)
            if request.begun <= last
            and (
                request.socket is None or self.asked.setdefault(request.socket, request) is request
            )
        ]

    async def _quiet(self) -> None:
        """Wait in the probe; in a new document, not for activity that it began by itself."""
        for _ in range(5):  # maximum number of checks of a page that scrolls or draws no frames
            is_arriving = self.arriving or self.begun.documents != self.activity.documents
            age = 0.0 if is_arriving else trio.current_time() - self.begun.time + _ROUNDED
            options = {
                "frames": 2, "cap": QUIET_CAP_MS, "age": round(age * 1000), "sent": now_ms(),
                "arrival": is_arriving,
            }  # fmt: skip
            try:
                quiet: dict[str, Any] = json.loads(await self.ask("settle", options))
            except DeadlineExceeded:  # a navigation began, which belongs to the next round
                self.unrest = _NEVER_STAYS if self._is_never_staying() else None
                return
            self.settled.waited_for.extend(quiet["waited"])
            self.settled.removed_messages.extend(quiet.get("vanished", []))
            self.settled.set_messages.extend(quiet.get("updated", []))
            self.settled.visual_changes = quiet.get("visual", [])
            self.settled.copied = quiet.get("copied") or self.settled.copied
            if not quiet["settled"]:
                self.unrest = str(quiet.get("why", "the page kept changing"))
            elif quiet.get("building", False):
                self.unrest = "a script is still adding to the page"
            else:
                pending = ((quiet.get(name, 0), what) for name, what in _LEFT.items())
                self.unrest = next((what.format(ms) for ms, what in pending if ms), None)
            if not quiet.get("more", False):
                return
