"""Detection of elements that moved in the document, apart from scrolling, grouped by distance."""

from collections.abc import Collection, Iterable, Iterator
from itertools import product

from charlotte.page.diff.changes import Change
from charlotte.page.model import Bounds, Element, Landmark, PageView, ScrollOffsets
from charlotte.page.record_base import frozen_record

Movable = Element | Landmark
Vector = tuple[int, int]

_TOLERANCE = 2
"""Pixels; a smaller distance is a rounding error."""

_MOST_GROUPS = 5
"""Groups of elements that moved by the same vector; with more, the page has a new layout."""

_NAMED = 3


@frozen_record
class _Move:
    element_id: str
    before: Bounds
    after: Bounds
    vector: Vector


def find_moves(
    old: PageView, new: PageView, pairs: Iterable[tuple[Movable, Movable]]
) -> list[Change]:
    """Return a change for each group of old and new elements that moved by the same vector.

    ``from`` and ``to`` are boxes in the viewport at the new scroll position.
    """
    dx, dy = new.scroll.x - old.scroll.x, new.scroll.y - old.scroll.y
    scrolled = _container_scrolls(old.scrolls, new.scrolls)
    groups: dict[Vector, list[_Move]] = {}
    for move in _own_moves(pairs, dx, dy):
        if not _find_near(scrolled, move.vector):
            vector = _find_near(groups, move.vector) or move.vector
            groups.setdefault(vector, []).append(move)
    if len(groups) <= _MOST_GROUPS:
        return [_build_change(group, dx, dy) for group in groups.values()]
    count = sum(map(len, groups.values()))
    return [Change(type="moved", detail=f"{count} elements moved, each in its own way")]


def _own_moves(pairs: Iterable[tuple[Movable, Movable]], dx: int, dy: int) -> Iterator[_Move]:
    """Return the elements that moved while the document was scrolled by ``dx``, ``dy``."""
    for old, new in pairs:
        if old is new and not (dx or dy):
            continue
        before, after = old.bounds, new.bounds
        if before is None or after is None or before == after:
            continue
        x = _own_distance(after.x - before.x + dx, after.w - before.w, dx)
        y = _own_distance(after.y - before.y + dy, after.h - before.h, dy)
        if x or y:
            yield _Move(new.id, before, after, (x, y))


def _own_distance(distance: int, growth: int, scrolled: int) -> int:
    """Return the distance along one axis; 0 for an element that only grew or scrolled.

    Fixed and sticky elements move through the document with the scrolling, all or part of the way.
    """
    if -_TOLERANCE <= distance <= _TOLERANCE:
        return 0
    low, high = min(0, scrolled) - _TOLERANCE, max(0, scrolled) + _TOLERANCE
    edges = (distance, distance + growth, distance + growth / 2)
    return 0 if any(low <= edge <= high for edge in edges) else distance


def _container_scrolls(before: ScrollOffsets, after: ScrollOffsets) -> list[Vector]:
    """Return the vectors of content in scrolled containers, and their sum for nested ones."""
    pairs = ((before.get(key, (0, 0)), now) for key, now in after.items())
    vectors = [
        (x - x_now, y - y_now) for (x, y), (x_now, y_now) in pairs if (x, y) != (x_now, y_now)
    ]
    return [*vectors, (sum(x for x, _ in vectors), sum(y for _, y in vectors))] if vectors else []


def _find_near(vectors: Collection[Vector], vector: Vector) -> Vector | None:
    """Return one of the ``vectors`` that differs only by rounding."""
    if not vectors:
        return None
    if vector in vectors:
        return vector
    offsets = range(-_TOLERANCE, _TOLERANCE + 1)
    near = ((vector[0] + dx, vector[1] + dy) for dx, dy in product(offsets, offsets))
    return next((other for other in near if other in vectors), None)


def _build_change(group: list[_Move], dx: int, dy: int) -> Change:
    first = group[0]
    if len(group) == 1:
        return Change(
            type="moved",
            element=first.element_id,
            before=first.before.moved_by(-dx, -dy).as_json(),
            after=first.after.as_json(),
        )
    names = ", ".join(move.element_id for move in group[:_NAMED])
    more = f" and {len(group) - _NAMED} more" if len(group) > _NAMED else ""
    x, y = first.vector
    return Change(type="moved", detail=f"{names}{more} moved together by {x}, {y} px")
