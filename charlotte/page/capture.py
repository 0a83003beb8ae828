"""Parsing of the probe's captures: one row per node, in document order.

A row of a text line has two members: number of the parent, and text. Other rows have number,
number of the parent (0: none), role, name, box (0: none) and optional ``extra`` facts. Their kind
is ``extra["k"]``, "i" by default. A probe that knows the last capture sends only the difference.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

import attrs

from charlotte.page.model import UNSCROLLED, Bounds, Scroll, ScrollOffsets, frozen_record

_NO_FACTS: dict[str, Any] = {}
ROW_FIELDS = ("nid", "parent", "role", "name", "box", "extra")
"""Members of a row that the probe sends for an element, as in ``probe/types.d.ts``."""

LINE_FIELDS = ("parent", "text")
"""Members of a row that the probe sends for a line of text."""

_LINE_LENGTH = len(LINE_FIELDS)

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
"""Element types of native inputs whose ``type`` attribute is more specific than their role."""

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
"""Element types by role; other focusable elements are buttons."""

Surroundings = tuple[int, str]
"""The number of the nearest landmark (0: none) and the name of the nearest labelled group."""

_OUTSIDE: Surroundings = (0, "")

ColumnHeads = Mapping[int, Mapping[str, str]]
"""Texts of the column headings of tables by table number and column number."""


@frozen_record
class Node:
    """A row of the capture.

    ``kind`` is i, l, h, f, g, t, c or d: interactive, landmark, heading, form, labelled group, text
    line, clickable, or an iframe that contains a document. ``box`` is None for text and for nodes
    that are hidden or have no size. ``parent`` is the number of the nearest node around it.
    ``landmark`` is the number of the nearest landmark around it (0: none), ``container`` the name
    of the nearest labelled group around it ("": none).
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
        """Whether the node is a landmark; named forms are both forms and landmarks."""
        return self.kind == "l" or "landmark" in self.extra

    @property
    def is_heading(self) -> bool:
        """Whether the node is a heading; focusable headings are interactive too."""
        return self.role == "heading"


@frozen_record
class UncapturedCount:
    """Number of interactive elements above the capture limit; ``landmark`` is as in `Node`."""

    landmark: int
    type: str
    count: int


@attrs.frozen(kw_only=True)
class Capture:
    """State of one document, or of a page with all its frames.

    ``answer`` is the probe's name of the capture. ``alerts`` are the texts of live regions.
    ``scrolls`` are the scroll positions of containers in the page by node number. ``frames`` are
    the URLs of child frames by frame number.
    """

    answer: str
    document: str
    url: str
    title: str
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
        """Nodes by their numbers; text lines have none."""
        return {node.nid: node for node in self.nodes if node.nid}


def parse_answer(text: str, known: Capture | None = None) -> Capture:
    """Parse the JSON text that the probe's ``capture()`` returns.

    ``known`` is the capture whose ``answer`` the probe was given. Unchanged nodes are shared with
    it. The result is ``known`` itself if nothing has changed.
    """
    page = json.loads(text)
    if known is None or page.keys().isdisjoint({"same", "since"}):
        return _build_capture(page, _splice((), [(0, 0, page["nodes"])], {}))
    if "same" in page:
        return known
    nodes = _splice(known.nodes, page["splices"], known.by_nid)
    for first, count, dx, dy in page["moved"]:
        for index in range(first, first + count):
            nodes[index] = _move(nodes[index], dx, dy)
    return _build_capture(page, nodes)


def parse_suspects(text: str) -> list[int]:
    """Return the numbers of elements that may be hosts of closed shadow roots."""
    prefix = '{"suspects":'
    if not text.startswith(prefix):
        return []
    numbers: list[int] = json.JSONDecoder().raw_decode(text, len(prefix))[0]
    return numbers


def _build_capture(page: Mapping[str, Any], nodes: Sequence[Node]) -> Capture:
    width, height = page["viewport"]
    return Capture(
        answer=page["answer"],
        document=page["document"],
        url=page["url"],
        title=page["title"],
        viewport=(width, height),
        scroll=Scroll(*page["scroll"]),
        elements=page["elements"],
        counts=page["counts"],
        nodes=tuple(nodes),
        uncaptured=tuple(_parse_uncaptured(row) for row in page.get("beyond", ())),
        alerts=tuple(page.get("alerts", ())),
        scrolls={nid: (x, y) for nid, x, y in page.get("scrolls", ())},
        column_heads=dict(page.get("heads", ())),
    )


def _parse_uncaptured(row: tuple[int, str, str, str, bool, int]) -> UncapturedCount:
    landmark, role, tag, native, editable, count = row
    extra: dict[str, Any] = {"tag": tag, "type": native}
    if editable:
        extra["editable"] = 1
    element = Node(0, "i", role, "", None, extra, landmark, "")
    return UncapturedCount(landmark, element_type(element), count)


def _splice(
    known: Sequence[Node],
    splices: Iterable[tuple[int, int, list[list[Any]]]],
    by_nid: Mapping[int, Node],
) -> list[Node]:
    """Replace nodes: each splice is an index, the number of nodes to remove, and new rows.

    The parent of a row may be one of the new rows before it.
    """
    nodes: list[Node] = []
    added: dict[int, Surroundings] = {}
    end = 0
    is_regrouped = False
    for start, removed, rows in splices:
        nodes += known[end:start]
        end = start + removed
        first_new = len(nodes)
        for row in rows:
            parent: int = row[0 if len(row) == _LINE_LENGTH else 1]
            surroundings = added.get(parent)
            if surroundings is None:
                surroundings = surroundings_inside(by_nid.get(parent))
            node = _parse_row(row, surroundings)
            if node.nid:
                added[node.nid] = surroundings_inside(node)
            nodes.append(node)
        if known and not is_regrouped:
            changed = (*nodes[first_new:], *known[start:end])
            is_regrouped = any(node.is_landmark or node.kind == "g" for node in changed)
    nodes += known[end:]
    return _regroup(nodes) if is_regrouped else nodes


def _parse_row(row: list[Any], surroundings: Surroundings) -> Node:
    landmark, container = surroundings
    if len(row) == _LINE_LENGTH:
        return Node(0, "t", "text", row[1], None, _NO_FACTS, landmark, container, row[0])
    nid, parent, role, name, box, *more = row
    extra: dict[str, Any] = more[0] if more else _NO_FACTS
    bounds = Bounds(*box) if box else None
    return Node(nid, extra.get("k", "i"), role, name, bounds, extra, landmark, container, parent)


def surroundings_inside(node: Node | None) -> Surroundings:
    """Return the surroundings of the nodes inside a node."""
    if node is None:
        return _OUTSIDE
    if node.is_landmark:
        return node.nid, node.container
    if node.kind == "g" and node.name:
        return node.landmark, node.name
    return node.landmark, node.container


def _regroup(nodes: Iterable[Node]) -> list[Node]:
    """Return the nodes with the surroundings that follow from their parents."""
    inside: dict[int, Surroundings] = {0: _OUTSIDE}
    regrouped: list[Node] = []
    for node in nodes:
        landmark, container = inside[node.parent]
        if (node.landmark, node.container) != (landmark, container):
            node = attrs.evolve(node, landmark=landmark, container=container)  # noqa: PLW2901
        regrouped.append(node)
        if node.nid:
            inside[node.nid] = surroundings_inside(node)
    return regrouped


def _move(node: Node, dx: int, dy: int) -> Node:
    if node.box is None:
        return node
    box = node.box.moved_by(dx, dy)
    # attrs.evolve is slower, and scrolling moves all nodes of a page
    return Node(
        node.nid,
        node.kind,
        node.role,
        node.name,
        box,
        node.extra,
        node.landmark,
        node.container,
        node.parent,
    )


def find_difference(old: Sequence[Node], new: Sequence[Node]) -> tuple[int, int, int]:
    """Return the index of the first different node, and the ends of the difference in both."""
    start = _count_shared(zip(old, new, strict=False))
    rest = min(len(old), len(new)) - start
    shared = _count_shared(islice(zip(reversed(old), reversed(new), strict=False), rest))
    return start, len(old) - shared, len(new) - shared


def _count_shared(pairs: Iterable[tuple[Node, Node]]) -> int:
    """Count the pairs of identical nodes before the first different pair."""
    count = 0
    for old, new in pairs:
        if old is not new:
            break
        count += 1
    return count


def element_type(node: Node) -> str:
    """Return C's InteractiveElementType of an interactive or clickable node (C-PR-15)."""
    if node.kind == "c":
        return "clickable"
    extra = node.extra
    tag = extra.get("tag")
    if tag == "input":
        if native := _INPUT_TYPES.get(extra.get("type", "")):
            return native
    elif node.role in {"textbox", "generic"} and (tag == "textarea" or "editable" in extra):
        return "textarea"
    return _ROLE_TYPES.get(node.role, "button")
