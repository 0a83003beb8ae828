"""Captures of a page: parsing of the probe's answers, and join of the captures of frames.

A capture has one row per node, in document order. The length of a row shows its format:

* 2 or 3: a text line: number of the parent, text, and the column if it is in a cell. If controls
  without lines of their own are in the line, the third member is a list: the column, -1 outside of
  cells, then number, start and end of each control. The part of the text from start to end is the
  visible text of the control; start and end are equal if it has none. A negative number is that
  of an element without text, such as an image, for which a token stands, 0 is a mark. Numbers of
  list items come first, each with the style of its marker.
* 4: a table, row, list, item or article without another row: number, number of the parent, role,
  and the column of its cell (-1: none).
* 5 or 6: number, number of the parent (0: none), role, name, box (0: none) and optional ``extra``
  facts: the kind ``k``, "i" by default; the column ``cell``; in ``as`` the role that an interactive
  or clickable element has as a table, row, list, item or article.

A probe that knows the last capture sends only the difference.

Node numbers of a child frame are composed of the frame's number and the probe's number, so they are
unique over all documents. The main frame has number 0: its node numbers are unchanged.
"""

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from string import ascii_lowercase
from typing import Any, TypeVar
from urllib.parse import urlsplit

import attrs

from charlotte.base.errors import ellipsize
from charlotte.page.model import UNSCROLLED, Bounds, Node, Scroll, ScrollOffsets

R = TypeVar("R")
A = TypeVar("A", bound=Hashable)
B = TypeVar("B", bound=Hashable)

_NO_FACTS: dict[str, Any] = {}

ROW_FIELDS = ("nid", "parent", "role", "name", "box", "extra")
"""Members of a row that the probe sends for an element, as in ``probe/types.d.ts``."""

LINE_FIELDS = ("parent", "text", "cell")
"""Members of a row that the probe sends for a line of text; the last is often absent."""

PART_FIELDS = ("nid", "parent", "role", "cell")
"""Members of a row that the probe sends for a table, row, list, item or article."""

STRUCTURE = "s"
"""Kind of the node of a table, row, list, item or article without another row."""

FRAME = "d"
"""Kind of the row of an iframe that contains a document."""

_SPAN = 2**32
_LONGEST_NAME = 60

_INPUT_TYPES = {
    "number": "text_input",
    "range": "range",
    "color": "color_input",
    "file": "file_input",
    **dict.fromkeys(("date", "time", "month", "week", "datetime-local"), "date_input"),
}
"""Element types of native inputs whose ``type`` attribute is more specific than their role."""

_ROLE_TYPES = {
    "link": "link",
    **dict.fromkeys(("textbox", "searchbox", "spinbutton"), "text_input"),
    **dict.fromkeys(("combobox", "listbox"), "select"),
    **dict.fromkeys(("checkbox", "menuitemcheckbox"), "checkbox"),
    **dict.fromkeys(("radio", "menuitemradio"), "radio"),
    "switch": "toggle",
    **dict.fromkeys(("slider", "separator"), "range"),
}
"""Element types by role; other focusable elements are buttons."""

_ROMAN = {1000: "m", 900: "cm", 500: "d", 400: "cd", 100: "c", 90: "xc", 50: "l", 40: "xl"} | {
    10: "x", 9: "ix", 5: "v", 4: "iv", 1: "i"
}  # fmt: skip

Surroundings = tuple[int, str]
"""The number of the nearest landmark (0: none) and the name of the nearest labelled group."""

_OUTSIDE: Surroundings = (0, "")

ColumnHeads = Mapping[int, Mapping[str, str]]
"""Texts of the column headings of tables by table number and column number."""


UncapturedCount = tuple[int, str, int]
"""Number of the landmark as in `Node`, type, and count of elements above the capture limit."""


@attrs.frozen(kw_only=True)
class Capture:
    """State of one document, or of a page with all its frames.

    ``answer`` is the probe's name of the capture. ``alerts`` are the texts of live regions.
    ``scrolls`` are the scroll positions of containers in the page by node number. ``frames`` are
    the URLs of child frames by frame number. ``skipped`` elements were not read.
    """

    answer: str = ""
    document: str = ""
    url: str = ""
    title: str = ""
    viewport: tuple[int, int] = (0, 0)
    scroll: Scroll = attrs.field(factory=lambda: Scroll(0, 0, 0, 0))
    elements: int = 0
    skipped: int = 0
    counts: dict[str, int] = attrs.field(factory=dict[str, int])
    nodes: tuple[Node, ...] = ()
    uncaptured: tuple[UncapturedCount, ...] = ()
    alerts: tuple[str, ...] = ()
    scrolls: ScrollOffsets = UNSCROLLED
    frames: Mapping[int, str] = attrs.field(factory=dict[int, str])
    column_heads: ColumnHeads = attrs.field(factory=dict[int, Mapping[str, str]])

    @cached_property
    def by_nid(self) -> dict[int, Node]:
        """Nodes by their numbers; text lines have none, and structure is in ``structure``."""
        return {node.nid: node for node in self.nodes if node.nid and node.kind != STRUCTURE}

    @cached_property
    def structure(self) -> dict[int, Node]:
        """Nodes of the structure by their numbers."""
        return {node.nid: node for node in self.nodes if node.kind == STRUCTURE}


def parse_answer(text: str, known: Capture | None = None) -> Capture:
    """Parse the JSON text that the probe's ``capture()`` returns.

    ``known`` is the capture whose ``answer`` the probe was given. Unchanged nodes are shared with
    it. The result is ``known`` itself if nothing has changed.
    """
    page = json.loads(text)
    if known is None or page.keys().isdisjoint({"same", "since"}):
        return _build_capture(page, _splice(None, [(0, 0, page["nodes"])]))
    if "same" in page:
        return known
    nodes = _splice(known, page["splices"])
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
        skipped=page.get("skipped", 0),
        counts=page["counts"],
        nodes=tuple(nodes),
        uncaptured=tuple(_parse_uncaptured(row) for row in page.get("beyond", ())),
        alerts=tuple(page.get("alerts", ())),
        scrolls={nid: (x, y) for nid, x, y in page.get("scrolls", ())},
        column_heads=dict(page.get("heads", ())),
    )


def _parse_uncaptured(row: tuple[int, str, str, str, bool, int]) -> UncapturedCount:
    landmark, role, tag, native, editable, count = row
    extra = {"tag": tag, "type": native, **({"editable": 1} if editable else {})}
    element = Node(0, "i", role, "", None, extra, landmark, "")
    return landmark, element_type(element), count


def _splice(
    last: Capture | None, splices: Iterable[tuple[int, int, list[list[Any]]]]
) -> list[Node]:
    """Replace nodes: each splice is an index, the number of nodes to remove, and new rows.

    The parent of a row may be one of the new rows before it.
    """
    known, by_nid, structure = (last.nodes, last.by_nid, last.structure) if last else ((), {}, {})
    nodes: list[Node] = []
    added: dict[int, Surroundings] = {}
    end = 0
    is_regrouped = False
    for start, removed, rows in splices:
        nodes += known[end:start]
        end = start + removed
        first_new = len(nodes)
        for row in rows:
            parent: int = row[0 if len(row) <= len(LINE_FIELDS) else 1]
            around = added.get(parent)
            if around is None:
                around = surroundings_inside(by_nid.get(parent) or structure.get(parent))
            node = _parse_row(row, around)
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
    match row:
        case [parent, text]:
            return Node(0, "t", "text", text, None, _NO_FACTS, landmark, container, parent)
        case [parent, text, place]:
            column, extra = _parse_place(place)
            return Node(0, "t", "text", text, None, extra, landmark, container, parent, column)
        case [nid, parent, role, cell]:
            kind, name, box, extra = STRUCTURE, "", None, _NO_FACTS
            cell = None if cell < 0 else cell
        case _:
            nid, parent, role, name, box, *more = row
            extra = more[0] if more else _NO_FACTS
            kind, cell = extra.get("k", "i"), extra.get("cell")
    bounds = Bounds(*box) if box else None
    return Node(nid, kind, role, name, bounds, extra, landmark, container, parent, cell)


def _parse_place(place: int | list[Any]) -> tuple[int | None, dict[str, Any]]:
    """Return the column and the facts of a line by the third member of its row."""
    if isinstance(place, int):
        return place, _NO_FACTS
    markers = [_write_marker(one) for one in place if isinstance(one, str)]
    cell, *members = place[len(markers) :]
    facts: dict[str, Any] = {"number": " ".join(markers)} if markers else {}
    if members:
        facts["controls"] = tuple(zip(*[iter(members)] * 3, strict=True))
    return (None if cell < 0 else cell), facts


def _write_marker(text: str) -> str:
    """Return the marker of a list item as ``4.``, by its number and the CSS style of the list."""
    count, style = text.split(" ", 1)
    number, marker = int(count), ""
    if number > 0 and style.endswith("roman"):
        for value, letters in _ROMAN.items():
            times, number = divmod(number, value)
            marker += times * letters
    elif style.endswith(("alpha", "latin")):
        while number > 0:
            number, letter = divmod(number - 1, len(ascii_lowercase))
            marker = ascii_lowercase[letter] + marker
    return f"{marker.upper() if style.startswith('upper') else marker or count}."


def surroundings_inside(node: Node | None) -> Surroundings:
    """Return the surroundings of the nodes inside a node."""
    if node is None:
        return _OUTSIDE
    if node.is_landmark:
        return node.nid, node.container
    return node.landmark, (node.kind == "g" and node.name) or node.container


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
        node.cell,
    )


def find_difference(old: Sequence[Node], new: Sequence[Node]) -> tuple[int, int, int]:
    """Return the index of the first different node, and the ends of the difference in both."""
    shortest = min(len(old), len(new))
    start = next((i for i in range(shortest) if old[i] is not new[i]), shortest)
    rest = shortest - start
    shared = next((i for i in range(rest) if old[-1 - i] is not new[-1 - i]), rest)
    return start, len(old) - shared, len(new) - shared


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


def compose_number(frame: int, nid: int) -> int:
    """Return the number of a node over all frames."""
    return frame * _SPAN + nid


def split_number(number: int) -> tuple[int, int]:
    """Return the number of the frame and the probe's number of the node."""
    return divmod(number, _SPAN)


@attrs.frozen
class Placement:
    """Position and scale of a document's viewport in the viewport of the main frame."""

    x: float = 0
    y: float = 0
    scale_x: float = 1
    scale_y: float = 1

    def of(self, box: Bounds) -> Bounds:
        """Return a box of the document in pixels of the main frame's viewport."""
        return Bounds(
            round(self.x + box.x * self.scale_x),
            round(self.y + box.y * self.scale_y),
            round(box.w * self.scale_x),
            round(box.h * self.scale_y),
        )

    def inside(self, content: Bounds, viewport: tuple[int, int]) -> "Placement":
        """Return the placement of a child document by its content box and viewport size."""
        return Placement(
            self.x + content.x * self.scale_x,
            self.y + content.y * self.scale_y,
            self.scale_x * _ratio(content.w, viewport[0]),
            self.scale_y * _ratio(content.h, viewport[1]),
        )


def _ratio(shown: int, own: int) -> float:
    """Return a scale; a difference of one pixel is a rounding error."""
    return 1.0 if abs(shown - own) <= 1 or not own else shown / own


@attrs.frozen
class FrameCapture:
    """Capture of a frame's document; ``children`` are by the number of the iframe's row."""

    number: int
    capture: Capture
    children: Mapping[int, "FrameCapture"] = attrs.field(factory=dict[int, "FrameCapture"])


@attrs.frozen(cache_hash=True)
class _FrameContext:
    """Position of a document in the page; ``frame`` is the frame name that its elements get."""

    placement: Placement
    parent: int = 0
    landmark: int = 0
    container: str = ""
    is_focused: bool = True
    frame: str = ""


class RecordCache:
    """Results for the nodes of the last view, so that unchanged nodes share them between views."""

    def __init__(self) -> None:
        self._last: dict[Hashable, tuple[Node, Any]] = {}
        self._next: dict[Hashable, tuple[Node, Any]] = {}

    def get(self, build: Callable[[Node, A, B], R], node: Node, first: A, second: B) -> R:
        """Return the cached result for exactly this node, or a new one."""
        key = build, id(node), first, second
        entry = self._last.get(key)
        if entry is None or entry[0] is not node:  # the id of a deleted node may be used again
            entry = node, build(node, first, second)
        self._next[key] = entry
        result: R = entry[1]
        return result

    def finish(self) -> None:
        """Delete the results that the new view does not contain."""
        self._last, self._next = self._next, {}


def join_frames(main: FrameCapture, cache: RecordCache | None = None) -> Capture:
    """Return the capture of the whole page; ``cache`` shares nodes between joins."""
    if not main.children:
        return main.capture
    cache = cache or RecordCache()
    frames: list[tuple[FrameCapture, _FrameContext]] = []
    nodes: list[Node] = []

    def add(frame: FrameCapture, context: _FrameContext) -> None:
        """Add the nodes of a frame and of the frames inside it, in reading order."""
        frames.append((frame, context))
        for node in frame.capture.nodes:
            number = frame.number
            converted = cache.get(_convert_node, node, number, context) if number else node
            nodes.append(converted)
            if node.kind == FRAME and (child := frame.children.get(node.nid)):
                viewport = child.capture.viewport
                inside = _FrameContext(
                    placement=context.placement.inside(content_box(node), viewport),
                    parent=converted.nid,
                    landmark=converted.landmark,
                    container=node.name or converted.container,
                    is_focused=context.is_focused and "focused" in node.extra,
                    frame=frame_name(node.name, child.capture.url, main.capture.url),
                )
                add(child, inside)

    add(main, _FrameContext(Placement()))
    cache.finish()
    return _build_joined(main.capture, frames, nodes)


def _build_joined(
    main: Capture, frames: Sequence[tuple[FrameCapture, _FrameContext]], nodes: Iterable[Node]
) -> Capture:
    captures = [frame.capture for frame, _ in frames]
    counts: dict[int, Counter[str]] = {}
    for frame, context in frames:
        counts.setdefault(context.landmark, Counter()).update(frame.capture.counts)
    return attrs.evolve(
        main,
        nodes=tuple(
            _add_counts(node, counts[node.nid]) if node.nid and node.nid in counts else node
            for node in nodes
        ),
        counts=dict(counts[0]),
        elements=sum(capture.elements for capture in captures),
        uncaptured=tuple(
            (_compose(frame.number, landmark) or context.landmark, kind, count)
            for frame, context in frames
            for landmark, kind, count in frame.capture.uncaptured
        ),
        alerts=tuple(alert for capture in captures for alert in capture.alerts),
        scrolls=dict(
            pair for frame, context in frames for pair in _scaled_scrolls(frame, context.placement)
        ),
        frames={frame.number: frame.capture.url for frame, _ in frames},
        column_heads={
            compose_number(frame.number, nid): heads
            for frame, _ in frames
            for nid, heads in frame.capture.column_heads.items()
        },
    )


def _compose(frame: int, nid: int) -> int:
    """Return the number of a frame's node in the page's capture; 0 for no node."""
    return compose_number(frame, nid) if nid else 0


def _add_counts(landmark: Node, more: Counter[str]) -> Node:
    """Add the counts of frames in a landmark, outside of the frames' own landmarks."""
    counts = more + Counter[str](landmark.extra.get("counts", {}))
    return attrs.evolve(landmark, extra={**landmark.extra, "counts": dict(counts)})


def content_box(row: Node) -> Bounds:
    """Return the content box of an iframe, which its row has relative to its box."""
    x, y, width, height = row.extra["inner"]
    left, top = (row.box.x, row.box.y) if row.box else (0, 0)
    return Bounds(left + x, top + y, width, height)


def _convert_node(node: Node, frame: int, context: _FrameContext) -> Node:
    """Return a node of a child frame as a node of the main frame."""
    return Node(
        _compose(frame, node.nid),
        node.kind,
        node.role,
        node.name,
        node.box and context.placement.of(node.box),
        _convert_extra(node, frame, context),
        _compose(frame, node.landmark) or context.landmark,
        node.container or context.container,
        _compose(frame, node.parent) or context.parent,
        node.cell,
    )


def _convert_extra(node: Node, frame: int, context: _FrameContext) -> dict[str, Any]:
    """Return the facts of a node with the numbers of other nodes composed."""

    def compose(facts: Mapping[str, Any], *names: str) -> dict[str, Any]:
        return {name: compose_number(frame, facts[name]) for name in names if name in facts}

    extra = node.extra | compose(node.extra, "form", "of")
    if node.kind in {"t", STRUCTURE}:
        if controls := extra.get("controls"):
            extra["controls"] = tuple(
                (compose_number(frame, nid), *part)
                if nid > 0
                else (-compose_number(frame, -nid), *part)
                for nid, *part in controls
            )
        return extra
    extra["frame"] = context.frame
    if record := extra.get("record"):
        extra["record"] = {**record, **compose(record, "list", "table")}
    if not context.is_focused:
        extra.pop("focused", None)
    return extra


def _scaled_scrolls(
    frame: FrameCapture, placement: Placement
) -> Iterator[tuple[int, tuple[int, int]]]:
    """Return scroll positions in a frame in main-frame pixels, and that of a child document."""
    capture, number = frame.capture, frame.number
    own = {0: (capture.scroll.x, capture.scroll.y)} if number else {}
    for nid, (x, y) in (own | dict(capture.scrolls)).items():
        scaled = round(x * placement.scale_x), round(y * placement.scale_y)
        yield compose_number(number, nid), scaled


def frame_name(name: str, url: str, page_url: str) -> str:
    """Return the accessible name of a frame, or its URL without query and known host."""
    if not name:
        name = url
        with contextlib.suppress(ValueError):  # not a valid URL
            address, page = urlsplit(url), urlsplit(page_url)
            host = "" if address.netloc == page.netloc else address.netloc
            name = f"{host}{address.path}" if address.netloc else url
    return ellipsize(name, _LONGEST_NAME)
