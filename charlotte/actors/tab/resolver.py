"""References: from an id of any form, or a CSS selector, to the node on the page."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

import attrs

from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.page_reader import PageReader
from charlotte.actors.tab.queries import find_matches
from charlotte.errors import CharlotteError, ElementNotFound
from charlotte.page.identity.records import MINOR_CHANGE_NOTE, compare_labels
from charlotte.page.identity.references import (
    DocumentNode,
    ElementSummary,
    NamedNode,
    build_change_error,
    check_element,
    check_page,
    find_shown_node,
    get_reference_form,
    is_reference,
    shorten_name,
)
from charlotte.page.model import Element, PageView
from charlotte.page.modes.survey import get_effective_role

_MOST_LIKE = 50
"""Matches that are compared with a node that is gone; of more, none is taken."""

_MOST_SIMILAR = 3
_LONGEST_NAME = 100
_LONGEST_QUOTE = 100
_DETACHED = "Element no longer attached to DOM"


@attrs.frozen
class Root:
    """The first node that a selector matches; ``warning`` if the selector matches others too."""

    place: DocumentNode
    warning: str | None = None


class Resolver:
    """Resolves the references of one tab incarnation, and keeps a note on them for the answer."""

    def __init__(self, reader: PageReader) -> None:
        self.reader = reader
        self._note: str | None = None

    async def place(self, reference: str) -> DocumentNode:
        """Return the node of a reference; raises `InvalidArgument` and `ElementNotFound`."""
        match get_reference_form(reference):
            case "dom":
                found = self._find_matched(reference)
            case "hash":
                found = await self._find_hashed(reference)
            case "node" | "table":
                found = await self._find_named(reference)
        if found is None:
            raise self.missing(reference)
        return found

    async def place_again(self, reference: str) -> DocumentNode:
        """Return the node of a reference whose last node turned out to be gone."""
        if get_reference_form(reference) != "dom":
            await self.reader.view()
            return await self.place(reference)
        found = await self._match_again(reference)
        if found is None:
            raise self.missing(reference)
        return found

    async def locate(
        self, reference: str, function: str, *arguments: object
    ) -> tuple[DocumentNode, dict[str, Any]]:
        """Ask the probe about an element; return its node and the answer.

        The reference is resolved again if its node is gone.
        """
        place = await self.place(reference)
        answer = await self.reader.on_place(place, function, *arguments)
        if answer is None:
            place = await self.place_again(reference)
            answer = await self.reader.on_place(place, function, *arguments)
        if answer is None:
            raise self.missing(reference)
        return place, answer

    async def root(self, selector: str | None) -> Root:
        """Return the first node that a selector or reference means, the page for None.

        Raises `ElementNotFound`.
        """
        if selector is None:
            return Root(self.reader.place(0))
        if is_reference(selector):
            return Root(await self.place(selector))
        matches = await find_matches(self.reader, selector)
        quoted = repr(selector[:_LONGEST_QUOTE])
        if not matches:
            raise ElementNotFound(
                f"No element matches {quoted}.", "Observe the page, or correct the selector."
            )
        warning = None
        if len(matches) > 1:
            warning = (
                f"{quoted} matches {len(matches)} elements; this is the first. "
                "find{selector} lists them with ids."
            )
        return Root(matches[0].place, warning)

    def id_of(self, reference: str) -> str | None:
        """Return the hash id of the element that a reference of any form is known to name."""
        record = self.reader.record
        match get_reference_form(reference):
            case "hash":
                return record.ids.get_id(record.ids.resolve(reference) or 0) or reference
            case "dom":
                found = record.dom.find(reference)
                number = found.place.nid if found else None
            case _:
                named = record.refs.find(reference)
                number = named.place.nid if named else None
        return None if number is None else record.ids.get_id(number)

    async def reasons_against(self, references: Sequence[str]) -> dict[str, str]:
        """Return the reason by reference, for all references that lead to no element."""
        await self.reader.view()
        reasons: dict[str, str] = {}
        for reference in references:
            try:
                if get_reference_form(reference) == "hash" and self._present(reference) is None:
                    raise self.missing(reference)
                await self.locate(reference, "box")
            except CharlotteError as error:
                is_detached = isinstance(error, ElementNotFound) and (
                    self.reader.record.refs.find(reference)
                )
                reasons[reference] = _DETACHED if is_detached else error.message  # B-VREF-02
        return reasons

    def is_known(self, reference: str) -> bool:
        """Return whether the reference ever led to a node of this tab."""
        record = self.reader.record
        return (
            record.ids.get_last_shown(reference) is not None
            or record.dom.find(reference) is not None
            or record.refs.find(reference) is not None
        )

    def note(self, note: str) -> None:
        """Keep a note for the answer, in place of an earlier one."""
        self._note = note

    def take_note(self) -> str | None:
        """Return the note since the last time."""
        note, self._note = self._note, None
        return note

    async def _find_hashed(self, reference: str) -> DocumentNode | None:
        """Return the node with a hash id, after a capture if the id is not known (C-ID-09)."""
        found = self._present(reference) if self.reader.last_view else None
        if found is None:
            await self.reader.view()
            found = self._present(reference)
        return found

    def _present(self, reference: str) -> DocumentNode | None:
        """Return the node with a hash id; raises `ElementChanged` if it is not as shown."""
        nid, is_noted = find_shown_node(self.reader.record.ids, reference)
        if is_noted:
            self._note = MINOR_CHANGE_NOTE
        return None if nid is None else self.reader.place(nid)

    def _find_matched(self, reference: str) -> DocumentNode | None:
        """Return the node that a selector found; raises `ElementChanged` if it is another now."""
        ids = self.reader.record.ids
        match = self.reader.record.dom.find(reference)
        element = match and match.element
        shown = ids.get_last_shown(element.id) if element else None
        if match and shown and check_element(ids, reference, shown, match.place.nid):
            self._note = MINOR_CHANGE_NOTE
        return match.place if match else None

    async def _find_named(self, reference: str) -> DocumentNode | None:
        """Return the node of an e-ref or @ref, or the node that was rendered in its place."""
        named = self.reader.record.refs.find(reference)
        if named is None:
            return None
        if found := await self._compare_named(named, named.place):
            return found
        await self.reader.view()
        before = named.place.nid
        nid = self.reader.record.ids.find_successor(before)
        if nid is None or self.reader.place(before) != named.place:
            return None
        return await self._compare_named(named, self.reader.place(nid), replaced=True)

    async def _compare_named(
        self, named: NamedNode, place: DocumentNode, *, replaced: bool = False
    ) -> DocumentNode | None:
        """Return the place, None if it is gone; raises `ElementChanged` if it is another now."""
        found = await self.reader.on_place(place, "surveyed")
        if found is None:
            return None
        if named.shown:
            about = f"{place.context} {place.nid}"
            replaced |= check_element(self.reader.record.ids, about, named.shown, place.nid)
        thing = ElementSummary(get_effective_role(found["tag"], found["role"]), found["name"])
        verdict = compare_labels(named.role, named.name, thing.role, thing.name)
        if verdict == "changed":
            raise build_change_error(ElementSummary(named.role, named.name), thing)
        if verdict == "minor" or replaced:
            self._note = MINOR_CHANGE_NOTE
        return place

    async def _match_again(self, reference: str) -> DocumentNode | None:
        """Return the only match of the selector with the same text in the same row."""
        dom = self.reader.record.dom
        lost = dom.find(reference)
        if lost is None:
            return None
        like = dom.find_similar(lost, await find_matches(self.reader, lost.selector))
        found = [
            each for each in like[:_MOST_LIKE] if await self._is_in_row(each.place, lost.around)
        ]
        if len(found) != 1 or len(like) > _MOST_LIKE:
            return None
        if found[0].place.context != lost.place.context:
            await self.reader.view()
            check_page(self.reader.record.ids, ElementSummary(lost.tag, lost.text))
        dom.rebind(reference, found[0])
        if found[0].place.context == lost.place.context:
            self._note = MINOR_CHANGE_NOTE
        return found[0].place

    async def _is_in_row(self, place: DocumentNode, text: str) -> bool:
        """Return whether the row around a node has a text; "" if the text was in no row."""
        if not text:
            return True
        answer = await self.reader.on_place(place, "isAround", text)
        return answer is not None and bool(answer["same"])

    def missing(self, reference: str) -> ElementNotFound:
        """Return the error for a reference that leads to no node of the page."""
        record = self.reader.record
        before = None
        if shown := record.ids.get_last_shown(reference):
            before = ElementSummary(shown.role, shown.name)
        elif match := record.dom.find(reference):
            before = ElementSummary(match.tag, match.text)
        elif named := record.refs.find_recent(reference):
            before = ElementSummary(named.role, named.name)
        return _build_missing_error(reference, record, self.reader.last_view, before)


def _build_missing_error(
    reference: str, record: TabRecord, view: PageView | None, before: ElementSummary | None
) -> ElementNotFound:
    """Return the error for a missing element; ``before`` is the element as it was shown last."""
    if before is not None:
        described = f"{shorten_name(before.name)} {before.role}".strip()
        similar = _find_similar(reference, view, before.name)
        return ElementNotFound(
            f"Element '{described}' (ref: {reference}) no longer exists.",
            f"{ElementNotFound.default_suggestion}"
            + (f" Similar: {', '.join(similar)}." if similar else ""),
        )
    if owner := _find_owner(reference, record):
        return ElementNotFound(
            f"{reference} is not on {record.id}.",
            f"It is an element of {owner}: pass tab_id={owner!r}.",
        )
    hint = "Call observe or find for the ids that exist now."
    if similar := _find_similar(reference, view):
        hint = f"Did you mean {', '.join(similar)}? Otherwise call observe or find."
    return ElementNotFound(f"No element {reference!r} on {record.id} now.", hint)


def _find_owner(reference: str, record: TabRecord) -> str | None:
    """Return the tab that gave the reference; each tab has its own table of @refs."""
    if get_reference_form(reference) == "table":
        return None
    for other in record.session.tabs.values():
        is_known = (
            other.ids.resolve(reference) is not None
            or other.dom.find(reference) is not None
            or other.refs.find(reference) is not None
        )
        if other is not record and is_known:
            return other.id
    return None


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
        f"{each.id} {each.label[:40]!r}" + (f" (near {each.near!r})" if each.near else "")
        for each in sorted(same, key=difference)[:_MOST_SIMILAR]
    ]
