"""Renders what is no page: lists of what was found, and what changed since a snapshot."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from charlotte.page.diff.changes import Change, SnapshotDiff
from charlotte.page.render.cut import Cursor, Part, cuts, load, written
from charlotte.page.render.envelope import Rendered
from charlotte.page.render.page import CHANGES, MAX_CHARS, shown_ids

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
) -> Rendered:
    """Values as an array, or when they do not all fit, as ``{name: […], truncation}``.

    ``number`` is what a cursor says for the whole list, to be continued in that.
    """
    room = max_chars - _LIST_ENDS
    part = load(name, values[: offset + limit], as_json, room=room, offset=offset)
    part.total = len(values)
    if not part.is_cut:
        return Rendered(written(part), complete=True)
    body = {name: part, "truncation": cuts([part], Cursor(number, "", 0))[0]}
    return Rendered(written(body), complete=False)


def render_diff(
    delta: SnapshotDiff, tab_id: str, *, number: int, max_chars: int = MAX_CHARS
) -> Rendered:
    """C-DIFF-03; ``number`` is what a cursor says for its changes, where they are cut."""
    changes = load(CHANGES, delta.changes, Change.as_json, room=max_chars - _DIFF_ENDS)
    body = {**delta.as_json(), CHANGES: changes, "tab_id": tab_id}
    return _changes_rendered(body, changes, number)


def render_more_changes(
    changes: Sequence[Change], cursor: Cursor, tab_id: str, *, max_chars: int = MAX_CHARS
) -> Rendered:
    """The rest of a list of changes, from where the ``cursor`` says."""
    room, offset = max_chars - _DIFF_ENDS, cursor.offset
    part = load(CHANGES, changes, Change.as_json, room=room, offset=offset)
    body = {"delta": {CHANGES: part}, "tab_id": tab_id}
    return _changes_rendered(body, part, cursor.snapshot_id)


def _changes_rendered(body: dict[str, Any], changes: Part, number: int) -> Rendered:
    if changes.is_cut:
        body["truncation"] = cuts([changes], Cursor(number, "", 0))[0]
    shown = shown_ids([changes])
    return Rendered(written(body), complete=not changes.is_cut, shown=shown)
