"""Renders what is no page: lists of what was found, and what changed since a snapshot."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from charlotte.page.cut import cuts, load, written
from charlotte.page.model import Change, SnapshotDiff
from charlotte.page.render import MAX_CHARS, Rendered

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
    body = {name: part, "truncation": cuts([part], number)[0]}
    return Rendered(written(body), complete=False)


def render_diff(delta: SnapshotDiff, tab_id: str, *, max_chars: int = MAX_CHARS) -> Rendered:
    """C-DIFF-03; changes that do not fit are counted."""
    changes = load("changes", delta.changes, Change.as_json, room=max_chars - _DIFF_ENDS)
    body = {**delta.as_json(), "changes": changes, "tab_id": tab_id}
    if changes.is_cut:
        body["truncation"] = cuts([changes], None)[0]
    return Rendered(written(body), complete=not changes.is_cut)
