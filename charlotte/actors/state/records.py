"""Records of tabs and sessions: the data that outlives every incarnation of their actors."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import structlog
import trio

from charlotte.actors.kernel.events import Event, Feed
from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.state.console_log import ConsoleLog, ConsoleMessage
from charlotte.actors.state.dev_sites import Edit, SiteRecord
from charlotte.actors.state.dialogs import PendingDialog
from charlotte.actors.state.downloads import DownloadLog
from charlotte.actors.state.events import (
    ConsoleLogged,
    DownloadChanged,
    Navigated,
    TabClosed,
    TabOpened,
)
from charlotte.actors.state.notices import LogPosition, NoticeLog
from charlotte.actors.state.request_log import RequestLog
from charlotte.actors.state.restore_policy import RestorePolicy
from charlotte.actors.state.session_settings import Settings
from charlotte.actors.state.snapshots import Ring, Snapshot
from charlotte.browser.emulation_state import EmulationState
from charlotte.browser.site_storage import CookieBackup, StoredItems
from charlotte.errors import LONGEST, SessionProblem, TabNotFound
from charlotte.page.find import FoundLists
from charlotte.page.identity.id_book import IdBook
from charlotte.page.identity.references import DomBook, Match, RefBook
from charlotte.page.model import Change, Element
from charlotte.page.modes.lines import OutputLine
from charlotte.protocol.connection import Session

DEFAULT = ""
"""The name of the context of tabs that are opened without naming a context."""

_NO_DOCUMENT = {"", ":"}
"""URLs of a popup before its first document; a popup without a URL is at about:blank."""

_POPUP_WAIT = 1.0

log = structlog.get_logger(__name__)


@attrs.define(eq=False)
class WorkerRecord:
    """A service or shared worker: its CDP session, and the tab whose emulation applies to it."""

    session: Session
    tab_id: str | None


@attrs.define(eq=False)
class ContextRecord:
    """An isolated browser context; its tabs share cookies, storage and cache.

    ``cookies`` and ``items`` are restored in a new browser process. ``origins`` are those of shown
    documents, which may have stored something. ``workers`` are alive. ``opening`` counts the tabs
    that are being opened.
    """

    name: str = DEFAULT
    cookies: CookieBackup = attrs.field(factory=CookieBackup)
    items: StoredItems = attrs.field(factory=StoredItems)
    origins: set[str] = attrs.field(factory=set[str])
    workers: list[WorkerRecord] = attrs.field(factory=list[WorkerRecord])
    opening: int = 0


@attrs.define(eq=False)
class TabRecord:
    """A tab: its identity, its desired state, and its last known state.

    ``tab``, ``console`` and ``network`` are the mailboxes of its actors. ``first_url`` is loaded as
    soon as the target runs. ``posted`` is set if the page answers a form. A ``noopener`` popup
    cannot reach its opener. ``control`` is a CDP session attached before the page runs: it answers
    dialogs and ends scripts while the renderer is blocked. ``frames`` are the ids of the child
    frames. ``used`` is set when sites may have stored something. ``edits`` are the file changes
    after which the tab was reloaded. ``findings``, ``lines``, ``deltas`` and ``views`` are numbered
    results that later calls can page through.
    """

    id: str
    session: "SessionRecord"
    context: ContextRecord = attrs.field(
        default=attrs.Factory(lambda self: self.session.context(), takes_self=True), kw_only=True
    )
    target_id: str = ""
    url: str = "about:blank"
    first_url: str | None = None
    restore: RestorePolicy = attrs.field(factory=RestorePolicy)
    title: str = ""
    desired: EmulationState = attrs.field(factory=EmulationState)
    control: Session | None = None
    dialog: PendingDialog | None = None
    posted: bool = False
    crashed: bool = False
    hung: bool = False
    loading: bool = False
    opener: "TabRecord | None" = None
    noopener: bool = False
    frames: set[str] = attrs.field(factory=set[str])
    used: trio.Event = attrs.field(factory=trio.Event)
    opened: "list[TabRecord]" = attrs.field(factory=list["TabRecord"])
    downloads: DownloadLog = attrs.field(factory=DownloadLog)
    notice_log: NoticeLog = attrs.field(factory=NoticeLog)
    edits: list[Edit] = attrs.field(factory=list[Edit])
    ids: IdBook = attrs.field(factory=IdBook)
    dom: DomBook = attrs.field(factory=DomBook)
    refs: RefBook = attrs.field(
        default=attrs.Factory(lambda self: RefBook(self.context.name), takes_self=True)
    )
    findings: FoundLists[Element | Match] = attrs.field(factory=FoundLists["Element | Match"])
    lines: FoundLists[OutputLine] = attrs.field(factory=FoundLists["OutputLine"])
    deltas: FoundLists[Change] = attrs.field(factory=FoundLists["Change"])
    views: FoundLists[Snapshot] = attrs.field(factory=FoundLists["Snapshot"])
    ring: Ring = attrs.field(init=False)
    reported: LogPosition = attrs.field(factory=LogPosition)
    console_log: ConsoleLog = attrs.field(init=False)
    request_log: RequestLog = attrs.field(init=False)
    tab: Mailbox[Any] = attrs.field(init=False)
    console: Mailbox[Any] = attrs.field(init=False)
    network: Mailbox[Any] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        session = self.session
        publish = partial(session.publish_message, self.id)
        self.ring = Ring(self.id)
        self.console_log = ConsoleLog(session.hidden, publish=publish)
        self.request_log = RequestLog(session.hidden)
        self.tab = Mailbox(self.id)
        self.console = Mailbox(f"{self.id} console")
        self.network = Mailbox(f"{self.id} network")

    @property
    def mailboxes(self) -> tuple[Mailbox[Any], ...]:
        """The tab's actors, in the order in which they start."""
        return self.network, self.console, self.tab

    @property
    def address(self) -> str:
        """The tab's URL, or the URL that is being restored."""
        return self.restore.url or self.url

    @property
    def has_no_document(self) -> bool:
        """Whether the tab is a popup whose first document has not arrived."""
        return self.opener is not None and self.url in _NO_DOCUMENT

    @property
    def notices(self) -> list[str]:
        """The notices that have not reached the agent."""
        return self.notice_log.since(self.notice_log.delivered)

    def publish(self, event: Event) -> None:
        """Publish an event of the tab."""
        self.session.feed.publish(event)

    def log_position(self) -> LogPosition:
        """Return the present ends of the console and request logs."""
        return LogPosition(self.console_log.added, self.request_log.failures)

    def notify(self, notices: Iterable[str]) -> None:
        """Have the next answer report these notices, each once."""
        for notice in notices:
            self.notice_log.add(notice)

    async def wait_for_popups(self) -> None:
        """Wait up to a second until the popups that the page has just opened have a document.

        A popup that turns out to be a download is closed.
        """
        events = self.session.feed.subscribe(Navigated, DownloadChanged, TabClosed)
        with trio.move_on_after(_POPUP_WAIT):
            while any(tab.has_no_document for tab in self.opened if tab.id in self.session.tabs):
                await anext(events)

    def row(self) -> dict[str, Any]:
        """Return the tab's row in ``tabs`` (C-TAB-01)."""
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
    """An agent's session: its settings, and its tabs in the order in which they were opened.

    ``contexts`` are by name, ``sites`` by directory. ``turns`` limits the number of concurrent
    calls on pages. After ``closing`` is set, the session gets no more tabs, contexts and sites;
    ``closed`` is set when all of them are gone.
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

    @property
    def popups(self) -> int:
        """The number of tabs that were opened by pages."""
        return sum(record.opener is not None for record in self.tabs.values())

    def check_open(self) -> None:
        """Raise `SessionProblem` if the session is being closed."""
        if self.closing.is_set():
            raise SessionProblem(f"{self.id} is closed.", "Open another session.")

    async def refusal(self, url: str) -> str | None:
        """Return why tabs must not navigate to a URL, if so; the session's sites are allowed."""
        if any(site.shows(url) for site in self.sites.values()):
            return None
        return await self.settings.guard.refusal_of_address(url)

    def context(self, name: str = DEFAULT) -> ContextRecord:
        """Return the context with that name, which is created if necessary."""
        return self.contexts.setdefault(name, ContextRecord(name))

    def publish_message(self, tab_id: str, message: ConsoleMessage) -> None:
        """Publish a console message of a tab."""
        self.feed.publish(ConsoleLogged(tab_id=tab_id, message=message))

    def max_chars(self) -> int:
        """Return the maximum length of a response in characters."""
        return self.settings.max_chars

    def hidden(self, text: str) -> str:
        """Return a text without the session's secrets."""
        return self.settings.secrets.hidden(text)

    def find(self, tab_id: str) -> TabRecord:
        """Return the tab with that id; raises `TabNotFound`, which lists the open tabs."""
        if record := self.tabs.get(tab_id):
            return record
        log.warning("tab refused", session=self.id, tab=tab_id[:100])
        is_open = f"Open tabs: {', '.join(self.tabs)}." if self.tabs else "No tab is open."
        raise TabNotFound(
            f"There is no tab {tab_id!r} in this session. {is_open}",
            "Use an open tab, omit tab_id for the active tab, or open a tab with tab_open.",
        )

    def by_target(self, target_id: str) -> TabRecord | None:
        """Return the session's tab with that target, else None.

        A tab that is being restored has no target yet, and is not found by the empty id.
        """
        shown = (tab for tab in self.tabs.values() if tab.target_id == target_id)
        return next(shown, None) if target_id else None

    def has_tabs_in(self, context: ContextRecord) -> bool:
        """Return whether the session has tabs in a context."""
        return any(tab.context is context for tab in self.tabs.values())

    def add(self, record: TabRecord, *, activate: bool) -> None:
        """Add a new tab."""
        self.tabs[record.id] = record
        if activate or self.active is None:
            self.active = record.id
        opener = record.opener.id if record.opener else None
        self.feed.publish(TabOpened(tab_id=record.id, opener=opener))

    def remove(self, record: TabRecord) -> None:
        """Remove a tab; if it was active, the first remaining tab becomes active (C-TAB-04)."""
        record.ring.snapshots.clear()
        if self.tabs.pop(record.id, None):
            self.feed.publish(TabClosed(tab_id=record.id))
        if self.active == record.id:
            self.active = next(iter(self.tabs), None)
