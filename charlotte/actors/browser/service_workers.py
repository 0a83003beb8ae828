"""Service and shared workers: their console messages and requests go to the tabs they serve.

In a profile that sessions share, these are tabs of all its sessions. Workers belong to no tab, so
the browser's root session attaches to each of them once. The emulation of the newest served tab at
the start of a worker applies to the worker.
"""

from contextlib import suppress
from typing import Final

import attrs
import trio

from charlotte.actors.monitors import console, network
from charlotte.actors.monitors.console import ConsoleEvent, Transcript
from charlotte.actors.monitors.network import RequestEvent
from charlotte.actors.state.context_record import ContextRecord, WorkerRecord
from charlotte.actors.state.logs import ConsoleMessage
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.registry import Registry
from charlotte.actors.tab.verbs.emulation import HELD, answer_held
from charlotte.base.blocks import kept_in
from charlotte.base.log import now
from charlotte.base.urls import origin_of
from charlotte.browser.emulation import EmulationState, prepare_worker
from charlotte.browser.world.event_throttle import NETWORK, console_source, throttle
from charlotte.protocol import target
from charlotte.protocol.connection import Connection, Subscription
from charlotte.protocol.errors import SessionGone

WORKERS: Final = frozenset({"service_worker", "shared_worker"})

IDLE: Final = 30.0
"""Seconds between checks whether a worker still serves a tab; an attached worker never ends."""


@attrs.define(eq=False)
class Worker(WorkerRecord):
    """A worker; it serves the tabs of its context with documents of its ``origin``."""

    kind: str
    registry: Registry
    context: ContextRecord

    def served_tabs(self) -> list[TabRecord]:
        """Return the served tabs, the newest last."""
        return [
            tab
            for tab in self.registry.tabs_in(self.context)
            if self.origin is not None
            and self.origin in {origin_of(tab.url), *tab.request_log.sites}
        ]

    def hidden(self, text: str) -> str:
        """Return a text without the secrets of the sessions that get it."""
        for tab in self.served_tabs():
            text = tab.session.hidden(text)
        return text

    async def follow(self) -> None:
        """Resume the worker, and record its activity until it ends or serves no tab."""
        session, tabs = self.session, self.served_tabs()
        first = tabs[-1] if tabs else None
        self.tab_id = first.id if first else None
        with (
            session.events(*console.FOLLOWED) as lines,
            session.events(*network.FOLLOWED) as requests,
            session.events(*HELD) as held,
            session.events(target.TargetReloadedAfterCrash) as restarts,
            # changes of the emulation apply to it from now on
            kept_in(self.context.workers, self),
        ):
            async with trio.open_nursery() as nursery:
                if first is not None:
                    nursery.start_soon(answer_held, session, first, held)
                nursery.start_soon(throttle, session, NETWORK)
                nursery.start_soon(throttle, session, console_source(), self._note_missed)
                nursery.start_soon(self._record_requests, requests)
                nursery.start_soon(self._leave_when_idle, nursery.cancel_scope)
                nursery.start_soon(self._run, first, restarts)
                await self._record_messages(lines)
                nursery.cancel_scope.cancel("the worker ended")

    async def _run(
        self, tab: TabRecord | None, restarts: Subscription[target.TargetReloadedAfterCrash]
    ) -> None:
        """Resume the worker now and after each restart, because the browser holds it each time."""
        with suppress(SessionGone):
            while True:
                for command in (target.EnableInspector(), *console.ENABLE):
                    await self.session.begin(command)
                await prepare_worker(
                    self.session, tab.desired if tab else _unserving(self.registry)
                )
                await restarts.next()

    async def _leave_when_idle(self, scope: trio.CancelScope) -> None:
        while True:
            await trio.sleep(IDLE)
            if not self.served_tabs():
                scope.cancel("the worker serves no tab")

    async def _record_messages(self, events: Subscription[ConsoleEvent]) -> None:
        transcript = Transcript(events, self.hidden, [self.session])
        with suppress(SessionGone):
            while True:
                if message := await transcript.next():
                    self._add_message(message)

    def _note_missed(self) -> None:
        self._add_message(ConsoleMessage("warn", console.MISSED, now()))

    def _add_message(self, message: ConsoleMessage) -> None:
        for tab in self.served_tabs():
            tab.console_log.add(message)

    async def _record_requests(self, events: Subscription[RequestEvent]) -> None:
        with suppress(SessionGone):
            while True:
                event = await events.next()
                for tab in self.served_tabs():
                    network.note_event(tab.request_log, self.session, event, by=self.kind)


async def follow_worker(
    connection: Connection,
    attached: target.AttachedToTarget,
    registry: Registry,
    context: ContextRecord | None,
) -> None:
    """Follow a worker until it serves no tab; a worker outside all sessions is only resumed."""
    session, info = connection.session(attached.session_id), attached.target_info
    with suppress(SessionGone):
        if info.type == "shared_worker" and registry.policy.is_read_only:
            pass  # not resumed: the browser may lose the emulation of a worker that is starting
        elif context is None:
            await prepare_worker(session, _unserving(registry))
        else:
            origin = origin_of(info.url.removeprefix("blob:"))
            await Worker(session, info.target_id, origin, info.type, registry, context).follow()
        if session.is_open and registry.policy.is_read_only:  # detached, it could open sockets
            await connection.root.begin(target.CloseTarget(target_id=info.target_id))
        elif session.is_open:
            await connection.root.begin(target.DetachFromTarget(session_id=attached.session_id))


def _unserving(registry: Registry) -> EmulationState:
    """Return the state of a worker that serves no tab."""
    return EmulationState(closes_sockets=registry.policy.is_read_only)
