"""Dispatch of tool calls to the session and to the actors that run them, with deadlines."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from typing import Any, Concatenate, ParamSpec, TypeVar

import attrs
import trio

from charlotte.actors.browser.actor import Browser
from charlotte.actors.dev_server import Sites
from charlotte.actors.kernel.mailbox import Mailbox, Message
from charlotte.actors.state.context_record import DEFAULT
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.state.sites import SiteRecord
from charlotte.actors.state.takeovers import Takeover
from charlotte.actors.tab.actor import Look, TabActor
from charlotte.actors.tab.verbs.takeover import hand_over
from charlotte.base.errors import CharlotteError, DeadlineExceeded, Fatal, TabNotFound
from charlotte.base.progress import current_progress, stage
from charlotte.browser.process.running_browser import RunningBrowser
from charlotte.browser.sandbox_page import Sandbox
from charlotte.browser.world.site_storage import InitialState
from charlotte.guard.host_patterns import HostList
from charlotte.protocol.connection import CdpSession

_CLOSE_WAIT = 2.0

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")
QUEUE_LIMIT = 60.0
SANDBOX_WAIT = 20.0
CONSENT_WAIT = 20.0
"""Seconds that a call waits while the browser asks its user; below every deadline of a call."""


@attrs.define(eq=False)
class AgentSession:
    """A session's record with access to the actors; methods run in the caller's task."""

    record: SessionRecord
    _browser: Mailbox[Browser]
    _sites: Mailbox[Sites]
    _users_browser: RunningBrowser | None = None
    _first_tab: trio.Lock = attrs.field(factory=trio.Lock)

    async def tab(self, tab_id: str | None) -> TabRecord:
        """Return the named tab, or by default the active tab, which is opened if necessary.

        Raises the reason if the browser cannot be started.
        """
        await self.wake()
        if tab_id is not None:
            return self.record.find(tab_id)
        self.record.check_active()
        async with self._first_tab:
            if self.record.active is None:
                stage("opening a tab")
                await self.open_tab()
        return self.record.find(self.record.active or "")

    async def wake(self) -> None:
        """Wait until a dormant browser runs; raises the reason if it cannot be reached.

        The user of a browser may take minutes to allow the connection. The connection goes on
        waiting for that when a call ends, because each new one would open another dialog.
        """
        if not self._browser.dormant:
            return
        if self._users_browser is None:
            await self._browser.ask(Browser.wake)
            return
        stage(self._users_browser.activity)
        with trio.move_on_after(CONSENT_WAIT):
            await self._browser.ask(Browser.wake)
            return
        raise self._users_browser.not_allowed_yet()

    async def read_owner_tabs(self) -> None:
        """Read the tabs of the user's browser, if that is configured; connect to it first."""
        if self.record.owner is not None:
            await self.wake()
            await self._browser.ask(Browser.read_owner_tabs)

    async def open_tab(
        self,
        url: str | None = None,
        context: str = DEFAULT,
        *,
        state: InitialState | None = None,
        only: HostList | None = None,
    ) -> TabRecord:
        """Open a tab, blank or navigating to ``url``, and make it the active tab.

        With ``state`` or ``only``, the context is new and begins with it.
        """
        self.record.check_open()
        active = self.record.active
        await self.wake()
        message = Message(
            lambda browser: browser.open_tab(self.record, url, context, state=state, only=only),
            "open_tab",
        )
        try:
            async with self._browser.post(message):
                opened: TabRecord = await message.result()
                return opened
        except trio.Cancelled:
            if message.value is not None:  # opened at the moment in which the caller left
                self.undo_open(message.value, active)
            raise

    def undo_open(self, record: TabRecord, active: str | None) -> None:
        """Take back that a tab was opened; ``active`` is the tab that was active before.

        For the session it is done at once; the browser closes the page when it can.
        """
        was_active = self.record.active == record.id
        self.record.end(record, TabNotFound(f"{record.id} was closed."))
        if not self._browser.dormant:
            self._browser.post_work(Browser.close_tab, record)
        if was_active and active in self.record.tabs:
            self.record.active = active

    async def adopt_tab(self, tab_id: str, *, wake: bool) -> TabRecord:
        """Work in a tab of the browser's owner; it becomes the active tab."""
        await self.read_owner_tabs()
        return await self._browser.ask(Browser.adopt_tab, self.record, tab_id, wake=wake)

    async def close_tab(self, tab_id: str) -> None:
        """Close a tab, even if its page is blocked."""
        record = self.record.find(tab_id)
        record.tab.check_free()
        if self._browser.dormant:  # the tab ended with the browser
            self.record.end(record, TabNotFound(f"{record.id} was closed."))
        else:
            await self._browser.ask(Browser.close_tab, record)

    def rows(self) -> list[dict[str, Any]]:
        """Return the last known state of each tab (C-TAB-01) without asking the tabs."""
        return [record.row() for record in self.record.tabs.values()]

    async def answer_dialog(self, record: TabRecord, *, accept: bool, text: str | None) -> None:
        """Answer the dialog that is open in a tab."""
        record.tab.check_free()
        await self._browser.ask(Browser.answer_dialog, record, accept=accept, text=text)

    async def open_hidden(self, context: str | None) -> tuple[str, CdpSession]:
        """Open a blank page outside all tabs; return its target id and a session on it."""
        await self.wake()
        return await self._browser.ask(Browser.open_hidden, context)

    @asynccontextmanager
    async def open_sandbox(self) -> AsyncGenerator[Sandbox]:
        """Open a page for a program, in a browser context without a network; close it at the end.

        Nothing of it belongs to the session. Raises `DeadlineExceeded` if the browser opens none.
        """
        self.record.check_open()
        await self.wake()
        message = Message(lambda browser: browser.open_sandbox(self.record), "open_sandbox")
        try:
            with trio.move_on_after(SANDBOX_WAIT) as opening:
                async with self._browser.post(message):
                    await message.result()
            if opening.cancelled_caught or message.value is None:
                raise DeadlineExceeded(
                    f"The browser opened no page for the program within {SANDBOX_WAIT:.0f} s.",
                    "The browser may be frozen; repeat the call.",
                )
            sandbox: Sandbox = message.value
            yield sandbox
        finally:
            if message.value is not None and not self._browser.dormant:
                with trio.move_on_after(_CLOSE_WAIT, shield=True), suppress(CharlotteError):
                    await self._browser.ask(Browser.close_sandbox, message.value)

    async def serve(self, site: SiteRecord) -> None:
        """Serve a directory; raises `SessionProblem` if its port is in use."""
        await self._sites.ask(Sites.serve, self.record, site)

    async def stop_serving(self, *sites: SiteRecord) -> None:
        """Stop some of the session's sites."""
        await self._sites.ask(Sites.stop, self.record, *sites)


@attrs.define(kw_only=True)
class Call:
    """A validated tool call, on the session or on a tab (``actor``).

    ``deadline`` is in seconds from the beginning of the work. A ``read_only`` call changes nothing
    in the page, one that ``acts`` fails after a crash that its client does not know. ``waited`` are
    the seconds that it waited for another call, ``behind``, in its tab; then it ``has_begun``.
    """

    tool: str
    actor: type[Any]
    deadline: float
    tab_id: str | None = None
    read_only: bool = False
    acts: bool = False
    waited: float = 0.0
    behind: str = ""
    has_begun: bool = False


@attrs.frozen(eq=False)
class TabHandle:
    """The tab of a call: its record, and the way to run a verb in the tab's own task."""

    record: TabRecord
    _call: Call
    begun: float = attrs.field(factory=trio.current_time)

    async def do(
        self,
        verb: Callable[Concatenate[TabActor, P], Awaitable[R]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> R:
        """Run a verb in its turn, within the call's deadline; return its result.

        Raises the verb's error, `BlockedByDialog` or `DeadlineExceeded`.
        """

        async def work(tab: TabActor) -> R:
            return await tab.perform(
                lambda tab: verb(tab, *args, **kwargs), read_only=self._call.read_only
            )

        return await self._run(self.record.tab, work, self.record.session.turns)

    async def hand_over(self, takeover: Takeover) -> Look:
        """Let a person work in the tab; return the changes. Other calls are refused meanwhile."""

        async def work(tab: TabActor) -> Look:
            return await tab.perform(
                lambda tab: hand_over(tab, takeover), read_only=False, through_dialogs=True
            )

        self.record.tab.check_free()
        self.record.takeover = takeover
        try:
            return await self._run(
                self.record.tab, work, self.record.session.turns, is_holders=True
            )
        finally:
            self.record.takeover = None
            takeover.end("withdrawn")

    async def ask(
        self,
        monitor: Mailbox[S],
        verb: Callable[Concatenate[S, P], Awaitable[R]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> R:
        """Run a verb of one of the tab's monitors, whatever the page is doing."""
        self.record.check_granted()
        return await self._run(monitor, lambda actor: verb(actor, *args, **kwargs))

    async def _run(
        self,
        mailbox: Mailbox[S],
        work: Callable[[S], Awaitable[R]],
        turn: AbstractAsyncContextManager[object] | None = None,
        *,
        is_holders: bool = False,
    ) -> R:
        """Run the work of a call in an actor's task, within the limits of the queue and the call.

        Questions to people prolong the limit of the call.
        """
        call, session, posted = self._call, self.record.session, trio.current_time()
        news, reader = self.record.news, attrs.evolve(self.record.news.planner)

        async def run(actor: S) -> R | None:
            lost = call.acts and not reader.knows_crash and news.unread(Fatal, reader)
            if not lost:
                return await work(actor)
            message.answer(error=lost[-1].again())  # raised here, it would end the actor
            return None

        message = Message(run, call.tool, turn or nullcontext(), is_holders=is_holders)
        with trio.move_on_after(QUEUE_LIMIT) as queueing:
            async with mailbox.post(message):
                is_queued = message.taken_at is None
                ahead = ", ".join(mailbox.statistics().doing) if is_queued else ""
                if ahead and current_progress() is not None:
                    stage(f"waiting for {mailbox.name}, which is busy with {ahead}")
                await message.begun.wait()
                call.has_begun = message.taken_at is not None
                if ahead and message.taken_at is not None:
                    call.waited, call.behind = call.waited + message.taken_at - posted, ahead
                queueing.deadline = trio.current_time() + call.deadline
                extending = session.questions.extending(self.record.id, queueing)
                with extending, session.span(mailbox.name, call.tool):
                    result: R = await message.result()
                    return result
        if message.begun.is_set():
            raise _deadline_exceeded(call)
        if message.taken_at is not None:
            raise DeadlineExceeded(
                f"{call.tool} waited {QUEUE_LIMIT:.0f} s while other tabs of the session used all "
                "allowed concurrent calls; it did not begin.",
                "Wait for one of them to end, then repeat this call.",
            )
        ahead = ", ".join(mailbox.statistics().doing) or "a restart"
        raise DeadlineExceeded(
            f"{call.tool} waited {QUEUE_LIMIT:.0f} s for its turn on {mailbox.name}; "
            f"ahead of it: {ahead}.",
            "Work on another tab meanwhile, or close this one.",
        )


@asynccontextmanager
async def open_target(
    session: AgentSession, call: Call
) -> AsyncGenerator[AgentSession | TabHandle]:
    """Provide the session or the tab that a call works on, for as long as the call runs.

    Raises `DeadlineExceeded` if a call on the session is not done in time.
    """
    if call.actor is AgentSession:
        with trio.move_on_after(call.deadline) as scope:
            yield session
        if scope.cancelled_caught:
            raise _deadline_exceeded(call)
        return
    try:
        with trio.fail_after(QUEUE_LIMIT):
            record = await session.tab(call.tab_id)
    except trio.TooSlowError:
        raise DeadlineExceeded(
            f"{call.tool} waited {QUEUE_LIMIT:.0f} s for a first tab to open.",
            "The browser may be frozen; try again.",
        ) from None
    try:
        yield TabHandle(record, call)
    finally:
        record.used.set()


def _deadline_exceeded(call: Call) -> DeadlineExceeded:
    return DeadlineExceeded(
        f"{call.tool} did not end within {call.deadline:.0f} s and was stopped.",
        "Observe the page: part of it may have happened.",
    )
