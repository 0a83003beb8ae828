"""The frames of a tab that live in other processes: a CDP session each, below their parent's."""

from contextlib import suppress
from typing import NoReturn

import structlog
import trio

from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.interception import HELD, answer_held
from charlotte.actors.tab.page_connection import LivePage
from charlotte.browser.event_throttle import NETWORK, console_source, throttle
from charlotte.browser.target_setup import BINDINGS, prepare_frame, prepare_worker
from charlotte.protocol import network, page, runtime, target
from charlotte.protocol.connection import Connection, Session, Subscription
from charlotte.protocol.errors import ProtocolError, SessionGone
from charlotte.protocol.wire import Event

log = structlog.get_logger(__name__)

_REQUESTS: tuple[type[Event], ...] = (
    network.RequestWillBeSent,
    network.ResponseReceived,
    network.LoadingFinished,
    network.LoadingFailed,
)
_FOLLOWED: tuple[type[Event], ...] = (
    target.AttachedToTarget,
    runtime.ExecutionContextCreated,
    runtime.ExecutionContextDestroyed,
    runtime.ExecutionContextsCleared,
    page.FileChooserOpened,
    page.FrameAttached,
    page.FrameDetached,
    page.FrameNavigated,
    page.NavigatedWithinDocument,
    page.FrameRequestedNavigation,
    page.FrameStoppedLoading,
    *_REQUESTS,
)


_FLOODED = (
    "The page streams thousands of messages or sends thousands of requests a second; while it "
    "does, some of its requests are neither waited for nor recorded."
)


async def follow_processes(
    connection: Connection,
    live: LivePage,
    attached: Subscription[target.AttachedToTarget],
    nursery: trio.Nursery,
) -> NoReturn:
    """Prepare and follow every process that a frame of the tab moves to, as deep as they nest."""
    while True:
        event = await attached.next()
        nursery.start_soon(_serve, connection, live, event, nursery)


async def throttle_floods(session: Session, live: LivePage) -> None:
    """Unsubscribe for a while from a flood of messages, requests or exceptions of a page.

    Adds a notice if messages or requests are lost.
    """

    def begin() -> None:
        live.activity.requests.clear()
        live.record.notify([_FLOODED])

    lines = console_source(BINDINGS if session is live.session else ())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(throttle, session, lines)
        await throttle(session, NETWORK, begin, lambda: live.record.desired.needs_network)


async def _serve(
    connection: Connection,
    live: LivePage,
    attached: target.AttachedToTarget,
    nursery: trio.Nursery,
) -> None:
    session = connection.session(attached.session_id)
    if attached.target_info.type == "worker":
        nursery.start_soon(throttle_floods, session, live)
        await _serve_worker(live, session)
        return
    try:
        with session.events(*_FOLLOWED) as events, session.events(*HELD) as held:
            live.processes.append(session)
            nursery.start_soon(_prepare, session, live.record)
            nursery.start_soon(throttle_floods, session, live)
            nursery.start_soon(answer_held, session, live.record, held)
            await _follow(connection, live, session, events, nursery)
    except SessionGone:  # the frame was removed, or moved to yet another process
        live.processes.remove(session)
        live.frames.drop_session(session)


async def _serve_worker(live: LivePage, session: Session) -> None:
    """Let a worker run, and follow what it loads, until it ends."""
    with session.events(*_REQUESTS) as events:
        live.processes.append(session)
        with suppress(ProtocolError):
            await prepare_worker(session, live.record.desired)
            while True:
                live.note_frame(session, await events.next())
        live.processes.remove(session)


async def _follow(
    connection: Connection,
    live: LivePage,
    session: Session,
    events: Subscription[Event],
    nursery: trio.Nursery,
) -> NoReturn:
    while True:
        event = await events.next()
        if isinstance(event, target.AttachedToTarget):
            nursery.start_soon(_serve, connection, live, event, nursery)
        else:
            live.note_frame(session, event)


async def _prepare(session: Session, record: TabRecord) -> None:
    try:
        await prepare_frame(session, record.desired)
    except ProtocolError as error:  # it went while it was being prepared
        log.debug("a frame was not prepared", error=str(error))
