"""Changes of the properties of one record, and records that are no longer on the page."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from charlotte.page.content_summary import counted_kind, format_counts, landmark_title
from charlotte.page.diff.changes import Change, property_change
from charlotte.page.model import (
    Element,
    Form,
    Heading,
    Landmark,
    PageRecord,
    PageView,
    limit_texts,
)
from charlotte.page.record_base import ellipsize

_MOST_MEMBERS = 20

_PROPERTIES = ("type", "label", "title", "placeholder", "value")
_COMPARED = (*_PROPERTIES, "state", "href", "options", "revision")
_NAMING = {"label", "text", "value"}
"""Properties whose values show to which element they belong."""

_DEFAULT_STATE: dict[str, bool] = {
    "enabled": True,
    "visible": True,
    "focused": False,
    "required": False,
    "invalid": False,
    "readonly": False,
}
"""Values of absent states; other absent states do not apply to the element."""

_MOST_SINGLE = 10
"""Removed records with a change of their own; more are grouped by landmark."""

_SMALL_GROUP = 2
_MOST_GROUPS = 10
_NAMED = 5
_LONGEST_NAME = 100


def element_changes(
    before: Element, after: Element, url_before: str, url_after: str
) -> Iterator[Change]:
    """Return the changes of all properties but the focus; the URLs are those of the page."""
    if before is after or all(getattr(before, name) == getattr(after, name) for name in _COMPARED):
        return
    detail = describe_record(after)
    for name in _PROPERTIES:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield property_change(after.id, name, old, new, detail if name not in _NAMING else None)
    if before.revision != after.revision and before.value == after.value:
        note = "another value, which is not shown"
        yield property_change(after.id, "value", before.value, after.value, note)
    if before.href != after.href:
        fragment = (before.href or "").removeprefix(url_before.partition("#")[0])
        is_same = after.href == f"{url_after.partition('#')[0]}{fragment}"
        if not (fragment.startswith("#") and is_same):
            yield property_change(after.id, "href", before.href, after.href, detail)
    if before.options != after.options:
        yield list_change(after.id, "options", before.options or (), after.options or ())
    for name in dict.fromkeys([*before.state, *after.state]):
        default = _DEFAULT_STATE.get(name)
        old, new = before.state.get(name, default), after.state.get(name, default)
        if old != new and name != "focused":
            yield property_change(after.id, f"state.{name}", old, new, detail)


def list_change(element: str, name: str, before: Sequence[str], after: Sequence[str]) -> Change:
    """Return the change of a list: both lists, or if they are long, only what left and joined."""
    if max(len(before), len(after)) <= _MOST_MEMBERS:
        return property_change(element, name, list(before), list(after))
    old, new = set(before), set(after)
    left = limit_texts([member for member in before if member not in new])
    joined = limit_texts([member for member in after if member not in old])
    detail = f"only those that left and joined, of {len(after)} now"
    return property_change(element, name, left, joined, detail)


def build_removals(
    old: PageView, removed: Sequence[PageRecord], hidden: Collection[str]
) -> list[Change]:
    """Return the changes for records of ``old`` that are gone; ``hidden`` ones may come back."""
    if len(removed) <= _MOST_SINGLE:
        return [_removal(record, hidden) for record in removed]
    groups = [*_group_by_landmark(old, removed, hidden)]
    changes: list[Change] = []
    for title, records in groups[:_MOST_GROUPS]:
        if len(records) <= _SMALL_GROUP:
            changes += (_removal(record, hidden) for record in records)
        else:
            changes.append(_group_removal(title, records, hidden))
    if rest := [record for _, records in groups[_MOST_GROUPS:] for record in records]:
        count = len(groups) - _MOST_GROUPS
        title = f"in {count} other place{'s' * (count > 1)}:"
        changes.append(_group_removal(title, rest, ()))
    return changes


def _group_by_landmark(
    old: PageView, removed: Sequence[PageRecord], hidden: Collection[str]
) -> Iterator[tuple[str, list[PageRecord]]]:
    """Return the records by landmark, each group with a title that names the landmark."""
    indexes = {landmark.id: index for index, landmark in enumerate(old.landmarks)}
    removed_landmarks = {indexes[one.id] for one in removed if isinstance(one, Landmark)}
    groups: dict[tuple[int, bool], list[PageRecord]] = {}
    for record in removed:
        index = indexes[record.id] if isinstance(record, Landmark) else record.landmark
        groups.setdefault((index, record.id in hidden), []).append(record)
    for (index, _), records in groups.items():
        if index in removed_landmarks:
            yield f"{landmark_title(old.landmarks[index])} with", records
        else:
            yield f"in {landmark_title(old.landmarks[index])}:" if index >= 0 else "", records


def _group_removal(title: str, records: Sequence[PageRecord], hidden: Collection[str]) -> Change:
    first = records[0]
    landmark = first if isinstance(first, Landmark) and title.endswith("with") else None
    counts = Counter(counted_kind(record) for record in records if record is not landmark)
    note = ", hidden" if first.id in hidden else ""
    ids = [record.id for record in records[:_NAMED]]
    more = len(records) - _NAMED
    return Change(
        type="removed",
        detail=f"{title} {format_counts(counts)}{note}".strip(),
        before=[*ids, f"… {more} more"] if more > 0 else ids,
        count=len(records),
    )


def _removal(record: PageRecord, hidden: Collection[str]) -> Change:
    note = ", hidden" if record.id in hidden else ""
    return Change(type="removed", element=record.id, detail=f"{describe_record(record)}{note}")


def describe_record(record: PageRecord) -> str:
    """Return a short description of a record."""
    match record:
        case Element():
            return f'{record.type} "{ellipsize(record.label, _LONGEST_NAME)}"'
        case Heading():
            return f'heading "{ellipsize(record.text, _LONGEST_NAME)}"'
        case Landmark():
            return landmark_title(record)
        case Form():
            return f"form with {len(record.fields)} fields"
