"""The browser: an actor that owns one Chromium, its connection, and the supervisor of its tabs.

It dies as one and comes back as one: the next incarnation launches Chromium again and gives
every tab on record a new target at its URL, under the same id.
"""

import os
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import NoReturn

import structlog
import trio

from charlotte.actors.browser.contexts import Contexts
from charlotte.actors.browser.downloads import FOLLOWED, Downloads
from charlotte.actors.browser.heartbeat import feel
from charlotte.actors.browser.popups import popup_record
from charlotte.actors.browser.reach import reach_browser
from charlotte.actors.browser.service_workers import WORKERS, follow_worker
from charlotte.actors.browser.targets import NewPages
from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.kernel.supervisor import Opener, RestartPolicy, Supervisor, open_supervisor
from charlotte.actors.monitors.console import open_console
from charlotte.actors.monitors.network import open_network
from charlotte.actors.snapshots import SnapshotStore
from charlotte.actors.state.contexts import DEFAULT, ContextRecord
from charlotte.actors.state.records import Incarnation, Registry, SessionRecord, TabRecord
from charlotte.actors.state.restore_policy import browser_ended
from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.faults import (
    ENDING_WAIT,
    closed,
    closed_by_page,
    connection_lost,
    ended_by_owner,
    not_restored,
)
from charlotte.actors.tab.startup import open_tab
from charlotte.browser.browser_source import OpenEndpoint
from charlotte.errors import CharlotteError, ConnectionLost, SessionProblem
from charlotte.protocol import page, runtime, target
from charlotte.protocol.connection import Connection
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.session import Session, Subscription

log = structlog.get_logger(__name__)

BROWSER_POLICY = RestartPolicy(limit=5, period=60.0, escalate=True)
"""A page that kills browsers takes up to three of them to be found (see `comeback`)."""

TAB_POLICY = RestartPolicy(limit=3, period=30.0)
_CLEANUP_WAIT = 1.0
_PREPARED_WAIT = 10.0
_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 30.0
"""Seconds until a tab that could not be brought back is tried again; each pause doubles."""

_OPENED_AT_ONCE = len(os.sched_getaffinity(0)) + 1
"""More tabs that are prepared at once keep the processors no busier, and each other waiting."""

TargetEvent = target.AttachedToTarget | target.DetachedFromTarget
_FOLLOWED: tuple[type[TargetEvent], ...] = (target.AttachedToTarget, target.DetachedFromTarget)


_AUTO_ATTACH = target.SetAutoAttach(
    auto_attach=True,
    wait_for_debugger_on_start=True,
    filter=[target.FilterEntry(type=kind) for kind in ("page", *sorted(WORKERS))],
)


class Browser:
    """One incarnation of the browser."""

    def __init__(
        self,
        *,
        connection: Connection,
        registry: Registry,
        snapshots: Mailbox[SnapshotStore],
        tabs: Supervisor,
        nursery: trio.Nursery,
    ) -> None:
        self._connection = connection
        self._registry = registry
        self._snapshots = snapshots
        self._tabs = tabs
        self._nursery = nursery
        self._opening = trio.CapacityLimiter(_OPENED_AT_ONCE)
        self._away: list[TabRecord] = []
        self._contexts = Contexts(connection.root, self.open_hidden)
        self._pages = NewPages(
            connection.root,
            nursery,
            connection.session,
            lambda attached: nursery.start_soon(self._adopt, attached),
        )

    async def open_tab(
        self, session: SessionRecord, *, activate: bool, url: str | None, context: str = DEFAULT
    ) -> TabRecord:
        """Open a tab in a context of the session and send it to ``url``, if any.

        Returns once its actors are ready, whether anything has arrived or not.
        """
        session.check_open()
        record = self._registry.new_tab(session, self._contexts.reserve(session, context))
        record.first_url = url
        try:
            async with self._opening:
                await self._give_target(record)
                session.check_open()
                session.add(record, activate=False)
                await self._start_actors(record)
            await trio.lowlevel.checkpoint_if_cancelled()  # else a tab is left that nobody knows of
        except BaseException:
            with trio.move_on_after(_CLEANUP_WAIT, shield=True):
                await self.close_tab(record)
            raise
        finally:
            with trio.move_on_after(_CLEANUP_WAIT, shield=True):
                await self._contexts.release(session, record.context)
        if activate:
            session.active = record.id
        return record

    async def close_tab(self, record: TabRecord) -> None:
        """End the tab's actors and close its target, whatever its page is doing."""
        with trio.move_on_after(_CLEANUP_WAIT, shield=True):
            await self._forget(record, closed(record))
        with trio.CancelScope(shield=True):
            await self._close_target(record)

    async def _close_target(self, record: TabRecord) -> None:
        """Send the command; no reply is awaited."""
        if record.target_id:
            await self._connection.root.begin(target.CloseTarget(target_id=record.target_id))

    async def _forget(self, record: TabRecord, why: CharlotteError) -> None:
        """End what belongs to a tab whose target is closed."""
        record.session.remove(record)
        await self._tabs.stop(*record.mailboxes, reason=why)

    def close_session(self, session: SessionRecord) -> None:
        """Have a closing session closed by a task of this browser; its end completes it too."""
        self._nursery.start_soon(self._close_session, session)

    async def _close_session(self, session: SessionRecord) -> None:
        """Close all of a session's tabs and its contexts."""
        async with trio.open_nursery() as nursery:
            for record in tuple(session.tabs.values()):
                nursery.start_soon(self.close_tab, record)
        await self._contexts.dispose(session)
        self._registry.forget(session)

    async def wake(self) -> None:
        """Do nothing: being asked is what brings a browser back."""

    async def answer_dialog(self, record: TabRecord, *, accept: bool, text: str | None) -> None:
        """Accept or dismiss the dialog that is open in a tab; raises `ProtocolError` if none is."""
        answer = page.HandleJavaScriptDialog(accept=accept, prompt_text=text)
        try:
            await self._control(record).call(answer)
        except ProtocolError:
            record.dialog = None
            raise

    def _control(self, record: TabRecord) -> Session:
        if record.control is None:
            raise SessionProblem(f"{record.id} is only being restored.", "Repeat the call.")
        return record.control

    def bring_back(self, records: Sequence[TabRecord]) -> None:
        """Restore tabs of an earlier incarnation, also those that were given up in that one."""
        for record in records:
            for mailbox in record.mailboxes:
                mailbox.reopen()
            record.target_id, record.control, record.dialog = "", None, None
            record.crashed = record.hung = False
        self._away.extend(records)
        for _ in range(min(_OPENED_AT_ONCE, len(records))):
            self._nursery.start_soon(self._restore_all)

    async def _restore_all(self) -> None:
        """Restore one tab after the other, those first that have calls waiting."""
        while self._away:
            record = max(self._away, key=lambda one: one.tab.statistics().queued > 0)
            self._away.remove(record)
            await self._restore(record, _FIRST_PAUSE)

    async def _restore(self, record: TabRecord, pause: float) -> None:
        """Give a tab a new target at its URL; one that fails is tried again after a pause."""
        if not self._is_open(record):
            return
        try:
            await self._give_target(record)
            await self._start_monitors(record)
        except ConnectionLost:
            raise
        except CharlotteError as error:
            record.control = None  # so that the end of this target is not the end of the tab
            await self._close_target(record)
            record.target_id = ""
            self._nursery.start_soon(self._restore_later, record, error, pause)
            return
        prepared = trio.Event()
        self._tabs.start_soon(record.tab, self._tab_opener(record, prepared.set))
        with trio.move_on_after(_PREPARED_WAIT):
            await prepared.wait()

    async def _restore_later(self, record: TabRecord, error: CharlotteError, pause: float) -> None:
        """Answer the calls that wait for a tab, and try again, unless the tab was closed."""
        if not self._is_open(record):
            return
        log.warning("tab is not restored yet", tab=record.id, pause=pause, error=str(error))
        await self._tabs.stop(*record.mailboxes, reason=not_restored(record, error, pause))
        if self._is_open(record):
            for mailbox in record.mailboxes:
                mailbox.reopen()
            await trio.sleep(pause)
        if self._is_open(record):
            async with self._opening:
                await self._restore(record, min(2 * pause, _LONGEST_PAUSE))

    def _is_open(self, record: TabRecord) -> bool:
        return record.id in record.session.tabs and not record.session.closing.is_set()

    async def follow(self, events: Subscription[TargetEvent]) -> NoReturn:
        """Keep up with targets that appear and go; only new ones wait to be told to run."""
        while True:
            match await events.next():
                case target.AttachedToTarget() as attached if attached.target_info.type in WORKERS:
                    self._nursery.start_soon(self._follow_worker, attached)
                case target.AttachedToTarget(waiting_for_debugger=True) as attached:
                    self._pages.arrive(attached)
                case target.DetachedFromTarget(session_id):
                    self._detached(session_id)
                case _:
                    pass

    async def _follow_worker(self, attached: target.AttachedToTarget) -> None:
        home = self._contexts.home(attached.target_info.browser_context_id)
        await follow_worker(self._connection, attached, home)

    async def _give_target(self, record: TabRecord) -> None:
        context = await self._contexts.get(record.session, record.context)
        record.session.check_open()
        attached = await self._pages.create(context, in_front=record.session.settings.watched)
        record.target_id = attached.target_info.target_id
        record.control = await self._take_control(attached)

    async def open_hidden(self, context: str | None) -> tuple[str, Session]:
        """A blank page that is nobody's tab: its target, and a session on it."""
        attached = await self._pages.create(context)
        hidden = self._connection.session(attached.session_id)
        await hidden.begin(runtime.RunIfWaitingForDebugger())
        return attached.target_info.target_id, hidden

    async def _take_control(self, attached: target.AttachedToTarget) -> Session:
        """The first session on a target; as the first to enable Page, it is to answer dialogs."""
        control = self._connection.session(attached.session_id)
        await control.begin(page.Enable())
        return control

    async def _adopt(self, attached: target.AttachedToTarget) -> None:
        """Make a tab of what a page opened; a target of nobody's is only told to run."""
        home = self._contexts.home(attached.target_info.browser_context_id)
        if home is None:
            other = self._connection.session(attached.session_id)
            await other.begin(runtime.RunIfWaitingForDebugger())
            return
        control = await self._take_control(attached)
        try:
            await self._adopt_popup(*home, attached, control)
        except CharlotteError as error:
            log.debug("popup went before it was ready", error=str(error))
            if record := self._registry.by_target(attached.target_info.target_id):
                if record.opener:
                    record.opener.notify([f"{error.message} It was closed."])
                await self.close_tab(record)

    async def _adopt_popup(
        self,
        session: SessionRecord,
        context: ContextRecord,
        attached: target.AttachedToTarget,
        control: Session,
    ) -> None:
        if record := popup_record(self._registry, session, context, attached.target_info):
            record.control = control
            await self._start_actors(record)
        else:
            await self._pages.close(attached)

    async def _start_actors(self, record: TabRecord) -> None:
        """Start the monitors and then the tab, which lets the target run when all listen."""
        await self._start_monitors(record)
        await self._tabs.start(record.tab, self._tab_opener(record))

    async def _start_monitors(self, record: TabRecord) -> None:
        connection, target_id = self._connection, record.target_id
        await self._tabs.start(
            record.network,
            lambda: ended_by_owner(
                lambda: open_network(
                    connection,
                    target_id,
                    record.request_log,
                    lambda: record.session.settings.writable,
                )
            ),
        )
        await self._tabs.start(
            record.console,
            lambda: ended_by_owner(lambda: open_console(connection, target_id, record.console_log)),
        )

    def _tab_opener(
        self, record: TabRecord, prepared: Callable[[], None] = lambda: None
    ) -> Opener[Tab]:
        def open_actor() -> AbstractAsyncContextManager[Tab]:
            return open_tab(self._connection, record, self._snapshots, prepared)

        return lambda: ended_by_owner(open_actor)

    def _detached(self, session_id: str) -> None:
        """The control session of a tab ends only with its target."""
        for record in self._registry.tabs():
            if record.control is not None and record.control.id == session_id:
                self._nursery.start_soon(self._page_ended, record)

    async def _page_ended(self, record: TabRecord) -> None:
        """Forget a tab whose page is gone, unless the page is gone because the browser is ending.

        Chromium that was asked to end closes all pages before it ends. Meanwhile it answers
        nothing, so an answer that lists a page proves that it goes on.
        """
        targets = await self._connection.root.call(target.GetTargets())
        if not any(info.type == "page" for info in targets.target_infos):
            await trio.sleep(ENDING_WAIT)
        if record.id in record.session.tabs:
            await self._forget(record, closed_by_page(record))


def browser_mailbox() -> Mailbox[Browser]:
    """Return the mailbox of the browser, in which no request waits for another.

    The end of a page is not the end of the browser.
    """
    return Mailbox("browser", capacity=1024, workers=None, fatal=ConnectionLost)


@asynccontextmanager
async def open_browser(
    open_endpoint: OpenEndpoint, registry: Registry, snapshots: Mailbox[SnapshotStore]
) -> AsyncGenerator[Browser]:
    """Start or reach the browser, connect, and bring back the tabs on record."""
    async with (
        reach_browser(open_endpoint, registry) as connection,
        open_supervisor(TAB_POLICY, connection_lost, registry.feed.tell) as tabs,
    ):
        root = connection.root
        with root.events(*_FOLLOWED) as events, root.events(*FOLLOWED) as downloads:
            async with trio.open_nursery() as nursery:
                browser = Browser(
                    connection=connection,
                    registry=registry,
                    snapshots=snapshots,
                    tabs=tabs,
                    nursery=nursery,
                )
                await root.call(_AUTO_ATTACH)
                nursery.start_soon(browser.follow, events)
                nursery.start_soon(feel, connection)
                files = Downloads(registry, lambda tab: nursery.start_soon(browser.close_tab, tab))
                nursery.start_soon(files.follow, downloads)
                browser.bring_back(registry.tabs())
                registry.incarnation = Incarnation(connection, tabs, browser.close_session)
                try:
                    yield browser
                finally:
                    registry.incarnation = None
                    registry.forget_closing()
                    browser_ended([(record.comeback, record.url) for record in registry.tabs()])
                nursery.cancel_scope.cancel("browser closed")
