"""Rendering of views, changes and lists as responses: detail levels, order of keys, size."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import attrs

from charlotte.errors import InvalidArgument
from charlotte.page.content_summary import (
    content_summary,
    interactive_summary,
    shorten_summary,
    text_lines,
)
from charlotte.page.diff.lines import find_own_texts, split_words
from charlotte.page.model import (
    Change,
    Element,
    Landmark,
    PageRecord,
    PageView,
    SnapshotDiff,
    compact_json,
    ellipsize,
)
from charlotte.page.render.cut import (
    Cursor,
    CutList,
    build_list,
    build_list_of_texts,
    build_truncations,
    cut_to_fit,
    write_json,
)
from charlotte.page.render.envelope import Envelope, RenderedText

T = TypeVar("T")

Detail = Literal["minimal", "summary", "full", "auto", "delta"]

MAX_CHARS = 40_000
AUTO_CHARS = 4_000
"""Longest ``summary`` that ``auto`` returns instead of ``minimal``."""

CHANGES = "changes"
"""Name of the list of changes in a delta."""

_SMALLEST_ELEMENT = 66
"""Characters of an element without a label, to skip ``summary`` for pages with many elements."""

_LEAST_TEXT = 500
"""Characters of text that even a response with many elements contains."""

_CLICKABLES = 50
_LONGEST_URL = 2_000
_LONGEST_LINE = 500
_LINES_NOTE = 100
"""Characters reserved for the count of lines that are left out."""

_LIST_ENDS = 200
"""Characters reserved for the keys around a cut list."""

_DIFF_ENDS = 500


def render_view(
    view: PageView, detail: Detail, envelope: Envelope, *, max_chars: int = MAX_CHARS
) -> RenderedText:
    """Render the page at a detail level.

    ``delta`` without a delta is ``auto``, as is a delta in which everything is new, if the page is
    shorter. ``minimal`` with a delta is never longer than the delta.
    """
    match detail:
        case "minimal" if envelope.delta is not None:
            return _render_least(view, envelope, envelope.delta, max_chars)
        case "minimal":
            return _render_minimal(view, envelope, max_chars)
        case "full":
            return _render_elements(view, envelope, max_chars, is_full=True)
        case "summary":
            rendered = _render_elements(view, envelope, max_chars)
            return _add_text(view, envelope, max_chars, rendered)
        case "delta" if envelope.delta is not None:
            return _render_delta(view, envelope, max_chars)
        case _:
            return _render_auto(view, envelope, max_chars)


def render_more(
    view: PageView, cursor: Cursor, envelope: Envelope, *, max_chars: int = MAX_CHARS
) -> RenderedText:
    """Render the rest of the list that the cursor names."""
    if cursor.part not in _VALUES:
        raise InvalidArgument(
            f"cursor must continue a page, got {cursor}.",
            "Pass a next_cursor of observe; pass cursors of other tools to these tools.",
        )
    cut_list = _build_part(view, cursor.part, max_chars, offset=cursor.offset)
    member: dict[str, Any] = {cut_list.name: cut_list}
    body = {
        **envelope.stored,
        **({"structure": member} if cut_list.name in _STRUCTURE else member),
        "tab_id": envelope.tab_id,
    }
    return _finish(body, [cut_list], envelope, max_chars)


def _list_elements(view: PageView) -> Sequence[Element]:
    """Return the interactive elements without the clickables after the first 50."""
    clickables = [element.id for element in view.interactive if element.type == "clickable"]
    left_out = set(clickables[_CLICKABLES:])
    return [element for element in view.interactive if element.id not in left_out]


def _record_json(record: PageRecord) -> str:
    return record.json


_VALUES: Mapping[str, tuple[Callable[[PageView], Sequence[Any]], Callable[[Any], str]]] = {
    "interactive": (_list_elements, _record_json),
    "full_content": (lambda view: list(text_lines(view)), compact_json),
    "headings": (lambda view: view.headings, _record_json),
    "landmarks": (lambda view: view.landmarks, _record_json),
    "forms": (lambda view: view.forms, _record_json),
}
"""Values and JSON texts of the lists that may be cut."""

_STRUCTURE = {"landmarks", "headings", "full_content"}


def _build_part(view: PageView, name: str, room: int, *, offset: int = 0) -> CutList:
    values, as_text = _VALUES[name]
    cut_list = build_list_of_texts(name, values(view), as_text, room=room, offset=offset)
    if name == "interactive":
        cut_list.uncaptured = sum(view.uncaptured.values())
    return cut_list


def _render_auto(view: PageView, envelope: Envelope, max_chars: int) -> RenderedText:
    if len(_list_elements(view)) * _SMALLEST_ELEMENT <= AUTO_CHARS:
        summary = envelope.with_extras(detail="summary")
        rendered = _render_elements(view, summary, max_chars)
        if rendered.complete and len(rendered.text) <= AUTO_CHARS:
            return _add_text(view, summary, max_chars, rendered)
    return _render_minimal(view, envelope.with_extras(detail="minimal"), max_chars)


def _render_minimal(view: PageView, envelope: Envelope, max_chars: int) -> RenderedText:
    headings = _build_part(view, "headings", max_chars)
    landmarks = build_list("landmarks", view.landmarks, Landmark.as_brief_json, room=max_chars)
    structure = {part.name: part for part in (landmarks, headings) if part.texts}
    body = {
        **_head(view, envelope, max_chars),
        **({"structure": structure} if structure else {}),
        **envelope.errors.as_json(max_chars, empty=False),
        "interactive_summary": interactive_summary(view, max(max_chars // 600, 5)),
    }
    if text := remaining_text(view, _least_text(max_chars), alerts_only=True):
        envelope = envelope.with_extras(text=text)
    return _add_ends(body, [headings, landmarks], envelope, max_chars)


def _least_text(max_chars: int) -> int:
    """Return the number of characters that are reserved for text."""
    return min(_LEAST_TEXT, max_chars // 8)


def _add_text(
    view: PageView, envelope: Envelope, max_chars: int, rendered: RenderedText
) -> RenderedText:
    """Add the text of the page that fits to a response of detail ``summary``."""
    room = max(min(AUTO_CHARS, max_chars) - len(rendered.text), _least_text(max_chars))
    text = remaining_text(view, room)
    return _render_elements(view, envelope.with_extras(text=text), max_chars) if text else rendered


def _render_elements(
    view: PageView, envelope: Envelope, max_chars: int, *, is_full: bool = False
) -> RenderedText:
    names = [name for name in _VALUES if is_full or name != "full_content"]
    parts = {name: _build_part(view, name, max_chars) for name in names}
    structure: dict[str, Any] = {
        "landmarks": parts["landmarks"],
        "headings": parts["headings"],
        "content_summary": shorten_summary(content_summary(view), max_chars // 10),
    }
    if is_full:
        structure["full_content"] = parts["full_content"]
    body = {
        **_head(view, envelope, max_chars),
        "structure": structure,
        "interactive": parts["interactive"],
        "forms": parts["forms"],
        **envelope.errors.as_json(max_chars, empty=True),
    }
    more = len(view.interactive) - parts["interactive"].total
    entry = {"part": "clickable", "total": more + _CLICKABLES, "returned": _CLICKABLES}
    left_out = [entry] if more else []
    return _add_ends(body, [*parts.values()], envelope, max_chars, left_out=left_out)


def _render_delta(view: PageView, envelope: Envelope, max_chars: int) -> RenderedText:
    body = {
        **_address(view, max_chars),
        **envelope.stored,
        **envelope.errors.as_json(max_chars, empty=False),
    }
    rendered = _add_ends(body, [], envelope, max_chars)
    if envelope.delta is None or not envelope.delta.replaced:
        return rendered
    extras: dict[str, Any] = {**envelope.extras, "instead_of_delta": envelope.delta.summary}
    if changes := envelope.delta.acted_on_changes:
        extras[CHANGES] = [change.as_json() for change in changes]
    page = _render_auto(view, attrs.evolve(envelope, delta=None, extras=extras), max_chars)
    return page if len(page.text) < len(rendered.text) else rendered


def _render_least(
    view: PageView, envelope: Envelope, delta: SnapshotDiff, max_chars: int
) -> RenderedText:
    """Render the delta, or the page at ``minimal`` with a summary of the delta if it is shorter."""
    changes = [change.as_json() for change in delta.acted_on_changes]
    own = {CHANGES: changes} if changes else {}
    summary = {**delta.snapshot_ids, **own, "summary": delta.summary}
    extras = {**envelope.extras, "delta": summary}
    page = _render_minimal(view, attrs.evolve(envelope, delta=None, extras=extras), max_chars)
    rendered = _render_delta(view, envelope, max_chars)
    return page if len(page.text) < len(rendered.text) else rendered


def _address(view: PageView, max_chars: int) -> dict[str, Any]:
    longest = min(_LONGEST_URL, max_chars // 5)
    return {"url": view.url[:longest], "title": view.title[:longest]}


def _head(view: PageView, envelope: Envelope, max_chars: int) -> dict[str, Any]:
    width, height = view.viewport
    return {
        **_address(view, max_chars),
        "viewport": {"width": width, "height": height},
        **envelope.stored,
        "timestamp": envelope.timestamp,
    }


def _add_ends(
    body: dict[str, Any],
    parts: list[CutList],
    envelope: Envelope,
    max_chars: int,
    *,
    left_out: Sequence[dict[str, Any]] = (),
) -> RenderedText:
    """Add the keys after the page in C's order, and make everything fit."""
    extras = dict(envelope.extras)
    for key in ("reload_event", "pending_dialog"):
        if key in extras:
            body[key] = extras.pop(key)
    if delta := envelope.delta:
        changes = build_list(CHANGES, delta.changes, Change.as_json, room=max_chars)
        parts = [*parts, changes]
        body["delta"] = {**delta.snapshot_ids, CHANGES: changes, "summary": delta.summary}
    body["tab_id"] = envelope.tab_id
    body.update(extras)
    return _finish(body, parts, envelope, max_chars, left_out=left_out)


def _finish(
    body: dict[str, Any],
    parts: Sequence[CutList],
    envelope: Envelope,
    max_chars: int,
    *,
    left_out: Sequence[dict[str, Any]] = (),
) -> RenderedText:
    """Cut the lists in ``body`` until its text fits, and add the key ``truncation``."""
    text = write_json(body)
    cut_to_fit(parts, max_chars - len(text) + sum(part.size for part in parts))
    structure = body.get("structure", {})
    if "full_content" in structure:
        # Each line took two quotation marks and a comma; in the text it takes a line break.
        structure["full_content"] = "\n".join(structure["full_content"].items)
    elif not left_out and not any(part.is_cut for part in parts):
        return RenderedText(text, complete=True, shown=_shown_ids(parts))
    cuts = build_truncations([part for part in parts if part.name in _VALUES], envelope.cursor)
    changes = [part for part in parts if part.name == CHANGES]
    cuts += build_truncations(changes, envelope.delta_cursor)
    truncation = [*cuts, *left_out]
    if truncation:
        body["truncation"] = truncation[0] if len(truncation) == 1 else truncation
    return RenderedText(write_json(body), complete=not cuts, shown=_shown_ids(parts))


def _shown_ids(parts: Iterable[CutList]) -> list[str]:
    """Return the ids whose role and name the lists contain."""
    shown: list[str] = []
    for part in parts:
        if part.name == CHANGES:
            shown += (one.element for one in part.sent if one.element and _contains_name(one))
        elif part.name != "full_content":
            shown += (record.id for record in part.sent)
    return shown


def _contains_name(change: Change) -> bool:
    is_heading = change.property == "text" and (change.element or "").startswith("hdg-")
    return change.type == "added" or change.property in {"label", "type"} or is_heading


def remaining_text(view: PageView, room: int, *, alerts_only: bool = False) -> list[str]:
    """Return the lines of a page that are not part of a heading or control.

    If not all lines fit into ``room`` characters, the texts of live regions come first, and the
    last entry counts the lines that are left out.
    """
    known = {text for one in view.interactive for text in (one.group, one.near) if text}
    known.update(option for one in view.interactive for option in one.options or ())
    lines = [
        ellipsize(line.text, _LONGEST_LINE)
        for line, own in zip(view.lines, find_own_texts(view), strict=True)
        if split_words(own) and line.text not in known
    ]

    def size(line: str) -> int:
        return len(line) + 3

    if not alerts_only and sum(map(size, lines)) <= room:
        return lines
    others = [] if alerts_only else [line for line in lines if line not in view.alerts]
    alerts = (ellipsize(alert, _LONGEST_LINE) for alert in view.alerts)
    sent: list[str] = []
    room -= _LINES_NOTE
    for line in (*alerts, *others):
        room -= size(line)
        if room < 0:
            break
        sent.append(line)
    left_out = (Counter(lines) - Counter(sent)).total()
    if left_out:
        noun = "line" if left_out == 1 else "lines"
        note = f'… {left_out:,} more {noun} of text: observe{{mode: "content"}} reads them'
        return [*sent, note]
    return sent


def render_list(
    name: str,
    values: Sequence[T],
    as_json: Callable[[T], Any],
    *,
    number: int,
    offset: int = 0,
    limit: int = 50,
    max_chars: int = MAX_CHARS,
) -> RenderedText:
    """Render values as an array, or if they do not fit, as ``{name: […], truncation}``.

    ``number`` is the number of the whole list for cursors.
    """
    room = max_chars - _LIST_ENDS
    cut_list = build_list(name, values[: offset + limit], as_json, room=room, offset=offset)
    cut_list.total = len(values)
    if not cut_list.is_cut:
        return RenderedText(write_json(cut_list), complete=True)
    truncation = build_truncations([cut_list], Cursor(number, "", 0))[0]
    return RenderedText(write_json({name: cut_list, "truncation": truncation}), complete=False)


def render_diff(
    delta: SnapshotDiff, tab_id: str, *, number: int, max_chars: int = MAX_CHARS
) -> RenderedText:
    """Render the difference of snapshots (C-DIFF-03); ``number`` is that of its list of changes."""
    changes = build_list(CHANGES, delta.changes, Change.as_json, room=max_chars - _DIFF_ENDS)
    body = {**delta.as_json(), CHANGES: changes, "tab_id": tab_id}
    return _render_changes(body, changes, number)


def render_more_changes(
    changes: Sequence[Change], cursor: Cursor, tab_id: str, *, max_chars: int = MAX_CHARS
) -> RenderedText:
    """Render the rest of a list of changes from the cursor on."""
    room, offset = max_chars - _DIFF_ENDS, cursor.offset
    cut_list = build_list(CHANGES, changes, Change.as_json, room=room, offset=offset)
    body = {"delta": {CHANGES: cut_list}, "tab_id": tab_id}
    return _render_changes(body, cut_list, cursor.snapshot_id)


def _render_changes(body: dict[str, Any], changes: CutList, number: int) -> RenderedText:
    if changes.is_cut:
        body["truncation"] = build_truncations([changes], Cursor(number, "", 0))[0]
    shown = _shown_ids([changes])
    return RenderedText(write_json(body), complete=not changes.is_cut, shown=shown)
