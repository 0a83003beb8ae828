"""Join of the captures of a page's frames, in reading order and main-frame coordinates.

Node numbers of a child frame are composed of the frame's number and the probe's number, so they are
unique over all documents. The main frame has number 0: its node numbers are unchanged.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import attrs

from charlotte.page.capture import Capture, Node, UncapturedCount
from charlotte.page.model import Bounds, ellipsize

FRAME = "d"
"""Kind of the row of an iframe that contains a document."""

_SPAN = 2**32
_LONGEST_NAME = 60


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


@attrs.frozen
class _FrameContext:
    """Position of a document in the page; ``frame`` is the frame name that its elements get."""

    placement: Placement
    parent: int = 0
    landmark: int = 0
    container: str = ""
    is_focused: bool = True
    frame: str = ""


@attrs.define(eq=False)
class FrameNodeCache:
    """Converted nodes of child frames from the last join, each with its original node."""

    _last: dict[int, tuple[_FrameContext, dict[int, tuple[Node, Node]]]] = attrs.field(
        factory=dict[int, tuple[_FrameContext, dict[int, tuple[Node, Node]]]]
    )

    def convert(self, frame: FrameCapture, context: _FrameContext) -> list[Node]:
        """Return the frame's nodes as nodes of the main frame; unchanged nodes are shared."""
        last_context, known = self._last.get(frame.number, (None, dict[int, tuple[Node, Node]]()))
        converted: dict[int, tuple[Node, Node]] = {}
        for node in frame.capture.nodes:
            pair = known.get(id(node)) if last_context == context else None
            # the id of a deleted node may be used again
            if pair is None or pair[0] is not node:
                pair = (node, _convert_node(node, frame.number, context))
            converted[id(node)] = pair
        self._last[frame.number] = context, converted
        return [converted[id(node)][1] for node in frame.capture.nodes]

    def keep_only(self, numbers: Collection[int]) -> None:
        """Delete the nodes of frames with other numbers."""
        self._last = {number: self._last[number] for number in numbers if number in self._last}


def join_frames(main: FrameCapture, cache: FrameNodeCache | None = None) -> Capture:
    """Return the capture of the whole page; ``cache`` shares nodes between joins."""
    if not main.children:
        return main.capture
    joined = _Joined(main.capture, cache or FrameNodeCache())
    joined.add(main, _FrameContext(Placement()))
    return joined.build_capture()


@attrs.define
class _Joined:
    main: Capture
    cache: FrameNodeCache
    nodes: list[Node] = attrs.field(factory=list[Node])
    counts: dict[int, Counter[str]] = attrs.field(factory=dict[int, Counter[str]])
    uncaptured: list[UncapturedCount] = attrs.field(factory=list[UncapturedCount])
    alerts: list[str] = attrs.field(factory=list[str])
    scrolls: dict[int, tuple[int, int]] = attrs.field(factory=dict[int, tuple[int, int]])
    elements: int = 0
    urls: dict[int, str] = attrs.field(factory=dict[int, str])
    column_heads: dict[int, Mapping[str, str]] = attrs.field(factory=dict[int, Mapping[str, str]])

    def add(self, frame: FrameCapture, context: _FrameContext) -> None:
        """Add the nodes of a frame and of the frames inside it."""
        capture, number = frame.capture, frame.number
        self.elements += capture.elements
        self.alerts += capture.alerts
        self.scrolls.update(_scaled_scrolls(frame, context.placement))
        for uncaptured in capture.uncaptured:
            own = uncaptured.landmark
            landmark = compose_number(number, own) if own else context.landmark
            self.uncaptured.append(attrs.evolve(uncaptured, landmark=landmark))
        self.counts.setdefault(context.landmark, Counter()).update(capture.counts)
        self.urls[number] = capture.url
        for nid, heads in capture.column_heads.items():
            self.column_heads[compose_number(number, nid)] = heads
        nodes = self.cache.convert(frame, context) if number else capture.nodes
        for node, converted in zip(capture.nodes, nodes, strict=True):
            self.nodes.append(converted)
            if node.kind == FRAME and (child := frame.children.get(node.nid)):
                viewport = child.capture.viewport
                inside = _FrameContext(
                    placement=context.placement.inside(content_box(node), viewport),
                    parent=converted.nid,
                    landmark=converted.landmark,
                    container=node.name or converted.container,
                    is_focused=context.is_focused and "focused" in node.extra,
                    frame=frame_name(node.name, child.capture.url, self.main.url),
                )
                self.add(child, inside)

    def build_capture(self) -> Capture:
        """Return the joined capture."""
        self.cache.keep_only(self.urls)
        return attrs.evolve(
            self.main,
            nodes=tuple(
                self._add_counts(node) if node.nid in self.counts else node for node in self.nodes
            ),
            counts=dict(self.counts[0]),
            elements=self.elements,
            uncaptured=tuple(self.uncaptured),
            alerts=tuple(self.alerts),
            scrolls=self.scrolls,
            frames=self.urls,
            column_heads=self.column_heads,
        )

    def _add_counts(self, landmark: Node) -> Node:
        """Add the counts of frames in a landmark, outside of the frames' own landmarks."""
        if not landmark.nid:
            return landmark
        counts = self.counts[landmark.nid] + Counter[str](landmark.extra.get("counts", {}))
        return attrs.evolve(landmark, extra={**landmark.extra, "counts": dict(counts)})


def content_box(row: Node) -> Bounds:
    """Return the content box of an iframe, which its row has relative to its box."""
    x, y, width, height = row.extra["inner"]
    left, top = (row.box.x, row.box.y) if row.box else (0, 0)
    return Bounds(left + x, top + y, width, height)


def _convert_node(node: Node, frame: int, context: _FrameContext) -> Node:
    """Return a node of a child frame as a node of the main frame."""
    return Node(
        compose_number(frame, node.nid) if node.nid else 0,
        node.kind,
        node.role,
        node.name,
        node.box and context.placement.of(node.box),
        _convert_facts(node, frame, context) if node.nid else node.extra,
        compose_number(frame, node.landmark) if node.landmark else context.landmark,
        node.container or context.container,
        compose_number(frame, node.parent) if node.parent else context.parent,
    )


def _convert_facts(node: Node, frame: int, context: _FrameContext) -> dict[str, Any]:
    """Return the facts of a node with the numbers of other nodes composed."""

    def compose(facts: Mapping[str, Any], *names: str) -> dict[str, Any]:
        return {name: compose_number(frame, facts[name]) for name in names if name in facts}

    extra: dict[str, Any] = {
        **node.extra,
        "frame": context.frame,
        **compose(node.extra, "form", "of"),
    }
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
    return ellipsize(name or _shorten_url(url, page_url), _LONGEST_NAME)


def _shorten_url(url: str, page_url: str) -> str:
    try:
        address, page = urlsplit(url), urlsplit(page_url)
    except ValueError:
        return url
    if not address.netloc:
        return url
    return f"{'' if address.netloc == page.netloc else address.netloc}{address.path}"
