"""Reading of a page: captures as views, and questions to the probes about nodes of the page."""

import json
from collections.abc import Collection, Sequence
from typing import Any

import attrs
import trio

from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.frame_queries import (
    Outcome,
    alive_among,
    ask_about,
    outcome_of,
    was_dropped,
)
from charlotte.actors.tab.frame_tree import FrameTree
from charlotte.actors.tab.page_connection import LivePage
from charlotte.browser.isolated_world import FrameWorld
from charlotte.log import is_tracing, trace
from charlotte.page.capture import Capture
from charlotte.page.frames import split_number
from charlotte.page.identity.references import DocumentNode
from charlotte.page.model import PageView
from charlotte.page.view import (
    RecordCache,
    build_view,
    find_unreachable,
    iter_ids,
    remove_clickables,
)
from charlotte.protocol.connection import Then

_ERROR_PAGE = "chrome-error:"
_MOST_DOCUMENTS = 3
"""Documents after which a page is captured again because it navigated meanwhile."""

_FEW_MISSING = 5
"""Elements that may vanish without a question to the probe, as long as no dialog is open."""

_DIALOGS = {"dialog", "alertdialog"}


class PageReader:
    """The page of a tab incarnation as last captured, frame by frame.

    ``last_view`` is the view of the last capture.
    """

    def __init__(self, record: TabRecord, page: LivePage) -> None:
        self.record = record
        self.page = page
        self.frames = FrameTree(page)
        self.last_view: PageView | None = None
        self._with_clickable = True
        self._capture: Capture | None = None
        self._records = RecordCache()

    @property
    def clickable(self) -> frozenset[int]:
        """The numbers of nodes with click listeners but no role, as last captured."""
        nodes = self._capture.nodes if self._capture else ()
        return frozenset(node.nid for node in nodes if node.kind == "c")

    def place(self, number: int) -> DocumentNode:
        """Return the place of a node of the last capture."""
        return DocumentNode(self.frames.main.world.context, number)

    def home(self, place: DocumentNode) -> tuple[FrameWorld, int] | None:
        """Return the world of a node's frame and the node's number there; None if it is gone."""
        number, nid = split_number(place.nid)
        frame = self.frames.frame(number, place.context)
        return None if frame is None else (frame.world, nid)

    async def view(self, then: Then = trio.lowlevel.checkpoint, *, lazy: bool = False) -> PageView:
        """Capture the page; run ``then`` before the capture is made a view."""
        capture = await self._read(lazy=lazy)
        await then()
        view = await self._make_view(capture)
        if is_tracing():
            self._trace_stages(capture, view)
        return view

    async def _read(self, *, lazy: bool) -> Capture:
        """Capture the page, again if another document arrived meanwhile."""
        activity = self.page.activity
        last = activity.documents + _MOST_DOCUMENTS
        while True:
            await self.page.present()
            await activity.parsed()
            documents = activity.documents
            capture = await self.frames.capture(lazy=lazy)
            if activity.documents == documents or documents >= last:
                return capture

    async def _make_view(self, capture: Capture) -> PageView:
        self.record.notify(self.frames.notices)
        clickable = self.record.session.settings.clickable
        if self.last_view and capture is self._capture and clickable == self._with_clickable:
            return self.last_view
        self._with_clickable = clickable
        shown = capture
        if capture.url.startswith(_ERROR_PAGE):  # shown in place of an answer without a body
            shown = attrs.evolve(capture, url=self.page.activity.url)
        contested = self.record.ids.find_contested(shown)
        alive = await alive_among(self.page, self.frames, contested) if contested else []
        view = build_view(shown, self.record.ids, self._records, alive)
        if not clickable:
            view = remove_clickables(view)
        self.last_view = await self._merge_hidden(self.last_view, view, capture)
        self._capture = capture
        self.record.title = self.last_view.title
        return self.last_view

    async def _merge_hidden(
        self, old: PageView | None, new: PageView, capture: Capture
    ) -> PageView:
        """Add to ``new`` the elements of ``old`` that are hidden or inert but still in the DOM."""
        if old is None or old.document != new.document:
            return new
        if old.unreachable is None and not old.hidden and not self.record.ids.lost_some:
            return new
        present = set(iter_ids(new))
        missing = [element_id for element_id in iter_ids(old) if element_id not in present]
        behind = list(iter_ids(old.unreachable)) if old.unreachable else []
        hidden = old.hidden - present
        if not _needs_question(missing, behind, present, capture):
            still = old.unreachable, hidden
            return (
                attrs.evolve(new, unreachable=old.unreachable, hidden=hidden) if any(still) else new
            )
        missing += [element_id for element_id in behind if element_id not in present]
        by_number: dict[int, list[str]] = {}
        for element_id in missing:
            number = self.record.ids.find_hidden(element_id)
            if number is not None:
                by_number.setdefault(self.frames.in_main(number), []).append(element_id)
        answer = await self.on_place(self.place(0), "whereabouts", [*by_number]) or {}

        def ids(part: str) -> frozenset[str]:
            return frozenset(each for number in answer.get(part, ()) for each in by_number[number])

        return attrs.evolve(
            new,
            unreachable=find_unreachable(old, new, ids("behind"), answer.get("front", "")),
            hidden=hidden | ids("hidden"),
        )

    def _trace_stages(self, capture: Capture, view: PageView) -> None:
        """Log what each stage of a capture has yielded (C-PIPE-01)."""
        counts = {
            "a11y": len(capture.by_nid),
            "layout": sum(node.box is not None for node in capture.nodes),
            "interactive": len(view.interactive),
            "content": len(view.lines),
            "ids": sum(1 for _ in iter_ids(view)),
        }
        for name, count in counts.items():
            trace("capture stage", tab_id=self.record.id, stage=name, count=count)

    async def on_page(self, function: str, *arguments: object) -> dict[str, Any]:
        """Ask the probe about the page itself."""
        answer: dict[str, Any] = json.loads(await self.page.ask(function, *arguments))
        return answer

    async def on_place(
        self, place: DocumentNode, function: str, *arguments: object
    ) -> dict[str, Any] | None:
        """Ask the probe about a node; return None if the node or its document is gone."""
        return await ask_about(self.page, self.frames, place, function, *arguments)

    async def outcome(self, place: DocumentNode) -> Outcome:
        """Return whether the press that was aimed at a node met the node."""
        return await outcome_of(self.page, self.frames, place)

    async def was_dropped(self, place: DocumentNode) -> bool:
        """Return whether the page took the drop at the end of a node's drag."""
        return await was_dropped(self.page, self.frames, place)


def _needs_question(
    missing: Sequence[str], behind: Sequence[str], present: Collection[str], capture: Capture
) -> bool:
    """Return whether elements may be behind a dialog, hidden with others, or present again."""
    if behind:
        return bool(missing) or any(element_id in present for element_id in behind)
    has_dialog = any(node.kind == "g" and node.role in _DIALOGS for node in capture.nodes)
    return len(missing) > _FEW_MISSING or (bool(missing) and has_dialog)
