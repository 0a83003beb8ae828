"""The engine of a Ray cluster: links to all hosts, and the sessions of this gateway on them."""

import itertools
import secrets
import signal
import threading
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any, NoReturn

import attrs
import structlog
import trio
from typing_extensions import TypeVar

from charlotte import log as logging
from charlotte.actors.kernel.mailbox import (
    STREAM_CAPACITY,
    Event,
    EventStream,
    Feed,
    Restarted,
)
from charlotte.app import build_toolbox
from charlotte.cluster.actors import ActorGroup, HostActor, connect
from charlotte.cluster.dashboard import ClusterDashboard, cluster_status
from charlotte.cluster.host_link import HostLink
from charlotte.cluster.lobby import Lobby
from charlotte.cluster.messages import (
    DeliveriesWanted,
    Entry,
    EventSeen,
    ListChanged,
    News,
    Opened,
    Opening,
    ProgressMade,
    SessionEnded,
    StateSaved,
)
from charlotte.cluster.placement import Placed, choose_host, find_outage, is_usable
from charlotte.cluster.ray_calls import import_ray, in_thread
from charlotte.cluster.remote_session import ProgressReports, RemoteSession
from charlotte.cluster.shared_sessions import SharedSessions
from charlotte.config import Config
from charlotte.engine import START_WAIT, SessionKey
from charlotte.errors import ConnectionLost, SessionProblem
from charlotte.session import Metrics
from charlotte.tools.schema.tool import Toolbox

E = TypeVar("E", bound=Event, default=Event)

PLACE_WAIT = 30.0
"""Seconds in which a host with a free slot has to be found."""
_OPEN_WAIT = 20.0
"""Seconds for one host to open a session; then another one is tried."""
_PERIOD = 1.0
_REPLACED_WAIT = 20.0
"""Seconds for the replacement of a host, before another one is emptied."""
_RAY_WAIT = 10.0
_CLOSE_WAIT = 15.0
_GOODBYE_WAIT = 12.0
_END_WAIT = 20.0
"""Seconds in which all hosts have to end."""

log = structlog.get_logger(__name__)


@attrs.define(eq=False)
class ClusterCharlotte:
    """Browsers on the nodes of a cluster, serving many sessions; as `charlotte.app.Charlotte`.

    ``metrics`` counts the calls of this process.
    """

    _config: Config
    _group: ActorGroup
    _nursery: trio.Nursery
    metrics: Metrics = attrs.field(factory=Metrics, init=False)
    dashboard_state: ClusterDashboard = attrs.field(init=False)
    gateway: str = attrs.field(factory=lambda: secrets.token_hex(8), init=False)
    numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1), init=False)
    progress: dict[int, ProgressReports] = attrs.field(
        factory=dict[int, ProgressReports], init=False
    )
    shared: SharedSessions = attrs.field(init=False)
    _toolbox: Toolbox = attrs.field(init=False)
    feed: Feed = attrs.field(factory=Feed, init=False)
    _hosts: list[HostActor] = attrs.field(factory=list[HostActor], init=False)
    _links: list[HostLink] = attrs.field(factory=list[HostLink], init=False)
    _sessions: dict[str, RemoteSession] = attrs.field(factory=dict[str, RemoteSession], init=False)
    _drained: set[str] = attrs.field(factory=set[str], init=False)
    _restarts: Counter[str] = attrs.field(factory=Counter[str], init=False)
    _room: trio.Event = attrs.field(factory=trio.Event, init=False)
    _resize: Callable[[int], None] = attrs.field(default=lambda _: None, init=False)
    _ended: Callable[[str], None] = attrs.field(default=lambda _: None, init=False)
    _places: int = attrs.field(default=-1, init=False)
    _was_live: bool = attrs.field(default=False, init=False)
    _empty_due: float = attrs.field(default=0.0, init=False)
    _wants_events: bool = attrs.field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self._toolbox = build_toolbox(self._config)
        self.shared = SharedSessions(
            self.gateway, self._links, self._group.ask_directory, self.place, self._nursery
        )
        self.dashboard_state = ClusterDashboard(
            self._config.hidden.hidden_in,
            self.status,
            self.metrics,
            lambda: self._links,
            self.want_events,
        )
        self.feed.add_hook(Restarted, self._count_restart)

    # the interface for programs

    @asynccontextmanager
    async def open_session(self) -> AsyncGenerator[RemoteSession]:
        """Open a session on the host with the fewest sessions; its tabs close at the end.

        Raises `SessionProblem` if no host has a free slot in time.
        """
        key = SessionKey(secrets.token_hex(12))
        async with self._open(Opening(key=key, is_private=False)) as session:
            yield session

    def events(self, *kinds: type[E], capacity: int = STREAM_CAPACITY) -> EventStream[E]:
        """Return the events of this process' sessions, and restarts on hosts, from now on."""
        self.want_events()
        return self.feed.subscribe(*kinds, capacity=capacity)

    def status(self) -> dict[str, Any]:
        """Return the sum of the last known status of all hosts, and a row for each host."""
        return cluster_status(self._links, self._drained, max(self._places, 0))

    # the interface for the server

    @asynccontextmanager
    async def open_private_session(self, key: SessionKey) -> AsyncGenerator[RemoteSession]:
        """Open a session that uses files in its own directory, on its host."""
        async with self._open(Opening(key=key)) as session:
            yield session

    @asynccontextmanager
    async def open_lobby(self) -> AsyncGenerator[Lobby]:
        """Open the session that answers requests of clients without a session."""
        yield Lobby(self._toolbox, self.status)

    async def find_session(
        self, key: SessionKey
    ) -> AbstractAsyncContextManager[RemoteSession] | None:
        """Return a session that another gateway has opened for the same owner."""
        entry = await self.shared.find(key.name)
        if entry is None or entry.key != key:
            return None
        return self._adopt(entry)

    async def end_session(self, key: SessionKey) -> bool:
        """End a session for all gateways, also if only others serve it.

        Raises `ConnectionLost` if its host or the directory cannot be reached.
        """
        if session := self._sessions.get(key.name):
            link = session.link
        else:
            entry = await self.shared.find(key.name)
            place = entry and entry.place
            link = next((link for link in self._links if link.place == place), None)
        return link is not None and bool(await link.ask("end", key))

    def watch_ends(self, ended: Callable[[str], None]) -> None:
        """Call ``ended`` with the name of each session that was ended by another gateway."""
        self._ended = ended

    def find_outage(self) -> SessionProblem | None:
        """Return the error for calls that need a new session, while no host takes one."""
        was_live, cpus = self._was_live, self._config.host_cpus
        return find_outage(self._links, self._drained, was_live=was_live, host_cpus=cpus)

    def watch_places(self, resize: Callable[[int], None]) -> None:
        """Call ``resize`` when the number of sessions that have room here changes."""
        self._resize, self._places = resize, -1
        self._note_places()

    @property
    def tabs(self) -> int:
        """The number of open tabs on all hosts."""
        return sum(link.news.tabs for link in self._links if link.news is not None)

    @property
    def restarts(self) -> Mapping[str, int]:
        """The number of restarts of each actor that this gateway has seen, by name."""
        return self._restarts

    # the interface for sessions

    def name_tool(self, name: str) -> str:
        """Return the plain name of a tool; raises `UnknownTool`."""
        return self._toolbox.find(name, listed_only=False).name

    async def place(self, opening: Opening) -> Placed:
        """Open a session on a host; raises `SessionProblem` if no host has room in time."""
        full = set[str]()
        with trio.move_on_after(START_WAIT if self.find_outage() else PLACE_WAIT):
            while True:
                free = [link for link in self._links if link.name not in full]
                link = choose_host(free, self._drained, opening.lost)
                if link is None:
                    full.clear()
                    await self._room.wait()
                    continue
                place = link.place
                if opened := await self._open_on(link, opening):
                    return Placed(link, place, opened)
                full.add(link.name)
        raise self._no_room()

    async def _open_on(self, link: HostLink, opening: Opening) -> Opened | None:
        link.reserved += 1
        try:
            with trio.move_on_after(_OPEN_WAIT), suppress(ConnectionLost):
                opened: Opened | None = await link.ask("open", self.gateway, opening)
                if opened is not None and link.news is not None:  # counted before the next news
                    link.news = attrs.evolve(link.news, sessions=link.news.sessions + 1)
                return opened
            return None
        finally:
            link.reserved -= 1

    def _no_room(self) -> SessionProblem:
        if outage := self.find_outage():
            return outage
        live = sum(link.is_live for link in self._links)
        problem = (
            f"No browser host has a free slot: {live} of {len(self._links)} hosts are live, with "
            f"{sum(link.sessions for link in self._links)} sessions."
        )
        if other := sum(link.has_other_settings for link in self._links):
            problem += (
                f" {other} have other settings than this server, so they get no new sessions."
            )
        return SessionProblem(
            problem,
            "Close sessions that are no longer needed, or add nodes to the cluster. `ray status` "
            f"shows whether {self._config.host_cpus} CPUs and a `browser` are free for each host.",
        )

    # links

    async def watch(self) -> NoReturn:
        """Follow the cluster: a host for each `browser` of its nodes, and drained nodes."""
        while True:
            with trio.move_on_after(_RAY_WAIT):
                try:
                    count = await in_thread(self._group.count_hosts)
                    for number in range(len(self._links), count):
                        self._add_host(number)
                    touch = "touch", self.gateway, self._drained
                    self._drained = await self._group.ask_directory(*touch)
                    self._move_drained()
                    await self._empty_outdated()
                except Exception as error:  # noqa: BLE001 - Ray raises many types without its head
                    log.warning("the cluster does not answer", error=repr(error)[:300])
            self._note_places()
            await trio.sleep(_PERIOD)

    def _add_host(self, number: int) -> None:
        actor = self._group.host(number, self._nursery)
        link = HostLink(
            actor.name,
            self.gateway,
            actor.call,
            self._take_news,
            self._note_link,
            lambda: self._wants_events,
            self._names_on,
        )
        self._hosts.append(actor)
        self._links.append(link)
        self._nursery.start_soon(link.run)

    def _names_on(self, link: HostLink) -> list[str]:
        return [name for name, session in self._sessions.items() if session.link is link]

    def _move_drained(self) -> None:
        """Move idle sessions from drained nodes, as many as find a slot at once."""
        sessions = tuple(self._sessions.values())
        waiting = sum(session.link is None for session in sessions)
        room = sum(link.free for link in self._links if is_usable(link, self._drained)) - waiting
        idle = [
            session
            for session in sessions
            if (link := session.link) is not None
            and link.is_live
            and not is_usable(link, self._drained)
            and not session.calls
        ]
        for session in idle[: max(room, 0)]:
            self._nursery.start_soon(session.move)

    async def _empty_outdated(self) -> None:
        """Empty a host that has former settings while no host has room; then it is replaced."""
        usable = [link for link in self._links if is_usable(link, self._drained)]
        if trio.current_time() < self._empty_due or any(link.free for link in usable):
            return
        outdated = [link for link in usable if link.has_other_settings]
        for link in sorted(outdated, key=lambda link: link.sessions):
            with suppress(ConnectionLost):
                if await link.ask("retire"):
                    self._empty_due = trio.current_time() + _REPLACED_WAIT
                    return

    def _note_link(self, link: HostLink) -> None:
        """Restore the sessions of a lost host elsewhere."""
        self.shared.note_link()
        self._was_live |= link.is_live
        if not link.is_live:
            for session in tuple(self._sessions.values()):
                session.lose(link)
        self._note_places()

    def _take_news(self, link: HostLink, news: News) -> None:
        for notice in news.notices:
            match notice:
                case ProgressMade(number):
                    if reports := self.progress.get(number):
                        reports.take(notice)
                case EventSeen(None, event):
                    self.feed.publish(event)
                    self.dashboard_state.publish(link.name, event)
                case EventSeen(name, event):
                    self.dashboard_state.publish(link.name, event)
                    self._pass_on(link, name or "", notice)
                case SessionEnded(name):
                    self._ended(name)
                case ListChanged(name) | StateSaved(name) | DeliveriesWanted(name):
                    self._pass_on(link, name, notice)
        self._note_places()

    def _pass_on(
        self,
        link: HostLink,
        name: str,
        notice: EventSeen | ListChanged | StateSaved | DeliveriesWanted,
    ) -> None:
        """Pass a notice to its session, unless the session has moved to another host."""
        session = self._sessions.get(name)
        if session is not None and session.link is link:
            session.take(notice)

    def _note_places(self) -> None:
        """Wake those who wait for a slot, and report the number of places for this gateway."""
        usable = [link for link in self._links if is_usable(link, self._drained)]
        free = sum(link.free for link in usable)
        if free:
            self._room.set()
            self._room = trio.Event()
        places = free + len(self._sessions) + sum(link.reserved for link in usable)
        if places != self._places:
            self._places = places
            self._resize(places)

    def want_events(self) -> None:
        """Have all hosts send the events of this gateway's sessions, from now on."""
        if not self._wants_events:
            self._wants_events = True
            for link in self._links:
                if link.is_live:
                    self._nursery.start_soon(self._ask_for_events, link)

    async def _ask_for_events(self, link: HostLink) -> None:
        with suppress(ConnectionLost):
            await link.ask("want_events", self.gateway)

    def _count_restart(self, event: Restarted) -> None:
        if event.wait is not None:
            self._restarts[event.actor] += 1

    # sessions

    @asynccontextmanager
    async def _open(self, opening: Opening) -> AsyncGenerator[RemoteSession]:
        async with self._hold(opening, await self.place(opening)) as session:
            yield session

    @asynccontextmanager
    async def _adopt(self, entry: Entry) -> AsyncGenerator[RemoteSession]:
        """Serve a session of another gateway; continue it elsewhere if its host is lost."""
        opening, found = await self.shared.adopt(entry)
        async with self._hold(opening, found) as session:
            session.state = found.state
            yield session

    @asynccontextmanager
    async def _hold(self, opening: Opening, placed: Placed) -> AsyncGenerator[RemoteSession]:
        session = RemoteSession(
            opening.key,
            opening.is_private,
            self,
            placed.opened,
            self._nursery,
            placed.link,
            placed.place,
            Feed(self.feed),
            opening.state,
        )
        self._sessions[opening.key.name] = session
        if not placed.link.is_live:
            session.lose(placed.link)
        is_kept = False
        try:
            yield session
        except trio.Cancelled:  # the server ends, not the session
            is_kept = opening.key.is_resumable
            raise
        finally:
            if not is_kept:
                del self._sessions[opening.key.name]
            await session.end(is_kept=is_kept)  # noqa: ASYNC102 - shielded there, with a deadline
            self._note_places()

    async def close(self) -> None:
        """End the hosts of a program; those of gateways end when no gateway is left.

        The directory, which ends with the last gateway, has a minute more if sessions go on.
        """
        with trio.move_on_after(_CLOSE_WAIT, shield=True):
            try:
                async with trio.open_nursery() as nursery:
                    for host, link in zip(self._hosts, self._links, strict=True):
                        if not self._group.is_shared:
                            nursery.start_soon(_quietly, host.close)
                        elif link.is_live:
                            nursery.start_soon(_quietly, host.call, "goodbye", self.gateway)
            finally:
                for host in self._hosts:
                    host.disconnect()
            if self._group.is_shared and not self._sessions:  # those that are kept
                await _quietly(self._group.ask_directory, "goodbye", self.gateway)
            await _quietly(self._group.close)


async def _quietly(work: Callable[..., Awaitable[object]], *arguments: Any) -> None:
    """Do work of the shutdown; ignore errors, because the actors may have ended already."""
    with trio.move_on_after(_GOODBYE_WAIT), suppress(Exception):
        await work(*arguments)


def _keep_stop_signals() -> None:
    """Install Python's handler of SIGTERM again: Ray replaces it by one that ends at once."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGTERM))


@asynccontextmanager
async def open_cluster(
    config: Config | None = None,
    *,
    browsers: int | None = None,
    on_restart: Callable[[Restarted], None] | None = None,
) -> AsyncGenerator[ClusterCharlotte]:
    """Connect to a Ray cluster, on which sessions have their browsers; returns at once.

    With ``browsers``, Ray starts that many for this program, each with `Config.host_cpus` CPUs.
    By default, the program shares the hosts of the cluster's gateways: one for each `browser`
    resource of the nodes. The cluster is that to which the program has connected (``ray.init``),
    that of `Config.address`, or a new one on this machine. Raises `SessionProblem` without Ray.
    """
    config = config or Config()
    if not structlog.is_configured():
        logging.configure(config.log_level, config.hidden.hidden)
    is_ours = await in_thread(connect, config.address, browsers)
    _keep_stop_signals()
    try:
        async with trio.open_nursery() as nursery:
            cluster = ClusterCharlotte(config, ActorGroup(config, browsers), nursery)
            if on_restart is not None:
                cluster.feed.add_hook(Restarted, on_restart)
            nursery.start_soon(cluster.watch)
            try:
                yield cluster
            finally:
                cluster.feed.close()
                nursery.cancel_scope.cancel("closed")
                with trio.move_on_after(_END_WAIT, shield=True):
                    await cluster.close()
    finally:
        if is_ours:
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(import_ray().shutdown)
