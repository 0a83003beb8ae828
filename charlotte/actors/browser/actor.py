"""The browser actor: it owns a Chromium process, its connection, and the supervisor of its tabs.

A crash ends the process with all of its tabs. The next incarnation launches Chromium again and
gives every recorded tab a new target at its URL, under the same id.
"""

import os
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import NoReturn, TypeVar, get_args

import attrs
import structlog
import trio

from charlotte.actors.browser.contexts import Contexts
from charlotte.actors.browser.service_workers import WORKERS, follow_worker
from charlotte.actors.browser.targets import DOWNLOAD_EVENTS, Downloads, NewPages, add_popup
from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.kernel.supervisor import Opener, RestartPolicy, Supervisor, open_supervisor
from charlotte.actors.monitors.console import open_console
from charlotte.actors.monitors.network import open_network
from charlotte.actors.state.records import (
    DEFAULT,
    Incarnation,
    Registry,
    SessionRecord,
    TabRecord,
    plan_restore,
)
from charlotte.actors.state.snapshots import SnapshotStore
from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.startup import open_tab
from charlotte.browser.browser_source import OpenEndpoint
from charlotte.errors import CharlotteError, ConnectionLost, SessionProblem, TabNotFound
from charlotte.log import span
from charlotte.protocol import page, runtime, target
from charlotte.protocol.connection import Connection, Session, Subscription, open_connection
from charlotte.protocol.errors import ProtocolError, SessionGone, TargetGone
from charlotte.protocol.network import GetCookies
from charlotte.protocol.transport import open_websocket

log = structlog.get_logger(__name__)

_S = TypeVar("_S")

BROWSER_POLICY = RestartPolicy(limit=5, period=60.0, escalate=True)
"""Finding a page that crashes browsers takes up to three restarts (see `RestorePolicy`)."""

TAB_POLICY = RestartPolicy(limit=3, period=30.0)
_CLEANUP_WAIT = 1.0
_ENDING_WAIT = 1.0
"""Seconds from the end of the last page to the end of a browser that was asked to end."""

_VERDICT_WAIT = 5.0
_PREPARED_WAIT = 10.0
_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 30.0
"""Seconds until the restore of a tab is tried again; each pause doubles."""

_OPENED_AT_ONCE = len(os.sched_getaffinity(0)) + 1
"""Tabs prepared at once; more would only delay each other."""

TargetEvent = target.AttachedToTarget | target.DetachedFromTarget
_FOLLOWED: tuple[type[TargetEvent], ...] = get_args(TargetEvent)

_AUTO_ATTACH = target.SetAutoAttach(
    auto_attach=True,
    wait_for_debugger_on_start=True,
    filter=[target.FilterEntry(type=kind) for kind in ("page", *sorted(WORKERS))],
)

HEARTBEAT = 5.0
PATIENCE = 15.0
"""Seconds; on a machine under load, a healthy browser may need some of them to answer."""

BUSY_PATIENCE = 60.0
"""Seconds for a browser that sends a flood of events, because its replies wait behind them."""

_FLOOD = 50
"""Messages per second."""


@attrs.define(eq=False)
class Browser:
    """One incarnation of the browser."""

    _connection: Connection
    _registry: Registry
    _snapshots: Mailbox[SnapshotStore]
    _tabs: Supervisor
    _nursery: trio.Nursery
    _unrestored: list[TabRecord] = attrs.field(factory=list[TabRecord])
    _opening: trio.CapacityLimiter = attrs.field(init=False)
    _contexts: Contexts = attrs.field(init=False)
    _pages: NewPages = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._opening = trio.CapacityLimiter(_OPENED_AT_ONCE)
        self._contexts = Contexts(self._connection.root, self.open_hidden)
        self._pages = NewPages(self._connection, self._nursery, self._adopt)

    async def open_tab(
        self,
        session: SessionRecord,
        url: str | None = None,
        context: str = DEFAULT,
        *,
        activate: bool = True,
    ) -> TabRecord:
        """Open a tab in a context of the session, load ``url``, if given, and activate the tab.

        Without ``activate``, the session's active tab stays the same. Returns when the actors of
        the tab are ready, without waiting for the page to load.
        """
        session.check_open()
        record = self._registry.new_tab(session, self._contexts.reserve(session, context))
        record.first_url = url
        record.opens_files = url is not None
        try:
            async with self._opening:
                await self._create_target(record)
                session.check_open()
                session.add(record)
                await self._start_actors(record)
            await trio.lowlevel.checkpoint_if_cancelled()  # else the tab would have no caller
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
        """End the tab's actors and close its target, even if its page is blocked."""
        with trio.move_on_after(_CLEANUP_WAIT, shield=True):
            advice = "Call tabs for the tabs that are open."
            await self._forget(record, TabNotFound(f"{record.id} was closed.", advice))
        with trio.CancelScope(shield=True):
            await self._close_target(record)

    async def _close_target(self, record: TabRecord) -> None:
        """Close the target of a tab without waiting for the reply."""
        if record.target_id:
            await self._connection.root.begin(target.CloseTarget(target_id=record.target_id))

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

    async def wake(self) -> None:
        """Do nothing: any message restarts a dormant browser."""

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
            record.target_id, record.control, record.dialog = "", None, None
            record.crashed = record.hung = False
        self._unrestored.extend(records)
        for _ in range(min(_OPENED_AT_ONCE, len(records))):
            self._nursery.start_soon(self._restore_all)

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
            await self._create_target(record)
            await self._start_monitors(record)
        except ConnectionLost:
            raise
        except CharlotteError as error:
            record.control = None  # so that the end of this target does not close the tab
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
        if not _is_open(record):
            return
        log.warning("tab is not restored yet", tab=record.id, pause=pause, error=str(error))
        await self._tabs.stop(*record.mailboxes, reason=_not_restored(record, error, pause))
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
                    owner = self._contexts.owner(attached.target_info.browser_context_id)
                    self._nursery.start_soon(follow_worker, self._connection, attached, owner)
                case target.AttachedToTarget(waiting_for_debugger=True) as attached:
                    self._pages.add(attached)
                case target.DetachedFromTarget(session_id):
                    for record in self._registry.tabs():
                        # The control session of a tab ends only with its target.
                        if record.control is not None and record.control.id == session_id:
                            self._nursery.start_soon(self._page_ended, record)
                case _:
                    pass

    async def _page_ended(self, record: TabRecord) -> None:
        """Forget a tab whose page is gone, unless the page is gone because the browser is ending.

        Chromium that was asked to end closes all pages before it ends. Meanwhile it answers
        nothing, so an answer that lists a page proves that the browser keeps running.
        """
        targets = await self._connection.root.call(target.GetTargets())
        if not any(info.type == "page" for info in targets):
            await trio.sleep(_ENDING_WAIT)
        if record.id in record.session.tabs:
            await self._forget(record, _closed_by_page(record))

    async def _create_target(self, record: TabRecord) -> None:
        context = await self._contexts.get(record.session, record.context)
        record.session.check_open()
        attached = await self._pages.create(context, in_front=record.session.settings.watched)
        record.target_id = attached.target_info.target_id
        record.control = await self._open_control(attached)

    async def open_hidden(self, context: str | None) -> tuple[str, Session]:
        """Open a blank page outside all tabs; return its target id and a session on it."""
        attached = await self._pages.create(context)
        hidden = self._connection.session(attached.session_id)
        await hidden.begin(runtime.RunIfWaitingForDebugger())
        return attached.target_info.target_id, hidden

    async def _open_control(self, attached: target.AttachedToTarget) -> Session:
        """Open the first session on a target: the first that enables Page can answer dialogs."""
        control = self._connection.session(attached.session_id)
        await control.begin(page.EnablePage())
        return control

    async def _adopt(self, attached: target.AttachedToTarget) -> None:
        """Make a tab of a popup; a popup outside all sessions is only resumed."""
        owner = self._contexts.owner(attached.target_info.browser_context_id)
        if owner is None:
            other = self._connection.session(attached.session_id)
            await other.begin(runtime.RunIfWaitingForDebugger())
            return
        control = await self._open_control(attached)
        try:
            if record := add_popup(self._registry, *owner, attached.target_info):
                record.control = control
                await self._start_actors(record)
            else:
                await self._pages.close(attached)
        except CharlotteError as error:
            log.debug("popup ended before it was ready", error=str(error))
            if record := self._registry.by_target(attached.target_info.target_id):
                if record.opener:
                    record.opener.notify([f"{error.message} It was closed."])
                await self.close_tab(record)

    async def _start_actors(self, record: TabRecord) -> None:
        """Start the monitors and then the tab, which resumes the target."""
        await self._start_monitors(record)
        await self._tabs.start(record.tab, self._tab_opener(record))

    async def _start_monitors(self, record: TabRecord) -> None:
        connection, target_id = self._connection, record.target_id
        requests, messages = record.request_log, record.console_log
        await self._tabs.start(
            record.network,
            lambda: _ended_by_owner(open_network(connection, target_id, requests)),
        )
        await self._tabs.start(
            record.console,
            lambda: _ended_by_owner(open_console(connection, target_id, messages)),
        )

    def _tab_opener(
        self, record: TabRecord, prepared: Callable[[], None] = lambda: None
    ) -> Opener[TabActor]:
        return lambda: _ended_by_owner(
            open_tab(self._connection, record, self._snapshots, prepared)
        )


def _is_open(record: TabRecord) -> bool:
    return record.id in record.session.tabs and not record.session.closing.is_set()


def browser_mailbox() -> Mailbox[Browser]:
    """Return the mailbox of the browser, which serves all messages at once.

    The end of a page does not end the browser.
    """
    return Mailbox("browser", capacity=1024, workers=None, fatal=ConnectionLost)


@asynccontextmanager
async def _connect(open_endpoint: OpenEndpoint, registry: Registry) -> AsyncGenerator[Connection]:
    """Start or find the browser and connect; a failure is the answer to all waiting calls."""
    async with AsyncExitStack() as stack:
        try:
            with span("browser_initialize"):
                endpoint = await stack.enter_async_context(open_endpoint())
                transport = await stack.enter_async_context(open_websocket(endpoint))
        except CharlotteError as error:
            registry.refuse(error)
            raise
        yield await stack.enter_async_context(open_connection(transport))


@asynccontextmanager
async def open_browser(
    open_endpoint: OpenEndpoint, registry: Registry, snapshots: Mailbox[SnapshotStore]
) -> AsyncGenerator[Browser]:
    """Start or find the browser, connect, and restore the recorded tabs."""
    async with (
        _connect(open_endpoint, registry) as connection,
        open_supervisor(TAB_POLICY, _connection_lost, registry.feed.publish) as tabs,
    ):
        root = connection.root
        with (
            root.events(*_FOLLOWED) as events,
            root.events(*DOWNLOAD_EVENTS) as downloads,
        ):
            async with trio.open_nursery() as nursery:
                browser = Browser(connection, registry, snapshots, tabs, nursery)
                await root.call(_AUTO_ATTACH)
                nursery.start_soon(browser.follow, events)
                nursery.start_soon(check_heartbeat, connection)
                files = Downloads(registry, lambda tab: nursery.start_soon(browser.close_tab, tab))
                nursery.start_soon(files.follow, downloads)
                browser.restore(registry.tabs())
                registry.incarnation = Incarnation(
                    connection,
                    tabs,
                    lambda closing: nursery.start_soon(browser.close_session, closing),
                )
                try:
                    yield browser
                finally:
                    registry.incarnation = None
                    registry.forget_closing()
                    plan_restore([(record.restore, record.url) for record in registry.tabs()])
                nursery.cancel_scope.cancel("browser closed")


async def check_heartbeat(connection: Connection) -> NoReturn:
    """Raise `ConnectionLost` once the browser process has not answered for `PATIENCE` seconds.

    A browser that sends a flood of events may take `BUSY_PATIENCE` seconds.
    """
    while True:
        await trio.sleep(HEARTBEAT)
        began = trio.current_time()
        version = await connection.root.begin(target.GetVersion())
        cookies = await connection.root.begin(GetCookies())  # answered by the network service
        while True:
            received = connection.received
            with trio.move_on_after(PATIENCE):
                await version.result()
                await cookies.result()
                break
            waited = trio.current_time() - began
            is_flood = connection.received - received > _FLOOD * PATIENCE
            if not is_flood or waited >= BUSY_PATIENCE:
                log.warning("browser frozen", seconds=waited)
                raise ConnectionLost(
                    f"The browser has not answered for {waited:.0f} s and is being restarted.",
                    "Repeat the call in a few seconds; the tabs are restored at their URLs.",
                )


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


def _connection_lost() -> ConnectionLost:
    """Return the error for callers of tabs when the browser ends during their calls."""
    return ConnectionLost(
        "The browser ended while this ran; whether it happened is not known.",
        "The browser is being started again and its tabs come back. Observe, then go on.",
    )


def _not_restored(record: TabRecord, error: CharlotteError, pause: float) -> SessionProblem:
    """Return the error for callers of a tab that a new browser could not open yet."""
    return SessionProblem(
        f"{record.id} could not be reopened after a restart of the browser: {error.message}",
        f"Charlotte tries again in {pause:.0f} s. Repeat the call then, or close the tab.",
    )


def _closed_by_page(record: TabRecord) -> TabNotFound:
    """Return the error for callers whose tab closed itself while they waited."""
    opener = record.opener
    return TabNotFound(
        f"{record.id} was closed by its page before it could answer: a click that closes a window, "
        "as logins do, has been done then.",
        f"Observe {opener.id}, which had opened it."
        if opener and opener.id in record.session.tabs
        else "Call tabs for the tabs that are open.",
    )
