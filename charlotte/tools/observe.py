"""Tools that return the current page, and its changes since a snapshot."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.state.news import news_of
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab import reading
from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.look import Look
from charlotte.actors.tab.reading import PartialLook
from charlotte.page.model import SnapshotDiff
from charlotte.page.modes.grep import Grep, RedactedGrep
from charlotte.page.modes.options import (
    DEEPEST,
    DEFAULT_LENGTH,
    DEFAULT_LINES,
    Format,
    Mode,
    ObserveOptions,
    check_format,
)
from charlotte.page.render.cut import Cursor, parse_cursor
from charlotte.page.render.envelope import Envelope
from charlotte.page.render.page import CHANGES, render_diff, render_more, render_more_changes
from charlotte.tools.answer import Answer
from charlotte.tools.pages import build_page, dialog_answer, page_answer, rendered_answer
from charlotte.tools.results import Page
from charlotte.tools.schema.arguments import reader
from charlotte.tools.schema.json_schema import Lenient, Limits
from charlotte.tools.schema.parameters import MaxChars, PageCursor, PageDetail
from charlotte.tools.schema.tool import tool
from charlotte.tools.text_answers import (
    lines_after,
    more_lines_answer,
    text_answer,
    text_room,
)

_read_options = reader(Grep)


def read_grep(value: Any) -> object:
    """Read a pattern, or an object with a pattern and options; raises `InvalidArgument`."""
    grep = Grep(pattern=value) if isinstance(value, str) else _read_options(value)
    if isinstance(grep, Grep):
        grep.expression()
    return grep


Positive = Annotated[int, Limits(minimum=1)]
Depth = Annotated[int | None, Limits(minimum=1, maximum=DEEPEST)]


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
    max_depth: Depth = None,
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
        grep=grep and RedactedGrep.of(grep, tab.record.session.hidden),
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
        partial = await tab.do(reading.read_view, options, source=read)
        return _page_answer(tab.record, partial, options)
    keep = options.is_plain_tree and not snapshot and max_chars is None
    room = text_room(options, limit)
    text = await tab.do(reading.read_text, options, room, source=read, keep=keep)
    return text_answer(tab.record, text, options, limit)


def _page_answer(record: TabRecord, partial: PartialLook, options: ObserveOptions) -> Answer[Page]:
    """Return the page as JSON; a view that differs from the stored one is kept for cursors."""
    shown, kept = partial.shown, None
    if shown.snapshot.view is not partial.look.snapshot.view:
        kept = record.views.keep([shown.snapshot])
    warnings = [*options.ignored, *filter(None, [partial.warning])]
    extras = {"warnings": warnings} if warnings else None
    return page_answer(
        record, shown, options.detail, max_chars=options.max_chars, extras=extras, kept=kept
    )


async def _continued(tab: TabHandle, place: Cursor, limit: int) -> Answer[Page]:
    record = tab.record
    if place.part == "lines":
        lines, given = lines_after(record, place, limit)
        refs = await tab.do(reading.name_lines, given)
        return more_lines_answer(record, place, lines, refs)
    if place.part == CHANGES:
        return _more_changes(record, place, limit)
    kept = place.snapshot_id if place.kept else None
    if kept is None:
        snapshot = await tab.do(Tab.snapshot, place.snapshot_id)
    else:
        [snapshot] = record.views.get(kept)
    envelope = Envelope(
        snapshot_id=snapshot.id, timestamp=snapshot.timestamp, tab_id=record.id, kept=kept
    )
    rendered = render_more(snapshot.view, place, envelope, max_chars=limit)
    page = build_page(news_of(record), Look(snapshot), rendered.text)
    return rendered_answer(record, rendered, page)


def _more_changes(record: TabRecord, place: Cursor, limit: int) -> Answer[Page]:
    changes = record.deltas.get(place.snapshot_id)
    rendered = render_more_changes(changes, place, record.id, max_chars=limit)
    record.ids.note_shown(rendered.shown)
    page = Page(tab_id=record.id, url=record.url, title=record.title, answer_text=rendered.text)
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
    delta = await tab.do(Tab.changes_since, snapshot_id, scope)
    limit = max_chars or tab.record.session.settings.max_chars
    number = tab.record.deltas.keep(delta.changes)
    rendered = render_diff(delta, tab.record.id, number=number, max_chars=limit)
    if rendered.complete:
        tab.record.deltas.forget(number)
    tab.record.ids.note_shown(rendered.shown)
    tab.record.ids.note_page_shown()
    return rendered_answer(tab.record, rendered, delta)
