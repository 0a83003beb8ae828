"""Records of tabs and sessions, which outlive every incarnation of their actors."""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary, WeakMethod

import attrs
import structlog
import trio

from charlotte.actors.kernel.mailbox import Event, Feed, Mailbox
from charlotte.actors.state import events, logs
from charlotte.actors.state.context_record import DEFAULT, Clip, ContextRecord
from charlotte.actors.state.logs import Download, FoundLists
from charlotte.actors.state.news import Batch, Client, NewsLog, NewsReader, current_client
from charlotte.actors.state.owner_tabs import OwnerTab, OwnerTabs
from charlotte.actors.state.page_tools import PageTools
from charlotte.actors.state.questions import Question, Questions
from charlotte.actors.state.restore_policy import RestorePolicy
from charlotte.actors.state.session_settings import Settings, TabBudget
from charlotte.actors.state.sites import SiteRecord
from charlotte.actors.state.snapshots import Numbers, Ring, Snapshot
from charlotte.actors.state.takeovers import Takeover
from charlotte.base.errors import (
    LONGEST,
    BudgetExceeded,
    CharlotteError,
    ConnectionLost,
    InvalidArgument,
    NavigationBlocked,
    SessionProblem,
    TabCrashed,
    TabNotFound,
    ellipsize,
)
from charlotte.browser.emulation import EmulationState
from charlotte.guard.host_patterns import HostList
from charlotte.guard.url_guard import Guard
from charlotte.page.identity.id_book import IdBook
from charlotte.page.identity.references import DomBook, Match, RefBook
from charlotte.page.model import Change, Element, PageView
from charlotte.protocol.connection import CdpSession

OWNER = "owner"
"""The name of the context that is the profile of the browser's owner."""

_NO_DOCUMENT = {"", ":"}
"""URLs of a popup before its first document; a popup without a URL is at about:blank."""

BLANK = {*_NO_DOCUMENT, "about:blank"}
_MOST_ENDED = 20


log = structlog.get_logger(__name__)


@attrs.define(eq=False)
class TabRecord:
    """A tab: its identity, its desired state, and its last known state.

    ``tab``, ``console`` and ``network`` are the mailboxes of its actors. ``first_url`` is loaded as
    soon as the target runs. ``error_page`` is why the browser shows its error page in place of the
    document. ``posted`` is set if the page answers a form, ``opens_files`` while a call navigates:
    PDF documents are shown then even if they are attachments. ``saved_documents`` are the digests
    of those that were saved. A ``noopener`` popup cannot reach its opener. ``has_begun`` is set if
    the document can have begun before Charlotte attached to it. ``adopted`` is the tab of the
    browser's owner in which this tab works, ``takeover`` that of a person who has the tab.
    ``reads`` is set during a call that only reads the page, ``leaving`` until another document
    arrives.
    ``control`` is a CDP session attached before the page runs: it answers dialogs and ends scripts
    while the renderer is blocked. ``frames`` are the
    ids of the child frames. ``used`` is set when sites may have stored something. ``findings``,
    ``lines``, ``deltas`` and ``views`` are numbered results that later calls can page through,
    ``outline`` is the last outline that was built. ``errors`` are the numbers of console messages
    and failed requests. ``refused`` are the times of refused connections that are not in the
    request log yet.
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
    control: CdpSession | None = None
    dialog: events.PendingDialog | None = None
    error_page: str | None = None
    posted: bool = False
    opens_files: bool = False
    saved_documents: set[bytes] = attrs.field(factory=set[bytes])
    crashed: bool = False
    hung: bool = False
    reads: bool = False
    loading: bool = False
    leaving: bool = False
    opener: "TabRecord | None" = None
    noopener: bool = False
    has_begun: bool = False
    adopted: OwnerTab | None = None
    takeover: Takeover | None = None
    frames: set[str] = attrs.field(factory=set[str])
    used: trio.Event = attrs.field(factory=trio.Event)
    page_tools: PageTools = attrs.field(init=False)
    errors: Numbers = attrs.field(factory=Numbers)
    news: NewsLog = attrs.field(
        default=attrs.Factory(
            lambda self: NewsLog(NewsReader(RefBook(self.context.name))), takes_self=True
        )
    )
    ids: IdBook = attrs.field(init=False)
    dom: DomBook = attrs.field(factory=DomBook)
    findings: FoundLists[Element | Match] = attrs.field(factory=FoundLists["Element | Match"])
    lines: FoundLists[Any] = attrs.field(factory=FoundLists[Any])
    deltas: FoundLists[Change] = attrs.field(factory=FoundLists["Change"])
    views: FoundLists[Snapshot] = attrs.field(factory=FoundLists["Snapshot"])
    ring: Ring = attrs.field(init=False)
    outline: object = None
    refused: dict[tuple[str, int], str] = attrs.field(factory=dict[tuple[str, int], str])
    console_log: logs.ConsoleLog = attrs.field(init=False)
    request_log: logs.RequestLog = attrs.field(init=False)
    tab: Mailbox[Any] = attrs.field(init=False)
    console: Mailbox[Any] = attrs.field(init=False)
    network: Mailbox[Any] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        session, tab_id = self.session, self.id
        news = self.news
        self.ids = IdBook(news.everyone.shown, lambda: news.current.shown)
        self.page_tools = PageTools(lambda: [each.page_tools for each in news.delivered()])
        self.ring = Ring(tab_id)
        self.console_log = logs.ConsoleLog(
            session.hidden,
            self.errors,
            publish=lambda message: session.feed.publish(
                events.ConsoleLogged(tab_id=tab_id, message=message)
            ),
            shows=self.is_granted,
        )
        changing = deque[logs.RequestRecord](maxlen=logs.CAPACITY) if session.is_audited else None
        context = self.context
        self.request_log = logs.RequestLog(
            session.hidden,
            self.errors,
            changing,
            lambda url, reason: session.guard_of(context).explain(url, reason),
        )
        self.request_log.socket_refusal = session.settings.config.rules.socket_refusal
        refusal = WeakMethod(self._refusal_of_person)  # a strong one would be a reference cycle
        self.tab = Mailbox(self.id, refusal=lambda: (method := refusal()) and method())
        self.console = Mailbox(f"{self.id} console")
        self.network = Mailbox(f"{self.id} network")

    @property
    def mailboxes(self) -> tuple[Mailbox[Any], ...]:
        """The tab's actors, in the order in which they start."""
        return self.network, self.console, self.tab

    @property
    def clip(self) -> Clip:
        """The text that the session copied last in the tab's context."""
        return self.session.clips.get(self.context, Clip())

    @clip.setter
    def clip(self, clip: Clip) -> None:
        self.session.clips[self.context] = clip

    @property
    def address(self) -> str:
        """The tab's URL, or the URL that is being restored."""
        return self.restore.url or self.url

    @property
    def error_note(self) -> str | None:
        """The cause of the browser's error page and the way back, for every answer about it."""
        if self.error_page is None:
            return None
        again = (
            "navigate loads the address without the form" if self.posted else "reload tries again"
        )
        return f"{self.error_page}; back returns to the previous page, {again}"

    @property
    def waiting_for_people(self) -> list[str]:
        """The held requests about which people are asked."""
        return [self.session.hidden(one.held) for one in self.session.questions.of(self.id)]

    @contextmanager
    def working(self, *, read_only: bool) -> Generator[None]:
        """Record that a call works with the page, and whether it only reads it."""
        self.reads = read_only
        try:
            yield
        finally:
            self.reads = False

    def _refusal_of_person(self) -> CharlotteError | None:
        """Return the refusal of a person who has the tab, or one that its page can script."""
        found, tabs = {self.id}, [self]
        for tab in tabs:
            if tab.takeover is not None:
                return tab.takeover.refusal()
            others = [one for one in self.session.tabs.values() if one.opener is tab]
            others = [one for one in others if not one.noopener]
            if tab.opener is not None and not tab.noopener:
                others.append(tab.opener)
            tabs += [one for one in others if one.id not in found]
            found |= {one.id for one in others}
        return None

    @property
    def has_no_document(self) -> bool:
        """Whether the tab is a popup whose first document has not arrived."""
        return self.opener is not None and self.url in _NO_DOCUMENT

    @property
    def notices(self) -> list[str]:
        """The notices that have not reached the client."""
        return self.news.unread(str)

    @property
    def refs(self) -> RefBook:
        """The references that the client was shown."""
        return self.news.current.refs

    def adopt(self, tab: OwnerTab | None) -> None:
        """Become a tab of the browser's owner, or leave it: then it has no target to close."""
        if self.adopted is not None:
            self.adopted.adopted_as, self.target_id = None, ""
        self.adopted = tab
        if tab is not None:
            tab.adopted_as = self.id
            self.target_id, self.url, self.title = tab.target_id, tab.url, tab.title
            self.has_begun = True

    def is_granted(self, url: str) -> bool:
        """Return whether the tab may show an address: in the owner's profile, a granted one.

        The browser does not hold a document that a page has prefetched (speculation rules).
        """
        if self.session.settings.guard.closes(url) and (url != self.url or not self.error_page):
            return False
        owner = self.session.owner if self.context.is_owner_profile else None
        # before its first document, opened by no other page
        is_own_blank = url in BLANK and (self.adopted is None or self.opener is not None)
        return owner is None or is_own_blank or owner.is_granted(url, self.target_id)

    def check_granted(self, url: str | None = None) -> None:
        """Raise `NavigationBlocked` if the browser's owner has not granted the page, or ``url``."""
        address = self.address if url is None else url
        if not self.is_granted(address):
            if self.session.settings.guard.closes(address):
                raise NavigationBlocked(
                    f"{self.id} shows the debugging port of this browser, which is always blocked.",
                    "Close the tab and open another.",
                )
            raise NavigationBlocked(
                f"{self.id} shows an address that the browser's owner has not granted.",
                "Ask the owner to grant that address too, or work in another tab.",
            )

    def check_not_owners(self, what: str) -> None:
        """Raise `SessionProblem` if the tab is in the profile of the browser's owner."""
        if self.context.is_owner_profile:
            raise SessionProblem(
                f"{what} are not available in {self.id}, because it is in the profile of the "
                "browser's owner.",
                "Work with the page itself, or open a tab without the owner's context.",
            )

    async def check_address(self, url: str) -> None:
        """Raise `NavigationBlocked` if the tab must not show a URL."""
        if refusal := await self.refusal(url):
            raise NavigationBlocked(refusal, "Use another address or tab.")

    async def refusal(self, url: str) -> str | None:
        """Return why the tab must not navigate to a URL, if so."""
        is_granted = self.is_granted(url) or self.session.settings.guard.closes(url)
        return await self.session.refusal_in(self.context, url, is_granted=is_granted)

    def publish(self, event: Event) -> None:
        """Publish an event of the tab."""
        self.session.feed.publish(event)

    def notify(self, notices: Iterable[str]) -> None:
        """Have the next answer report these notices, unless equal ones wait to be reported."""
        for notice in notices:
            if notice not in self.news.since(self.news.read):
                self.news.add(notice)

    def note_loss(self, notice: str, *, of_renderer: bool = False) -> None:
        """Have the next answer report that the page was loaded again; an action fails instead."""
        self.notify([notice])
        error = TabCrashed if of_renderer else ConnectionLost
        advice = "Nothing was done. Observe the page before you repeat the call."
        self.news.add(error(f"{notice} What had been typed into the page is lost.", advice))

    def note_download(self, download: Download) -> None:
        """Report and publish the present state of a download."""
        self.news.add(download)
        self.publish(events.DownloadChanged(tab_id=self.id, **attrs.asdict(download)))

    def note_delivered(self, view: PageView) -> None:
        """Remember the page that the last delivered answer shows."""
        for reader in self.news.delivered():
            reader.view = view

    @property
    def windows(self) -> dict["TabRecord", str]:
        """The tabs that the page has opened, with their addresses."""
        return {one: one.url for one in self.session.tabs.values() if one.opener is self}

    async def wait_for_popups(self, before: Mapping["TabRecord", str]) -> None:
        """Wait up to a second until the popups that the page has just opened have a document.

        A popup that turns out to be a download is closed. Report which of the ``windows`` before
        the page has used again.
        """
        changes = self.session.feed.subscribe(
            events.Navigated, events.DownloadChanged, events.TabClosed
        )

        def is_coming(tab: TabRecord) -> bool:
            is_new = tab.has_no_document and tab in self.news.unread(TabRecord)
            return is_new or (tab.leaving and tab.url == before.get(tab))

        with trio.move_on_after(1.0):
            while any(map(is_coming, self.windows)):
                if await anext(changes, None) is None:  # the server ends
                    break
        used = [tab for tab, url in self.windows.items() if before.get(tab, tab.url) != url]
        self.notify(f"{tab.id} shows {tab.url} now." for tab in used)

    @property
    def shown(self) -> tuple[str, str]:
        """The tab's address and title, unless its owner has not granted them."""
        if self.is_granted(self.address):
            return self.address, self.title
        return "", "(a page that the browser's owner has not granted)"

    def row(self) -> dict[str, Any]:
        """Return the tab's row in ``tabs`` (C-TAB-01); secrets are hidden before texts are cut."""
        url, title = (ellipsize(self.session.hidden(text), LONGEST) for text in self.shown)
        row: dict[str, Any] = {"id": self.id, "url": url, "title": title}
        row["active"] = self.session.active == self.id
        if self.adopted is not None:
            row["adopted"] = True
            row |= {"debugged": True} if self.adopted.is_debugged else {}
        if self.context.name:
            row["context"] = self.context.name
        states = {"crashed": self.crashed, "hung": self.hung, "loading": self.loading}
        states["person"] = self.takeover is not None
        states["waits_for_person"] = bool(self.waiting_for_people)
        row |= {name: True for name, holds in states.items() if holds}
        if self.error_page:
            row["error_page"] = self.error_page
        if self.dialog:
            row["dialog"] = self.dialog.type
        return row


@attrs.define(eq=False)
class SessionRecord:
    """An agent's session: its settings, and its tabs in the order in which they were opened.

    ``contexts`` are by name, ``sites`` by directory. ``clips`` are the clipboards of the contexts,
    because the browser has one clipboard for all sessions. ``turns`` limits the number of
    concurrent calls on pages. After ``closing`` is set, the session gets no more tabs, contexts
    and sites; ``closed`` is set when all of them are gone. ``owner`` has the tabs of the browser's
    owner, if it is a user's browser; ``ended`` are the reasons why tabs in the owner's profile
    have ended, by id. ``opening`` are the tabs that are being opened; ``budget`` returns the limit
    of open tabs, if there is one. ``is_audited`` is set if there is an audit log, ``knows_sharing``
    once the session knows that others use its profile. ``span`` traces a verb of an actor,
    ``trace_id`` returns the id of the present trace.
    """

    id: str
    settings: Settings = attrs.field(factory=Settings)
    tabs: dict[str, TabRecord] = attrs.field(factory=dict[str, TabRecord])
    active: str | None = None
    feed: Feed = attrs.field(factory=Feed, kw_only=True)
    contexts: dict[str, ContextRecord] = attrs.field(factory=dict[str, ContextRecord])
    clips: WeakKeyDictionary[ContextRecord, Clip] = attrs.field(
        factory=WeakKeyDictionary[ContextRecord, Clip]
    )
    sites: dict[Path, SiteRecord] = attrs.field(factory=dict[Path, SiteRecord])
    turns: trio.Semaphore | None = None
    opening: dict[str, TabRecord] = attrs.field(factory=dict[str, TabRecord])
    budget: Callable[[], TabBudget] | None = None
    closing: trio.Event = attrs.field(factory=trio.Event)
    closed: trio.Event = attrs.field(factory=trio.Event)
    owner: OwnerTabs | None = None
    is_audited: bool = False
    knows_sharing: bool = False
    ended: dict[str, CharlotteError] = attrs.field(factory=dict[str, CharlotteError])
    _active_ended: CharlotteError | None = attrs.field(default=None, init=False)
    span: Callable[[str, str], AbstractContextManager[object]] = lambda _actor, _tool: nullcontext()
    trace_id: Callable[[], str | None] = lambda: None
    questions: Questions = attrs.field(init=False)
    _client: Client = attrs.field(factory=Client, init=False)

    def __attrs_post_init__(self) -> None:
        config = self.settings.config
        self.questions = Questions(config.ask_timeout, config.dashboard, self._publish)

    def _publish(self, question: Question) -> None:
        """Publish an event about a question that was asked or settled."""
        about: dict[str, Any] = {"tab_id": question.tab_id, "held": self.hidden(question.held)}
        if question.verdict is None:
            self.feed.publish(events.QuestionAsked(**about))
        else:
            verdict = attrs.asdict(question.verdict)
            self.feed.publish(events.QuestionSettled(**about, **verdict))

    @property
    def popups(self) -> int:
        """The number of tabs that were opened by pages."""
        return sum(record.opener is not None for record in self.tabs.values())

    @property
    def tab_count(self) -> int:
        """The number of tabs, with those that are being opened."""
        return len(self.tabs.keys() | self.opening.keys())

    def find_refusal(self) -> BudgetExceeded | None:
        """Return why the session may not open another tab; None if it may."""
        return self.budget().find_refusal(self.tab_count) if self.budget else None

    def check_open(self) -> None:
        """Raise `SessionProblem` if the session is being closed."""
        if self.closing.is_set():
            raise SessionProblem(f"{self.id} is closed.", "Open another session.")

    async def refusal(self, url: str, context: str = DEFAULT) -> str | None:
        """Return why tabs of a context must not navigate to a URL, if so.

        The session's sites are allowed.
        """
        owner = self.owner if self.is_owner_profile(context) else None
        is_granted = owner is None or owner.is_granted(url)
        return await self.refusal_in(self.contexts.get(context), url, is_granted=is_granted)

    async def refusal_in(
        self, context: ContextRecord | None, url: str, *, is_granted: bool = True
    ) -> str | None:
        """Return why a context must not load a URL, if so; the browser's owner may not grant it."""
        if self.owner is not None and not is_granted:
            return self.owner.refusal(url)
        if decision := self.settings.config.rules.refusal_of_document(url):
            return decision
        if any(site.shows(url) for site in self.sites.values()):
            return None
        refusal = await self.guard_of(context).refusal_of_address(url)
        if refusal is None and self.settings.url_policy is not None and url not in BLANK:
            return await self.settings.url_policy(url)
        return refusal

    def guard_of(self, context: ContextRecord | None) -> Guard:
        """Return the rules for a context."""
        guard = self.settings.guard
        if context is None or context.only is None:
            return guard
        return attrs.evolve(guard, only=context.only)

    def narrow(self, only: HostList) -> None:
        """Let the session reach no other hosts from now on; other connections end."""
        self.settings.guard = attrs.evolve(self.settings.guard, only=only)
        for context in self.contexts.values():
            if context.only is not None:
                context.only = context.only.within(only.groups[-1])
            if context.route is not None:
                context.route.restrict(self.guard_of(context))

    def context(self, name: str = DEFAULT) -> ContextRecord:
        """Return the context with that name, which is created if necessary."""
        return self.contexts.setdefault(
            name, ContextRecord(name, is_owner_profile=self.is_owner_profile(name))
        )

    def context_named(self, name: str | None) -> str | None:
        """Return the name of a context with its spelling here; raises `InvalidArgument`."""
        if name is None or name.lower() != OWNER:
            return name
        if self.owner is None:
            raise InvalidArgument(
                f"{OWNER} names the profile of a user's browser, but this browser has no user.",
                "Use another name for a context, or start Charlotte with --attach.",
            )
        return OWNER

    def is_owner_profile(self, name: str) -> bool:
        """Return whether a name is that of the profile of the browser's owner."""
        return name == OWNER and self.owner is not None

    def hidden(self, text: str) -> str:
        """Return a text without the session's secrets."""
        return self.settings.secrets.hidden(text)

    def find(self, tab_id: str) -> TabRecord:
        """Return the tab with that id; raises `TabNotFound`, which lists the open tabs."""
        if record := self.tabs.get(tab_id):
            return record
        if tab_id in self.ended:
            raise self.ended[tab_id].again()
        log.warning("tab refused", session=self.id, tab=ellipsize(tab_id, 100))
        if self.owner is not None and any(tab.id == tab_id for tab in self.owner.granted()):
            raise TabNotFound(
                f"{tab_id} is a tab of the browser's owner that is not adopted.",
                f"Call tabs{{adopt: {tab_id}}} and use the id that it returns.",
            )
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

    def adoptable(self) -> list[OwnerTab]:
        """Return the tabs of the browser's owner that the session could adopt."""
        granted = self.owner.granted() if self.owner is not None else []
        return [tab for tab in granted if tab.adopted_as is None]

    def note_ended(self, tab_id: str, reason: CharlotteError) -> None:
        """Remember why a tab in the profile of the browser's owner ends."""
        self.ended[tab_id] = reason
        if self.active == tab_id:
            self._active_ended = reason
        for oldest in [*self.ended][:-_MOST_ENDED]:
            del self.ended[oldest]

    def check_active(self) -> None:
        """Raise, once, why the active tab has ended, if another one took its place unannounced."""
        reason, self._active_ended = self._active_ended, None
        if reason is not None:
            error = reason.again()
            error.suggestion = (
                f"{self.active or 'No tab'} is active now. {error.suggestion or ''}".rstrip()
            )
            raise error

    @property
    def client(self) -> Client:
        """The client whose call is running."""
        return current_client.get() or self._client

    @property
    def sections(self) -> set[str]:
        """The margins of pages that the client has, also of earlier steps of its batch."""
        client = self.client
        outer = (client.of or self._client) if isinstance(client, Batch) else client
        return {*outer.sections, *client.sections}

    def has_tabs_in(self, context: ContextRecord) -> bool:
        """Return whether the session has tabs in a context, or opens one there."""
        tabs = (*self.tabs.values(), *self.opening.values())
        return any(tab.context is context for tab in tabs)

    def add(self, record: TabRecord) -> None:
        """Add a new tab, which becomes active if it is the only one."""
        self.tabs[record.id] = record
        self.active = self.active or record.id
        opener = record.opener.id if record.opener else None
        self.feed.publish(events.TabOpened(tab_id=record.id, opener=opener))

    def remove(self, record: TabRecord) -> None:
        """Remove a tab; if it was active, the first remaining tab becomes active (C-TAB-04)."""
        record.ring.snapshots.clear()
        self.questions.withdraw(record.id)
        if self.tabs.pop(record.id, None):
            self.feed.publish(events.TabClosed(tab_id=record.id))
        if self.active == record.id:
            self.active = next(iter(self.tabs), None)

    def end(self, record: TabRecord, reason: CharlotteError) -> None:
        """Remove a tab that has nothing left in the browser; later messages get ``reason``."""
        for mailbox in record.mailboxes:
            mailbox.close(reason)
        self.remove(record)
        record.adopt(None)
