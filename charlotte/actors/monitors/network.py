"""The network monitor: an actor per tab that records requests and how they ended."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import NoReturn, TypeVar, get_args

import attrs
import trio

from charlotte.actors.monitors.frame_monitors import SessionMonitor, monitoring
from charlotte.actors.state import logs
from charlotte.actors.state.messages import Conversation
from charlotte.base.errors import InvalidArgument, ellipsize
from charlotte.base.log import from_seconds, now
from charlotte.base.urls import origin_of
from charlotte.browser.emulation import DOCUMENT
from charlotte.browser.world.event_throttle import NETWORK, throttle
from charlotte.protocol import network
from charlotte.protocol.connection import CdpSession, Connection, Subscription, open_session
from charlotte.protocol.errors import Refused, SessionGone
from charlotte.protocol.wire import Command

BODY_WAIT = 2.0
"""Seconds for a page to return the bodies of a request."""

ARCHIVE_WAIT = 5.0
"""Seconds for a page to return the bodies of an archive."""

LONGEST_BODY = 5_000_000
"""Bytes of the longest body in an archive."""

MOST_BODIES = 20_000_000
"""Characters of all bodies in an archive."""

_URL_LIMIT = 2000

ConnectionEvent = (
    network.WebSocketCreated
    | network.WebSocketHandshakeSent
    | network.WebSocketOpened
    | network.WebSocketFrameReceived
    | network.WebSocketFrameSent
    | network.WebSocketFailed
    | network.WebSocketClosed
    | network.EventSourceMessageReceived
)
"""Events of WebSockets and event streams."""

CONNECTION_EVENTS: tuple[type[ConnectionEvent], ...] = get_args(ConnectionEvent)

RequestEvent = (
    network.RequestWillBeSent
    | network.RequestWillBeSentExtraInfo
    | network.ResponseReceivedExtraInfo
    | network.RequestServedFromCache
    | network.ResponseReceived
    | network.LoadingFinished
    | network.LoadingFailed
    | ConnectionEvent
)
FOLLOWED: tuple[type[RequestEvent], ...] = get_args(RequestEvent)

R = TypeVar("R")


def note_event(
    log: logs.RequestLog, session: CdpSession, event: RequestEvent, by: str | None = None
) -> None:
    """Record an event of a session; ``by`` is the type of the worker, if a worker sent it."""
    if isinstance(event, CONNECTION_EVENTS):  # first, because thousands may arrive
        _note_connection(log, session, event, by)
        return
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
            refusal = log.refusals.pop(event.request_id, None)
            record.was_held, record.status = refusal is not None, 0
            reason = refusal or event.blocked_reason
            record.error = reason or log.explain(record.url, event.error_text)
            log.note_end(record)
        case network.LoadingFailed() if record and record.conversation:
            record.exchange.ended = event.timestamp
        case _:
            pass


def _begin_socket(
    log: logs.RequestLog, session: CdpSession, event: network.WebSocketCreated, by: str | None
) -> None:
    record = logs.RequestRecord(
        url=ellipsize(log.hidden(event.url), _URL_LIMIT),
        method="GET",
        resource_type="websocket",
        timestamp=now(),
        number=log.added + 1,
        by=by,
        exchange=logs.HttpExchange(request_id=event.request_id, session=session),
        conversation=Conversation(),
    )
    log.begin(event.request_id, record)


def _note_connection(
    log: logs.RequestLog, session: CdpSession, event: ConnectionEvent, by: str | None
) -> None:
    """Record an event of a WebSocket or event stream."""
    if isinstance(event, network.WebSocketCreated):
        _begin_socket(log, session, event, by)
        return
    record = log.records.get(event.request_id)
    if record is None or (conversation := record.conversation) is None:
        return
    exchange = record.exchange
    match event:
        case network.WebSocketFrameReceived(_, at, payload):
            is_sent, is_binary = isinstance(event, network.WebSocketFrameSent), payload.opcode != 1
            log.messages.add(
                conversation, payload.payload_data, at, is_sent=is_sent, is_binary=is_binary
            )
        case network.EventSourceMessageReceived(_, at, data, name, event_id):
            log.messages.add(conversation, data, at, event=name, event_id=event_id)
        case network.WebSocketHandshakeSent(_, began, wall_time, request):
            exchange.began, exchange.request_headers = began, logs.compact_headers(request.headers)
            conversation.epoch = wall_time - began
            record.timestamp = from_seconds(wall_time)
        case network.WebSocketOpened():
            record.note_response(event.response)
        case network.WebSocketFailed():
            record.error = log.socket_refusal or log.explain(record.url, event.error_message)
        case network.WebSocketClosed():
            exchange.ended = event.timestamp
            if record.status is None:
                # not numbered among the failures: the console always reports it
                record.status, record.error = 0, record.error or logs.ABORTED
        case _:
            pass


def _begin(
    log: logs.RequestLog, session: CdpSession, event: network.RequestWillBeSent, by: str | None
) -> None:
    if event.type == DOCUMENT:
        log.note_navigation(event.frame_id, origin_of(event.request.url))
    if event.redirect_response is not None:
        log.redirect(event, event.redirect_response)
    wire, conversation = log.wire_headers(event.request_id), None
    if event.type == "EventSource":
        conversation = Conversation(is_stream=True, epoch=event.wall_time - event.timestamp)
    record = logs.RequestRecord(
        url=ellipsize(log.hidden(event.request.url), _URL_LIMIT),
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
        conversation=conversation,
    )
    log.begin(event.request_id, record)
    log.note_sent(record)


@attrs.define(eq=False)
class NetworkMonitor:
    """State of the network actor."""

    _log: logs.RequestLog
    _session: CdpSession

    async def read(self, *, clear: bool) -> tuple[list[logs.RequestRecord], int]:
        """Return all requests, oldest first, and how many earlier requests were dropped."""
        records, dropped = self._log.listed(), self._log.dropped
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
        bodies = logs.Bodies(record.exchange.post_data)
        with trio.move_on_after(BODY_WAIT) as wait:
            await self._read_bodies(record, bodies)
        bodies.is_late = wait.cancelled_caught
        return record, bodies

    async def read_bodies(self, records: Sequence[logs.RequestRecord]) -> dict[int, logs.Bodies]:
        """Return the bodies of requests by number, as far as the page still has them.

        The newest come first, until the page takes `BODY_WAIT` for one, or `ARCHIVE_WAIT` for all.
        Bodies beyond `LONGEST_BODY` and `MOST_BODIES` are left out.
        """
        found = {record.number: logs.Bodies(record.exchange.post_data) for record in records}
        room, ends = MOST_BODIES, trio.current_time() + ARCHIVE_WAIT
        for record in reversed(records):
            if record.exchange.size > LONGEST_BODY or room <= 0:
                continue
            bodies = found[record.number]
            with trio.move_on_at(min(ends, trio.current_time() + BODY_WAIT)) as wait:
                await self._read_bodies(record, bodies)
            if wait.cancelled_caught:
                break
            room -= sum(len(one.body) for one in (bodies.sent, bodies.received) if one)
        return found

    async def _read_bodies(self, record: logs.RequestRecord, bodies: logs.Bodies) -> None:
        """Add the bodies that the browser has; connections have messages instead."""
        exchange = record.exchange
        source = exchange.session
        session = source if source and source.is_open else self._session
        if bodies.sent is None and exchange.has_post_data:
            post_data = network.GetRequestPostData(request_id=exchange.request_id)
            if reply := await _call(session, post_data):
                bodies.sent = network.Body(reply.post_data, reply.base64_encoded)
        if not exchange.is_hop and record.conversation is None:
            body = network.GetResponseBody(request_id=exchange.request_id)
            bodies.received = received = await _call(session, body)
            headers = {name.lower(): value for name, value in exchange.received_headers.items()}
            is_empty = headers.get("content-length", "0") == "0" or record.method == "HEAD"
            # a service worker passed the body on uncopied
            bodies.is_forwarded = received is not None and not (received.body or is_empty)

    async def throttle(self, session: CdpSession) -> None:
        """Pause the events of a session during floods, which the tab reports."""
        await throttle(session, NETWORK, self._log.messages.note_pause, has_page=False)

    async def follow(self, session: CdpSession, events: Subscription[RequestEvent]) -> NoReturn:
        """Record events; raises `SessionGone` when the session is detached."""
        while True:
            event = await events.next()
            self._log.dropped += events.take_lost()
            note_event(self._log, session, event)


async def _call(session: CdpSession, command: Command[R]) -> R | None:
    """Return the reply to a command, None if the browser does not have the data."""
    try:
        return await session.call(command)
    except (Refused, SessionGone):
        return None


@asynccontextmanager
async def open_network(
    connection: Connection, target_id: str, request_log: logs.RequestLog
) -> AsyncGenerator[NetworkMonitor]:
    """Attach to the target and follow its requests."""
    async with open_session(connection, target_id) as session:
        request_log.main_frame = target_id
        monitor = NetworkMonitor(request_log, session)
        sessions = SessionMonitor(
            [network.EnableNetwork()], FOLLOWED, monitor.follow, monitor.throttle
        )
        async with monitoring(connection, session, sessions):
            yield monitor
