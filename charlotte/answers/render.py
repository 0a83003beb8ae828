"""Rendering of views, changes and lists as responses of limited size, and cursors for the rest."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any, TypeVar, cast

import attrs

from charlotte.base.errors import InvalidArgument, ellipsize
from charlotte.page.diff.lines import find_own_texts, split_words
from charlotte.page.find import Cursor
from charlotte.page.model import (
    Change,
    Detail,
    Element,
    Landmark,
    PageRecord,
    PageView,
    SnapshotDiff,
    clip_text,
    compact_json,
    count_fitting,
)
from charlotte.page.view import content_summary, interactive_summary, text_lines

T = TypeVar("T")

MAX_CHARS = 40_000
AUTO_CHARS = 4_000
"""Longest ``summary`` that ``auto`` returns instead of ``minimal``."""

CHANGES = "changes"
"""Name of the list of changes in a delta."""

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
_MOST_ERRORS = 10
_LONGEST_ERROR = 250

_ENTRY = 130
"""Characters reserved for the truncation entry of one list."""


@attrs.define
class CutList:
    """A list in a response: ``texts`` are the JSON texts of the items that are sent.

    ``uncaptured`` counts further items of which only the number is known. ``left_out`` is a
    truncation entry for items that are not in ``values``.
    """

    name: str
    values: Sequence[Any]
    total: int
    offset: int
    texts: list[str] = attrs.field(factory=list[str])
    uncaptured: int = 0
    left_out: Mapping[str, Any] | None = None

    @property
    def size(self) -> int:
        """Number of characters with separators."""
        return sum(len(text) + 1 for text in self.texts)

    @property
    def items(self) -> list[Any]:
        """JSON values that are sent."""
        return [json.loads(text) for text in self.texts]

    @property
    def end(self) -> int:
        """Offset of the first value that is not sent."""
        return self.offset + len(self.texts)

    @property
    def is_cut(self) -> bool:
        """Whether items follow that are not sent."""
        return self.end < self.total + self.uncaptured

    def describe_cut(self, start: Cursor | None) -> dict[str, Any]:
        """Return the entry of a list that is cut; without ``start`` there is no cursor."""
        entry = cut_entry(self.name, self.total + self.uncaptured, len(self.texts))
        if self.uncaptured:
            entry["by_find_only"] = self.uncaptured
        if start is not None and self.end < self.total:
            entry["next_cursor"] = str(attrs.evolve(start, part=self.name, offset=self.end))
        return entry

    def shrink(self, room: int) -> None:
        """Keep the first items that fit into ``room`` characters."""
        del self.texts[count_fitting(self.texts, room) :]


def build_list(
    name: str,
    values: Sequence[T],
    as_json: Callable[[T], Any],
    *,
    room: int,
    offset: int = 0,
    encode: Callable[[Any], str] = compact_json,
) -> CutList:
    """Return the values from ``offset`` on that fit into ``room`` characters.

    Each text in an item is cut to a quarter of the room, so every item can be sent. ``encode`` is
    ``str`` if ``as_json`` returns JSON text.
    """
    cut_list = CutList(name, values, total=len(values), offset=offset)
    left = room
    for index in range(offset, len(values)):
        text = encode(as_json(values[index]))
        if len(text) >= room // 4:
            text = compact_json(clip_value(json.loads(text), room // 4))
        left -= len(text) + 1
        if left < 0 and cut_list.texts:
            break
        cut_list.texts.append(text)
    return cut_list


def write_json(body: Any) -> str:
    """Return the JSON text of a body that contains cut lists."""
    match body:
        case CutList():
            return f"[{','.join(body.texts)}]"
        case dict():
            record = cast("dict[str, Any]", body)
            members = (f"{compact_json(name)}:{write_json(item)}" for name, item in record.items())
            return f"{{{','.join(members)}}}"
        case _:
            return compact_json(body)


def cut_to_fit(lists: Sequence[CutList], room: int) -> None:
    """Cut lists, the first ones first, until all together fit into ``room`` characters.

    No list gets less than a quarter of the room while another list is longer than that.
    """
    if not any(one.is_cut for one in lists) and sum(one.size for one in lists) <= room:
        return
    room -= _ENTRY * len(lists)
    for floor in (room // 4, 0):
        for cut_list in lists:
            excess = sum(one.size for one in lists) - room
            if excess > 0:
                cut_list.shrink(max(cut_list.size - excess, min(floor, cut_list.size)))


def cut_entry(part: str, total: int, returned: int, cursor: object = None) -> dict[str, Any]:
    """Return what an answer says about a part that is cut; ``cursor`` continues it."""
    entry = {"part": part, "total": total, "returned": returned}
    return entry if cursor is None else {**entry, "next_cursor": str(cursor)}


def clip_value(value: Any, limit: int) -> Any:
    """Return the value with all texts and lists in it cut to ``limit`` characters."""
    if isinstance(value, str):
        return clip_text(value, limit)
    if isinstance(value, dict):
        record = cast("dict[str, Any]", value)
        return {key: clip_value(item, limit) for key, item in record.items()}
    if isinstance(value, list):
        entries = cast("Sequence[Any]", value)
        kept = count_fitting(map(compact_json, entries), limit)
        more = [f"… {len(entries) - kept} more"] if kept < len(entries) else []
        return [*entries[:kept], *more]
    return value


@attrs.frozen
class PageErrors:
    """Errors of C-PR-30, oldest first: rows ``{level, text}`` and ``{url, status, statusText}``."""

    console: Sequence[Mapping[str, Any]] = ()
    network: Sequence[Mapping[str, Any]] = ()

    def as_json(self, max_chars: int, *, empty: bool) -> dict[str, Any]:
        """Return the key ``errors`` with the last rows of each kind.

        Without errors the key is left out unless ``empty``. Each kind takes at most a quarter of
        ``max_chars``.
        """
        kinds = {"console": self.console, "network": self.network}
        errors: dict[str, Any] = {}
        for kind, rows in kinds.items():
            if rows or empty:
                short = [clip_value({**row}, _LONGEST_ERROR) for row in rows[-_MOST_ERRORS:]]
                kept = count_fitting(map(compact_json, reversed(short)), max_chars // 4 - 1)
                errors[kind] = short[len(short) - kept :]
        if any(len(rows) > len(errors.get(kind, rows)) for kind, rows in kinds.items()):
            errors["totals"] = {kind: len(rows) for kind, rows in kinds.items()}
        return {"errors": errors} if errors else {}


@attrs.frozen(kw_only=True)
class Envelope:
    """Parts of a response around the view.

    ``snapshot_id`` is 0 if no snapshot is stored, ``timestamp`` ISO 8601. For detail ``delta``,
    ``errors`` are the new ones. ``extras`` are further top-level keys with JSON values, such as
    ``reload_event`` and ``pending_dialog``. ``delta_number`` is the number of the list of changes
    for cursors, ``kept`` the number of the view if it is not that of the snapshot.
    """

    snapshot_id: int
    timestamp: str
    tab_id: str
    errors: PageErrors = attrs.field(factory=PageErrors)
    extras: Mapping[str, Any] = attrs.field(factory=dict[str, Any])
    delta: SnapshotDiff | None = None
    delta_number: int | None = None
    kept: int | None = None

    @property
    def stored(self) -> dict[str, Any]:
        """The id of the snapshot, if one is stored."""
        return {"snapshot_id": self.snapshot_id} if self.snapshot_id else {}

    def with_extras(self, **extras: Any) -> "Envelope":
        """Return the envelope with more top-level keys."""
        return attrs.evolve(self, extras={**self.extras, **extras})

    def start_of(self, name: str) -> Cursor | None:
        """Return the cursor of a list; None if the view or the changes are not stored."""
        is_kept = name != CHANGES and self.kept is not None
        number = self.delta_number if name == CHANGES else self.kept or self.snapshot_id
        return Cursor(number, name, 0, is_kept) if number else None


@attrs.frozen
class RenderedText:
    """The text of an answer; ``complete`` if nothing was cut.

    ``shown`` are the ids whose role and name the text contains. ``sections`` are the texts of those
    header, navigation and footer sections of a text answer that are complete.
    """

    text: str
    shown: Sequence[str] = ()
    complete: bool = True
    sections: Sequence[str] = ()

    @cached_property
    def body(self) -> Any:
        """The answer as a JSON value."""
        return json.loads(self.text)


def render_view(
    view: PageView, detail: Detail, envelope: Envelope, *, max_chars: int = MAX_CHARS
) -> RenderedText:
    """Render the page at a detail level.

    ``delta`` without a delta is ``auto``, as is a delta in which everything is new, if the page is
    shorter. ``minimal`` with a delta is never longer than the delta.
    """
    match detail:
        case "minimal" if envelope.delta is not None:
            return _render_delta(view, envelope, max_chars, is_minimal=True)
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
    return _finish(body, [cut_list], envelope.start_of, max_chars)


_get_json: Callable[[PageRecord], str] = attrgetter("json")


def _list_elements(view: PageView) -> Sequence[Element]:
    """Return the elements without clickables after the first 50; the focused one stays."""
    clickables = [element for element in view.interactive if element.type == "clickable"]
    left_out = {one.id for one in clickables[_CLICKABLES:] if not one.state.get("focused")}
    return [element for element in view.interactive if element.id not in left_out]


_VALUES: Mapping[str, tuple[Callable[[PageView], Sequence[Any]], Callable[[Any], str]]] = {
    "interactive": (_list_elements, _get_json),
    "full_content": (lambda view: list(text_lines(view)), compact_json),
    "headings": (lambda view: view.headings, _get_json),
    "landmarks": (lambda view: view.landmarks, _get_json),
    "forms": (lambda view: view.forms, _get_json),
}
"""Values and JSON texts of the lists that may be cut."""

_STRUCTURE = {"landmarks", "headings", "full_content"}


def _build_part(view: PageView, name: str, room: int, *, offset: int = 0) -> CutList:
    values, as_text = _VALUES[name]
    cut_list = build_list(name, values(view), as_text, room=room, offset=offset, encode=str)
    if name == "interactive":
        cut_list.uncaptured = sum(view.uncaptured.values())
    return cut_list


def _render_auto(view: PageView, envelope: Envelope, max_chars: int) -> RenderedText:
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
    if text := remaining_text(view, min(_LEAST_TEXT, max_chars // 8), alerts_only=True):
        envelope = envelope.with_extras(text=text)
    return _add_ends(body, [headings, landmarks], envelope, max_chars)


def _add_text(
    view: PageView, envelope: Envelope, max_chars: int, rendered: RenderedText
) -> RenderedText:
    """Add the text of the page that fits to a response of detail ``summary``."""
    least = min(_LEAST_TEXT, max_chars // 8)
    text = remaining_text(view, max(min(AUTO_CHARS, max_chars) - len(rendered.text), least))
    return _render_elements(view, envelope.with_extras(text=text), max_chars) if text else rendered


def _render_elements(
    view: PageView, envelope: Envelope, max_chars: int, *, is_full: bool = False
) -> RenderedText:
    names = [name for name in _VALUES if is_full or name != "full_content"]
    parts = {name: _build_part(view, name, max_chars) for name in names}
    structure: dict[str, Any] = {
        "landmarks": parts["landmarks"],
        "headings": parts["headings"],
        "content_summary": ellipsize(content_summary(view), max_chars // 10),
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
    if more := len(view.interactive) - parts["interactive"].total:
        total = sum(element.type == "clickable" for element in view.interactive)
        entry = {"part": "clickable", "total": total, "returned": total - more}
        parts["interactive"].left_out = entry
    return _add_ends(body, [*parts.values()], envelope, max_chars)


def _render_delta(
    view: PageView, envelope: Envelope, max_chars: int, *, is_minimal: bool = False
) -> RenderedText:
    """Render the delta, or a summary of it with the page if that is shorter.

    The page is considered at ``minimal``, and if nearly everything on it is new.
    """
    body = {
        **_address(view, max_chars),
        **envelope.stored,
        **envelope.errors.as_json(max_chars, empty=False),
    }
    rendered, delta = _add_ends(body, [], envelope, max_chars), envelope.delta
    if delta is None or not (delta.replaced or is_minimal):
        return rendered
    own: dict[str, Any] = {"instead_of_delta": delta.summary, **delta.acted_on_json}
    if is_minimal:
        own = {"delta": {**delta.snapshot_ids, **delta.acted_on_json, "summary": delta.summary}}
    without_delta = attrs.evolve(envelope.with_extras(**own), delta=None)
    render = _render_minimal if is_minimal else _render_auto
    page = render(view, without_delta, max_chars)
    return page if len(page.text) < len(rendered.text) else rendered


def _address(view: PageView, max_chars: int) -> dict[str, Any]:
    longest = min(_LONGEST_URL, max_chars // 5)
    return {"url": ellipsize(view.url, longest), "title": ellipsize(view.title, longest)}


def _head(view: PageView, envelope: Envelope, max_chars: int) -> dict[str, Any]:
    width, height = view.viewport
    return {
        **_address(view, max_chars),
        "viewport": {"width": width, "height": height},
        **envelope.stored,
        "timestamp": envelope.timestamp,
    }


def _add_ends(
    body: dict[str, Any], parts: list[CutList], envelope: Envelope, max_chars: int
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
    return _finish(body, parts, envelope.start_of, max_chars)


def _finish(
    body: dict[str, Any],
    parts: Sequence[CutList],
    start_of: Callable[[str], Cursor | None],
    max_chars: int,
) -> RenderedText:
    """Cut the lists in ``body`` until its text fits, and add the key ``truncation``.

    ``start_of`` returns the cursor of a list.
    """
    text = write_json(body)
    cut_to_fit(parts, max_chars - len(text) + sum(part.size for part in parts))
    left_out = [part.left_out for part in parts if part.left_out]
    structure = body.get("structure", {})
    if "full_content" in structure:
        # Each line took two quotation marks and a comma; in the text it takes a line break.
        structure["full_content"] = "\n".join(structure["full_content"].items)
    elif not left_out and not any(part.is_cut for part in parts):
        return RenderedText(text, _shown_ids(parts))
    cuts = [part.describe_cut(start_of(part.name)) for part in parts if part.is_cut]
    if truncation := [*cuts, *left_out]:
        body["truncation"] = truncation[0] if len(truncation) == 1 else truncation
    return RenderedText(write_json(body), _shown_ids(parts), complete=not cuts)


def _shown_ids(parts: Iterable[CutList]) -> list[str]:
    """Return the ids whose role and name the lists contain."""
    shown: list[str] = []
    for part in parts:
        sent = part.values[part.offset : part.end]
        if part.name == CHANGES:
            shown += (
                one.element
                for one in sent
                if one.element
                if one.type == "added"
                or one.property in {"label", "type"}
                or (one.property == "text" and one.element.startswith("hdg-"))
            )
        elif part.name != "full_content":
            shown += (record.id for record in sent)
    return shown


def remaining_text(view: PageView, room: int, *, alerts_only: bool = False) -> list[str]:
    """Return the lines of a page that are not part of a heading or control.

    If not all lines fit into ``room`` characters, the texts of live regions come first, and the
    last entry counts the lines that are left out.
    """
    known = {text for one in view.interactive for text in (one.group, one.near) if text}
    known.update(option for one in view.interactive for option in one.options or ())
    lines = [
        ellipsize(f"{line.number} {line.text}".lstrip(), _LONGEST_LINE)
        for line, own in zip(view.lines, find_own_texts(view), strict=True)
        if split_words(own) and line.text not in known
    ]
    if not alerts_only and sum(len(line) + 3 for line in lines) <= room:
        return lines
    others = [] if alerts_only else [line for line in lines if line not in view.alerts]
    first = [*(ellipsize(alert, _LONGEST_LINE) for alert in view.alerts), *others]
    sent = first[: count_fitting([f'"{line}"' for line in first], room - _LINES_NOTE)]
    if left_out := (Counter(lines) - Counter(sent)).total():
        noun = "line" if left_out == 1 else "lines"
        sent.append(f'… {left_out:,} more {noun} of text: observe{{mode: "content"}} reads them')
    return sent


def render_list(
    values: Sequence[T],
    as_json: Callable[[T], Any],
    place: Cursor,
    *,
    limit: int = 50,
    max_chars: int = MAX_CHARS,
) -> RenderedText:
    """Render values from a place on as an array; if it is cut, its last entry is a truncation."""
    room, end = max_chars - _LIST_ENDS, place.offset + limit
    cut_list = build_list(place.part, values[:end], as_json, room=room, offset=place.offset)
    cut_list.total = len(values)
    shown = [row.get("element", row["id"]) for row in cut_list.items]
    is_cut = cut_list.is_cut
    if is_cut:
        entry = {"type": "truncation", **cut_list.describe_cut(place)}
        cut_list.texts.append(compact_json(entry))
    return RenderedText(write_json(cut_list), shown, complete=not is_cut)


def render_diff(
    delta: SnapshotDiff, tab_id: str, *, number: int, max_chars: int = MAX_CHARS
) -> RenderedText:
    """Render the difference of snapshots (C-DIFF-03); ``number`` is that of its list of changes."""
    changes = build_list(CHANGES, delta.changes, Change.as_json, room=max_chars - _DIFF_ENDS)
    body = {**delta.as_json(), CHANGES: changes, "tab_id": tab_id}
    return _finish(body, [changes], lambda _: Cursor(number, CHANGES, 0), max_chars)


def render_more_changes(
    changes: Sequence[Change], cursor: Cursor, tab_id: str, *, max_chars: int = MAX_CHARS
) -> RenderedText:
    """Render the rest of a list of changes from the cursor on."""
    room = max_chars - _DIFF_ENDS
    rest = build_list(CHANGES, changes, Change.as_json, room=room, offset=cursor.offset)
    return _finish(
        {"delta": {CHANGES: rest}, "tab_id": tab_id}, [rest], lambda _: cursor, max_chars
    )
