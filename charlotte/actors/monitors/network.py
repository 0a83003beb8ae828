"""The network monitor: an actor per tab that records requests and how they ended."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import NoReturn, TypeVar, get_args

import attrs
import trio

from charlotte.actors.monitors.frame_monitors import SessionMonitor, monitoring
from charlotte.actors.state import logs
from charlotte.browser.emulation import DOCUMENT
from charlotte.browser.event_throttle import NETWORK, throttle
from charlotte.errors import InvalidArgument
from charlotte.log import from_seconds
from charlotte.protocol import network
from charlotte.protocol.connection import Connection, Session, Subscription, open_session
from charlotte.protocol.errors import Refused
from charlotte.protocol.wire import Command
from charlotte.urls import origin_of

BODY_WAIT = 2.0
"""Seconds for a page to return the bodies of a request."""

_URL_LIMIT = 2000

RequestEvent = (
    network.RequestWillBeSent
    | network.RequestWillBeSentExtraInfo
    | network.ResponseReceivedExtraInfo
    | network.RequestServedFromCache
    | network.ResponseReceived
    | network.LoadingFinished
    | network.LoadingFailed
)
FOLLOWED: tuple[type[RequestEvent], ...] = get_args(RequestEvent)

R = TypeVar("R")


def note_event(
    log: logs.RequestLog, session: Session, event: RequestEvent, by: str | None = None
) -> None:
    """Record an event of a session; ``by`` is the type of the worker, if a worker sent it."""
    record = log.records.get(event.request_id)
    match event:
        case network.RequestWillBeSent():
            _begin(log, session, event, by)
        case network.RequestWillBeSentExtraInfo(request_id, headers):
            logs.keep_headers(log.wire_headers(request_id).sent, headers)
        case network.ResponseReceivedExtraInfo(request_id, headers):
            logs.keep_headers(log.wire_headers(request_id).received, headers)
        case network.RequestServedFromCache() if record:
            record.exchange.was_in_memory = True
        case network.ResponseReceived() if record:
            record.note_response(event.response)
            record.exchange.was_on_wire, record.exchange.session = event.has_extra_info, session
            log.note_end(record)
        case network.LoadingFinished(_, timestamp, size) if record:
            record.exchange.ended, record.exchange.size = timestamp, size
        case network.LoadingFailed() if record and record.status is None:
            record.status, record.error = 0, event.blocked_reason or event.error_text
            log.note_end(record)
        case _:
            pass


def _begin(
    log: logs.RequestLog, session: Session, event: network.RequestWillBeSent, by: str | None
) -> None:
    if event.type == DOCUMENT:
        log.note_navigation(event.frame_id, origin_of(event.request.url))
    if event.redirect_response is not None:
        log.redirect(event, event.redirect_response)
    wire = log.wire_headers(event.request_id)
    record = logs.RequestRecord(
        url=log.hidden(event.request.url)[:_URL_LIMIT],
        method=event.request.method,
        resource_type=event.type.lower(),
        timestamp=from_seconds(event.wall_time),
        number=log.added + 1,
        by=by,
        exchange=logs.HttpExchange(
            request_id=event.request_id,
            session=session,
            loader=event.loader_id,
            request_headers=logs.compact_headers(event.request.headers),
            has_post_data=event.request.has_post_data,
            post_data=logs.post_body(event.request),
            wire=wire,
            hop=wire.hops,
            began=event.timestamp,
        ),
    )
    log.begin(event.request_id, record)


@attrs.define(eq=False)
class NetworkMonitor:
    """State of the network actor."""

    _log: logs.RequestLog
    _session: Session

    async def read(self, *, clear: bool) -> tuple[list[logs.RequestRecord], int]:
        """Return all requests, oldest first, and how many earlier requests were dropped."""
        records, dropped = list(self._log.records.values()), self._log.dropped
        if clear:
            self._log.clear()
        return records, dropped

    async def read_one(self, number: int, *, clear: bool) -> tuple[logs.RequestRecord, logs.Bodies]:
        """Return a request, and its bodies as far as the page returns them within `BODY_WAIT`."""
        records, _ = await self.read(clear=clear)
        record = next((record for record in records if record.number == number), None)
        if record is None:
            raise InvalidArgument(
                f"Request {number} not found.",
                "Pass an id that requests returned; it drops the oldest and forgets cleared ones.",
            )
        exchange = record.exchange
        bodies = logs.Bodies(sent=exchange.post_data)
        source = exchange.session
        session = source if source and source.is_open else self._session
        with trio.move_on_after(BODY_WAIT) as wait:
            if bodies.sent is None and exchange.has_post_data:
                post_data = network.GetRequestPostData(request_id=exchange.request_id)
                if reply := await _call(session, post_data):
                    bodies.sent = network.Body(reply.post_data, reply.base64_encoded)
            if not exchange.is_hop:
                body = network.GetResponseBody(request_id=exchange.request_id)
                bodies.received = await _call(session, body)
                bodies.is_forwarded = _is_forwarded(record, bodies.received)
        bodies.is_late = wait.cancelled_caught
        return record, bodies

    async def follow(self, session: Session, events: Subscription[RequestEvent]) -> NoReturn:
        """Record events; raises `SessionGone` when the session is detached."""
        while True:
            event = await events.next()
            self._log.dropped += events.take_lost()
            note_event(self._log, session, event)


def _is_forwarded(record: logs.RequestRecord, body: network.Body | None) -> bool:
    """Return whether a body is empty only because a service worker passed it on uncopied."""
    headers = {name.lower(): value for name, value in record.exchange.received_headers.items()}
    length = headers.get("content-length", "0")
    return body is not None and not body.body and length != "0" and record.method != "HEAD"


async def _call(session: Session, command: Command[R]) -> R | None:
    """Return the reply to a command, None if the browser does not have the data."""
    try:
        return await session.call(command)
    except Refused:
        return None


async def _throttle(session: Session) -> None:
    await throttle(session, NETWORK, has_page=False)  # the tab reports the flood


@asynccontextmanager
async def open_network(
    connection: Connection, target_id: str, request_log: logs.RequestLog
) -> AsyncGenerator[NetworkMonitor]:
    """Attach to the target and follow its requests."""
    async with open_session(connection, target_id) as session:
        request_log.main_frame = target_id
        monitor = NetworkMonitor(request_log, session)
        sessions = SessionMonitor([network.EnableNetwork()], FOLLOWED, monitor.follow, _throttle)
        async with monitoring(connection, session, sessions):
            yield monitor
