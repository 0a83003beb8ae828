"""The engine of a Ray cluster: links to all hosts, and the sessions of this gateway on them."""

import itertools
import secrets
import signal
import threading
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Container, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any, NoReturn

import attrs
import structlog
import trio
from typing_extensions import TypeVar

from charlotte.actors.kernel.mailbox import (
    STREAM_CAPACITY,
    Event,
    EventStream,
    Feed,
    Restarted,
)
from charlotte.api.app import build_toolbox
from charlotte.api.session import START_WAIT, Metrics
from charlotte.base import log as logging
from charlotte.base.errors import SessionProblem
from charlotte.base.saved_files import FileContents, FileEntry, not_found
from charlotte.cluster.dashboard import ClusterDashboard, cluster_status
from charlotte.cluster.host_actors import HostActors
from charlotte.cluster.host_link import HostLink
from charlotte.cluster.messages import (
    EventSeen,
    HostNews,
    Notice,
    Opened,
    Opening,
    ProgressMade,
    StateSaved,
)
from charlotte.cluster.ray_calls import connect, import_ray, in_thread
from charlotte.cluster.remote_session import RemoteSession, Reports
from charlotte.config.config import Config
from charlotte.tools.schema.tool import Toolbox

E = TypeVar("E", bound=Event, default=Event)

PLACE_WAIT = 30.0
"""Seconds in which a host with a free slot has to be found."""
_PERIOD = 1.0
_RAY_WAIT = 10.0
_END_WAIT = 20.0
"""Seconds in which all hosts have to end."""
_RETRY = 10
"""Seconds after which a call may be repeated: a host starts in less."""

log = structlog.get_logger(__name__)


@attrs.define(eq=False)
class ClusterCharlotte:
    """Browsers on the nodes of a cluster, serving many sessions; as `charlotte.api.app.Charlotte`.

    ``metrics`` counts the calls of this process.
    """

    _config: Config
    _hosts: HostActors
    _nursery: trio.Nursery
    metrics: Metrics = attrs.field(factory=Metrics, init=False)
    dashboard_state: ClusterDashboard = attrs.field(init=False)
    progress: dict[int, Reports] = attrs.field(factory=dict[int, Reports], init=False)
    feed: Feed = attrs.field(factory=Feed, init=False)
    wants_events: bool = attrs.field(default=False, init=False)
    """Whether hosts send the events of tabs, from their next call or poll on."""
    _toolbox: Toolbox = attrs.field(init=False)
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1), init=False)
    _links: list[HostLink] = attrs.field(factory=list[HostLink], init=False)
    _sessions: dict[str, RemoteSession] = attrs.field(factory=dict[str, RemoteSession], init=False)
    _restarts: Counter[str] = attrs.field(factory=Counter[str], init=False)
    _room: trio.Event = attrs.field(factory=trio.Event, init=False)
    _resize: Callable[[int], None] = attrs.field(default=lambda _: None, init=False)
    _places: int = attrs.field(default=-1, init=False)
    _was_live: bool = attrs.field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self._toolbox = build_toolbox(self._config)
        self.dashboard_state = ClusterDashboard(
            self._config.hidden.hidden_in,
            self.status,
            self.metrics,
            lambda: self._links,
            self._want_events,
        )
        self.feed.add_hook(Restarted, self._count_restart)

    # the interface for programs

    @asynccontextmanager
    async def open_session(self, *, is_private: bool = False) -> AsyncGenerator[RemoteSession]:
        """Open a session on the host with the fewest sessions; its tabs close at the end.

        Raises `SessionProblem` if no host has a free slot in time.
        """
        name = secrets.token_hex(12)
        link, opened = await self.place(Opening(name=name, is_private=is_private))
        feed = Feed(self.feed)
        session = RemoteSession(
            name, self, self._nursery, link, opened, feed, is_private=is_private
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
        self._want_events()
        return self.feed.subscribe(*kinds, capacity=capacity)

    def status(self) -> dict[str, Any]:
        """Return the sum of the last known status of all hosts, and a row for each host."""
        return cluster_status(self._links)

    # the interface for the server

    def open_private_session(self) -> AbstractAsyncContextManager[RemoteSession]:
        """Open a session that uses files in its own directory, on its host."""
        return self.open_session(is_private=True)

    @asynccontextmanager
    async def open_lobby(self) -> AsyncGenerator["Lobby"]:
        """Open the session that answers requests of clients without a session."""
        opened = Opened(local_id="", listed=self._toolbox.listed(), version=1)
        closed = Feed(self.feed)
        yield Lobby("", self, self._nursery, None, opened, closed, is_closed=True)

    def find_outage(self) -> SessionProblem | None:
        """Return the error for calls that need a new session, while no host is live."""
        if any(link.is_live for link in self._links):
            return None
        since = "any more" if self._was_live else "yet"
        return SessionProblem(
            f"No browser host is live {since}: the cluster has {len(self._links)} hosts, and none "
            "answers.",
            f"Retry in {_RETRY} s. {self._advice}",
            {"retry_after_s": _RETRY},
        )

    @property
    def _advice(self) -> str:
        return (
            f"`ray status` shows whether nodes are alive, and whether {self._config.host_cpus} "
            "CPUs and a `browser` are free for each host."
        )

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

    def next_number(self) -> int:
        """Return the number of a call."""
        return next(self._numbers)

    def name_tool(self, name: str) -> str:
        """Return the plain name of a tool; raises `UnknownTool`."""
        return self._toolbox.find(name, listed_only=False).name

    async def place(self, opening: Opening) -> tuple[HostLink, Opened]:
        """Open a session on a host; raises `SessionProblem` if no host has room in time."""
        failed = set[HostLink]()
        with trio.move_on_after(START_WAIT if self.find_outage() else PLACE_WAIT):
            while True:
                link = self._choose_host(failed)
                if link is None:
                    failed.clear()
                    await self._room.wait()
                elif opened := await link.open(opening):
                    return link, opened
                else:
                    failed.add(link)
        live = sum(link.is_live for link in self._links)
        raise self.find_outage() or SessionProblem(
            f"No browser host has a free slot: {live} of {len(self._links)} hosts are live, with "
            f"{sum(len(link.names) for link in self._links)} sessions.",
            "Close sessions that are no longer needed, or add nodes to the cluster. "
            f"{self._advice}",
        )

    def _choose_host(self, failed: Container[HostLink]) -> HostLink | None:
        """Return the host for the next session: the emptiest one of the emptiest node, if any."""
        on_node = Counter[str]()
        for link in self._links:
            on_node[link.node] += len(link.names)
        return min(
            (link for link in self._links if link.free and link not in failed),
            key=lambda link: (on_node[link.node], len(link.names), link.name),
            default=None,
        )

    # links

    async def watch(self) -> NoReturn:
        """Follow the cluster: a host for each `browser` of its nodes."""
        while True:
            with trio.move_on_after(_RAY_WAIT):
                try:
                    count = await in_thread(self._hosts.count)
                    while len(self._links) < count:
                        self._add_link()
                except Exception as error:  # noqa: BLE001 - Ray raises many types without its head
                    log.warning("the cluster does not answer", error=repr(error)[:300])
            await trio.sleep(_PERIOD)

    def _add_link(self) -> None:
        link = HostLink(
            f"host-{len(self._links)}",
            self._config.max_sessions,
            partial(in_thread, self._hosts.start),
            self._take_news,
            self._note_link,
            lambda: self.wants_events,
        )
        self._links.append(link)
        self._nursery.start_soon(link.run)

    def _note_link(self, link: HostLink) -> None:
        """Restore the sessions of a lost host elsewhere."""
        self._was_live |= link.is_live
        if not link.is_live:
            for session in tuple(self._sessions.values()):
                session.lose(link)
        self._note_places()

    def _take_news(self, link: HostLink, news: HostNews) -> None:
        for notice in news.notices:
            self._take_notice(link, notice)
        self._note_places()

    def _take_notice(self, link: HostLink, notice: Notice) -> None:
        session = None if isinstance(notice, ProgressMade) else self._find(link, notice.session)
        match notice:
            case ProgressMade(number):
                if reports := self.progress.get(number):
                    reports.send_nowait(notice)
            case EventSeen(name, event):
                self.dashboard_state.publish(link.name, event)
                if name is None:
                    self.feed.publish(event)
                elif session is not None:
                    session.feed.publish(event)
            case StateSaved(state=state):
                if session is not None:
                    session.state = state

    def _find(self, link: HostLink, name: str | None) -> RemoteSession | None:
        """Return a session, unless it has moved to another host."""
        session = self._sessions.get(name or "")
        return session if session is not None and session.link is link else None

    def _note_places(self) -> None:
        """Wake those who wait for a slot, and report the number of places for this gateway."""
        if any(link.free for link in self._links):
            self._room.set()
            self._room = trio.Event()
        places = sum(link.slots for link in self._links if link.is_live)
        if places != self._places:
            self._places = places
            self._resize(places)

    def _want_events(self) -> None:
        self.wants_events = True

    def _count_restart(self, event: Restarted) -> None:
        if event.wait is not None:
            self._restarts[event.actor] += 1

    async def close(self) -> None:
        """End the hosts."""
        with trio.move_on_after(_END_WAIT, shield=True):
            async with trio.open_nursery() as nursery:
                for link in self._links:
                    nursery.start_soon(link.close)


class Lobby(RemoteSession):
    """The tools of a new session, and the status of the cluster; it has no files and no tabs."""

    async def read_status(self) -> dict[str, Any]:
        """Return the status of the cluster without the tabs of sessions."""
        return {**self._cluster.status(), "sessions": [], "actors": []}

    async def list_files(self) -> Sequence[FileEntry]:
        """Return no files."""
        return ()

    async def read_file(self, address: str, /) -> FileContents:
        """Raise `InvalidArgument`: there are no files."""
        raise not_found(address)


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

    Ray starts the hosts of this process, each with `Config.host_cpus` CPUs: ``browsers``, or by
    default one for each `browser` resource of the nodes. They end with this process. The cluster is
    that to which the program has connected (``ray.init``), that of `Config.address`, or a new one
    on this machine. Raises `SessionProblem` without Ray.
    """
    config = config or Config()
    if not structlog.is_configured():
        logging.configure(config.log_level, config.hidden.hidden)
    is_ours = await in_thread(connect, config.address, browsers)
    _keep_stop_signals()
    try:
        async with trio.open_nursery() as nursery:
            cluster = ClusterCharlotte(config, HostActors(config, browsers), nursery)
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
