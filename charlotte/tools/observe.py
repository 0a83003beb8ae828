"""Tools that return the current page, its changes since a snapshot, or things found on it."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Annotated, Any, Literal, cast

import attrs

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import Look, Reading, TabActor
from charlotte.actors.tab.verbs import reading
from charlotte.answers.answer import Answer, Page, Text, add_boundaries
from charlotte.answers.answer_format import wants_text
from charlotte.answers.deltas import hide_secrets
from charlotte.answers.news import news_of
from charlotte.answers.pages import (
    build_page,
    dialog_answer,
    limit_extras,
    news_as_json,
    page_answer,
    page_without_view,
    rendered_answer,
)
from charlotte.answers.remarks import news_remarks, write_remark
from charlotte.answers.render import (
    CHANGES,
    Envelope,
    cut_entry,
    render_diff,
    render_more,
    render_more_changes,
)
from charlotte.answers.text.cut import clip_lines
from charlotte.answers.text.lines import Piece
from charlotte.answers.text.outline import build_outline, grep_outline
from charlotte.answers.text_answers import diff_text, keep_lines, write_kept
from charlotte.base.errors import LONGEST, InvalidArgument
from charlotte.page.diff.views import diff_views
from charlotte.page.find import Cursor, parse_cursor
from charlotte.page.model import (
    LONGEST_TEXT,
    PageDetail,
    ReferenceTarget,
    SnapshotDiff,
    clip_around,
    clip_element,
    compact_json,
    count_fitting,
)
from charlotte.page.modes.lines import (
    DEEPEST,
    DEFAULT_LENGTH,
    DEFAULT_LINES,
    RAW,
    Format,
    Grep,
    Mode,
    ObserveOptions,
    OutputLine,
    RedactedGrep,
    format_lines,
    take_lines,
)
from charlotte.page.tokens import plural, write_line, write_lines
from charlotte.page.view import grep_view
from charlotte.tools.schema.arguments import Lenient, Limits, MaxChars, PageCursor, Rare, reader
from charlotte.tools.schema.tool import observation_tool

_read_options = reader(Grep)
Positive = Annotated[int, Limits(minimum=1)]
_TEXT_SHARE = 0.4
"""The share of the text in an answer that also describes its references."""

_RESERVED = 300
"""Characters reserved for the truncation and for the fences around the text."""

CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160), 0x2028, 0x2029), " ")
"""Control characters and line separators, which the text of a page must not contain."""


def read_grep(value: Any) -> object:
    """Read a pattern, or an object with a pattern and options; raises `InvalidArgument`."""
    if isinstance(value, str):
        with suppress(ValueError, RecursionError):  # options as JSON in a text
            read = json.loads(value)
            value = cast("Any", read if isinstance(read, dict) and "pattern" in read else value)
    grep = Grep(pattern=value) if isinstance(value, str) else _read_options(value)
    if isinstance(grep, Grep):
        grep.expression()
    return grep


def _check_view(arguments: Mapping[str, Any]) -> None:
    if (cursor := arguments["cursor"]) is not None:
        parse_cursor(cursor)
    elif arguments["format_"] == "markdown" and arguments["mode"] != "content":  # B-FMT-03
        raise InvalidArgument(
            f"format markdown is for mode content, not for mode {arguments['mode']}.",
            'Pass mode="content" with it, or leave format out.',
        )


@observation_tool(title="Read the page", position=200, blocked=dialog_answer, check=_check_view)
async def observe(
    tab: TabHandle,
    *,
    detail: Annotated[
        PageDetail, "Minimal: headings, counts; auto: about 4,000 characters; others: all."
    ] = "summary",
    mode: Annotated[
        Mode,
        (
            "Page: text and ids; content: text; tree: accessibility; interactive, all: "
            "elements; structure, outline: headings, landmarks; head: metadata."
        ),
    ] = "page",
    selector: Annotated[str | None, "CSS selector or id: return only that part."] = None,
    grep: Annotated[
        Any,
        Lenient(read_grep),
        "Regex or {pattern, ignore_case, invert, fixed_strings}: only lines that match.",
    ] = None,
    include_hidden: Annotated[bool, "Also hidden elements; not in modes page, content."] = False,
    include_refs: Annotated[bool, "Return ids of headings (JSON: CSS selectors)."] = False,
    include_bounds: Annotated[bool, "Return boxes in CSS px."] = False,
    include_styles: Annotated[bool, Rare, "Return computed styles (JSON only)."] = False,
    all_refs: Annotated[bool, "Give every listed element an id."] = False,
    max_depth: Annotated[
        int | None, Limits(minimum=1, maximum=DEEPEST), "Depth of the tree."
    ] = None,
    max_lines: Annotated[Positive, Rare, "Lines of mode structure."] = DEFAULT_LINES,
    max_length: Annotated[Positive, "Characters of mode content."] = DEFAULT_LENGTH,
    include_links: Annotated[bool, "Keep links in Markdown."] = True,
    include_images: Annotated[bool, Rare, "Keep images in Markdown."] = False,
    format_: Annotated[
        Format, "Markdown is for mode content; html is the page's source."
    ] = "lines",
    in_view: Annotated[bool, Rare, "Only what is in the viewport."] = False,
    snapshot: Annotated[bool, "Store a snapshot for diff."] = False,
    max_chars: MaxChars = None,
    cursor: PageCursor = None,
) -> Answer[Page]:
    """Return the current page: text, elements with ids and state, errors.

    To look for one thing, find costs less.
    """
    settings = tab.record.session.settings
    if cursor is not None:
        return await _continued(tab, parse_cursor(cursor), max_chars)
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
        in_view=in_view,
        max_chars=max_chars or settings.max_chars,
    )

    return await _read(tab, options, max_chars, snapshot=snapshot, with_bounds=include_bounds)


async def _read(
    tab: TabHandle,
    options: ObserveOptions,
    max_chars: int | None,
    *,
    snapshot: bool,
    with_bounds: bool,
) -> Answer[Page]:
    """Return the page of a tab; without ``max_chars``, up to the maximum of the session."""
    limit = max_chars or tab.record.session.settings.max_chars
    is_text_page = wants_text() and options.mode == "page" and options.format != "html"
    with_refs = options.include_refs
    options = attrs.evolve(options, include_refs=with_refs and not is_text_page, max_chars=limit)
    read: Literal["request", "observe"] = "request" if snapshot else "observe"
    if options.mode == "page" and options.format != "html":
        shown, is_partial, warnings = await tab.do(reading.read_view, options, source=read)
        extras: dict[str, Any] = {"warnings": [*options.ignored, *warnings]}
        if snapshot and is_text_page:
            extras["snapshot_id"] = shown.snapshot.id
        outline = None
        if is_text_page and (with_refs or with_bounds or options.grep):
            view = shown.snapshot.view
            built = build_outline(view, with_refs=with_refs, with_bounds=with_bounds)
            outline = hide_secrets(tab.record, built)
        if options.grep is not None:
            is_partial = True
            matches = options.grep.matcher()
            part = grep_view(shown.snapshot.view, matches, redact=tab.record.session.hidden)
            if outline is not None:
                outline, extras["matches"] = grep_outline(outline, matches)
                clip = partial(_clip_piece, clip=partial(clip_around, matches=matches))
                outline = attrs.evolve(outline, lines=clip_lines(outline.lines, clip))
            else:
                lines = [line for line in part.lines if not line.owner]
                extras["matches"] = sum(map(len, (part.interactive, part.headings, lines)))
                shown = attrs.evolve(shown, snapshot=attrs.evolve(shown.snapshot, view=part))
        return page_answer(
            tab.record,
            shown,
            options.detail,
            max_chars=limit,
            extras={name: value for name, value in extras.items() if value or name == "matches"},
            kept=tab.record.views.keep([shown.snapshot]) if is_partial else None,
            outline=outline,
        )
    keep = options.is_plain_tree and not snapshot and max_chars is None
    room = text_room(options, limit)
    text = await tab.do(reading.read_text, options, room, source=read, keep=keep)
    return text_answer(tab.record, text, options, limit)


def _clip_piece(piece: Piece, clip: Callable[[str, int], str]) -> Piece:
    return clip(piece, LONGEST_TEXT) if isinstance(piece, str) else clip_element(piece, clip=clip)


async def _continued(tab: TabHandle, place: Cursor, max_chars: int | None) -> Answer[Page]:
    record = tab.record
    limit = max_chars or record.session.settings.max_chars
    if place.part == "lines":
        return await _more_lines(tab, place, max_chars)
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


@observation_tool(title="Compare with a snapshot", position=230)
async def diff(
    tab: TabHandle,
    *,
    snapshot_id: Annotated[
        int | None,
        Limits(minimum=1),
        "Id of a snapshot from an earlier answer. Default: the newest.",
    ] = None,
    scope: Annotated[
        Literal["all", "structure", "interactive", "content"],
        "Changes to return: landmarks and headings, controls, text, or all.",
    ] = "all",
    max_chars: Annotated[MaxChars, Rare] = None,
) -> Answer[SnapshotDiff]:
    """Return what changed on the page since a snapshot.

    Actions return their own changes; use diff for changes that the page made by itself.
    """
    before, after = await tab.do(TabActor.since, snapshot_id)
    delta = diff_views(
        before.view, after.view, from_snapshot=before.id, to_snapshot=after.id, scope=scope
    )
    limit = max_chars or tab.record.session.settings.max_chars
    if wants_text():
        shown = diff_text(tab.record, before.view, after.view, scope, max_chars=limit)
        tab.record.ids.note_shown(shown.shown)
        tab.record.ids.note_page_shown()
        answer = Answer((Text(shown.text),), {"tab_id": tab.record.id}, value=delta)
        return attrs.evolve(answer, delivered=partial(tab.record.note_delivered, after.view))
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
    texts = write_lines((line.text for line in output.lines), is_html=options.format == "html")
    lines = [attrs.evolve(line, text=text) for line, text in zip(output.lines, texts, strict=True)]
    output = attrs.evolve(output, lines=lines)
    news = news_of(record)
    stored = reading.look.snapshot.id
    about: dict[str, Any] = {
        **({"snapshot_id": stored} if stored else {}),
        "tab_id": record.id,
        **limit_extras(news_as_json(news), max_chars),
    }
    if settled := reading.look.settled:
        about["unsettled"] = settled.unsettled
    warnings = [*report.warnings, *options.ignored]
    others = [about, report.as_json(), options.ignored, output.notes]
    room = _room(max_chars, len(compact_json(others)))
    for_text = text_room(options, room)
    most = min(for_text, output.longest or for_text)
    shown, start = take_lines(output.header, output.lines, most)
    record.ids.note_page_shown()
    text = format_lines(output.header, shown, output.notes, refs)
    if options.describes_refs:
        infos = reading.infos
        if not output.targets:
            given = {refs.get(each.nid) for each in _given(shown)}
            infos = {name: info for name, info in infos.items() if name in given}
        members = (f'"{name}":{compact_json(info)}' for name, info in infos.items())
        about["refs"] = dict(islice(infos.items(), count_fitting(members, room - len(text))))
        if left_out := len(infos) - len(about["refs"]):
            warnings.append(f"{left_out} of {len(infos)} refs were left out for lack of room.")
    about["metadata"] = attrs.evolve(report, warnings=warnings).as_json()
    if start or len(shown) < len(output.lines):
        first = keep_lines(record, output.lines, max_chars)
        rest = attrs.evolve(first, offset=len(shown) - bool(start), start=start)
        about["truncation"] = cut_entry("lines", len(output.lines), len(shown), rest)
    remarks = news_remarks(news)
    if settled:
        remarks.append(write_remark(record.session.hidden(settled.unsettled or ""), LONGEST))
    answer = _answer(record, about, build_page(news, reading.look, text), remarks)
    return attrs.evolve(answer, delivered=news.consume, news=news)


def text_room(options: ObserveOptions, room: int) -> int:
    """Return the number of characters for the text in an answer with so many characters."""
    return round(room * _TEXT_SHARE) if options.describes_refs else room


async def _more_lines(tab: TabHandle, place: Cursor, max_chars: int | None) -> Answer[Page]:
    """Return the next part of a cut answer, as long as the answer unless ``max_chars`` is given."""
    every = tab.record.lines.get(place.snapshot_id)
    rest = every[place.offset :]
    room = _room(max_chars or tab.record.lines.size_of(place.snapshot_id))
    lines, start = take_lines((), map(write_kept, rest), room, place.start)
    refs = await tab.do(reading.name_lines, _given(lines))
    about: dict[str, Any] = {"tab_id": tab.record.id}
    if start or len(lines) < len(rest):
        end = place.offset + len(lines) - bool(start)
        more = attrs.evolve(place, offset=end, start=start)
        about["truncation"] = cut_entry("lines", len(every), len(lines), more)
    page = page_without_view(tab.record, format_lines((), lines, (), refs))
    return _answer(tab.record, about, page)


def _room(max_chars: int, others: int = 0) -> int:
    """Return the number of characters for lines: at least half of the answer."""
    return max(max_chars - others - _RESERVED, max_chars // 2)


def _given(lines: Sequence[OutputLine]) -> list[ReferenceTarget]:
    return [line.target for line in lines if line.target]


def _answer(
    record: TabRecord, about: dict[str, Any], page: Page, remarks: Sequence[str] = ()
) -> Answer[Page]:
    """Return the text, and in a second block what there is to say about it.

    In JSON, the second block always exists and marks the text as untrusted; in an answer in the
    text form, it has only ``remarks``, warnings, and the cursor for the rest.
    """
    text = page.answer_text.translate(CONTROLS)
    metadata = {"tab_id": page.tab_id}
    if wants_text():
        lines = [*remarks, *_about_lines(about)]
        more = (Text("\n".join(lines)),) if lines else ()
        return Answer((Text(text, form="page"), *more), metadata, value=page)
    about |= {"untrusted": True, "length": len(page.answer_text)}
    if record.session.settings.config.content_boundaries:
        text = add_boundaries(text)
    blocks = (Text(text, form="page"), Text(compact_json(about), form="json"))
    return Answer(blocks, metadata, value=page)


def _about_lines(about: Mapping[str, Any]) -> Iterator[str]:
    for warning in about.get("metadata", {}).get("warnings", ()):
        if warning != RAW:  # all of a text that was asked for as HTML
            yield write_remark(warning, LONGEST)
    if "refs" in about:
        yield f"! refs: {write_line(compact_json(about['refs']))}"
    if cut := about.get("truncation"):
        more = cut["total"] - parse_cursor(cut["next_cursor"]).offset
        yield f'… {more:,} more {plural(more, "line")}: observe{{cursor: "{cut["next_cursor"]}"}}'
