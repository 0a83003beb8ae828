"""The tab: an actor with a CDP session of its own that looks at one page and acts on it."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

import attrs
import trio

from charlotte.actors.browser.popups import arrived
from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.snapshots import Snapshot, SnapshotStore, Source, delta_of, stores
from charlotte.actors.state.moments import Moment
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.action_notes import restyled, told_beside
from charlotte.actors.tab.frame_queries import (
    Outcome,
    alive_among,
    ask_about,
    outcome_of,
    was_dropped,
)
from charlotte.actors.tab.frame_settle import settle_frames
from charlotte.actors.tab.frame_tree import FrameTree
from charlotte.actors.tab.hidden_elements import with_absent
from charlotte.actors.tab.page_connection import LivePage
from charlotte.actors.tab.resolver import Resolver
from charlotte.actors.tab.stages import trace_stages
from charlotte.browser.frame_pump import Drawing
from charlotte.browser.frame_worlds import FrameWorld
from charlotte.browser.isolated_world import Then
from charlotte.browser.settle import ARRIVAL_CAP, Mark, Settled, mark, settle
from charlotte.clock import now
from charlotte.page.capture import Capture
from charlotte.page.diff.changes import SnapshotDiff
from charlotte.page.diff.views import DiffScope, diff_views
from charlotte.page.frames import split_number
from charlotte.page.identity.dom_book import DocumentNode
from charlotte.page.model import PageView
from charlotte.page.view import RecordCache, build_view, remove_clickables
from charlotte.progress import stage

if TYPE_CHECKING:
    from charlotte.actors.tab.kept_tree import KeptTree

_ERROR_PAGE = "chrome-error:"
_MOST_DOCUMENTS = 3
"""To which a page may go while it is captured, and is captured again."""


@attrs.frozen
class Look:
    """The page as it was stored, and after an action what it changed and how it settled.

    ``note`` is what is to be said of the element that was acted on.
    """

    snapshot: Snapshot
    delta: SnapshotDiff | None = None
    settled: Settled | None = None
    note: str | None = None
    since: Moment = attrs.field(factory=lambda: Moment(0, 0))


class Tab:
    """One incarnation of a tab; what must outlive it is in its record."""

    def __init__(
        self, record: TabRecord, page: LivePage, snapshots: Mailbox[SnapshotStore]
    ) -> None:
        self.record = record
        self.page = page
        self.drawing = Drawing(page.session, page.activity.main_frame)
        self._snapshots = snapshots
        self._view: PageView | None = None
        self._clickable = True
        self._capture: Capture | None = None
        self._records = RecordCache()
        self.frames = FrameTree(page)
        self._last: Snapshot | None = None
        self._told: Snapshot | None = None
        self.references = Resolver(self)
        self.kept_tree: KeptTree | None = None

    @property
    def last_view(self) -> PageView | None:
        """The page as this incarnation last captured it."""
        return self._view

    @property
    def clickable(self) -> frozenset[int]:
        """The numbers of what answers clicks without saying so, as last captured."""
        nodes = self._capture.nodes if self._capture else ()
        return frozenset(node.nid for node in nodes if node.kind == "c")

    def place(self, number: int) -> DocumentNode:
        """Where a node of the last capture is."""
        return DocumentNode(self.frames.main.world.context, number)

    async def view(self, then: Then = trio.lowlevel.checkpoint, *, lazy: bool = False) -> PageView:
        """Capture the page as it is now; ``then`` is done before what came is made a view of."""
        capture = await self._captured(lazy=lazy)
        await then()
        view = await self._view_of(capture)
        trace_stages(self.record.id, capture, view)
        return view

    async def _captured(self, *, lazy: bool) -> Capture:
        """Of a document that came meanwhile, what was captured may be only its beginning."""
        activity = self.page.activity
        last = activity.documents + _MOST_DOCUMENTS
        while True:
            await self.page.present()
            await activity.parsed()
            documents = activity.documents
            capture = await self.frames.capture(lazy=lazy)
            if activity.documents == documents or documents >= last:
                return capture

    async def _view_of(self, capture: Capture) -> PageView:
        self.record.notify(self.frames.notices)
        clickable = self.record.session.settings.clickable
        if self._view and capture is self._capture and clickable == self._clickable:
            return self._view
        self._clickable = clickable
        self._view = await with_absent(self, self._view, await self._built(capture), capture)
        self._capture = capture
        self.record.title = self._view.title
        return self._view

    async def _built(self, capture: Capture) -> PageView:
        if capture.url.startswith(_ERROR_PAGE):  # shown in place of an answer without a body
            capture = attrs.evolve(capture, url=self.page.activity.url)
        alive = await self._alive(capture)
        view = build_view(capture, self.record.ids, self._records, alive)
        return view if self._clickable else remove_clickables(view)

    async def _alive(self, capture: Capture) -> list[int]:
        """Those nodes that cannot be seen any more, but are still there to claim their ids."""
        contested = self.record.ids.find_contested(capture)
        return await alive_among(self.page, self.frames, contested) if contested else []

    async def look(self, source: Source = "action", then: Then = trio.lowlevel.checkpoint) -> Look:
        """Capture the page to tell of it, and store the view if the settings say so."""
        self._told = await self._save(await self.view(then), source)
        return Look(self._told)

    async def view_of_all(self) -> PageView:
        """The page; however many elements there are, from now on none is only counted."""
        if not (self._view and self._view.uncaptured):
            view = (await self._save(await self.view())).view
            if not view.uncaptured:
                return view
        self.frames.take_all()
        return (await self._save(await self.view())).view

    async def _save(
        self, view: PageView, source: Source = "action", *, spared: int = 0
    ) -> Snapshot:
        settings = self.record.session.settings
        if stores(settings.auto_snapshot, source):
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
        """A stored snapshot of this tab; raises `SnapshotExpired`."""
        return await self._snapshots.ask(SnapshotStore.find, self.record.ring, snapshot_id)

    async def act(
        self, action: Callable[[], Awaitable[object]], acted_on: str | None = None
    ) -> Look:
        """Act, wait until the page has answered, and tell what changed."""
        return await self.telling(lambda: self.settling(action), acted_on)

    async def telling(
        self, happens: Callable[[], Awaitable[Settled | None]], acted_on: str | None = None
    ) -> Look:
        """Tell what changes while something happens."""
        since, seen = self.record.now(), self._told
        self.references.take_note()
        before = await self._now(lazy=True)
        settled = await happens()
        note = self.references.take_note()
        after = self._told = await self._save(await self.view())
        delta = delta_of(before, after, self.references.id_of(acted_on) if acted_on else None)
        told, looks = told_beside(settled or Settled(), seen, before, after), None
        if not told:
            delta, looks = restyled(delta, settled or Settled())
        notes = " ".join(filter(None, (note, looks, *told)))
        return Look(after, delta, settled, notes or None, since)

    async def _now(self, *, spared: int = 0, lazy: bool = False) -> Snapshot:
        """The page as it is now; a snapshot that shows just that is not stored again."""
        view, last = await self.view(lazy=lazy), self._last
        return last if last and last.view is view else await self._save(view, spared=spared)

    async def look_since_last(self) -> Look:
        """Settle, look, and tell what changed since the last view taken, if there is one."""
        since = self.record.now()
        before = self._last
        look = await self.arrive()
        if before is None:
            return look
        return attrs.evolve(look, delta=delta_of(before, look.snapshot), since=since)

    async def changes_since(self, snapshot_id: int | None, scope: DiffScope) -> SnapshotDiff:
        """What changed since a stored snapshot, or the newest; raises `SnapshotExpired`."""
        before = await self.snapshot(snapshot_id)
        after = self._told = await self._now(spared=before.id)
        return diff_views(
            before.view, after.view, from_snapshot=before.id, to_snapshot=after.id, scope=scope
        )

    async def settling(self, action: Callable[[], Awaitable[object]]) -> Settled:
        """Act, then wait until the page has answered."""
        activity, downloads = self.page.activity, self.record.downloads
        since, arrivals, begun = mark(activity), activity.arrivals, downloads.begun
        await action()
        settled = await self.settled(since)
        await arrived(self.record)
        led_nowhere = "navigation" in settled.waited_for and activity.arrivals == arrivals
        await downloads.saved(begun, begins=led_nowhere)
        return settled

    async def settled(self, since: Mark) -> Settled:
        """Wait until the page has answered what was done since the mark."""
        return await settle(self.page.activity, self._quiet, since)

    async def _quiet(self, function: str, how: Mapping[str, Any]) -> str:
        return await settle_frames(self.page, self.frames, function, how)

    async def arrive(self, since: Mark | None = None) -> Look:
        """Look at a document that has just arrived, once it stands still.

        What it has requested ``since``, before it was loaded, is waited for too.
        """
        stage("waiting until the page stands still")
        activity = self.page.activity
        settled = await settle(
            activity, self._quiet, since or mark(activity), ARRIVAL_CAP, arriving=True
        )
        stage("reading the page")
        return attrs.evolve(await self.look(), settled=settled)

    async def on_element(self, reference: str, function: str, *arguments: object) -> dict[str, Any]:
        """Ask the probe about one element, looking again once when the page has moved on."""
        return (await self.locate(reference, function, *arguments))[1]

    async def locate(
        self, reference: str, function: str, *arguments: object
    ) -> tuple[DocumentNode, dict[str, Any]]:
        """The node that is meant, and the probe's answer about it."""
        place = await self.references.place(reference)
        answer = await self.on_place(place, function, *arguments)
        if answer is None:
            place = await self.references.place_anew(reference)
            answer = await self.on_place(place, function, *arguments)
        if answer is None:
            raise self.references.missing(reference)
        return place, answer

    async def outcome(self, place: DocumentNode) -> Outcome:
        """Whether the press that was aimed at a node met it, or was kept from the page."""
        return await outcome_of(self.page, self.frames, place)

    async def was_dropped(self, place: DocumentNode) -> bool:
        """Return whether the drag of a node that has just ended was taken by the page."""
        return await was_dropped(self.page, self.frames, place)

    async def on_page(self, function: str, *arguments: object) -> dict[str, Any]:
        """Ask the probe about the page itself."""
        answer: dict[str, Any] = json.loads(await self.page.ask(function, *arguments))
        return answer

    async def on_place(
        self, place: DocumentNode, function: str, *arguments: object
    ) -> dict[str, Any] | None:
        """Ask the probe about one node; None when it or its document is gone."""
        return await ask_about(self.page, self.frames, place, function, *arguments)

    def home(self, place: DocumentNode) -> tuple[FrameWorld, int] | None:
        """The world of the frame a node lies in, and its number there; None when it is gone."""
        number, nid = split_number(place.nid)
        frame = self.frames.frame(number, place.context)
        return None if frame is None else (frame.world, nid)
