"""The sessions of one browser host, as gateways use them; all on trio, and without Ray."""

import pickle
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, NoReturn, Protocol

import attrs
import outcome
import structlog
import trio

from charlotte.actors.kernel.mailbox import Restarted
from charlotte.actors.state.saved_session import SavedSession, unpack
from charlotte.app import Charlotte, open_charlotte
from charlotte.cluster.boxes import POLL_WAIT, Box, Reporter
from charlotte.cluster.deliveries import Deliveries
from charlotte.cluster.messages import (
    DeliveriesWanted,
    DirectAddress,
    EventSeen,
    Hello,
    HostReport,
    HostSettings,
    ListChanged,
    News,
    NotHere,
    Opened,
    Opening,
    Place,
    Reply,
    Request,
    SessionEnded,
    StateSaved,
)
from charlotte.cluster.ray_calls import NamedActor
from charlotte.config import Config
from charlotte.engine import SessionKey
from charlotte.errors import CharlotteError, SessionProblem, report_nothing
from charlotte.garbage import collect_garbage
from charlotte.log import now
from charlotte.saved_files import FileContents, FileEntry
from charlotte.session import Session
from charlotte.tools.answer import Answer, Changed
from charlotte.tools.schema.tool import Tool, UnknownTool
from charlotte.tools.toolkit import CATALOG

SAVE_PAUSES = 0.4, 1.1
"""Seconds from a change to its first copy, and from that to a second one.

What sites have stored is copied a moment after an action (see `charlotte.actors.tab.site_data`).
"""
UNSEEN_TABS = 100
UNSEEN_SNAPSHOTS = 1_000
"""Numbers that a lost host may have used, in all its sessions, since the last known ones."""
GATEWAY_LOST = 15.0
"""Seconds without a poll after which a gateway counts as lost."""
UNUSED = 60.0
"""Seconds without any gateway after which a host ends."""
REPORT_PERIOD = 5.0
"""Seconds between the reports of a host to the directory."""
_REPORT_WAIT = 10.0
_SAVED = 5.0
"""Seconds after a call after which its session is certainly saved in the directory."""
_CHECK = 5.0

_TOOLS: dict[str, Tool] = {tool.name: tool for tool in CATALOG}

log = structlog.get_logger(__name__)


class Publish(Protocol):
    """A function that calls a method of the directory without waiting for its end."""

    def __call__(self, method: str, /, *arguments: Any) -> None:
        """Call it."""
        ...


@attrs.define(eq=False)
class HeldSession:
    """A session of this host, and the gateways that serve it."""

    key: SessionKey
    is_private: bool
    session: Session
    gateways: set[str]
    deliveries: Deliveries
    used: float = attrs.field(factory=trio.current_time)
    version: int = 1
    calls: int = 0
    state: bytes | None = None
    is_registered: bool = False
    is_moving: bool = False
    is_left: bool = False
    """Whether a gateway has ended it since its last call; a lost one may count as its gateway."""
    changed: trio.Event = attrs.field(factory=trio.Event)
    scope: trio.CancelScope = attrs.field(factory=trio.CancelScope)
    closed: trio.Event = attrs.field(factory=trio.Event)

    @property
    def is_ending(self) -> bool:
        """Whether the session serves no more calls, because it moves or ends."""
        return self.is_moving or self.scope.cancel_called

    def add(self, gateway: str) -> None:
        """Serve the session by a gateway, too."""
        self.gateways.add(gateway)
        self.is_left = False

    def opened(self) -> Opened:
        """Return the session for a gateway."""
        return Opened(
            local_id=self.session.record.id,
            listed=self.session.listed(),
            version=self.version,
            max_chars=self.session.most_characters(),
        )


@attrs.define(eq=False)
class HostSessions:
    """The sessions of a host: each method is a call of a gateway."""

    _settings: HostSettings
    _node: str
    _charlotte: Charlotte
    _idle: float
    _publish: Publish
    _nursery: trio.Nursery
    _address: DirectAddress | None = None
    incarnation: str = attrs.field(factory=lambda: secrets.token_hex(8))
    unused: trio.Event = attrs.field(factory=trio.Event)
    _sessions: dict[str, HeldSession] = attrs.field(factory=dict[str, HeldSession])
    _boxes: dict[str, Box] = attrs.field(factory=dict[str, Box])
    _opening: int = 0
    _last_seen: float = attrs.field(factory=trio.current_time)

    @property
    def place(self) -> Place:
        """This incarnation."""
        return Place(self._settings.name, self.incarnation)

    async def hello(self, gateway: str, digests: Mapping[str, str] | None = None) -> Hello:
        """Introduce this host to a gateway, perhaps with the digests of the gateway's settings.

        A gateway that greets again has lost this host: its sessions continue elsewhere and end
        here, unless other gateways serve them.
        """
        for held in tuple(self._sessions.values()):
            if gateway in held.gateways:
                held.gateways.discard(gateway)
                if not held.gateways:
                    await self._end(held)
        other = () if digests is None else self._settings.other_settings(digests)
        self._boxes[gateway] = Box(has_same_settings=not other)
        return Hello(
            incarnation=self.incarnation,
            node=self._node,
            slots=self._settings.slots,
            other_settings=other,
            is_idle=self._is_idle_without(gateway),
            direct=self._address,
        )

    def _is_idle_without(self, gateway: str) -> bool:
        others = (box for name, box in self._boxes.items() if name != gateway)
        is_used = any(box.has_same_settings for box in others)
        used = trio.current_time() - _SAVED
        return not (self._opening or is_used) and all(
            not (held.gateways or held.calls) and held.used < used
            for held in self._sessions.values()
        )

    async def goodbye(self, gateway: str) -> None:
        """Forget a gateway that ends; without gateways and sessions, the host ends too.

        Its sessions go on if their clients can name them to another gateway.
        """
        self._boxes.pop(gateway, None)
        for held in tuple(self._sessions.values()):
            held.gateways.discard(gateway)
            if not (held.gateways or held.key.is_resumable):
                await self._end(held)
        if not (self._boxes or self._sessions):
            self.unused.set()

    async def poll(
        self,
        gateway: str,
        incarnation: str,
        wants_events: bool,  # noqa: FBT001 - a message
        names: Collection[str] | None = None,
    ) -> News | None:
        """Return the next news for a gateway; None if it knows another incarnation.

        ``names`` are the gateway's sessions here, which it sends every few seconds.
        """
        box = self._boxes.get(gateway)
        if incarnation != self.incarnation or box is None:
            return None
        self._last_seen = box.seen = trio.current_time()
        box.wants_events = wants_events
        if names is not None:
            self._end_unnamed(gateway, box, names)
        notices = await box.take()
        present, status = trio.current_time(), None
        if present >= box.status_due:  # a host with many events answers many polls
            status, box.status_due = self._charlotte.status(), present + POLL_WAIT
        return News(
            sessions=len(self._sessions) + self._opening,
            tabs=self._charlotte.tabs,
            notices=notices,
            status=status,
            is_idle=self._is_idle_without(gateway),
        )

    def _end_unnamed(self, gateway: str, box: Box, names: Collection[str]) -> None:
        """End the sessions that a gateway does not know: the caller that opened them was cancelled.

        One that the gateway does not name twice is not just being opened.
        """
        served = {name for name, held in self._sessions.items() if gateway in held.gateways}
        unnamed = served.difference(names)
        for name in unnamed & box.unnamed:
            self._nursery.start_soon(self.leave, gateway, name)
        box.unnamed = unnamed

    async def load(self) -> tuple[str, int]:
        """Return the node of this host, and the number of its sessions."""
        return self._node, len(self._sessions) + self._opening

    async def want_events(self, gateway: str) -> None:
        """Send a gateway events from now on."""
        if box := self._boxes.get(gateway):
            box.wants_events = True

    async def open(self, gateway: str, opening: Opening) -> Opened | None:
        """Open a session, or continue a saved or running one; return None without a free slot.

        A gateway with other settings gets no new sessions.
        """
        if held := self._sessions.get(opening.key.name):
            if opening.lost == self.place and not held.is_ending:  # it was only out of reach
                held.add(gateway)
                return held.opened()
            await self._end(held)
        if len(self._sessions) + self._opening >= self._settings.slots:
            return None
        if (box := self._boxes.get(gateway)) and not box.has_same_settings:
            return None
        self._opening += 1
        try:
            begun: HeldSession = await self._nursery.start(self._keep_open, gateway, opening)
        finally:
            self._opening -= 1
        begun.is_registered = True
        self._publish("register", opening.key, self.place, opening.is_private)
        return begun.opened()

    async def _keep_open(
        self, gateway: str, opening: Opening, *, task_status: trio.TaskStatus[HeldSession]
    ) -> None:
        """Hold a session until it ends; its crash leaves the other sessions of the host alone."""
        held: HeldSession | None = None
        try:
            saved = unpack(opening.state) if opening.state else None
            self._skip_numbers(opening, saved)
            async with self._open_local(opening, saved) as session:
                ask = partial(self._ask_deliveries, opening.key.name)
                held = HeldSession(
                    opening.key, opening.is_private, session, {gateway}, Deliveries(ask)
                )
                held.state = opening.state
                self._sessions[opening.key.name] = held
                stop = session.on_change(lambda changed: self._note_list(held, changed))
                task_status.started(held)
                with held.scope:
                    await self._follow(held)
                stop()
        except Exception:
            if held is None:
                raise  # to the caller of `open`
            log.exception("a session of this host has crashed")
        finally:
            if held is not None:
                if self._sessions.get(opening.key.name) is held:
                    del self._sessions[opening.key.name]
                held.closed.set()

    def _skip_numbers(self, opening: Opening, saved: SavedSession | None) -> None:
        """Never use the numbers of tabs and snapshots that the client of a session may know."""
        tab = max(opening.last_tab, saved.last_tab if saved else 0)
        snapshot = max(opening.last_snapshot, saved.last_snapshot if saved else 0)
        if opening.lost is not None:
            tab, snapshot = tab + UNSEEN_TABS, snapshot + UNSEEN_SNAPSHOTS
        self._charlotte.skip_numbers(tab, snapshot)

    @asynccontextmanager
    async def _open_local(
        self, opening: Opening, saved: SavedSession | None
    ) -> AsyncGenerator[Session]:
        if opening.is_private:
            manager = self._charlotte.open_private_session(saved=saved)
        else:
            manager = self._charlotte.open_session(saved=saved)
        async with manager as session:
            yield session

    async def _follow(self, held: HeldSession) -> None:
        """Save the session after changes, and pass its events on, until it ends."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._save_changes, held)
            async for event in held.session.events():
                held.changed.set()
                for box in self._boxes_of(held):
                    if box.wants_events:
                        box.put(EventSeen(held.key.name, event))

    def _boxes_of(self, held: HeldSession) -> list[Box]:
        return [self._boxes[name] for name in held.gateways if name in self._boxes]

    def _note_list(self, held: HeldSession, changed: Changed) -> None:
        held.version += changed == "tools"
        notice = ListChanged(held.key.name, changed, held.version, held.session.listed())
        for box in self._boxes_of(held):
            box.put(notice)

    async def _save_changes(self, held: HeldSession) -> NoReturn:
        while True:
            await held.changed.wait()
            held.changed = trio.Event()
            for pause in SAVE_PAUSES:
                await trio.sleep(pause)
                await self._save(held)

    async def _save(self, held: HeldSession) -> None:
        """Copy the session to the directory and to its gateways, if it has changed."""

        def pack() -> bytes:
            return self._charlotte.save(held.session).pack()

        try:
            state = await trio.to_thread.run_sync(pack, abandon_on_cancel=True)
        except RuntimeError:  # a record has changed meanwhile
            state = pack()
        if state != held.state and not held.is_moving:
            held.state = state
            self._publish("save", held.key.name, self.place, state)
            for box in self._boxes_of(held):
                box.put(StateSaved(held.key.name, state))

    async def join(self, gateway: str, key: SessionKey) -> tuple[Opened, bytes | None] | None:
        """Serve a session by another gateway too; None if its owner has no such session here."""
        held = self._sessions.get(key.name)
        if held is None or held.key != key or held.is_ending:
            return None
        held.add(gateway)
        return held.opened(), held.state

    async def answer(self, gateway: str, request: Request) -> Reply | None:
        """Run a call; return None if the session is not here, so that nothing was done."""
        held = self._sessions.get(request.session)
        if held is None or held.is_ending:
            return None
        held.calls += 1
        held.is_left = False
        try:
            held.deliveries.note(gateway, request.delivered)
            await held.deliveries.settle(gateway)
            if held.is_ending:
                return None
            if (budget := request.tab_budget) is not None:
                held.session.limit_tabs(lambda: budget)
            reporter = Reporter(request.number, partial(self._boxes.get, gateway))
            result = await self._run(held, gateway, request, reporter)
        finally:
            held.calls -= 1
            held.used = trio.current_time()
            held.changed.set()
        is_known = request.version == held.version
        return Reply(
            result=result,
            reports=reporter.count,
            last_tab=self._charlotte.last_tab,
            last_snapshot=self._charlotte.last_snapshot,
            version=held.version,
            tabs=held.session.tab_count,
            listed=None if is_known else held.session.listed(),
        )

    def _ask_deliveries(self, session: str, gateway: str) -> bool:
        box = self._boxes.get(gateway)
        if box is not None:
            box.put(DeliveriesWanted(session))
        return box is not None

    async def note_delivered(self, gateway: str, name: str, numbers: Sequence[int]) -> None:
        """Note which answers a gateway has sent since its last call."""
        if held := self._sessions.get(name):
            held.deliveries.note(gateway, numbers)

    async def _run(
        self, held: HeldSession, gateway: str, request: Request, reporter: Reporter
    ) -> outcome.Outcome[Any]:
        """Return the outcome of a call: Ray would wrap an error."""
        session, arguments = held.session, dict(request.arguments)
        try:
            if request.is_program:
                tool = _TOOLS[request.tool]
                return outcome.Value(await session.run_tool(tool, arguments))
            progress = reporter.report if request.has_progress else None
            answer = await session.answer(request.tool, arguments, progress)
        except CharlotteError as error:
            held.deliveries.keep(gateway, request.number, error.delivered)
            return outcome.Error(portable(error))
        except UnknownTool as error:
            return outcome.Error(UnknownTool(*error.args))
        held.deliveries.keep(gateway, request.number, answer.delivered)
        return outcome.Value(Answer(answer.blocks, answer.metadata, answer.is_error))

    def _find(self, name: str) -> Session:
        if held := self._sessions.get(name):
            return held.session
        raise NotHere("The session is not on this host any more.", "Repeat the call.")

    async def status(self, name: str) -> dict[str, Any]:
        """Return the status with the tabs of one session."""
        return self._find(name).status()

    async def list_files(self, name: str) -> list[FileEntry]:
        """Return the saved files of a session."""
        return [*await self._find(name).list_files()]

    async def read_file(self, name: str, address: str) -> FileContents:
        """Return a saved file of a session."""
        return await self._find(name).read_file(address)

    async def read_details(self, tab_id: str) -> dict[str, Any] | None:
        """Return a tab's newest console messages and requests."""
        return await self._charlotte.dashboard_state.read_details(tab_id)

    async def picture(self, tab_id: str) -> bytes | None:
        """Return a JPEG of a tab, if there is one."""
        return await self._charlotte.dashboard_state.picture(tab_id)

    async def save(self, name: str) -> None:
        """Save a session now."""
        if held := self._sessions.get(name):
            await self._save(held)

    async def release(self, name: str) -> bytes | None:
        """End a session without calls, so that it continues elsewhere; return its state."""
        held = self._sessions.get(name)
        if held is None or held.calls or held.is_moving:
            return None
        await self._save(held)
        if held.calls:
            return None
        held.is_moving = True
        await self._end(held)
        return held.state

    async def retire(self) -> bool:
        """Release all sessions, so that the host can be replaced; return whether none is left.

        Release none while a call runs, or while a gateway has the settings of the host.
        """
        is_used = self._opening or any(box.has_same_settings for box in self._boxes.values())
        if is_used or any(held.calls for held in self._sessions.values()):
            return False
        for name in tuple(self._sessions):
            await self.release(name)
        return not self._sessions

    async def leave(self, gateway: str, name: str) -> None:
        """End a session, unless another gateway serves it too."""
        held = self._sessions.get(name)
        if held is None:
            return
        held.is_left = True
        held.gateways.discard(gateway)
        if not held.gateways:
            self._publish("forget", name, self.place)
            await self._end(held)

    async def end(self, key: SessionKey) -> bool:
        """End a session for all gateways; return whether it was here."""
        held = self._sessions.get(key.name)
        if held is None or held.key != key:
            return False
        for box in self._boxes_of(held):
            box.put(SessionEnded(key.name))
        self._publish("forget", key.name, self.place)
        held.scope.cancel("its client has closed it")
        return True

    async def end_copy(self, name: str, incarnation: str) -> None:
        """End a session that another host has continued, because a gateway had lost this one."""
        held = self._sessions.get(name)
        if held is not None and incarnation == self.incarnation:
            log.warning("a session goes on elsewhere; its copy here ends", session=name[:8])
            await self._end(held)

    async def _end(self, held: HeldSession) -> None:
        held.scope.cancel("the session ends")
        await held.closed.wait()

    async def follow_restarts(self) -> None:
        """Pass restarts of actors on to all gateways."""
        async for event in self._charlotte.events(Restarted):
            for box in self._boxes.values():
                portable_event = attrs.evolve(event, cause=portable(event.cause), time=now())
                box.put(EventSeen(None, portable_event))

    async def report(self, ask: Callable[..., Awaitable[Any]]) -> NoReturn:
        """Report the sessions to the directory every few seconds, which may have been replaced.

        The states that it lacks are sent again. ``ask`` calls a method of the directory.
        """
        while True:
            sessions = [
                (held.key, held.is_private)
                for held in self._sessions.values()
                if held.is_registered and not held.is_ending
            ]
            report = HostReport(place=self.place, node=self._node, sessions=sessions)
            lacking: Collection[str] = ()
            with trio.move_on_after(_REPORT_WAIT):
                try:
                    lacking = await ask("report", report)
                except Exception as error:  # noqa: BLE001 - it is tried again
                    log.warning("the directory does not answer", error=repr(error)[:300])
            for name in lacking:
                held = self._sessions.get(name)
                if held is not None and held.state is not None:
                    self._publish("save", name, self.place, held.state)
            await trio.sleep(REPORT_PERIOD)

    async def end_unused(self) -> NoReturn:
        """End sessions whose gateways are lost; note when no gateway is left.

        A session that another gateway can continue ends after the idle time.
        """
        while True:
            await trio.sleep(_CHECK)
            present = trio.current_time()
            for name, box in tuple(self._boxes.items()):
                if present - box.seen > GATEWAY_LOST:
                    del self._boxes[name]
            for held in tuple(self._sessions.values()):
                held.gateways &= self._boxes.keys()
                is_idle = present - held.used > self._idle
                is_over = held.is_left or is_idle or not held.key.is_resumable
                if is_over and not (held.gateways or held.calls):
                    self._publish("forget", held.key.name, self.place)
                    held.scope.cancel("no gateway serves it")
            if present - self._last_seen > UNUSED:
                self.unused.set()


@asynccontextmanager
async def open_host_sessions(
    settings: HostSettings,
    node: str,
    directory: NamedActor,
    address: DirectAddress | None = None,
) -> AsyncGenerator[HostSessions]:
    """Start the browser of a host, and serve gateways until the block ends."""
    config = Config(**settings.config)
    async with (
        open_charlotte(config, on_restart=collect_garbage) as charlotte,
        trio.open_nursery() as nursery,
    ):
        sessions = HostSessions(
            settings, node, charlotte, config.session_idle, directory.send, nursery, address
        )
        nursery.start_soon(sessions.follow_restarts)
        nursery.start_soon(sessions.end_unused)
        nursery.start_soon(sessions.report, directory.call)
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
