"""Connection of a tab incarnation to its page: event handling, probe calls, hang detection.

Deadlines for a page's answers end too early neither on a paused nor on a busy machine: they count
only while this process runs, and restart with each sign of life, within limits.
"""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Any, NoReturn

import attrs
import trio

from charlotte.actors.state.events import (
    DialogAnswered,
    DialogOpened,
    Loaded,
    Navigated,
    PendingDialog,
)
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.registry import ProfileRecord
from charlotte.actors.state.session_settings import WANTS_FILES, automatic_answer, dialog_notice
from charlotte.actors.tab.page.page_tool_calls import ToolCalls
from charlotte.base.errors import BrowserSilent, CharlotteError, DeadlineExceeded, TabHung
from charlotte.base.log import now
from charlotte.base.urls import is_loadable, origin_of
from charlotte.browser import emulation, pdf, probe
from charlotte.browser.input.drag import HeldButton
from charlotte.browser.world.isolated_world import WORLD_NAME, ContextEvent, FrameWorlds
from charlotte.browser.world.navigate import stop
from charlotte.browser.world.settle import ANSWER_WAIT, FEED, Activity
from charlotte.guard.url_guard import quoted
from charlotte.protocol import network, page, runtime, target, webmcp
from charlotte.protocol.connection import CdpSession, Connection, Pending, Subscription
from charlotte.protocol.dom import ResolveNode
from charlotte.protocol.errors import ContextGone, ProtocolError, Terminated
from charlotte.protocol.wire import CdpEvent

CONTEXTS: tuple[type[ContextEvent], ...] = (
    runtime.ExecutionContextCreated,
    runtime.ExecutionContextDestroyed,
    runtime.ExecutionContextsCleared,
)
FOLLOWED: tuple[type[CdpEvent], ...] = (
    *FEED,
    *CONTEXTS,
    runtime.BindingCalled,
    page.JavascriptDialogOpening,
    page.JavascriptDialogClosed,
    page.FileChooserOpened,
    *webmcp.TOOL_EVENTS,
)

SIGNS_OF_LIFE = (
    runtime.ExecutionContextCreated,
    runtime.ExecutionContextDestroyed,
    page.LifecycleEvent,
    page.JavascriptDialogOpening,
)
"""Events that only a renderer sends whose scripts come and go."""

_TICK = 0.1
_LONGEST_TICK = 3 * _TICK
"""Seconds that a tick counts at most: a longer tick means that the process was paused."""

CREDIT = 8.0
"""Seconds that a wait may last longer for signs of life."""

MOST_FRAMES = 50
KEPT = 5.0
"""Seconds for which the stillness of a page is watched."""

HANG_AFTER = 2.0
READING_TAKES = 15.0
"""Seconds for reading a whole document: a big document takes long without a hang."""

_SEARCHES = {"searchText", "searchRole", "searchHidden"}
_LONG_READINGS = {"survey", "html", "pickWithin", "surplus", *_SEARCHES}
"""Functions of the probe that read a whole document or list."""

_PING = runtime.Evaluate(expression="0")
_BROWSER_ANSWERS_WITHIN = 1.0
_MOST_BEHIND = 4.0
"""Seconds that the browser may need for its answer while it keeps sending other messages."""
_END_WAIT = 2.0
_MOST_ORIGINS = 1000
_SCRIPTS_RUN = (Terminated, ContextGone)
"""Errors of a ping to a page that does not hang: both are caused by an earlier script."""


@attrs.define(eq=False)
class _Wait:
    """A wait of ``seconds``, of which ``left`` remained at the trio time ``counted``.

    Signs of life of the page may extend the wait by ``credit`` seconds.
    """

    seconds: float
    credit: float
    left: float = attrs.field(default=attrs.Factory(lambda wait: wait.seconds, takes_self=True))
    scope: trio.CancelScope = attrs.field(factory=trio.CancelScope)
    counted: float = attrs.field(factory=trio.current_time)

    def renew(self) -> None:
        self.count()
        more = min(self.seconds - self.left, self.credit)
        self.left += more
        self.credit -= more

    def count(self) -> None:
        now = trio.current_time()
        self.left -= min(now - self.counted, _LONGEST_TICK)
        self.counted = now


class Deadlines:
    """The deadlines of all present waits for a page."""

    def __init__(self) -> None:
        self._waits: set[_Wait] = set()
        self._begun = trio.Event()

    @contextmanager
    def move_on_after(self, seconds: float, credit: float = CREDIT) -> Generator[trio.CancelScope]:
        """Cancel the block after so many seconds, plus pauses of the process and signs of life."""
        wait = _Wait(seconds, credit)
        self._waits.add(wait)
        self._begun.set()
        try:
            with wait.scope as scope:
                yield scope
        finally:
            self._waits.remove(wait)

    def extend(self) -> None:
        """Extend all waits after a sign of life of the page."""
        for wait in self._waits:
            wait.renew()

    async def count(self, is_behind: Callable[[], Awaitable[bool]] | None = None) -> NoReturn:
        """Serve `move_on_after`.

        Before waits end, ``is_behind`` is asked: if it is true, they get more time from their
        credit. The time for asking comes from their credit too.
        """
        while True:
            await self._begun.wait()
            self._begun = trio.Event()
            while waits := [wait for wait in self._waits if not wait.scope.cancel_called]:
                await trio.sleep(min(_TICK, *(max(wait.left, 0) for wait in waits)))
                for wait in waits:
                    wait.count()
                over = [wait for wait in waits if wait.left <= 0]
                asked = trio.current_time()
                get_more = bool(over) and is_behind is not None and await is_behind()
                for wait in over:
                    wait.credit = max(wait.credit - (trio.current_time() - asked), 0)
                    if get_more:
                        wait.renew()
                    if wait.left <= 0:
                        wait.scope.cancel("no answer")


class EventsLost(Exception):
    """Events of the page were lost: the next incarnation reads the state of the page again."""


class LivePage:
    """The page behind a CDP session: its activity, and whether it still answers."""

    def __init__(
        self,
        connection: Connection,
        session: CdpSession,
        record: TabRecord,
        main_frame: page.FrameInfo,
        arriving: Pending[page.NavigateReply] | None,
    ) -> None:
        self.session = session
        self.activity = Activity(main_frame)
        self.frames = FrameWorlds(session, main_frame.id)
        self.processes: list[CdpSession] = []
        self.button = HeldButton(session)
        self.tools = ToolCalls(record, session, main_frame)
        self.deadlines = Deadlines()
        self._is_browser_silent = False
        self.connection = connection
        self.record = record
        self._arriving = arriving
        record.frames = self.activity.frames
        self._until_dialog = trio.CancelScope()
        self._choosing = False
        self.chooser: tuple[CdpSession, page.FileChooserOpened] | None = None

    async def follow(self, events: Subscription[CdpEvent]) -> NoReturn:
        """Handle the events of the page; raises `SessionGone` when it is closed."""
        while True:
            event = await events.next()
            if isinstance(event, SIGNS_OF_LIFE):
                self.deadlines.extend()
            if isinstance(event, runtime.ExecutionContextCreated) and self._needs_world(event):
                await self.session.begin(runtime.Evaluate(expression="null"))
            await self.note(self.session, event)
            match event:
                case page.JavascriptDialogOpening():
                    await self._dialog_opens(event)
                case page.LifecycleEvent(name="DOMContentLoaded") if not self.record.title:
                    # missing: no script runs at the start of a window's first document
                    if (world := self.frames.get(self.frames.main_frame)) is not None:
                        await world.begin("arrived")
                case _:
                    pass
            if lost := events.take_lost():
                raise EventsLost(f"{lost} events of {self.record.id} found no room.")

    def _needs_world(self, event: runtime.ExecutionContextCreated) -> bool:
        """Return whether the main frame got our world without one for scripts of the page.

        In the process of a frame of the page before, Chromium runs no script in a document without
        scripts until something is evaluated there.
        """
        main, context = self.frames.main_frame, event.context
        is_ours = context.name == WORLD_NAME and context.aux_data.get("frameId") == main
        return is_ours and self.frames.main_world(main) is None

    async def note(self, session: CdpSession, event: CdpEvent) -> None:
        """Record an event of the page, or of a frame in another process."""
        self.tools.feed(session, event)
        match event:
            case runtime.ExecutionContextCreated(context) if self._is_withheld(session, context):
                pass
            case _ if isinstance(event, ContextEvent):
                self.frames.feed(session, event)
            case runtime.BindingCalled(probe.TITLE_BINDING, title):
                self.record.title = title
            case page.FileChooserOpened() if not self._choosing:
                await self._keep_chooser(session, event)
            case page.FrameRequestedNavigation(url=to) | page.WindowOpen(to) if not is_loadable(to):
                self.record.notify([f"The page opened {to}: no tab shows links of that kind."])
            case page.FrameRequestedNavigation(disposition="newTab" | "newWindow"):
                if isinstance(self.record.context, ProfileRecord):
                    self.record.context.note_page_request(self.record)
            case _ if session is self.session:
                if isinstance(event, page.JavascriptDialogClosed):
                    self.record.dialog = None
                self._follow_activity(event)
            case _:
                self.activity.feed(event)

    async def _keep_chooser(self, session: CdpSession, event: page.FileChooserOpened) -> None:
        """Keep a file chooser, and its file input, to which the page may keep no reference."""
        self.chooser = session, event
        self.record.notify([WANTS_FILES])
        if event.backend_node_id is not None:
            await session.begin(ResolveNode(backend_node_id=event.backend_node_id))

    def _is_withheld(self, session: CdpSession, context: runtime.ExecutionContext) -> bool:
        """Return whether a frame belongs to a site that the browser's owner has not granted."""
        owner = self.record.session.owner if self.record.context.is_owner_profile else None
        frame_id = context.aux_data.get("frameId", "")
        if owner is None or (session is self.session and frame_id == self.activity.main_frame):
            return False
        withheld = not owner.is_site_granted(context.origin, self.record.target_id)
        self.frames.withhold(frame_id, withheld=withheld)
        return withheld

    def _follow_activity(self, event: CdpEvent) -> None:
        """Record and publish the address of the page, and whether it is loading."""
        record, activity, documents = self.record, self.activity, self.activity.documents
        if isinstance(event, page.FrameNavigated):
            origin, known = origin_of(event.frame.url), record.context.origins
            if origin and len(known) < _MOST_ORIGINS:
                known.add(origin)
        if (
            isinstance(event, network.ResponseReceived)
            and event.type == emulation.DOCUMENT
            and event.response.mime_type in pdf.TYPES
            and not record.desired.reads_pdf
        ):
            record.notify([pdf.NOT_READABLE])
        activity.feed(event)
        url, same_document = activity.url, activity.documents == documents
        if not same_document:
            record.title = ""  # until the new document reports its title
            failure = activity.failure
            record.error_page = failure and record.request_log.explain(activity.url, failure)
            if url != "about:blank":
                record.restore.end()
        if not same_document or url != record.url:
            record.publish(Navigated(tab_id=record.id, url=url, same_document=same_document))
        record.url, record.posted = url, activity.posted
        was_loading, record.loading = record.loading, not activity.reached("load")
        record.leaving = activity.navigating_to is not None
        if was_loading and not record.loading:
            if origin_of(url):
                record.used.set()
            record.publish(Loaded(tab_id=record.id, url=url))

    @contextmanager
    def choosing(self) -> Generator[None]:
        """Ignore file choosers during the block, which gives files to the page."""
        self._choosing = True
        try:
            yield
        finally:
            self._choosing = False

    async def _dialog_opens(self, event: page.JavascriptDialogOpening) -> None:
        mode = self.record.session.settings.dialog_auto_dismiss
        # an owner or a person in the tab sees the dialog too
        is_seen = self.record.context.is_owner_profile or self.record.takeover is not None
        accept = automatic_answer("none" if is_seen else mode, event.type)
        default = event.default_prompt if event.type == "prompt" else None
        dialog = PendingDialog(event.type, event.message, now(), default)
        if accept is not None:
            self.record.notify([dialog_notice(event.type, event.message, accepted=accept)])
            answered = DialogAnswered(tab_id=self.record.id, dialog=dialog, accepted=accept)
            self.record.publish(answered)
            control = self.record.control or self.session
            text = default if accept else None
            await control.begin(page.HandleJavaScriptDialog(accept=accept, prompt_text=text))
            return
        self.record.dialog = dialog
        self.record.publish(DialogOpened(tab_id=self.record.id, dialog=dialog))
        self._until_dialog.cancel("a dialog opened")

    @asynccontextmanager
    async def attended(self) -> AsyncGenerator[None]:
        """Let a tab of the browser's owner get input and be drawn during the block."""
        if not self.record.desired.is_light:
            yield
            return
        try:
            await emulation.begin(self.session, emulation.ATTENTION)
            yield
        finally:
            with trio.CancelScope(shield=True), suppress(ProtocolError):
                await emulation.begin(self.session, emulation.NO_ATTENTION)

    def until_dialog(self) -> trio.CancelScope:
        """Return a scope that is cancelled when a dialog opens and blocks the page."""
        self._until_dialog = trio.CancelScope()
        return self._until_dialog

    async def depart(self, url: str) -> page.NavigateReply:
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
            await self.session.call(_PING)
        self.record.hung = False

    async def end_script(self) -> None:
        """End the running script, through a session that was attached before it could loop."""
        with trio.move_on_after(_END_WAIT):
            await (self.record.control or self.session).call(runtime.TerminateExecution())
            self.record.hung = False

    @asynccontextmanager
    async def answering(
        self,
        seconds: float = HANG_AFTER,
        *,
        credit: float = CREDIT,
        reads: bool = False,
    ) -> AsyncGenerator[None]:
        """Expect the renderer to answer in time; raises `TabHung` if only the browser does.

        Signs of life prolong the time by at most that ``credit``. If the probe ``reads`` a page
        that answered before, the page itself need not hang.
        """
        with self.deadlines.move_on_after(seconds, credit) as scope:
            yield
        if scope.cancelled_caught:
            raise self._build_silence_error(seconds, reads=reads)
        self.record.hung = False

    async def present(self) -> None:
        """Wait for a document that is on its way; raises `DeadlineExceeded`.

        Until it arrives, the browser holds back all questions to the page.
        """
        with trio.move_on_at(self.activity.answer_by) as scope:
            await self.activity.until(lambda: self.activity.navigating_to is None)
        if scope.cancelled_caught:
            raise self._build_silence_error(ANSWER_WAIT)

    def _build_silence_error(self, seconds: float, *, reads: bool = False) -> CharlotteError:
        """Return the error for a page that did not answer in time, or that the probe ``reads``."""
        if (url := self.activity.navigating_to) is not None:
            waited = trio.current_time() - self.activity.departed
            return DeadlineExceeded(
                f"{self.record.id} is on its way to {quoted(url)}, which has not answered for "
                f"{waited:.0f} s.",
                "Wait with wait_for, or use back: it ends the load, and the present page stays.",
            )
        if self._is_browser_silent:
            return BrowserSilent(
                f"Neither {self.record.id} nor the browser has answered for "
                f"{seconds + _BROWSER_ANSWERS_WITHIN:.0f} s.",
                "Repeat the call in a few seconds: a browser that stays silent is started again.",
            )
        silent = f"{self.record.id} has not answered for {seconds:.0f} s"
        asking = (tab.id for tab in self.record.session.tabs.values() if tab.dialog is not None)
        if other := next(asking, None):  # a dialog holds up all pages of its renderer
            return DeadlineExceeded(
                f"{silent}: {other} shows a dialog, which holds up all pages of its process.",
                f'Answer it with dialog{{"tab_id": "{other}"}}, then observe {self.record.id}.',
            )
        self.record.hung = True
        if reads:
            return DeadlineExceeded(
                f"{self.record.id} has been read for {seconds:.0f} s: its page is very long, or a "
                f"script has begun to keep it busy.",
                "Try again, or read a part of it with observe and a selector, or with evaluate.",
            )
        return TabHung(
            f"{silent}: a script of {self.record.url} keeps it busy.",
            "The script was left alone. Wait and try again, navigate or reload to end it, "
            "or close the tab; other tabs are not affected.",
        )

    async def is_browser_behind(self) -> bool:
        """Return whether the browser sends messages, but answers late, as under a flood.

        This is checked before a wait for the page ends: a late browser is no hang of the page.
        """
        if self.activity.navigating_to is not None:
            return False
        self._is_browser_silent, received = True, -1
        asked, version = trio.current_time(), await self.root.begin(target.GetVersion())
        while received != self.connection.received and trio.current_time() < asked + _MOST_BEHIND:
            received = self.connection.received
            with trio.move_on_after(_BROWSER_ANSWERS_WITHIN):
                await version.result()
                self._is_browser_silent = False
                return trio.current_time() >= asked + _BROWSER_ANSWERS_WITHIN
        return received != self.connection.received

    async def capture(self, *arguments: object) -> str:
        """Have the probe read the page, however big it is, if no script blocks the page."""
        return await self._read(partial(self.frames.ask, "capture", *arguments))

    async def _read(self, ask: Callable[..., Awaitable[str]]) -> str:
        """Have the probe read much; raises `TabHung` if a script blocks the page already.

        A ping sent ahead of the question detects a hang without a round trip of its own.
        """
        ping = await self.session.begin(_PING)

        async def answered() -> None:
            async with self.answering():
                with suppress(*_SCRIPTS_RUN):
                    await ping.result()

        async with self.answering(READING_TAKES, reads=True):
            text: str = await ask(then=answered)
        return text

    async def watch_stillness(self) -> Callable[[], bool] | None:
        """Have the frames report changes; return None if there are too many frames.

        Returns a check that is true for some seconds while DOM, documents, frames and URL are
        unchanged.
        """
        worlds, url, until = self.frames.all(), self.activity.url, trio.current_time() + KEPT
        if len(worlds) > MOST_FRAMES:
            return None
        ms = round(KEPT * 1000)
        changes = [await one.begin("changed", ms) for one in worlds]
        return lambda: (
            trio.current_time() < until
            and self.activity.navigating_to is None
            and self.activity.url == url
            and self.frames.all() == worlds
            and not any(one.settled.is_set() for one in changes)
        )

    @property
    def root(self) -> CdpSession:
        """The session on the browser itself."""
        return self.connection.root

    async def context(self) -> str | None:
        """Return the CDP id of the page's browser context.

        Raises `SessionProblem` for the profile of the browser's owner.
        """
        self.record.check_not_owners("The tools for cookies, storage and permissions")
        asked = target.GetTargetInfo(target_id=self.record.target_id)
        return (await self.root.call(asked)).browser_context_id

    async def ask(self, function: str, *arguments: object, takes: float = 0.0) -> dict[str, Any]:
        """Call a probe function that ``takes`` so many seconds, or more if the page hangs."""
        async with self.answering(HANG_AFTER + takes):
            answer: dict[str, Any] = json.loads(await self.frames.ask(function, *arguments))
        return answer

    async def ask_in(self, context: str, function: str, *arguments: object) -> dict[str, Any]:
        """Call a probe function in one document; raises `ContextGone` if it was replaced."""
        await self.present()
        ask = partial(self.frames.ask_in, context, function, *arguments)
        if function in _LONG_READINGS:
            text = await self._read(ask)
        else:
            async with self.answering(HANG_AFTER * 2):
                text = await ask()
        answer: dict[str, Any] = json.loads(text)
        return answer
