"""The registry of all sessions of the server, the shared profile, and refused connections."""

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import attrs
import trio

from charlotte.actors.kernel.mailbox import Feed, Restarted
from charlotte.actors.kernel.supervisor import Supervisor
from charlotte.actors.state.context_record import DEFAULT, ContextRecord
from charlotte.actors.state.logs import CONNECTION, RequestRecord
from charlotte.actors.state.owner_tabs import OwnerTabs
from charlotte.actors.state.records import BLANK, SessionRecord, TabRecord
from charlotte.base.errors import CharlotteError, TabNotFound
from charlotte.base.log import now
from charlotte.base.urls import origin_of
from charlotte.browser.emulation import UNCHANGED, Device, EmulationState
from charlotte.guard.host_patterns import place_of
from charlotte.guard.rules import Policy
from charlotte.guard.url_guard import REFUSED, DebuggingPort
from charlotte.protocol.connection import Connection

_REQUEST_WAIT = 0.5
"""Seconds by which a page without an opener may precede the event that names its tab."""

_REQUEST_VALID = 5.0

SHARED = (
    "Other sessions work in this browser profile too: logins, cookies and storage are the same. "
    "Signing out, clear_cookies and changes of storage affect all of them. tab_open with a context "
    "opens a tab with its own."
)
"""The notice for sessions that share the browser's profile."""

_MOST = 100


@attrs.define(eq=False)
class ProfileRecord(ContextRecord):
    """The browser's own profile, the default context of all sessions if it is configured.

    The browser writes all downloads of the profile to ``downloads``; complete files are moved to
    their session.
    """

    downloads: Path = attrs.field(kw_only=True)
    _requests: list[tuple[TabRecord, float]] = attrs.field(factory=list[tuple[TabRecord, float]])
    _requested: trio.Event = attrs.field(factory=trio.Event)

    def note_page_request(self, tab: TabRecord) -> None:
        """Record that a tab requests a page that has no opener, as a click with ctrl does."""
        self._requests.append((tab, trio.current_time()))
        self._requested.set()

    async def requester(self) -> TabRecord | None:
        """Return the tab that requested a page without an opener; None if a person opened it."""
        oldest = trio.current_time() - _REQUEST_VALID
        self._requests = [each for each in self._requests if each[1] > oldest]
        with trio.move_on_after(_REQUEST_WAIT):
            while not self._requests:
                self._requested = trio.Event()
                await self._requested.wait()
        return self._requests.pop(0)[0] if self._requests else None

    def note_sharing(self, tabs: Iterable[TabRecord]) -> None:
        """Notify each session once, in its active tab, if the tabs here are of several sessions."""
        sessions = {tab.session.id: tab.session for tab in tabs}
        if len(sessions) == 1:
            return
        for session in sessions.values():
            if not session.knows_sharing and session.active:
                session.knows_sharing = True
                session.tabs[session.active].notify([SHARED])


@attrs.frozen(eq=False)
class Incarnation:
    """A browser process: the connection to it and the supervisor of its tabs.

    ``close_session`` closes all of a session in the browser and then forgets the session.
    """

    connection: Connection
    tabs: Supervisor
    close_session: Callable[[SessionRecord], None]


@attrs.define(eq=False)
class Registry:
    """All sessions of the server, and the numbering of tabs, whose ids are never reused.

    ``profile`` is the default context of all sessions if the browser's profile is configured, else
    each session has its own. ``incarnation`` is that of the running browser. ``feed`` has the
    events of all sessions. ``restarts`` counts by the name of the actor. ``owner`` has the tabs of
    the browser's owner; it is None in a browser without one. ``policy`` has the rules for all
    requests of the browser. ``debugging_port`` is that of a running browser. ``program_pages`` are
    the targets of programs, which send no requests.
    """

    profile: ProfileRecord | None = None
    sessions: dict[str, SessionRecord] = attrs.field(factory=dict[str, SessionRecord])
    incarnation: Incarnation | None = None
    restarts: Counter[str] = attrs.field(factory=Counter[str])
    feed: Feed = attrs.field(factory=Feed)
    last_tab: int = 0
    owner: OwnerTabs | None = None
    policy: Policy = attrs.field(factory=Policy)
    debugging_port: DebuggingPort | None = None
    program_pages: set[str] = attrs.field(factory=set[str])

    def __attrs_post_init__(self) -> None:
        self.feed.add_hook(Restarted, self._count_restart)

    def add(self, session: SessionRecord) -> None:
        """Add a session, which gets the browser's profile if that is configured."""
        if self.profile is not None:
            session.contexts[DEFAULT] = self.profile
        self.sessions[session.id] = session
        self.close_port(self.debugging_port)

    def close_port(self, port: DebuggingPort | None) -> None:
        """Keep all sessions from the debugging port of a running browser."""
        self.debugging_port = port
        for session in self.sessions.values():
            guard = session.settings.guard
            session.settings.guard = attrs.evolve(guard, debugging_port=port)
        if self.owner is not None and port is not None:
            self.owner.closed_ports.add(port.port)

    def _count_restart(self, event: Restarted) -> None:
        if event.wait is not None:
            self.restarts[event.actor] += 1

    def new_tab(self, session: SessionRecord, context: ContextRecord | None = None) -> TabRecord:
        """Return a record for a tab about to open, which is not yet listed in its session."""
        self.last_tab += 1
        return self.tab_record(f"tab-{self.last_tab}", session, context or session.context())

    def tab_record(self, tab_id: str, session: SessionRecord, context: ContextRecord) -> TabRecord:
        """Return the record of a tab with the settings of its session."""
        config = session.settings.config
        width, height = config.viewport_size()
        desired = EmulationState(
            device=Device(width=width, height=height),
            scripts=session.settings.init_scripts,
            credentials=tuple(  # the proxies log in to the upstream proxy themselves
                one for one in config.credentials() if not (one.is_for_proxy and config.only_host)
            ),
            guarded=session.settings.holds_documents,
            reads_pdf=session.settings.reads_pdf,
            our_switches=session.settings.our_switches,
            page_tools=session.settings.page_tools,
            closes_sockets=self.policy.is_read_only,
        )
        if context.is_owner_profile:
            desired = attrs.evolve(
                UNCHANGED, guarded=True, is_light=True, page_tools=desired.page_tools
            )
        return TabRecord(tab_id, session, context=context, desired=desired)

    def tabs(self) -> list[TabRecord]:
        """Return every tab of every session."""
        return [record for session in self.sessions.values() for record in session.tabs.values()]

    def tabs_in(self, context: ContextRecord) -> list[TabRecord]:
        """Return the tabs in a context, of all sessions that share the context."""
        return [record for record in self.tabs() if record.context is context]

    def by_target(self, target_id: str) -> TabRecord | None:
        """Return the tab with that target, else None."""
        found = (session.by_target(target_id) for session in self.sessions.values())
        return next(filter(None, found), None)

    def by_frame(self, frame_id: str) -> TabRecord | None:
        """Return the tab with that frame, else None.

        A popup that shows no document yet is represented by its opener.
        """
        for tab in self.tabs():
            if frame_id == tab.target_id or frame_id in tab.frames:
                return (tab.opener if tab.url in BLANK else None) or tab
        return None

    def tabs_of_worker(self, target_id: str) -> list[TabRecord]:
        """Return the tabs in the context of a service or shared worker, of its origin if any is."""
        for context in {tab.context for tab in self.tabs()}:
            for worker in context.workers:
                if worker.target_id == target_id:
                    tabs = self.tabs_in(context)
                    served = [tab for tab in tabs if origin_of(tab.url) == worker.origin]
                    return served or tabs
        return []

    def close(self, session: SessionRecord) -> None:
        """Start closing a session; closing completes even if no caller waits for ``closed``."""
        if session.closing.is_set():
            return
        session.closing.set()
        if self.incarnation is None:
            self.forget(session)
        else:
            self.incarnation.close_session(session)

    def forget(self, session: SessionRecord) -> None:
        """Remove a session that has nothing left in the browser."""
        self.sessions.pop(session.id, None)
        for record in tuple(session.tabs.values()):
            session.end(record, TabNotFound(f"{record.id} was closed with its session."))
        session.feed.close()
        session.closed.set()

    def suspend_tabs(self, reason: CharlotteError) -> None:
        """Refuse all calls of tabs with ``reason`` until the next browser restores the tabs."""
        for record in self.tabs():
            for mailbox in record.mailboxes:
                mailbox.close(reason)

    def refuse(self, reason: CharlotteError) -> None:
        """Fail all messages that are queued for tabs with ``reason``."""
        for record in self.tabs():
            for mailbox in record.mailboxes:
                mailbox.refuse(reason)


def note_refused(session: SessionRecord, context: ContextRecord, host: str, port: int) -> None:
    """Remember a refused connection for the tab that probably caused it."""
    tabs = [tab for tab in session.tabs.values() if tab.context is context]
    ranked = sorted(
        tabs, key=lambda tab: (bool(tab.tab.statistics().doing), tab.id == session.active)
    )
    if ranked and len(refused := ranked[-1].refused) < _MOST:
        refused.setdefault((host, port), now())


def list_refused(record: TabRecord) -> None:
    """Add the refused connections to the log that have no request in a tab of the context."""
    if not record.refused:
        return
    log = record.request_log
    known = {
        place_of(request.url)
        for tab in record.session.tabs.values()
        if tab.context is record.context
        for request in tab.request_log.records.values()
    }
    for (host, port), time in record.refused.items():
        if (host, port) not in known:
            name = f"[{host}]" if ":" in host else host
            request = RequestRecord(
                url=log.hidden(f"{name}:{port}"),
                method="CONNECT",
                resource_type=CONNECTION,
                timestamp=time,
                number=log.added + 1,
                status=0,
                error=REFUSED,
            )
            log.begin(f"{CONNECTION} {log.added + 1}", request)
            log.note_end(request)
    record.refused.clear()
