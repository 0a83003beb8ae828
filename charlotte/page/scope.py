"""A part of a view: what lies in one element, and the text in it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeVar

import attrs

from charlotte.page.identity.ids import IdBook
from charlotte.page.model import (
    NOTHING_BEYOND,
    Element,
    Form,
    Heading,
    Landmark,
    Line,
    PageView,
)

T = TypeVar("T", Element, Form, Heading, Line)


def scoped(view: PageView, ids: IdBook, numbers: Collection[int], texts: Iterable[str]) -> PageView:
    """What of a view has one of these ``numbers`` of nodes, with the ``texts`` in their order."""

    def inside(one: Element | Form | Heading | Landmark) -> bool:
        return ids.resolve(one.id) in numbers

    headings = [one for one in view.headings if inside(one)]
    interactive = [one for one in view.interactive if inside(one)]
    kept = [index for index, landmark in enumerate(view.landmarks) if inside(landmark)]
    places = {index: place for place, index in enumerate(kept)}
    return attrs.evolve(
        view,
        landmarks=tuple(view.landmarks[index] for index in kept),
        headings=placed(headings, places),
        interactive=placed(interactive, places),
        forms=placed([one for one in view.forms if inside(one)], places),
        lines=_lines(view, {one.id for one in headings} | {one.id for one in interactive}, texts),
        counts={},
        beyond=NOTHING_BEYOND,
    )


def _lines(view: PageView, inside: Collection[str], texts: Iterable[str]) -> tuple[Line, ...]:
    """Make lines of the texts, with the owners and followers that lines of the view have."""
    known = {
        line.text: line
        for line in view.lines
        if line.owner in inside or any(one in inside for one in line.followers)
    }
    return tuple(
        Line(-1, text, line.owner, line.followers) if (line := known.get(text)) else Line(-1, text)
        for text in texts
    )


def placed(records: Sequence[T], places: Mapping[int, int]) -> tuple[T, ...]:
    """The records with the new place of the landmark around each, in none if it has no place."""
    return tuple(attrs.evolve(one, landmark=places.get(one.landmark, -1)) for one in records)
