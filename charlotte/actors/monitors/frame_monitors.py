"""Monitoring of the processes in which the frames of a page live."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

import attrs
import trio

from charlotte.browser.emulation import AUTO_ATTACH
from charlotte.protocol import runtime, target
from charlotte.protocol.connection import Connection, Session, Subscription
from charlotte.protocol.errors import SessionGone
from charlotte.protocol.wire import CdpEvent, Command


@attrs.frozen
class SessionMonitor:
    """Monitoring of a CDP session: the ``commands`` to send and the event types to ``follow``.

    ``throttle`` runs until the session ends.
    """

    commands: Sequence[Command[Any]]
    types: Sequence[type[CdpEvent]]
    follow: Callable[[Session, Subscription[Any]], Awaitable[object]]
    throttle: Callable[[Session], Awaitable[object]]

    async def run(self, session: Session) -> None:
        """Monitor a session, which the browser holds until the commands were sent."""
        with suppress(SessionGone), session.events(*self.types) as events:
            for command in (*self.commands, runtime.RunIfWaitingForDebugger()):
                await session.begin(command)
            await self.follow(session, events)


async def follow_frames(
    connection: Connection, session: Session, monitor: SessionMonitor, nursery: trio.Nursery
) -> None:
    """Monitor every process below a session, at any depth, until the session ends."""
    with suppress(SessionGone), session.events(target.AttachedToTarget) as attached:
        await session.begin(AUTO_ATTACH)
        while True:
            child = connection.session((await attached.next()).session_id)
            nursery.start_soon(monitor.run, child)
            nursery.start_soon(monitor.throttle, child)
            nursery.start_soon(follow_frames, connection, child, monitor, nursery)
