"""The browser actor: it owns a Chromium process, its connection, and the supervisor of its tabs.

A crash ends the process with all of its tabs. The next incarnation launches Chromium again and
gives every recorded tab a new target at its URL, under the same id.
"""

import os
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import NoReturn, TypeVar

import attrs
import structlog
import trio

from charlotte.actors.browser.adoption import Adoption, in_use
from charlotte.actors.browser.contexts import Contexts
from charlotte.actors.browser.reasons import (
    closed_by_page,
    left_the_grant,
    lost,
    not_restored,
    renderer_crashed,
)
from charlotte.actors.browser.service_workers import WORKERS, follow_worker
from charlotte.actors.browser.targets import NewPage, NewPages, add_popup
from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.kernel.supervisor import Opener, Supervisor
from charlotte.actors.monitors.console import open_console
from charlotte.actors.monitors.network import open_network
from charlotte.actors.state.context_record import DEFAULT, ContextRecord
from charlotte.actors.state.events import AdoptionChanged
from charlotte.actors.state.owner_tabs import OwnerTab
from charlotte.actors.state.records import OWNER, SessionRecord, TabRecord
from charlotte.actors.state.registry import ProfileRecord, Registry
from charlotte.actors.state.snapshots import SnapshotStore
from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.startup import open_tab
from charlotte.actors.tab.verbs.emulation import LeavesGrant
from charlotte.base.errors import (
    CharlotteError,
    ConnectionLost,
    SessionProblem,
    TabCrashed,
    TabNotFound,
)
from charlotte.browser.sandbox_page import Sandbox
from charlotte.browser.world.site_storage import InitialState
from charlotte.guard.host_patterns import HostList
from charlotte.protocol import page, runtime, target
from charlotte.protocol.connection import CdpSession, Connection, Subscription
from charlotte.protocol.errors import ProtocolError, SessionGone, TargetGone

log = structlog.get_logger(__name__)

_S = TypeVar("_S")

_CLEANUP_WAIT = 1.0
_ENDING_WAIT = 1.0
"""Seconds from the end of the last page to the end of a browser that was asked to end."""

_VERDICT_WAIT = 5.0
_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 30.0
"""Seconds until the restore of a tab is tried again; each pause doubles."""

_MOST_FAILED_RENDERERS = 3
_FAILED_WITHIN = 30.0
"""Seconds in which so many blank pages crash, and no page lives, if a browser cannot start any."""

_OPENED_AT_ONCE = len(os.sched_getaffinity(0)) + 1
"""Tabs prepared at once; more would only delay each other."""

Attached = target.AttachedToTarget | target.DetachedFromTarget
Discovered = (
    target.TargetCreated
    | target.TargetInfoChanged
    | target.TargetDestroyed
    | target.DetachedFromTarget
)
TargetEvent = Attached | Discovered


@attrs.define(eq=False)
class Browser:
    """One incarnation of the browser.

    In a browser that Charlotte started, auto-attach holds each new page and worker until it is
    prepared. In a foreign browser, auto-attach would block pages of others, so targets are only
    discovered, and Charlotte attaches to its own.
    """

    _connection: Connection
    _registry: Registry
    _snapshots: Mailbox[SnapshotStore]
    _tabs: Supervisor
    _nursery: trio.Nursery
    _is_foreign: bool = False
    _adoption: Adoption | None = None
    _unrestored: list[TabRecord] = attrs.field(factory=list[TabRecord])
    _failed_renderers: list[float] = attrs.field(factory=list[float])
    _opening: trio.CapacityLimiter = attrs.field(init=False)
    _contexts: Contexts = attrs.field(init=False)
    _pages: NewPages = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._opening = trio.CapacityLimiter(_OPENED_AT_ONCE)
        self._contexts = Contexts(
            self._connection.root, self._registry, self.open_hidden, self._nursery
        )
        self._pages = NewPages(
            self._connection, self._nursery, self._add_popup, not self._is_foreign
        )

    async def open_tab(
        self,
        session: SessionRecord,
        url: str | None = None,
        context: str = DEFAULT,
        *,
        state: InitialState | None = None,
        only: HostList | None = None,
    ) -> TabRecord:
        """Open a tab in a context of the session, load ``url``, if given, and activate the tab.

        With ``state`` or ``only``, the context is new and begins with it. Returns when the actors
        of the tab are ready, without waiting for the page to load.
        """
        session.check_open()
        if refusal := session.find_refusal():
            raise refusal
        reserved = self._contexts.reserve(session, context, state, only)
        record = self._registry.new_tab(session, reserved)
        session.opening[record.id] = record
        record.first_url = url
        record.opens_files = url is not None
        try:
            async with self._opening:
                await self._create_target(record)
                session.check_open()
                session.add(record)
                await self._start_actors(record)
            await trio.lowlevel.checkpoint_if_cancelled()  # else the tab would have no caller
        except BaseException as error:
            with trio.move_on_after(_CLEANUP_WAIT, shield=True):
                await self.close_tab(record)
            if isinstance(error, TabCrashed):
                error.suggestion = "The tab was not opened: repeat the call."
            raise
        finally:
            self._contexts.release(record)
        session.active = record.id
        if isinstance(record.context, ProfileRecord):
            record.context.note_sharing(self._registry.tabs_in(record.context))
        return record

    async def adopt_tab(self, session: SessionRecord, tab_id: str, *, wake: bool) -> TabRecord:
        """Let a session work in a tab of the browser's owner, which becomes the active tab.

        ``wake`` loads a tab that the browser has discarded. Raises `SessionProblem` if the tab is
        not granted, belongs to another session, or does not answer.
        """
        session.check_open()
        if refusal := session.find_refusal():
            raise refusal
        if (adoption := self._adoption) is None:
            raise SessionProblem(
                "Charlotte works in a browser of its own: there are no tabs to adopt.",
                "Open a tab with tab_open. Start Charlotte with --attach to work in a user's tabs.",
            )
        tab = adoption.tabs.find(tab_id)
        if tab.adopted_as is not None:
            raise in_use(tab)
        record = self._registry.new_tab(session, session.context(OWNER))
        record.adopt(tab)  # at once, or another session could adopt it too
        try:
            await record.check_address(tab.url)
            tab.is_debugged = await adoption.is_debugged(tab.target_id)
            record.control = await adoption.attach(tab.target_id, tab.id, wake=wake)
            record.check_granted(tab.url)  # the owner may have gone elsewhere meanwhile
            session.check_open()
            session.add(record)
            async with self._opening:
                await self._start_actors(record)
            record.check_granted(tab.url)
            await trio.lowlevel.checkpoint_if_cancelled()  # else the tab would have no caller
        except BaseException:
            with trio.move_on_after(_CLEANUP_WAIT, shield=True):
                await self.close_tab(record)
            raise
        log.warning("the owner's tab was adopted", tab=record.id, session=session.id, url=tab.url)
        record.publish(AdoptionChanged(tab_id=record.id, owner_tab=tab.id, is_adopted=True))
        session.active = record.id
        return record

    async def close_tab(self, record: TabRecord) -> None:
        """End the tab's actors and close its target, even if its page is blocked.

        A tab of the owner stays open.
        """
        with trio.move_on_after(_CLEANUP_WAIT, shield=True):
            advice = "Call tabs for the tabs that are open."
            await self._forget(record, TabNotFound(f"{record.id} was closed.", advice))
        with trio.CancelScope(shield=True):
            await self._close_target(record)

    async def _close_target(self, record: TabRecord) -> None:
        """Close the target of a tab, or release it, without waiting for the reply."""
        if record.adopted is not None:
            await self._release(record)
        elif record.target_id:
            await self._connection.root.begin(target.CloseTarget(target_id=record.target_id))

    async def _release(self, record: TabRecord) -> None:
        """Leave a tab to its owner, as it was before the adoption."""
        if (tab := record.adopted) is not None and record.control is not None:
            record.publish(AdoptionChanged(tab_id=record.id, owner_tab=tab.id, is_adopted=False))
        control, record.control = record.control, None
        record.adopt(None)
        if control is not None and control.is_open and control.id:
            log.warning("the owner's tab was released", tab=record.id, session=record.session.id)
            await self._connection.root.begin(target.DetachFromTarget(session_id=control.id))

    def check_grant(self, record: TabRecord, url: str) -> None:
        """Give up a tab in the owner's profile that shows an address outside of the grant.

        Nothing of that page is read or recorded.
        """
        if not record.is_granted(url):
            self._nursery.start_soon(self._give_up, record, left_the_grant(record))

    def check_withdrawn(self, tab: OwnerTab) -> None:
        """Give up the tab that works in a tab of the owner if it is not granted any more."""
        if record := self._registry.by_target(tab.target_id):
            self.check_grant(record, tab.url)

    async def _give_up(self, record: TabRecord, reason: CharlotteError) -> None:
        """Release or close a tab in the owner's profile; later calls get the reason too."""
        if record.id in record.session.tabs:
            record.session.note_ended(record.id, reason)
            if record.opener is not None:
                record.opener.notify([reason.message])
            await self._forget(record, reason)
            await self._close_target(record)

    async def _forget(self, record: TabRecord, reason: CharlotteError) -> None:
        """Remove a tab from its session and end its actors."""
        record.session.remove(record)
        await self._tabs.stop(*record.mailboxes, reason=reason)

    async def close_session(self, session: SessionRecord) -> None:
        """Close a session; if the browser ends first, the session is closed as well."""
        async with trio.open_nursery() as nursery:
            for record in tuple(session.tabs.values()):
                nursery.start_soon(self.close_tab, record)
        await self._contexts.dispose(session)
        self._registry.forget(session)

    async def leave(self) -> None:
        """Close the tabs that agents opened in the owner's profile, because the browser stays."""
        for record in self._registry.tabs():
            if record.context.is_owner_profile and record.adopted is None and record.target_id:
                close = target.CloseTarget(target_id=record.target_id)
                await self._connection.root.begin(close)

    async def wake(self) -> None:
        """Do nothing: any message restarts a dormant browser."""

    async def read_owner_tabs(self) -> None:
        """Read the owner's tabs: the browser does not report the titles of unattached pages."""
        if self._adoption is not None:
            await self._adoption.read()

    async def answer_dialog(self, record: TabRecord, *, accept: bool, text: str | None) -> None:
        """Accept or dismiss the dialog that is open in a tab; raises `ProtocolError` if none is."""
        if record.control is None:
            raise SessionProblem(f"{record.id} is only being restored.", "Repeat the call.")
        answer = page.HandleJavaScriptDialog(accept=accept, prompt_text=text)
        try:
            await record.control.call(answer)
        except ProtocolError:
            record.dialog = None
            raise

    def restore(self, records: Sequence[TabRecord]) -> None:
        """Restore the tabs of an earlier incarnation, including those that were given up."""
        for record in records:
            for mailbox in record.mailboxes:
                mailbox.reopen()
            if not record.context.is_owner_profile:
                record.target_id = ""
            record.control, record.dialog = None, None
            record.crashed = record.hung = False
        self._unrestored.extend(records)
        for _ in range(min(_OPENED_AT_ONCE, len(records))):
            self._nursery.start_soon(self._restore_all)

    async def bring_back(self, session: SessionRecord, tabs: Sequence[TabRecord]) -> None:
        """Add the tabs of a session that has lost its browser on another machine."""
        session.check_open()
        session.tabs.update({tab.id: tab for tab in tabs})
        self.restore(tabs)

    async def _restore_all(self) -> None:
        """Restore one tab after the other; tabs with waiting calls come first."""
        while self._unrestored:
            record = max(self._unrestored, key=lambda tab: tab.tab.statistics().queued > 0)
            self._unrestored.remove(record)
            await self._restore(record, _FIRST_PAUSE)

    async def _restore(self, record: TabRecord, pause: float) -> None:
        """Give a tab a new target at its URL; after a failure, try again after a pause."""
        if not _is_open(record):
            return
        try:
            if not await self._find_again(record):
                await self._create_target(record)
            if not _is_open(record):  # closed meanwhile
                await self._close_target(record)
                return
            await self._start_monitors(record)
        except ConnectionLost:
            raise
        except CharlotteError as error:
            if record.adopted is not None:
                await self._give_up(record, lost(record, error))
                return
            record.control = None  # so that the end of this target does not close the tab
            await self._close_target(record)
            record.target_id = ""
            self._nursery.start_soon(self._restore_later, record, error, pause)
            return
        prepared = trio.Event()
        self._tabs.start_soon(record.tab, self._tab_opener(record, prepared.set))
        with trio.move_on_after(10.0):
            await prepared.wait()

    async def _find_again(self, record: TabRecord) -> bool:
        """Attach to the page of a tab in the owner's profile; return whether it still exists.

        Raises `SessionProblem` if it is an adopted tab that does not exist or does not answer.
        """
        adoption = self._adoption if record.context.is_owner_profile else None
        if adoption is None:
            return False
        if record.adopted is not None:
            tab = adoption.find_again(record)
            if tab is None:
                raise SessionProblem("The browser has no granted tab at its address.")
            record.adopt(tab)
        elif record.target_id not in adoption.present:
            return False
        record.control = await adoption.attach(record.target_id, record.id)
        record.has_begun = True
        record.restore.end()  # the page is there already
        return True

    async def _restore_later(self, record: TabRecord, error: CharlotteError, pause: float) -> None:
        """Answer the calls that wait for a tab, and try again, unless the tab was closed."""
        if not _is_open(record):
            return
        log.warning("tab is not restored yet", tab=record.id, pause=pause, error=str(error))
        await self._tabs.stop(*record.mailboxes, reason=not_restored(record, error, pause))
        if _is_open(record):
            for mailbox in record.mailboxes:
                mailbox.reopen()
            await trio.sleep(pause)
        if _is_open(record):
            async with self._opening:
                await self._restore(record, min(2 * pause, _LONGEST_PAUSE))

    async def follow(self, events: Subscription[TargetEvent]) -> NoReturn:
        """Follow new and ended targets; only new pages are held by the browser."""
        while True:
            match await events.next():
                case target.AttachedToTarget() as attached if attached.target_info.type in WORKERS:
                    context = self._contexts.context(attached.target_info)
                    self._nursery.start_soon(
                        follow_worker, self._connection, attached, self._registry, context
                    )
                case target.AttachedToTarget(waiting_for_debugger=True) as attached:
                    self._pages.add(NewPage(attached.target_info, attached.session_id))
                case target.TargetCreated(info):
                    self._discover(info)
                case target.DetachedFromTarget(session_id):
                    for record in self._registry.tabs():
                        # The control session of a tab ends only with its target.
                        if record.control is not None and record.control.id == session_id:
                            self._nursery.start_soon(self._page_ended, record)
                case event if self._adoption is not None:
                    self._note_change(self._adoption, event)
                case _:
                    pass

    def _note_change(self, adoption: Adoption, event: TargetEvent) -> None:
        """Record a new address or the end of a tab of the owner."""
        match event:
            case target.TargetInfoChanged(info):
                if info.target_id in adoption.tabs.tabs:
                    adoption.tabs.note(info.target_id, info.url, info.title)
                record = self._registry.by_target(info.target_id)
                if record is not None and record.context.is_owner_profile:
                    self.check_grant(record, info.url)
            case target.TargetDestroyed(target_id):
                adoption.tabs.forget(target_id)
            case _:
                pass

    def _discover(self, info: target.TargetInfo) -> None:
        """Attach to a new page or worker of a session; note a new tab of the owner."""
        context = self._contexts.context(info)
        if info.type in WORKERS and context is not None:
            self._nursery.start_soon(self._follow_discovered, info, context)
        elif info.type == "page" and (context or self._opened_by_agent(info)):
            self._pages.add(NewPage(info))
        elif self._adoption is not None:
            self._adoption.note(info)

    async def _follow_discovered(self, info: target.TargetInfo, context: ContextRecord) -> None:
        attach = target.AttachToTarget(target_id=info.target_id)
        with suppress(ProtocolError):  # it ended before
            session_id = await self._connection.root.call(attach)
            attached = target.AttachedToTarget(
                session_id=session_id, target_info=info, waiting_for_debugger=False
            )
            await follow_worker(self._connection, attached, self._registry, context)

    def _opened_by_agent(self, info: target.TargetInfo) -> TabRecord | None:
        """Return the tab whose page opened this one while a call worked in it."""
        opener = self._registry.by_target(info.opener_id or "")
        return opener if opener and opener.tab.statistics().doing else None

    async def _page_ended(self, record: TabRecord) -> None:
        """Forget a tab whose page is gone, unless the page is gone because the browser is ending.

        Chromium that was asked to end closes all pages before it ends. Meanwhile it answers
        nothing, so an answer that lists a page proves that the browser keeps running.
        """
        targets = await self._connection.root.call(target.GetTargets())
        if not any(info.type == "page" for info in targets):
            await trio.sleep(_ENDING_WAIT)
        if record.id in record.session.tabs:
            reason = closed_by_page(record)
            if opener := record.opener:
                closed = f"{record.id} is closed: its page or a person closed it."
                closed += f" This answer is about {opener.id}, which opened it."
                opener.notify([*record.notices, closed])
            if record.context.is_owner_profile:
                record.session.note_ended(record.id, reason)
            await self._forget(record, reason)
            record.adopt(None)

    async def _create_target(self, record: TabRecord) -> None:
        context = await self._contexts.get(record.session, record.context)
        record.session.check_open()
        config = record.session.settings.config
        is_watched = config.headed and not config.is_foreign  # new tabs open in front then
        page = await self._pages.create(context, in_front=is_watched)
        record.target_id = page.info.target_id
        if self._adoption is not None:
            self._adoption.tabs.forget(record.target_id)
        record.control = await self._open_control(page)

    async def open_hidden(self, context: str | None) -> tuple[str, CdpSession]:
        """Open a blank page outside all tabs; return its target id and a session on it."""
        created = await self._pages.create(context)
        hidden = await self._pages.control(created)
        await hidden.begin(runtime.RunIfWaitingForDebugger())
        return created.info.target_id, hidden

    async def open_sandbox(self, session: SessionRecord) -> Sandbox:
        """Open a blank page for a program, in a browser context that reaches no host."""
        settings = session.settings
        context_id = await self._contexts.open_sandbox(settings)
        try:
            target_id, control = await self.open_hidden(context_id)
        except BaseException:
            with trio.CancelScope(shield=True):  # sends without waiting for the reply
                await self._contexts.close_sandbox(context_id)
            raise
        self._registry.program_pages.add(target_id)
        root = self._connection.root
        return Sandbox(context_id, target_id, control, root, is_local=settings.our_switches)

    async def close_sandbox(self, sandbox: Sandbox) -> None:
        """Close the page of a program with its renderer, even if it is blocked."""
        self._registry.program_pages.discard(sandbox.target_id)
        await self._contexts.close_sandbox(sandbox.context_id)

    async def _open_control(self, new: NewPage) -> CdpSession:
        """Open the first session on a target: the first that enables Page can answer dialogs."""
        control = await self._pages.control(new)
        await control.begin(page.EnablePage())
        return control

    async def _add_popup(self, popup: NewPage) -> None:
        """Make a tab of a popup; a popup outside all sessions is only resumed.

        A program has no popups: they are closed.
        """
        if popup.info.browser_context_id in self._contexts.sandboxes:
            await self._pages.close(popup)
            return
        try:
            owner = await self._contexts.owner(popup.info)
        except TabNotFound:
            await self._pages.close(popup)
            return
        if owner is None:
            if popup.session_id is not None:
                other = self._connection.session(popup.session_id)
                await other.begin(runtime.RunIfWaitingForDebugger())
            if self._adoption is not None:
                await self._adopt_popup(self._adoption, popup)
            return
        try:
            control = await self._open_control(popup)
            if record := add_popup(self._registry, *owner, popup.info):
                record.control, record.has_begun = control, popup.session_id is None
                await self._start_actors(record)
            else:
                await self._pages.close(popup)
        except CharlotteError as error:
            log.debug("popup ended before it was ready", error=str(error))
            if record := self._registry.by_target(popup.info.target_id):
                if record.opener:
                    record.opener.notify([f"{error.message} It was closed."])
                await self.close_tab(record)

    async def _adopt_popup(self, adoption: Adoption, popup: NewPage) -> None:
        """Adopt a page in the owner's profile that an agent's call has opened; it stays open.

        It is left alone at an address that is not granted.
        """
        tab, opener = adoption.note(popup.info), self._opened_by_agent(popup.info)
        if tab is None or opener is None:
            return
        record = add_popup(self._registry, opener.session, opener.context, popup.info)
        if record is None:
            return
        record.adopt(tab)
        try:
            record.check_granted(tab.url)
            record.control = await adoption.attach(tab.target_id, tab.id)
            await self._start_actors(record)
            record.check_granted(tab.url)
        except CharlotteError as error:
            await self._give_up(record, error)

    async def _start_actors(self, record: TabRecord) -> None:
        """Start the monitors and then the tab, which resumes the target."""
        await self._start_monitors(record)
        await self._tabs.start(record.tab, self._tab_opener(record))

    async def _start_monitors(self, record: TabRecord) -> None:
        connection, target_id = self._connection, record.target_id
        requests, messages = record.request_log, record.console_log
        await self._tabs.start(
            record.network, lambda: _ended_by_owner(open_network(connection, target_id, requests))
        )
        await self._tabs.start(
            record.console, lambda: _ended_by_owner(open_console(connection, target_id, messages))
        )

    def _tab_opener(
        self, record: TabRecord, prepared: Callable[[], None] = lambda: None
    ) -> Opener[TabActor]:
        def opened() -> AbstractAsyncContextManager[TabActor]:
            tab = open_tab(self._connection, record, self._snapshots, prepared)
            if record.adopted is not None:
                return _ended_by_owner(self._until_released(record, tab))
            return _ended_by_owner(self._with_renderer(record, tab))

        return opened

    @asynccontextmanager
    async def _with_renderer(
        self, record: TabRecord, actor: AbstractAsyncContextManager[TabActor]
    ) -> AsyncGenerator[TabActor]:
        """Open the actor of a tab; restart a browser that cannot start renderers.

        Such a browser lives, for example after its zygote was killed, but all new pages crash.
        """
        has_started = False
        try:
            async with actor as tab:
                has_started = True
                self._failed_renderers.clear()
                yield tab
        except* TabCrashed:
            if not has_started and record.address == "about:blank":
                now = trio.current_time()
                recent = [time for time in self._failed_renderers if time > now - _FAILED_WITHIN]
                self._failed_renderers = [*recent, now]
                if len(self._failed_renderers) >= _MOST_FAILED_RENDERERS and not self._is_foreign:
                    self._nursery.start_soon(_end_without_renderers)
            raise

    @asynccontextmanager
    async def _until_released(
        self, record: TabRecord, actor: AbstractAsyncContextManager[TabActor]
    ) -> AsyncGenerator[TabActor]:
        """Open the actor of an adopted tab; release the tab when it crashes or is taken away."""
        try:
            async with actor as tab:
                yield tab
        except* (TabCrashed, LeavesGrant) as ended:
            is_crash = ended.subgroup(TabCrashed) is not None
            reason = renderer_crashed(record) if is_crash else left_the_grant(record)
            self._nursery.start_soon(self._give_up, record, reason)
            await trio.sleep(_VERDICT_WAIT)  # noqa: ASYNC120 - cancelled: the tab is released
            raise


async def _end_without_renderers() -> NoReturn:
    raise ConnectionLost(
        "The browser cannot start renderers any more and is being restarted.",
        "Repeat the call in a few seconds; the tabs are restored at their URLs.",
    )


def _is_open(record: TabRecord) -> bool:
    return record.id in record.session.tabs and not record.session.closing.is_set()


@asynccontextmanager
async def _ended_by_owner(actor: AbstractAsyncContextManager[_S]) -> AsyncGenerator[_S]:
    """Open an actor of a page, and wait at the page's end until the owner ends the actor.

    Chromium closes its pages before it ends. Only the owner knows whether the page or the browser
    ended, and answers the callers accordingly.
    """
    try:
        async with actor as state:
            yield state
    except* (SessionGone, TargetGone):
        await trio.sleep(_VERDICT_WAIT)  # noqa: ASYNC120 - cancelled: the owner has decided
        raise
