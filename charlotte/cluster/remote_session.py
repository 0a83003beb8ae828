"""A session on a host of the cluster, as the server and programs use it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

import attrs
import outcome
import structlog
import trio
from typing_extensions import TypeVar

from charlotte.actors.kernel.mailbox import STREAM_CAPACITY, Event, EventStream, Feed
from charlotte.actors.state.questions import Channel, Question
from charlotte.actors.state.tab_budget import TabBudget
from charlotte.cluster.host_link import HostLink
from charlotte.cluster.messages import (
    DeliveriesWanted,
    EventSeen,
    ListChanged,
    NotHere,
    Opened,
    Opening,
    Place,
    ProgressMade,
    Reply,
    Request,
    StateSaved,
)
from charlotte.cluster.placement import Placed
from charlotte.cluster.shared_sessions import SharedSessions
from charlotte.engine import SessionKey
from charlotte.errors import CharlotteError, ConnectionLost, SessionProblem
from charlotte.progress import Report
from charlotte.saved_files import FileContents, FileEntry
from charlotte.session import Metrics, RunningCall
from charlotte.tools.answer import Answer, Changed
from charlotte.tools.schema.tool import ListedTool, Tool
from charlotte.tools.toolkit import SessionMethods

R = TypeVar("R")
E = TypeVar("E", bound=Event, default=Event)

PLACED_WAIT = 20.0
"""Seconds that a call waits until its session is on a host again."""
HEAD_WAIT = 4.0
"""Seconds that a call of such a session waits while the head of the cluster does not answer."""
_RETRY = 0.3
_CLOSE_WAIT = 5.0
_REPORTS = 16
_LATE_REPORTS = 1.0
"""Seconds that the answer of a call waits for the reports of its progress."""

log = structlog.get_logger(__name__)


class ProgressReports:
    """The reports of a call's progress, which arrive apart from its answer."""

    def __init__(self) -> None:
        self._send, self._receive = trio.open_memory_channel[ProgressMade](_REPORTS)
        self._count = 0
        self._arrived = trio.Event()

    def take(self, made: ProgressMade) -> None:
        """Store a report; a client that reads slowly misses some."""
        self._count += 1
        self._arrived.set()
        self._arrived = trio.Event()
        with suppress(trio.WouldBlock, trio.ClosedResourceError):
            self._send.send_nowait(made)

    async def wait_for(self, count: int) -> None:
        """Wait until so many reports have arrived."""
        while self._count < count:
            await self._arrived.wait()

    async def pass_on(self, progress: Report) -> None:
        """Send the reports to the client until `close`."""
        async for made in self._receive:
            await progress(*made.report)

    def close(self) -> None:
        """End `pass_on` after the stored reports."""
        self._send.close()


class Cluster(Protocol):
    """The part of the engine that a session uses."""

    gateway: str
    metrics: Metrics
    shared: SharedSessions
    numbers: Iterator[int]
    progress: dict[int, ProgressReports]

    def want_events(self) -> None:
        """Have all hosts send the events of this gateway's sessions."""
        ...

    def name_tool(self, name: str, /) -> str:
        """Return the plain name of a tool, for the counts of calls."""
        ...

    async def place(self, opening: Opening, /) -> Placed:
        """Open a session on a host; raises `SessionProblem` if no host has room in time."""
        ...


@attrs.define(eq=False)
class RemoteSession(SessionMethods):
    """A session on a host; it moves to another host when its host is lost or drained.

    ``link`` is None while it moves. ``state`` is the last packed state.
    """

    session_key: SessionKey
    is_private: bool
    _cluster: Cluster
    _opened: Opened
    _nursery: trio.Nursery
    link: HostLink | None
    place: Place
    feed: Feed
    state: bytes | None = attrs.field(default=None, repr=False)
    calls: int = 0
    is_closed: bool = False
    _is_kept: bool = False
    _last_tab: int = 0
    _last_snapshot: int = 0
    _tabs: int = 0
    _budget: Callable[[], TabBudget] | None = None
    _problem: ConnectionLost | None = None
    _obstacle: CharlotteError | None = None
    """Why it is not on a host yet."""
    _placed: trio.Event = attrs.field(factory=trio.Event)
    _delivered: list[int] = attrs.field(factory=list[int])
    _listeners: list[Callable[[Changed], None]] = attrs.field(
        factory=list[Callable[[Changed], None]]
    )

    def __attrs_post_init__(self) -> None:
        self._placed.set()

    @property
    def local_id(self) -> str:
        """The session's id in the status of its host."""
        return self._opened.local_id

    @property
    def tab_count(self) -> int:
        """The number of tabs after the last call that ended."""
        return self._tabs

    def limit_tabs(self, budget: Callable[[], TabBudget], /) -> None:
        """Send the budget to the host with each call; the host refuses more tabs."""
        self._budget = budget

    def listed(self) -> Sequence[ListedTool]:
        """Return the tools that are enabled now."""
        return self._opened.listed

    def most_characters(self) -> int:
        """Return the maximum length of an answer."""
        return self._opened.max_chars

    def on_change(self, callback: Callable[[Changed], None], /) -> Callable[[], None]:
        """Call ``callback`` when `listed` or the saved files change; return a function to stop."""
        self._listeners.append(callback)

        def end() -> None:
            if callback in self._listeners:
                self._listeners.remove(callback)

        return end

    def events(self, *kinds: type[E], capacity: int = STREAM_CAPACITY) -> EventStream[E]:
        """Return the events of this session's tabs from now on, of these kinds or all."""
        self._cluster.want_events()
        return self.feed.subscribe(*kinds, capacity=capacity)

    @property
    def may_ask(self) -> bool:
        """Whether people can be asked: not on a cluster (see `charlotte.config_checks`)."""
        return False

    def give_back(self, _: Question, /) -> None:
        """Do nothing, because there are no questions."""

    async def answer(
        self,
        name: str,
        arguments: dict[str, Any],
        progress: Report | None = None,
        _channel: Channel | None = None,
    ) -> Answer:
        """Run a tool on the session's host; the caller calls ``delivered`` of the answer.

        Raises `ConnectionLost` within seconds if the host is lost; the session then continues on
        another host.
        """
        tab_id = arguments.get("tab_id")
        call = RunningCall(self.session_key.name[:8], self._cluster.name_tool(name), tab_id)
        with self._cluster.metrics.track(call):
            number = next(self._cluster.numbers)
            request = Request(
                session=self.session_key.name,
                tool=name,
                arguments=arguments,
                number=number,
                has_progress=progress is not None,
            )
            delivered = partial(self._note_delivered, number)
            try:
                if progress is None:
                    answer: Answer = await self._run(request)
                else:
                    answer = await self._run_reporting(request, progress)
            except CharlotteError as error:
                error.delivered = delivered
                raise
            call.failed = answer.is_error
        return attrs.evolve(answer, delivered=delivered)

    def _note_delivered(self, number: int) -> None:
        self._delivered.append(number)  # the list is replaced with each request

    async def call(
        self, name: str, arguments: dict[str, Any] | None = None, progress: Report | None = None
    ) -> Answer:
        """Run a tool, by any spelling of its name; raises as `answer` does."""
        try:
            answer = await self.answer(name, arguments or {}, progress)
        except CharlotteError as error:
            error.delivered()
            raise
        answer.delivered()
        return answer

    async def run_tool(self, tool: Tool[..., R], arguments: Mapping[str, Any]) -> R:
        """Make a call of a program, which gets the value of the answer."""
        call = RunningCall(self.session_key.name[:8], tool.name, arguments.get("tab_id"))
        with self._cluster.metrics.track(call):
            request = Request(
                session=self.session_key.name,
                tool=tool.name,
                arguments=arguments,
                number=next(self._cluster.numbers),
                is_program=True,
            )
            value: R = await self._run(request)
        return value

    async def _run_reporting(self, request: Request, progress: Report) -> Answer:
        reports = self._cluster.progress[request.number] = ProgressReports()
        result: outcome.Outcome[Answer] | None = None
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(reports.pass_on, progress)
                try:
                    result = outcome.Value(await self._run(request))
                except Exception as error:  # noqa: BLE001 - raised below
                    result = outcome.Error(error)
                nursery.cancel_scope.deadline = trio.current_time() + _LATE_REPORTS
                reports.close()
        finally:
            del self._cluster.progress[request.number]
        return result.unwrap()

    async def _run(self, request: Request) -> Any:
        """Return the value of a call; a host that does not have the session has done nothing."""
        self.calls += 1
        try:
            while True:
                link = await self._wait_placed()
                delivered, self._delivered = self._delivered, []
                complete = attrs.evolve(
                    request,
                    delivered=delivered,
                    version=self._opened.version,
                    tab_budget=self._budget() if self._budget else None,
                )
                reply: Reply | None = await link.ask("answer", self._cluster.gateway, complete)
                if reply is not None:
                    self._note(reply)
                    if reports := self._cluster.progress.get(request.number):
                        with trio.move_on_after(_LATE_REPORTS):
                            await reports.wait_for(reply.reports)
                    return reply.result.unwrap()
                self.lose(link)
        finally:
            self.calls -= 1

    async def _wait_placed(self) -> HostLink:
        """Return the session's host, once it has one; raises `SessionProblem` if it is closed."""
        with trio.move_on_after(PLACED_WAIT):
            while not self.is_closed and (self.link is None or not self.link.is_live):
                if self.link is not None:
                    self.lose(self.link)
                with trio.move_on_after(HEAD_WAIT) as waiting:
                    await self._placed.wait()
                if waiting.cancelled_caught and isinstance(self._obstacle, ConnectionLost):
                    break
        if self.is_closed:
            raise SessionProblem(
                f"Session {self.session_key.name[:8]} was closed, so this call did nothing.",
                "Open another session, and open its tabs again.",
            )
        problem, self._problem = self._problem, None
        if problem is not None:
            raise problem
        if self.link is None:
            if self._obstacle is not None:
                raise self._obstacle.again()
            raise ConnectionLost(
                f"Timed out after {PLACED_WAIT:.0f} s waiting for a host that continues this "
                "session.",
                "Repeat the call: it did not begin. The cluster needs a live node with a free "
                "browser slot.",
            )
        return self.link

    def _note(self, reply: Reply) -> None:
        self._last_tab = max(self._last_tab, reply.last_tab)
        self._last_snapshot = max(self._last_snapshot, reply.last_snapshot)
        self._tabs = reply.tabs
        if reply.listed is not None:
            self._note_listed(reply.version, reply.listed)

    def _note_listed(self, version: int, listed: Sequence[ListedTool]) -> None:
        if version > self._opened.version:
            self._opened = attrs.evolve(self._opened, version=version, listed=listed)
            self._notify("tools")

    def _notify(self, changed: Changed) -> None:
        for listener in tuple(self._listeners):
            listener(changed)

    def take(self, notice: ListChanged | StateSaved | EventSeen | DeliveriesWanted) -> None:
        """Handle news of the host about this session."""
        match notice:
            case ListChanged(changed="resources"):
                self._notify("resources")
            case ListChanged(version=version, listed=listed):
                self._note_listed(version, listed)
            case StateSaved(state=state):
                self.state = state
            case EventSeen(event=event):
                self.feed.publish(event)
            case DeliveriesWanted():
                self._nursery.start_soon(self._report_delivered)

    async def _report_delivered(self) -> None:
        link, delivered = self.link, self._delivered
        if link is not None:
            self._delivered = []
            with suppress(ConnectionLost):
                name = self.session_key.name
                await link.ask("note_delivered", self._cluster.gateway, name, delivered)

    async def read_status(self) -> dict[str, Any]:
        """Return the status of the session's host, with the tabs of this session only."""
        status: dict[str, Any] = await self._ask("status")
        return {**status, "host": self.place.host}

    def status(self) -> dict[str, Any]:
        """Return the last known status of the session: its host and its tabs."""
        rows: list[dict[str, Any]] = self.link.status.get("sessions", []) if self.link else []
        mine = [row for row in rows if row["id"] == self.local_id]
        return {"host": self.place.host if self.link else None, "sessions": mine}

    async def list_files(self) -> Sequence[FileEntry]:
        """Return the saved files, which are on the session's host."""
        files: list[FileEntry] = await self._ask("list_files")
        return files

    async def read_file(self, address: str, /) -> FileContents:
        """Return a saved file, which is on the session's host."""
        contents: FileContents = await self._ask("read_file", address)
        return contents

    async def keep(self) -> None:
        """Save the session now; it is also saved shortly after each call."""
        await self._ask("save")

    async def _ask(self, method: str, *arguments: Any) -> Any:
        while True:
            link = await self._wait_placed()
            try:
                return await link.ask(method, self.session_key.name, *arguments)
            except NotHere:
                self.lose(link)

    def lose(self, link: HostLink) -> None:
        """Continue on another host, because this one is lost or does not have the session."""
        if self.link is link and not self.is_closed:
            self._unplace()
            self._nursery.start_soon(partial(self._restore, lost=self.place))

    def _unplace(self) -> None:
        self.link, self._placed = None, trio.Event()

    async def _restore(self, *, lost: Place | None) -> None:
        """Open the session on another host, or find where another gateway has opened it."""
        former, was_informed = self.place, self.calls > 0
        while not self.is_closed:
            try:
                may_restore = await self._cluster.shared.may_restore(self.session_key.name, former)
                self._obstacle = None
                if may_restore:
                    self._settle(await self._cluster.place(self._opening(lost)))
                    if self.state is None and self._last_tab and not was_informed:
                        self._problem = _nothing_saved(former.host)
                else:
                    found = await self._cluster.shared.find_again(self.session_key.name)
                    if isinstance(found, Placed):
                        self.state = found.state
                        self._settle(found)
                    elif found is not None and found.place != former:  # its new host is lost too
                        former = lost = found.place
                        self.state = found.state or self.state
                if self.link is not None:
                    break
            except Exception as error:  # noqa: BLE001 - it is tried again
                log.warning("session not restored yet", error=str(error), host=former.host)
                self._obstacle = error if isinstance(error, CharlotteError) else None
            await trio.sleep(_RETRY)
        if self.is_closed:  # it has ended meanwhile
            await self._leave()

    def _opening(self, lost: Place | None) -> Opening:
        return Opening(
            key=self.session_key,
            is_private=self.is_private,
            state=self.state,
            last_tab=self._last_tab,
            last_snapshot=self._last_snapshot,
            lost=lost,
        )

    def _settle(self, placed: Placed) -> None:
        changed = placed.opened.listed != self.listed()
        self.link, self.place, self._opened = placed.link, placed.place, placed.opened
        self._delivered.clear()
        self._placed.set()
        if changed:
            self._notify("tools")

    async def move(self) -> None:
        """Continue on another host, unless calls are running."""
        link = self.link
        if link is None or self.calls or self.is_closed:
            return
        self._unplace()
        lost: Place | None = self.place
        try:
            released: bytes | None = await link.ask("release", self.session_key.name)
        except Exception as error:  # noqa: BLE001 - a host fails in many ways
            log.warning("session not released", error=str(error)[:500], host=link.name)
        else:
            if released is None:  # another gateway has calls there
                self.link = link
                self._placed.set()
                if self.is_closed:
                    await self._leave()
                return
            self.state, lost = released, None
        self._nursery.start_soon(partial(self._restore, lost=lost))

    async def end(self, *, is_kept: bool = False) -> None:
        """Close the session, unless its host is lost or another gateway serves it.

        A session that ``is_kept`` goes on without this gateway.
        """
        self.is_closed, self._is_kept = True, is_kept
        self._placed.set()  # those who wait for a host
        self.feed.close()
        await self._leave()

    async def _leave(self) -> None:
        if self.link is not None and not self._is_kept:
            with trio.move_on_after(_CLOSE_WAIT, shield=True), suppress(ConnectionLost):
                await self.link.ask("leave", self._cluster.gateway, self.session_key.name)


def _nothing_saved(host: str) -> ConnectionLost:
    return ConnectionLost(
        f"The browser host {host} of this session was lost before it had saved the session, so its "
        "tabs are lost too. This call did nothing.",
        "Open the tabs again, and check their state before you repeat an action.",
    )
