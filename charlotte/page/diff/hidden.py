"""Content behind a dialog: it stays comparable because it is still on the page, but unreachable."""

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


def iter_ids(content: PageView | UnreachableContent | None) -> Iterator[str]:
    """Return the ids of all records."""
    if content is not None:
        parts = (content.landmarks, content.headings, content.interactive, content.forms)
        yield from (record.id for records in parts for record in records)


def merge_unreachable(view: PageView) -> PageView:
    """Return the view with its unreachable content, which comes first."""
    behind = view.unreachable
    if behind is None:
        return view
    landmarks = (*behind.landmarks, *view.landmarks)
    indexes = {index: len(behind.landmarks) + index for index in range(len(view.landmarks))}
    by_id = {landmark.id: index for index, landmark in reversed([*enumerate(landmarks)])}
    lines = (attrs.evolve(line, landmark=by_id.get(name, -1)) for name, line in behind.lines)
    return attrs.evolve(
        view,
        landmarks=landmarks,
        headings=(*behind.headings, *with_landmarks(view.headings, indexes)),
        interactive=(*behind.interactive, *with_landmarks(view.interactive, indexes)),
        forms=(*behind.forms, *with_landmarks(view.forms, indexes)),
        lines=(*lines, *with_landmarks(view.lines, indexes)),
    )


def find_unreachable(
    old: PageView, new: PageView, ids: Collection[str], covered_by: str
) -> UnreachableContent | None:
    """Return the content of ``old`` with those ``ids``, now unreachable behind ``covered_by``.

    Text has no ids: lines that are gone from landmarks with an id are unreachable too.
    """
    if not ids:
        return None
    page = merge_unreachable(old)
    kept = [index for index, landmark in enumerate(page.landmarks) if landmark.id in ids]
    indexes = {old_index: index for index, old_index in enumerate(kept)}
    elements = [_remove_focus(element) for element in _select(page.interactive, ids)]
    return UnreachableContent(
        covered_by=covered_by,
        landmarks=tuple(page.landmarks[index] for index in kept),
        headings=with_landmarks(_select(page.headings, ids), indexes),
        interactive=with_landmarks(elements, indexes),
        forms=with_landmarks(_select(page.forms, ids), indexes),
        lines=tuple(_find_lines(old, new, ids)) if covered_by else (),
    )


def _select(records: Iterable[T], ids: Collection[str]) -> list[T]:
    return [record for record in records if record.id in ids]


def _remove_focus(element: Element) -> Element:
    """Return the record without focus, which unreachable elements cannot have."""
    if "focused" not in element.state:
        return element
    state = {name: value for name, value in element.state.items() if name != "focused"}
    return attrs.evolve(element, state=state)


def _find_lines(
    old: PageView, new: PageView, ids: Collection[str]
) -> Iterator[tuple[str, TextLine]]:
    """Return the lines of ``old`` that are not in ``new``, each with the id of its landmark."""
    if old.unreachable:
        lines = old.unreachable.lines
    else:
        names = [*(landmark.id for landmark in old.landmarks), ""]  # the page root has index -1
        lines = tuple((names[line.landmark], line) for line in old.lines)
    present = Counter(line.text for line in new.lines)
    landmarks = {"", *ids, *(landmark.id for landmark in new.landmarks)}
    for landmark, line in lines:
        if present[line.text] > 0:
            present[line.text] -= 1
        elif landmark in landmarks:
            yield landmark, line


def reach_changes(old: PageView, new: PageView) -> list[Change]:
    """Return a change for content that became unreachable, and one for content that came back."""
    known, present = set(iter_ids(old.unreachable)), set(iter_ids(new))
    hidden = [name for name in _countable_ids(new.unreachable) if name not in known]
    shown = [name for name in _countable_ids(old.unreachable) if name in present]
    changes: list[Change] = []
    if hidden and new.unreachable:
        front = new.unreachable.covered_by
        state = f"behind {front}" if front else "inert or aria-hidden"
        changes.append(_reach_change(hidden, f"still there, but {state}", is_reachable=False))
    if shown:
        changes.append(_reach_change(shown, "can be reached again", is_reachable=True))
    return changes


def _countable_ids(content: UnreachableContent | None) -> Iterator[str]:
    """Return the ids of interactive elements and headings."""
    for records in (content.interactive, content.headings) if content else ():
        yield from (record.id for record in records)


def _reach_change(ids: Sequence[str], state: str, *, is_reachable: bool) -> Change:
    detail = f"{len(ids)} element{'s' if len(ids) > 1 else ''} {state}"
    return Change(type="changed", property="reachable", detail=detail, after=is_reachable)
