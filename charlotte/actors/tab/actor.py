"""The tab: the actor that captures one page and acts on it, with a CDP session of its own."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import attrs
import trio

from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.snapshots import (
    Snapshot,
    SnapshotCause,
    SnapshotStore,
    delta_of,
    is_stored,
)
from charlotte.actors.tab.faults import BlockedByDialog
from charlotte.actors.tab.look import Look, action_notes, find_errors, note_restyling
from charlotte.actors.tab.page_connection import LivePage
from charlotte.actors.tab.page_reader import PageReader
from charlotte.browser.input import wait_until_handled
from charlotte.browser.painting import FramePump
from charlotte.browser.settle import ARRIVAL_CAP, Checkpoint, SettleResult, checkpoint, settle
from charlotte.log import now
from charlotte.page.diff.views import DiffScope, diff_views
from charlotte.page.model import PageView, SnapshotDiff
from charlotte.page.modes.lines import ModeOutput, ModeReport
from charlotte.progress import stage
from charlotte.protocol.connection import Then

T = TypeVar("T")

_INPUT_WAIT = 1.0
"""Seconds that the page may take for input of earlier calls that were cancelled."""


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


class TabActor(PageReader):
    """One incarnation of a tab; state that outlives the incarnation is in the record."""

    def __init__(
        self, record: TabRecord, page: LivePage, snapshots: Mailbox[SnapshotStore]
    ) -> None:
        super().__init__(record, page)
        self.frame_pump = FramePump(page.session, page.activity.main_frame)
        self._snapshots = snapshots
        self.kept_tree: tuple[Reading, Callable[[], bool]] | None = None
        self._last: Snapshot | None = None
        self._reported: Snapshot | None = None

    async def perform(
        self, work: Callable[["TabActor"], Awaitable[T]], *, read_only: bool = True
    ) -> T:
        """Run the work of a tool call; raises `BlockedByDialog` if a dialog is open or opens.

        The work begins when the page has processed all input, also that of cancelled calls.
        """
        if not read_only:
            self.kept_tree = None
        if self.record.dialog is not None:
            raise BlockedByDialog(self.record, opened_before=True)
        with self.frame_pump.drawing(), self.page.until_dialog():
            if not self.record.hung:
                with trio.move_on_after(_INPUT_WAIT):
                    await wait_until_handled(self.page.session)
            return await work(self)
        raise BlockedByDialog(self.record)

    async def look(
        self, source: SnapshotCause = "action", then: Then = trio.lowlevel.checkpoint
    ) -> Look:
        """Capture the page for an answer, and store the view if the settings require it."""
        self._reported = await self._save(await self.view(then), source)
        return Look(self._reported, errors=find_errors(self.record, self.page.activity))

    async def view_of_all(self) -> PageView:
        """Capture all elements of the document, from now on without a limit."""
        if not (self.last_view and self.last_view.uncaptured):
            view = (await self._save(await self.view())).view
            if not view.uncaptured:
                return view
        self.frames.take_all()
        return (await self._save(await self.view())).view

    async def _save(
        self, view: PageView, source: SnapshotCause = "action", *, spared: int = 0
    ) -> Snapshot:
        settings = self.record.session.settings
        if is_stored(settings.auto_snapshot, source):
            self._last = await self._snapshots.ask(
                SnapshotStore.save,
                self.record.ring,
                view,
                depth=settings.snapshot_depth,
                spared=spared,
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
        self, run: Callable[[], Awaitable[SettleResult | None]], acted_on: str | None = None
    ) -> Look:
        """Return the changes that happen while ``run`` runs."""
        since, reported = self.record.log_position(), self._reported
        self.note = None
        before = await self._capture_now(lazy=True)
        settled = await run()
        note = self.note
        after = self._reported = await self._save(await self.view())
        delta = delta_of(before, after, self.id_of(acted_on) if acted_on else None)
        notes = action_notes(settled or SettleResult(), reported, before, after)
        looks = None
        if not notes:
            delta, looks = note_restyling(delta, settled or SettleResult())
        text = " ".join(filter(None, (note, looks, *notes)))
        errors = find_errors(self.record, self.page.activity)
        return Look(after, delta, settled, text or None, since, errors)

    async def _capture_now(self, *, spared: int = 0, lazy: bool = False) -> Snapshot:
        """Capture the page; an unchanged page is not stored again."""
        view, last = await self.view(lazy=lazy), self._last
        return last if last and last.view is view else await self._save(view, spared=spared)

    async def look_since_last(self) -> Look:
        """Wait until the page settles, and return the changes since the last view, if any."""
        since = self.record.log_position()
        before = self._last
        look = await self.arrive()
        if before is None:
            return look
        return attrs.evolve(look, delta=delta_of(before, look.snapshot), since=since)

    async def changes_since(self, snapshot_id: int | None, scope: DiffScope) -> SnapshotDiff:
        """Return the changes since a stored snapshot, or the newest; raises `SnapshotExpired`."""
        before = await self.snapshot(snapshot_id)
        after = self._reported = await self._capture_now(spared=before.id)
        return diff_views(
            before.view, after.view, from_snapshot=before.id, to_snapshot=after.id, scope=scope
        )

    async def settle_after(self, action: Callable[[], Awaitable[object]]) -> SettleResult:
        """Act, then wait until the page has settled."""
        activity, downloads = self.page.activity, self.record.downloads
        since, arrivals, begun = checkpoint(activity), activity.arrivals, downloads.begun
        await action()
        settled = await self.wait_until_settled(since)
        await self.record.wait_for_popups()
        may_download = "navigation" in settled.waited_for and activity.arrivals == arrivals
        await downloads.wait_until_saved(begun, begins=may_download)
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
        return attrs.evolve(await self.look(), settled=settled)

    async def on_element(self, reference: str, function: str, *arguments: object) -> dict[str, Any]:
        """Ask the probe about an element, which is resolved again if its node is gone."""
        return (await self.locate(reference, function, *arguments))[1]
