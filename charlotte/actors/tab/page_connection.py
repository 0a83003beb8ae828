"""Connection of a tab incarnation to its page: event handling, probe calls, hang detection."""

from collections.abc import AsyncGenerator, Generator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from typing import Any, NoReturn

import trio

from charlotte.actors.state.dialogs import WANTS_FILES, PendingDialog, automatic_answer, notice
from charlotte.actors.state.events import DialogOpened, Loaded, Navigated
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.faults import all_silent, hung, on_its_way
from charlotte.actors.tab.watchdog import CREDIT, Patience
from charlotte.browser import probe
from charlotte.browser.isolated_world import FrameWorlds, World
from charlotte.browser.navigate import stop
from charlotte.browser.page_activity import FEED, Activity
from charlotte.clock import now
from charlotte.errors import CharlotteError, DeadlineExceeded, TabHung
from charlotte.protocol import page, runtime, target
from charlotte.protocol.connection import Connection, Pending, Session, Subscription, open_session
from charlotte.protocol.errors import ContextGone, Terminated
from charlotte.protocol.wire import Event
from charlotte.urls import origin_of

FOLLOWED: tuple[type[Event], ...] = (
    *FEED,
    runtime.ExecutionContextCreated,
    runtime.ExecutionContextDestroyed,
    runtime.ExecutionContextsCleared,
    runtime.BindingCalled,
    page.JavascriptDialogOpening,
    page.JavascriptDialogClosed,
    page.FileChooserOpened,
)

SIGNS_OF_LIFE = (
    runtime.ExecutionContextCreated,
    runtime.ExecutionContextDestroyed,
    page.LifecycleEvent,
    page.JavascriptDialogOpening,
)
"""Events that only a renderer sends whose scripts come and go."""

HANG_AFTER = 2.0
READING_TAKES = 15.0
"""Seconds for reading a whole document: a big document takes long without a hang."""

_BROWSER_ANSWERS_WITHIN = 1.0
_MOST_BEHIND = 4.0
"""Seconds that the browser may need for its answer while it keeps sending other messages."""
_ARRIVAL_WAIT = 10.0
_END_WAIT = 2.0
_MOST_ORIGINS = 1000
_SCRIPTS_RUN = (Terminated, ContextGone)
"""Errors of a ping to a page that does not hang: both are caused by an earlier script."""


class EventsLost(Exception):
    """Events of the page were lost: the next incarnation reads the state of the page again."""


class LivePage:
    """The page behind a CDP session: its activity, and whether it still answers."""

    def __init__(
        self,
        *,
        connection: Connection,
        session: Session,
        record: TabRecord,
        main_frame: page.Frame,
        arriving: Pending[page.Navigated] | None,
    ) -> None:
        self.session = session
        self.activity = Activity(main_frame)
        self.world = World(session, main_frame.id)
        self.frames = FrameWorlds()
        self.processes: list[Session] = []
        self.patience = Patience()
        self._is_browser_silent = False
        self._connection = connection
        self.record = record
        self._arriving = arriving
        record.frames = self.activity.frames
        self._until_dialog: trio.CancelScope | None = None
        self._choosing = False

    async def follow(self, events: Subscription[Event]) -> NoReturn:
        """Handle the events of the page; raises `SessionGone` when it is closed."""
        while True:
            event = await events.next()
            self._note(event)
            if isinstance(event, page.JavascriptDialogOpening):
                await self._dialog_opens(event)
            await self._ask_for_title(event)
            if lost := events.take_lost():
                raise EventsLost(f"{lost} events of {self.record.id} found no room.")

    def _note(self, event: Event) -> None:
        if isinstance(event, SIGNS_OF_LIFE):
            self.patience.hear()
        match event:
            case (
                runtime.ExecutionContextCreated()
                | runtime.ExecutionContextDestroyed()
                | runtime.ExecutionContextsCleared()
            ):
                self.world.feed(event)
                self.frames.feed(self.session, event)
            case runtime.BindingCalled(probe.TITLE_BINDING, title):
                self.record.title = title
            case page.JavascriptDialogClosed():
                self.record.dialog = None
                self._follow_activity(event)
            case page.FileChooserOpened():
                self._files_are_wanted()
            case _:
                self._follow_activity(event)

    async def _ask_for_title(self, event: Event) -> None:
        """Ask for a missing title: no script runs at the start of a window's first document."""
        arrived = isinstance(event, page.LifecycleEvent) and event.name == "DOMContentLoaded"
        context = self.world.context
        if arrived and context is not None and not self.record.title:
            report = "charlotte.arrived()"
            await self.session.begin(runtime.Evaluate(expression=report, unique_context_id=context))

    def _follow_activity(self, event: Event) -> None:
        if isinstance(event, page.FrameNavigated):
            self._remember_origin(event.frame.url)
        documents = self.activity.documents
        self.activity.feed(event)
        self._moved(same_document=self.activity.documents == documents)
        self.record.posted = self.activity.posted
        was_loading, self.record.loading = self.record.loading, not self.activity.reached("load")
        if was_loading and not self.record.loading:
            if origin_of(self.activity.url):
                self.record.used.set()
            self.record.publish(Loaded(tab_id=self.record.id, url=self.record.url))

    def _moved(self, *, same_document: bool) -> None:
        """Record and publish the address of the page."""
        record, url = self.record, self.activity.url
        if not same_document:
            record.title = ""  # until the new document reports its title
            record.restore.note_document(url)
        if not same_document or url != record.url:
            record.publish(Navigated(tab_id=record.id, url=url, same_document=same_document))
        record.url = url

    def _remember_origin(self, url: str) -> None:
        origin, known = origin_of(url), self.record.context.origins
        if origin and len(known) < _MOST_ORIGINS:
            known.add(origin)

    def note_frame(self, session: Session, event: Event) -> None:
        """Handle an event of a frame in another process."""
        match event:
            case (
                runtime.ExecutionContextCreated()
                | runtime.ExecutionContextDestroyed()
                | runtime.ExecutionContextsCleared()
            ):
                self.frames.feed(session, event)
            case page.FileChooserOpened():
                self._files_are_wanted()
            case _:
                self.activity.feed(event)

    def _files_are_wanted(self) -> None:
        if not self._choosing:
            self.record.notify([WANTS_FILES])

    @contextmanager
    def choosing(self) -> Generator[None]:
        """Ignore file choosers during the block, which gives files to the page."""
        self._choosing = True
        try:
            yield
        finally:
            self._choosing = False

    async def _dialog_opens(self, event: page.JavascriptDialogOpening) -> None:
        accept = automatic_answer(self.record.session.settings.dialog_auto_dismiss, event.type)
        if accept is not None:
            self.record.notify([notice(event.type, event.message, accepted=accept)])
            control = self.record.control or self.session
            await control.begin(page.HandleJavaScriptDialog(accept=accept))
            return
        default = event.default_prompt if event.type == "prompt" else None
        dialog = PendingDialog(event.type, event.message, now(), default)
        self.record.dialog = dialog
        self.record.publish(DialogOpened(tab_id=self.record.id, dialog=dialog))
        if self._until_dialog is not None:
            self._until_dialog.cancel("a dialog opened")

    def until_dialog(self) -> trio.CancelScope:
        """Return a scope that is cancelled when a dialog opens and blocks the page."""
        self._until_dialog = trio.CancelScope()
        return self._until_dialog

    async def depart(self, url: str) -> page.Navigated:
        """Have the browser load ``url``, or wait for the load that began when the tab opened."""
        arriving, self._arriving = self._arriving, None
        if arriving is not None and arriving.command == page.Navigate(url=url):
            return await arriving.result()
        await self.free()
        return await self.session.call(page.Navigate(url=url))

    async def free(self) -> None:
        """End a load or an endless script, which keep the page from being replaced."""
        if self.activity.navigating_to is not None:
            await stop(self.session)
        if not self.record.hung:
            with suppress(TabHung):
                await self.ping()
        if self.record.hung:
            await self.end_script()

    async def ping(self, seconds: float = HANG_AFTER) -> None:
        """Check that no script blocks the page; raises `TabHung`."""
        async with self.answering(seconds, credit=0):
            await self.answered()

    async def answered(self) -> None:
        """Wait until no script blocks the page; the caller sets the deadline."""
        with suppress(*_SCRIPTS_RUN):
            await self.session.call(runtime.Evaluate(expression="0"))
        self.record.hung = False

    async def end_script(self) -> None:
        """End the running script, through a session that was attached before it could loop."""
        with trio.move_on_after(_END_WAIT):
            await (self.record.control or self.session).call(runtime.TerminateExecution())
            self.record.hung = False

    @asynccontextmanager
    async def answering(
        self, seconds: float = HANG_AFTER, *, credit: float = CREDIT
    ) -> AsyncGenerator[None]:
        """Expect the renderer to answer in time; raises `TabHung` if only the browser does.

        Signs of life prolong the time by at most that ``credit``.
        """
        with self.patience.move_on_after(seconds, credit) as scope:
            yield
        if scope.cancelled_caught:
            raise self._silence(seconds)
        self.record.hung = False

    async def present(self) -> None:
        """Wait for a document that is on its way; raises `DeadlineExceeded`.

        Until it arrives, the browser holds back all questions to the page.
        """
        with trio.move_on_after(_ARRIVAL_WAIT) as scope:
            await self.activity.until(lambda: self.activity.navigating_to is None)
        if scope.cancelled_caught:
            raise self._on_its_way(_ARRIVAL_WAIT)

    def _on_its_way(self, seconds: float) -> DeadlineExceeded:
        return on_its_way(self.record, self.activity.navigating_to or "", seconds)

    def _silence(self, seconds: float) -> CharlotteError:
        if self.activity.navigating_to is not None:
            return self._on_its_way(seconds)
        if self._is_browser_silent:
            return all_silent(self.record, seconds + _BROWSER_ANSWERS_WITHIN)
        self.record.hung = True
        return hung(self.record, seconds)

    async def is_browser_behind(self) -> bool:
        """Return whether the browser sends messages, but answers late, as under a flood.

        This is checked before a wait for the page ends: a late browser is no hang of the page.
        """
        if self.activity.navigating_to is not None:
            return False
        self._is_browser_silent, received = True, -1
        asked, version = trio.current_time(), await self.root.begin(target.GetVersion())
        while received != self._connection.received and trio.current_time() < asked + _MOST_BEHIND:
            received = self._connection.received
            with trio.move_on_after(_BROWSER_ANSWERS_WITHIN):
                await version.result()
                self._is_browser_silent = False
                return trio.current_time() >= asked + _BROWSER_ANSWERS_WITHIN
        return received != self._connection.received

    async def capture(self, *arguments: object) -> str:
        """Have the probe read the page, however big it is, if no script blocks the page.

        A ping sent ahead of the question detects a hang without a round trip of its own.
        """
        ping = await self.session.begin(runtime.Evaluate(expression="0"))

        async def answered() -> None:
            async with self.answering():
                with suppress(*_SCRIPTS_RUN):
                    await ping.result()

        async with self.answering(READING_TAKES):
            captured: str = await self.world.ask("capture", *arguments, then=answered)
        return captured

    @property
    def root(self) -> Session:
        """The session on the browser itself."""
        return self._connection.root

    def beside(self) -> AbstractAsyncContextManager[Session]:
        """Open another session on the page, for commands that would change this session."""
        return open_session(self._connection, self.record.target_id)

    async def context(self) -> str | None:
        """Return the CDP id of the page's browser context."""
        asked = target.GetTargetInfo(target_id=self.record.target_id)
        return (await self.root.call(asked)).browser_context_id

    async def grant(self, *permissions: str) -> None:
        """Grant permissions to the pages of this tab's context."""
        given, context = list(permissions), await self.context()
        wanted = target.GrantPermissions(permissions=given, browser_context_id=context)
        await self.root.call(wanted)

    async def ask(self, function: str, *arguments: object, takes: float = 0.0) -> str:
        """Call a probe function that ``takes`` so many seconds, or more if the page hangs."""
        async with self.answering(HANG_AFTER + takes):
            answer: str = await self.world.ask(function, *arguments)
        return answer

    async def ask_in(
        self, context: str, function: str, *arguments: object, seconds: float = HANG_AFTER * 2
    ) -> Any:
        """Call a probe function in one document; raises `ContextGone` if it was replaced."""
        async with self.answering(seconds):
            return await self.world.ask_in(context, function, *arguments)
