"""Compares two views of a page and says what changed (surface section 6, C-SDIFF)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeVar

import attrs

from charlotte.page.content import SEPARATOR, content_summary
from charlotte.page.lines import Told, text_changes
from charlotte.page.matching import same_landmarks
from charlotte.page.model import (
    Change,
    Element,
    Form,
    Heading,
    Landmark,
    PageView,
    SnapshotDiff,
    first_of,
)
from charlotte.page.moves import Placed, moves

Scope = Literal["all", "structure", "interactive", "content", "delta"]
"""``delta`` is ``all`` without ``content_summary``, whose counts only repeat the other changes."""

Item = TypeVar("Item", Landmark, Heading, Element, Form)
Pairs = list[tuple[Item, Item]]

_MOST_REMOVED = 20
_MOST_MEMBERS = 20
_LONGEST_VALUE = 200

_PROPERTIES = ("type", "label", "href", "placeholder", "value", "options")
_DEFAULT_STATE: dict[str, bool] = {
    "enabled": True,
    "visible": True,
    "focused": False,
    "required": False,
    "invalid": False,
    "readonly": False,
}
"""What it means that a state is not there; the others are then not known to the element."""


def diff_views(
    old: PageView,
    new: PageView,
    *,
    from_snapshot: int,
    to_snapshot: int,
    scope: Scope = "all",
    acted_on: str | None = None,
) -> SnapshotDiff:
    """What changed from ``old`` to ``new``; of another document only the address is compared.

    That the element ``acted_on`` got the focus goes without saying.
    """
    same = old.document == new.document
    changes = _compared(old, new, scope, acted_on) if same else _addresses(old, new)
    summary = _summary(changes)
    return SnapshotDiff(
        from_snapshot=from_snapshot,
        to_snapshot=to_snapshot,
        changes=tuple(changes),
        summary=summary if same else f"{summary} Another document: its elements are all new.",
    )


def _summary(changes: list[Change]) -> str:
    """C-SDIFF-03; what is told in one line but by name counts as many."""
    if not changes:
        return "No changes."
    count: Counter[str] = Counter()
    for change in changes:
        many = change.type == "removed" and change.before
        count[change.type] += len(change.before) if many else 1
    kinds = [kind for kind in ("added", "removed", "moved", "changed") if count[kind]]
    told = ", ".join(f"{count[kind]} {kind}" for kind in kinds)
    total = count.total()
    return f"{total} change{'s' if total > 1 else ''}: {told}."


def _compared(old: PageView, new: PageView, scope: Scope, acted_on: str | None) -> list[Change]:
    """The parts that ``scope`` names (C-SDIFF-04)."""
    everything = scope in {"all", "delta"}
    comparison = _Comparison(acted_on)
    landmarks = same_landmarks(old.landmarks, new.landmarks)
    placed: list[tuple[Placed, Placed]] = []
    if everything or scope == "content":
        comparison.changes += _addresses(old, new)
    if everything or scope == "structure":
        comparison.landmarks(old, new, landmarks)
        comparison.headings(old, new)
        placed += ((old.landmarks[a], new.landmarks[b]) for a, b in landmarks)
    if everything or scope == "interactive":
        placed += comparison.elements(old, new)
        comparison.forms(old, new)
    if everything or scope == "content":
        comparison.changes += text_changes(old, new, landmarks, comparison.told)
    if scope in {"all", "content"}:
        comparison.changes += _summaries(old, new)
    return comparison.changes + moves(old, new, placed)


def _addresses(old: PageView, new: PageView) -> list[Change]:
    pairs = (("url", old.url, new.url), ("title", old.title, new.title))
    return [_changed(None, name, before, after) for name, before, after in pairs if before != after]


def _summaries(old: PageView, new: PageView) -> list[Change]:
    """The parts of ``content_summary`` that are not the same."""
    before, after = content_summary(old).split(SEPARATOR), content_summary(new).split(SEPARATOR)
    if before == after:
        return []
    went = SEPARATOR.join(part for part in before if part not in after)
    came = SEPARATOR.join(part for part in after if part not in before)
    return [_changed(None, "content_summary", went, came)]


@attrs.define
class _Comparison:
    """The changes found so far, and the texts that they tell."""

    acted_on: str | None
    changes: list[Change] = attrs.field(factory=list[Change])
    told: Told = attrs.field(factory=Told)

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
            if before is not after and not _alike(before, after):
                self._element(before, after)
        self._focus(pairs, new)
        return pairs

    def forms(self, old: PageView, new: PageView) -> None:
        """Forms by id, with the fields that joined and left (C-SDIFF-07)."""
        for before, after in self._matched(old.forms, new.forms):
            for name in ("action", "method", "submit"):
                self._property(after.id, name, getattr(before, name), getattr(after, name))
            if before.fields != after.fields:
                self.changes.append(_members(after.id, "fields", before.fields, after.fields))

    def _matched(self, old: Sequence[Item], new: Sequence[Item]) -> Pairs[Item]:
        """Report what only one side has; return what both have."""
        before = {each.id: each for each in old}
        after = {each.id for each in new}
        self._removed([each for each in old if each.id not in after])
        self._added([each for each in new if each.id not in before])
        return [(before[each.id], each) for each in new if each.id in before]

    def _removed(self, gone: Sequence[Landmark | Heading | Element | Form]) -> None:
        self.told.before.update(text for each in gone for text in _texts(each))
        told = gone if len(gone) <= _MOST_REMOVED else gone[: _MOST_REMOVED - 1]
        self.changes += (Change(type="removed", element=e.id, detail=_described(e)) for e in told)
        if rest := gone[len(told) :]:
            detail = f"{len(rest)} more"
            ids = [each.id for each in rest]
            self.changes.append(Change(type="removed", detail=detail, before=ids))

    def _added(self, new: Iterable[Landmark | Heading | Element | Form]) -> None:
        for each in new:
            self.told.after.update(_texts(each))
            self.changes.append(Change(type="added", element=each.id, after=each.as_json()))

    def _element(self, before: Element, after: Element) -> None:
        for name in _PROPERTIES:
            old, new = getattr(before, name), getattr(after, name)
            if name == "options" and old != new:
                self.changes.append(_members(after.id, name, old or (), new or ()))
            else:
                self._property(after.id, name, old, new, detail=_described(after))
        names = dict.fromkeys([*before.state, *after.state])
        names.pop("focused", None)
        for name in names:
            default = _DEFAULT_STATE.get(name)
            old, new = before.state.get(name, default), after.state.get(name, default)
            self._property(after.id, f"state.{name}", old, new, detail=_described(after))

    def _focus(self, pairs: Pairs[Element], new: PageView) -> None:
        """Who has the focus now; who lost it is worth a word only when nobody got it."""
        anybody = any("focused" in each.state for each in new.interactive)
        for before, after in pairs:
            had, has = "focused" in before.state, "focused" in after.state
            got = has and not had and after.id != self.acted_on
            lost = had and not has and not anybody
            if got or lost:
                self.changes.append(_changed(after.id, "state.focused", None, has))

    def _property(
        self, element: str, name: str, before: Any, after: Any, *, detail: str | None = None
    ) -> None:
        if before == after:
            return
        if name in {"label", "text", "value"}:
            self.told.before.add(before or "")
            self.told.after.add(after or "")
            detail = None
        self.changes.append(_changed(element, name, before, after, detail))


def _alike(before: Element, after: Element) -> bool:
    return (
        before.label == after.label
        and before.value == after.value
        and before.state == after.state
        and before.href == after.href
        and before.options == after.options
        and before.placeholder == after.placeholder
        and before.type == after.type
    )


def _changed(
    element: str | None, name: str, before: Any, after: Any, detail: str | None = None
) -> Change:
    return Change(
        type="changed",
        element=element,
        detail=detail,
        property=name,
        before=_cut(before),
        after=_cut(after),
    )


def _members(element: str, name: str, before: Sequence[str], after: Sequence[str]) -> Change:
    """A list that changed: whole, or if that is long, only what left and what joined."""
    if max(len(before), len(after)) <= _MOST_MEMBERS:
        return _changed(element, name, list(before), list(after))
    had, has = set(before), set(after)
    left = first_of([each for each in before if each not in has])
    joined = first_of([each for each in after if each not in had])
    detail = f"only those that left and joined, of {len(after)} now"
    return _changed(element, name, left, joined, detail)


def _cut(value: Any) -> Any:
    if isinstance(value, str) and len(value) > _LONGEST_VALUE:
        return f"{value[:_LONGEST_VALUE]}… ({len(value)} characters)"
    return value


def _texts(item: Landmark | Heading | Element | Form) -> tuple[str, ...]:
    match item:
        case Element():
            return (item.label, item.value or "")
        case Heading():
            return (item.text,)
        case _:
            return ()


def _described(item: Landmark | Heading | Element | Form) -> str:
    match item:
        case Element():
            return f'{item.type} "{item.label}"'
        case Heading():
            return f'heading "{item.text}"'
        case Landmark():
            return f'{item.role} "{item.name}"' if item.name else item.role
        case Form():
            return f"form with {len(item.fields)} fields"
