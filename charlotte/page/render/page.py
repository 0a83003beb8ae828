"""Renders a view as the response an agent gets: detail levels, order of keys, size."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import attrs

from charlotte.errors import InvalidArgument
from charlotte.page.diff.changes import Change, SnapshotDiff
from charlotte.page.model import Element, Form, Heading, Landmark, PageView
from charlotte.page.render.content import (
    content_summary,
    interactive_summary,
    shortened,
    text_lines,
)
from charlotte.page.render.cut import Cursor, Part, compact, cuts, fit, load, load_texts, written
from charlotte.page.render.envelope import Envelope, Rendered
from charlotte.page.render.omitted import text_besides

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


def render(
    view: PageView, detail: Detail, envelope: Envelope, *, max_chars: int = MAX_CHARS
) -> Rendered:
    """The page at ``detail`` (surface section 2); ``delta`` without a delta is ``auto``.

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
) -> Rendered:
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


def shown_ids(parts: Iterable[Part]) -> list[str]:
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
    "full_content": (lambda view: list(text_lines(view)), compact),
    "headings": (lambda view: view.headings, _json_of),
    "landmarks": (lambda view: view.landmarks, _json_of),
    "forms": (lambda view: view.forms, _json_of),
}
"""The parts that may be cut."""

_STRUCTURE = {"landmarks", "headings", "full_content"}


def _load(view: PageView, name: str, room: int, *, offset: int = 0) -> Part:
    values, as_text = _VALUES[name]
    part = load_texts(name, values(view), as_text, room=room, offset=offset)
    if name == "interactive":
        part.beyond = sum(view.beyond.values())
    return part


def _auto(view: PageView, envelope: Envelope, max_chars: int) -> Rendered:
    if len(_listed(view)) * _SMALLEST_ELEMENT <= AUTO_CHARS:
        said = envelope.saying(detail="summary")
        rendered = _elements(view, said, max_chars, full=False)
        if rendered.complete and len(rendered.text) <= AUTO_CHARS:
            return _with_text(view, said, max_chars, rendered)
    return _minimal(view, envelope.saying(detail="minimal"), max_chars)


def _minimal(view: PageView, envelope: Envelope, max_chars: int) -> Rendered:
    headings = _load(view, "headings", max_chars)
    landmarks = load("landmarks", view.landmarks, Landmark.brief, room=max_chars)
    structure = {part.name: part for part in (landmarks, headings) if part.texts}
    body = {
        **_head(view, envelope, max_chars),
        **({"structure": structure} if structure else {}),
        **envelope.errors.told(max_chars, empty=False),
        "interactive_summary": interactive_summary(view, max(max_chars // 600, 5)),
    }
    if text := text_besides(view, _room_of_text(max_chars), alerts_only=True):
        envelope = envelope.saying(text=text)
    return _ended(body, [headings, landmarks], envelope, max_chars)


def _room_of_text(max_chars: int) -> int:
    """Return how many characters of text an answer has, however much else there is."""
    return min(_LEAST_TEXT, max_chars // 8)


def _page(view: PageView, envelope: Envelope, max_chars: int, *, full: bool) -> Rendered:
    rendered = _elements(view, envelope, max_chars, full=full)
    return rendered if full else _with_text(view, envelope, max_chars, rendered)


def _with_text(view: PageView, envelope: Envelope, max_chars: int, rendered: Rendered) -> Rendered:
    """Add the text of the page, as far as there is room, to an answer of detail ``summary``."""
    room = max(min(AUTO_CHARS, max_chars) - len(rendered.text), _room_of_text(max_chars))
    text = text_besides(view, room)
    return _elements(view, envelope.saying(text=text), max_chars, full=False) if text else rendered


def _elements(view: PageView, envelope: Envelope, max_chars: int, *, full: bool) -> Rendered:
    names = [name for name in _VALUES if full or name != "full_content"]
    parts = {name: _load(view, name, max_chars) for name in names}
    structure: dict[str, Any] = {
        "landmarks": parts["landmarks"],
        "headings": parts["headings"],
        "content_summary": shortened(content_summary(view), max_chars // 10),
    }
    if full:
        structure["full_content"] = parts["full_content"]
    body = {
        **_head(view, envelope, max_chars),
        "structure": structure,
        "interactive": parts["interactive"],
        "forms": parts["forms"],
        **envelope.errors.told(max_chars, empty=True),
    }
    left_out = _clickables_left_out(view, parts["interactive"].total)
    return _ended(body, [*parts.values()], envelope, max_chars, left_out=left_out)


def _clickables_left_out(view: PageView, listed: int) -> list[dict[str, Any]]:
    more = len(view.interactive) - listed
    total = more + _CLICKABLES
    return [{"part": "clickable", "total": total, "returned": _CLICKABLES}] if more else []


def _delta(view: PageView, envelope: Envelope, max_chars: int) -> Rendered:
    body = {
        **_name(view, max_chars),
        **envelope.stored,
        **envelope.errors.told(max_chars, empty=False),
    }
    rendered = _ended(body, [], envelope, max_chars)
    if envelope.delta is None or not envelope.delta.replaced:
        return rendered
    said: dict[str, Any] = {**envelope.extras, "instead_of_delta": envelope.delta.summary}
    if own := envelope.delta.of_acted_on:
        said["changes"] = [change.as_json() for change in own]
    page = _auto(view, attrs.evolve(envelope, delta=None, extras=said), max_chars)
    return page if len(page.text) < len(rendered.text) else rendered


def _least(view: PageView, envelope: Envelope, delta: SnapshotDiff, max_chars: int) -> Rendered:
    """What changed, or where the page in short is less than that, the page with a word on it."""
    own = {CHANGES: [change.as_json() for change in delta.of_acted_on]} if delta.of_acted_on else {}
    said = {**envelope.extras, "delta": {**delta.ends, **own, "summary": delta.summary}}
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
    parts: list[Part],
    envelope: Envelope,
    max_chars: int,
    *,
    left_out: list[dict[str, Any]] | None = None,
) -> Rendered:
    """Add what follows the page itself, in C's order, and make all of it fit."""
    extras = dict(envelope.extras)
    for key in ("reload_event", "pending_dialog"):
        if key in extras:
            body[key] = extras.pop(key)
    if delta := envelope.delta:
        changes = load(CHANGES, delta.changes, Change.as_json, room=max_chars)
        parts = [*parts, changes]
        body["delta"] = {**delta.ends, "changes": changes, "summary": delta.summary}
    body["tab_id"] = envelope.tab_id
    body.update(extras)
    return _finished(body, parts, envelope, max_chars, left_out=left_out or [])


def _finished(
    body: dict[str, Any],
    parts: list[Part],
    envelope: Envelope,
    max_chars: int,
    *,
    left_out: list[dict[str, Any]],
) -> Rendered:
    """Cut the parts, which are in ``body``, until its text fits; say what was cut."""
    text = written(body)
    fit(parts, max_chars - len(text) + sum(part.size for part in parts))
    structure = body.get("structure", {})
    if "full_content" in structure:
        # The lines took a quotation mark at each end, the text takes a line break between them.
        structure["full_content"] = "\n".join(structure["full_content"].items)
    elif not left_out and not any(part.is_cut for part in parts):
        return Rendered(text, complete=True, shown=shown_ids(parts))
    told = cuts([part for part in parts if part.name in _VALUES], envelope.cursor)
    told += cuts([part for part in parts if part.name == CHANGES], envelope.delta_cursor)
    truncation = [*told, *left_out]
    if truncation:
        body["truncation"] = truncation[0] if len(truncation) == 1 else truncation
    return Rendered(written(body), complete=not told, shown=shown_ids(parts))
