"""Service and shared workers: what they log and load is written down for the tabs that they serve.

They belong to no tab, so the browser's own session attaches to each, once. A worker is under the
conditions of the tab that is newest at its start among those that it serves.
"""

from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Final

import trio

from charlotte.actors.browser.contexts import Home
from charlotte.actors.monitors import request_notes, transcript
from charlotte.actors.monitors.console_throttle import ConsoleEvent
from charlotte.actors.monitors.request_notes import NetworkEvent
from charlotte.actors.monitors.transcript import Transcript
from charlotte.actors.state.contexts import WorkerRecord
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.interception import HELD, answer_held
from charlotte.browser.emulation_state import Desired
from charlotte.browser.event_throttle import rest_from_floods
from charlotte.browser.target_setup import prepare_worker
from charlotte.protocol import inspector, target
from charlotte.protocol.connection import Connection
from charlotte.protocol.errors import SessionGone
from charlotte.protocol.session import Session, Subscription
from charlotte.urls import origin_of

WORKERS: Final = frozenset({"service_worker", "shared_worker"})

IDLE: Final = 30.0
"""Seconds between looks at whether a worker still serves anybody; one that is attached never ends.
"""


class Worker:
    """One worker, and whom it serves: tabs of its context that show documents of its origin."""

    def __init__(self, session: Session, home: Home, info: target.TargetInfo) -> None:
        self._session = session
        self._kind = info.type
        self._owner, self._context = home
        self._origin = origin_of(info.url.removeprefix("blob:"))

    def served(self) -> list[TabRecord]:
        """The tabs as they are now, the newest last."""
        return [tab for tab in self._owner.tabs.values() if self._serves(tab)]

    def _serves(self, tab: TabRecord) -> bool:
        if self._origin is None or tab.context is not self._context:
            return False
        return self._origin in {origin_of(tab.url), *tab.request_log.sites}

    async def follow(self) -> None:
        """Let it run, and write down what it does until it ends or serves nobody."""
        session, tabs = self._session, self.served()
        with (
            session.events(*transcript.FOLLOWED) as lines,
            session.events(*request_notes.FOLLOWED) as requests,
            session.events(*HELD) as held,
            session.events(inspector.TargetReloadedAfterCrash) as restarts,
            self._under(tabs[-1] if tabs else None) as first,
        ):
            async with trio.open_nursery() as nursery:
                if first is not None:
                    nursery.start_soon(answer_held, session, first, held)
                nursery.start_soon(rest_from_floods, session, lambda: None)
                nursery.start_soon(self._note, requests)
                nursery.start_soon(self._leave_when_idle, nursery.cancel_scope)
                nursery.start_soon(self._run, first, restarts)
                await self._write(lines)
                nursery.cancel_scope.cancel("it ended")

    @contextmanager
    def _under(self, tab: TabRecord | None) -> Generator[TabRecord | None]:
        """Have it heed what that tab is told to be."""
        known, record = self._context.workers, WorkerRecord(self._session, tab.id if tab else None)
        known.append(record)
        try:
            yield tab
        finally:
            known.remove(record)

    async def _run(
        self, tab: TabRecord | None, restarts: Subscription[inspector.TargetReloadedAfterCrash]
    ) -> None:
        """Let it run now, and whenever it was stopped and starts again: it is held each time."""
        with suppress(SessionGone):
            while True:
                for command in (inspector.Enable(), *transcript.ENABLE):
                    await self._session.begin(command)
                await prepare_worker(self._session, tab.desired if tab else Desired())
                await restarts.next()

    async def _leave_when_idle(self, scope: trio.CancelScope) -> None:
        while True:
            await trio.sleep(IDLE)
            if not self.served():
                scope.cancel("it serves nobody")

    async def _write(self, events: Subscription[ConsoleEvent]) -> None:
        told = Transcript(self._session, events, self._owner.hidden, [self._session])
        with suppress(SessionGone):
            while True:
                for message in await told.next():
                    for tab in self.served():
                        tab.console_log.add(message)

    async def _note(self, events: Subscription[NetworkEvent]) -> None:
        with suppress(SessionGone):
            while True:
                event = await events.next()
                for tab in self.served():
                    request_notes.note(tab.request_log, self._session, event, by=self._kind)


async def follow_worker(
    connection: Connection, attached: target.AttachedToTarget, home: Home | None
) -> None:
    """Follow a worker, and let go of it when it serves nobody; nobody's is only told to run."""
    session = connection.session(attached.session_id)
    with suppress(SessionGone):
        if home is None:
            await prepare_worker(session, Desired())
        else:
            await Worker(session, home, attached.target_info).follow()
        if session.is_open:
            await connection.root.begin(target.DetachFromTarget(session_id=attached.session_id))
