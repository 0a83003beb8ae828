"""Tells what moved in the document: not by scrolling, and not each thing that was pushed."""

from collections.abc import Collection, Iterable, Iterator
from itertools import product

from charlotte.page.diff.changes import Change
from charlotte.page.model import Bounds, Element, Landmark, PageView, ScrollOffsets
from charlotte.page.record_base import frozen_record

Movable = Element | Landmark
Vector = tuple[int, int]

_TOLERANCE = 2
"""Pixels; less is rounding."""

_TOLD_ONE_BY_ONE = 5
"""Groups of things that moved together; above it the page was laid out anew."""

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
    """One change for each group of things that moved by the same way; ``pairs`` are old and new.

    ``from`` and ``to`` are boxes in the viewport as it is scrolled now.
    """
    dx, dy = new.scroll.x - old.scroll.x, new.scroll.y - old.scroll.y
    carried = _carried(old.scrolls, new.scrolls)
    moved = (one for one in _moved(pairs, dx, dy) if not _near(carried, one.vector))
    groups = _together(moved)
    if len(groups) <= _TOLD_ONE_BY_ONE:
        return [_told(group, dx, dy) for group in groups]
    count = sum(len(group) for group in groups)
    return [Change(type="moved", detail=f"{count} elements moved, each in its own way")]


def _moved(pairs: Iterable[tuple[Movable, Movable]], dx: int, dy: int) -> Iterator[_Move]:
    """Those that moved while the document was scrolled by ``dx``, ``dy``."""
    for earlier, later in pairs:
        if earlier is later and not (dx or dy):
            continue
        before, after = earlier.bounds, later.bounds
        if before is None or after is None or before == after:
            continue
        x = _way(after.x - before.x + dx, after.w - before.w, dx)
        y = _way(after.y - before.y + dy, after.h - before.h, dy)
        if x or y:
            yield _Move(later.id, before, after, (x, y))


def _way(way: int, grown: int, scrolled: int) -> int:
    """How far something went along one axis of the document; 0 if it only grew where it is.

    What is fixed or sticky travels through the document with the scrolling, all or part of the
    way: that is no movement either.
    """
    if -_TOLERANCE <= way <= _TOLERANCE:
        return 0
    low, high = min(0, scrolled) - _TOLERANCE, max(0, scrolled) + _TOLERANCE
    edges = (way, way + grown, way + grown / 2)
    return 0 if any(low <= edge <= high for edge in edges) else way


def _carried(before: ScrollOffsets, after: ScrollOffsets) -> list[Vector]:
    """The ways that what lies in a scrolled part of the page went with it, or with all of them."""
    old = ((before.get(key, (0, 0)), now) for key, now in after.items())
    ways = [(x - x_now, y - y_now) for (x, y), (x_now, y_now) in old if (x, y) != (x_now, y_now)]
    return [*ways, (sum(x for x, _ in ways), sum(y for _, y in ways))] if ways else []


def _together(moved: Iterable[_Move]) -> list[list[_Move]]:
    groups: dict[Vector, list[_Move]] = {}
    for move in moved:
        groups.setdefault(_nearest(groups, move.vector), []).append(move)
    return list(groups.values())


def _nearest(groups: dict[Vector, list[_Move]], vector: Vector) -> Vector:
    """The vector of the group to join: one that differs by rounding only, else its own."""
    return _near(groups, vector) or vector


def _near(vectors: Collection[Vector], vector: Vector) -> Vector | None:
    """One of the ``vectors`` that differs by rounding only."""
    if not vectors:
        return None
    if vector in vectors:
        return vector
    near = range(-_TOLERANCE, _TOLERANCE + 1)
    around = ((vector[0] + dx, vector[1] + dy) for dx, dy in product(near, near))
    return next((other for other in around if other in vectors), None)


def _told(group: list[_Move], dx: int, dy: int) -> Change:
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
