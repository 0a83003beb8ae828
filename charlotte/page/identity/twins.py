"""Distinction of nodes with the same key by their form, record, and the nearest texts.

If the probe saw the row or card in which a node is the only twin, that distinguishes it too.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import attrs

from charlotte.page.capture import Capture, Node
from charlotte.page.identity.elements import Identity, is_replacement
from charlotte.page.identity.records import get_keys, get_lead

_FARTHEST = 60
"""Nodes that are searched in each direction for the nearest texts."""

_MOST_TEXTS = 8

A = TypeVar("A", bound=Hashable)
B = TypeVar("B", bound=Hashable)


class Neighbours(NamedTuple):
    """Name and action of the form, the nearest texts before and after a node, and its container.

    Texts end at the next node with the same role and name, which has its own texts, and at the
    start of a named form or landmark. Text of the node itself is left out. ``place`` is the probe's
    digest of the row or card in which the node is the only twin.
    """

    form: str
    address: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    place: int | None


@attrs.frozen
class Twin(Generic[A]):
    """One of several nodes with the same name; ``holder`` stands for it in the result."""

    holder: A
    key: str
    neighbours: Neighbours | None
    identity: Identity | None = None


def find_neighbours(capture: Capture, index: int) -> Neighbours:
    """Return the neighbours of the node with that index."""
    nodes, node = capture.nodes, capture.nodes[index]
    form = capture.by_nid.get(node.extra.get("form", 0))
    name, address = (form.name, form.extra.get("action", "")) if form else ("", "")
    before = nodes[max(index - _FARTHEST, 0) : index]
    after = nodes[index + 1 : index + 1 + _FARTHEST]
    return Neighbours(
        form=name,
        address=address,
        before=_nearest_texts(reversed(before), node),
        after=_nearest_texts(after, node),
        place=node.extra.get("place"),
    )


def _nearest_texts(nodes: Iterable[Node], node: Node) -> tuple[str, ...]:
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
    """Pair old and new twins whose place, record or neighbours are unique.

    If the neighbours of all twins are unchanged, the rest is paired in order. With as many twins as
    before, siblings are also recognised by their position between the nearest texts. A pair must
    agree in record, column and destination.
    """
    pairs: dict[A, B] = {}
    paired: set[B] = set()

    def add(more: Iterable[tuple[A, B]]) -> None:
        new_pairs = [(a, b) for a, b in more if a not in pairs and b not in paired]
        pairs.update(new_pairs)
        paired.update(b for _, b in new_pairs)

    for feature in (_place, _record_keys, _record_lead, _own_name, _all_record_keys):
        add(_pair_unique(old, new, feature))
    if [_texts_around(twin) for twin in old] == [_texts_around(twin) for twin in new]:
        add((a.holder, b.holder) for a, b in zip(old, new, strict=True))
    else:
        add(_pair_unique(old, new, _texts_around))
        if len(old) == len(new):
            add(_pair_unique(old, new, _position))
    before = {twin.holder: twin.identity for twin in old}
    now = {twin.holder: twin.identity for twin in new}
    return [(a, b) for a, b in pairs.items() if _is_allowed(before[a], now[b])]


def _is_allowed(before: Identity | None, now: Identity | None) -> bool:
    return before is None or now is None or is_replacement(before, now)


def _pair_unique(
    old: Sequence[Twin[A]],
    new: Sequence[Twin[B]],
    feature: Callable[[Twin[Any]], Hashable],
) -> list[tuple[A, B]]:
    """Pair the twins whose feature is unique on both sides; twins may lack the feature (None)."""
    old_features = [(twin.holder, value) for twin in old if (value := feature(twin)) is not None]
    new_features = [(twin.holder, value) for twin in new if (value := feature(twin)) is not None]
    old_count = Counter(value for _, value in old_features)
    new_count = Counter(value for _, value in new_features)
    holders = {value: b for b, value in new_features if new_count[value] == 1}
    return [
        (a, holders[value])
        for a, value in old_features
        if value in holders and old_count[value] == 1
    ]


def _place(twin: Twin[Any]) -> Hashable:
    around = twin.neighbours
    if around is None or around.place is None:
        return None
    return around.form, around.address, around.place


def _record_keys(twin: Twin[Any]) -> Hashable:
    return _find_record_keys(twin, with_positions=False)


def _all_record_keys(twin: Twin[Any]) -> Hashable:
    """Return the keys of the record, including values that may be row numbers."""
    return _find_record_keys(twin, with_positions=True)


def _find_record_keys(twin: Twin[Any], *, with_positions: bool) -> Hashable:
    identity = twin.identity
    if identity is None or identity.membership is None:
        return None
    keys = get_keys(identity.membership, with_positions=with_positions)
    return (keys, identity.column) if keys else None


def _record_lead(twin: Twin[Any]) -> Hashable:
    identity = twin.identity
    if identity is None or identity.membership is None:
        return None
    lead = get_lead(identity.membership)
    return (lead, identity.column) if lead else None


def _own_name(twin: Twin[Any]) -> Hashable:
    """Return the name that the page itself gives a field."""
    if twin.identity is None or not twin.identity.own_name:
        return None
    return twin.neighbours and twin.neighbours.address, twin.identity.own_name


def _texts_around(twin: Twin[Any]) -> Hashable:
    return (twin.neighbours and twin.neighbours[:-1],)


def _position(twin: Twin[Any]) -> Hashable:
    """Return the position among siblings with the form and the nearest texts."""
    around = twin.neighbours
    if around is None:
        return None
    return twin.key, around.form, around.address, around.before[:1], around.after[:1]
