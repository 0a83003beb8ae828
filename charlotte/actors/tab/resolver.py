"""Leads from a reference, in whatever form, to the node it means."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, NoReturn

from charlotte.actors.tab.dom_queries import matches_of
from charlotte.actors.tab.reference_errors import not_found
from charlotte.errors import CharlotteError, ElementNotFound
from charlotte.page.identity.comparison import MINOR_CHANGE_NOTE, compare_labels
from charlotte.page.identity.references import get_reference_form
from charlotte.page.identity.staleness import (
    ElementSummary,
    build_change_error,
    check_element,
    check_page,
    find_shown_node,
)
from charlotte.page.modes.survey import get_effective_role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from charlotte.actors.tab.actor import Tab
    from charlotte.page.identity.dom_book import DocumentNode
    from charlotte.page.identity.references import NamedNode

_MOST_LIKE = 50
"""Matches that are looked at for one that is gone; of more, none is taken."""

_DETACHED = "Element no longer attached to DOM"


class Resolver:
    """The one way from what an agent says to a node of its tab's page; it goes with the tab."""

    def __init__(self, tab: Tab) -> None:
        self._tab: Tab = weakref.proxy(tab)  # no cycle, for that would keep what the tab has seen
        self._note: str | None = None

    async def place(self, reference: str) -> DocumentNode:
        """The node that is meant; raises `InvalidArgument` and `ElementNotFound`."""
        return await self._found(reference) or self._missing(reference)

    async def _found(self, reference: str) -> DocumentNode | None:
        match get_reference_form(reference):
            case "dom":
                return self._matched(reference)
            case "hash":
                return await self._identified(reference)
            case "node" | "table":
                return await self._named(reference)

    def id_of(self, reference: str) -> str | None:
        """Return the hash id of the element that a reference of any form is known to name."""
        record = self._tab.record
        match get_reference_form(reference):
            case "hash":
                return record.ids.of(record.ids.resolve(reference) or 0) or reference
            case "dom":
                found = record.dom.find(reference)
                number = found.place.nid if found else None
            case _:
                named = record.refs.find(reference)
                number = named.place.nid if named else None
        return None if number is None else record.ids.of(number)

    async def place_anew(self, reference: str) -> DocumentNode:
        """The node that is meant, after the one that `place` gave turned out to be gone."""
        if get_reference_form(reference) == "dom":
            return await self._matched_anew(reference) or self._missing(reference)
        await self._tab.view()
        return await self.place(reference)

    async def reasons_against(self, references: Sequence[str]) -> dict[str, str]:
        """Of those that lead to no element, why they do not."""
        await self._tab.view()
        reasons: dict[str, str] = {}
        for reference in references:
            try:
                if get_reference_form(reference) == "hash" and self._present(reference) is None:
                    self._missing(reference)
                await self._tab.on_element(reference, "box")
            except CharlotteError as error:
                reasons[reference] = self._reason(reference, error)
        return reasons

    def is_known(self, reference: str) -> bool:
        """Whether it ever led to something on this tab."""
        record = self._tab.record
        return (
            record.ids.get_last_shown(reference) is not None
            or record.dom.find(reference) is not None
            or record.refs.find(reference) is not None
        )

    def _reason(self, reference: str, error: CharlotteError) -> str:
        """B-VREF-02: an element that a table had, and that is gone."""
        is_gone = isinstance(error, ElementNotFound) and self._tab.record.refs.find(reference)
        return _DETACHED if is_gone else error.message

    def note(self, note: str) -> None:
        """Have something said of a reference."""
        self._note = note

    def take_note(self) -> str | None:
        """What is to be said of the references that were resolved since the last time."""
        note, self._note = self._note, None
        return note

    async def _identified(self, reference: str) -> DocumentNode | None:
        """The node with a hash id, after a fresh look if it is not known (C-ID-09)."""
        found = self._present(reference) if self._tab.last_view else None
        if found is None:
            await self._tab.view()
            found = self._present(reference)
        return found

    def _present(self, reference: str) -> DocumentNode | None:
        """The node with a hash id, if it still is what was shown; raises `ElementChanged`."""
        nid, is_noted = find_shown_node(self._tab.record.ids, reference)
        if is_noted:
            self._note = MINOR_CHANGE_NOTE
        return None if nid is None else self._tab.place(nid)

    def _matched(self, reference: str) -> DocumentNode | None:
        """The node that a selector found; raises `ElementChanged` if it is another element now."""
        ids = self._tab.record.ids
        match = self._tab.record.dom.find(reference)
        element = match and match.element
        shown = ids.get_last_shown(element.id) if element else None
        if match and shown and check_element(ids, reference, shown, match.place.nid):
            self._note = MINOR_CHANGE_NOTE
        return match.place if match else None

    async def _named(self, reference: str) -> DocumentNode | None:
        """The node that an e-ref or @ref was given to, if it still is what was told."""
        named = self._tab.record.refs.find(reference)
        if named is None:
            return None
        return await self._still(named, named.place) or await self._successor(named)

    async def _successor(self, named: NamedNode) -> DocumentNode | None:
        """The node that was made anew for the one that was named: it has the same hash id."""
        await self._tab.view()
        before = named.place.nid
        nid = self._tab.record.ids.find_successor(before)
        if nid is None or self._tab.place(before) != named.place:
            return None
        return await self._still(named, self._tab.place(nid), replaced=True)

    async def _still(
        self, named: NamedNode, place: DocumentNode, *, replaced: bool = False
    ) -> DocumentNode | None:
        """The place, if there is anything; raises `ElementChanged` if that is something else."""
        now = await self._tab.on_place(place, "surveyed")
        if now is None:
            return None
        thing = ElementSummary(get_effective_role(now["tag"], now["role"]), now["name"])
        if named.shown:
            about = f"{place.context} {place.nid}"
            replaced |= check_element(self._tab.record.ids, about, named.shown, place.nid)
        self._compare(ElementSummary(named.role, named.name), thing, replaced=replaced)
        return place

    def _compare(
        self, shown: ElementSummary, now: ElementSummary, *, replaced: bool = False
    ) -> None:
        verdict = compare_labels(shown.role, shown.name, now.role, now.name)
        if verdict == "changed":
            raise build_change_error(shown, now)
        if verdict == "minor" or replaced:
            self._note = MINOR_CHANGE_NOTE

    async def _matched_anew(self, reference: str) -> DocumentNode | None:
        """The one node that the selector finds now and that says the same, in the same row."""
        dom = self._tab.record.dom
        lost = dom.find(reference)
        if lost is None:
            return None
        like = dom.find_similar(lost, await matches_of(self._tab, lost.selector))
        found = [one for one in like[:_MOST_LIKE] if await self._is_in_row(one.place, lost.around)]
        if len(found) != 1 or len(like) > _MOST_LIKE:
            return None
        if found[0].place.context != lost.place.context:
            await self._tab.view()
            check_page(self._tab.record.ids, ElementSummary(lost.tag, lost.text))
        dom.rebind(reference, found[0])
        if found[0].place.context == lost.place.context:
            self._note = MINOR_CHANGE_NOTE
        return found[0].place

    async def _is_in_row(self, place: DocumentNode, text: str) -> bool:
        """Whether the row around a node says what that of another did, if that lay in any."""
        if not text:
            return True
        answer = await self._tab.on_place(place, "isAround", text)
        return answer is not None and bool(answer["same"])

    def _missing(self, reference: str) -> NoReturn:
        raise self.missing(reference)

    def missing(self, reference: str) -> CharlotteError:
        """What to say of a reference that nothing on the page answers to."""
        record = self._tab.record
        before = None
        if shown := record.ids.get_last_shown(reference):
            before = ElementSummary(shown.role, shown.name)
        elif match := record.dom.find(reference):
            before = ElementSummary(match.tag, match.text)
        elif named := record.refs.find_recent(reference):
            before = ElementSummary(named.role, named.name)
        return not_found(reference, record, self._tab.last_view, before)
