"""The tab: the actor that captures one page and acts on it, with a CDP session of its own."""

import math
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, Self, TypeVar

import attrs
import trio

from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.state.context_record import Clip
from charlotte.actors.state.logs import CONNECTION, ConsoleMessage, RequestRecord
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.registry import list_refused
from charlotte.actors.state.snapshots import (
    Snapshot,
    SnapshotCause,
    SnapshotStore,
    delta_of,
    is_stored,
)
from charlotte.actors.tab.page.page_connection import LivePage
from charlotte.actors.tab.page.page_reader import PageReader
from charlotte.base.errors import CharlotteError, SessionProblem, ellipsize
from charlotte.base.log import now
from charlotte.base.progress import stage
from charlotte.browser.input.input import wait_until_handled
from charlotte.browser.world.frame_pump import FramePump
from charlotte.browser.world.settle import (
    ARRIVAL_CAP,
    Activity,
    Checkpoint,
    SettleResult,
    checkpoint,
    settle,
)
from charlotte.page.model import Change, PageView, SnapshotDiff
from charlotte.page.modes.lines import ModeOutput, ModeReport
from charlotte.protocol.connection import Then

T = TypeVar("T")

_LONGEST_QUOTE = 200
_INPUT_WAIT = 1.0
"""Seconds that the page may take for input of earlier calls that were cancelled."""

_ICON = "/favicon.ico"
"""The browser requests it from every site: a missing icon is not an error of the page."""

_REQUESTED = ("http:", "https:", "data:", "blob:", "file:")
"""Schemes of documents that are loaded by a request."""

_LONGEST = 300
_NUMBERS = re.compile(r"\d+")
FOCUS: set[str | None] = {"state.focused"}
_TEXTS = {"text", "label", "title"}


@attrs.frozen
class DocumentErrors:
    """Errors of one document, until the last error of the tab, which has the number ``until``.

    ``all_console`` and ``all_failed`` are those of all documents since they were cleared, with
    warnings. A failed request is not also a console message.
    """

    console: Sequence[ConsoleMessage] = ()
    failed: Sequence[RequestRecord] = ()
    until: int = 0
    all_console: Sequence[ConsoleMessage] = ()
    all_failed: Sequence[RequestRecord] = ()


@attrs.frozen
class Look:
    """The page as stored; after an action, also its changes and how the page settled.

    ``notes`` are sentences about the action, ``extras`` further keys of the answer: ``status``,
    ``scroll``, ``invalid``. ``acted_at`` is the time (ISO 8601) of an action at a point.
    ``before`` is the page before the action, also if the action loaded another document.
    ``earlier`` is the one of the notes about changes before the action. ``given`` are values
    that the action filled in, by the id of the field; ``requested`` is the URL that a navigation
    was asked for.
    """

    snapshot: Snapshot
    delta: SnapshotDiff | None = None
    settled: SettleResult | None = None
    notes: tuple[str, ...] = ()
    since: int = 0
    errors: DocumentErrors = attrs.field(factory=DocumentErrors)
    extras: Mapping[str, Any] = attrs.field(factory=dict[str, Any])
    acted_at: str = ""
    before: PageView | None = None
    earlier: str | None = None
    given: Mapping[str, object] = attrs.field(factory=dict[str, object])
    requested: str = ""

    @property
    def note(self) -> str | None:
        """All notes as one text."""
        return " ".join(self.notes) or None

    def with_note(self, note: str) -> Self:
        """Return the look with one more note."""
        return attrs.evolve(self, notes=(*self.notes, note))

    def with_extras(self, **extras: Any) -> Self:
        """Return the look with more keys of the answer, without those that are None."""
        more = {name: value for name, value in extras.items() if value is not None}
        return attrs.evolve(self, extras={**self.extras, **more})


@attrs.frozen(kw_only=True)
class Reading:
    """The page in a text mode: ``refs`` are the e-refs of its lines by node number.

    ``infos`` describe the references, if the options ask for that.
    """

    look: Look
    output: ModeOutput
    report: ModeReport
    refs: Mapping[int, str] = attrs.field(factory=dict[int, str])
    infos: Mapping[str, dict[str, Any]] = attrs.field(factory=dict[str, Any])


class BlockedByDialog(SessionProblem):
    """A dialog blocks the page of a call: nothing was done if it ``opened_before`` the call."""

    def __init__(self, record: TabRecord, *, opened_before: bool = False) -> None:
        self.record = record
        self.opened_before = opened_before
        self.dialog = record.dialog
        about = f" ({self.dialog.type})" if self.dialog else ""
        quoted = f": {ellipsize(self.dialog.message, _LONGEST_QUOTE)!r}" if self.dialog else ""
        super().__init__(
            f"A dialog{about} blocks {record.id}{quoted}."
            + (" Nothing was done." if opened_before else ""),
            "Answer it with dialog{accept: true|false}, then repeat the call.",
            {"pending_dialog": self.dialog.as_json()} if self.dialog else None,
        )


class TabActor(PageReader):
    """One incarnation of a tab; state that outlives the incarnation is in the record.

    ``chooser`` is the file chooser that the last action opened.
    """

    def __init__(
        self, record: TabRecord, page: LivePage, snapshots: Mailbox[SnapshotStore]
    ) -> None:
        super().__init__(record, page)
        self.frame_pump = FramePump(page.session, page.activity.main_frame)
        self._snapshots = snapshots
        self.chooser = page.chooser
        self.kept_tree: tuple[Reading, Callable[[], bool]] | None = None
        self._last: Snapshot | None = None
        self._reported: Snapshot | None = None

    async def perform(
        self,
        work: Callable[["TabActor"], Awaitable[T]],
        *,
        read_only: bool = True,
        through_dialogs: bool = False,
    ) -> T:
        """Run the work of a tool call; raises `BlockedByDialog` if a dialog is open or opens.

        With ``through_dialogs``, a dialog that opens does not end the work.

        Raises `NavigationBlocked` if the page is, or has become, one that its owner did not grant.
        The work begins when the page has processed all input, also that of cancelled calls.
        """
        if not read_only:
            self.kept_tree = None
            self.chooser, self.page.chooser = self.page.chooser, None
        self.record.check_granted()
        if self.record.dialog is not None:
            raise BlockedByDialog(self.record, opened_before=True)
        working = self.record.working(read_only=read_only)
        until_dialog = nullcontext() if through_dialogs else self.page.until_dialog()
        with working, self.frame_pump.drawing(), until_dialog:
            async with self.page.attended():
                if not self.record.hung:
                    with trio.move_on_after(_INPUT_WAIT):
                        await wait_until_handled(self.page.session)
                try:
                    result = await work(self)
                except CharlotteError:
                    self.record.check_granted()  # the error can quote the page
                    raise
                self.record.check_granted()
                return result
        self.record.check_granted()
        raise BlockedByDialog(self.record)

    async def look(
        self, source: SnapshotCause = "action", then: Then = trio.lowlevel.checkpoint
    ) -> Look:
        """Capture the page for an answer, and store the view if the settings require it."""
        self.noted = ()
        self._reported = await self._save(await self.view_or_last(then), source)
        errors = find_errors(self.record, self.page.activity)
        return Look(self._reported, settled=self._add_load(None), errors=errors)

    def _add_load(self, settled: SettleResult | None) -> SettleResult | None:
        """Return how the page settled, with a load that goes on."""
        load = self.page.activity.describe_load()
        return attrs.evolve(settled or SettleResult(), unsettled=load) if load else settled

    async def view_of_all(self) -> PageView:
        """Capture all elements of the document, from now on without a limit."""
        if not (self.last_view and self.last_view.uncaptured):
            view = (await self._save(await self.view())).view
            if not view.uncaptured:
                return view
        self.frames.most = 10**9
        return (await self._save(await self.view())).view

    async def _save(self, view: PageView, source: SnapshotCause = "action") -> Snapshot:
        settings = self.record.session.settings
        if is_stored(settings.auto_snapshot, source):
            self._last = await self._snapshots.ask(
                SnapshotStore.save, self.record.ring, view, depth=settings.snapshot_depth
            )
        else:
            self._last = Snapshot(0, now(), view)
        return self._last

    async def snapshot(self, snapshot_id: int | None) -> Snapshot:
        """Return a stored snapshot of this tab; raises `SnapshotExpired`."""
        return await self._snapshots.ask(SnapshotStore.find, self.record.ring, snapshot_id)

    async def act(
        self, action: Callable[[], Awaitable[object]], acted_on: str | None = None
    ) -> Look:
        """Act, wait until the page has settled, and return the changes."""
        return await self.diff_during(lambda: self.settle_after(action), acted_on)

    async def diff_during(
        self,
        run: Callable[[], Awaitable[SettleResult | None]],
        acted_on: str | None = None,
        *,
        since_report: bool = False,
    ) -> Look:
        """Return the changes that happen while ``run`` runs.

        With ``since_report``, those since the last report if there are none.
        """
        since, reported = self.record.errors.last, self._reported
        self.note = None
        before = await self._keep(await self.view_or_last(lazy=True))
        settled = await run()
        note = self.note
        after = self._reported = await self._save(await self.view_or_last())
        settled = self._add_load(settled)
        if since_report and reported and before.view is after.view:
            before = reported
        delta = delta_of(before, after, self.id_of(acted_on) if acted_on else None)
        notes = message_notes(settled or SettleResult(), before.view, after.view)
        if settled and settled.copied:
            self.record.clip = clip = Clip(**settled.copied[-1])
            notes.append(f"Copied by the page: {ellipsize(repr(clip.text), _LONGEST)}.")
        earlier = None
        if reported and reported.id and (earlier := _note_earlier_changes(reported, before)):
            notes.append(earlier)  # `reported` is the page as the agent saw it last
        looks = None
        if not notes:
            delta, looks = note_visual_changes(delta, settled or SettleResult())
        all_notes = tuple(filter(None, (note, looks, *notes)))
        errors = find_errors(self.record, self.page.activity)
        known = delta if reported or not since_report else None
        look = Look(after, known, settled, all_notes, since, errors)
        return attrs.evolve(look, before=before.view, earlier=earlier)

    async def _keep(self, view: PageView) -> Snapshot:
        """Return the snapshot of a view; an unchanged page is not stored again."""
        last = self._last
        return last if last and last.view is view else await self._save(view)

    async def look_since_last(self) -> Look:
        """Wait until the page settles, and return the changes since the last view, if any."""
        since = self.record.errors.last
        before = self._last
        look = await self.arrive()
        if before is None:
            return look
        delta = delta_of(before, look.snapshot)
        return attrs.evolve(look, delta=delta, since=since, before=before.view)

    async def since(self, snapshot_id: int | None) -> tuple[Snapshot, Snapshot]:
        """Return a stored snapshot, or the newest, and one of now; raises `SnapshotExpired`."""
        before = await self.snapshot(snapshot_id)
        self._reported = await self._keep(await self.view())
        return before, self._reported

    async def settle_after(self, action: Callable[[], Awaitable[object]]) -> SettleResult:
        """Act, then wait until the page has settled.

        Raises `DeadlineExceeded` while a document is on its way: the page would still get input.
        """
        activity, news = self.page.activity, self.record.news
        since, arrivals, begun = checkpoint(activity), activity.arrivals, news.added
        windows = self.record.windows
        await self.page.present()
        activity.empty_reply = None
        await action()
        settled = await self.wait_until_settled(since)
        while await self.record.session.questions.wait_until_settled(self.record.id):
            settled = await self.wait_until_settled(since)
        await self.record.wait_for_popups(windows)
        has_left = "navigation" in settled.waited_for and activity.arrivals == arrivals
        empty = activity.empty_reply if activity.arrivals == arrivals else None
        may_download = has_left and not (activity.navigating_to or activity.was_unanswered or empty)
        self.note = self.note or empty
        await news.wait_until_saved(begun, begins=may_download)
        return settled

    async def wait_until_settled(self, since: Checkpoint) -> SettleResult:
        """Wait until the page has settled after the actions since the checkpoint."""
        return await settle(self.page.activity, self.frames.settle, since)

    async def arrive(self, since: Checkpoint | None = None) -> Look:
        """Look at a document that has just arrived, once it has settled.

        Requests ``since`` then are waited for too, also those from before the load.
        """
        stage("waiting until the page stands still")
        activity = self.page.activity
        settled = await settle(
            activity, self.frames.settle, since or checkpoint(activity), ARRIVAL_CAP, arriving=True
        )
        stage("reading the page")
        return attrs.evolve(await self.look(), settled=self._add_load(settled))

    async def on_element(self, reference: str, function: str, *arguments: object) -> dict[str, Any]:
        """Ask the probe about an element, which is resolved again if its node is gone."""
        return (await self.locate(reference, function, *arguments))[1]


def find_errors(record: TabRecord, activity: Activity) -> DocumentErrors:
    """Return the errors of the present document and its frames, and those of all documents.

    Failed requests are those since the document's own request, without those of the documents,
    frames and workers that it has replaced.
    """
    list_refused(record)
    log = record.console_log
    document = record.request_log.records.get(activity.loader)
    if document is not None:
        first: float = document.number
    else:
        first = 0 if activity.url.startswith(_REQUESTED) else math.inf
    requests = record.request_log.errors_since(0)
    all_failed = [request for request in requests if not request.url.endswith(_ICON)]
    failed = [
        request
        for request in all_failed
        if request.exchange.loader == activity.loader
        or (
            request.number >= first
            and request.exchange.began >= activity.created
            and not activity.has_arrived(request.exchange.loader)
        )
        or (request.number >= first and request.resource_type == CONNECTION)
    ]
    failed_urls = {request.url for request in requests}
    rows = [
        message
        for message in log.errors_since(0, warnings=True)
        if message.failed_url not in failed_urls
        if not (message.failed_url or "").endswith(_ICON)
    ]
    return DocumentErrors(
        console=[one for one in rows if one.level == "error" and one.number > log.documents_end],
        failed=failed,
        until=record.errors.last,
        all_console=rows,
        all_failed=all_failed,
    )


def note_visual_changes(
    delta: SnapshotDiff | None, settled: SettleResult
) -> tuple[SnapshotDiff | None, str | None]:
    """Return the delta and a note on changed looks, if all else is the focus or one move.

    Several moves are a new order, which is reported without this note.
    """
    if delta is None or not settled.visual_changes:
        return delta, None
    others = [one for one in delta.changes if one.property not in FOCUS]
    if others and not (len(others) == 1 and others[0].is_move()):
        return delta, None
    summary = delta.summary if delta.changes else "No changes of text or controls."
    note = f"Looks may have changed: {'; '.join(settled.visual_changes)}."
    return attrs.evolve(delta, summary=summary), note


def message_notes(settled: SettleResult, before: PageView, after: PageView) -> list[str]:
    """Return notes on messages that were shown only for a moment, and on repeated messages."""
    # passing: not on the page now, and not before; of a countdown, the last message
    shown = {_without_numbers(text) for view in (before, after) for text in view.alerts}
    shown |= {_without_numbers(line.text) for line in after.lines if settled.removed_messages}
    last = {_without_numbers(text): text for text in settled.removed_messages}
    known = " ".join(line.text for line in before.lines) if last else ""
    passing = [text for key, text in last.items() if key not in shown and text not in known]
    repeated = dict.fromkeys(settled.set_messages)
    for view in (before, after) if repeated else ():
        present = {*view.alerts, *(line.text for line in view.lines)}
        repeated = {text: None for text in repeated if text in present}
    notes: list[str] = []
    for how, texts in (("Said meanwhile", passing), ("Said again", repeated)):
        if texts:
            quoted = "; ".join(f'"{text}"' for text in texts)
            notes.append(f"{how}: {ellipsize(quoted, _LONGEST)}")
    return notes


def _note_earlier_changes(reported: Snapshot, before: Snapshot) -> str | None:
    """Note changes that the page made since the last report: no delta contains them."""
    if reported.view is before.view:
        return None
    delta = delta_of(reported, before)
    if delta is None:
        where = ellipsize(before.view.url, _LONGEST)
        return f"The page had gone to another document before this, {where}: observe shows it."
    if not any(map(_is_news, delta.changes)):
        return None
    return (
        f"The page had changed before this, since snapshot {reported.id}: "
        f"diff{{snapshot_id: {reported.id}}} lists the changes."
    )


def _is_news(change: Change) -> bool:
    """Return whether a change is more than a move or other numbers in a text, as of a clock."""
    if change.type == "moved":
        return False
    before, after = change.before, change.after
    is_text = change.property in _TEXTS
    return not is_text or _without_numbers(before or "") != _without_numbers(after or "")


def _without_numbers(text: str) -> str:
    return _NUMBERS.sub("", text)
