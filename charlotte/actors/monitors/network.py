"""The network monitor: an actor per tab that writes down its requests and how they ended."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import NoReturn, TypeVar

import trio

from charlotte.actors.monitors.frame_monitors import Wanted, follow_frames
from charlotte.actors.monitors.request_notes import FOLLOWED, NetworkEvent, note
from charlotte.actors.state.request_log import Bodies, RequestLog, RequestRecord
from charlotte.browser.event_throttle import rest_from_floods
from charlotte.errors import Fatal
from charlotte.files import Roots
from charlotte.protocol import network
from charlotte.protocol.connection import Connection
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.session import Session, Subscription, open_session
from charlotte.protocol.wire import Command

BODY_WAIT = 2.0
"""Seconds in which a page hands over the bodies of a request."""

R = TypeVar("R")


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
        told_by = exchange.told_by
        session = told_by if told_by and told_by.is_open else self._session
        with trio.move_on_after(BODY_WAIT) as wait:
            if found.sent is None and exchange.has_post_data:
                asked = network.GetRequestPostData(request_id=exchange.request_id)
                if told := await _if_there(session, asked):
                    found.sent = network.Body(told.post_data, told.base64_encoded)
            if not exchange.is_hop:
                asked_for = network.GetResponseBody(request_id=exchange.request_id)
                found.came = await _if_there(session, asked_for)
                found.is_passed_on = _is_passed_on(record, found.came)
        found.is_late = wait.cancelled_caught
        return found

    async def follow(self, session: Session, events: Subscription[NetworkEvent]) -> NoReturn:
        """Write down events; raises `SessionGone` when the session is detached."""
        while True:
            event = await events.next()
            self._log.dropped += events.take_lost()
            note(self._log, session, event)


def _is_passed_on(record: RequestRecord, came: network.Body | None) -> bool:
    """Whether there was more than nothing: a service worker that hands it on keeps no copy."""
    headers = {name.lower(): value for name, value in record.exchange.came_headers.items()}
    length = headers.get("content-length", "0")
    return came is not None and not came.body and length != "0" and record.method != "HEAD"


async def _if_there(session: Session, command: Command[R]) -> R | None:
    try:
        return await session.call(command)
    except Fatal:
        raise
    except ProtocolError:
        return None


async def _rest(session: Session) -> None:
    await rest_from_floods(session, lambda: None, has_page=False)  # the tab tells of it


@asynccontextmanager
async def open_network(
    connection: Connection,
    target_id: str,
    kept: RequestLog,
    writable: Callable[[], Roots],
) -> AsyncGenerator[NetworkMonitor]:
    """Attach to the target and follow its requests."""
    async with open_session(connection, target_id) as session:
        with session.events(*FOLLOWED) as events:
            async with trio.open_nursery() as nursery:
                kept.main_frame = target_id
                monitor = NetworkMonitor(kept, session, writable)
                await session.begin(network.Enable())  # a busy renderer may answer much later
                wanted = Wanted([network.Enable()], FOLLOWED, monitor.follow, [_rest])
                nursery.start_soon(monitor.follow, session, events)
                nursery.start_soon(_rest, session)
                nursery.start_soon(follow_frames, connection, session, wanted, nursery)
                yield monitor
                nursery.cancel_scope.cancel("network closed")
