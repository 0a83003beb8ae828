"""Tools that return the current page, its changes since a snapshot, or things found on it."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import attrs

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.state.records import TabRecord, news_of
from charlotte.actors.tab import reading
from charlotte.actors.tab.actor import Look, Reading, TabActor
from charlotte.errors import InvalidArgument
from charlotte.page.find import Cursor, Query, parse_cursor
from charlotte.page.identity.references import Match
from charlotte.page.model import NO_STATE, Element, ReferenceTarget, SnapshotDiff, compact_json
from charlotte.page.modes.lines import (
    DEEPEST,
    DEFAULT_LENGTH,
    DEFAULT_LINES,
    Format,
    Grep,
    Mode,
    ObserveOptions,
    OutputLine,
    RedactedGrep,
    check_format,
    count_fitting_lines,
    format_lines,
    limit_infos,
)
from charlotte.page.render import (
    CHANGES,
    Envelope,
    PageDetail,
    render_diff,
    render_list,
    render_more,
    render_more_changes,
)
from charlotte.tools.answer import Answer, Found, Page, Text
from charlotte.tools.pages import (
    build_page,
    dialog_answer,
    json_answer,
    limit_extras,
    news_as_json,
    nothing_while_dialog,
    page_answer,
    page_without_view,
    rendered_answer,
)
from charlotte.tools.schema.arguments import (
    ElementId,
    Lenient,
    Limit,
    Limits,
    MaxChars,
    PageCursor,
    node_reference,
    reader,
)
from charlotte.tools.schema.tool import tool

_read_options = reader(Grep)
Positive = Annotated[int, Limits(minimum=1)]
_TEXT_SHARE = 0.4
"""The share of the text in an answer that also describes its references."""

_RESERVED = 300
"""Characters reserved for the truncation and for the fences around the text."""

CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160), 0x2028, 0x2029), " ")
"""Control characters and line separators, which the text of a page must not contain."""

_MOST_TEXTS = 5
_TEXTS_ENDS = 20
_LEAST_ROOM_FOR_TEXTS = 500
Refs = Annotated[
    Sequence[Annotated[str, Lenient(node_reference)]], Limits(min_length=1, max_length=200)
]
"""References of any form, because `find` reports malformed references as invalid."""


def read_grep(value: Any) -> object:
    """Read a pattern, or an object with a pattern and options; raises `InvalidArgument`."""
    grep = Grep(pattern=value) if isinstance(value, str) else _read_options(value)
    if isinstance(grep, Grep):
        grep.expression()
    return grep


def _check_view(arguments: Mapping[str, Any]) -> None:
    if (cursor := arguments["cursor"]) is not None:
        parse_cursor(cursor)
    else:
        check_format(arguments["mode"], arguments["format_"])


@tool(group="observation", position=200, read_only=True, blocked=dialog_answer, check=_check_view)
async def observe(
    tab: TabHandle,
    *,
    detail: Annotated[
        PageDetail, "minimal: structure and counts; summary: every element; full: also all text"
    ] = "summary",
    mode: Annotated[
        Mode, "page: JSON; others: lines, such as content (text), tree (roles), interactive"
    ] = "page",
    selector: Annotated[str | None, "CSS or id: return only this part"] = None,
    grep: Annotated[
        Any, Lenient(read_grep), "Regex, or {pattern, ignore_case, invert, fixed_strings}"
    ] = None,
    include_hidden: bool = False,
    include_refs: bool = False,
    include_styles: bool = False,
    all_refs: bool = False,
    max_depth: Annotated[int | None, Limits(minimum=1, maximum=DEEPEST)] = None,
    max_lines: Positive = DEFAULT_LINES,
    max_length: Positive = DEFAULT_LENGTH,
    include_links: bool = True,
    include_images: bool = False,
    format_: Format = "lines",
    snapshot: Annotated[bool, "Always store it for diff"] = False,
    max_chars: MaxChars = None,
    cursor: PageCursor = None,
) -> Answer[Page]:
    """Return the current page: landmarks, headings, elements with ids and state, forms, errors.

    To look for one thing, use find: it costs less.
    """
    limit = max_chars or tab.record.session.settings.max_chars
    if cursor is not None:
        return await _continued(tab, parse_cursor(cursor), limit)
    options = ObserveOptions(
        mode=mode,
        format=format_,
        detail=detail,
        selector=selector,
        grep=grep and RedactedGrep(redact=tab.record.session.hidden, **attrs.asdict(grep)),
        include_hidden=include_hidden,
        include_refs=include_refs,
        include_styles=include_styles,
        all_refs=all_refs,
        max_depth=max_depth,
        max_lines=max_lines,
        max_length=max_length,
        include_links=include_links,
        include_images=include_images,
        max_chars=limit,
    )
    read: Literal["request", "observe"] = "request" if snapshot else "observe"
    if mode == "page" and format_ != "html":
        shown, is_partial, warnings = await tab.do(reading.read_view, options, source=read)
        warnings = [*options.ignored, *warnings]
        return page_answer(
            tab.record,
            shown,
            detail,
            max_chars=limit,
            extras={"warnings": warnings} if warnings else None,
            kept=tab.record.views.keep([shown.snapshot]) if is_partial else None,
        )
    keep = options.is_plain_tree and not snapshot and max_chars is None
    room = text_room(options, limit)
    text = await tab.do(reading.read_text, options, room, source=read, keep=keep)
    return text_answer(tab.record, text, options, limit)


async def _continued(tab: TabHandle, place: Cursor, limit: int) -> Answer[Page]:
    record = tab.record
    if place.part == "lines":
        return await _more_lines(tab, place, limit)
    if place.part == CHANGES:
        changes = record.deltas.get(place.snapshot_id)
        rendered = render_more_changes(changes, place, record.id, max_chars=limit)
        record.ids.note_shown(rendered.shown)
        return rendered_answer(record, rendered, page_without_view(record, rendered.text))
    if place.kept:
        [snapshot] = record.views.get(place.snapshot_id)
    else:
        snapshot = await tab.do(TabActor.snapshot, place.snapshot_id)
    envelope = Envelope(
        snapshot_id=snapshot.id,
        timestamp=snapshot.timestamp,
        tab_id=record.id,
        kept=place.snapshot_id if place.kept else None,
    )
    rendered = render_more(snapshot.view, place, envelope, max_chars=limit)
    page = build_page(news_of(record), Look(snapshot), rendered.text)
    return rendered_answer(record, rendered, page)


@tool(group="observation", position=230, read_only=True)
async def diff(
    tab: TabHandle,
    *,
    snapshot_id: Annotated[
        int | None, Limits(minimum=1), "From an earlier answer; default: newest"
    ] = None,
    scope: Literal["all", "structure", "interactive", "content"] = "all",
    max_chars: MaxChars = None,
) -> Answer[SnapshotDiff]:
    """Return what changed on the page since a snapshot.

    Actions return their own changes; use diff for changes that the page made by itself.
    """
    delta = await tab.do(TabActor.changes_since, snapshot_id, scope)
    limit = max_chars or tab.record.session.settings.max_chars
    number = tab.record.deltas.keep(delta.changes)
    rendered = render_diff(delta, tab.record.id, number=number, max_chars=limit)
    if rendered.complete:
        tab.record.deltas.forget(number)
    tab.record.ids.note_shown(rendered.shown)
    tab.record.ids.note_page_shown()
    return rendered_answer(tab.record, rendered, delta)


def text_answer(
    record: TabRecord, reading: Reading, options: ObserveOptions, max_chars: int
) -> Answer[Page]:
    """Return as many lines as there is room for, with their e-refs, and JSON about them."""
    output, report, refs = reading.output, reading.report, reading.refs
    news = news_of(record)
    stored = reading.look.snapshot.id
    about: dict[str, Any] = {
        **({"snapshot_id": stored} if stored else {}),
        "tab_id": record.id,
        **limit_extras(news_as_json(news), max_chars),
    }
    warnings = [*report.warnings, *options.ignored]
    others = [about, report.as_json(), options.ignored, output.notes]
    room = _room(max_chars, len(compact_json(others)))
    for_text = text_room(options, room)
    count = count_fitting_lines(
        output.header, output.lines, min(for_text, output.longest or for_text)
    )
    record.ids.note_page_shown()
    text = format_lines(output.header, output.lines[:count], output.notes, refs)
    if options.describes_refs:
        infos = reading.infos
        if not output.targets:
            shown = {refs.get(each.nid) for each in _given(output.lines[:count])}
            infos = {name: info for name, info in infos.items() if name in shown}
        about["refs"] = limit_infos(infos, room - len(text))
        if left_out := len(infos) - len(about["refs"]):
            warnings.append(f"{left_out} of {len(infos)} refs were left out for lack of room.")
    about["metadata"] = attrs.evolve(report, warnings=warnings).as_json()
    if count < len(output.lines):
        number = record.lines.keep(output.lines)
        about["truncation"] = _truncation(output.lines, number, 0, count)
    answer = _answer(record, about, build_page(news, reading.look, text))
    return attrs.evolve(answer, delivered=news.consume, news=news)


def text_room(options: ObserveOptions, room: int) -> int:
    """Return the number of characters for the text in an answer with so many characters."""
    return round(room * _TEXT_SHARE) if options.describes_refs else room


async def _more_lines(tab: TabHandle, place: Cursor, max_chars: int) -> Answer[Page]:
    """Return the next part of a cut answer."""
    every = tab.record.lines.get(place.snapshot_id)
    rest = every[place.offset :]
    lines = rest[: count_fitting_lines((), rest, _room(max_chars))]
    refs = await tab.do(reading.name_lines, _given(lines))
    about: dict[str, Any] = {"tab_id": tab.record.id}
    if len(lines) < len(rest):
        about["truncation"] = _truncation(every, place.snapshot_id, place.offset, len(lines))
    page = page_without_view(tab.record, format_lines((), lines, (), refs))
    return _answer(tab.record, about, page)


def _room(max_chars: int, others: int = 0) -> int:
    """Return the number of characters for lines: at least half of the answer."""
    return max(max_chars - others - _RESERVED, max_chars // 2)


def _given(lines: Sequence[OutputLine]) -> list[ReferenceTarget]:
    return [line.target for line in lines if line.target]


def _truncation(
    lines: Sequence[OutputLine], number: int, offset: int, count: int
) -> dict[str, Any]:
    return {
        "part": "lines",
        "total": len(lines),
        "returned": count,
        "next_cursor": str(Cursor(number, "lines", offset + count)),
    }


def _answer(record: TabRecord, about: dict[str, Any], page: Page) -> Answer[Page]:
    """Return the text and the JSON, which marks the text as untrusted."""
    about |= {"untrusted": True, "length": len(page.answer_text)}
    text = page.answer_text.translate(CONTROLS)
    if record.session.settings.content_boundaries:
        nonce = secrets.token_hex(8)  # a page that cannot guess it cannot end its text
        text = f"--- page {nonce} ---\n{text}\n--- end of page {nonce} ---"
    return Answer((Text(text), Text(compact_json(about))), {"tab_id": page.tab_id}, value=page)


def _check_question(arguments: Mapping[str, Any]) -> None:
    if (cursor := arguments["cursor"]) is not None:
        parse_cursor(cursor)
        return
    filters = ("text", "role", "type_", "near", "within", "selector")
    given = [name.strip("_") for name in filters if arguments[name] is not None]
    if not given and arguments["refs"] is None:
        raise InvalidArgument(
            "find needs text, role or type, near or within, selector or refs.",
            "Pass one of them, or use observe for the whole page.",
        )
    if given and arguments["refs"] is not None:
        raise InvalidArgument(
            f"refs is not allowed with {', '.join(given)}.", "Use separate calls."
        )


@tool(
    group="observation",
    position=210,
    read_only=True,
    blocked=nothing_while_dialog,
    check=_check_question,
)
async def find(
    tab: TabHandle,
    *,
    text: Annotated[str | None, "Part of label, title, value, placeholder or option"] = None,
    role: Annotated[str | None, "ARIA role, exact"] = None,
    type_: Annotated[str | None, "Element type from observe"] = None,
    near: Annotated[ElementId | None, "Id: elements within 200 px, nearest first"] = None,
    within: Annotated[ElementId | None, "Id of a container (landmark, dom- id of a row)"] = None,
    selector: Annotated[str | None, "CSS, for any DOM element"] = None,
    refs: Annotated[Refs | None, "Ids to check for validity; no other filter"] = None,
    limit: Limit = 50,
    max_chars: MaxChars = None,
    cursor: PageCursor = None,
) -> Answer[Found]:
    """Find interactive elements, also those that observe cut; all given filters must match.

    Returns records with ids. With `text`, exact matches come first; `texts` lists other places on
    the page that contain it.
    """
    record = tab.record
    if refs is not None:
        reasons = await tab.do(TabActor.reasons_against, refs)
        valid = [reference for reference in refs if reference not in reasons]
        body = {"valid": valid, "invalid": [*reasons], "reasons": reasons, "tab_id": record.id}
        value = Found(tab_id=record.id, items=(), total=0, valid=tuple(valid), invalid=reasons)
        return json_answer(body, value, tab_id=record.id)
    room = max_chars or record.session.settings.max_chars
    if cursor is not None:
        place = parse_cursor(cursor)
        kept = record.findings.get(place.snapshot_id)
        return _list_answer(record, kept, place, limit=limit, max_chars=room)
    query = Query(text=text, role=role, type=type_, redact=record.session.hidden)
    found, texts = await tab.do(reading.search, query, near=near, within=within, selector=selector)
    first = Cursor(record.findings.keep(found), "elements", 0)
    answer = _list_answer(record, found, first, limit=limit, max_chars=room)
    room -= len(answer.text)
    if not texts or room < _LEAST_ROOM_FOR_TEXTS:
        return answer
    return _with_texts(record, answer, texts, room)


def _with_texts(
    record: TabRecord, answer: Answer[Found], texts: Sequence[Match], room: int
) -> Answer[Found]:
    """Add a second block to an answer: other places that contain the text."""
    first = Cursor(record.findings.keep(texts), "texts", 0)
    more = _list_answer(record, texts, first, limit=_MOST_TEXTS, max_chars=room - _TEXTS_ENDS)
    listed = more.text if more.text.startswith("{") else f'{{"texts":{more.text}}}'
    value = attrs.evolve(answer.value, texts=more.value.items)
    return attrs.evolve(answer, blocks=(*answer.blocks, Text(listed)), value=value)


def _list_answer(
    record: TabRecord,
    found: Sequence[Element | Match],
    place: Cursor,
    *,
    limit: int,
    max_chars: int,
) -> Answer[Found]:
    """Return a part of a list; the list is stored for cursors until all of it was sent."""

    def as_json(one: Element | Match) -> dict[str, Any]:
        return one.as_json() if isinstance(one, Element) else one.as_json(dom.identify(one))

    dom = record.dom
    rendered = render_list(
        place.part,
        found,
        as_json,
        number=place.snapshot_id,
        offset=place.offset,
        limit=limit,
        max_chars=max_chars,
    )
    if rendered.complete and not place.offset:
        record.findings.forget(place.snapshot_id)
    shown = rendered.body if rendered.complete else rendered.body[place.part]
    record.ids.note_shown(record.get("element", record["id"]) for record in shown)
    some = found[place.offset : place.offset + limit]
    items = [one if isinstance(one, Element) else _node(one, dom.identify(one)) for one in some]
    value = Found(tab_id=record.id, items=tuple(items), total=len(found))
    return rendered_answer(record, rendered, value)


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
