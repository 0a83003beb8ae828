"""Search of interactive elements in a view; cursors, and the lists that they continue."""

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

import attrs

from charlotte.errors import InvalidArgument, SnapshotExpired
from charlotte.page.identity.references import DocumentNode, Match
from charlotte.page.model import Bounds, Element, PageView

T = TypeVar("T")

NEAR = 200
"""Largest distance of centres in pixels for ``near`` (C-FIND-04)."""

_KEPT = 20
_CURSOR = re.compile(r"(v?)(\d{1,15})\.([a-z_]{1,20})\.(\d{1,15})")


@attrs.frozen
class Anchor:
    """An element that results must be near to or within; it is not a result itself."""

    element_id: str
    bounds: Bounds
    place: DocumentNode | None = None

    def distance_to(self, bounds: Bounds | None) -> float:
        """Return the distance of the centres; infinite for an element without a box."""
        return math.dist(bounds.centre(), self.bounds.centre()) if bounds else math.inf


@attrs.frozen(kw_only=True)
class Query:
    """Conditions of ``find``; None is no condition. ``redact`` removes secrets before a search."""

    text: str | None = None
    role: str | None = None
    type: str | None = None
    near: Anchor | None = None
    within: Anchor | None = None
    redact: Callable[[str], str] = str


def find_elements(view: PageView, query: Query) -> list[Element]:
    """Return the elements that match (C-FIND-01…06): the nearest or best matches first."""
    found = [element for element in view.interactive if _is_match(element, query)]
    near = query.near
    if near is not None:
        distances = [
            (near.distance_to(element.bounds), element)
            for element in found
            if element.id != near.element_id
        ]
        distances = [pair for pair in distances if pair[0] <= NEAR]
        return [element for _, element in sorted(distances, key=lambda pair: pair[0])]
    if query.text is None:
        return found
    text = query.text.casefold()

    def rank(element: Element) -> int:
        if query.redact(element.label).casefold() == text.strip():
            return 0
        return 1 if _contains(element, text, query) else 2

    return sorted(found, key=rank)


def _is_match(element: Element, query: Query) -> bool:
    within = query.within
    return (
        (query.type is None or element.type == query.type)
        and (query.role is None or element.role == query.role)
        and (query.text is None or _has_text(element, query))
        and (
            within is None
            or (
                element.bounds is not None
                and element.id != within.element_id
                and within.bounds.contains(element.bounds)
            )
        )
    )


def _has_text(element: Element, query: Query) -> bool:
    """Return whether the element, or the text near it, contains the text of a query.

    The text near it counts for elements without a label, and if the query has a role or type.
    """
    text = (query.text or "").casefold()
    is_kind_given = query.role is not None or query.type is not None
    near = element.near if is_kind_given or not element.label else None
    return _contains(element, text, query) or bool(near and text in query.redact(near).casefold())


def _contains(element: Element, text: str, query: Query) -> bool:
    parts = (element.label, element.title, element.value, element.placeholder)
    texts = filter(None, (*parts, *(element.options or ())))
    return any(text in query.redact(part).casefold() for part in texts)


def filter_matches(found: Iterable[Match], query: Query) -> list[Match]:
    """Return the selector's matches that meet the query; with ``near`` the nearest first."""
    near = query.near
    matches = filter_by_position([match for match in found if _is_wanted(match, query)], query)
    return (
        matches if near is None else sorted(matches, key=lambda one: near.distance_to(one.bounds))
    )


def _is_wanted(match: Match, query: Query) -> bool:
    element = match.element
    role = element.role if element else match.role
    has_text = match.has_text or (element is not None and _has_text(element, query))
    return (
        (query.type is None or (element is not None and element.type == query.type))
        and (query.role is None or role == query.role)
        and (query.text is None or has_text)
        and not any(anchor and anchor.place == match.place for anchor in (query.near, query.within))
    )


def filter_by_position(found: Sequence[Match], query: Query) -> list[Match]:
    """Return the matches that meet ``near`` and ``within`` of the query."""
    near, within = query.near, query.within
    return [
        match
        for match in found
        if (within is None or (match.bounds and within.bounds.contains(match.bounds)))
        and (near is None or near.distance_to(match.bounds) <= NEAR)
    ]


@attrs.frozen
class Cursor:
    """Position where a cut list continues in its snapshot, or in a ``kept`` view."""

    snapshot_id: int
    part: str
    offset: int
    kept: bool = False

    def __str__(self) -> str:
        """Return the text of ``next_cursor``."""
        return f"{'v' if self.kept else ''}{self.snapshot_id}.{self.part}.{self.offset}"


def parse_cursor(text: str) -> Cursor:
    """Parse a ``next_cursor``; raises `InvalidArgument` for another text."""
    match = _CURSOR.fullmatch(text)
    if match is None:
        raise InvalidArgument(
            f"cursor must be a next_cursor of a truncation, got {text[:60]!r}.",
            "Pass a next_cursor exactly as it was returned.",
        )
    kept, snapshot_id, part, offset = match.groups()
    return Cursor(int(snapshot_id), part, int(offset), bool(kept))


@attrs.define(eq=False)
class FoundLists(Generic[T]):
    """The last result lists of one tab, for cursors that continue them."""

    _lists: dict[int, Sequence[T]] = attrs.field(factory=dict[int, Sequence[T]])
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1))

    def keep(self, found: Sequence[T]) -> int:
        """Store a list and return its number."""
        number = next(self._numbers)
        self._lists[number] = found
        self._lists.pop(number - _KEPT, None)
        return number

    def forget(self, number: int) -> None:
        """Delete a list that was sent completely, so no cursor continues it."""
        self._lists.pop(number, None)

    def get(self, number: int) -> Sequence[T]:
        """Return a stored list; raises `SnapshotExpired`."""
        if number not in self._lists:
            raise SnapshotExpired(
                f"cursor not found: only the last {_KEPT} lists are stored.",
                "Repeat the call without a cursor; for a cut delta, call observe.",
            )
        return self._lists[number]
