"""Verbs of find: search the page for elements and texts, and describe the rows around them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import attrs

from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.page.page_reader import read_matches
from charlotte.base.errors import InvalidArgument
from charlotte.page.capture import compose_number, split_number
from charlotte.page.find import (
    SEPARATOR,
    Anchor,
    Query,
    Row,
    filter_by_position,
    filter_matches,
    find_elements,
    find_twins,
    label_of,
    name_rows,
    rank_row,
)
from charlotte.page.identity.references import Match
from charlotte.page.model import Bounds, Element, PageView

H = TypeVar("H", Element, Match, Element | Match)

_MOST_TEXTS, _MOST_NODES = 200, 10_000
"""Texts that a search finds at most, and nodes by role or before they are narrowed by row."""

_HIDDEN = 'Only hidden text has it: observe{mode: "content", include_hidden: true} reads that.'


@attrs.frozen
class SearchResult:
    """The elements that a query found, and the places outside of elements that contain its text.

    ``note`` counts the matches behind a dialog, and names frames left out if none was found.
    """

    elements: Sequence[Element | Match]
    texts: Sequence[Match] = ()
    note: str = ""


async def search(
    tab: TabActor,
    query: Query,
    *,
    near: str | None,
    within: str | None,
    selector: str | None,
    row: str | None = None,
) -> SearchResult:
    """Search the present page.

    ``near`` and ``within`` are ids of elements, ``row`` is a text in the rows of all results.
    """
    near_to, inside = await _find_anchor(tab, near), await _find_anchor(tab, within)
    view = await tab.view_of_all()
    query = attrs.evolve(query, near=near_to, within=inside)
    if selector is not None:
        found = SearchResult(await _select(tab, view, query, selector))
    else:
        most = _MOST_TEXTS if row is None and query.role is None else _MOST_NODES
        found = await _find(tab, view, query, most)
    if row is not None:
        elements, texts = found.elements, found.texts
        found = SearchResult(
            await _keep_in_row(tab, elements, row), await _keep_in_row(tab, texts, row), found.note
        )
        if not found.elements and not found.texts:  # where the text of the row is, if anywhere
            sought = attrs.evolve(query, text=row, role=None)
            texts = await _search_frames(tab, sought, (), _MOST_TEXTS)
            found = SearchResult((), texts, found.note)
    if not found.elements and not found.texts:
        is_hidden = query.text and not tab.frames.notices and await _is_hidden(tab, query.text)
        note = " ".join(
            filter(None, (found.note, _HIDDEN if is_hidden else "", *tab.frames.notices))
        )
        found = attrs.evolve(found, note=note)
    return await _with_rows(tab, found)


async def _is_hidden(tab: TabActor, text: str) -> bool:
    """Return whether an element contains a text that nothing visible contains."""
    secrets = tab.record.session.settings.secrets
    for frame, _ in tab.frames.placed():
        answer = await tab.frames.ask(frame, "searchHidden", text, secrets.reach)
        if secrets.shows(answer.get("occurrences", False)):
            return True
    return False


def _note_dialog(view: PageView, query: Query) -> str:
    """Return a note on the matches that lie behind a dialog; "" for none."""
    behind = view.unreachable
    if behind is None or not behind.covered_by:
        return ""
    count = len(find_elements(attrs.evolve(view, interactive=behind.interactive), query))
    are = "match is" if count == 1 else "matches are"
    return f"{count} {are} behind {behind.covered_by}: close the dialog first." * bool(count)


async def _select(
    tab: TabActor, view: PageView, query: Query, selector: str
) -> Sequence[Element | Match]:
    by_id = {element.id: element for element in view.interactive}
    is_filtered = query != Query(redact=query.redact)
    text = query.text or "" if is_filtered else None
    found = [
        attrs.evolve(match, element=by_id.get(tab.record.ids.get_id(match.place.nid) or ""))
        for match in await tab.find_matches(selector, text=text)
    ]
    return filter_matches(found, query) if is_filtered else found


async def _find(tab: TabActor, view: PageView, query: Query, most: int) -> SearchResult:
    elements = find_elements(view, query)
    note = _note_dialog(view, query)
    if query.type is not None or (query.role is None and query.text is None):
        return SearchResult(elements, note=note)
    if query.role is None:
        return SearchResult(elements, await _search_frames(tab, query, elements, most), note)
    ids, known = tab.record.ids, {element.id for element in view.interactive}
    nodes = await _search_frames(tab, query, [], most)
    named = [(node, ids.get_id(node.place.nid) or "") for node in nodes]
    others = [attrs.evolve(node, known_id=name) for node, name in named if name not in known]
    return SearchResult([*elements, *others], note=note)


async def _search_frames(
    tab: TabActor, query: Query, known: Sequence[Element], most: int
) -> Sequence[Match]:
    """Return the nodes with a role, or else the innermost nodes with a text, in document order.

    At most ``most``, frame by frame, and without ``known``. With ``within``, parts of editors and
    content that is scrolled out of view are included. A replaced node is found again by its tag
    and text.
    """
    ids, secrets = tab.record.ids, tab.record.session.settings.secrets
    text = query.text or ""
    numbers = [number for each in known if (number := ids.resolve(each.id)) is not None]
    place = query.within.place if query.within else None
    inside = split_number(place.nid) if place else (-1, 0)
    found: dict[int, Match] = {}
    for frame, placement in tab.frames.placed():
        listed = [nid for owner, nid in map(split_number, numbers) if owner == frame.number]
        document = tab.place(compose_number(frame.number, 0))
        for start in {0, inside[1]} if frame.number == inside[0] else {0}:
            room = most - len(found)
            if query.role is not None:
                by_role = query.role, text, room, start, secrets.reach
                answer = await tab.frames.ask(frame, "searchRole", *by_role)
            else:
                by_text = text, room, listed, secrets.reach, start
                answer = await tab.frames.ask(frame, "searchText", *by_text)
            matches: list[Match] = []
            for *row, excerpt, heading, landmark, occurrences in answer.get("rows", ()):
                if secrets.shows(occurrences):
                    [match] = read_matches(row[1], [row], document, placement)
                    context = {"excerpt": excerpt, "heading": heading, "landmark": landmark}
                    matches.append(attrs.evolve(match, **context))
            conditions = attrs.evolve(query, within=None) if start else query
            for match in filter_by_position(matches, conditions):
                found.setdefault(match.place.nid, match)
    return list(found.values())


async def _find_anchor(tab: TabActor, name: str | None) -> Anchor | None:
    if name is None:
        return None
    place, answer = await tab.locate(name, "box")
    if not answer["box"]:
        raise InvalidArgument(
            f"{name} has no bounds: nothing can be near to it or within it.",
            "Name something that is visible, or find by text instead.",
        )
    return Anchor(tab.record.ids.get_id(place.nid) or name, Bounds(*answer["box"]), place)


def _number_of(tab: TabActor, hit: Element | Match) -> int:
    """Return the number of the node of a result, -1 for one that is gone."""
    return hit.place.nid if isinstance(hit, Match) else tab.record.ids.resolve(hit.id) or -1


async def _read_rows(
    tab: TabActor, hits: Iterable[Element | Match], text: str | None = None
) -> Mapping[int, Row]:
    """Return the rows around elements, by number of the element; with a text, those with it."""
    secrets = tab.record.session.settings.secrets
    numbers = [number for hit in hits if (number := _number_of(tab, hit)) >= 0]
    rows: dict[int, Row] = {}
    for frame, nids in tab.frames.group(numbers):
        answer = await tab.frames.ask(frame, "rowsAround", nids, text, secrets.reach)
        shown: dict[int, Row] = {}
        for index, (nid, texts, occurrences) in enumerate(answer.get("rows", ())):
            if secrets.shows(occurrences):
                hidden = tuple(map(tab.record.session.hidden, texts))
                shown[index] = Row(compose_number(frame.number, nid), hidden)
        for nid, index in zip(nids, answer.get("of", ()), strict=False):
            if index in shown:
                rows[compose_number(frame.number, nid)] = shown[index]
    return rows


async def _keep_in_row(tab: TabActor, hits: Sequence[H], text: str) -> list[H]:
    """Return the hits in rows that contain a text; those in rows with a cell of that text first."""
    rows = await _read_rows(tab, hits, text.replace(SEPARATOR, " "))
    in_rows = [(rows[number], hit) for hit in hits if (number := _number_of(tab, hit)) in rows]
    return [hit for _, hit in sorted(in_rows, key=lambda pair: rank_row(pair[0], text))]


async def _with_rows(tab: TabActor, found: SearchResult) -> SearchResult:
    """Add their rows to the results whose label other results have too."""
    hits = [*found.elements, *found.texts]
    groups = find_twins([label_of(hit) for hit in hits])
    if not groups:
        return found
    rows = await _read_rows(tab, [hits[index] for group in groups for index in group])
    by_index = {i: rows[n] for i, hit in enumerate(hits) if (n := _number_of(tab, hit)) in rows}
    for group in groups:
        inside = [index for index in group if index in by_index]
        names = name_rows([by_index[index] for index in inside], label_of(hits[group[0]]))
        for index, name in zip(inside, names, strict=True):
            hits[index] = attrs.evolve(hits[index], row=name or None)
    count = len(found.elements)
    texts = [hit for hit in hits[count:] if isinstance(hit, Match)]
    return attrs.evolve(found, elements=hits[:count], texts=texts)
