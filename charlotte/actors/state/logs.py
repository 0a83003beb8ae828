"""Logs of a tab: console messages, requests, downloads, notices; lists that cursors continue."""

import itertools
from base64 import b64decode, b64encode
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

import attrs

from charlotte.actors.state.messages import Conversation, MessageLog
from charlotte.actors.state.snapshots import Numbers
from charlotte.base.errors import LONGEST, SnapshotExpired, ellipsize
from charlotte.protocol import network
from charlotte.protocol.connection import CdpSession

T = TypeVar("T")

HeaderMap = Mapping[str, str]
ResponseSource = Literal["memory", "disk", "service_worker"]
"""The source of a response that did not come from the network: a cache or a service worker."""
ConsoleLevel = Literal["log", "info", "warn", "error", "debug"]

CAPACITY = 1000
"""Messages, requests or downloads kept per tab."""

_FIRST_ERROR_STATUS = 400
_SAFE_METHODS = {"GET", "HEAD", "OPTIONS", "TRACE"}
"""Methods of requests that change no state (RFC 9110)."""
ABORTED = "net::ERR_ABORTED"
CONNECTION = "connection"
"""The type of connections that belong to no request."""

_LONGEST_SHARED = 200
_MOST_HOPS = 50
_MOST_PARTS = 50
_KEPT = 20


@attrs.frozen
class ConsoleMessage:
    """One message of the console (C-CON-03).

    ``number`` is its number among the messages and failed requests of its tab. ``timestamp`` is ISO
    8601 in UTC. ``failed_url`` is set if the browser logged the failure of a request to that URL.
    """

    level: ConsoleLevel
    text: str
    timestamp: str
    number: int = attrs.field(default=0, eq=False)
    failed_url: str | None = attrs.field(default=None, eq=False)


@attrs.define(eq=False)
class ConsoleLog:
    """The last `CAPACITY` messages of a tab; outlives the console monitor.

    ``hidden`` redacts a text before it is cut. ``publish`` is called with each message. ``shows``
    returns whether lines of an origin or URL are kept: in the owner's profile, of granted ones.
    ``holders`` are the sessions in which the browser retains logged objects for inspection.
    ``documents_end`` is the number of the last message of documents that have ended.
    """

    hidden: Callable[[str], str] = str
    numbers: Numbers = attrs.field(factory=Numbers)
    messages: deque[ConsoleMessage] = attrs.field(factory=lambda: deque(maxlen=CAPACITY))
    dropped: int = 0
    documents_end: int = 0
    publish: Callable[[ConsoleMessage], None] = lambda _: None
    holders: list[CdpSession] = attrs.field(factory=list[CdpSession])
    shows: Callable[[str], bool] = lambda _: True

    def add(self, message: ConsoleMessage) -> None:
        """Keep and publish a message, dropping the oldest beyond `CAPACITY`."""
        self.dropped += len(self.messages) == CAPACITY
        numbered = attrs.evolve(message, number=next(self.numbers))
        self.messages.append(numbered)
        self.publish(numbered)

    def errors_since(self, number: int, *, warnings: bool = False) -> list[ConsoleMessage]:
        """Return the errors, and warnings if wanted, among the messages after a number."""
        levels = {"error", "warn"} if warnings else {"error"}
        return [one for one in self.messages if one.level in levels and one.number > number]

    def clear(self) -> None:
        """Drop all messages."""
        self.messages.clear()
        self.dropped = 0


def compact_headers(headers: HeaderMap) -> HeaderMap:
    """Return headers that share equal short texts and have long values cut."""

    def compact(text: str) -> str:
        if len(text) <= _LONGEST_SHARED:
            return _shared(text)
        return ellipsize(text, 8000)

    return {compact(name): compact(value) for name, value in headers.items()}


@lru_cache(maxsize=4096)
def _shared(text: str) -> str:
    """Return one instance for equal texts; `sys.intern` never frees them on CPython 3.12."""
    return text


def keep_headers(kept: list[HeaderMap], headers: HeaderMap) -> None:
    """Append the headers of one more hop, up to a limit."""
    if len(kept) < _MOST_HOPS:
        kept.append(compact_headers(headers))


@attrs.define(eq=False)
class WireHeaders:
    """Headers as they went over the wire, for each hop of a redirect chain in order.

    The browser reports them separately from the requests, in any order, and under one id for all
    hops. Hops that are answered without the network have none. ``hops`` counts the completed hops.
    """

    sent: list[HeaderMap] = attrs.field(factory=list[HeaderMap])
    received: list[HeaderMap] = attrs.field(factory=list[HeaderMap])
    hops: int = 0


@attrs.define
class HttpExchange:
    """Details of a request; times in seconds of the browser's clock.

    ``request_id`` is the CDP id of the request in the ``session`` that reported it. ``post_data``
    is the body of a short request. ``loader`` is the id of the document that sent it. A hop was
    answered with a redirect, whose target has the same CDP id. ``hop`` is the position among the
    ``wire`` headers, which apply unless ``was_on_wire`` turns out to be False.
    """

    request_id: str = ""
    session: CdpSession | None = attrs.field(default=None, repr=False)
    loader: str = ""
    is_hop: bool = False
    request_headers: HeaderMap = attrs.field(factory=dict[str, str])
    has_post_data: bool = False
    post_data: network.Body | None = None
    response: network.Response | None = None
    wire: WireHeaders = attrs.field(factory=WireHeaders, repr=False)
    hop: int = 0
    was_on_wire: bool | None = None
    was_in_memory: bool = False
    began: float = 0
    ended: float = 0
    size: float = -1

    @property
    def source(self) -> ResponseSource | None:
        """The cache or worker that answered, None for the network."""
        if self.response and self.response.from_service_worker:
            return "service_worker"
        if self.was_in_memory:
            return "memory"
        is_cached = self.response and self.response.from_disk_cache and self.size <= 0
        return "disk" if is_cached else None  # a revalidated response has a size

    @property
    def sent_headers(self) -> HeaderMap:
        """The request headers as sent over the wire, or else as requested by the page."""
        return self._on_wire(self.wire.sent) or self.request_headers

    @property
    def received_headers(self) -> HeaderMap:
        """The response headers, including those hidden from pages."""
        wire = self._on_wire(self.wire.received)
        names = {name.lower() for name in wire}
        reported = self.response.headers if self.response else {}
        return {
            **wire,
            **{name: value for name, value in reported.items() if name.lower() not in names},
        }

    def _on_wire(self, headers: Sequence[HeaderMap]) -> HeaderMap:
        """Return the headers of this hop; the last hop has the last headers."""
        own = headers[self.hop : self.hop + 1] if self.is_hop else headers[self.hop :]
        return own[-1] if own and self.was_on_wire is not False else {}


@attrs.define
class Bodies:
    """The bodies of a request and its response, None if the browser does not have them.

    ``is_late`` is set if a busy or hung page did not return them in time, ``is_forwarded`` if a
    service worker passed the response body on and no copy was kept.
    """

    sent: network.Body | None
    received: network.Body | None = None
    is_late: bool = False
    is_forwarded: bool = False


@attrs.define
class RequestRecord:
    """A request (C-REQ-05), the ``number``th of its tab.

    ``status`` is None while the request runs, 0 with ``error`` when it failed. ``failure`` is
    its number among the tab's failures and messages, else 0. ``by`` is the type of the worker that
    sent it, if any. A WebSocket or event stream has a ``conversation``. ``was_held`` is set if
    Charlotte did not let it pass, which a notice reports.
    """

    url: str
    method: str
    resource_type: str
    timestamp: str
    number: int
    status: int | None = None
    status_text: str = ""
    error: str | None = None
    failure: int = attrs.field(default=0, eq=False)
    by: str | None = None
    exchange: HttpExchange = attrs.field(factory=HttpExchange, eq=False)
    conversation: Conversation | None = attrs.field(default=None, eq=False, repr=False)
    was_held: bool = attrs.field(default=False, eq=False)

    @property
    def is_open(self) -> bool:
        """Whether messages may still arrive."""
        return self.conversation is not None and not self.exchange.ended and self.status != 0

    def without_messages(self) -> "RequestRecord":
        """Return the record with a conversation that begins now."""
        known = self.conversation
        fresh = known and Conversation(known.is_stream, known.epoch, is_cleared=True)
        return attrs.evolve(self, conversation=fresh)

    @property
    def is_cleared(self) -> bool:
        """Whether it was cleared from the list, and has had no message since."""
        known = self.conversation
        return known is not None and known.is_cleared and not known.kept

    @property
    def is_error(self) -> bool:
        """Whether answers report it unasked (C-ERR-05): a status from 400, or no response."""
        if self.status == 0:
            return self.error != ABORTED and not self.was_held
        return self.status is not None and self.status >= _FIRST_ERROR_STATUS

    def note_response(self, response: network.Response) -> None:
        """Record the response."""
        self.status, self.status_text = response.status, response.status_text
        headers = dict(compact_headers(response.headers))
        self.exchange.response = attrs.evolve(response, headers=headers)


def post_body(request: network.NetworkRequest) -> network.Body | None:
    """Return the body in a request's event, as bytes if it is not text; None if it has none."""
    if request.post_data is None:
        return None
    if request.post_data.isascii():
        return network.Body(request.post_data, base64_encoded=False)
    data = b"".join(b64decode(entry.bytes or "") for entry in request.post_data_entries)
    try:
        data.decode()
    except UnicodeDecodeError:
        return network.Body(b64encode(data).decode(), base64_encoded=True)
    return network.Body(request.post_data, base64_encoded=False)


@attrs.define(eq=False)
class RequestLog:
    """The last `CAPACITY` requests of a tab by CDP id; outlives the network monitor.

    ``hidden`` redacts secrets from a text. ``explain`` returns why a URL failed, from the browser's
    error. ``main_frame`` is the id of the tab's main frame. ``refusals`` are the reasons why
    Charlotte did not let requests pass, by CDP id, and ``socket_refusal`` the reason why WebSockets
    cannot be opened. Open WebSockets and event streams are dropped last; one that was cleared is
    listed again with its next message.
    """

    hidden: Callable[[str], str] = str
    numbers: Numbers = attrs.field(factory=Numbers)
    changing: deque[RequestRecord] | None = None
    """State-changing requests that the audit log does not have yet; None without an audit log."""
    explain: Callable[[str, str], str] = lambda _, reason: reason
    messages: MessageLog = attrs.field(
        default=attrs.Factory(lambda self: MessageLog(self.hidden), takes_self=True)
    )
    records: OrderedDict[str, RequestRecord] = attrs.field(factory=OrderedDict[str, RequestRecord])
    added: int = 0
    dropped: int = 0
    main_frame: str = ""
    refusals: OrderedDict[str, str] = attrs.field(factory=OrderedDict[str, str])
    socket_refusal: str | None = None
    _origins: dict[str | None, str | None] = attrs.field(factory=dict["str | None", "str | None"])
    _redirects: int = 0
    _left_out: int = 0
    _wire: OrderedDict[str, WireHeaders] = attrs.field(factory=OrderedDict[str, WireHeaders])

    @property
    def sites(self) -> frozenset[str]:
        """The origins of the documents in the tab's frames, including requested documents."""
        return frozenset(filter(None, self._origins.values()))

    def note_navigation(self, frame: str | None, origin: str | None) -> None:
        """Record the origin that a frame navigates to; the main frame replaces all frames."""
        if frame == self.main_frame:
            self._origins.clear()
        if frame in self._origins or len(self._origins) < CAPACITY:
            self._origins[frame] = origin

    def note_refusal(self, request_id: str, reason: str) -> None:
        """Record why Charlotte does not let a request pass, before the browser reports its end."""
        self.refusals[request_id] = reason
        if len(self.refusals) > CAPACITY:
            self.refusals.popitem(last=False)

    def refusal_of(self, record: RequestRecord) -> str | None:
        """Return why Charlotte did not let a request pass, if so."""
        return record.error if record.was_held else self.refusals.get(record.exchange.request_id)

    def errors_since(self, number: int) -> list[RequestRecord]:
        """Return the requests whose failures have higher numbers."""
        failed = [record for record in self.records.values() if record.failure > number]
        return sorted(failed, key=lambda record: record.number)

    def note_end(self, record: RequestRecord) -> None:
        """Assign a number among the failures to a request that failed."""
        if record.is_error and not record.failure:
            record.failure = next(self.numbers)

    def begin(self, request_id: str, record: RequestRecord) -> None:
        """Add a request that starts, dropping the oldest beyond `CAPACITY`."""
        self.records[request_id] = record
        self.added = max(self.added, record.number)
        if len(self.records) > CAPACITY:
            closed = (key for key, one in self.records.items() if not one.is_open)
            dropped = self.records.pop(next(closed, next(iter(self.records))))
            self.messages.forget(dropped.conversation)
            self.dropped += 1

    def note_sent(self, record: RequestRecord) -> None:
        """Keep a request for the audit log if it may change state."""
        if self.changing is not None and record.method not in _SAFE_METHODS:
            self._left_out += len(self.changing) == self.changing.maxlen
            self.changing.append(record)

    def take_left_out(self) -> int:
        """Return how many state-changing requests found no room since the last call."""
        left_out, self._left_out = self._left_out, 0
        return left_out

    def wire_headers(self, request_id: str) -> WireHeaders:
        """Return the wire headers of a request, which may arrive before the request itself."""
        if found := self._wire.get(request_id):
            return found
        if len(self._wire) == CAPACITY:
            self._wire.popitem(last=False)
        return self._wire.setdefault(request_id, WireHeaders())

    def redirect(self, event: network.RequestWillBeSent, response: network.Response) -> None:
        """Close the record of a hop, because the next hop has the same CDP id."""
        request_id = event.request_id
        if record := self.records.pop(request_id, None):
            record.note_response(response)
            exchange, was_on_wire = record.exchange, event.redirect_has_extra_info
            exchange.ended, exchange.is_hop = event.timestamp, True
            exchange.was_on_wire = was_on_wire
            exchange.wire.hops += was_on_wire is not False
            self._redirects += 1
            self.begin(f"{request_id}#{self._redirects}", record)

    def listed(self) -> list[RequestRecord]:
        """Return the requests, the oldest first."""
        listed = (one for one in self.records.values() if not one.is_cleared)
        return sorted(listed, key=lambda record: record.number)

    def clear(self) -> None:
        """Drop all messages, and all requests but open connections."""
        for record in self.records.values():
            self.messages.forget(record.conversation)
        self.records = OrderedDict(
            (key, one.without_messages()) for key, one in self.records.items() if one.is_open
        )
        self._wire.clear()
        self.dropped = 0


@attrs.define(eq=False)
class Download:
    """A download; ``state`` is ``in_progress``, ``completed`` or ``canceled``.

    ``path`` is set when the download is complete. ``id`` is a number that no other download has.
    """

    url: str
    name: str
    state: str = "in_progress"
    bytes: int = 0
    path: Path | None = None
    id: int = attrs.field(factory=itertools.count(1).__next__)

    def row(self) -> dict[str, Any]:
        """Return the row of the download in answers."""
        row: dict[str, Any] = {"name": self.name, "url": ellipsize(self.url, LONGEST)}
        row |= {"state": self.state, "bytes": self.bytes}
        return row | ({"path": str(self.path)} if self.path else {})


@attrs.define(eq=False)
class FoundLists(Generic[T]):
    """The last result lists of one tab, for cursors that continue them."""

    _lists: dict[int, tuple[Sequence[T], int]] = attrs.field(factory=dict[int, Any])
    numbers: Numbers = attrs.field(factory=Numbers, kw_only=True)

    def keep(self, found: Sequence[T], size: int = 0) -> int:
        """Store a list and the ``size`` of the parts that are sent; return its number."""
        number = next(self.numbers)
        self._lists[number] = found, size
        self._lists.pop(number - _KEPT, None)
        return number

    def forget(self, number: int) -> None:
        """Delete a list that was sent completely, so no cursor continues it."""
        self._lists.pop(number, None)

    def get(self, number: int) -> Sequence[T]:
        """Return a stored list; raises `SnapshotExpired`."""
        if number not in self._lists:
            raise SnapshotExpired(
                f"cursor not found: only the last {_KEPT} lists are stored.",
                "Repeat the call without a cursor; for a cut delta, call observe.",
            )
        return self._lists[number][0]

    def size_of(self, number: int) -> int:
        """Return the size of the parts of a stored list."""
        return self._lists[number][1]


@attrs.define(eq=False)
class ImageLog:
    """The last delivered image of each part of a tab: its digest, and the time since it is so."""

    _images: dict[str, tuple[bytes, str]] = attrs.field(factory=dict[str, tuple[bytes, str]])

    def unchanged_since(self, part: str, digest: bytes) -> str | None:
        """Return when the images of a part began to have that digest; None if the last has not."""
        last, since = self._images.get(part, (b"", ""))
        return since if last == digest else None

    def add(self, part: str, digest: bytes, time: str) -> None:
        """Store an image, dropping the oldest part beyond `_MOST_PARTS`."""
        since = self.unchanged_since(part, digest) or time
        self._images.pop(part, None)
        self._images[part] = digest, since
        while len(self._images) > _MOST_PARTS:
            del self._images[next(iter(self._images))]
