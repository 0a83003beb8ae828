"""Comparison of two views of a page (C-SDIFF)."""

import sys
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Literal, TypeVar

import attrs

from charlotte.page.content_summary import SEPARATOR, content_summary
from charlotte.page.diff.changes import Change, SnapshotDiff, property_change
from charlotte.page.diff.hidden import iter_ids, merge_unreachable, reach_changes
from charlotte.page.diff.lines import text_changes
from charlotte.page.diff.moves import Movable, find_moves
from charlotte.page.diff.record_changes import (
    build_removals,
    describe_record,
    element_changes,
    list_change,
)
from charlotte.page.model import Element, Form, Heading, Landmark, PageRecord, PageView

DiffScope = Literal["all", "structure", "interactive", "content", "delta"]
"""``delta`` is ``all`` without ``content_summary``, whose counts only repeat the other changes."""

Item = TypeVar("Item", Landmark, Heading, Element, Form)

_MOST_ALIKE = 12
_MANY_ALIKE = frozenset({"clickable", "option"})
_FEW = 5
_KEPT_SHARE = 0.2
"""Share of old elements below which a page counts as replaced."""


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
    kinds = [kind for kind in ("added", "removed", "moved", "changed") if counts[kind]]
    total = counts.total()
    listed = ", ".join(f"{counts[kind]} {kind}" for kind in kinds)
    return f"{total} change{'s' if total > 1 else ''}: {listed}."


def _compare(
    view: PageView, view_now: PageView, scope: DiffScope, acted_on: str | None
) -> list[Change]:
    """Compare the parts in ``scope`` (C-SDIFF-04), including content behind a dialog."""
    old, new = merge_unreachable(view), merge_unreachable(view_now)
    is_everything = scope in {"all", "delta"}
    comparison = _Comparison(
        acted_on=acted_on,
        returning=frozenset(iter_ids(view.unreachable)),
        most_alike=_MOST_ALIKE if scope == "delta" else sys.maxsize,
    )
    landmarks = pair_landmarks(old.landmarks, new.landmarks)
    stayed: list[tuple[Movable, Movable]] = []
    if is_everything or scope == "content":
        comparison.changes += _address_changes(old, new)
    if scope != "content":
        comparison.changes += reach_changes(view, view_now)
    if is_everything or scope == "structure":
        comparison.compare_landmarks(old, new, landmarks)
        comparison.compare_headings(old, new)
        stayed += ((old.landmarks[a], new.landmarks[b]) for a, b in landmarks)
    if is_everything or scope == "interactive":
        stayed += comparison.compare_elements(old, new)
        comparison.compare_forms(old, new)
    comparison.changes += build_removals(old, comparison.removed, view_now.hidden)
    if is_everything or scope == "content":
        comparison.changes += text_changes(old, new, landmarks)
    if scope in {"all", "content"}:
        comparison.changes += _summary_changes(view, view_now)
    # the position of elements that were behind a dialog is not a result of the action
    movable = (pair for pair in stayed if pair[1].id not in comparison.returning)
    return comparison.changes + find_moves(old, new, movable)


def _address_changes(old: PageView, new: PageView) -> list[Change]:
    pairs = (("url", old.url, new.url), ("title", old.title, new.title))
    return [property_change(None, name, a, b) for name, a, b in pairs if a != b]


def _summary_changes(old: PageView, new: PageView) -> list[Change]:
    """Return the change of those parts of the content summary that differ."""
    before, after = content_summary(old).split(SEPARATOR), content_summary(new).split(SEPARATOR)
    if before == after:
        return []
    gone = SEPARATOR.join(part for part in before if part not in after)
    added = SEPARATOR.join(part for part in after if part not in before)
    return [property_change(None, "content_summary", gone, added)]


def pair_landmarks(old: Sequence[Landmark], new: Sequence[Landmark]) -> list[tuple[int, int]]:
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
        indexes = _index(before, feature)
        found = [
            (indexes[key], index) for key, index in _index(after, feature).items() if key in indexes
        ]
        for a, b in found:
            del before[a], after[b]
        pairs += found
    return pairs


def _index(
    landmarks: dict[int, Landmark], feature: Callable[[Landmark], Hashable]
) -> dict[Hashable, int]:
    """Return the indexes of landmarks by feature and position among those with the feature."""
    seen: Counter[Hashable] = Counter()
    keys: dict[Hashable, int] = {}
    for index, landmark in landmarks.items():
        key = feature(landmark)
        keys[key, seen[key]] = index
        seen[key] += 1
    return keys


@attrs.define(kw_only=True)
class _Comparison:
    """Changes and removed records so far.

    ``returning`` are ids of elements that were behind a dialog before. Of new clickables and
    options, the first ``most_alike`` are listed.
    """

    acted_on: str | None
    returning: frozenset[str]
    most_alike: int
    changes: list[Change] = attrs.field(factory=list[Change])
    removed: list[PageRecord] = attrs.field(factory=list[PageRecord])

    def compare_landmarks(
        self, old: PageView, new: PageView, pairs: Sequence[tuple[int, int]]
    ) -> None:
        """Compare landmarks by label: a new label on the same node is a change."""
        kept, kept_now = {a for a, _ in pairs}, {b for _, b in pairs}
        self.removed += [one for index, one in enumerate(old.landmarks) if index not in kept]
        self._add([one for index, one in enumerate(new.landmarks) if index not in kept_now])
        for a, b in pairs:
            before, after = old.landmarks[a], new.landmarks[b]
            self._compare_property(after.id, "label", before.label, after.label)

    def compare_headings(self, old: PageView, new: PageView) -> None:
        """Compare text and level of headings by id."""
        for before, after in self._match(old.headings, new.headings):
            self._compare_property(after.id, "text", before.text, after.text)
            self._compare_property(after.id, "level", before.level, after.level)

    def compare_elements(self, old: PageView, new: PageView) -> list[tuple[Element, Element]]:
        """Compare all properties and states of elements by id; return those that stayed."""
        pairs = self._match(old.interactive, new.interactive)
        for before, after in pairs:
            self.changes += element_changes(before, after, old.url, new.url)
        self._compare_focus(pairs, new)
        return pairs

    def compare_forms(self, old: PageView, new: PageView) -> None:
        """Compare forms by id, with the fields that joined and left (C-SDIFF-07)."""
        for before, after in self._match(old.forms, new.forms):
            for name in ("action", "method", "submit"):
                self._compare_property(after.id, name, getattr(before, name), getattr(after, name))
            if before.fields != after.fields:
                self.changes.append(list_change(after.id, "fields", before.fields, after.fields))

    def _match(self, old: Sequence[Item], new: Sequence[Item]) -> list[tuple[Item, Item]]:
        """Report records of one side only; return the pairs of the others."""
        before = {record.id: record for record in old}
        after = {record.id for record in new}
        self.removed += [record for record in old if record.id not in after]
        self._add([record for record in new if record.id not in before])
        return [(before[record.id], record) for record in new if record.id in before]

    def _add(self, records: Sequence[PageRecord]) -> None:
        counted = [record for record in records if _is_one_of_many(record)][self.most_alike :]
        left_out = {record.id for record in counted}
        for record in records:
            if record.id not in left_out:
                self.changes.append(Change(type="added", element=record.id, after=record.as_json()))
        if counted:
            first, last = describe_record(counted[0]), describe_record(counted[-1])
            detail = f"{len(counted)} more, from {first} to {last}: find lists them"
            self.changes.append(Change(type="added", detail=detail, count=len(counted)))

    def _compare_focus(self, pairs: list[tuple[Element, Element]], new: PageView) -> None:
        """Report the element with new focus; a lost focus only if no element has it."""
        is_focused = any("focused" in element.state for element in new.interactive)
        for before, after in pairs:
            had_focus = "focused" in before.state and after.id not in self.returning
            has_focus = "focused" in after.state
            is_new = has_focus and not had_focus and after.id != self.acted_on
            is_lost = had_focus and not has_focus and not is_focused
            if is_new or is_lost:
                self.changes.append(property_change(after.id, "state.focused", None, has_focus))

    def _compare_property(self, element: str, name: str, before: Any, after: Any) -> None:
        if before != after:
            self.changes.append(property_change(element, name, before, after))


def _is_one_of_many(record: PageRecord) -> bool:
    return isinstance(record, Element) and not _MANY_ALIKE.isdisjoint((record.type, record.role))
