"""Reading of a page: captures as views, searches, and the nodes that references mean."""

from collections.abc import Collection, Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any

import attrs
import trio

from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.page.frames import PageFrames
from charlotte.actors.tab.page.page_connection import LivePage
from charlotte.base.errors import (
    LONGEST,
    CharlotteError,
    DeadlineExceeded,
    ElementNotFound,
    ElementNotInteractive,
    InvalidArgument,
    ellipsize,
)
from charlotte.base.log import is_tracing, trace
from charlotte.page.capture import Capture, Placement, RecordCache, compose_number
from charlotte.page.identity.degrees import compare_labels
from charlotte.page.identity.records import MINOR_CHANGE_NOTE
from charlotte.page.identity.references import (
    DocumentNode,
    ElementSummary,
    Match,
    NamedNode,
    build_change_error,
    check_element,
    check_page,
    find_shown_node,
    get_reference_form,
    is_reference,
    is_same_row,
    shorten_name,
)
from charlotte.page.model import DIALOGS, Bounds, Element, PageView
from charlotte.page.modes.lines import ERROR_PAGE
from charlotte.page.modes.survey import get_effective_role
from charlotte.page.view import build_view, find_unreachable, iter_ids
from charlotte.protocol.connection import Then
from charlotte.secrets.redaction import NO_SECRETS, Secrets

_MOST_DOCUMENTS = 3
"""Documents after which a page is captured again because it navigated meanwhile."""

_FEW_MISSING = 5
"""Elements that may vanish without a question to the probe, as long as no dialog is open."""

_MOST_MATCHES = 10_000
"""Nodes that one selector finds at most."""

_MOST_LIKE = 50
"""Matches that are compared with a node that is gone; of more, none is taken."""

_MOST_SIMILAR = 3
_LONGEST_NAME = 100
_LONGEST_QUOTE = 100
_DETACHED = "Element no longer attached to DOM"


class PageReader:
    """The page of a tab incarnation as last captured, frame by frame.

    ``last_view`` is the view of the last capture, ``note`` a sentence for the answer of a call.
    ``noted`` are the notices about its frames, which changes of the page do not repeat.
    """

    def __init__(self, record: TabRecord, page: LivePage) -> None:
        self.record = record
        self.page = page
        self.frames = PageFrames(page)
        self.last_view: PageView | None = None
        self._documents_read = 0
        self.note: str | None = None
        self.noted: Sequence[str] = ()
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

    async def view(self, then: Then = trio.lowlevel.checkpoint, *, lazy: bool = False) -> PageView:
        """Capture the page, again if another document arrived meanwhile; return its view.

        ``then`` is run between the capture and the making of the view.
        """
        activity = self.page.activity
        last = activity.documents + _MOST_DOCUMENTS
        while True:
            await self.page.present()
            await activity.parsed()
            documents = activity.documents
            capture = await self.frames.capture(lazy=lazy)
            if activity.documents == documents or documents >= last:
                break
        await then()
        view = await self._make_view(capture)
        self._documents_read = documents
        if is_tracing():
            counts = {  # what each stage of the capture has yielded (C-PIPE-01)
                "a11y": len(capture.by_nid),
                "layout": sum(node.box is not None for node in capture.nodes),
                "interactive": len(view.interactive),
                "content": len(view.lines),
                "ids": sum(1 for _ in iter_ids(view)),
            }
            for name, count in counts.items():
                trace("capture stage", tab_id=self.record.id, stage=name, count=count)
        return view

    async def view_or_last(
        self, then: Then = trio.lowlevel.checkpoint, *, lazy: bool = False
    ) -> PageView:
        """Return the view of the page, or the last one while a navigation holds it back."""
        try:
            return await self.view(then, lazy=lazy)
        except DeadlineExceeded:
            if self.page.activity.navigating_to is None or self.present_view is None:
                raise
            return self.present_view

    @property
    def present_view(self) -> PageView | None:
        """The last view, if it is of the present document."""
        return self.last_view if self._documents_read == self.page.activity.documents else None

    async def _make_view(self, capture: Capture) -> PageView:
        for notice in set(self.noted) - set(self.frames.notices):
            self.record.news.withdraw(notice)
        self.record.notify(one for one in self.frames.notices if one not in self.noted)
        self.noted = self.frames.notices
        clickable = self.record.session.settings.clickable
        if self.last_view and capture is self._capture and clickable == self._with_clickable:
            return self.last_view
        self._with_clickable = clickable
        shown = capture
        if capture.url.startswith(ERROR_PAGE):  # shown in place of an answer without a body
            shown = attrs.evolve(capture, url=self.page.activity.url)
        self.record.check_granted(shown.url)  # it can be newer than the last event
        alive = await self.frames.ask_nodes("alive", self.record.ids.find_contested(shown))
        view = build_view(shown, self.record.ids, self._records, alive)
        if not clickable:
            elements = [each for each in view.interactive if each.type != "clickable"]
            view = attrs.evolve(view, interactive=tuple(elements))
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
            if old.unreachable or hidden:
                return attrs.evolve(new, unreachable=old.unreachable, hidden=hidden)
            return new
        missing += [element_id for element_id in behind if element_id not in present]
        by_number: dict[int, list[str]] = {}
        for element_id in missing:
            number = self.record.ids.find_hidden(element_id)
            if number is not None:
                by_number.setdefault(self.frames.in_main(number), []).append(element_id)
        answer = await self.frames.ask_node(self.place(0), "classifyHidden", [*by_number]) or {}

        def ids(part: str) -> frozenset[str]:
            return frozenset(each for number in answer.get(part, ()) for each in by_number[number])

        return attrs.evolve(
            new,
            unreachable=find_unreachable(old, new, ids("behind"), answer.get("front", "")),
            hidden=hidden | ids("hidden"),
        )

    async def find_matches(
        self, selector: str, most: int = _MOST_MATCHES, text: str | None = None
    ) -> list[Match]:
        """Return the nodes that a CSS selector finds, frame by frame in document order.

        With a text, each match has its role and whether it has that text. Raises `InvalidArgument`
        for a selector that is not CSS.
        """
        page, secrets = self.page, self.record.session.settings.secrets
        has_frames = any(each.frame_id != page.activity.main_frame for each in page.frames.all())
        if self.last_view is None or has_frames:
            await self.view()
        await page.present()
        context = (await page.frames.wait(page.activity.main_frame)).context
        answer = await page.ask_in(context, "query", selector, most, text, secrets.reach)
        if "error" in answer:
            given = ellipsize(selector, LONGEST)
            raise InvalidArgument(
                f"The page takes {given!r} for no CSS selector: {answer['message']}",
                "To look for text, use find{text}.",
            )
        main = DocumentNode(context, 0)
        found = read_matches(selector, answer["rows"], main, Placement(), secrets)
        _, *frames = self.frames.placed()
        for frame, placement in frames:
            room = _MOST_MATCHES - len(found)
            answer = await self.frames.ask(frame, "query", selector, room, text, secrets.reach)
            document = self.place(compose_number(frame.number, 0))
            rows = answer.get("rows", [])
            found += read_matches(selector, rows, document, placement, secrets)
        return found

    async def resolve(self, reference: str) -> DocumentNode:
        """Return the node of a reference.

        Raises `InvalidArgument`, `ElementNotFound`, and `ElementChanged` if it is another node now.
        """
        found: DocumentNode | None = None
        match get_reference_form(reference):
            case "dom":
                ids, matched = self.record.ids, self.record.dom.find(reference)
                found = matched.place if matched else None
                element = matched and matched.element
                shown = ids.get_last_shown(element.id) if element else None
                if found and shown and check_element(ids, reference, shown, found.nid):
                    self.note = MINOR_CHANGE_NOTE
                elif matched and matched.around and not shown:
                    found = await self._find_in_row(reference, matched)
            case "hash":
                found = self._find_present(reference) if self.last_view else None
                if found is None:  # the page is captured if the id is not known (C-ID-09)
                    await self.view()
                    found = self._find_present(reference)
            case "node" | "table":
                found = await self._find_named(reference)
        if found is None:
            raise self.missing(reference)
        return found

    async def locate(
        self, reference: str, function: str, *arguments: object
    ) -> tuple[DocumentNode, dict[str, Any]]:
        """Ask the probe about an element; return its node and the answer.

        The reference is resolved again if its node is gone.
        """
        for resolve in self.resolve, self._resolve_again:
            place = await resolve(reference)
            answer = await self.frames.ask_node(place, function, *arguments)
            if answer is not None:
                return place, answer
        raise self.missing(reference)

    async def _resolve_again(self, reference: str) -> DocumentNode:
        """Return the node of a reference whose last node turned out to be gone."""
        if get_reference_form(reference) != "dom":
            await self.view()
            return await self.resolve(reference)
        if found := await self._match_again(reference):
            return found
        raise self.missing(reference)

    async def find_root(self, selector: str | None) -> tuple[DocumentNode, Sequence[str]]:
        """Return the first node that a selector or reference means, the page for None.

        Returns also a warning if the selector matches others too. Raises `ElementNotFound`.
        """
        if selector is None:
            return self.place(0), ()
        if is_reference(selector):
            return await self.resolve(selector), ()
        matches = await self.find_matches(selector)
        quoted = repr(ellipsize(selector, _LONGEST_QUOTE))
        if not matches:
            raise ElementNotFound(
                f"No element matches {quoted}.", "Observe the page, or correct the selector."
            )
        warning = (
            f"{quoted} matches {len(matches)} elements; this is the first. "
            "find{selector} lists them with ids."
        )
        return matches[0].place, [warning] if len(matches) > 1 else ()

    def id_of(self, reference: str) -> str | None:
        """Return the hash id of the element that a reference of any form is known to name."""
        record = self.record
        match get_reference_form(reference):
            case "hash":
                return record.ids.get_id(record.ids.resolve(reference) or 0) or reference
            case "dom":
                found: Match | NamedNode | None = record.dom.find(reference)
            case _:
                found = record.refs.find(reference)
        return record.ids.get_id(found.place.nid) if found else None

    async def reasons_against(self, references: Sequence[str]) -> dict[str, str]:
        """Return the reason by reference, for all references that lead to no element."""
        await self.view()
        reasons: dict[str, str] = {}
        for reference in references:
            try:
                if get_reference_form(reference) == "hash" and not self._find_present(reference):
                    raise self.missing(reference)
                await self.locate(reference, "box")
            except CharlotteError as error:
                is_detached = isinstance(error, ElementNotFound) and (
                    self.record.refs.find(reference)
                )
                reasons[reference] = _DETACHED if is_detached else error.message  # B-VREF-02
        return reasons

    def _find_present(self, reference: str) -> DocumentNode | None:
        """Return the node with a hash id; raises `ElementChanged` if it is not as shown."""
        nid, is_noted = find_shown_node(self.record.ids, reference)
        if is_noted:
            self.note = MINOR_CHANGE_NOTE
        return None if nid is None else self.place(nid)

    async def _find_named(self, reference: str) -> DocumentNode | None:
        """Return the node of an e-ref or @ref, or the node that was rendered in its place."""
        named = self.record.refs.find(reference)
        if named is None:
            return None
        if found := await self._compare_named(named, named.place):
            return found
        await self.view()
        before = named.place.nid
        nid = self.record.ids.find_successor(before)
        if nid is None or self.place(before) != named.place:
            return None
        return await self._compare_named(named, self.place(nid), replaced=True)

    async def _compare_named(
        self, named: NamedNode, place: DocumentNode, *, replaced: bool = False
    ) -> DocumentNode | None:
        """Return the place, None if it is gone; raises `ElementChanged` if it is another now."""
        found = await self.frames.ask_node(place, "surveyed")
        if found is None:
            return None
        if named.shown:
            about = f"{place.context} {place.nid}"
            replaced |= check_element(self.record.ids, about, named.shown, place.nid)
        thing = ElementSummary(get_effective_role(found["tag"], found["role"]), found["name"])
        verdict = compare_labels(named.role, named.name, thing.role, thing.name)
        if verdict == "changed":
            raise build_change_error(ElementSummary(named.role, named.name), thing)
        if verdict == "minor" or replaced:
            self.note = MINOR_CHANGE_NOTE
        return place

    async def _find_in_row(self, reference: str, matched: Match) -> DocumentNode:
        """Return the node of a match in a row, or where its row is now: tables reuse nodes.

        Raises `ElementChanged` if the node is in another row and its row is nowhere.
        """
        now = await self.frames.ask_node(matched.place, "wordsNow")
        is_own = now is None or (now["alone"] and now["text"] == matched.text)
        if now is None or is_own or is_same_row(matched.around, now["around"]):
            return matched.place
        if moved := await self._match_again(reference):
            return moved
        raise build_change_error(
            ElementSummary(matched.tag, matched.text, matched.around),
            ElementSummary(matched.tag, now["text"], now["around"]),
        )

    async def _match_again(self, reference: str) -> DocumentNode | None:
        """Return the only match of the selector with the same text in the same row."""
        dom = self.record.dom
        lost = dom.find(reference)
        if lost is None:
            return None
        like = dom.find_similar(lost, await self.find_matches(lost.selector))
        found: list[Match] = []
        for each in like[:_MOST_LIKE]:
            asked = lost.around and self.frames.ask_node(each.place, "hasRowText", lost.around)
            if not asked or ((answer := await asked) and answer["same"]):
                found.append(each)
        if len(found) != 1 or len(like) > _MOST_LIKE:
            return None
        place = found[0].place
        is_same_document = place.context == lost.place.context
        if not is_same_document:
            await self.view()
            check_page(self.record.ids, ElementSummary(lost.tag, lost.text))
        dom.rebind(reference, found[0])
        if is_same_document:
            self.note = MINOR_CHANGE_NOTE
        return place

    def _summarize(self, reference: str) -> ElementSummary | None:
        """Return role and name of an element as it was shown last."""
        record = self.record
        if shown := record.ids.get_last_shown(reference):
            return ElementSummary(shown.identity.role, shown.identity.name)
        if match := record.dom.find(reference):
            return ElementSummary(match.tag, match.text)
        named = record.refs.find_recent(reference)
        return ElementSummary(named.role, named.name) if named else None

    def name(self, reference: str) -> str:
        """Return a reference and the name of its element, for messages: ``btn-3d96 'Sell'``."""
        shown = self._summarize(reference)
        return f"{reference} '{shorten_name(shown.name)}'" if shown and shown.name else reference

    def missing(self, reference: str) -> ElementNotFound | ElementNotInteractive:
        """Return the error for a reference that leads to no node, or to one behind a dialog."""
        record, view = self.record, self.last_view
        behind = view.unreachable if view else None
        if behind and behind.covered_by and self.id_of(reference) in {*iter_ids(behind)}:
            return ElementNotInteractive(
                f"{self.name(reference)} is covered by {behind.covered_by}.",
                "Close the dialog first, then try again.",
            )
        if (before := self._summarize(reference)) is not None:
            described = f"{shorten_name(before.name)} {before.role}".strip()
            similar = _find_similar(reference, view, before.name)
            return ElementNotFound(
                f"Element '{described}' (ref: {reference}) no longer exists.",
                f"{ElementNotFound.default_suggestion}"
                + (f" Similar: {', '.join(similar)}." if similar else ""),
            )
        others = () if get_reference_form(reference) == "table" else record.session.tabs.values()
        for other in others:  # except @refs, because each tab has a table of its own
            if other is not record and is_known(other, reference):
                return ElementNotFound(
                    f"{reference} is not on {record.id}.",
                    f"It is an element of {other.id}: pass tab_id={other.id!r}.",
                )
        hint = "Call observe or find for the ids that exist now."
        if similar := _find_similar(reference, view):
            hint = f"Did you mean {', '.join(similar)}? Otherwise call observe or find."
        return ElementNotFound(f"No element {reference!r} on {record.id} now.", hint)


def _needs_question(
    missing: Sequence[str], behind: Sequence[str], present: Collection[str], capture: Capture
) -> bool:
    """Return whether elements may be behind a dialog, hidden with others, or present again."""
    if behind:
        return bool(missing) or any(element_id in present for element_id in behind)
    has_dialog = any(node.kind == "g" and node.role in DIALOGS for node in capture.nodes)
    return len(missing) > _FEW_MISSING or (bool(missing) and has_dialog)


def read_matches(
    selector: str,
    rows: Iterable[list[Any]],
    document: DocumentNode,
    placement: Placement,
    secrets: Secrets = NO_SECRETS,
) -> list[Match]:
    """Read rows of the probe; ``document`` is the place of any node of their document."""
    return [
        Match(
            place=document.with_nid(nid),
            selector=selector,
            tag=tag,
            text=text,
            bounds=placement.of(Bounds(*box)) if box else None,
            around=around,
            role=get_effective_role(tag, more[0]) if more else "",
            has_text=len(more) > 1 and secrets.shows(more[1]),
        )
        for nid, tag, text, box, around, *more in rows
    ]


def is_known(record: TabRecord, reference: str) -> bool:
    """Return whether the reference ever led to a node of a tab."""
    sources = record.ids.resolve, record.ids.get_last_shown, record.dom.find, record.refs.find
    return any(find(reference) is not None for find in sources)


def _find_similar(reference: str, view: PageView | None, name: str | None = None) -> list[str]:
    """Describe live elements of the same type (C-ID-10), those with the most similar label first.

    Without a name, only if they are few enough for a hint.
    """
    prefix = reference.split("-", 1)[0] + "-" if "-" in reference else ""
    same = [each for each in (view.interactive if view else ()) if each.id.startswith(prefix)]
    if name is None and len(same) > _MOST_SIMILAR:
        return []

    def difference(element: Element) -> float:
        return -SequenceMatcher(None, name or "", element.label[:_LONGEST_NAME]).quick_ratio()

    return [
        f"{each.id} {ellipsize(each.label, 40)!r}" + (f" (near {each.near!r})" if each.near else "")
        for each in sorted(same, key=difference)[:_MOST_SIMILAR]
    ]
