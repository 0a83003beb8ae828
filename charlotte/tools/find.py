"""The tool that finds elements on a page, by text, kind, place or selector."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import attrs

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.verbs import searching
from charlotte.answers.answer import Answer, Found
from charlotte.answers.answer_format import wants_text
from charlotte.answers.pages import json_answer, lines_answer, nothing_while_dialog, rendered_answer
from charlotte.answers.remarks import LONGEST_REMARK, fit_lines
from charlotte.answers.render import render_list
from charlotte.answers.text.outline import Redact
from charlotte.base.errors import InvalidArgument
from charlotte.page.find import Cursor, Query, folded, parse_cursor
from charlotte.page.identity.references import Match
from charlotte.page.model import NO_STATE, Element, ElementType, clip_around, clip_element
from charlotte.page.tokens import plural, quote, write_address, write_control, write_line
from charlotte.tools.schema.arguments import (
    ElementId,
    Lenient,
    Limit,
    Limits,
    MaxChars,
    PageCursor,
    Rare,
    node_reference,
)
from charlotte.tools.schema.tool import observation_tool

_TAG = re.compile("[a-z][a-z0-9-]*")
"""A usual name of a tag; others may contain brackets and commas."""

_MOST_LISTED_TEXTS, _USUAL_LIMIT = 5, 50
_NOTHING_FOUND = "no elements found"
Refs = Annotated[
    Sequence[Annotated[str, Lenient(node_reference)]], Limits(min_length=1, max_length=200)
]
"""References of any form, because `find` reports malformed references as invalid."""


def write_found(
    found: Sequence[Element | Match],
    identify: Callable[[Match], str],
    page_url: str,
    redact: Redact = str,
) -> list[str]:
    """Return a line for each element or node; ``identify`` returns the id of a node.

    The text near an element is written if another element of the page has the same name.
    """
    lines: list[str] = []
    for one in found:
        element = one if isinstance(one, Element) else one.element
        if element is not None:
            if isinstance(one, Match) and one.row:
                element = attrs.evolve(element, row=one.row)
            lines.append(_write_element(element, page_url, redact))
        elif isinstance(one, Match):
            lines.append(_write_node(one, identify(one)))
    return lines


def _write_element(element: Element, page_url: str, redact: Redact) -> str:
    more: list[str] = []
    if element.row:
        more.append(f"in row {quote(element.row)}")
    elif element.label and element.near:
        more.append(f"near {quote(element.near)}")
    if element.href:
        more.append(f"-> {write_address(redact(element.href), page_url)}")
    return write_control(element, more=", ".join(more))


def _write_node(match: Match, node_id: str) -> str:
    """Return a node as ``dom-12ab "text" [td, under "Heading"]``; a sought role, not the tag."""
    is_by_role = bool(match.role and match.excerpt)
    name = match.role if is_by_role else match.tag
    facts = [name if _TAG.fullmatch(name) else quote(name)]
    if match.row:
        facts.append(f"in row {quote(match.row)}")
    if match.landmark:
        facts.append(f"in {quote(match.landmark)}")
    if match.heading:
        facts.append(f"under {quote(match.heading)}")
    return f"{node_id} {quote(match.excerpt or match.text)} [{', '.join(facts)}]"


def _check_question(arguments: Mapping[str, Any]) -> None:
    if (cursor := arguments["cursor"]) is not None:
        parse_cursor(cursor)
        return
    filters = ("text", "role", "type_", "row", "near", "within", "selector")
    given = [name.strip("_") for name in filters if arguments[name] is not None]
    if not given and arguments["refs"] is None:
        raise InvalidArgument(
            "find needs text, role or type, row, near or within, selector or refs.",
            "Pass one of them, or use observe for the whole page.",
        )
    if given and arguments["refs"] is not None:
        raise InvalidArgument(
            f"refs is not allowed with {', '.join(given)}.", "Use separate calls."
        )
    if arguments["role"] == "":
        raise InvalidArgument("role must not be empty.", "Leave it out, or pass an ARIA role.")


@observation_tool(
    title="Find elements", position=210, blocked=nothing_while_dialog, check=_check_question
)
async def find(
    tab: TabHandle,
    *,
    text: Annotated[str | None, "Part of a label, title, value, placeholder or option."] = None,
    role: Annotated[str | None, "Exact ARIA role, such as row."] = None,
    type_: Annotated[ElementType | None, "Kind of control."] = None,
    row: Annotated[str | None, "Text in the same row, list item or card."] = None,
    near: Annotated[ElementId | None, "Id: elements within 200 px, nearest first."] = None,
    within: Annotated[ElementId | None, "Id of a container, such as a form or row."] = None,
    selector: Annotated[str | None, "CSS selector, for any DOM element."] = None,
    refs: Annotated[Refs | None, "Ids: return which are still valid; no other filter."] = None,
    limit: Annotated[Limit | None, "Most results. Default: 50; with a cursor, as before."] = None,
    max_chars: Annotated[MaxChars, Rare] = None,
    cursor: PageCursor = None,
) -> Answer[Found]:
    """Find interactive elements that match all given filters; return ids, states and values.

    With `text`, other places that contain it come last.
    """
    if refs is not None:
        return await _check_refs(tab, refs)
    record = tab.record
    room = max_chars or record.session.settings.max_chars
    if cursor is not None:
        place = parse_cursor(cursor)
        kept = record.findings.get(place.snapshot_id)
        limit = limit or record.findings.size_of(place.snapshot_id)
        return _list_answer(record, kept, place, limit=limit, max_chars=room)
    limit = limit or _USUAL_LIMIT
    query = Query(text=text, role=role, type=type_, redact=record.session.hidden)
    result = await tab.do(
        searching.search, query, near=near, within=within, selector=selector, row=row
    )
    found = [*result.elements, *(() if record.error_note else result.texts)]
    found = [_clip(one, query) for one in found]
    number, room = record.findings.keep(found, limit), room - len(result.note)
    if len(result.elements) <= limit:
        limit = len(result.elements) + min(limit, _MOST_LISTED_TEXTS)
    place = Cursor(number, "elements", 0)
    answer = _list_answer(record, found, place, limit=limit, max_chars=room)
    return answer.with_note(result.note) if result.note else answer


def _clip(one: Element | Match, query: Query) -> Element | Match:
    """Return a result with long texts cut around the text of the query."""
    element = one if isinstance(one, Element) else one.element
    if element is None:
        return one
    text = folded(query.text or "")

    def clip(value: str, limit: int) -> str:
        return clip_around(query.redact(value), limit, lambda part: text in folded(part))

    element = clip_element(element, clip=clip)
    return element if isinstance(one, Element) else attrs.evolve(one, element=element)


async def _check_refs(tab: TabHandle, refs: Sequence[str]) -> Answer[Found]:
    """Return which of the references still lead to elements."""
    record = tab.record
    reasons = await tab.do(TabActor.reasons_against, refs)
    valid = [reference for reference in refs if reference not in reasons]
    value = Found(tab_id=record.id, items=(), total=0, valid=tuple(valid), invalid=reasons)
    if wants_text():
        lines = [f"valid: {', '.join(valid)}"] if valid else []
        lines += [f"invalid {quote(name)}: {write_line(reasons[name])}" for name in reasons]
        return lines_answer(lines, value, tab_id=record.id)
    body = {"valid": valid, "invalid": [*reasons], "reasons": reasons, "tab_id": record.id}
    return json_answer(body, value, tab_id=record.id)


def _list_answer(
    record: TabRecord,
    found: Sequence[Element | Match],
    place: Cursor,
    *,
    limit: int,
    max_chars: int,
) -> Answer[Found]:
    """Return a part of a list; the list is stored for cursors until all of it was sent."""
    dom = record.dom
    some = found[place.offset : place.offset + limit]
    items = [one if isinstance(one, Element) else _node(one, dom.identify(one)) for one in some]
    count, total = _count_elements(some), _count_elements(found)
    elements, texts = tuple(items[:count]), tuple(items[count:])
    value = Found(tab_id=record.id, items=elements, texts=texts, total=total)
    if wants_text():
        return _lines_of_list(record, found, place, value, max_chars=max_chars)

    def as_json(one: Element | Match) -> dict[str, Any]:
        return one.as_json() if isinstance(one, Element) else one.as_json(dom.identify(one))

    rendered = render_list(found, as_json, place, limit=limit, max_chars=max_chars)
    if rendered.complete and not place.offset:
        record.findings.forget(place.snapshot_id)
    record.ids.note_shown(rendered.shown)
    return rendered_answer(record, rendered, value)


def _count_elements(found: Sequence[Element | Match]) -> int:
    """Return how many of the results are no places of text, which follow the elements."""
    return sum(isinstance(one, Element) or not one.is_text for one in found)


def _lines_of_list(
    record: TabRecord,
    found: Sequence[Element | Match],
    place: Cursor,
    value: Found,
    *,
    max_chars: int,
) -> Answer[Found]:
    """Return the lines of a part of a list, and one that counts the rest."""
    items = [*value.items, *value.texts]
    some = found[place.offset : place.offset + len(items)]
    lines = write_found(some, record.dom.identify, record.url, record.session.hidden)
    if value.texts:
        none = [] if value.items or place.offset else [_NOTHING_FOUND]
        first = len(value.items)
        lines[first] = "\n".join([*none, "! other places with the text:", lines[first]])
    shown = fit_lines(lines, max_chars - LONGEST_REMARK)
    controls = (one if isinstance(one, Element) else one.element for one in some[: len(shown)])
    record.ids.note_shown(
        (control or item).id for control, item in zip(controls, items, strict=False)
    )
    end = place.offset + len(shown)
    if left := found[end:]:
        elements = _count_elements(left)
        kinds = {"element": elements, "text": len(left) - elements}
        more = [f"{count} more {plural(count, noun)}" for noun, count in kinds.items() if count]
        cursor = Cursor(place.snapshot_id, place.part, end)
        shown.append(f'… {" and ".join(more)}: find{{cursor: "{cursor}"}}')
    elif not place.offset:
        record.findings.forget(place.snapshot_id)
    return lines_answer(shown or [_NOTHING_FOUND], value, tab_id=record.id)


def _node(match: Match, element_id: str) -> Element:
    """Return a match of a selector as an element; the role is empty if observe omits it."""
    listed = match.element
    return Element(
        id=element_id,
        type=match.tag,
        role=listed.role if listed else "",
        label=match.text,
        bounds=match.bounds,
        state=listed.state if listed else NO_STATE,
        href=listed.href if listed else None,
        placeholder=None,
        value=listed.value if listed else None,
        options=listed.options if listed else None,
        landmark=-1,
    )
