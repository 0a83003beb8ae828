"""Tells what is not on a page any more: a few things one by one, many by where they were."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from charlotte.page.diff.changes import Change
from charlotte.page.model import Element, Form, Heading, Landmark, PageView
from charlotte.page.render.content import kind_of, quoted, told_count

Gone = Landmark | Heading | Element | Form

_MOST_SINGLE = 10
"""Things that are told one by one; of more, those that were together are told together."""

_SMALL = 2
_MOST_PLACES = 10
_NAMED = 5
_LONGEST_NAME = 100


def removals(old: PageView, gone: Sequence[Gone], hidden: Collection[str]) -> list[Change]:
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
    old: PageView, gone: Sequence[Gone], hidden: Collection[str]
) -> Iterator[tuple[str, list[Gone]]]:
    """What went, landmark by landmark, each with the words for where that was."""
    places = {one.id: place for place, one in enumerate(old.landmarks)}
    went = {places[one.id] for one in gone if isinstance(one, Landmark)}
    groups: dict[tuple[int, bool], list[Gone]] = {}
    for one in gone:
        place = places[one.id] if isinstance(one, Landmark) else one.landmark
        groups.setdefault((place, one.id in hidden), []).append(one)
    for (place, _), group in groups.items():
        if place in went:
            yield f"{quoted(old.landmarks[place])} with", group
        else:
            yield f"in {quoted(old.landmarks[place])}:" if place >= 0 else "", group


def _together(head: str, group: Sequence[Gone], hidden: Collection[str]) -> Change:
    landmark = group[0] if isinstance(group[0], Landmark) and head.endswith("with") else None
    counted = told_count(Counter(kind_of(one) for one in group if one is not landmark))
    note = ", hidden" if group[0].id in hidden else ""
    ids = [one.id for one in group[:_NAMED]]
    more = len(group) - _NAMED
    return Change(
        type="removed",
        detail=f"{head} {counted}{note}".strip(),
        before=[*ids, f"… {more} more"] if more > 0 else ids,
        many=len(group),
    )


def _single(one: Gone, hidden: Collection[str]) -> Change:
    note = ", hidden" if one.id in hidden else ""
    return Change(type="removed", element=one.id, detail=f"{described(one)}{note}")


def described(item: Gone) -> str:
    """What a thing was, in a few words."""
    match item:
        case Element():
            return f'{item.type} "{_short(item.label)}"'
        case Heading():
            return f'heading "{_short(item.text)}"'
        case Landmark():
            return quoted(item)
        case Form():
            return f"form with {len(item.fields)} fields"


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
