"""Renders a view as the response an agent gets: detail levels, order of keys, size."""

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
from charlotte.page.diff.changes import Change, SnapshotDiff
from charlotte.page.diff.lines import find_own_texts, split_words
from charlotte.page.model import Element, Form, Heading, Landmark, PageView
from charlotte.page.record_base import compact_json
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

_LONGEST_LINE = 500
_ASIDE = 100
"""Characters that counting the rest takes."""


def remaining_text(view: PageView, room: int, *, alerts_only: bool = False) -> list[str]:
    """Return the lines of a page that are not part of a heading or control.

    If `room` characters do not hold all lines, the texts of live regions come first, and the last
    entry counts the lines that were left out.
    """
    lines = _lines_besides(view)
    if not alerts_only and sum(map(_cost, lines)) <= room:
        return lines
    others = [] if alerts_only else [line for line in lines if line not in view.alerts]
    sent: list[str] = []
    room -= _ASIDE
    for line in (*map(_cut, view.alerts), *others):
        room -= _cost(line)
        if room < 0:
            break
        sent.append(line)
    left_out = (Counter(lines) - Counter(sent)).total()
    return [*sent, _more_lines(left_out)] if left_out else sent


def _lines_besides(view: PageView) -> list[str]:
    told = {text for one in view.interactive for text in (one.group, one.near) if text}
    told.update(option for one in view.interactive for option in one.options or ())
    return [
        _cut(line.text)
        for line, own in zip(view.lines, find_own_texts(view), strict=True)
        if split_words(own) and line.text not in told
    ]


def _more_lines(count: int) -> str:
    lines = "line" if count == 1 else "lines"
    return f'… {count:,} more {lines} of text: observe{{mode: "content"}} reads them'


def _cost(line: str) -> int:
    return len(line) + 3


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…"


Detail = Literal["minimal", "summary", "full", "auto", "delta"]

MAX_CHARS = 40_000
AUTO_CHARS = 4_000
"""Above this, ``auto`` is ``minimal``."""

CHANGES = "changes"
"""The part of a delta that may be cut."""

_SMALLEST_ELEMENT = 66
"""Characters of an element without a label; so many of them cannot be a short summary."""

_LEAST_TEXT = 500
"""Characters of text that even an answer with many elements has."""

_CLICKABLES = 50
_LONGEST_URL = 2_000


def render_view(
    view: PageView, detail: Detail, envelope: Envelope, *, max_chars: int = MAX_CHARS
) -> RenderedText:
    """The page at ``detail``; ``delta`` without a delta is ``auto``.

    So is one that says that all is new, where the page itself is shorter. ``minimal`` with a delta
    is never longer than that.
    """
    match detail:
        case "minimal" if envelope.delta is not None:
            return _least(view, envelope, envelope.delta, max_chars)
        case "minimal":
            return _minimal(view, envelope, max_chars)
        case "summary" | "full":
            return _page(view, envelope, max_chars, full=detail == "full")
        case "delta" if envelope.delta is not None:
            return _delta(view, envelope, max_chars)
        case _:
            return _auto(view, envelope, max_chars)


def render_more(
    view: PageView, cursor: Cursor, envelope: Envelope, *, max_chars: int = MAX_CHARS
) -> RenderedText:
    """The rest of the part of ``view`` that ``cursor`` names, and nothing else."""
    if cursor.part not in _VALUES:
        raise InvalidArgument(
            f"cursor {cursor} does not continue a page.",
            "Pass a next_cursor of observe here, and one of another tool to that tool.",
        )
    part = _load(view, cursor.part, max_chars, offset=cursor.offset)
    within: dict[str, Any] = {part.name: part}
    body = {
        **envelope.stored,
        **({"structure": within} if part.name in _STRUCTURE else within),
        "tab_id": envelope.tab_id,
    }
    return _finished(body, [part], envelope, max_chars, left_out=[])


def named_ids(parts: Iterable[CutList]) -> list[str]:
    """The ids whose role and name the parts of a response tell its reader."""
    shown: list[str] = []
    for part in parts:
        if part.name == CHANGES:
            shown += (one.element for one in part.sent if one.element and _tells_name(one))
        elif part.name != "full_content":
            shown += (record.id for record in part.sent)
    return shown


def _tells_name(change: Change) -> bool:
    told, element = change.property, change.element or ""
    heading = told == "text" and element.startswith("hdg-")
    return change.type == "added" or told in {"label", "type"} or heading


def _json_of(record: Element | Heading | Landmark | Form) -> str:
    return record.json


def _listed(view: PageView) -> Sequence[Element]:
    """The interactive elements that a response lists: of the clickable ones, the first 50."""
    clickable = [index for index, each in enumerate(view.interactive) if each.type == "clickable"]
    left_out = set(clickable[_CLICKABLES:])
    return [each for index, each in enumerate(view.interactive) if index not in left_out]


_VALUES: Mapping[str, tuple[Callable[[PageView], Sequence[Any]], Callable[[Any], str]]] = {
    "interactive": (_listed, _json_of),
    "full_content": (lambda view: list(text_lines(view)), compact_json),
    "headings": (lambda view: view.headings, _json_of),
    "landmarks": (lambda view: view.landmarks, _json_of),
    "forms": (lambda view: view.forms, _json_of),
}
"""The parts that may be cut."""

_STRUCTURE = {"landmarks", "headings", "full_content"}


def _load(view: PageView, name: str, room: int, *, offset: int = 0) -> CutList:
    values, as_text = _VALUES[name]
    part = build_list_of_texts(name, values(view), as_text, room=room, offset=offset)
    if name == "interactive":
        part.uncaptured = sum(view.uncaptured.values())
    return part


def _auto(view: PageView, envelope: Envelope, max_chars: int) -> RenderedText:
    if len(_listed(view)) * _SMALLEST_ELEMENT <= AUTO_CHARS:
        said = envelope.with_extras(detail="summary")
        rendered = _elements(view, said, max_chars, full=False)
        if rendered.complete and len(rendered.text) <= AUTO_CHARS:
            return _with_text(view, said, max_chars, rendered)
    return _minimal(view, envelope.with_extras(detail="minimal"), max_chars)


def _minimal(view: PageView, envelope: Envelope, max_chars: int) -> RenderedText:
    headings = _load(view, "headings", max_chars)
    landmarks = build_list("landmarks", view.landmarks, Landmark.as_brief_json, room=max_chars)
    structure = {part.name: part for part in (landmarks, headings) if part.texts}
    body = {
        **_head(view, envelope, max_chars),
        **({"structure": structure} if structure else {}),
        **envelope.errors.as_json(max_chars, empty=False),
        "interactive_summary": interactive_summary(view, max(max_chars // 600, 5)),
    }
    if text := remaining_text(view, _room_of_text(max_chars), alerts_only=True):
        envelope = envelope.with_extras(text=text)
    return _ended(body, [headings, landmarks], envelope, max_chars)


def _room_of_text(max_chars: int) -> int:
    """Return how many characters of text an answer has, however much else there is."""
    return min(_LEAST_TEXT, max_chars // 8)


def _page(view: PageView, envelope: Envelope, max_chars: int, *, full: bool) -> RenderedText:
    rendered = _elements(view, envelope, max_chars, full=full)
    return rendered if full else _with_text(view, envelope, max_chars, rendered)


def _with_text(
    view: PageView, envelope: Envelope, max_chars: int, rendered: RenderedText
) -> RenderedText:
    """Add the text of the page, as far as there is room, to an answer of detail ``summary``."""
    room = max(min(AUTO_CHARS, max_chars) - len(rendered.text), _room_of_text(max_chars))
    text = remaining_text(view, room)
    return (
        _elements(view, envelope.with_extras(text=text), max_chars, full=False)
        if text
        else rendered
    )


def _elements(view: PageView, envelope: Envelope, max_chars: int, *, full: bool) -> RenderedText:
    names = [name for name in _VALUES if full or name != "full_content"]
    parts = {name: _load(view, name, max_chars) for name in names}
    structure: dict[str, Any] = {
        "landmarks": parts["landmarks"],
        "headings": parts["headings"],
        "content_summary": shorten_summary(content_summary(view), max_chars // 10),
    }
    if full:
        structure["full_content"] = parts["full_content"]
    body = {
        **_head(view, envelope, max_chars),
        "structure": structure,
        "interactive": parts["interactive"],
        "forms": parts["forms"],
        **envelope.errors.as_json(max_chars, empty=True),
    }
    left_out = _clickables_left_out(view, parts["interactive"].total)
    return _ended(body, [*parts.values()], envelope, max_chars, left_out=left_out)


def _clickables_left_out(view: PageView, listed: int) -> list[dict[str, Any]]:
    more = len(view.interactive) - listed
    total = more + _CLICKABLES
    return [{"part": "clickable", "total": total, "returned": _CLICKABLES}] if more else []


def _delta(view: PageView, envelope: Envelope, max_chars: int) -> RenderedText:
    body = {
        **_name(view, max_chars),
        **envelope.stored,
        **envelope.errors.as_json(max_chars, empty=False),
    }
    rendered = _ended(body, [], envelope, max_chars)
    if envelope.delta is None or not envelope.delta.replaced:
        return rendered
    said: dict[str, Any] = {**envelope.extras, "instead_of_delta": envelope.delta.summary}
    if own := envelope.delta.acted_on_changes:
        said["changes"] = [change.as_json() for change in own]
    page = _auto(view, attrs.evolve(envelope, delta=None, extras=said), max_chars)
    return page if len(page.text) < len(rendered.text) else rendered


def _least(view: PageView, envelope: Envelope, delta: SnapshotDiff, max_chars: int) -> RenderedText:
    """What changed, or where the page in short is less than that, the page with a word on it."""
    own = (
        {CHANGES: [change.as_json() for change in delta.acted_on_changes]}
        if delta.acted_on_changes
        else {}
    )
    said = {**envelope.extras, "delta": {**delta.snapshot_ids, **own, "summary": delta.summary}}
    page = _minimal(view, attrs.evolve(envelope, delta=None, extras=said), max_chars)
    changes = _delta(view, envelope, max_chars)
    return page if len(page.text) < len(changes.text) else changes


def _name(view: PageView, max_chars: int) -> dict[str, Any]:
    longest = min(_LONGEST_URL, max_chars // 5)
    return {"url": view.url[:longest], "title": view.title[:longest]}


def _head(view: PageView, envelope: Envelope, max_chars: int) -> dict[str, Any]:
    width, height = view.viewport
    return {
        **_name(view, max_chars),
        "viewport": {"width": width, "height": height},
        **envelope.stored,
        "timestamp": envelope.timestamp,
    }


def _ended(
    body: dict[str, Any],
    parts: list[CutList],
    envelope: Envelope,
    max_chars: int,
    *,
    left_out: list[dict[str, Any]] | None = None,
) -> RenderedText:
    """Add what follows the page itself, in C's order, and make all of it fit."""
    extras = dict(envelope.extras)
    for key in ("reload_event", "pending_dialog"):
        if key in extras:
            body[key] = extras.pop(key)
    if delta := envelope.delta:
        changes = build_list(CHANGES, delta.changes, Change.as_json, room=max_chars)
        parts = [*parts, changes]
        body["delta"] = {**delta.snapshot_ids, "changes": changes, "summary": delta.summary}
    body["tab_id"] = envelope.tab_id
    body.update(extras)
    return _finished(body, parts, envelope, max_chars, left_out=left_out or [])


def _finished(
    body: dict[str, Any],
    parts: list[CutList],
    envelope: Envelope,
    max_chars: int,
    *,
    left_out: list[dict[str, Any]],
) -> RenderedText:
    """Cut the parts, which are in ``body``, until its text fits; say what was cut."""
    text = write_json(body)
    cut_to_fit(parts, max_chars - len(text) + sum(part.size for part in parts))
    structure = body.get("structure", {})
    if "full_content" in structure:
        # The lines took a quotation mark at each end, the text takes a line break between them.
        structure["full_content"] = "\n".join(structure["full_content"].items)
    elif not left_out and not any(part.is_cut for part in parts):
        return RenderedText(text, complete=True, shown=named_ids(parts))
    told = build_truncations([part for part in parts if part.name in _VALUES], envelope.cursor)
    told += build_truncations(
        [part for part in parts if part.name == CHANGES], envelope.delta_cursor
    )
    truncation = [*told, *left_out]
    if truncation:
        body["truncation"] = truncation[0] if len(truncation) == 1 else truncation
    return RenderedText(write_json(body), complete=not told, shown=named_ids(parts))


T = TypeVar("T")

_LIST_ENDS = 200
"""Characters set aside for what surrounds a cut list."""

_DIFF_ENDS = 500


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
    """Values as an array, or when they do not all fit, as ``{name: […], truncation}``.

    ``number`` is what a cursor says for the whole list, to be continued in that.
    """
    room = max_chars - _LIST_ENDS
    part = build_list(name, values[: offset + limit], as_json, room=room, offset=offset)
    part.total = len(values)
    if not part.is_cut:
        return RenderedText(write_json(part), complete=True)
    body = {name: part, "truncation": build_truncations([part], Cursor(number, "", 0))[0]}
    return RenderedText(write_json(body), complete=False)


def render_diff(
    delta: SnapshotDiff, tab_id: str, *, number: int, max_chars: int = MAX_CHARS
) -> RenderedText:
    """C-DIFF-03; ``number`` is what a cursor says for its changes, where they are cut."""
    changes = build_list(CHANGES, delta.changes, Change.as_json, room=max_chars - _DIFF_ENDS)
    body = {**delta.as_json(), CHANGES: changes, "tab_id": tab_id}
    return _changes_rendered(body, changes, number)


def render_more_changes(
    changes: Sequence[Change], cursor: Cursor, tab_id: str, *, max_chars: int = MAX_CHARS
) -> RenderedText:
    """The rest of a list of changes, from where the ``cursor`` says."""
    room, offset = max_chars - _DIFF_ENDS, cursor.offset
    part = build_list(CHANGES, changes, Change.as_json, room=room, offset=offset)
    body = {"delta": {CHANGES: part}, "tab_id": tab_id}
    return _changes_rendered(body, part, cursor.snapshot_id)


def _changes_rendered(body: dict[str, Any], changes: CutList, number: int) -> RenderedText:
    if changes.is_cut:
        body["truncation"] = build_truncations([changes], Cursor(number, "", 0))[0]
    shown = named_ids([changes])
    return RenderedText(write_json(body), complete=not changes.is_cut, shown=shown)
