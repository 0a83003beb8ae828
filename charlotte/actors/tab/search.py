"""Verb of find: search a page for elements, nodes and texts."""

from collections.abc import Sequence

import attrs

from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.queries import find_matches, find_texts
from charlotte.errors import InvalidArgument
from charlotte.page.find import Anchor, Query, filter_by_position, filter_matches, find_elements
from charlotte.page.identity.dom_book import Match
from charlotte.page.model import Bounds, Element


@attrs.frozen(kw_only=True)
class Filters:
    """Filters that must all match; None for those not given. ``near`` and ``within`` are ids."""

    text: str | None = None
    role: str | None = None
    type: str | None = None
    near: str | None = None
    within: str | None = None
    selector: str | None = None


@attrs.frozen
class SearchResult:
    """Elements, or the matches of a selector; ``texts`` are other places with the text."""

    found: Sequence[Element | Match]
    texts: Sequence[Match] = ()


async def search(tab: Tab, filters: Filters) -> SearchResult:
    """Search the page; without a role or type, also for the text outside of elements."""
    query = Query(
        text=filters.text,
        role=filters.role,
        type=filters.type,
        near=await _find_reference(tab, filters.near),
        within=await _find_reference(tab, filters.within),
        redact=tab.record.session.hidden,
    )
    if filters.selector is not None:
        return SearchResult(await _select(tab, filters.selector, query))
    elements = find_elements(await tab.view_of_all(), query)
    if filters.text is None or filters.role is not None or filters.type is not None:
        return SearchResult(elements)
    texts = await find_texts(tab.reader, filters.text, elements)
    return SearchResult(elements, filter_by_position(texts, query))


async def find_invalid(tab: Tab, references: Sequence[str]) -> dict[str, str]:
    """Return the reason by reference, for all references that lead to no element."""
    return await tab.references.reasons_against(references)


async def _select(tab: Tab, selector: str, query: Query) -> list[Match]:
    """Return the matches of a selector that pass the other filters, with their elements."""
    elements = {element.id: element for element in (await tab.view_of_all()).interactive}
    given = (query.text, query.role, query.type, query.near, query.within)
    is_filtered = any(value is not None for value in given)
    text = query.text or "" if is_filtered else None
    ids = tab.record.ids
    found = [
        attrs.evolve(match, element=elements.get(ids.get_id(match.place.nid) or ""))
        for match in await find_matches(tab.reader, selector, text=text)
    ]
    return filter_matches(found, query) if is_filtered else found


async def _find_reference(tab: Tab, name: str | None) -> Anchor | None:
    if name is None:
        return None
    box = (await tab.on_element(name, "box"))["box"]
    if not box:
        raise InvalidArgument(
            f"{name} has no bounds: nothing can be near to it or within it.",
            "Name something that is visible, or find by text instead.",
        )
    place = await tab.references.place(name)
    return Anchor(tab.record.ids.get_id(place.nid) or name, Bounds(*box), place)
