"""Keeps what lies behind a dialog comparable: it is still on the page, only out of reach."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeVar

import attrs

from charlotte.page.diff.changes import Change
from charlotte.page.model import (
    Element,
    Form,
    Heading,
    Landmark,
    PageView,
    TextLine,
    UnreachableContent,
    with_landmarks,
)

T = TypeVar("T", Landmark, Heading, Element, Form)


def iter_ids(part: PageView | UnreachableContent) -> Iterator[str]:
    """The ids of all that has one."""
    for records in (part.landmarks, part.headings, part.interactive, part.forms):
        yield from (one.id for one in records)


def merge_unreachable(view: PageView) -> PageView:
    """The view with what is behind: the whole page, in front of everything what comes first."""
    behind = view.unreachable
    if behind is None:
        return view
    landmarks = (*behind.landmarks, *view.landmarks)
    shift = {-1: -1} | {at: len(behind.landmarks) + at for at in range(len(view.landmarks))}
    at = {one.id: place for place, one in reversed([*enumerate(landmarks)])}
    lines = (attrs.evolve(line, landmark=at.get(name, -1)) for name, line in behind.lines)
    return attrs.evolve(
        view,
        landmarks=landmarks,
        headings=(*behind.headings, *with_landmarks(view.headings, shift)),
        interactive=(*behind.interactive, *with_landmarks(view.interactive, shift)),
        forms=(*behind.forms, *with_landmarks(view.forms, shift)),
        lines=(*lines, *with_landmarks(view.lines, shift)),
    )


def find_unreachable(
    old: PageView, new: PageView, ids: Collection[str], front: str
) -> UnreachableContent | None:
    """Those ``ids`` that ``old`` shows or has behind, now out of reach behind ``front``.

    Text has no ids: what is gone from where there is a dialog in front now is behind it.
    """
    if not ids:
        return None
    page = merge_unreachable(old)
    kept = [place for place, one in enumerate(page.landmarks) if one.id in ids]
    places = {place: index for index, place in enumerate(kept)}
    return UnreachableContent(
        covered_by=front,
        landmarks=tuple(page.landmarks[place] for place in kept),
        headings=with_landmarks(_among(page.headings, ids), places),
        interactive=with_landmarks(
            [_unfocused(one) for one in _among(page.interactive, ids)], places
        ),
        forms=with_landmarks(_among(page.forms, ids), places),
        lines=tuple(_lines_behind(old, new, ids)) if front else (),
    )


def _unfocused(element: Element) -> Element:
    """The record without the focus, which cannot be on an element that is out of reach."""
    if "focused" not in element.state:
        return element
    state = {name: value for name, value in element.state.items() if name != "focused"}
    return attrs.evolve(element, state=state)


def _among(records: Iterable[T], ids: Collection[str]) -> list[T]:
    return [one for one in records if one.id in ids]


def _lines_behind(
    old: PageView, new: PageView, ids: Collection[str]
) -> Iterator[tuple[str, TextLine]]:
    lines = old.unreachable.lines if old.unreachable else tuple(_named(old))
    here = Counter(line.text for line in new.lines)
    still = {"", *ids, *(one.id for one in new.landmarks)}
    for landmark, line in lines:
        if here[line.text] > 0:
            here[line.text] -= 1
        elif landmark in still:
            yield landmark, line


def _named(view: PageView) -> Iterator[tuple[str, TextLine]]:
    names = [*(one.id for one in view.landmarks), ""]  # the page root has index -1
    return ((names[line.landmark], line) for line in view.lines)


def reach_changes(old: PageView, new: PageView) -> list[Change]:
    """A line for what went out of reach, and one for what is back."""
    before, after = _reached_again(old, new), _put_away(old, new)
    changes: list[Change] = []
    if after:
        where = (
            f"behind {new.unreachable.covered_by}"
            if new.unreachable and new.unreachable.covered_by
            else "inert or aria-hidden"
        )
        changes.append(_told(f"{_counted(after)} still there, but {where}", reachable=False))
    if before:
        changes.append(_told(f"{_counted(before)} can be reached again", reachable=True))
    return changes


def _put_away(old: PageView, new: PageView) -> Sequence[str]:
    known = set(iter_ids(old.unreachable)) if old.unreachable else set[str]()
    return [one for one in _main_ids(new.unreachable) if one not in known]


def _reached_again(old: PageView, new: PageView) -> Sequence[str]:
    here = set(iter_ids(new)) if old.unreachable else set[str]()
    return [one for one in _main_ids(old.unreachable) if one in here]


def _main_ids(behind: UnreachableContent | None) -> Iterator[str]:
    """What is worth counting."""
    for records in (behind.interactive, behind.headings) if behind else ():
        yield from (one.id for one in records)


def _counted(ids: Sequence[str]) -> str:
    return f"{len(ids)} element{'s' if len(ids) > 1 else ''}"


def _told(detail: str, *, reachable: bool) -> Change:
    return Change(type="changed", property="reachable", detail=detail, after=reachable)
