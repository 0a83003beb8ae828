"""Picks interactive elements out of a view, and keeps what was found until it is all read."""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

import attrs

from charlotte.errors import SnapshotExpired
from charlotte.page.identity.dom_book import DocumentNode, Match
from charlotte.page.model import Bounds, Element, PageView

T = TypeVar("T")

NEAR = 200
"""Pixels between two centres (C-FIND-04)."""

_KEPT = 20


@attrs.frozen
class Anchor:
    """A thing on the page that others are near to or within; it is never found itself."""

    element_id: str
    bounds: Bounds
    place: DocumentNode | None = None


@attrs.frozen(kw_only=True)
class Query:
    """What ``find_elements`` was asked for; None is any, all that is given must hold.

    Texts of elements are searched as ``redact`` returns them: without secrets.
    """

    text: str | None = None
    role: str | None = None
    type: str | None = None
    near: Anchor | None = None
    within: Anchor | None = None
    redact: Callable[[str], str] = str


def find_elements(view: PageView, query: Query) -> list[Element]:
    """Return the elements that match (C-FIND-01…06), the best matches for a text first.

    With ``near``, the nearest are first instead.
    """
    found = [element for element in view.interactive if _matches(element, query)]
    if query.near is None:
        return found if query.text is None else _best_first(found, query.text, query)
    reference = query.near
    distances = [(_distance(element, reference), element) for element in found]
    near = [pair for pair in distances if pair[0] <= NEAR]
    return [element for _, element in sorted(near, key=lambda pair: pair[0])]


def _best_first(found: list[Element], text: str, query: Query) -> list[Element]:
    """Put exact labels first, then elements that say the text, then those only beside it."""
    wanted = text.strip().casefold()

    def rank(element: Element) -> int:
        if query.redact(element.label).casefold() == wanted:
            return 0
        return 1 if _says(element, text.casefold(), query) else 2

    return sorted(found, key=rank)


def filter_matches(found: Iterable[Match], query: Query) -> list[Match]:
    """Return those of the nodes that a selector found that the query matches.

    With ``near``, the nearest are first.
    """
    kept = filter_by_position([match for match in found if _is_meant(match, query)], query)
    near = query.near
    return kept if near is None else sorted(kept, key=lambda one: _way(one.bounds, near))


def _is_meant(match: Match, query: Query) -> bool:
    element = match.element
    role = element.role if element else match.role
    says = match.has_text or (element is not None and _is_said(element, query))
    return (
        (query.type is None or (element is not None and element.type == query.type))
        and (query.role is None or role == query.role)
        and (query.text is None or says)
        and not any(one and one.place == match.place for one in (query.near, query.within))
    )


def filter_by_position(found: Sequence[Match], query: Query) -> list[Match]:
    """Of nodes that were found by something else, those that are where the query wants them."""
    return [
        one
        for one in found
        if (query.within is None or (one.bounds and query.within.bounds.contains(one.bounds)))
        and (query.near is None or _way(one.bounds, query.near) <= NEAR)
    ]


def _way(bounds: Bounds | None, reference: Anchor) -> float:
    return math.dist(bounds.centre(), reference.bounds.centre()) if bounds else math.inf


def _matches(element: Element, query: Query) -> bool:
    return (
        (query.type is None or element.type == query.type)
        and (query.role is None or element.role == query.role)
        and (query.text is None or _is_said(element, query))
        and (query.within is None or _is_within(element, query.within))
    )


def _is_said(element: Element, query: Query) -> bool:
    """Whether the element, or the text beside it, says the text of a query.

    The text beside it counts for an element without a label, and for any if its kind is given.
    """
    text = (query.text or "").casefold()
    is_kind_given = query.role is not None or query.type is not None
    beside = element.near if is_kind_given or not element.label else None
    return _says(element, text, query) or bool(beside and text in query.redact(beside).casefold())


def _says(element: Element, text: str, query: Query) -> bool:
    parts = (element.label, element.title, element.value, element.placeholder)
    texts = filter(None, (*parts, *(element.options or ())))
    return any(text in query.redact(one).casefold() for one in texts)


def _is_within(element: Element, reference: Anchor) -> bool:
    return (
        element.bounds is not None
        and element.id != reference.element_id
        and reference.bounds.contains(element.bounds)
    )


def _distance(element: Element, reference: Anchor) -> float:
    return math.inf if element.id == reference.element_id else _way(element.bounds, reference)


@attrs.define(eq=False)
class FoundLists(Generic[T]):
    """The last lists that were found in one tab, for the cursors that continue them."""

    _lists: dict[int, Sequence[T]] = attrs.field(factory=dict[int, Sequence[T]])
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1))

    def keep(self, found: Sequence[T]) -> int:
        """Keep a list, and return its number."""
        number = next(self._numbers)
        self._lists[number] = found
        self._lists.pop(number - _KEPT, None)
        return number

    def forget(self, number: int) -> None:
        """Let go of a list that was told whole: no cursor continues it."""
        self._lists.pop(number, None)

    def get(self, number: int) -> Sequence[T]:
        """A list that is kept; raises `SnapshotExpired`."""
        if number not in self._lists:
            raise SnapshotExpired(
                f"The list that this cursor continues is not kept: only the last {_KEPT} are.",
                "Make the call that gave it again, without a cursor; for a cut delta, observe.",
            )
        return self._lists[number]
