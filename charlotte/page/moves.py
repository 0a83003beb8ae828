"""Tells what moved in the document: not by scrolling, and not each thing that was pushed."""

from collections.abc import Iterable, Iterator
from itertools import product

import attrs

from charlotte.page.model import Bounds, Change, Element, Landmark, PageView

Placed = Element | Landmark
Vector = tuple[int, int]

_TOLERANCE = 2
"""Pixels; less is rounding."""

_TOLD_ONE_BY_ONE = 5
"""Groups of things that moved together; above it the page was laid out anew."""

_NAMED = 3


@attrs.frozen
class _Move:
    element_id: str
    before: Bounds
    after: Bounds
    vector: Vector


def moves(old: PageView, new: PageView, pairs: Iterable[tuple[Placed, Placed]]) -> list[Change]:
    """One change for each group of things that moved by the same way; ``pairs`` are old and new.

    ``from`` and ``to`` are boxes in the viewport as it is scrolled now.
    """
    groups = _together(_moved(pairs, new.scroll.x - old.scroll.x, new.scroll.y - old.scroll.y))
    if len(groups) <= _TOLD_ONE_BY_ONE:
        return [_told(group) for group in groups]
    count = sum(len(group) for group in groups)
    return [Change(type="moved", detail=f"{count} elements moved, each in its own way")]


def _moved(pairs: Iterable[tuple[Placed, Placed]], dx: int, dy: int) -> Iterator[_Move]:
    """Those that moved while the document was scrolled by ``dx``, ``dy``."""
    for earlier, later in pairs:
        before, after = earlier.bounds, later.bounds
        if before is None or after is None or before == after:
            continue
        vector = (
            _way(before.x, before.w, after.x, after.w, dx),
            _way(before.y, before.h, after.y, after.h, dy),
        )
        if vector != (0, 0):
            yield _Move(later.id, before.shifted(-dx, -dy), after, vector)


def _way(start: int, size: int, new_start: int, new_size: int, scrolled: int) -> int:
    """How far something went along one axis of the document; 0 if it only grew where it is.

    What is fixed or sticky travels through the document with the scrolling, all or part of the
    way: that is no movement either.
    """
    way = new_start - start + scrolled
    grown = new_size - size
    low, high = min(0, scrolled) - _TOLERANCE, max(0, scrolled) + _TOLERANCE
    edges = (way, way + grown, way + grown / 2)
    return 0 if any(low <= edge <= high for edge in edges) else way


def _together(moved: Iterable[_Move]) -> list[list[_Move]]:
    groups: dict[Vector, list[_Move]] = {}
    for move in moved:
        groups.setdefault(_nearest(groups, move.vector), []).append(move)
    return list(groups.values())


def _nearest(groups: dict[Vector, list[_Move]], vector: Vector) -> Vector:
    """The vector of the group to join: one that differs by rounding only, else its own."""
    if vector in groups:
        return vector
    near = range(-_TOLERANCE, _TOLERANCE + 1)
    around = ((vector[0] + dx, vector[1] + dy) for dx, dy in product(near, near))
    return next((other for other in around if other in groups), vector)


def _told(group: list[_Move]) -> Change:
    first = group[0]
    if len(group) == 1:
        return Change(
            type="moved",
            element=first.element_id,
            before=first.before.as_json(),
            after=first.after.as_json(),
        )
    names = ", ".join(move.element_id for move in group[:_NAMED])
    more = f" and {len(group) - _NAMED} more" if len(group) > _NAMED else ""
    dx, dy = first.vector
    return Change(type="moved", detail=f"{names}{more} moved together by {dx}, {dy} px")
