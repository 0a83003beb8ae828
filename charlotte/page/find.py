"""Picks interactive elements out of a view."""

import math

import attrs

from charlotte.page.model import Bounds, Element, PageView

NEAR = 200
"""Pixels between two centres (C-FIND-04)."""


@attrs.frozen
class Reference:
    """A thing on the page that others are near to or within; it is never found itself."""

    element_id: str
    bounds: Bounds


@attrs.frozen(kw_only=True)
class Query:
    """What ``find`` was asked for; None is any, all that is given must hold."""

    text: str | None = None
    role: str | None = None
    type: str | None = None
    near: Reference | None = None
    within: Reference | None = None


def find(view: PageView, query: Query) -> list[Element]:
    """Elements in document order, or with ``near`` the nearest first (C-FIND-01…06)."""
    found = [element for element in view.interactive if _matches(element, query)]
    if query.near is None:
        return found
    reference = query.near
    distances = [(_distance(element, reference), element) for element in found]
    near = [pair for pair in distances if pair[0] <= NEAR]
    return [element for _, element in sorted(near, key=lambda pair: pair[0])]


def _matches(element: Element, query: Query) -> bool:
    return (
        (query.type is None or element.type == query.type)
        and (query.role is None or element.role == query.role)
        and (query.text is None or _says(element, query.text.casefold()))
        and (query.within is None or _is_within(element, query.within))
    )


def _says(element: Element, text: str) -> bool:
    texts = (element.label, element.value, element.placeholder)
    return any(each and text in each.casefold() for each in texts)


def _is_within(element: Element, reference: Reference) -> bool:
    return (
        element.bounds is not None
        and element.id != reference.element_id
        and reference.bounds.contains(element.bounds)
    )


def _distance(element: Element, reference: Reference) -> float:
    if element.bounds is None or element.id == reference.element_id:
        return math.inf
    return math.dist(element.bounds.centre(), reference.bounds.centre())
