"""Tells nodes with the same key apart by what is around them: their form, and the nearest texts.

Where the probe saw what a node alone of its twins lies in, a row or a card, that does too.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

import attrs

from charlotte.page.capture import Capture, Node
from charlotte.page.identity.elements import Identity, is_replacement
from charlotte.page.identity.records import get_keys, get_lead

_FARTHEST = 60
"""Nodes that are looked at in each direction."""

_MOST_TEXTS = 8

A = TypeVar("A", bound=Hashable)
B = TypeVar("B", bound=Hashable)

Place = int
"""A digest of the heading over what a node alone of its twins lies in, and the text of that."""


class Neighbours(NamedTuple):
    """Name and address of the form, the texts before and after, the nearest first, and the place.

    Texts end at the next node that is called the same, for it has its own, and where a form or
    landmark with a name begins; what is written on the node itself is none of them.
    """

    form: str
    address: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    place: Place | None


@attrs.frozen
class Twin(Generic[A]):
    """One of several with the same name: what stands for it, its composite key, what is around."""

    holder: A
    key: str
    around: Neighbours | None
    identity: Identity | None = None


def find_neighbours(capture: Capture, index: int) -> Neighbours:
    """What is around the node with that index."""
    nodes, node = capture.nodes, capture.nodes[index]
    form = capture.by_nid.get(node.extra.get("form", 0))
    name, address = (form.name, form.extra.get("action", "")) if form else ("", "")
    before = nodes[max(index - _FARTHEST, 0) : index]
    after = nodes[index + 1 : index + 1 + _FARTHEST]
    return Neighbours(
        form=name,
        address=address,
        before=_texts(reversed(before), node),
        after=_texts(after, node),
        place=node.extra.get("place"),
    )


def _texts(nodes: Iterable[Node], node: Node) -> tuple[str, ...]:
    texts: list[str] = []
    for other in nodes:
        if not other.name or (other.kind == "t" and other.name == node.name):
            continue
        if other.kind in {"f", "l"} or (other.name == node.name and other.role == node.role):
            break
        texts.append(other.name)
        if len(texts) == _MOST_TEXTS:
            break
    return tuple(texts)


def pair_twins(old: Sequence[Twin[A]], new: Sequence[Twin[B]]) -> list[tuple[A, B]]:
    """Pair the old and the new that have a place, a record or neighbours like no other.

    When all of them are as they were, order decides among those that nothing else tells apart.
    Siblings as many as before are also known by their position between the nearest texts. None is
    paired with one that belongs to another record, stands in another column or leads elsewhere.
    """
    before, after = _around(old), _around(new)
    paired = _like_no_other(_placed(old), _placed(new))
    _add(paired, _like_no_other(_keyed(old), _keyed(new)))
    _add(paired, _like_no_other(_led(old), _led(new)))
    _add(paired, _like_no_other(_named(old), _named(new)))
    _add(paired, _like_no_other(_keyed(old, counted=True), _keyed(new, counted=True)))
    if [each for _, each in before] == [each for _, each in after]:
        _add(paired, [(a.holder, b.holder) for a, b in zip(old, new, strict=True)])
    else:
        _add(paired, _like_no_other(before, after))
        if len(old) == len(new):
            _add(paired, _like_no_other(_standing(old), _standing(new)))
    was = {one.holder: one.identity for one in old}
    is_now = {one.holder: one.identity for one in new}
    return [(a, b) for a, b in paired if _fit(was[a], is_now[b])]


def _fit(before: Identity | None, now: Identity | None) -> bool:
    return before is None or now is None or is_replacement(before, now)


def _keyed(twins: Iterable[Twin[A]], *, counted: bool = False) -> list[tuple[A, Hashable]]:
    """Those in records with keys, each with these; also with keys that may be ``counted``."""
    return [
        (one.holder, (keys, one.identity.column))
        for one in twins
        if one.identity and one.identity.standing
        if (keys := get_keys(one.identity.standing, with_positions=counted))
    ]


def _named(twins: Iterable[Twin[A]]) -> list[tuple[A, Hashable]]:
    """Those that the page itself gives a name."""
    return [
        (one.holder, (one.around and one.around.address, one.identity.own))
        for one in twins
        if one.identity and one.identity.own
    ]


def _led(twins: Iterable[Twin[A]]) -> list[tuple[A, Hashable]]:
    """Those in records with a text of their own, each with the first one."""
    return [
        (one.holder, (lead, one.identity.column))
        for one in twins
        if one.identity and one.identity.standing and (lead := get_lead(one.identity.standing))
    ]


def _add(paired: list[tuple[A, B]], more: Iterable[tuple[A, B]]) -> None:
    taken, found = {a for a, _ in paired}, {b for _, b in paired}
    paired += [(a, b) for a, b in more if a not in taken and b not in found]


def _around(twins: Iterable[Twin[A]]) -> list[tuple[A, Hashable]]:
    return [(one.holder, one.around and one.around[:-1]) for one in twins]


def _placed(twins: Iterable[Twin[A]]) -> list[tuple[A, Hashable]]:
    """Those that have a place, each with its form and that."""
    return [
        (one.holder, (around.form, around.address, around.place))
        for one in twins
        if (around := one.around) and around.place is not None
    ]


def _standing(twins: Iterable[Twin[A]]) -> list[tuple[A, Hashable]]:
    """Each with its position among its siblings, its form, and the texts next to it."""
    return [
        (one.holder, (one.key, around.form, around.address, around.before[:1], around.after[:1]))
        for one in twins
        if (around := one.around)
    ]


def _like_no_other(
    old: Sequence[tuple[A, Hashable]], new: Sequence[tuple[B, Hashable]]
) -> list[tuple[A, B]]:
    seen_old = Counter(each for _, each in old)
    seen_new = Counter(each for _, each in new)
    holders = {each: b for b, each in new if seen_new[each] == 1}
    return [(a, holders[each]) for a, each in old if each in holders and seen_old[each] == 1]
