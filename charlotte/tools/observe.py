"""Tools that show a page as it is, and what has changed on it."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from charlotte.actors.state.news import news_of
from charlotte.actors.tab.actor import Look, Tab
from charlotte.page.diff.changes import SnapshotDiff
from charlotte.page.modes.grep import RedactedGrep
from charlotte.page.render.cut import Cursor, parse_cursor
from charlotte.page.render.envelope import Envelope
from charlotte.page.render.page import CHANGES, render_diff, render_more, render_more_changes
from charlotte.tools.answer import Answer
from charlotte.tools.modes import plain_tree, retold, text_answer
from charlotte.tools.observe_options import (
    DEEPEST,
    DEFAULT_LENGTH,
    DEFAULT_LINES,
    Format,
    Mode,
    Wish,
    check_format,
    read_grep,
)
from charlotte.tools.pages import dialog_answer, page_answer, page_of, rendered_answer
from charlotte.tools.results import Page
from charlotte.tools.schema.json_schema import Lenient, Limits
from charlotte.tools.schema.parameters import MaxChars, PageCursor, PageDetail
from charlotte.tools.schema.tool import tool
from charlotte.tools.scoping import scope_of
from charlotte.tools.telling import more_lines

Positive = Annotated[int, Limits(minimum=1)]
Depth = Annotated[int | None, Limits(minimum=1, maximum=DEEPEST)]


def _check_view(arguments: Mapping[str, Any]) -> None:
    if (cursor := arguments["cursor"]) is not None:
        parse_cursor(cursor)
    else:
        check_format(arguments["mode"], arguments["format_"])


@tool(group="observation", position=200, read_only=True, blocked=dialog_answer, check=_check_view)
async def observe(
    tab: Tab,
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
    if cursor is not None:
        return await _continued(tab, cursor, max_chars)
    wish = Wish(
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
        max_chars=max_chars or tab.record.session.settings.max_chars,
    )
    if wish.is_plain_tree and not snapshot and max_chars is None:
        return await plain_tree(tab, wish)
    look = await tab.look("request" if snapshot else "observe")
    if mode == "page" and format_ != "html":
        return await _page(tab, look, wish)
    return await text_answer(tab, look, wish)


async def _page(tab: Tab, look: Look, wish: Wish) -> Answer[Page]:
    """The page as C's JSON; what is told otherwise than it is stored is kept for its cursors."""
    scope = await scope_of(tab, wish.selector)
    shown = await retold(tab, look, wish, scope)
    kept = None
    if shown.snapshot.view is not look.snapshot.view:
        kept = tab.record.views.keep([shown.snapshot])
    warnings = [*wish.ignored, *filter(None, [scope.warning])]
    extras = {"warnings": warnings} if warnings else None
    return page_answer(tab, shown, wish.detail, max_chars=wish.max_chars, extras=extras, kept=kept)


async def _continued(tab: Tab, cursor: str, max_chars: int | None) -> Answer[Page]:
    place = parse_cursor(cursor)
    limit = max_chars or tab.record.session.settings.max_chars
    if place.part == "lines":
        return await more_lines(tab, place, limit)
    if place.part == CHANGES:
        return _more_changes(tab, place, max_chars)
    kept = place.snapshot_id if place.kept else None
    if kept is None:
        snapshot = await tab.snapshot(place.snapshot_id)
    else:
        [snapshot] = tab.record.views.get(kept)
    envelope = Envelope(
        snapshot_id=snapshot.id, timestamp=snapshot.timestamp, tab_id=tab.record.id, kept=kept
    )
    rendered = render_more(snapshot.view, place, envelope, max_chars=limit)
    return rendered_answer(
        tab, rendered, page_of(news_of(tab.record), Look(snapshot), rendered.text)
    )


def _more_changes(tab: Tab, place: Cursor, max_chars: int | None) -> Answer[Page]:
    record = tab.record
    changes = record.deltas.get(place.snapshot_id)
    limit = max_chars or record.session.settings.max_chars
    rendered = render_more_changes(changes, place, record.id, max_chars=limit)
    record.ids.show(rendered.shown)
    page = Page(tab_id=record.id, url=record.url, title=record.title, told=rendered.text)
    return rendered_answer(tab, rendered, page)


@tool(group="observation", position=230, read_only=True)
async def diff(
    tab: Tab,
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
    delta = await tab.changes_since(snapshot_id, scope)
    limit = max_chars or tab.record.session.settings.max_chars
    number = tab.record.deltas.keep(delta.changes)
    rendered = render_diff(delta, tab.record.id, number=number, max_chars=limit)
    if rendered.complete:
        tab.record.deltas.forget(number)
    tab.record.ids.show(rendered.shown)
    tab.record.ids.note_page_shown()
    return rendered_answer(tab, rendered, delta)
