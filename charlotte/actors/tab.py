"""The tab: an actor with a CDP session of its own that looks at one page and acts on it."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, NoReturn, TypeVar

import attrs
import trio

from charlotte.actors.mailbox import Mailbox
from charlotte.actors.records import PendingDialog, TabRecord
from charlotte.actors.snapshots import Snapshot, SnapshotStore
from charlotte.browser.activity import FEED, Activity
from charlotte.browser.attach import prepare
from charlotte.browser.navigate import stop
from charlotte.browser.settle import Settled, mark, settle
from charlotte.browser.world import World
from charlotte.clock import now
from charlotte.errors import (
    CharlotteError,
    ConnectionLost,
    DeadlineExceeded,
    ElementNotFound,
    SnapshotExpired,
    TabCrashed,
    TabHung,
)
from charlotte.page.capture import read_capture
from charlotte.page.diff import diff_views
from charlotte.page.model import PageView, SnapshotDiff
from charlotte.page.view import build_view
from charlotte.protocol import browser, inspector, page, runtime
from charlotte.protocol.connection import Connection, Pending
from charlotte.protocol.errors import ContextGone
from charlotte.protocol.session import Session, Subscription, open_session
from charlotte.protocol.wire import Event

T = TypeVar("T")

HANG_AFTER = 2.0
_BROWSER_ANSWERS_WITHIN = 1.0
_RESTORE_WAIT = 5.0
_ARRIVAL_WAIT = 10.0
_MOST_SIMILAR = 3
_SAME = '{"same":true}'
_ERROR_PAGE = "chrome-error:"
_FOLLOWED: tuple[type[Event], ...] = (
    *FEED,
    runtime.ExecutionContextCreated,
    runtime.ExecutionContextDestroyed,
    runtime.ExecutionContextsCleared,
    inspector.TargetCrashed,
    page.JavascriptDialogOpening,
    page.JavascriptDialogClosed,
)


@attrs.frozen
class Moment:
    """How much the monitors had written down; errors that came later are news."""

    messages: int
    requests: int


@attrs.frozen
class Look:
    """The page as it was stored, and after an action what it changed and how it settled."""

    snapshot: Snapshot
    delta: SnapshotDiff | None = None
    settled: Settled | None = None
    since: Moment = attrs.field(factory=lambda: Moment(0, 0))


class Tab:
    """One incarnation of a tab; what must outlive it is in its record."""

    def __init__(
        self,
        *,
        connection: Connection,
        session: Session,
        record: TabRecord,
        snapshots: Mailbox[SnapshotStore],
        main_frame: page.Frame,
    ) -> None:
        self.record = record
        self.session = session
        self.activity = Activity(main_frame)
        self._connection = connection
        self._snapshots = snapshots
        self._world = World(session, main_frame.id)
        self._view: PageView | None = None
        self._answer = ""
        self._view_context = ""
        self._until_dialog: trio.CancelScope | None = None
        self.arriving: Pending[page.Navigated] | None = None

    async def follow(self, events: Subscription[Event]) -> NoReturn:
        """Keep up with the page; raises `TabCrashed` when its renderer dies."""
        while True:
            self._note(await events.next())

    def _note(self, event: Event) -> None:
        match event:
            case (
                runtime.ExecutionContextCreated()
                | runtime.ExecutionContextDestroyed()
                | runtime.ExecutionContextsCleared()
            ):
                self._world.feed(event)
            case page.JavascriptDialogOpening():
                self._dialog_opens(event)
            case page.JavascriptDialogClosed():
                self.record.dialog = None
            case inspector.TargetCrashed():
                self.record.crashed = True
                raise TabCrashed(
                    f"The renderer of {self.record.id} crashed at {self.record.url}.",
                    "The tab is being reloaded at that URL. Observe it, then decide whether to "
                    "repeat what you did: it may or may not have happened.",
                )
            case _:
                self.activity.feed(event)
                self.record.url = self.activity.url
                self.record.loading = not self.activity.reached("load")

    async def restore(self) -> None:
        """Finish bringing the page back after its renderer or its browser had died."""
        record = self.record
        if record.crashed:
            record.notices.append(f"The page crashed and was reloaded at {record.url}.")
        elif record.restore_url is not None:
            record.notices.append(
                f"The browser was restarted; this tab was reopened at {record.restore_url}."
            )
            await self.session.call(page.Navigate(url=record.restore_url))
        else:
            return
        with trio.move_on_after(_RESTORE_WAIT):
            await self.activity.until(lambda: self.activity.reached("load"))
        record.crashed, record.restore_url = False, None

    def _dialog_opens(self, event: page.JavascriptDialogOpening) -> None:
        default = event.default_prompt if event.type == "prompt" else None
        self.record.dialog = PendingDialog(event.type, event.message, now(), default)
        if self._until_dialog is not None:
            self._until_dialog.cancel("a dialog opened")

    async def until_dialog(self, work: Awaitable[T]) -> T | None:
        """Do page work; None when a dialog opened meanwhile and blocks it."""
        with trio.CancelScope() as self._until_dialog:
            return await work
        return None

    async def depart(self, url: str) -> page.Navigated:
        """Have the browser load ``url``, or wait for the load that began when the tab opened."""
        arriving, self.arriving = self.arriving, None
        if arriving is not None:
            return await arriving.result()
        await self.free()
        return await self.session.call(page.Navigate(url=url))

    async def free(self) -> None:
        """End what keeps the page from being replaced: a load, or a script without end."""
        if self.activity.navigating_to is not None:
            await stop(self.session)
        try:
            async with self.answering(0.0 if self.record.hung else HANG_AFTER):
                await self.session.call(runtime.Evaluate(expression="0"))
        except TabHung:
            await self.end_script()

    async def end_script(self) -> None:
        """End whatever script runs now, by a session that was attached before it could loop."""
        await (self.record.control or self.session).call(runtime.TerminateExecution())
        self.record.hung = False

    @asynccontextmanager
    async def answering(self, seconds: float = HANG_AFTER) -> AsyncGenerator[None]:
        """Expect the renderer to answer in time.

        Raises `TabHung` when it does not, but the browser does.
        """
        with trio.move_on_after(seconds) as scope:
            yield
        if scope.cancelled_caught:
            raise await self._silence(seconds)
        self.record.hung = False

    async def present(self) -> None:
        """Wait for a document that is on its way; raises `DeadlineExceeded`.

        Until it is there, the browser holds back whatever a page is asked.
        """
        with trio.move_on_after(_ARRIVAL_WAIT) as scope:
            await self.activity.until(lambda: self.activity.navigating_to is None)
        if scope.cancelled_caught:
            raise self._on_its_way(_ARRIVAL_WAIT)

    def _on_its_way(self, seconds: float) -> DeadlineExceeded:
        return DeadlineExceeded(
            f"{self.record.id} is on its way to {self.activity.navigating_to}, which has not "
            f"answered for {seconds:.0f} s.",
            "Wait and try again, or navigate elsewhere.",
        )

    async def _silence(self, seconds: float) -> CharlotteError:
        if self.activity.navigating_to is not None:
            return self._on_its_way(seconds)
        with trio.move_on_after(_BROWSER_ANSWERS_WITHIN):
            await self._connection.root.call(browser.GetVersion())
            self.record.hung = True
            return TabHung(
                f"{self.record.id} has not answered for {seconds:.0f} s: a script of "
                f"{self.record.url} keeps it busy.",
                "The script was left alone. Wait and try again, navigate or reload to end it, "
                "or close the tab; other tabs are not affected.",
            )
        return ConnectionLost("The browser does not answer.", "Repeat the call in a few seconds.")

    async def view(self) -> PageView:
        """Capture the page as it is now."""
        await self.present()
        async with self.answering():
            captured = await self._world.ask("capture", {"known": self._answer})
        if captured == _SAME and self._view is not None:
            return self._view
        capture = read_capture(captured)
        self._answer = capture.answer
        if capture.url.startswith(_ERROR_PAGE):  # shown in place of an answer without a body
            capture = attrs.evolve(capture, url=self.activity.url)
        self._view = build_view(capture, self.record.ids)
        self._view_context = self._world.context or ""
        self.record.title = self._view.title
        return self._view

    async def look(self) -> Look:
        """Capture the page and store the view as a snapshot."""
        return Look(await self._save(await self.view()))

    async def _save(self, view: PageView) -> Snapshot:
        return await self._snapshots.ask(SnapshotStore.save, self.record.id, view)

    async def snapshot(self, snapshot_id: int | None) -> Snapshot:
        """A stored snapshot of this tab; raises `SnapshotExpired`."""
        return await self._snapshots.ask(SnapshotStore.find, self.record.id, snapshot_id)

    async def act(
        self, action: Callable[[], Awaitable[object]], acted_on: str | None = None
    ) -> Look:
        """Act, wait until the page has answered, and tell what changed."""
        since = Moment(self.record.console_log.added, self.record.request_log.added)
        before = await self._save(await self.view())
        settled = await self.settling(action)
        after = await self._save(await self.view())
        return Look(after, _delta(before, after, acted_on), settled, since)

    async def look_since_last(self) -> Look:
        """Settle, look, and tell what changed since the last stored view, if there is one."""
        since = Moment(self.record.console_log.added, self.record.request_log.added)
        try:
            before = await self.snapshot(None)
        except SnapshotExpired:
            return await self.arrive()
        look = await self.arrive()
        return attrs.evolve(look, delta=_delta(before, look.snapshot), since=since)

    async def settling(self, action: Callable[[], Awaitable[object]]) -> Settled:
        """Act, then wait until the page has answered."""
        since = mark(self.activity)
        await action()
        return await settle(self.activity, self._world, since)

    async def arrive(self) -> Look:
        """Look at a document that has just arrived, once it stands still."""
        settled = await settle(self.activity, self._world, mark(self.activity))
        return attrs.evolve(await self.look(), settled=settled)

    async def on_element(
        self, element_id: str, function: str, *arguments: object
    ) -> dict[str, Any]:
        """Ask the probe about one element, looking again once when the page has moved on."""
        for _ in range(2):
            nid = await self._number(element_id)
            answer = await self._ask_about(nid, function, *arguments)
            if answer is not None:
                return answer
            await self.view()
        raise self._gone(element_id)

    async def _ask_about(
        self, nid: int, function: str, *arguments: object
    ) -> dict[str, Any] | None:
        """The probe's answer; None when the node or its document is gone."""
        try:
            async with self.answering(HANG_AFTER * 2):
                text = await self._world.ask_in(self._view_context, function, nid, *arguments)
        except ContextGone:
            return None
        answer: dict[str, Any] = json.loads(text)
        return None if answer.get("error") == "gone" else answer

    async def _number(self, element_id: str) -> int:
        """The node an id stands for, after a fresh look if it is not known (C-ID-09)."""
        if self._view is None or self.record.ids.resolve(element_id) is None:
            await self.view()
        nid = self.record.ids.resolve(element_id)
        if nid is None:
            raise self._gone(element_id)
        return nid

    def _gone(self, element_id: str) -> ElementNotFound:
        owner = next(
            (
                other.id
                for other in self.record.session.tabs.values()
                if other is not self.record and other.ids.resolve(element_id) is not None
            ),
            None,
        )
        if owner:
            hint = f"It is an element of {owner}: pass tab_id={owner!r}."
            return ElementNotFound(f"{element_id} is not on {self.record.id}.", hint)
        similar = self._similar(element_id)
        hint = "Call observe or find for the ids that exist now."
        if similar:
            hint = f"Did you mean {', '.join(similar)}? Otherwise call observe or find."
        return ElementNotFound(f"No element {element_id!r} on {self.record.id} now.", hint)

    def _similar(self, element_id: str) -> list[str]:
        """Live elements of the same type (C-ID-10), when they are few enough to be a hint."""
        prefix = element_id.split("-", 1)[0] + "-"
        elements = self._view.interactive if self._view else ()
        same = [f"{one.id} {one.label[:40]!r}" for one in elements if one.id.startswith(prefix)]
        return same if len(same) <= _MOST_SIMILAR else []


def _delta(before: Snapshot, after: Snapshot, acted_on: str | None = None) -> SnapshotDiff | None:
    """What an action changed; None when it led to another document, which is to be shown whole."""
    if before.view.document != after.view.document:
        return None
    return diff_views(
        before.view,
        after.view,
        from_snapshot=before.id,
        to_snapshot=after.id,
        scope="delta",
        acted_on=acted_on,
    )


class _Departure:
    """Lets a new target run, and sends it to its first URL without waiting for its renderer."""

    def __init__(self, session: Session, record: TabRecord) -> None:
        self._session = session
        self._record = record
        self.arriving: Pending[page.Navigated] | None = None

    async def release(self) -> None:
        record = self._record
        await (record.control or self._session).begin(runtime.RunIfWaitingForDebugger())
        if record.first_url is not None:
            self.arriving = await self._session.begin(page.Navigate(url=record.first_url))
            record.first_url = None


@asynccontextmanager
async def open_tab(
    connection: Connection, record: TabRecord, snapshots: Mailbox[SnapshotStore]
) -> AsyncGenerator[Tab]:
    """Attach to the record's target; bring its page back first if its renderer had died."""
    async with open_session(connection, record.target_id) as session:
        with session.events(*_FOLLOWED) as events:
            if record.crashed:
                await session.call(page.Reload())
            departure = _Departure(session, record)
            main_frame = await prepare(session, record.viewport, departure.release)
            async with trio.open_nursery() as nursery:
                tab = Tab(
                    connection=connection,
                    session=session,
                    record=record,
                    snapshots=snapshots,
                    main_frame=main_frame,
                )
                tab.arriving = departure.arriving
                nursery.start_soon(tab.follow, events)
                await tab.restore()
                yield tab
                nursery.cancel_scope.cancel("tab closed")
