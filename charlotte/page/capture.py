"""Reads what the probe saw of a page: one row per thing worth knowing, in document order."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

import attrs

from charlotte.page.model import UNSCROLLED, Bounds, Scroll, ScrollOffsets
from charlotte.page.record_base import frozen_record

_NOTHING: dict[str, Any] = {}
_LINE = 2
"""Members of the row of a text line: number of the parent, and the text.

Other rows have number, number of the parent (0: none), role, name, box (0 for none), and ``extra``
if there is any; without a kind in ``extra`` they are interactive.
"""

_INPUT_TYPES = {
    "number": "text_input",
    "range": "range",
    "color": "color_input",
    "file": "file_input",
    "date": "date_input",
    "time": "date_input",
    "month": "date_input",
    "week": "date_input",
    "datetime-local": "date_input",
}
"""Native inputs whose type says more than their role."""

_ROLE_TYPES = {
    "link": "link",
    "textbox": "text_input",
    "searchbox": "text_input",
    "spinbutton": "text_input",
    "combobox": "select",
    "listbox": "select",
    "checkbox": "checkbox",
    "menuitemcheckbox": "checkbox",
    "radio": "radio",
    "menuitemradio": "radio",
    "switch": "toggle",
    "slider": "range",
}
"""Roles that are not buttons; every other thing that can be focused acts like one."""

_TEXT_ROLES = {"textbox", "generic"}

Surroundings = tuple[int, str]
"""The number of the nearest landmark (0: none) and the name of the nearest labelled group."""

OUTSIDE: Surroundings = (0, "")
"""The surroundings of a node without a parent."""


ColumnHeads = Mapping[int, Mapping[str, str]]
"""The texts over the columns of tables, by the number of the table and that of the column."""


@frozen_record
class Node:
    """A row of the capture.

    ``kind`` is i, l, h, f, g, t, c or d (interactive, landmark, heading, form, labelled group, text
    line, clickable, iframe with a document in it); ``box`` is None for text, and for what is
    hidden or has no size. ``parent`` is the number of the nearest node around it (of text: around
    the block that the line stands in). ``landmark`` is the number of the nearest landmark around it
    (0: none), ``container`` the name of the nearest labelled group around it ("": none).
    """

    nid: int
    kind: str
    role: str
    name: str
    box: Bounds | None
    extra: dict[str, Any]
    landmark: int
    container: str
    parent: int = 0

    @property
    def is_landmark(self) -> bool:
        """Named forms are landmarks besides being forms."""
        return self.kind == "l" or "landmark" in self.extra

    @property
    def is_heading(self) -> bool:
        """A heading that can be focused is interactive besides being a heading."""
        return self.role == "heading"


@frozen_record
class UncapturedCount:
    """Interactive elements after the most that are captured: ``landmark`` is as in `Node`."""

    landmark: int
    type: str
    count: int


@attrs.frozen(kw_only=True)
class Capture:
    """One state of one document as its probe saw it; ``answer`` is the probe's name for it.

    What is ``beyond`` has been counted only; a capture of all elements has nothing there.
    ``alerts`` are the texts of live regions; ``scrolls`` how far things inside the page have been
    scrolled, by their number; ``frames`` the addresses of child frames, by the frame's number;
    ``heads`` the texts over the columns of tables, by the number of the table and the column's.
    """

    answer: str
    document: str
    url: str
    title: str
    ready: str
    lang: str
    viewport: tuple[int, int]
    scroll: Scroll
    elements: int
    counts: dict[str, int]
    nodes: tuple[Node, ...]
    uncaptured: tuple[UncapturedCount, ...] = ()
    alerts: tuple[str, ...] = ()
    scrolls: ScrollOffsets = UNSCROLLED
    frames: Mapping[int, str] = attrs.field(factory=dict[int, str])
    column_heads: ColumnHeads = attrs.field(factory=dict[int, Mapping[str, str]])

    @cached_property
    def by_nid(self) -> dict[int, Node]:
        """The node that carries a number; text lines carry none."""
        return {node.nid: node for node in self.nodes if node.nid}


def parse_capture(text: str) -> Capture:
    """Parse the JSON text that the probe's ``capture()`` returns to one who knows nothing."""
    return parse_full_answer(json.loads(text))


def parse_full_answer(page: Mapping[str, Any]) -> Capture:
    """Read an answer with all rows."""
    return build_capture(page, _read_nodes(page["nodes"]))


def build_capture(page: Mapping[str, Any], nodes: tuple[Node, ...]) -> Capture:
    """Put the facts about a page together with its nodes."""
    width, height = page["viewport"]
    return Capture(
        answer=page["answer"],
        document=page["document"],
        url=page["url"],
        title=page["title"],
        ready=page["ready"],
        lang=page["lang"],
        viewport=(width, height),
        scroll=Scroll(*page["scroll"]),
        elements=page["elements"],
        counts=page["counts"],
        nodes=nodes,
        uncaptured=tuple(_read_beyond(row) for row in page.get("beyond", ())),
        alerts=tuple(page.get("alerts", ())),
        scrolls={nid: (x, y) for nid, x, y in page.get("scrolls", ())},
        column_heads=dict(page.get("heads", ())),
    )


def _read_beyond(row: tuple[int, str, str, str, bool, int]) -> UncapturedCount:
    landmark, role, tag, native, editable, count = row
    extra: dict[str, Any] = {"tag": tag, "type": native}
    if editable:
        extra["editable"] = 1
    element = Node(0, "i", role, "", None, extra, landmark, "")
    return UncapturedCount(landmark, element_type(element), count)


def _read_nodes(rows: Iterable[list[Any]]) -> tuple[Node, ...]:
    nodes: list[Node] = []
    around: dict[int, Surroundings] = {0: OUTSIDE}
    for row in rows:
        node = parse_row(row, around[row[0 if len(row) == _LINE else 1]])
        nodes.append(node)
        if node.nid:
            around[node.nid] = surroundings_inside(node)
    return tuple(nodes)


def parse_row(row: list[Any], around: Surroundings) -> Node:
    """The node of a row; ``around`` are the surroundings in its parent."""
    landmark, container = around
    if len(row) == _LINE:
        return Node(0, "t", "text", row[1], None, _NOTHING, landmark, container, row[0])
    nid, parent, role, name, box, *more = row
    extra: dict[str, Any] = more[0] if more else _NOTHING
    bounds = Bounds(*box) if box else None
    return Node(nid, extra.get("k", "i"), role, name, bounds, extra, landmark, container, parent)


def surroundings_inside(node: Node) -> Surroundings:
    """What is around the nodes that lie in this one."""
    if node.is_landmark:
        return node.nid, node.container
    if node.kind == "g" and node.name:
        return node.landmark, node.name
    return node.landmark, node.container


def find_difference(old: Sequence[Node], new: Sequence[Node]) -> tuple[int, int, int]:
    """Where lists of nodes differ: the index of the first that does, and the ends in both."""
    start = _alike(zip(old, new, strict=False))
    rest = min(len(old), len(new)) - start
    behind = _alike(islice(zip(reversed(old), reversed(new), strict=False), rest))
    return start, len(old) - behind, len(new) - behind


def _alike(pairs: Iterable[tuple[Node, Node]]) -> int:
    """How many pairs there are before the first one of two nodes."""
    count = 0
    for one, other in pairs:
        if one is not other:
            break
        count += 1
    return count


def element_type(node: Node) -> str:
    """C's InteractiveElementType of an interactive or clickable node (C-PR-15, section 3)."""
    if node.kind == "c":
        return "clickable"
    extra = node.extra
    tag = extra.get("tag")
    if tag == "input":
        if native := _INPUT_TYPES.get(extra.get("type", "")):
            return native
    elif node.role in _TEXT_ROLES and (tag == "textarea" or "editable" in extra):
        return "textarea"
    return _ROLE_TYPES.get(node.role, "button")


_LINE = 2

Splice = tuple[int, int, list[list[Any]]]
"""Where in the old list, how many nodes leave there, and the rows that come in their place."""

Move = tuple[int, int, int, int]
"""The first node that moved, how many did, and the way in x and y; those without a box did not."""


_SUSPECTS = '{"suspects":'
_DECODER = json.JSONDecoder()


def parse_suspects(text: str) -> list[int]:
    """The numbers of elements that the probe takes for hosts of closed shadow roots."""
    if not text.startswith(_SUSPECTS):
        return []
    numbers: list[int] = _DECODER.raw_decode(text, len(_SUSPECTS))[0]
    return numbers


def parse_answer(text: str, known: Capture | None) -> Capture:
    """Parse the JSON text that the probe's ``capture()`` returns.

    ``known`` is the capture whose ``answer`` it was told of. Of what has not changed since, the
    result has the same nodes; it is ``known`` itself if nothing has.
    """
    page = json.loads(text)
    if known is None or page.keys().isdisjoint({"same", "since"}):
        return parse_full_answer(page)
    if "same" in page:
        return known
    nodes = _spliced(known, page["splices"])
    _move(nodes, page["moved"])
    return build_capture(page, tuple(nodes))


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
        node = parse_row(row, self._around(parent))
        if node.nid:
            self._come[node.nid] = node
        return node

    def _around(self, parent: int) -> Surroundings:
        node = self._come.get(parent) or self._known.get(parent)
        return surroundings_inside(node) if node else OUTSIDE


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
            around[placed.nid] = surroundings_inside(placed)
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
        node.box and node.box.moved_by(dx, dy),
        node.extra,
        node.landmark,
        node.container,
        node.parent,
    )
