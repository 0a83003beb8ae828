"""The Ray actor of a browser host: Ray calls it in threads, and its sessions run on trio."""

import pickle
import queue
import threading
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from concurrent import futures
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from typing import Any, NoReturn, TypeAlias

import attrs
import outcome
import structlog
import trio

from charlotte.actors.kernel.mailbox import Restarted
from charlotte.actors.state import saved_session
from charlotte.answers.answer import Answer
from charlotte.api.app import Charlotte, open_local
from charlotte.api.session import Session
from charlotte.base.errors import CharlotteError, ConnectionLost, SessionProblem, report_nothing
from charlotte.base.garbage import collect_garbage, collect_rarely
from charlotte.base.log import now
from charlotte.cluster.messages import (
    CallReply,
    CallRequest,
    HostNews,
    Notice,
    Opening,
    ProgressMade,
    pack,
    unpack,
)
from charlotte.config.config import Config
from charlotte.tools.schema.tool import ListedTool, Tool
from charlotte.tools.toolkit import CATALOG

POLL_WAIT = 0.5
"""Seconds after which a poll without news is answered: the heartbeat of the host."""
SAVE_PAUSES = 0.4, 1.1
"""Seconds from a change to its first copy, and from that to a second one.

What sites have stored is copied a moment after an action (see `charlotte.actors.tab.site_data`).
"""
UNSEEN_TABS = 100
UNSEEN_SNAPSHOTS = 1_000
"""Numbers that a lost host may have used, in all its sessions, since the last known ones."""
_CLOSE_WAIT = 10.0
_UNSENT = 64
_ENDING = pack(outcome.Error(ConnectionLost("The browser host is shutting down.")))
_CANCELLED = pack(outcome.Error(ConnectionLost("The call was cancelled.")))

_TOOLS: dict[str, Tool] = {tool.name: tool for tool in CATALOG}

Started: TypeAlias = "futures.Future[tuple[trio.lowlevel.TrioToken, HostSessions]]"

log = structlog.get_logger(__name__)


class Host:
    """The actor: each method gets and returns packed values, because Ray would wrap errors.

    It has no coroutine methods: with one, Ray would run all methods one at a time in a loop.
    """

    def __init__(self, config: bytes) -> None:
        collect_rarely()
        self._config: Config = unpack(config)
        self._node: str = import_module("ray").get_runtime_context().get_node_id()
        started: Started = futures.Future()
        self._thread = threading.Thread(target=self._serve, args=(started,), daemon=True)
        self._thread.start()
        self._token, self._sessions = started.result()

    def close(self, packed: bytes) -> bytes:
        """End a call or a session by its key; end the host if that is empty."""
        if unpack(packed)[2]:
            return self.answer(packed)
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._sessions.ended.set)
        self._thread.join(_CLOSE_WAIT)
        return pack(outcome.Value(None))

    def answer(self, packed: bytes) -> bytes:
        """Run a method of `HostSessions`; `trio.from_thread.run` would take longer."""
        answers = queue.SimpleQueue[bytes]()

        async def answer() -> None:
            result = _ENDING
            try:
                result = await self._sessions.answer(*unpack(packed))
            finally:
                answers.put(result)

        def begin() -> None:
            try:
                self._sessions.nursery.start_soon(answer)
            except RuntimeError:  # it is closed
                answers.put(_ENDING)

        try:
            self._token.run_sync_soon(begin)
        except trio.RunFinishedError:
            return _ENDING
        return answers.get()

    def _serve(self, started: "Started") -> None:
        async def run() -> None:
            async with open_host_sessions(self._config, self._node) as sessions:
                started.set_result((trio.lowlevel.current_trio_token(), sessions))
                await sessions.ended.wait()

        try:
            trio.run(run)
        except Exception as error:
            log.exception("the browser host failed")
            if not started.done():
                started.set_exception(RuntimeError(repr(error)))


@attrs.define(eq=False)
class HeldSession:
    """A session of this host; ``unsent`` are callbacks for the delivery of its last answers."""

    session: Session
    state: bytes | None
    has_new_tools: bool = False
    unsent: dict[int, Any] = attrs.field(factory=dict[int, Any])
    changed: trio.Event = attrs.field(factory=trio.Event)
    scope: trio.CancelScope = attrs.field(factory=trio.CancelScope)
    closed: trio.Event = attrs.field(factory=trio.Event)

    def note_change(self) -> None:
        """Note that the tools have changed: the reply to the call has the list."""
        self.has_new_tools = True


@attrs.define(eq=False)
class HostSessions:
    """The sessions of a host, and the notices for the next poll."""

    _charlotte: Charlotte
    nursery: trio.Nursery
    _node: str
    ended: trio.Event = attrs.field(factory=trio.Event)
    _sessions: dict[str, HeldSession] = attrs.field(factory=dict[str, HeldSession])
    _running: dict[str, trio.CancelScope] = attrs.field(factory=dict[str, trio.CancelScope])
    _early: deque[str] = attrs.field(factory=lambda: deque[str](maxlen=1000))
    """Keys that were closed before their call began: Ray runs calls and closings in turn."""
    _notices: list[Notice] = attrs.field(factory=list[Notice])
    _arrived: trio.Event = attrs.field(factory=trio.Event)
    _wants_events: bool = False

    async def answer(self, method: str, key: str, *arguments: Any) -> bytes:
        """Return the packed outcome of a method, which `close` cancels by its key."""
        result = _CANCELLED
        if key in self._early:
            return result
        with trio.CancelScope() as scope:
            self._running[key] = scope
            try:
                result = pack(outcome.Value(await getattr(self, method)(*arguments)))
            except CharlotteError as error:
                result = pack(outcome.Error(portable(error)))
            except Exception as error:
                log.exception("a call of a browser host failed")
                result = pack(outcome.Error(RuntimeError(repr(error))))
            finally:
                del self._running[key]
        return result

    async def open(self, opening: Opening) -> Sequence[ListedTool]:
        """Open a session, or continue a saved one; return its tools."""
        held: HeldSession = await self.nursery.start(self._hold, opening)
        return held.session.listed()

    async def _hold(self, opening: Opening, *, task_status: trio.TaskStatus[HeldSession]) -> None:
        """Hold a session until it ends; its crash leaves the other sessions of the host alone."""
        name, held = opening.name, None
        saved = saved_session.unpack(opening.state) if opening.state else None
        tab, snapshot = opening.last_tab, opening.last_snapshot
        if saved is not None:
            tab, snapshot = max(tab, saved.last_tab), max(snapshot, saved.last_snapshot)
        if tab or snapshot:  # its client may know more numbers
            tab, snapshot = tab + UNSEEN_TABS, snapshot + UNSEEN_SNAPSHOTS
        self._charlotte.skip_numbers(tab, snapshot)
        local = self._charlotte
        open_local = local.open_private_session if opening.is_private else local.open_session
        try:
            async with open_local(saved=saved) as session:
                held = self._sessions[name] = HeldSession(session, opening.state)
                stop = session.on_change(held.note_change)
                task_status.started(held)
                with held.scope:
                    await self._follow(name, held)
                stop()
        except Exception:
            if held is None:
                raise  # to the caller of `open`
            log.exception("a session of this host has crashed")
        finally:
            if held is not None:
                del self._sessions[name]
                held.closed.set()

    async def _follow(self, name: str, held: HeldSession) -> None:
        """Save the session after changes, and pass its events on, until it ends."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._save_changes, name, held)
            async for event in held.session.events():
                held.changed.set()
                if self._wants_events:
                    self.put(Notice(name, event))

    async def _save_changes(self, name: str, held: HeldSession) -> NoReturn:
        while True:
            await held.changed.wait()
            held.changed = trio.Event()
            for pause in SAVE_PAUSES:
                await trio.sleep(pause)
                await self._save(name, held)

    async def _save(self, name: str, held: HeldSession) -> None:
        """Send a copy of the session to the gateway, if it has changed."""

        def pack_session() -> bytes:
            return self._charlotte.save(held.session).pack()

        try:
            state = await trio.to_thread.run_sync(pack_session, abandon_on_cancel=True)
        except RuntimeError:  # a record has changed meanwhile
            state = pack_session()
        if state != held.state:
            held.state = state
            self.put(Notice(name, state))

    def put(self, notice: Notice) -> None:
        """Queue a notice for the next poll."""
        self._notices.append(notice)
        self._arrived.set()

    async def poll(self, wants_events: bool) -> HostNews:  # noqa: FBT001 - a message
        """Return the next news, after `POLL_WAIT` seconds at the latest."""
        self._wants_events |= wants_events
        with trio.move_on_after(POLL_WAIT):
            await self._arrived.wait()
        self._arrived = trio.Event()
        notices, self._notices = self._notices, []
        return HostNews(self._node, self._charlotte.tabs, notices)

    async def run(self, request: CallRequest) -> CallReply | None:
        """Run a call; return None if the session has crashed, so that nothing was done."""
        held = self._sessions.get(request.session)
        if held is None or held.scope.cancel_called:
            return None
        self._wants_events |= request.wants_events
        for number in request.delivered:
            held.unsent.pop(number, report_nothing)()
        if (budget := request.tab_budget) is not None:
            held.session.limit_tabs(lambda: budget)
        try:
            result = await self._run(held, request)
        finally:
            held.changed.set()
            if request.has_progress:
                self.put(Notice(request.session, ProgressMade(request.number, ())))
        listed = held.session.listed() if held.has_new_tools else None
        held.has_new_tools = False
        return CallReply(
            result=result,
            last_tab=self._charlotte.last_tab,
            last_snapshot=self._charlotte.last_snapshot,
            tabs=held.session.tab_count,
            listed=listed,
        )

    async def _run(self, held: HeldSession, request: CallRequest) -> outcome.Outcome[Any]:
        """Return the outcome of a call, and keep the callback for the delivery of its answer."""
        session, arguments = held.session, dict(request.arguments)
        result: outcome.Outcome[Any]

        async def report(*progress: Any) -> None:
            self.put(Notice(request.session, ProgressMade(request.number, progress)))

        try:
            if request.is_program:
                return outcome.Value(await session.run_tool(_TOOLS[request.tool], arguments))
            reported = report if request.has_progress else None
            answer = await session.answer(request.tool, arguments, reported)
        except CharlotteError as error:
            delivered, result = error.delivered, outcome.Error(portable(error))
        else:
            delivered = answer.delivered
            result = outcome.Value(Answer(answer.blocks, answer.metadata, answer.is_error))
        held.unsent[request.number] = delivered
        if len(held.unsent) > _UNSENT:
            del held.unsent[next(iter(held.unsent))]
        return result

    async def ask(self, name: str, method: str, *arguments: Any) -> Any:
        """Return the result of a method of a session; None if the session has crashed."""
        held = self._sessions.get(name)
        return held and await getattr(held.session, method)(*arguments)

    async def close(self, key: str) -> None:
        """End the call or the session with a key."""
        running, held = self._running.get(key), self._sessions.get(key)
        if running is not None:
            running.cancel("the caller has cancelled the call")
        if held is not None:
            held.scope.cancel("the session ends")
            await held.closed.wait()
        if running is None and held is None:
            self._early.append(key)

    async def follow_restarts(self) -> None:
        """Pass restarts of actors on."""
        async for event in self._charlotte.events(Restarted):
            cause = portable(event.cause)
            self.put(Notice(None, attrs.evolve(event, cause=cause, time=now())))


@asynccontextmanager
async def open_host_sessions(config: Config, node: str) -> AsyncGenerator[HostSessions]:
    """Start the browser of a host, and serve its gateway until the block ends."""
    async with (
        open_local(config, on_restart=collect_garbage) as charlotte,
        trio.open_nursery() as nursery,
    ):
        sessions = HostSessions(charlotte, nursery, node)
        nursery.start_soon(sessions.follow_restarts)
        yield sessions
        nursery.cancel_scope.cancel("the host ends")


def portable(error: CharlotteError) -> CharlotteError:
    """Return a copy of an error that can be sent: details of some errors cannot."""
    error = error.again()
    error.delivered = report_nothing
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    except Exception:  # noqa: BLE001 - pickling raises any type
        plain = SessionProblem(error.message, error.suggestion)
        plain.text, plain.envelope = error.text, error.envelope
        return plain
    return error
