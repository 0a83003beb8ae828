"""What becomes of the properties of one thing: values that changed, lists that got longer."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from charlotte.page.content_summary import counted_kind, format_counts, landmark_title
from charlotte.page.diff.changes import Change
from charlotte.page.model import Element, Form, Heading, Landmark, PageRecord, PageView, limit_texts

_MOST_SINGLE = 10
"""Things that are told one by one; of more, those that were together are told together."""

_SMALL = 2
_MOST_PLACES = 10
_NAMED = 5
_LONGEST_NAME = 100


def build_removals(
    old: PageView, gone: Sequence[PageRecord], hidden: Collection[str]
) -> list[Change]:
    """The changes for what has ``gone`` from ``old``; what is ``hidden`` may be shown again."""
    if len(gone) <= _MOST_SINGLE:
        return [_single(one, hidden) for one in gone]
    places = [*_by_place(old, gone, hidden)]
    changes: list[Change] = []
    for head, group in places[:_MOST_PLACES]:
        if len(group) <= _SMALL:
            changes += (_single(one, hidden) for one in group)
        else:
            changes.append(_together(head, group, hidden))
    if rest := [one for _, group in places[_MOST_PLACES:] for one in group]:
        count = len(places) - _MOST_PLACES
        changes.append(_together(f"in {count} other place{'s' * (count > 1)}:", rest, ()))
    return changes


def _by_place(
    old: PageView, gone: Sequence[PageRecord], hidden: Collection[str]
) -> Iterator[tuple[str, list[PageRecord]]]:
    """What went, landmark by landmark, each with the words for where that was."""
    places = {one.id: place for place, one in enumerate(old.landmarks)}
    went = {places[one.id] for one in gone if isinstance(one, Landmark)}
    groups: dict[tuple[int, bool], list[PageRecord]] = {}
    for one in gone:
        place = places[one.id] if isinstance(one, Landmark) else one.landmark
        groups.setdefault((place, one.id in hidden), []).append(one)
    for (place, _), group in groups.items():
        if place in went:
            yield f"{landmark_title(old.landmarks[place])} with", group
        else:
            yield f"in {landmark_title(old.landmarks[place])}:" if place >= 0 else "", group


def _together(head: str, group: Sequence[PageRecord], hidden: Collection[str]) -> Change:
    landmark = group[0] if isinstance(group[0], Landmark) and head.endswith("with") else None
    counted = format_counts(Counter(counted_kind(one) for one in group if one is not landmark))
    note = ", hidden" if group[0].id in hidden else ""
    ids = [one.id for one in group[:_NAMED]]
    more = len(group) - _NAMED
    return Change(
        type="removed",
        detail=f"{head} {counted}{note}".strip(),
        before=[*ids, f"… {more} more"] if more > 0 else ids,
        many=len(group),
    )


def _single(one: PageRecord, hidden: Collection[str]) -> Change:
    note = ", hidden" if one.id in hidden else ""
    return Change(type="removed", element=one.id, detail=f"{describe_record(one)}{note}")


def describe_record(item: PageRecord) -> str:
    """What a thing was, in a few words."""
    match item:
        case Element():
            return f'{item.type} "{_short(item.label)}"'
        case Heading():
            return f'heading "{_short(item.text)}"'
        case Landmark():
            return landmark_title(item)
        case Form():
            return f"form with {len(item.fields)} fields"


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


_MOST_MEMBERS = 20

_SAME_BUT_NEW = "another value, which is not shown"

_PROPERTIES = ("type", "label", "title", "placeholder", "value")
NAMING = {"label", "text", "value"}
"""Properties that say by themselves what they belong to."""

_DEFAULT_STATE: dict[str, bool] = {
    "enabled": True,
    "visible": True,
    "focused": False,
    "required": False,
    "invalid": False,
    "readonly": False,
}
"""What it means that a state is not there; the others are then not known to the element."""


PageUrls = tuple[str, str]
"""The addresses of the page before and after."""


def element_changes(before: Element, after: Element, urls: PageUrls) -> Iterator[Change]:
    """What is not the same, but for the focus; every change names the property."""
    if before is after or _are_alike(before, after):
        return
    detail = describe_record(after)
    for name in _PROPERTIES:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield property_change(after.id, name, old, new, detail if name not in NAMING else None)
    if before.revision != after.revision and before.value == after.value:
        yield property_change(after.id, "value", before.value, after.value, _SAME_BUT_NEW)
    if before.href != after.href and not _same_fragment(before.href, after.href, urls):
        yield property_change(after.id, "href", before.href, after.href, detail)
    if before.options != after.options:
        yield list_change(after.id, "options", before.options or (), after.options or ())
    yield from _states(before, after, detail)


def _states(before: Element, after: Element, detail: str) -> Iterator[Change]:
    for name in dict.fromkeys([*before.state, *after.state]):
        default = _DEFAULT_STATE.get(name)
        old, new = before.state.get(name, default), after.state.get(name, default)
        if old != new and name != "focused":
            yield property_change(after.id, f"state.{name}", old, new, detail)


def _same_fragment(before: str | None, after: str | None, urls: PageUrls) -> bool:
    """Whether both lead to the same place on the page, which has another address now."""
    old, new = (url.partition("#")[0] for url in urls)
    fragment = (before or "").removeprefix(old)
    return fragment.startswith("#") and after == f"{new}{fragment}"


def _are_alike(before: Element, after: Element) -> bool:
    return (
        before.label == after.label
        and before.value == after.value
        and before.state == after.state
        and before.href == after.href
        and before.options == after.options
        and before.title == after.title
        and before.placeholder == after.placeholder
        and before.type == after.type
        and before.revision == after.revision
    )


def property_change(
    element: str | None, name: str, before: Any, after: Any, detail: str | None = None
) -> Change:
    """One property that changed."""
    return Change(
        type="changed",
        element=element,
        detail=detail,
        property=name,
        before=before,
        after=after,
    )


def list_change(element: str, name: str, before: Sequence[str], after: Sequence[str]) -> Change:
    """A list that changed: whole, or if that is long, only what left and what joined."""
    if max(len(before), len(after)) <= _MOST_MEMBERS:
        return property_change(element, name, list(before), list(after))
    had, has = set(before), set(after)
    left = limit_texts([each for each in before if each not in has])
    joined = limit_texts([each for each in after if each not in had])
    detail = f"only those that left and joined, of {len(after)} now"
    return property_change(element, name, left, joined, detail)
