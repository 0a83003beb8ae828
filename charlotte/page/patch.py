"""Reads the probe's answer to one who knows an earlier one: nodes that did not change are kept."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from charlotte.page.capture import (
    OUTSIDE,
    Capture,
    Node,
    Surroundings,
    capture_of,
    read_row,
    read_whole,
    surroundings_in,
)

_LINE = 2

Splice = tuple[int, int, list[list[Any]]]
"""Where in the old list, how many nodes leave there, and the rows that come in their place."""

Move = tuple[int, int, int, int]
"""The first node that moved, how many did, and the way in x and y; those without a box did not."""


_SUSPECTS = '{"suspects":'
_DECODER = json.JSONDecoder()


def suspects_in(text: str) -> list[int]:
    """The numbers of elements that the probe takes for hosts of closed shadow roots."""
    if not text.startswith(_SUSPECTS):
        return []
    numbers: list[int] = _DECODER.raw_decode(text, len(_SUSPECTS))[0]
    return numbers


def read_answer(text: str, known: Capture | None) -> Capture:
    """Parse the JSON text that the probe's ``capture()`` returns.

    ``known`` is the capture whose ``answer`` it was told of. Of what has not changed since, the
    result has the same nodes; it is ``known`` itself if nothing has.
    """
    page = json.loads(text)
    if known is None or page.keys().isdisjoint({"same", "since"}):
        return read_whole(page)
    if "same" in page:
        return known
    nodes = _spliced(known, page["splices"])
    _move(nodes, page["moved"])
    return capture_of(page, tuple(nodes))


def _spliced(known: Capture, splices: Iterable[Splice]) -> list[Node]:
    nodes: list[Node] = []
    at = 0
    regrouped = False
    changed = _Rows(known.by_nid)
    for start, gone, rows in splices:
        nodes += known.nodes[at:start]
        at = start + gone
        come = [changed.read(row) for row in rows]
        regrouped = regrouped or _surround(come) or _surround(known.nodes[start:at])
        nodes += come
    nodes += known.nodes[at:]
    return _regrouped(nodes) if regrouped else nodes


class _Rows:
    """Rows that come, each into its parent, which may have come before it."""

    def __init__(self, known: Mapping[int, Node]) -> None:
        self._known = known
        self._come: dict[int, Node] = {}

    def read(self, row: list[Any]) -> Node:
        parent: int = row[0 if len(row) == _LINE else 1]
        node = read_row(row, self._around(parent))
        if node.nid:
            self._come[node.nid] = node
        return node

    def _around(self, parent: int) -> Surroundings:
        node = self._come.get(parent) or self._known.get(parent)
        return surroundings_in(node) if node else OUTSIDE


def _surround(nodes: Sequence[Node]) -> bool:
    """Whether one of them says something about those that lie in it."""
    return any(node.is_landmark or node.kind == "g" for node in nodes)


def _regrouped(nodes: Sequence[Node]) -> list[Node]:
    """The same nodes, each in the surroundings that its parents make now."""
    around: dict[int, Surroundings] = {0: OUTSIDE}
    regrouped: list[Node] = []
    for node in nodes:
        here = around[node.parent]
        placed = node if here == (node.landmark, node.container) else _placed(node, here)
        regrouped.append(placed)
        if placed.nid:
            around[placed.nid] = surroundings_in(placed)
    return regrouped


def _placed(node: Node, around: Surroundings) -> Node:
    return Node(
        node.nid, node.kind, node.role, node.name, node.box, node.extra, *around, node.parent
    )


def _move(nodes: list[Node], moves: Iterable[Move]) -> None:
    for first, count, dx, dy in moves:
        for index in range(first, first + count):
            node = nodes[index]
            if node.box is not None:
                nodes[index] = _moved(node, dx, dy)


def _moved(node: Node, dx: int, dy: int) -> Node:
    return Node(
        node.nid,
        node.kind,
        node.role,
        node.name,
        node.box and node.box.shifted(dx, dy),
        node.extra,
        node.landmark,
        node.container,
        node.parent,
    )
