"""Tells nodes with the same key apart by what is around them: their form, and the nearest texts."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

from charlotte.page.capture import Capture, Node

_FARTHEST = 60
"""Nodes that are looked at in each direction."""

_MOST_TEXTS = 8

K = TypeVar("K", bound=Hashable)

Neighbours = tuple[str, str, tuple[str, ...], tuple[str, ...]]
"""Name and address of the form, and the texts before and after, the nearest first.

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
    return name, address, _texts(reversed(before), node), _texts(after, node)


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
    """Which of the new are which of the old: those with neighbours like no other's.

    When all of them are as they were, order decides among those that nothing else tells apart.
    """
    if [each for _, each in old] == [each for _, each in new]:
        return [(a, b) for (a, _), (b, _) in zip(old, new, strict=True)]
    seen_old = Counter(each for _, each in old)
    seen_new = Counter(each for _, each in new)
    places = {each: b for b, each in new if seen_new[each] == 1}
    return [(a, places[each]) for a, each in old if each in places and seen_old[each] == 1]
