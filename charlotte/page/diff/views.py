"""Compares two views of a page and says what changed (C-SDIFF)."""

import sys
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Literal, TypeVar

import attrs

from charlotte.page.content_summary import SEPARATOR, content_summary
from charlotte.page.diff.changes import Change, SnapshotDiff
from charlotte.page.diff.hidden import iter_ids, merge_unreachable, reach_changes
from charlotte.page.diff.lines import text_changes
from charlotte.page.diff.moves import Movable, find_moves
from charlotte.page.diff.record_changes import (
    PageUrls,
    build_removals,
    describe_record,
    element_changes,
    list_change,
    property_change,
)
from charlotte.page.model import Element, Form, Heading, Landmark, PageRecord, PageView


def pair_landmarks(old: Sequence[Landmark], new: Sequence[Landmark]) -> list[tuple[int, int]]:
    """The places of each landmark that both have: by ``role:label`` (C-SDIFF-05), then by id.

    Of several that are called the same, those with the same id belong together, then the first
    with the first.
    """
    pairs: list[tuple[int, int]] = []
    before, after = dict(enumerate(old)), dict(enumerate(new))
    for keys in (_ids_with_labels, _labels, _ids):
        places = keys(before)
        found = [(places[key], place) for key, place in keys(after).items() if key in places]
        for a, b in found:
            del before[a], after[b]
        pairs += found
    return pairs


def _ids_with_labels(landmarks: dict[int, Landmark]) -> dict[Hashable, int]:
    return {(each.id, each.role, each.label): place for place, each in landmarks.items()}


def _labels(landmarks: dict[int, Landmark]) -> dict[Hashable, int]:
    seen: Counter[tuple[str, str]] = Counter()
    keys: dict[Hashable, int] = {}
    for place, landmark in landmarks.items():
        key = landmark.role, landmark.label
        keys[key, seen[key]] = place
        seen[key] += 1
    return keys


def _ids(landmarks: dict[int, Landmark]) -> dict[Hashable, int]:
    return {each.id: place for place, each in landmarks.items()}


DiffScope = Literal["all", "structure", "interactive", "content", "delta"]
"""``delta`` is ``all`` without ``content_summary``, whose counts only repeat the other changes."""

Item = TypeVar("Item", Landmark, Heading, Element, Form)
Pairs = list[tuple[Item, Item]]

_MOST_ALIKE = 12
_MANY_ALIKE = frozenset({"clickable", "option"})
_FEW = 5
_KEPT_SHARE = 0.2
"""Of what is there now: where less of it was there before, it is another page."""


def diff_views(
    old: PageView,
    new: PageView,
    *,
    from_snapshot: int,
    to_snapshot: int,
    scope: DiffScope = "all",
    acted_on: str | None = None,
) -> SnapshotDiff:
    """What changed from ``old`` to ``new``; of another document only the address is compared.

    That the element ``acted_on`` got the focus goes without saying.
    """
    same = old.document == new.document
    changes = _compared(old, new, scope, acted_on) if same else _addresses(old, new)
    changes.sort(key=lambda change: change.element is None or change.element != acted_on)
    summary = _summary(changes)
    return SnapshotDiff(
        from_snapshot=from_snapshot,
        to_snapshot=to_snapshot,
        changes=tuple(changes),
        summary=summary if same else f"{summary} Another document: its elements are all new.",
        replaced=same and len(changes) >= _FEW and _is_replaced(old, new),
        acted_on=acted_on,
    )


def _is_replaced(old: PageView, new: PageView) -> bool:
    """Whether most of it has gone and next to nothing of what is there was: another page really."""
    before, after = set(iter_ids(merge_unreachable(old))), set(iter_ids(merge_unreachable(new)))
    kept = len(before & after)
    if min(len(before), len(after)) < _FEW:
        return False
    return kept < len(before) / 2 and kept < _KEPT_SHARE * len(after)


def _summary(changes: list[Change]) -> str:
    """C-SDIFF-03; what is told in one line but by name counts as many."""
    if not changes:
        return "No changes."
    count: Counter[str] = Counter()
    for change in changes:
        count[change.type] += change.many
    kinds = [kind for kind in ("added", "removed", "moved", "changed") if count[kind]]
    told = ", ".join(f"{count[kind]} {kind}" for kind in kinds)
    total = count.total()
    return f"{total} change{'s' if total > 1 else ''}: {told}."


def _compared(
    view: PageView, now: PageView, scope: DiffScope, acted_on: str | None
) -> list[Change]:
    """The parts that ``scope`` names (C-SDIFF-04), of the page with what is behind a dialog."""
    old, new = merge_unreachable(view), merge_unreachable(now)
    everything = scope in {"all", "delta"}
    most = _MOST_ALIKE if scope == "delta" else sys.maxsize
    comparison = _Comparison(acted_on, _ids_behind(view), (view.url, now.url), most)
    landmarks = pair_landmarks(old.landmarks, new.landmarks)
    placed: list[tuple[Movable, Movable]] = []
    if everything or scope == "content":
        comparison.changes += _addresses(old, new)
    if scope != "content":
        comparison.changes += reach_changes(view, now)
    if everything or scope == "structure":
        comparison.landmarks(old, new, landmarks)
        comparison.headings(old, new)
        placed += ((old.landmarks[a], new.landmarks[b]) for a, b in landmarks)
    if everything or scope == "interactive":
        placed += comparison.elements(old, new)
        comparison.forms(old, new)
    comparison.changes += build_removals(old, comparison.gone, now.hidden)
    if everything or scope == "content":
        comparison.changes += text_changes(old, new, landmarks)
    if scope in {"all", "content"}:
        comparison.changes += _summaries(view, now)
    return comparison.changes + find_moves(old, new, comparison.in_front(placed))


def _ids_behind(view: PageView) -> frozenset[str]:
    return frozenset(iter_ids(view.unreachable)) if view.unreachable else frozenset()


def _addresses(old: PageView, new: PageView) -> list[Change]:
    pairs = (("url", old.url, new.url), ("title", old.title, new.title))
    return [
        property_change(None, name, before, after)
        for name, before, after in pairs
        if before != after
    ]


def _summaries(old: PageView, new: PageView) -> list[Change]:
    """The parts of ``content_summary`` that are not the same."""
    before, after = content_summary(old).split(SEPARATOR), content_summary(new).split(SEPARATOR)
    if before == after:
        return []
    went = SEPARATOR.join(part for part in before if part not in after)
    came = SEPARATOR.join(part for part in after if part not in before)
    return [property_change(None, "content_summary", went, came)]


@attrs.define
class _Comparison:
    """The changes found so far, and what has gone.

    ``returning`` are the ids of what was behind a dialog before. Of clickables and options that
    have come, the first ``most_alike`` are told.
    """

    acted_on: str | None
    returning: frozenset[str]
    urls: PageUrls
    most_alike: int
    changes: list[Change] = attrs.field(factory=list[Change])
    gone: list[PageRecord] = attrs.field(factory=list[PageRecord])

    def in_front(self, placed: list[tuple[Movable, Movable]]) -> Iterator[tuple[Movable, Movable]]:
        """Without what was behind: where it is now says nothing of what happened."""
        return (pair for pair in placed if pair[1].id not in self.returning)

    def landmarks(self, old: PageView, new: PageView, pairs: Sequence[tuple[int, int]]) -> None:
        """Landmarks are what they are called: a new name on the same node is a change."""
        kept, came = {a for a, _ in pairs}, {b for _, b in pairs}
        self._removed([each for index, each in enumerate(old.landmarks) if index not in kept])
        self._added([each for index, each in enumerate(new.landmarks) if index not in came])
        for a, b in pairs:
            self._property(
                new.landmarks[b].id, "label", old.landmarks[a].label, new.landmarks[b].label
            )

    def headings(self, old: PageView, new: PageView) -> None:
        """Headings by id: their text and level."""
        for before, after in self._matched(old.headings, new.headings):
            self._property(after.id, "text", before.text, after.text)
            self._property(after.id, "level", before.level, after.level)

    def elements(self, old: PageView, new: PageView) -> Pairs[Element]:
        """Elements by id: every property and state; returns those that stayed."""
        pairs = self._matched(old.interactive, new.interactive)
        for before, after in pairs:
            for change in element_changes(before, after, self.urls):
                self.changes.append(change)
        self._focus(pairs, new)
        return pairs

    def forms(self, old: PageView, new: PageView) -> None:
        """Forms by id, with the fields that joined and left (C-SDIFF-07)."""
        for before, after in self._matched(old.forms, new.forms):
            for name in ("action", "method", "submit"):
                self._property(after.id, name, getattr(before, name), getattr(after, name))
            if before.fields != after.fields:
                self.changes.append(list_change(after.id, "fields", before.fields, after.fields))

    def _matched(self, old: Sequence[Item], new: Sequence[Item]) -> Pairs[Item]:
        """Report what only one side has; return what both have."""
        before = {each.id: each for each in old}
        after = {each.id for each in new}
        self._removed([each for each in old if each.id not in after])
        self._added([each for each in new if each.id not in before])
        return [(before[each.id], each) for each in new if each.id in before]

    def _removed(self, gone: Sequence[PageRecord]) -> None:
        self.gone += gone

    def _added(self, new: Sequence[PageRecord]) -> None:
        untold = [each for each in new if _is_one_of_many(each)][self.most_alike :]
        left_out = {each.id for each in untold}
        for each in new:
            if each.id not in left_out:
                self.changes.append(Change(type="added", element=each.id, after=each.as_json()))
        if untold:
            self.changes.append(_only_counted(untold))

    def _focus(self, pairs: Pairs[Element], new: PageView) -> None:
        """Who has the focus now; who lost it is worth a word only when nobody got it."""
        anybody = any("focused" in each.state for each in new.interactive)
        for before, after in pairs:
            had = "focused" in before.state and after.id not in self.returning
            has = "focused" in after.state
            got = has and not had and after.id != self.acted_on
            lost = had and not has and not anybody
            if got or lost:
                self.changes.append(property_change(after.id, "state.focused", None, has))

    def _property(self, element: str, name: str, before: Any, after: Any) -> None:
        if before != after:
            self.changes.append(property_change(element, name, before, after))


def _is_one_of_many(item: PageRecord) -> bool:
    return isinstance(item, Element) and not _MANY_ALIKE.isdisjoint((item.type, item.role))


def _only_counted(alike: Sequence[PageRecord]) -> Change:
    first, last = describe_record(alike[0]), describe_record(alike[-1])
    counted = f"{len(alike)} more, from {first} to {last}: find tells them"
    return Change(type="added", detail=counted, many=len(alike))
