"""A session on a host of the cluster, as the server and programs use it."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from typing import Any, Protocol

import attrs
import outcome
import structlog
import trio
from typing_extensions import TypeVar

from charlotte.actors.kernel.mailbox import STREAM_CAPACITY, Event, EventStream, Feed
from charlotte.actors.state.questions import Channel, Question
from charlotte.actors.state.tab_budget import TabBudget
from charlotte.answers.answer import Answer
from charlotte.api.session import Metrics, RunningCall
from charlotte.base.errors import CharlotteError, ConnectionLost, SessionProblem
from charlotte.base.progress import Report
from charlotte.base.saved_files import FileContents, FileEntry
from charlotte.cluster.host_link import HostLink
from charlotte.cluster.messages import CallReply, CallRequest, Opened, Opening, ProgressMade
from charlotte.tools.schema.tool import ListedTool, Tool
from charlotte.tools.toolkit import SessionMethods

R = TypeVar("R")
E = TypeVar("E", bound=Event, default=Event)

PLACED_WAIT = 20.0
"""Seconds that a call waits until its session is on a host again."""
_RETRY = 0.3
_CLOSE_WAIT = 5.0
_LATE_REPORTS = 1.0
"""Seconds that the answer of a call waits for the reports of its progress."""

log = structlog.get_logger(__name__)

Reports = trio.MemorySendChannel[ProgressMade]


class Cluster(Protocol):
    """The part of the engine that a session uses."""

    metrics: Metrics
    progress: dict[int, Reports]
    wants_events: bool

    def status(self) -> dict[str, Any]:
        """Return the status of all hosts."""
        ...

    def next_number(self) -> int:
        """Return the number of a call."""
        ...

    def name_tool(self, name: str, /) -> str:
        """Return the plain name of a tool, for the counts of calls."""
        ...

    async def place(self, opening: Opening, /) -> tuple[HostLink, Opened]:
        """Open a session on a host; raises `SessionProblem` if no host has room in time."""
        ...


@attrs.define(eq=False)
class RemoteSession(SessionMethods):
    """A session on a host; it moves to another host when its host is lost.

    ``link`` is None while it moves. ``state`` is the last packed state.
    """

    name: str = attrs.field(repr=False)
    _cluster: Cluster
    _nursery: trio.Nursery
    link: HostLink | None
    _opened: Opened
    feed: Feed
    is_private: bool = False
    state: bytes | None = attrs.field(default=None, repr=False)
    is_closed: bool = False
    _calls: int = 0
    _last_tab: int = 0
    _last_snapshot: int = 0
    _tabs: int = 0
    _budget: Callable[[], TabBudget] | None = None
    _problem: ConnectionLost | None = None
    _placed: trio.Event = attrs.field(factory=trio.Event)
    _delivered: list[int] = attrs.field(factory=list[int])
    _listeners: list[Callable[[], None]] = attrs.field(factory=list[Callable[[], None]])

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

    def on_change(self, callback: Callable[[], None], /) -> Callable[[], None]:
        """Call ``callback`` when `listed` changes; return a function to stop."""
        self._listeners.append(callback)

        def end() -> None:
            if callback in self._listeners:
                self._listeners.remove(callback)

        return end

    def notify(self) -> None:
        """Call the callbacks of `on_change`."""
        for listener in tuple(self._listeners):
            listener()

    def events(self, *kinds: type[E], capacity: int = STREAM_CAPACITY) -> EventStream[E]:
        """Return the events of this session's tabs from now on, of these kinds or all."""
        self._cluster.wants_events = True
        return self.feed.subscribe(*kinds, capacity=capacity)

    @property
    def may_ask(self) -> bool:
        """Whether people can be asked: not on a cluster (see `charlotte.config.checks`)."""
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
        call = RunningCall(self.name[:8], self._cluster.name_tool(name), tab_id)
        with self._cluster.metrics.track(call):
            request = CallRequest(
                session=self.name,
                tool=name,
                arguments=arguments,
                number=self._cluster.next_number(),
                has_progress=progress is not None,
            )
            delivered = partial(self._note_delivered, request.number)
            try:
                if progress is None:
                    reply = await self._run(request)
                else:
                    reply = await self._run_reporting(request, progress)
                answer: Answer = reply.result.unwrap()
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
        call = RunningCall(self.name[:8], tool.name, arguments.get("tab_id"))
        with self._cluster.metrics.track(call):
            request = CallRequest(
                session=self.name,
                tool=tool.name,
                arguments=arguments,
                number=self._cluster.next_number(),
                is_program=True,
            )
            value: R = (await self._run(request)).result.unwrap()
        return value

    async def _run_reporting(self, request: CallRequest, progress: Report) -> CallReply:
        """Run a call, and pass on its progress, which arrives apart from the reply."""
        send, receive = trio.open_memory_channel[ProgressMade](inf)

        async def pass_on() -> None:
            async for made in receive:
                if made.report is None:
                    return
                await progress(*made.report)

        self._cluster.progress[request.number] = send
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(pass_on)
                ran = await outcome.acapture(self._run, request)
                late = _LATE_REPORTS if isinstance(ran, outcome.Value) else 0
                nursery.cancel_scope.deadline = trio.current_time() + late
        finally:
            del self._cluster.progress[request.number]
        return ran.unwrap()

    async def _run(self, request: CallRequest) -> CallReply:
        """Return the reply to a call; a host that does not have the session has done nothing."""
        self._calls += 1
        try:
            while True:
                link = await self._wait_placed()
                delivered, self._delivered = self._delivered, []
                complete = attrs.evolve(
                    request,
                    delivered=delivered,
                    version=self._opened.version,
                    wants_events=self._cluster.wants_events,
                    tab_budget=self._budget() if self._budget else None,
                )
                reply: CallReply | None = await link.ask("call", "run", complete)
                if reply is not None:
                    self._note(reply)
                    return reply
                self.lose(link)
        finally:
            self._calls -= 1

    async def _wait_placed(self) -> HostLink:
        """Return the session's host, once it has one; raises `SessionProblem` if it is closed."""
        with trio.move_on_after(PLACED_WAIT):
            while not self.is_closed and self.link is None:
                await self._placed.wait()
        if self.is_closed:
            raise SessionProblem(
                f"Session {self.name[:8]} was closed, so this call did nothing.",
                "Open another session, and open its tabs again.",
            )
        problem, self._problem = self._problem, None
        if problem is not None:
            raise problem
        if self.link is None:
            raise ConnectionLost(
                f"Timed out after {PLACED_WAIT:.0f} s waiting for a host that continues this "
                "session.",
                "Repeat the call: it did not begin. The cluster needs a live node with a free "
                "browser slot.",
            )
        return self.link

    def _note(self, reply: CallReply) -> None:
        self._last_tab = max(self._last_tab, reply.last_tab)
        self._last_snapshot = max(self._last_snapshot, reply.last_snapshot)
        self._tabs = reply.tabs
        if reply.listed is not None and reply.version > self._opened.version:
            self._opened = attrs.evolve(self._opened, version=reply.version, listed=reply.listed)
            self.notify()

    async def read_status(self) -> dict[str, Any]:
        """Return the status of the session's host, with the tabs of this session only."""
        link, status = await self._ask("read_status")
        return {**status, "host": link.name}

    def status(self) -> dict[str, Any]:
        """Return the last known status of the session: its host and its tabs."""
        rows: list[dict[str, Any]] = self.link.status.get("sessions", []) if self.link else []
        mine = [row for row in rows if row["id"] == self._opened.local_id]
        return {"host": self.link.name if self.link else None, "sessions": mine}

    async def list_files(self) -> Sequence[FileEntry]:
        """Return the saved files, which are on the session's host."""
        files: list[FileEntry] = (await self._ask("list_files"))[1]
        return files

    async def read_file(self, address: str, /) -> FileContents:
        """Return a saved file, which is on the session's host."""
        contents: FileContents = (await self._ask("read_file", address))[1]
        return contents

    async def keep(self) -> None:
        """Save the session now; it is also saved shortly after each call."""
        link = await self._wait_placed()
        self.state = await link.ask("call", "save", self.name) or self.state

    async def _ask(self, method: str, *arguments: Any) -> tuple[HostLink, Any]:
        while True:
            link = await self._wait_placed()
            result = await link.ask("call", "ask", self.name, method, *arguments)
            if result is not None:
                return link, result
            self.lose(link)

    def lose(self, link: HostLink) -> None:
        """Continue on another host, because this one is lost or does not have the session."""
        if self.link is link and not self.is_closed:
            link.names.discard(self.name)
            self.link, self._placed = None, trio.Event()
            self._nursery.start_soon(self._restore, link.name, self._calls > 0)

    async def _restore(self, lost: str, was_informed: bool) -> None:  # noqa: FBT001 - a task
        """Open the session on another host; a running call ``was_informed`` of the loss."""
        while not self.is_closed and self.link is None:
            opening = Opening(
                name=self.name,
                is_private=self.is_private,
                state=self.state,
                last_tab=self._last_tab,
                last_snapshot=self._last_snapshot,
                is_lost=True,
            )
            try:
                self.link, opened = await self._cluster.place(opening)
            except Exception as error:  # noqa: BLE001 - it is tried again
                log.warning("session not restored yet", error=str(error), host=lost)
                await trio.sleep(_RETRY)
                continue
            changed = opened.listed != self.listed()
            self._opened = opened
            self._delivered.clear()
            if self.state is None and self._last_tab and not was_informed:
                self._problem = _nothing_saved(lost)
            self._placed.set()
            if changed:
                self.notify()
        if self.is_closed:  # it has ended meanwhile
            await self._leave()

    async def end(self) -> None:
        """Close the session, unless its host is lost."""
        self.is_closed = True
        self._placed.set()  # those who wait for a host
        self.feed.close()
        await self._leave()

    async def _leave(self) -> None:
        if self.link is not None:
            with trio.move_on_after(_CLOSE_WAIT, shield=True), suppress(ConnectionLost):
                await self.link.ask("close", self.name)
            self.link.names.discard(self.name)


def _nothing_saved(host: str) -> ConnectionLost:
    return ConnectionLost(
        f"The browser host {host} of this session was lost before it had saved the session, so its "
        "tabs are lost too. This call did nothing.",
        "Open the tabs again, and check their state before you repeat an action.",
    )
