"""What is kept of a tab's requests, whether or not their monitor lives."""

from base64 import b64decode, b64encode
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Literal

import attrs

from charlotte.actors.state.wire_headers import Headers, Trail, kept, merged
from charlotte.protocol import network
from charlotte.protocol.session import Session

CAPACITY = 1000
_FIRST_ERROR_STATUS = 400
_ABORTED = "net::ERR_ABORTED"

Source = Literal["memory", "disk", "service_worker"]
"""What answers a request in the network's stead: one of the browser's caches, or a worker."""


@attrs.define
class Exchange:
    """What else is known of a request; times in seconds of the browser's clock.

    ``request_id`` is what CDP calls it in the session that it was ``told_by``, ``post_data`` its
    body where that is short. ``loader`` stands for the document that made it. A hop was answered
    with a redirect: what CDP calls by the same id is then where it led. Its ``place`` is among
    those in the ``trail`` whose headers are told, which ``was_on_wire`` is known of in the end.
    """

    request_id: str = ""
    told_by: Session | None = attrs.field(default=None, repr=False)
    loader: str = ""
    is_hop: bool = False
    request_headers: Headers = attrs.field(factory=dict[str, str])
    has_post_data: bool = False
    post_data: network.Body | None = None
    response: network.Response | None = None
    trail: Trail = attrs.field(factory=Trail, repr=False)
    place: int = 0
    was_on_wire: bool | None = None
    was_in_memory: bool = False
    began: float = 0
    ended: float = 0
    size: float = -1

    @property
    def source(self) -> Source | None:
        """What answered, if it was not the network, of which a cache may only have asked."""
        if self.response and self.response.from_service_worker:
            return "service_worker"
        if self.was_in_memory:
            return "memory"
        is_old = self.response and self.response.from_disk_cache and self.size <= 0
        return "disk" if is_old else None

    @property
    def sent_headers(self) -> Headers:
        """The request's headers as they went over the wire, or else as the page meant them."""
        return self._of(self.trail.sent) or self.request_headers

    @property
    def came_headers(self) -> Headers:
        """The response's headers, with those that pages do not get to see."""
        told = self.response.headers if self.response else {}
        return merged(told, self._of(self.trail.came))

    def _of(self, wire: Sequence[Headers]) -> Headers:
        """Its own among the headers of a trail: the last ones, if it was not sent elsewhere."""
        mine = wire[self.place : self.place + 1] if self.is_hop else wire[self.place :]
        return mine[-1] if mine and self.was_on_wire is not False else {}


@attrs.define
class Bodies:
    """The bodies of a request, None where the browser does not have them.

    ``is_late`` if a page that is busy or hangs did not hand them over in time, ``is_passed_on`` if
    no copy was kept of what came.
    """

    sent: network.Body | None
    came: network.Body | None = None
    is_late: bool = False
    is_passed_on: bool = False


@attrs.define
class RequestRecord:
    """One request (C-REQ-05), the tab's ``number``th.

    ``status`` is None while it runs, 0 with ``error`` when it failed. It was the ``failure``th
    that went wrong, if that is not 0. ``by`` is the kind of worker that made it, if one has.
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
    exchange: Exchange = attrs.field(factory=Exchange, eq=False)

    @property
    def is_error(self) -> bool:
        """Whether agents hear of it unasked (C-ERR-05): a status from 400, or no answer."""
        if self.status == 0:
            return self.error != _ABORTED
        return self.status is not None and self.status >= _FIRST_ERROR_STATUS

    @property
    def has_failed(self) -> bool:
        """Whether it went wrong or was given up, which agents hear of when they ask for it."""
        return self.is_error or self.status == 0

    def answered(self, response: network.Response) -> None:
        """Note what came back."""
        self.status, self.status_text = response.status, response.status_text
        self.exchange.response = attrs.evolve(response, headers=dict(kept(response.headers)))


def posted(request: network.Request) -> network.Body | None:
    """What a request's event has of its body: where that is no text, its bytes."""
    if request.post_data is None:
        return None
    if request.post_data.isascii():
        return network.Body(request.post_data, base64_encoded=False)
    data = b"".join(b64decode(one.bytes or "") for one in request.post_data_entries)
    try:
        data.decode()
    except UnicodeDecodeError:
        return network.Body(b64encode(data).decode(), base64_encoded=True)
    return network.Body(request.post_data, base64_encoded=False)


@attrs.define(eq=False)
class RequestLog:
    """The last `CAPACITY` requests of a tab by CDP id, and how many were dropped.

    Outlives its monitor. ``max_chars`` tells how long an answer about them may be, ``hidden`` takes
    secrets out of a text. ``main_frame`` is the tab's own.
    """

    tab_id: str | None = None
    max_chars: Callable[[], int] = lambda: 40_000
    hidden: Callable[[str], str] = str
    records: OrderedDict[str, RequestRecord] = attrs.field(factory=OrderedDict[str, RequestRecord])
    added: int = 0
    dropped: int = 0
    failures: int = 0
    main_frame: str = ""
    _origins: dict[str | None, str | None] = attrs.field(factory=dict["str | None", "str | None"])
    _redirects: int = 0
    _trails: OrderedDict[str, Trail] = attrs.field(factory=OrderedDict[str, Trail])
    _failed: dict[int, RequestRecord] = attrs.field(factory=dict[int, RequestRecord])

    def document(self, loader: str) -> RequestRecord | None:
        """The request that brought a document, if it is kept: its loader is called after it."""
        return self.records.get(loader)

    @property
    def sites(self) -> frozenset[str]:
        """The origins of the documents in the tab's frames, also of those on their way."""
        return frozenset(filter(None, self._origins.values()))

    def goes(self, frame: str | None, origin: str | None) -> None:
        """A frame is sent to a document; with the main one, all others go."""
        if frame == self.main_frame:
            self._origins.clear()
        if frame in self._origins or len(self._origins) < CAPACITY:
            self._origins[frame] = origin

    def errors_since(self, failures: int) -> list[RequestRecord]:
        """Requests that went wrong after so many others had."""
        failed = [one for number, one in self._failed.items() if number > failures]
        return sorted(failed, key=lambda one: one.number)

    def ended(self, record: RequestRecord) -> None:
        """Count it, if it went wrong."""
        if record.is_error and not record.failure:
            self.failures += 1
            record.failure = self.failures
            self._failed[record.failure] = record

    def begin(self, request_id: str, record: RequestRecord) -> None:
        """Note a request that starts."""
        self.records[request_id] = record
        self.added = max(self.added, record.number)
        if len(self.records) > CAPACITY:
            _, oldest = self.records.popitem(last=False)
            self._failed.pop(oldest.failure, None)
            self.dropped += 1

    def trail(self, request_id: str) -> Trail:
        """What went over the wire for a request, of which little else may be known yet."""
        if found := self._trails.get(request_id):
            return found
        if len(self._trails) == CAPACITY:
            self._trails.popitem(last=False)
        return self._trails.setdefault(request_id, Trail())

    def redirect(self, event: network.RequestWillBeSent, response: network.Response) -> None:
        """Close the record of a hop; the next hop comes under the same CDP id."""
        request_id = event.request_id
        if record := self.records.pop(request_id, None):
            record.answered(response)
            exchange, was_on_wire = record.exchange, event.redirect_has_extra_info
            exchange.ended, exchange.is_hop = event.timestamp, True
            exchange.was_on_wire = was_on_wire
            exchange.trail.places += was_on_wire is not False
            self._redirects += 1
            self.begin(f"{request_id}#{self._redirects}", record)

    def clear(self) -> None:
        """Forget everything."""
        self.records.clear()
        self._failed.clear()
        self._trails.clear()
        self.dropped = 0
