"""The engine of a Ray cluster: links to all hosts, and the sessions of this gateway on them."""

import itertools
import secrets
import signal
import threading
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from math import inf
from typing import Any, NoReturn

import attrs
import outcome
import structlog
import trio
from typing_extensions import TypeVar

from charlotte.actors.introspection import process_row
from charlotte.actors.kernel.mailbox import STREAM_CAPACITY, Event, EventStream, Feed, Restarted
from charlotte.actors.state.questions import Channel, Question
from charlotte.actors.state.session_settings import TabBudget
from charlotte.answers.answer import Answer
from charlotte.api.app import build_toolbox
from charlotte.api.call_watch import RunningCall
from charlotte.api.session import START_WAIT, Metrics, SessionCalls
from charlotte.base import log as logging
from charlotte.base.errors import CharlotteError, ConnectionLost, SessionProblem, ellipsize
from charlotte.base.progress import Report
from charlotte.base.saved_files import FileContents, FileEntry, not_found
from charlotte.cluster.host_actors import HostActors, connect, import_ray, in_thread
from charlotte.cluster.host_link import HostLink
from charlotte.cluster.messages import (
    CallReply,
    CallRequest,
    HostNews,
    Notice,
    Opening,
    ProgressMade,
)
from charlotte.config.config import Config
from charlotte.tools.schema.tool import ListedTool, Tool, Toolbox

R = TypeVar("R")
E = TypeVar("E", bound=Event, default=Event)

PLACE_WAIT = 30.0
"""Seconds in which a host with a free slot has to be found."""
PLACED_WAIT = 20.0
"""Seconds that a call waits until its session is on a host again."""
_PERIOD = 1.0
_END_WAIT = 20.0
"""Seconds in which all hosts have to end."""
_RETRY = 10
"""Seconds after which a client may repeat a call: a host starts in less."""
_CLOSE_WAIT = 5.0
_LATE_REPORTS = 1.0
"""Seconds that an answer waits for the reports of its progress, which arrive apart from it."""

_numbers = itertools.count(1)
log = structlog.get_logger(__name__)


@attrs.define(eq=False)
class RemoteSession(SessionCalls):
    """A session on a host; it moves to another host when its host is lost.

    ``link`` is None while it moves. ``state`` is the last packed state.
    """

    name: str = attrs.field(repr=False)
    _cluster: "ClusterCharlotte"
    _nursery: trio.Nursery
    link: HostLink | None
    _listed: Sequence[ListedTool]
    feed: Feed
    is_private: bool = False
    state: bytes | None = attrs.field(default=None, repr=False)
    is_closed: bool = False
    _last_tab: int = 0
    _last_snapshot: int = 0
    tab_count: int = 0
    """The number of tabs after the last call that ended."""
    _budget: Callable[[], TabBudget] | None = None
    _placed: trio.Event = attrs.field(factory=trio.Event)
    _delivered: list[int] = attrs.field(factory=list[int])
    _reports: dict[int, trio.MemorySendChannel[tuple[Any, ...]]] = attrs.field(
        factory=dict[int, trio.MemorySendChannel[tuple[Any, ...]]]
    )

    def limit_tabs(self, budget: Callable[[], TabBudget], /) -> None:
        """Send the budget to the host with each call; the host refuses more tabs."""
        self._budget = budget

    def listed(self) -> Sequence[ListedTool]:
        """Return the tools that are enabled now."""
        return self._listed

    def take(self, notice: Notice) -> None:
        """Handle news from the session's host."""
        match notice.news:
            case ProgressMade(number, report):
                if reports := self._reports.get(number):
                    reports.send_nowait(report)
            case Event() as event:
                self.feed.publish(event)
            case bytes() as state:
                self.state = state

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
        channel: Channel | None = None,  # noqa: ARG002 - as in `Session`
    ) -> Answer:
        """Run a tool on the session's host; the caller calls ``delivered`` of the answer.

        Raises `ConnectionLost` within seconds if the host is lost; the session then continues on
        another host.
        """
        number = next(_numbers)
        plain = self._cluster.toolbox.find(name).name
        call = RunningCall(self.name[:8], plain, arguments.get("tab_id"))

        def delivered() -> None:
            self._delivered.append(number)  # the list is replaced with each request

        with self._cluster.metrics.track(call):
            try:
                if progress is None:
                    reply = await self._run(number, name, arguments)
                else:
                    reply = await self._report(progress, number, name, arguments)
                answer: Answer = reply.result.unwrap()
            except CharlotteError as error:
                error.delivered = delivered
                raise
            call.failed = answer.is_error
        return attrs.evolve(answer, delivered=delivered)

    async def run_tool(self, tool: Tool[..., R], arguments: Mapping[str, Any]) -> R:
        """Make a call of a program, which gets the value of the answer."""
        call = RunningCall(self.name[:8], tool.name, arguments.get("tab_id"))
        with self._cluster.metrics.track(call):
            reply = await self._run(next(_numbers), tool.name, arguments, is_program=True)
            value: R = reply.result.unwrap()
        return value

    async def _report(
        self, progress: Report, number: int, name: str, arguments: Mapping[str, Any]
    ) -> CallReply:
        """Run a call, and pass on its progress, which arrives apart from the reply."""
        send, receive = trio.open_memory_channel[tuple[Any, ...]](inf)

        async def pass_on() -> None:
            async for report in receive:
                if not report:  # the last one
                    return
                await progress(*report)

        self._reports[number] = send
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(pass_on)
                ran = await outcome.acapture(self._run, number, name, arguments)
                late = _LATE_REPORTS if isinstance(ran, outcome.Value) else 0
                nursery.cancel_scope.deadline = trio.current_time() + late
        finally:
            del self._reports[number]
        return ran.unwrap()

    async def _run(
        self, number: int, tool: str, arguments: Mapping[str, Any], *, is_program: bool = False
    ) -> CallReply:
        """Return the reply to a call."""
        delivered, self._delivered = self._delivered, []
        request = CallRequest(
            session=self.name,
            tool=tool,
            arguments=arguments,
            number=number,
            delivered=delivered,
            has_progress=number in self._reports,
            is_program=is_program,
            wants_events=self._cluster.wants_events,
            tab_budget=self._budget() if self._budget else None,
        )
        reply: CallReply = await self._ask("run", request)
        self._last_tab = max(self._last_tab, reply.last_tab)
        self._last_snapshot = max(self._last_snapshot, reply.last_snapshot)
        self.tab_count = reply.tabs
        if reply.listed is not None:
            self._listed = reply.listed
            self._notify()
        return reply

    async def _ask(self, *question: Any) -> Any:
        """Ask the session's host; one that does not have the session has done nothing."""
        while True:
            link = await self._wait_placed()
            result = await link.ask(*question)
            if result is not None:
                return result
            self.lose(link)

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
        if self.link is None:
            raise ConnectionLost(
                f"Timed out after {PLACED_WAIT:.0f} s waiting for a host that continues this "
                "session.",
                "Repeat the call: it did not begin. The cluster needs a live node with a free "
                "browser slot.",
            )
        return self.link

    async def read_status(self) -> dict[str, Any]:
        """Return the status of the session's host, with the tabs of this session only."""
        status = await self._ask("ask", self.name, "read_status")
        return {**status, "host": self.link and self.link.name}

    def status(self) -> dict[str, Any]:
        """Return the name of the session's host, and the number of tabs after the last call."""
        return {"host": self.link and self.link.name, "tabs": self.tab_count}

    async def list_files(self) -> Sequence[FileEntry]:
        """Return the saved files, which are on the session's host."""
        files: list[FileEntry] = await self._ask("ask", self.name, "list_files")
        return files

    async def read_file(self, address: str, /) -> FileContents:
        """Return a saved file, which is on the session's host."""
        contents: FileContents = await self._ask("ask", self.name, "read_file", address)
        return contents

    def lose(self, link: HostLink) -> None:
        """Continue on another host, because this one is lost or does not have the session."""
        if self.link is link and not self.is_closed:
            link.names.discard(self.name)
            self.link, self._placed = None, trio.Event()
            self._nursery.start_soon(self._restore)

    async def _restore(self) -> None:
        """Open the session on another host."""
        while not self.is_closed and self.link is None:
            opening = Opening(
                name=self.name,
                is_private=self.is_private,
                state=self.state,
                last_tab=self._last_tab,
                last_snapshot=self._last_snapshot,
            )
            try:
                self.link, listed = await self._cluster.place(opening)
            except Exception as error:  # noqa: BLE001 - it is tried again
                log.warning("session not restored yet", error=str(error))
                await trio.sleep(0.3)
                continue
            self._listed = listed
            self._placed.set()
            self._notify()
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


class Lobby(RemoteSession):
    """The tools of a new session, and the status of the cluster; it has no files and no tabs."""

    async def read_status(self) -> dict[str, Any]:
        """Return the status of the cluster."""
        return self._cluster.status()

    async def list_files(self) -> Sequence[FileEntry]:
        """Return no files."""
        return ()

    async def read_file(self, address: str, /) -> FileContents:
        """Raise `InvalidArgument`: there are no files."""
        raise not_found(address)


@attrs.define(eq=False)
class ClusterCharlotte:
    """Browsers on the nodes of a cluster, serving many sessions; as `charlotte.api.app.Charlotte`.

    ``metrics`` counts the calls of this process.
    """

    _config: Config
    _hosts: HostActors
    _nursery: trio.Nursery
    metrics: Metrics = attrs.field(factory=Metrics, init=False)
    toolbox: Toolbox = attrs.field(
        default=attrs.Factory(lambda self: build_toolbox(self._config), takes_self=True), init=False
    )
    feed: Feed = attrs.field(factory=Feed, init=False)
    wants_events: bool = attrs.field(default=False, init=False)
    """Whether hosts send the events of tabs, from their next call or poll on."""
    _links: list[HostLink] = attrs.field(factory=list[HostLink], init=False)
    _sessions: dict[str, RemoteSession] = attrs.field(factory=dict[str, RemoteSession], init=False)
    restarts: Counter[str] = attrs.field(factory=Counter[str], init=False)
    """The number of restarts of each actor that this gateway has seen, by name."""
    _room: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot, init=False)
    _resize: Callable[[int], None] = attrs.field(default=lambda _: None, init=False)

    # the interface for programs

    @asynccontextmanager
    async def open_session(self, *, is_private: bool = False) -> AsyncGenerator[RemoteSession]:
        """Open a session on the host with the fewest sessions; its tabs close at the end.

        Raises `SessionProblem` if no host has a free slot in time.
        """
        name = secrets.token_hex(12)
        link, listed = await self.place(Opening(name=name, is_private=is_private))
        session = RemoteSession(
            name, self, self._nursery, link, listed, Feed(self.feed), is_private=is_private
        )
        self._sessions[name] = session
        try:
            yield session
        finally:
            del self._sessions[name]
            await session.end()  # noqa: ASYNC102 - shielded there, with a deadline
            self._note_places()

    def events(self, *kinds: type[E], capacity: int = STREAM_CAPACITY) -> EventStream[E]:
        """Return the events of this process' sessions, and restarts on hosts, from now on."""
        self.wants_events = True
        return self.feed.subscribe(*kinds, capacity=capacity)

    def status(self) -> dict[str, Any]:
        """Return the status of this process, and a row for each host."""
        rows: list[dict[str, Any]] = [
            {
                "name": link.name,
                "live": link.is_live,
                "node": link.node,
                "slots": link.slots,
                "sessions": len(link.names),
                "tabs": link.tabs,
            }
            for link in self._links
        ]
        return {"process": process_row(), "hosts": rows}

    # the interface for the server

    def open_private_session(self) -> AbstractAsyncContextManager[RemoteSession]:
        """Open a session that uses files in its own directory, on its host."""
        return self.open_session(is_private=True)

    @asynccontextmanager
    async def open_lobby(self) -> AsyncGenerator[Lobby]:
        """Open the session that answers requests of clients without a session."""
        listed, feed = self.toolbox.listed(), Feed(self.feed)
        yield Lobby("", self, self._nursery, None, listed, feed, is_closed=True)

    def find_outage(self) -> SessionProblem | None:
        """Return the error for calls that need a new session, while no host is live."""
        return None if any(link.is_live for link in self._links) else self._no_slot()

    def _no_slot(self) -> SessionProblem:
        live = sum(link.is_live for link in self._links)
        return SessionProblem(
            f"No browser host has a free slot: {live} of {len(self._links)} hosts are live, with "
            f"{sum(len(link.names) for link in self._links)} sessions.",
            f"Retry in {_RETRY} s. Close sessions that are no longer needed, or add nodes: "
            "`ray status` shows whether nodes are alive, and whether "
            f"{self._config.host_cpus} CPUs and a `browser` are free for each host.",
            {"retry_after_s": _RETRY},
        )

    def watch_places(self, resize: Callable[[int], None]) -> None:
        """Call ``resize`` with the number of sessions that have room here, also if unchanged."""
        self._resize = resize
        self._note_places()

    @property
    def tabs(self) -> int:
        """The number of open tabs on all hosts."""
        return sum(link.tabs for link in self._links)

    async def place(self, opening: Opening) -> tuple[HostLink, Sequence[ListedTool]]:
        """Open a session on a host; raises `SessionProblem` if no host has room in time."""
        with trio.move_on_after(START_WAIT if self.find_outage() else PLACE_WAIT):
            while True:
                if (link := self._choose_host()) is None:
                    await self._room.park()
                elif (listed := await link.open(opening)) is not None:
                    return link, listed
        raise self._no_slot()

    def _choose_host(self) -> HostLink | None:
        """Return the host for the next session: the emptiest one of the emptiest node, if any."""
        on_node = Counter[str]()
        for link in self._links:
            on_node[link.node] += len(link.names)
        return min(
            (link for link in self._links if link.free),
            key=lambda link: (on_node[link.node], len(link.names), link.name),
            default=None,
        )

    # links

    async def watch(self) -> NoReturn:
        """Follow the cluster: a host for each `browser` of its nodes."""
        while True:
            with trio.move_on_after(10.0):
                try:
                    count = await in_thread(self._hosts.count)
                    while len(self._links) < count:
                        self._add_link()
                except Exception as error:  # noqa: BLE001 - Ray raises many types without its head
                    log.warning("the cluster does not answer", error=ellipsize(repr(error), 300))
            await trio.sleep(_PERIOD)

    def _add_link(self) -> None:
        link = HostLink(
            f"host-{len(self._links)}",
            self._config.max_sessions,
            partial(in_thread, self._hosts.start),
            self._take_news,
            self._restore_sessions,
            lambda: self.wants_events,
        )
        self._links.append(link)
        self._nursery.start_soon(link.run)

    def _restore_sessions(self, lost: HostLink) -> None:
        """Restore the sessions of a lost host elsewhere."""
        for session in tuple(self._sessions.values()):
            session.lose(lost)
        self._note_places()

    def _take_news(self, link: HostLink, news: HostNews) -> None:
        for notice in news.notices:
            session = self._sessions.get(notice.session or "")
            if isinstance(notice.news, Restarted):
                self.restarts[notice.news.actor] += notice.news.wait is not None
                self.feed.publish(notice.news)
            elif session is not None and session.link is link:  # else it has moved
                session.take(notice)
        self._note_places()

    def _note_places(self) -> None:
        """Wake those who wait for a slot, and report the number of places for this gateway."""
        if any(link.free for link in self._links):
            self._room.unpark_all()
        self._resize(sum(link.slots for link in self._links if link.is_live))

    async def close(self) -> None:
        """End the hosts."""
        with trio.move_on_after(_END_WAIT, shield=True):
            async with trio.open_nursery() as nursery:
                for link in self._links:
                    nursery.start_soon(link.close)


@asynccontextmanager
async def open_cluster(
    config: Config | None = None, *, on_restart: Callable[[Restarted], None] | None = None
) -> AsyncGenerator[ClusterCharlotte]:
    """Connect to a Ray cluster, on which sessions have their browsers; returns at once.

    Ray starts the hosts of this process, each with `Config.host_cpus` CPUs: one for each `browser`
    resource of the nodes. They end with this process. The cluster is that to which the program has
    connected (``ray.init``), that of `Config.address`, or a new one on this machine with one host.
    Raises `SessionProblem` without Ray.
    """
    config = config or Config()
    if not structlog.is_configured():
        logging.configure(config.log_level, config.hidden.hidden)
    is_ours = await in_thread(connect, config.address)
    if threading.current_thread() is threading.main_thread():  # Ray replaces Python's handler
        signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGTERM))
    try:
        async with trio.open_nursery() as nursery:
            cluster = ClusterCharlotte(config, HostActors(config), nursery)
            if on_restart is not None:
                cluster.feed.add_hook(Restarted, on_restart)
            nursery.start_soon(cluster.watch)
            try:
                yield cluster
            finally:
                cluster.feed.close()
                nursery.cancel_scope.cancel("closed")
                await cluster.close()  # noqa: ASYNC102 - shielded there, with a deadline
    finally:
        if is_ours:
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(import_ray().shutdown)
