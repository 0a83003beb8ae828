"""Monitoring of the processes in which the frames of a page live."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

import attrs
import trio

from charlotte.browser.emulation import AUTO_ATTACH
from charlotte.protocol import runtime, target
from charlotte.protocol.connection import CdpSession, Connection, Subscription
from charlotte.protocol.errors import SessionGone
from charlotte.protocol.wire import CdpEvent, Command


@attrs.frozen
class SessionMonitor:
    """Monitoring of CDP sessions: the ``commands`` to send and the event types to ``follow``.

    ``throttle`` runs until the session ends.
    """

    commands: Sequence[Command[Any]]
    types: Sequence[type[CdpEvent]]
    follow: Callable[[CdpSession, Subscription[Any]], Awaitable[object]]
    throttle: Callable[[CdpSession], Awaitable[object]]

    async def run(self, session: CdpSession) -> None:
        """Monitor a session, which the browser holds until the commands were sent."""
        with suppress(SessionGone), session.events(*self.types) as events:
            for command in (*self.commands, runtime.RunIfWaitingForDebugger()):
                await session.begin(command)
            await self.follow(session, events)


async def follow_frames(
    connection: Connection, session: CdpSession, monitor: SessionMonitor, nursery: trio.Nursery
) -> None:
    """Monitor every process below a session, at any depth, until the session ends."""
    with suppress(SessionGone), session.events(target.AttachedToTarget) as attached:
        await session.begin(AUTO_ATTACH)
        while True:
            child = connection.session((await attached.next()).session_id)
            nursery.start_soon(monitor.run, child)
            nursery.start_soon(monitor.throttle, child)
            nursery.start_soon(follow_frames, connection, child, monitor, nursery)


@asynccontextmanager
async def monitoring(
    connection: Connection, session: CdpSession, monitor: SessionMonitor
) -> AsyncGenerator[None]:
    """Monitor a session on a page, and every process below it, inside the block."""
    with session.events(*monitor.types) as events:
        async with trio.open_nursery() as nursery:
            for command in monitor.commands:
                await session.begin(command)  # a busy renderer may answer much later
            nursery.start_soon(monitor.follow, session, events)
            nursery.start_soon(monitor.throttle, session)
            nursery.start_soon(follow_frames, connection, session, monitor, nursery)
            yield
            nursery.cancel_scope.cancel("monitor closed")
