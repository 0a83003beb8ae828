"""The embedding API: `open_charlotte`, which starts the browser and the actors, and sessions."""

import math
import shutil
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import attrs
import structlog
import trio
from typing_extensions import TypeVar

from charlotte.actors.browser.actor import Browser
from charlotte.actors.browser.incarnation import (
    BROWSER_POLICY,
    SERVICE_POLICY,
    browser_mailbox,
    open_browser,
)
from charlotte.actors.dev_server import Sites, open_sites
from charlotte.actors.dispatcher import AgentSession
from charlotte.actors.introspection import status
from charlotte.actors.kernel.mailbox import (
    STREAM_CAPACITY,
    Event,
    EventStream,
    Feed,
    Mailbox,
    Restarted,
)
from charlotte.actors.kernel.supervisor import Supervisor, open_supervisor
from charlotte.actors.state.owner_tabs import owner_tabs
from charlotte.actors.state.records import SessionRecord
from charlotte.actors.state.registry import ProfileRecord, Registry
from charlotte.actors.state.saved_session import (
    SavedSession,
    restore_contexts,
    restore_tabs,
    save_session,
)
from charlotte.actors.state.session_settings import Settings, profile_downloads, session_settings
from charlotte.actors.state.snapshots import Numbers, SnapshotStore, open_snapshots
from charlotte.api.call_watch import CallWatch
from charlotte.api.dashboard_state import DashboardState
from charlotte.api.session import Metrics, Session
from charlotte.base import log
from charlotte.base.errors import SessionProblem
from charlotte.browser.process.browser_source import own_browser
from charlotte.browser.process.running_browser import RunningBrowser, running_browser
from charlotte.browser.world.site_storage import InitialState
from charlotte.config.checks import check_containment
from charlotte.config.config import Config
from charlotte.protocol.transport import Connect
from charlotte.telemetry.audit import AuditLog, open_audit
from charlotte.tools.logins import load_login
from charlotte.tools.schema.tool import Toolbox
from charlotte.tools.states import read_file
from charlotte.tools.toolkit import CATALOG, check_policy_tools

E = TypeVar("E", bound=Event, default=Event)

_CLOSE_WAIT = 0.3
_PRIVATE_CLOSE_WAIT = 5.0
"""Seconds; other sessions use the same browser, where unclosed tabs would remain open."""


@attrs.define(eq=False)
class Charlotte:
    """One browser and its supervisor, serving many sessions; ``metrics`` counts all their calls."""

    _config: Config
    _registry: Registry
    _browser: Mailbox[Browser]
    _sites: Mailbox[Sites]
    _supervisor: Supervisor
    _snapshot_ids: Numbers
    _users_browser: RunningBrowser | None = None
    _audit: AuditLog | None = None
    metrics: Metrics = attrs.field(factory=Metrics, init=False)
    dashboard_state: DashboardState = attrs.field(init=False)
    _sessions_opened: int = 0

    def __attrs_post_init__(self) -> None:
        hidden_in = self._config.hidden.hidden_in
        self.dashboard_state = DashboardState(self._registry, self.status, self.metrics, hidden_in)

    @asynccontextmanager
    async def open_session(
        self,
        settings: Settings | None = None,
        *,
        close_within: float = _CLOSE_WAIT,
        saved: SavedSession | None = None,
    ) -> AsyncGenerator[Session]:
        """Open a session with an isolated browser context; its tabs close at the end.

        If ``user_data_dir`` is configured, all sessions share the context of that profile instead.

        Closing completes in any case; the block waits for it for at most ``close_within`` seconds.
        With ``saved``, the session continues one that has lost its browser.
        """
        config = self._config
        self._sessions_opened += 1
        feed = Feed(self._registry.feed)
        settings = settings or session_settings(config)
        record = SessionRecord(
            f"session-{self._sessions_opened}",
            settings,
            feed=feed,
            owner=self._registry.owner,
            is_audited=self._audit is not None,
        )
        toolbox = build_toolbox(config)
        if saved is not None:
            toolbox.restore(saved.enabled)
            await self._resume(record, saved)
        else:
            if config.storage_state and self._registry.profile is None:
                record.context().begin_with(read_file(Path(config.storage_state)))
            if config.login:
                record.context().begin_with(await _load_login(settings, config.login))
        self._registry.add(record)
        agent = AgentSession(record, self._browser, self._sites, self._users_browser)
        if config.otel:
            from charlotte.telemetry.otel import trace_id, verb_span  # noqa: PLC0415 - of an extra

            record.span, record.trace_id = verb_span, trace_id
        watch = CallWatch(record, self._audit) if self._audit is not None else None
        session = Session(agent, toolbox, self.status, self.metrics, watch)
        try:
            if saved is not None:
                record.active = saved.active
                tabs = restore_tabs(self._registry, record, saved)
                await self._browser.ask(Browser.bring_back, record, tabs)
            yield session
        finally:
            if watch is not None:
                watch.close()
            self._registry.close(record)
            if trio.current_effective_deadline() > -math.inf:  # else all of it is ending
                with trio.move_on_after(close_within, shield=True):
                    await record.closed.wait()
            settings.remove_output()

    async def _resume(self, record: SessionRecord, saved: SavedSession) -> None:
        """Set the settings and contexts of a session; values of logins are hidden again."""
        self.skip_numbers(saved.last_tab, saved.last_snapshot)
        for name, state in saved.contexts.items():
            if state.login is None:
                continue
            loaded = await _load_login(record.settings, state.login)
            if not (state.cookies or state.items):  # saved without its values
                saved = attrs.evolve(saved, contexts={**saved.contexts, name: loaded})
        restore_contexts(record, saved)

    def save(self, session: Session) -> SavedSession:
        """Return a copy of a session, from which `open_session` continues it elsewhere."""
        return save_session(
            session.record, session.enabled, self._registry.last_tab, self._snapshot_ids.last
        )

    def events(self, *kinds: type[E], capacity: int = STREAM_CAPACITY) -> EventStream[E]:
        """Return the events of all sessions' tabs and actors from now on."""
        return self._registry.feed.subscribe(*kinds, capacity=capacity)

    def status(self, *sessions: SessionRecord) -> dict[str, Any]:
        """Return the server's status (see `actors.introspection`) for these sessions, or all."""
        shown = sessions or tuple(self._registry.sessions.values())
        return status(self._registry, self._supervisor, shown)

    @asynccontextmanager
    async def open_private_session(
        self, *, saved: SavedSession | None = None
    ) -> AsyncGenerator[Session]:
        """Open a session that uses files in its own directory and in the roots.

        The directory is deleted at the end, unless it is in the configured output directory.
        """
        config = self._config
        settings = session_settings(config, is_private=True)
        opening = self.open_session(settings, close_within=_PRIVATE_CLOSE_WAIT, saved=saved)
        async with opening as session:
            session.limit(config.session_calls)
            yield session

    def open_lobby(self) -> AbstractAsyncContextManager[Session]:
        """Open the session that answers requests of clients without a session."""
        return self.open_private_session()

    def find_outage(self) -> None:
        """Return None: the browser of this machine is started again when it has ended."""

    def watch_places(self, _: Callable[[int], None]) -> None:
        """Do nothing: the number of sessions is that of the configuration."""

    @property
    def restarts(self) -> Mapping[str, int]:
        """The number of restarts of each actor, by name."""
        return self._registry.restarts

    @property
    def last_tab(self) -> int:
        """The number of the tab that was opened last, in any session; 0 if none was."""
        return self._registry.last_tab

    def skip_numbers(self, tab: int, snapshot: int) -> None:
        """Never use the numbers of tabs and snapshots up to these, which a lost host has used."""
        self._registry.last_tab = max(self._registry.last_tab, tab)
        self._snapshot_ids.last = max(self._snapshot_ids.last, snapshot)

    @property
    def last_snapshot(self) -> int:
        """The number of the snapshot that was stored last, in any session; 0 if none was."""
        return self._snapshot_ids.last

    @property
    def tabs(self) -> int:
        """The number of open tabs in all sessions."""
        return len(self._registry.tabs())


@asynccontextmanager
async def open_charlotte(
    config: Config | None = None, *, on_restart: Callable[[Restarted], None] | None = None
) -> AsyncGenerator[Charlotte]:
    """Start the browser and the actors; returns at once, and the first calls wait for them.

    Connects to the browser of ``attach`` only with the first call that needs it. With the engine
    ``ray``, sessions have their browsers on the cluster, and the same methods.

    ``on_restart`` is called when an actor has crashed: a tab, a monitor, the browser. Logs go to
    stderr, unless the program has configured structlog. Raises `RuntimeError` outside trio,
    `SessionProblem` without Ray, `InvalidArgument` if ``only_host`` leaves routes open or
    ``policy`` names an unknown tool.
    """
    opened: AbstractAsyncContextManager[Charlotte]
    if config is not None and config.engine == "ray":
        engine: Any = import_module("charlotte.cluster.engine")  # with the extra, if installed
        opened = engine.open_cluster(config, on_restart=on_restart)
    else:
        opened = open_local(config, on_restart=on_restart)
    async with opened as charlotte:
        yield charlotte


@asynccontextmanager
async def open_local(
    config: Config | None = None,
    *,
    on_restart: Callable[[Restarted], None] | None = None,
    connect: Connect | None = None,
) -> AsyncGenerator[Charlotte]:
    """Do what `open_charlotte` does, on this machine whatever the engine is.

    ``connect`` replaces the configured way to get a browser.
    """
    if not trio.lowlevel.in_trio_run():
        raise RuntimeError("call this in trio; in asyncio, call charlotte.aio.open_charlotte")
    config = config or Config()
    check_containment(config)
    check_policy_tools(config.rules)
    if not structlog.is_configured():
        log.configure(config.log_level, config.hidden.hidden)
    running = running_browser(config) if connect is None else None
    connect = connect or (running.connect if running else own_browser(config))
    users = running if running is not None and running.asks else None
    registry, ids = Registry(policy=config.rules), Numbers()
    if config.attach is not None:
        registry.owner = owner_tabs(config.adopt)
    if on_restart is not None:
        registry.feed.add_hook(Restarted, on_restart)
    browser = browser_mailbox()
    snapshots = Mailbox[SnapshotStore]("snapshots", capacity=1024)
    open_this_browser = partial(
        open_browser, connect, registry, snapshots, running, is_foreign=config.is_foreign
    )
    sites = Mailbox[Sites]("watcher")
    async with AsyncExitStack() as stack:
        if config.user_data_dir is not None:
            registry.profile = ProfileRecord(downloads=profile_downloads(config))
            stack.callback(shutil.rmtree, registry.profile.downloads, ignore_errors=True)
            if config.storage_state:
                registry.profile.begin_with(read_file(Path(config.storage_state)))
        if config.otel:
            from charlotte.telemetry.otel import open_tracing  # noqa: PLC0415 - of an extra

            await stack.enter_async_context(open_tracing())
        audit = None
        if config.audit is not None:
            audit = await stack.enter_async_context(open_audit(Path(config.audit)))
        supervisor = await stack.enter_async_context(
            open_supervisor(BROWSER_POLICY, _closing, registry.feed.publish)
        )
        supervisor.start_soon(snapshots, lambda: open_snapshots(ids), policy=SERVICE_POLICY)
        supervisor.start_soon(browser, open_this_browser, on_demand=users is not None)
        supervisor.start_soon(sites, lambda: open_sites(registry), policy=SERVICE_POLICY)
        try:
            yield Charlotte(config, registry, browser, sites, supervisor, ids, users, audit)
        finally:
            for mailbox in (browser, snapshots, sites):
                mailbox.close(_closing())
            registry.suspend_tabs(_closing())
            registry.feed.close()


async def _load_login(settings: Settings, name: str) -> InitialState:
    return await trio.to_thread.run_sync(load_login, settings, name, abandon_on_cancel=True)


def build_toolbox(config: Config) -> Toolbox:
    """Return the tools of a new session, with the rare parameters for this configuration."""
    owners = {"tabs"} if config.attach is not None else set[str]()
    logins = {"tab_open", "storage"} if config.logins.names() else set[str]()
    contained = {"configure", "tab_open"} if config.only_host else set[str]()
    return Toolbox(
        CATALOG,
        profile=config.profile,
        naming=config.tool_naming,
        strict_profile=config.strict_profile,
        available={"dashboard"} if config.dashboard else (),
        full_schemas=owners | logins | contained,
        acting=owners,
    )


def _closing() -> SessionProblem:
    return SessionProblem("Charlotte is shutting down.")
