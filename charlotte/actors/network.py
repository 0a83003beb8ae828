"""The network monitor: an actor per tab that writes down its requests and how they ended."""

from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import NoReturn, TypeVar

import attrs
import trio

from charlotte.actors.frame_monitors import Wanted, follow_frames
from charlotte.browser.floods import rest_from_floods
from charlotte.clock import from_seconds
from charlotte.errors import Fatal
from charlotte.files import Roots
from charlotte.protocol import network
from charlotte.protocol.connection import Connection
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.session import Session, Subscription, open_session
from charlotte.protocol.wire import Command

CAPACITY = 1000
_URL_LIMIT = 2000
_FIRST_ERROR_STATUS = 400
_ABORTED = "net::ERR_ABORTED"
BODY_WAIT = 2.0
"""Seconds in which a page hands over the bodies of a request."""

R = TypeVar("R")

NetworkEvent = (
    network.RequestWillBeSent
    | network.ResponseReceived
    | network.LoadingFinished
    | network.LoadingFailed
)
_FOLLOWED: tuple[type[NetworkEvent], ...] = (
    network.RequestWillBeSent,
    network.ResponseReceived,
    network.LoadingFinished,
    network.LoadingFailed,
)


@attrs.define
class Exchange:
    """What else is known of a request; times in seconds of the browser's clock.

    ``request_id`` is what CDP calls it, ``post_data`` its body where that is short.
    """

    request_id: str = ""
    request_headers: Mapping[str, str] = attrs.field(factory=dict[str, str])
    has_post_data: bool = False
    post_data: str | None = None
    response: network.Response | None = None
    began: float = 0
    ended: float = 0
    size: float = -1


@attrs.define
class Bodies:
    """The bodies of a request, None where the browser does not have them.

    ``is_late`` if a page that is busy or hangs did not hand them over in time.
    """

    sent: str | None
    came: network.Body | None = None
    is_late: bool = False


@attrs.define
class RequestRecord:
    """One request (C-REQ-05), the tab's ``number``th.

    ``status`` is None while it runs, 0 with ``error`` when it failed. It was the ``failure``th
    that went wrong, if that is not 0.
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
    exchange: Exchange = attrs.field(factory=Exchange, eq=False)

    @property
    def is_error(self) -> bool:
        """Whether agents hear of it unasked (C-ERR-05): a status from 400, or no answer."""
        if self.status == 0:
            return self.error != _ABORTED
        return self.status is not None and self.status >= _FIRST_ERROR_STATUS

    def answered(self, response: network.Response) -> None:
        """Note what came back."""
        self.status, self.status_text = response.status, response.status_text
        self.exchange.response = response


@attrs.define(eq=False)
class RequestLog:
    """The last `CAPACITY` requests of a tab by CDP id, and how many were dropped.

    Outlives its monitor. ``max_chars`` tells how long an answer about them may be, ``hidden`` takes
    secrets out of a text.
    """

    tab_id: str | None = None
    max_chars: Callable[[], int] = lambda: 40_000
    hidden: Callable[[str], str] = str
    records: OrderedDict[str, RequestRecord] = attrs.field(factory=OrderedDict[str, RequestRecord])
    added: int = 0
    dropped: int = 0
    failures: int = 0
    _redirects: int = 0
    _failed: dict[int, RequestRecord] = attrs.field(factory=dict[int, RequestRecord])

    def document(self, loader: str) -> RequestRecord | None:
        """The request that brought a document, if it is kept: its loader is called after it."""
        return self.records.get(loader)

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

    def redirect(self, request_id: str, response: network.Response, ended: float) -> None:
        """Close the record of a hop; the next hop comes under the same CDP id."""
        if record := self.records.pop(request_id, None):
            record.answered(response)
            record.exchange.ended = ended
            self._redirects += 1
            self.begin(f"{request_id}#{self._redirects}", record)

    def clear(self) -> None:
        """Forget everything."""
        self.records.clear()
        self._failed.clear()
        self.dropped = 0


class NetworkMonitor:
    """The actor's state: where it writes, and what the requests tool asks of it."""

    def __init__(self, kept: RequestLog, session: Session, writable: Callable[[], Roots]) -> None:
        self._log = kept
        self._session = session
        self.tab_id = kept.tab_id
        self.max_chars = kept.max_chars
        self.hidden = kept.hidden
        self.writable = writable

    async def read(self, *, clear: bool) -> tuple[list[RequestRecord], int]:
        """All requests, oldest first, and how many were dropped before them."""
        records, dropped = list(self._log.records.values()), self._log.dropped
        if clear:
            self._log.clear()
        return records, dropped

    async def bodies(self, record: RequestRecord) -> Bodies:
        """What was sent and what came back, as far as the page tells within `BODY_WAIT`."""
        exchange = record.exchange
        found = Bodies(sent=exchange.post_data)
        with trio.move_on_after(BODY_WAIT) as wait:
            if found.sent is None and exchange.has_post_data:
                asked = network.GetRequestPostData(request_id=exchange.request_id)
                posted = await self._if_there(asked)
                found.sent = posted.post_data if posted else None
            found.came = await self._if_there(
                network.GetResponseBody(request_id=exchange.request_id)
            )
        found.is_late = wait.cancelled_caught
        return found

    async def _if_there(self, command: Command[R]) -> R | None:
        try:
            return await self._session.call(command)
        except Fatal:
            raise
        except ProtocolError:
            return None

    async def follow(self, _: Session, events: Subscription[NetworkEvent]) -> NoReturn:
        """Write down events; raises `SessionGone` when the session is detached."""
        while True:
            event = await events.next()
            self._log.dropped += events.take_lost()
            self._note(event)

    def _note(self, event: NetworkEvent) -> None:
        match event:
            case network.RequestWillBeSent():
                self._begin(event)
            case network.ResponseReceived(request_id):
                if record := self._log.records.get(request_id):
                    record.answered(event.response)
                    self._log.ended(record)
            case network.LoadingFinished(request_id):
                if record := self._log.records.get(request_id):
                    record.exchange.ended = event.timestamp
                    record.exchange.size = event.encoded_data_length
            case network.LoadingFailed(request_id):
                if (record := self._log.records.get(request_id)) and record.status is None:
                    record.status, record.error = 0, event.blocked_reason or event.error_text
                    self._log.ended(record)

    def _begin(self, event: network.RequestWillBeSent) -> None:
        if event.redirect_response is not None:
            self._log.redirect(event.request_id, event.redirect_response, event.timestamp)
        record = RequestRecord(
            url=self._log.hidden(event.request.url)[:_URL_LIMIT],
            method=event.request.method,
            resource_type=event.type.lower(),
            timestamp=from_seconds(event.wall_time),
            number=self._log.added + 1,
            exchange=Exchange(
                request_id=event.request_id,
                request_headers=event.request.headers,
                has_post_data=event.request.has_post_data,
                post_data=event.request.post_data,
                began=event.timestamp,
            ),
        )
        self._log.begin(event.request_id, record)


async def _rest(session: Session) -> None:
    await rest_from_floods(session, lambda: None)  # the tab tells of it


@asynccontextmanager
async def open_network(
    connection: Connection,
    target_id: str,
    kept: RequestLog,
    writable: Callable[[], Roots],
) -> AsyncGenerator[NetworkMonitor]:
    """Attach to the target and follow its requests."""
    async with open_session(connection, target_id) as session:
        with session.events(*_FOLLOWED) as events:
            async with trio.open_nursery() as nursery:
                monitor = NetworkMonitor(kept, session, writable)
                await session.begin(network.Enable())  # a busy renderer may answer much later
                wanted = Wanted([network.Enable()], _FOLLOWED, monitor.follow, [_rest])
                nursery.start_soon(monitor.follow, session, events)
                nursery.start_soon(_rest, session)
                nursery.start_soon(follow_frames, connection, session, wanted, nursery)
                yield monitor
                nursery.cancel_scope.cancel("network closed")
