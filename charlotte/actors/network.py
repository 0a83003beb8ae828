"""The network monitor: an actor per tab that writes down its requests and how they ended."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import NoReturn, TypeVar

import trio

from charlotte.actors.frame_monitors import Wanted, follow_frames
from charlotte.actors.request_log import Bodies, Exchange, RequestLog, RequestRecord, posted
from charlotte.actors.trails import kept
from charlotte.browser.floods import rest_from_floods
from charlotte.clock import from_seconds
from charlotte.errors import Fatal
from charlotte.files import Roots
from charlotte.protocol import network
from charlotte.protocol.connection import Connection
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.session import Session, Subscription, open_session
from charlotte.protocol.wire import Command

_URL_LIMIT = 2000
BODY_WAIT = 2.0
"""Seconds in which a page hands over the bodies of a request."""

R = TypeVar("R")

NetworkEvent = (
    network.RequestWillBeSent
    | network.RequestWillBeSentExtraInfo
    | network.ResponseReceivedExtraInfo
    | network.ResponseReceived
    | network.LoadingFinished
    | network.LoadingFailed
)
_FOLLOWED: tuple[type[NetworkEvent], ...] = (
    network.RequestWillBeSent,
    network.RequestWillBeSentExtraInfo,
    network.ResponseReceivedExtraInfo,
    network.ResponseReceived,
    network.LoadingFinished,
    network.LoadingFailed,
)


class NetworkMonitor:
    """The actor's state: where it writes, and what the requests tool asks of it."""

    def __init__(self, kept: RequestLog, session: Session, writable: Callable[[], Roots]) -> None:
        self._log = kept
        self._session = session
        self._heard = set[Session]()
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
        session = exchange.told_by if exchange.told_by in self._heard else self._session
        with trio.move_on_after(BODY_WAIT) as wait:
            if found.sent is None and exchange.has_post_data:
                asked = network.GetRequestPostData(request_id=exchange.request_id)
                if told := await _if_there(session, asked):
                    found.sent = network.Body(told.post_data, told.base64_encoded)
            if not exchange.is_hop:
                asked_for = network.GetResponseBody(request_id=exchange.request_id)
                found.came = await _if_there(session, asked_for)
        found.is_late = wait.cancelled_caught
        return found

    async def follow(self, session: Session, events: Subscription[NetworkEvent]) -> NoReturn:
        """Write down events; raises `SessionGone` when the session is detached."""
        self._heard.add(session)
        try:
            while True:
                event = await events.next()
                self._log.dropped += events.take_lost()
                self._note(session, event)
        finally:
            self._heard.discard(session)

    def _note(self, session: Session, event: NetworkEvent) -> None:
        match event:
            case network.RequestWillBeSent():
                self._begin(session, event)
            case network.RequestWillBeSentExtraInfo(request_id, headers):
                self._log.trail(request_id).note_sent(headers)
            case network.ResponseReceivedExtraInfo(request_id, headers):
                self._log.trail(request_id).note_came(headers)
            case network.ResponseReceived(request_id):
                if record := self._log.records.get(request_id):
                    record.answered(event.response)
                    record.exchange.was_on_wire = event.has_extra_info
                    record.exchange.told_by = session
                    self._log.ended(record)
            case network.LoadingFinished(request_id):
                if record := self._log.records.get(request_id):
                    record.exchange.ended = event.timestamp
                    record.exchange.size = event.encoded_data_length
            case network.LoadingFailed(request_id):
                if (record := self._log.records.get(request_id)) and record.status is None:
                    record.status, record.error = 0, event.blocked_reason or event.error_text
                    self._log.ended(record)

    def _begin(self, session: Session, event: network.RequestWillBeSent) -> None:
        if event.redirect_response is not None:
            self._log.redirect(event, event.redirect_response)
        trail = self._log.trail(event.request_id)
        record = RequestRecord(
            url=self._log.hidden(event.request.url)[:_URL_LIMIT],
            method=event.request.method,
            resource_type=event.type.lower(),
            timestamp=from_seconds(event.wall_time),
            number=self._log.added + 1,
            exchange=Exchange(
                request_id=event.request_id,
                told_by=session,
                request_headers=kept(event.request.headers),
                has_post_data=event.request.has_post_data,
                post_data=posted(event.request),
                trail=trail,
                place=trail.places,
                began=event.timestamp,
            ),
        )
        self._log.begin(event.request_id, record)


async def _if_there(session: Session, command: Command[R]) -> R | None:
    try:
        return await session.call(command)
    except Fatal:
        raise
    except ProtocolError:
        return None


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
