"""Comparison of two views of a page (C-SDIFF)."""

import sys
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from charlotte.base.errors import ellipsize
from charlotte.page.diff.lines import text_changes
from charlotte.page.model import (
    Bounds,
    Change,
    Element,
    Form,
    Heading,
    Landmark,
    PageRecord,
    PageView,
    ScrollOffsets,
    SnapshotDiff,
    UnreachableContent,
    limit_texts,
    property_change,
)
from charlotte.page.view import (
    SEPARATOR,
    content_summary,
    counted_kind,
    format_counts,
    iter_ids,
    landmark_title,
    merge_unreachable,
)

DiffScope = Literal["all", "structure", "interactive", "content", "delta"]
"""``delta`` is ``all`` without ``content_summary``, whose counts only repeat the other changes."""

_Pair = tuple[PageRecord, PageRecord]
_Unmoving = Heading | Form
Vector = tuple[int, int]

_MOST_ALIKE = 12
_MANY_ALIKE = frozenset({"clickable", "option"})
_FEW = 5
_KEPT_SHARE = 0.2
"""Share of old elements below which a page counts as replaced."""

_MOST_MEMBERS = 20
_LONGEST_NAME = 100

_PROPERTIES = ("type", "label", "icon", "title", "placeholder", "value")
_COMPARED = (*_PROPERTIES, "state", "href", "options", "revision", "formats")
_NAMING = {"label", "text", "value"}
"""Properties whose values show to which element they belong."""

_PROPERTIES_OF: Mapping[type, Sequence[str]] = {
    Landmark: ("label",),
    Heading: ("text", "level"),
    Form: ("action", "method", "submit"),
}

_DEFAULT_STATE: Mapping[str, bool] = {
    **dict.fromkeys(("enabled", "visible"), True),
    **dict.fromkeys(("focused", "required", "invalid", "readonly"), False),
}
"""Values of absent states; other absent states do not apply to the element."""

_MOST_SINGLE = 10
"""Removed records with a change of their own; more are counted."""

_TOLERANCE = 2
"""Pixels; a smaller distance is a rounding error."""

_NAMED_MOVED = 3
"""Elements that moved and are named, if several did."""


def diff_views(
    old: PageView,
    new: PageView,
    *,
    from_snapshot: int,
    to_snapshot: int,
    scope: DiffScope = "all",
    acted_on: str | None = None,
) -> SnapshotDiff:
    """Return the changes from ``old`` to ``new``; of another document only URL and title.

    Focus on the element ``acted_on`` is no change.
    """
    is_same = old.document == new.document
    changes = _compare(old, new, scope, acted_on) if is_same else _address_changes(old, new)
    changes.sort(key=lambda change: change.element is None or change.element != acted_on)
    summary = _summarize(changes)
    return SnapshotDiff(
        from_snapshot=from_snapshot,
        to_snapshot=to_snapshot,
        changes=tuple(changes),
        summary=summary if is_same else f"{summary} Another document: its elements are all new.",
        replaced=is_same and len(changes) >= _FEW and _is_replaced(old, new),
        acted_on=acted_on,
    )


def _is_replaced(old: PageView, new: PageView) -> bool:
    """Return whether most elements are gone and nearly all elements are new."""
    before, after = (set(iter_ids(merge_unreachable(view))) for view in (old, new))
    kept = len(before & after)
    if min(len(before), len(after)) < _FEW:
        return False
    return kept < len(before) / 2 and kept < _KEPT_SHARE * len(after)


def _summarize(changes: list[Change]) -> str:
    """Return the summary of C-SDIFF-03; a change of several things counts as many."""
    if not changes:
        return "No changes."
    counts: Counter[str] = Counter()
    for change in changes:
        counts[change.type] += change.count
    total = counts.total()
    kinds = ("added", "removed", "moved", "changed")
    listed = ", ".join(f"{counts[kind]} {kind}" for kind in kinds if counts[kind])
    return f"{total} change{'s' if total > 1 else ''}: {listed}."


def _compare(
    view: PageView, view_now: PageView, scope: DiffScope, acted_on: str | None
) -> list[Change]:
    """Compare the parts in ``scope`` (C-SDIFF-04), including content behind a dialog."""
    old, new = merge_unreachable(view), merge_unreachable(view_now)
    is_everything = scope in {"all", "delta"}
    returning = frozenset(iter_ids(view.unreachable))
    landmarks = _pair_landmarks(old.landmarks, new.landmarks)
    changes, removed, stayed = list[Change](), list[PageRecord](), list[_Pair]()
    if is_everything or scope == "content":
        changes += _address_changes(old, new)
    if scope != "content":
        changes += _reach_changes(view, view_now)
    kinds: list[tuple[Sequence[PageRecord], Sequence[PageRecord], Sequence[_Pair]]] = []
    pairs: Sequence[_Pair]
    if is_everything or scope == "structure":
        pairs = [(old.landmarks[a], new.landmarks[b]) for a, b in landmarks]
        kinds.append((old.landmarks, new.landmarks, pairs))
        kinds.append((old.headings, new.headings, _pair_ids(old.headings, new.headings)))
    if is_everything or scope == "interactive":
        pairs = _pair_ids(old.interactive, new.interactive)
        kinds.append((old.interactive, new.interactive, pairs))
        kinds.append((old.forms, new.forms, _pair_ids(old.forms, new.forms)))
    for before, after, pairs in kinds:
        kept, kept_now = {a.id for a, _ in pairs}, {b.id for _, b in pairs}
        removed += [record for record in before if record.id not in kept]
        added = [record for record in after if record.id not in kept_now]
        changes += _build_additions(added, _MOST_ALIKE if scope == "delta" else sys.maxsize)
        changes += (each for pair in pairs for each in _record_changes(*pair, old.url, new.url))
        stayed += pairs
    changes += _focus_changes(stayed, new, returning, acted_on)
    most = _MOST_SINGLE if scope == "delta" else sys.maxsize
    changes += _build_removals(removed, view_now.hidden, most)
    if is_everything or scope == "content":
        changes += text_changes(old, new, landmarks)
    if scope in {"all", "content"}:
        parts, parts_now = (content_summary(each).split(SEPARATOR) for each in (view, view_now))
        if parts != parts_now:
            gone = SEPARATOR.join(part for part in parts if part not in parts_now)
            come = SEPARATOR.join(part for part in parts_now if part not in parts)
            changes.append(property_change(None, "content_summary", gone, come))
    # the position of elements that were behind a dialog is not a result of the action
    return changes + _find_moves(old, new, (pair for pair in stayed if pair[1].id not in returning))


def _pair_ids(old: Sequence[PageRecord], new: Sequence[PageRecord]) -> list[_Pair]:
    """Return the pairs of records with the same id."""
    before = {record.id: record for record in old}
    return [(before[record.id], record) for record in new if record.id in before]


def _address_changes(old: PageView, new: PageView) -> list[Change]:
    pairs = (("url", old.url, new.url), ("title", old.title, new.title))
    return [property_change(None, name, a, b) for name, a, b in pairs if a != b]


def count_reach_changes(old: PageView, new: PageView) -> tuple[int, int]:
    """Count the elements that became unreachable, and those that can be reached again."""
    known, present = set(iter_ids(old.unreachable)), set(iter_ids(new))
    hidden = sum(name not in known for name in _countable_ids(new.unreachable))
    shown = sum(name in present for name in _countable_ids(old.unreachable))
    return hidden, shown


def _reach_changes(old: PageView, new: PageView) -> Iterator[Change]:
    """Return a change for content that became unreachable, and one for content that came back."""
    hidden, shown = count_reach_changes(old, new)
    front = new.unreachable.covered_by if new.unreachable else ""
    state = f"still there, but {f'behind {front}' if front else 'inert or aria-hidden'}"
    for count, text, is_reachable in (
        (hidden, state, False),
        (shown, "can be reached again", True),
    ):
        if count:
            detail = f"{count} element{'s' if count > 1 else ''} {text}"
            yield Change(type="changed", property="reachable", detail=detail, after=is_reachable)


def _countable_ids(content: UnreachableContent | None) -> Iterator[str]:
    """Return the ids of interactive elements and headings."""
    for records in (content.interactive, content.headings) if content else ():
        yield from (record.id for record in records)


def _pair_landmarks(old: Sequence[Landmark], new: Sequence[Landmark]) -> list[tuple[int, int]]:
    """Pair the indexes of landmarks on both pages by ``role:label`` (C-SDIFF-05), then by id.

    Of several with one label, those with the same id are paired first, then the rest in order.
    """
    pairs: list[tuple[int, int]] = []
    before, after = dict(enumerate(old)), dict(enumerate(new))
    features: tuple[Callable[[Landmark], Hashable], ...] = (
        lambda landmark: (landmark.id, landmark.role, landmark.label),
        lambda landmark: (landmark.role, landmark.label),
        lambda landmark: landmark.id,
    )
    for feature in features:
        waiting: dict[Hashable, list[int]] = {}
        for a, landmark in before.items():
            waiting.setdefault(feature(landmark), []).append(a)
        for b, landmark in [*after.items()]:
            if indexes := waiting.get(feature(landmark)):
                pairs.append((indexes.pop(0), b))
                del before[pairs[-1][0]], after[b]
    return pairs


def _build_additions(records: Sequence[PageRecord], most_alike: int) -> Iterator[Change]:
    """Return the changes for new records; ``most_alike`` clickables and options are listed."""
    counted = [
        record
        for record in records
        if isinstance(record, Element) and not _MANY_ALIKE.isdisjoint((record.type, record.role))
    ][most_alike:]
    left_out = {record.id for record in counted}
    for record in records:
        if record.id not in left_out:
            yield Change(type="added", element=record.id, after=record.as_json())
    if counted:
        first, last = _describe_record(counted[0]), _describe_record(counted[-1])
        detail = f"{len(counted)} more, from {first} to {last}: find lists them"
        yield Change(type="added", detail=detail, count=len(counted))


def _record_changes(
    before: PageRecord, after: PageRecord, url_before: str, url_after: str
) -> Iterator[Change]:
    """Return the changes of all properties; the URLs are those of the page."""
    if isinstance(before, Element) and isinstance(after, Element):
        yield from _element_changes(before, after, url_before, url_after)
        return
    yield from _property_changes(before, after, _PROPERTIES_OF[type(after)])
    if isinstance(before, Form) and isinstance(after, Form) and before.fields != after.fields:
        yield _list_change(after.id, "fields", before.fields, after.fields)  # C-SDIFF-07


def _property_changes(
    before: PageRecord, after: PageRecord, names: Iterable[str], detail: str | None = None
) -> Iterator[Change]:
    for name in names:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield property_change(after.id, name, old, new, None if name in _NAMING else detail)


def _focus_changes(
    pairs: Sequence[_Pair], new: PageView, returning: Collection[str], acted_on: str | None
) -> Iterator[Change]:
    """Return the change of focus; a lost focus is a change only if no element has the focus."""
    is_focused = any("focused" in element.state for element in new.interactive)
    for before, after in pairs:
        if not (isinstance(before, Element) and isinstance(after, Element)):
            continue
        had_focus = "focused" in before.state and after.id not in returning
        has_focus = "focused" in after.state
        is_new = has_focus and not had_focus and after.id != acted_on
        is_lost = had_focus and not has_focus and not is_focused
        if is_new or is_lost:
            yield property_change(after.id, "state.focused", None, has_focus)


def _element_changes(
    before: Element, after: Element, url_before: str, url_after: str
) -> Iterator[Change]:
    """Return the changes of all properties but the focus; the URLs are those of the page."""
    if before is after or all(getattr(before, name) == getattr(after, name) for name in _COMPARED):
        return
    detail = _describe_record(after)
    yield from _property_changes(before, after, _PROPERTIES, detail)
    if before.revision != after.revision and before.value == after.value:
        note = "another value, which is not shown"
        yield property_change(after.id, "value", before.value, after.value, note)
    if before.href != after.href:
        fragment = (before.href or "").removeprefix(url_before.partition("#")[0])
        is_same = after.href == f"{url_after.partition('#')[0]}{fragment}"
        if not (fragment.startswith("#") and is_same):
            yield property_change(after.id, "href", before.href, after.href, detail)
    if before.options != after.options:
        yield _list_change(after.id, "options", before.options or (), after.options or ())
    left, joined = format_changes(before, after)
    if left or joined:
        yield property_change(
            after.id, "formats", limit_texts(left) or None, limit_texts(joined) or None
        )
    for name in dict.fromkeys([*before.state, *after.state]):
        default = _DEFAULT_STATE.get(name)
        old, new = before.state.get(name, default), after.state.get(name, default)
        if old != new and name != "focused":
            yield property_change(after.id, f"state.{name}", old, new, detail)


def format_changes(before: Element, after: Element) -> tuple[list[str], list[str]]:
    """Return the formats that left and joined the text of an editor while its words stayed."""
    if before.formats == after.formats or _words(before.value) != _words(after.value):
        return [], []
    old, new = Counter(before.formats), Counter(after.formats)
    return [*(old - new).elements()], [*(new - old).elements()]


def _words(text: str | None) -> list[str]:
    return (text or "").split()


def _list_change(element: str, name: str, before: Sequence[str], after: Sequence[str]) -> Change:
    """Return the change of a list: both lists, or only the differences if they are long."""
    if max(len(before), len(after)) <= _MOST_MEMBERS:
        return property_change(element, name, list(before), list(after))
    old, new = set(before), set(after)
    left = limit_texts([member for member in before if member not in new])
    joined = limit_texts([member for member in after if member not in old])
    detail = f"only those that left and joined, of {len(after)} now"
    return property_change(element, name, left, joined, detail)


def _build_removals(
    removed: Sequence[PageRecord], hidden: Collection[str], most: int
) -> Iterator[Change]:
    """Return the changes for records that are gone; ``hidden`` ones may come back."""
    for record in removed[:most]:
        note = ", hidden" if record.id in hidden else ""
        yield Change("removed", record.id, f"{_describe_record(record)}{note}")
    if more := removed[most:]:
        counts = format_counts(Counter(map(counted_kind, more)))
        yield Change("removed", detail=f"{counts} more", count=len(more))


def _describe_record(record: PageRecord) -> str:
    match record:
        case Element():
            return f'{record.type} "{ellipsize(record.label, _LONGEST_NAME)}"'
        case Heading():
            return f'heading "{ellipsize(record.text, _LONGEST_NAME)}"'
        case Landmark():
            return landmark_title(record)
        case Form():
            return f"form with {len(record.fields)} fields"


def _find_moves(old: PageView, new: PageView, pairs: Iterable[_Pair]) -> list[Change]:
    """Return a change for an element that moved in the document, or one for several.

    ``from`` and ``to`` are boxes in the viewport at the new scroll position.
    """
    dx, dy = new.scroll.x - old.scroll.x, new.scroll.y - old.scroll.y
    scrolled = _container_scrolls(old.scrolls, new.scrolls)
    moved, vectors = list[tuple[str, Bounds, Bounds]](), list[Vector]()
    for record, record_now in pairs:
        if isinstance(record, _Unmoving) or isinstance(record_now, _Unmoving):
            continue
        before, after = record.bounds, record_now.bounds
        if before is None or after is None or before == after:
            continue
        x = _own_distance(after.x - before.x + dx, after.w - before.w, dx)
        y = _own_distance(after.y - before.y + dy, after.h - before.h, dy)
        if (x or y) and not any(
            abs(x - right) <= _TOLERANCE and abs(y - down) <= _TOLERANCE for right, down in scrolled
        ):
            moved.append((record_now.id, before.moved_by(-dx, -dy), after))
            vectors.append((x, y))
    if len(moved) > 1:
        names = ", ".join(name for name, _, _ in moved[:_NAMED_MOVED])
        more = len(moved) - _NAMED_MOVED
        others = f" and {more} more" if more > 0 else ""
        x, y = vectors[0]
        is_same = all(max(abs(x - a), abs(y - b)) <= _TOLERANCE for a, b in vectors)
        how = f" together by {x}, {y} px" if is_same else ""
        return [Change(type="moved", detail=f"{names}{others} moved{how}")]
    return [
        Change(type="moved", element=name, before=box.as_json(), after=box_now.as_json())
        for name, box, box_now in moved
    ]


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
