"""What outlives every incarnation: the record of a tab and of an agent's session."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import structlog
import trio

from charlotte.actors.browser.downloads import DownloadLog
from charlotte.actors.kernel.events import (
    ConsoleLogged,
    Event,
    Feed,
    Restarted,
    TabClosed,
    TabOpened,
)
from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.monitors.console import ConsoleLog, ConsoleMonitor
from charlotte.actors.snapshots import Ring
from charlotte.actors.state.contexts import DEFAULT, ContextRecord
from charlotte.actors.state.dev_sites import Edit, SiteRecord
from charlotte.actors.state.moments import Moment
from charlotte.actors.state.request_log import RequestLog
from charlotte.actors.state.restore_policy import Comeback
from charlotte.actors.state.session_settings import Settings
from charlotte.browser.emulation_state import Desired, Device
from charlotte.errors import LONGEST, CharlotteError, SessionProblem, TabNotFound
from charlotte.page.find import FoundLists
from charlotte.page.identity.dom_book import DomBook, Match
from charlotte.page.identity.id_book import IdBook
from charlotte.page.identity.references import RefBook

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from charlotte.actors.kernel.supervisor import Supervisor
    from charlotte.actors.monitors.network import NetworkMonitor
    from charlotte.actors.monitors.transcript import ConsoleMessage
    from charlotte.actors.snapshots import Snapshot
    from charlotte.actors.state.dialogs import PendingDialog
    from charlotte.actors.tab.actor import Tab
    from charlotte.page.diff.changes import Change
    from charlotte.page.model import Element
    from charlotte.page.modes.lines import OutputLine
    from charlotte.protocol.connection import Connection
    from charlotte.protocol.session import Session


MOST_NOTICES = 20
"""Notices that wait to be reported; a page that nobody asks may cause any number."""

_NOTHING_SHOWN = {"", ":", "about:blank"}

log = structlog.get_logger(__name__)


@attrs.define(eq=False)
class NoticeLog:
    """The notices of a tab that wait for delivery, the last `MOST_NOTICES` of them.

    Notices are numbered from 1. ``added`` is the number of the last one, ``reported`` of the last
    one that a step of a batch reported, ``delivered`` of the last one that reached the agent.
    """

    added: int = 0
    reported: int = 0
    delivered: int = 0
    _waiting: list[str] = attrs.field(factory=list[str])

    def add(self, notice: str) -> None:
        """Keep a notice, unless an equal one waits to be reported."""
        if notice not in self.since(self.reported):
            self._waiting = [*self._waiting[1 - MOST_NOTICES :], notice]
            self.added += 1

    def since(self, number: int) -> list[str]:
        """Return the kept notices with higher numbers."""
        later = self.added - number
        return self._waiting[-later:] if later > 0 else []

    def report(self, number: int) -> None:
        """Record that the notices up to that number are reported: equal later ones are kept."""
        self.reported = max(self.reported, number)

    def deliver(self, number: int) -> None:
        """Remove the notices up to that number, which have reached the agent."""
        self._waiting = self.since(number)
        self.delivered = max(self.delivered, number)


@attrs.define(eq=False)
class TabRecord:
    """One tab: who it is, what it is meant to be, and what is known of it without asking it.

    ``first_url`` is where it goes as soon as its target runs, ``comeback`` how it returns where it
    was when the browser died; ``posted`` if its page answers a form, ``noopener`` if that cannot
    reach its opener. ``control`` is a CDP session attached before anything could go wrong with the
    page: it answers dialogs and ends scripts while the renderer listens to nobody. ``frames`` are
    the ids of the child frames. ``used`` is set when what its sites have stored may have changed,
    ``edits`` are why it was reloaded by itself.
    """

    id: str
    session: SessionRecord
    context: ContextRecord = attrs.field(
        default=attrs.Factory(lambda self: self.session.context(), takes_self=True), kw_only=True
    )
    target_id: str = ""
    url: str = "about:blank"
    first_url: str | None = None
    comeback: Comeback = attrs.field(factory=Comeback)
    title: str = ""
    desired: Desired = attrs.field(factory=Desired)
    control: Session | None = None
    dialog: PendingDialog | None = None
    posted: bool = False
    crashed: bool = False
    hung: bool = False
    loading: bool = False
    opener: TabRecord | None = None
    noopener: bool = False
    frames: set[str] = attrs.field(factory=set[str])
    used: trio.Event = attrs.field(factory=trio.Event)
    opened: list[TabRecord] = attrs.field(factory=list["TabRecord"])
    downloads: DownloadLog = attrs.field(factory=DownloadLog)
    notice_log: NoticeLog = attrs.field(factory=NoticeLog)
    edits: list[Edit] = attrs.field(factory=list[Edit])
    ids: IdBook = attrs.field(factory=IdBook)
    dom: DomBook = attrs.field(factory=DomBook)
    refs: RefBook = attrs.field(
        default=attrs.Factory(lambda self: RefBook(self.context.name), takes_self=True)
    )
    findings: FoundLists[Element | Match] = attrs.field(factory=FoundLists["Element | Match"])
    told: FoundLists[OutputLine] = attrs.field(factory=FoundLists["OutputLine"])
    deltas: FoundLists[Change] = attrs.field(factory=FoundLists["Change"])
    views: FoundLists[Snapshot] = attrs.field(factory=FoundLists["Snapshot"])
    ring: Ring = attrs.field(
        default=attrs.Factory(lambda self: Ring(self.id), takes_self=True), init=False
    )
    heard: Moment = attrs.field(factory=Moment)
    console_log: ConsoleLog = attrs.field(
        default=attrs.Factory(
            lambda self: ConsoleLog(
                self.id,
                self.session.max_chars,
                self.session.hidden,
                tell=partial(self.session.logged, self.id),
            ),
            takes_self=True,
        )
    )
    request_log: RequestLog = attrs.field(
        default=attrs.Factory(
            lambda self: RequestLog(self.id, self.session.max_chars, self.session.hidden),
            takes_self=True,
        )
    )
    tab: Mailbox[Tab] = attrs.field(
        default=attrs.Factory(lambda self: Mailbox(self.id), takes_self=True)
    )
    console: Mailbox[ConsoleMonitor] = attrs.field(
        default=attrs.Factory(lambda self: Mailbox(f"{self.id} console"), takes_self=True)
    )
    network: Mailbox[NetworkMonitor] = attrs.field(
        default=attrs.Factory(lambda self: Mailbox(f"{self.id} network"), takes_self=True)
    )

    @property
    def mailboxes(self) -> tuple[Mailbox[Any], ...]:
        """The tab's actors, in the order in which they start."""
        return self.network, self.console, self.tab

    @property
    def address(self) -> str:
        """Where it is, or is being brought back to."""
        return self.comeback.url or self.url

    @property
    def notices(self) -> list[str]:
        """The notices that have not reached the agent."""
        return self.notice_log.since(self.notice_log.delivered)

    def tell(self, event: Event) -> None:
        """Tell those who listen to the session."""
        self.session.feed.tell(event)

    def now(self) -> Moment:
        """What the monitors have written down by now."""
        return Moment(self.console_log.added, self.request_log.failures)

    def notify(self, notices: Iterable[str]) -> None:
        """Have the next answer report these things, each once: the last `MOST_NOTICES` of them."""
        for notice in notices:
            self.notice_log.add(notice)

    def row(self) -> dict[str, Any]:
        """The tab's row in ``tabs`` (C-TAB-01), with what is wrong with it."""
        row: dict[str, Any] = {
            "id": self.id,
            "url": self.address[:LONGEST],
            "title": self.title[:LONGEST],
        }
        row["active"] = self.session.active == self.id
        if self.context.name:
            row["context"] = self.context.name
        states = {"crashed": self.crashed, "hung": self.hung, "loading": self.loading}
        row |= {name: True for name, holds in states.items() if holds}
        if self.dialog:
            row["dialog"] = self.dialog.type
        return row


@attrs.define(eq=False)
class SessionRecord:
    """One agent's session: its settings and its tabs, in the order they were opened.

    ``contexts`` are by name, ``sites`` the directories it has served. Of the calls that work on
    pages, as many run at once as there are ``turns``, if it is limited. From ``closing`` on it gets
    no more tabs, contexts and sites; ``closed`` is set once none is left.
    """

    id: str
    settings: Settings = attrs.field(factory=Settings)
    tabs: dict[str, TabRecord] = attrs.field(factory=dict[str, TabRecord])
    active: str | None = None
    feed: Feed = attrs.field(factory=Feed, kw_only=True)
    contexts: dict[str, ContextRecord] = attrs.field(factory=dict[str, ContextRecord])
    sites: dict[Path, SiteRecord] = attrs.field(factory=dict[Path, SiteRecord])
    turns: trio.Semaphore | None = None
    closing: trio.Event = attrs.field(factory=trio.Event)
    closed: trio.Event = attrs.field(factory=trio.Event)

    def check_open(self) -> None:
        """Raise `SessionProblem` if the session is being closed."""
        if self.closing.is_set():
            raise SessionProblem(f"{self.id} is closed.", "Open another session.")

    async def refusal(self, url: str) -> str | None:
        """Why a tab must not be sent to an address, if so; what the session serves is its own."""
        if any(site.shows(url) for site in self.sites.values()):
            return None
        return await self.settings.guard.refusal_of_place(url)

    def context(self, name: str = DEFAULT) -> ContextRecord:
        """The context with that name, a new one if there is none."""
        return self.contexts.setdefault(name, ContextRecord(name))

    @property
    def popups(self) -> int:
        """How many of its tabs were opened by pages."""
        return sum(record.opener is not None for record in self.tabs.values())

    def logged(self, tab_id: str, message: ConsoleMessage) -> None:
        """Tell of a line of a tab's console."""
        self.feed.tell(ConsoleLogged(tab_id=tab_id, message=message))

    def max_chars(self) -> int:
        """How many characters one response has at most."""
        return self.settings.max_chars

    def hidden(self, text: str) -> str:
        """A text without the session's secrets."""
        return self.settings.secrets.hidden(text)

    def find(self, tab_id: str) -> TabRecord:
        """The tab with that id; raises `TabNotFound` naming those that are open."""
        if record := self.tabs.get(tab_id):
            return record
        log.warning("tab refused", session=self.id, tab=tab_id[:100])
        is_open = f"Open tabs: {', '.join(self.tabs)}." if self.tabs else "No tab is open."
        raise TabNotFound(
            f"There is no tab {tab_id!r} in this session. {is_open}",
            "Use one of these, leave tab_id out for the active tab, or open one with tab_open.",
        )

    def by_target(self, target_id: str) -> TabRecord | None:
        """Return the tab shown by a target, None if it is not one of this session.

        A tab that is being restored has no target yet, and is not found by the empty id.
        """
        shown = (one for one in self.tabs.values() if one.target_id == target_id)
        return next(shown, None) if target_id else None

    def add(self, record: TabRecord, *, activate: bool) -> None:
        """Take in a new tab."""
        self.tabs[record.id] = record
        if activate or self.active is None:
            self.active = record.id
        opener = record.opener.id if record.opener else None
        self.feed.tell(TabOpened(tab_id=record.id, opener=opener))

    def remove(self, record: TabRecord) -> None:
        """Drop a tab; the first remaining one becomes active if it was (C-TAB-04)."""
        record.ring.snapshots.clear()
        if self.tabs.pop(record.id, None):
            self.feed.tell(TabClosed(tab_id=record.id))
        if self.active == record.id:
            self.active = next(iter(self.tabs), None)


@attrs.frozen(eq=False)
class Incarnation:
    """One life of the browser: the connection to it, and the supervisor of its tabs.

    ``close_session`` has the browser close what it holds of a session, and then forget it.
    """

    connection: Connection
    tabs: Supervisor
    close_session: Callable[[SessionRecord], None]


@attrs.define(eq=False)
class Registry:
    """All sessions of the server, and the numbering of tabs, which is never reused.

    ``incarnation`` is what the browser that lives now consists of; ``feed`` hears of all sessions;
    ``restarts`` counts by the name of the actor.
    """

    sessions: dict[str, SessionRecord] = attrs.field(factory=dict[str, SessionRecord])
    incarnation: Incarnation | None = None
    restarts: Counter[str] = attrs.field(factory=Counter[str])
    feed: Feed = attrs.field(factory=Feed)
    last_tab: int = 0

    def __attrs_post_init__(self) -> None:
        self.feed.call(Restarted, self._count)

    def _count(self, event: Restarted) -> None:
        if event.wait is not None:
            self.restarts[event.actor] += 1

    def new_tab(self, session: SessionRecord, context: ContextRecord | None = None) -> TabRecord:
        """A record for a tab about to open; it belongs to nobody's list yet."""
        self.last_tab += 1
        width, height = session.settings.viewport
        desired = Desired(
            device=Device(width=width, height=height),
            scripts=session.settings.init_scripts,
            credentials=session.settings.credentials,
            guarded=session.settings.guard.holds_documents,
            our_switches=session.settings.our_switches,
        )
        return TabRecord(
            f"tab-{self.last_tab}", session, context=context or session.context(), desired=desired
        )

    def tabs(self) -> list[TabRecord]:
        """Every tab of every session."""
        return [record for session in self.sessions.values() for record in session.tabs.values()]

    def by_target(self, target_id: str) -> TabRecord | None:
        """The tab shown by a target."""
        found = (session.by_target(target_id) for session in self.sessions.values())
        return next(filter(None, found), None)

    def by_frame(self, frame_id: str) -> TabRecord | None:
        """The tab with that frame; of a window that shows nothing yet, the tab that opened it."""
        for tab in self.tabs():
            if frame_id == tab.target_id or frame_id in tab.frames:
                return (tab.opener if tab.url in _NOTHING_SHOWN else None) or tab
        return None

    def close(self, session: SessionRecord) -> None:
        """Have a session closed; this completes whether its caller waits for ``closed`` or not."""
        if session.closing.is_set():
            return
        session.closing.set()
        if self.incarnation is None:
            self.forget(session)
        else:
            self.incarnation.close_session(session)

    def forget(self, session: SessionRecord) -> None:
        """Drop a session that has nothing in any browser any more."""
        self.sessions.pop(session.id, None)
        for record in tuple(session.tabs.values()):
            for mailbox in record.mailboxes:
                mailbox.close(TabNotFound(f"{record.id} was closed with its session."))
            session.remove(record)
        session.feed.close()
        session.closed.set()

    def forget_closing(self) -> None:
        """Drop the sessions that were being closed in a browser that has ended."""
        for session in tuple(self.sessions.values()):
            if session.closing.is_set():
                self.forget(session)

    def refuse(self, reason: CharlotteError) -> None:
        """Answer everything that is queued for a tab now."""
        for record in self.tabs():
            for mailbox in record.mailboxes:
                mailbox.refuse(reason)
