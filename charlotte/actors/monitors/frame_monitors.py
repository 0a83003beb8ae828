"""Has the processes in which a page's frames live tell a monitor what the page's own tells it."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

import attrs
import trio

from charlotte.browser.target_setup import AUTO_ATTACH
from charlotte.protocol import runtime, target
from charlotte.protocol.connection import Connection
from charlotte.protocol.errors import SessionGone
from charlotte.protocol.session import Session, Subscription
from charlotte.protocol.wire import Command, Event


@attrs.frozen
class Wanted:
    """What each session is told, which events are wanted of it, and who takes them.

    ``beside`` is what else is done while it lasts.
    """

    commands: Sequence[Command[Any]]
    types: Sequence[type[Event]]
    follow: Callable[[Session, Subscription[Any]], Awaitable[object]]
    beside: Sequence[Callable[[Session], Awaitable[object]]] = ()


async def follow_frames(
    connection: Connection, session: Session, wanted: Wanted, nursery: trio.Nursery
) -> None:
    """Follow every process below a session, as deep as they nest, until the session ends."""
    with suppress(SessionGone), session.events(target.AttachedToTarget) as attached:
        await session.begin(AUTO_ATTACH)
        while True:
            child = connection.session((await attached.next()).session_id)
            nursery.start_soon(_follow, child, wanted)
            for task in wanted.beside:
                nursery.start_soon(task, child)
            nursery.start_soon(follow_frames, connection, child, wanted, nursery)


async def _follow(session: Session, wanted: Wanted) -> None:
    with suppress(SessionGone), session.events(*wanted.types) as events:
        for command in (*wanted.commands, runtime.RunIfWaitingForDebugger()):
            await session.begin(command)
        await wanted.follow(session, events)
