"""Joins the captures of a page's frames into one, in reading order and main-frame coordinates.

Node numbers of a child frame are composed of the frame's number and the probe's, so that they are
unique over all documents; those of the main frame, which is number 0, stay as they are.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import attrs

from charlotte.page.capture import Capture, Node, UncapturedCount
from charlotte.page.model import Bounds

FRAME = "d"
"""The kind of an iframe's row: a document lies in it."""

_SPAN = 2**32
_LONGEST_NAME = 60
_NUMBERED = {"form", "of"}
"""What rows say of other nodes, by their numbers."""


def compose_number(frame: int, nid: int) -> int:
    """The number of a node over all frames."""
    return frame * _SPAN + nid


def split_number(number: int) -> tuple[int, int]:
    """The frame's number and the one its probe knows the node by."""
    return divmod(number, _SPAN)


@attrs.frozen
class Placement:
    """Where the viewport of a document lies in that of the main frame, and how it is scaled."""

    x: float = 0
    y: float = 0
    scale_x: float = 1
    scale_y: float = 1

    def of(self, box: Bounds) -> Bounds:
        """A box of the document in px of the main frame's viewport."""
        return Bounds(
            round(self.x + box.x * self.scale_x),
            round(self.y + box.y * self.scale_y),
            round(box.w * self.scale_x),
            round(box.h * self.scale_y),
        )

    def inside(self, content: Bounds, viewport: tuple[int, int]) -> "Placement":
        """Of the document in a frame with that content box, whose own viewport has that size."""
        return Placement(
            self.x + content.x * self.scale_x,
            self.y + content.y * self.scale_y,
            self.scale_x * _ratio(content.w, viewport[0]),
            self.scale_y * _ratio(content.h, viewport[1]),
        )


def _ratio(shown: int, own: int) -> float:
    """A pixel more or less is a rounding error, not a scale."""
    return 1.0 if abs(shown - own) <= 1 or not own else shown / own


@attrs.frozen
class FrameCapture:
    """The capture of a frame's document, and those of the frames in it by their row's number."""

    number: int
    capture: Capture
    children: Mapping[int, "FrameCapture"] = attrs.field(factory=dict[int, "FrameCapture"])


@attrs.frozen
class _Around:
    """What surrounds a document; ``frame`` is what its elements say where they are."""

    placement: Placement
    parent: int = 0
    landmark: int = 0
    container: str = ""
    focused: bool = True
    frame: str = ""


@attrs.define(eq=False)
class FrameNodeCache:
    """The nodes of child frames as the main frame has them, each with what it was made of."""

    _last: dict[int, tuple[_Around, dict[int, tuple[Node, Node]]]] = attrs.field(
        factory=dict[int, tuple[_Around, dict[int, tuple[Node, Node]]]]
    )

    def out_of(self, frame: FrameCapture, around: _Around) -> list[Node]:
        """The frame's nodes; the same as the last time of those that are where they were."""
        last = self._last.get(frame.number)
        known = last[1] if last and last[0] == around else dict[int, tuple[Node, Node]]()
        made = {id(node): _carried(node, frame, around, known) for node in frame.capture.nodes}
        self._last[frame.number] = around, made
        return [made[id(node)][1] for node in frame.capture.nodes]

    def forget_others(self, numbers: Collection[int]) -> None:
        """Keep only what belongs to frames with these numbers."""
        self._last = {number: self._last[number] for number in numbers if number in self._last}


def _carried(
    node: Node, frame: FrameCapture, around: _Around, known: Mapping[int, tuple[Node, Node]]
) -> tuple[Node, Node]:
    made = known.get(id(node))
    # the address of a node that is gone may be given to another
    return made if made and made[0] is node else (node, _moved(node, frame.number, around))


def join_frames(main: FrameCapture, carried: FrameNodeCache | None = None) -> Capture:
    """The capture of the whole page; ``carried`` keeps the nodes of frames from join to join."""
    if not main.children:
        return main.capture
    joined = _Joined(main.capture, carried or FrameNodeCache())
    joined.add(main, _Around(Placement()))
    return joined.capture()


@attrs.define
class _Joined:
    main: Capture
    carried: FrameNodeCache
    nodes: list[Node] = attrs.field(factory=list[Node])
    counts: dict[int, Counter[str]] = attrs.field(factory=dict[int, Counter[str]])
    uncaptured: list[UncapturedCount] = attrs.field(factory=list[UncapturedCount])
    alerts: list[str] = attrs.field(factory=list[str])
    scrolls: dict[int, tuple[int, int]] = attrs.field(factory=dict[int, tuple[int, int]])
    elements: int = 0
    urls: dict[int, str] = attrs.field(factory=dict[int, str])
    column_heads: dict[int, Mapping[str, str]] = attrs.field(factory=dict[int, Mapping[str, str]])

    def add(self, frame: FrameCapture, around: _Around) -> None:
        capture, number = frame.capture, frame.number
        self.elements += capture.elements
        self.alerts += capture.alerts
        self.scrolls.update(_scrolls(frame, around.placement))
        self.uncaptured += (_beyond(each, number, around) for each in capture.uncaptured)
        self.counts.setdefault(around.landmark, Counter()).update(capture.counts)
        self.urls[number] = capture.url
        self.column_heads.update(
            (compose_number(number, nid), heads) for nid, heads in capture.column_heads.items()
        )
        nodes = self.carried.out_of(frame, around) if number else capture.nodes
        for node, moved in zip(capture.nodes, nodes, strict=True):
            self.nodes.append(moved)
            if node.kind == FRAME and (child := frame.children.get(node.nid)):
                self.add(child, self._inside(moved, node, child, around))

    def _inside(self, moved: Node, row: Node, child: FrameCapture, around: _Around) -> _Around:
        return _Around(
            placement=around.placement.inside(content_box(row), child.capture.viewport),
            parent=moved.nid,
            landmark=moved.landmark,
            container=row.name or moved.container,
            focused=around.focused and "focused" in row.extra,
            frame=frame_name(row.name, child.capture.url, self.main.url),
        )

    def capture(self) -> Capture:
        self.carried.forget_others(self.urls)
        nodes = [self._counted(node) if node.nid in self.counts else node for node in self.nodes]
        return attrs.evolve(
            self.main,
            nodes=tuple(nodes),
            counts=dict(self.counts[0]),
            elements=self.elements,
            uncaptured=tuple(self.uncaptured),
            alerts=tuple(self.alerts),
            scrolls=self.scrolls,
            frames=self.urls,
            column_heads=self.column_heads,
        )

    def _counted(self, landmark: Node) -> Node:
        """The landmark with what lies in frames in it but in no landmark there."""
        if not landmark.nid:
            return landmark
        counts = self.counts[landmark.nid] + Counter[str](landmark.extra.get("counts", {}))
        return attrs.evolve(landmark, extra={**landmark.extra, "counts": dict(counts)})


def content_box(row: Node) -> Bounds:
    """The content box of an iframe, which its row tells relative to its box."""
    x, y, width, height = row.extra["inner"]
    left, top = (row.box.x, row.box.y) if row.box else (0, 0)
    return Bounds(left + x, top + y, width, height)


def _moved(node: Node, frame: int, around: _Around) -> Node:
    """A node of a child frame as the main frame would have it."""
    return Node(
        compose_number(frame, node.nid) if node.nid else 0,
        node.kind,
        node.role,
        node.name,
        node.box and around.placement.of(node.box),
        _extra(node, frame, around) if node.nid else node.extra,
        compose_number(frame, node.landmark) if node.landmark else around.landmark,
        node.container or around.container,
        compose_number(frame, node.parent) if node.parent else around.parent,
    )


def _scrolls(frame: FrameCapture, placement: Placement) -> Iterator[tuple[int, tuple[int, int]]]:
    """What is scrolled in a frame, and a child's document itself, in px of the main frame."""
    capture, number = frame.capture, frame.number
    own = {0: (capture.scroll.x, capture.scroll.y)} if number else {}
    for nid, (x, y) in (own | dict(capture.scrolls)).items():
        way = round(x * placement.scale_x), round(y * placement.scale_y)
        yield compose_number(number, nid), way


def _beyond(counted: UncapturedCount, frame: int, around: _Around) -> UncapturedCount:
    landmark = compose_number(frame, counted.landmark) if counted.landmark else around.landmark
    return UncapturedCount(landmark, counted.type, counted.count)


def _extra(node: Node, frame: int, around: _Around) -> dict[str, Any]:
    extra: dict[str, Any] = {**node.extra, "frame": around.frame}
    for name in _NUMBERED & extra.keys():
        extra[name] = compose_number(frame, extra[name])
    if record := extra.get("record"):
        numbers = {
            name: compose_number(frame, record[name])
            for name in ("list", "table")
            if name in record
        }
        extra["record"] = {**record, **numbers}
    if not around.focused:
        extra.pop("focused", None)
    return extra


def frame_name(name: str, url: str, page_url: str) -> str:
    """What a frame is called: by its accessible name, else by its address without what is known."""
    text = name or _short(url, page_url)
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}…"


def _short(url: str, page_url: str) -> str:
    try:
        address, page = urlsplit(url), urlsplit(page_url)
    except ValueError:
        return url
    if not address.netloc:
        return url
    known = address.netloc == page.netloc
    return f"{'' if known else address.netloc}{address.path}"
