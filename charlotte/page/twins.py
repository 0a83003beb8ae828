"""Tells nodes with the same key apart by what is around them: their form, and the nearest texts.

Where the probe saw what a node alone of its twins lies in, a row or a card, that does too.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

from charlotte.page.capture import Capture, Node

_FARTHEST = 60
"""Nodes that are looked at in each direction."""

_MOST_TEXTS = 8

K = TypeVar("K", bound=Hashable)

Place = tuple[str, int]
"""The heading before a node, and a digest of the text of what it alone of its twins lies in."""

Neighbours = tuple[str, str, tuple[str, ...], tuple[str, ...], Place | None]
"""Name and address of the form, the texts before and after, the nearest first, and the place.

Texts end at the next node that is called the same, for it has its own, and where a form or
landmark with a name begins.
"""


def neighbours(capture: Capture, index: int) -> Neighbours:
    """What is around the node with that index."""
    nodes, node = capture.nodes, capture.nodes[index]
    form = capture.by_nid.get(node.extra.get("form", 0))
    name, address = (form.name, form.extra.get("action", "")) if form else ("", "")
    before = nodes[max(index - _FARTHEST, 0) : index]
    after = nodes[index + 1 : index + 1 + _FARTHEST]
    texts = _texts(reversed(before), node), _texts(after, node)
    return name, address, *texts, _place(before, node)


def _place(before: Sequence[Node], node: Node) -> Place | None:
    if (digest := node.extra.get("place")) is None:
        return None
    return next((one.name for one in reversed(before) if one.is_heading), ""), digest


def _texts(nodes: Iterable[Node], node: Node) -> tuple[str, ...]:
    texts: list[str] = []
    for other in nodes:
        if not other.name:
            continue
        if other.kind in {"f", "l"} or (other.name == node.name and other.role == node.role):
            break
        texts.append(other.name)
        if len(texts) == _MOST_TEXTS:
            break
    return tuple(texts)


def pairs(
    old: Sequence[tuple[K, Neighbours | None]], new: Sequence[tuple[int, Neighbours]]
) -> list[tuple[K, int]]:
    """Which of the new are which of the old: those with neighbours or a place like no other's.

    When all of them are as they were, order decides among those that nothing else tells apart.
    """
    before, after = _around(old), _around(new)
    if [each for _, each in before] == [each for _, each in after]:
        return [(a, b) for (a, _), (b, _) in zip(old, new, strict=True)]
    paired = _like_no_other(before, after)
    by_place = _like_no_other(_placed(old), _placed(new))
    taken, found = {a for a, _ in paired}, {b for _, b in paired}
    return paired + [(a, b) for a, b in by_place if a not in taken and b not in found]


def _around(nodes: Iterable[tuple[K, Neighbours | None]]) -> list[tuple[K, Hashable]]:
    return [(key, each and each[:-1]) for key, each in nodes]


def _placed(nodes: Iterable[tuple[K, Neighbours | None]]) -> list[tuple[K, Hashable]]:
    """Those that have a place, each with its form and that."""
    return [(key, (*each[:2], each[-1])) for key, each in nodes if each and each[-1]]


def _like_no_other(
    old: Sequence[tuple[K, Hashable]], new: Sequence[tuple[int, Hashable]]
) -> list[tuple[K, int]]:
    seen_old = Counter(each for _, each in old)
    seen_new = Counter(each for _, each in new)
    numbers = {each: b for b, each in new if seen_new[each] == 1}
    return [(a, numbers[each]) for a, each in old if each in numbers and seen_old[each] == 1]
