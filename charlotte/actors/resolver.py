"""Leads from a reference, in whatever form, to the node it means."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from charlotte.actors.missing import not_found
from charlotte.errors import CharlotteError
from charlotte.page.references import form_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from charlotte.actors.tab import Tab
    from charlotte.page.dom_book import Place


class Resolver:
    """The one way from what an agent says to a node of its tab's page."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab

    async def place(self, reference: str) -> Place:
        """The node that is meant; raises `InvalidArgument` and `ElementNotFound`."""
        if form_of(reference) == "dom":
            match = self._tab.record.dom.find(reference)
            found = match and match.place
        else:
            found = await self._identified(reference)
        return found or self._missing(reference)

    async def place_anew(self, reference: str) -> Place:
        """The node that is meant, after the one that `place` gave turned out to be gone."""
        if form_of(reference) == "dom":
            return await self._matched_anew(reference) or self._missing(reference)
        await self._tab.view()
        return await self.place(reference)

    async def reasons_against(self, references: Sequence[str]) -> dict[str, str]:
        """Of those that lead to no element, why they do not."""
        await self._tab.view()
        reasons: dict[str, str] = {}
        for reference in references:
            try:
                if form_of(reference) == "hash" and self._here(reference) is None:
                    self._missing(reference)
                await self._tab.on_element(reference, "box")
            except CharlotteError as error:
                reasons[reference] = error.message
        return reasons

    async def _identified(self, reference: str) -> Place | None:
        """The node with a hash id, after a fresh look if it is not known (C-ID-09)."""
        if self._tab.last_view is None or self._here(reference) is None:
            await self._tab.view()
        return self._here(reference)

    def _here(self, reference: str) -> Place | None:
        nid = self._tab.record.ids.resolve(reference)
        return None if nid is None else self._tab.place(nid)

    async def _matched_anew(self, reference: str) -> Place | None:
        """The one node that the selector finds now and that says the same."""
        dom = self._tab.record.dom
        lost = dom.find(reference)
        if lost is None:
            return None
        found = dom.rebind(reference, await self._tab.query(lost.selector))
        return None if found is None else found.place

    def _missing(self, reference: str) -> NoReturn:
        raise self.missing(reference)

    def missing(self, reference: str) -> CharlotteError:
        """What to say of a reference that nothing on the page answers to."""
        return not_found(reference, self._tab.record, self._tab.last_view)
