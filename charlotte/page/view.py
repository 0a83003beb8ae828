"""Turns a capture into the view an agent reads."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

import attrs

from charlotte.page.capture import Beyond, Capture, Node, element_type
from charlotte.page.diff.kept import Records
from charlotte.page.forms import read_forms
from charlotte.page.identity.ids import IdBook
from charlotte.page.model import NO_STATE, Element, Heading, Landmark, Line, PageView, State

_CHECKABLE = {"checkbox", "radio", "toggle"}
_GROUPED = {"checkbox", "radio"}
_WITHOUT_VALUE = {"button", "link", "clickable", *_CHECKABLE}
_WITHOUT_PLACEHOLDER = {*_WITHOUT_VALUE, "range", "color_input", "file_input"}

_AS_THEY_ARE = ("expanded", "selected", "pressed", "sort", "current")
_FLAGS = ("focused", "required", "invalid", "readonly")
_STATES = {"disabled", "hidden", *_AS_THEY_ARE, *_FLAGS}

_WITHOUT_TEXT = {"input", "select", "textarea"}
"""Tags of controls that show their value, which is not text of the page."""

_ROOT: Mapping[int, int] = {0: -1}


def build_view(
    capture: Capture, book: IdBook, kept: Records | None = None, alive: Collection[int] = ()
) -> PageView:
    """Make the view of ``capture``; ``book`` gives the ids, see there, and remembers them.

    With the records ``kept`` from the view before, nodes that are the same have the same records.
    """
    ids = book.identify(capture, alive)
    parts = _Parts(ids, kept or Records())
    parts.read(capture.nodes)
    return PageView(
        document=capture.document,
        url=capture.url,
        title=capture.title,
        viewport=capture.viewport,
        scroll=capture.scroll,
        landmarks=tuple(parts.landmarks),
        headings=tuple(parts.headings),
        interactive=tuple(parts.interactive),
        forms=read_forms(capture, ids, parts.place),
        lines=tuple(parts.lines),
        counts=capture.counts,
        beyond=_counted(capture.beyond, parts.place),
        alerts=capture.alerts,
        scrolls=capture.scrolls,
    )


def without_clickable(view: PageView) -> PageView:
    """The view as semantics have it: nothing that only answers a click (surface section 3)."""
    semantic = [one for one in view.interactive if one.type != "clickable"]
    return attrs.evolve(view, interactive=tuple(semantic))


def _counted(beyond: Iterable[Beyond], place: Mapping[int, int]) -> Mapping[tuple[int, str], int]:
    counts: Counter[tuple[int, str]] = Counter()
    for each in beyond:
        counts[place[each.landmark], each.type] += each.count
    return counts


@attrs.define(eq=False)
class _Parts:
    """The records of a view, as they are read off the nodes.

    ``place`` leads from a landmark's number to its position among the ``landmarks``.
    """

    _ids: Mapping[int, str]
    _kept: Records
    landmarks: list[Landmark] = attrs.field(factory=list[Landmark])
    headings: list[Heading] = attrs.field(factory=list[Heading])
    interactive: list[Element] = attrs.field(factory=list[Element])
    lines: list[Line] = attrs.field(factory=list[Line])
    place: dict[int, int] = attrs.field(factory=lambda: dict(_ROOT))

    def read(self, nodes: Iterable[Node]) -> None:
        """Take the nodes in, in document order."""
        ids, kept, place = self._ids, self._kept, self.place
        written: list[tuple[Node, int, list[str]]] = []
        owners: dict[int, str] = {}
        for node in nodes:
            kind = node.kind
            around = place[node.landmark]
            if kind == "t":
                written.append((node, around, []))
                continue
            if kind in {"i", "c"}:
                element_id = owners[node.nid] = ids[node.nid]
                self.interactive.append(kept.elements.of(node, element_id, around, _element))
                if written:
                    written[-1][2].append(element_id)
            if node.is_landmark:
                place[node.nid] = len(self.landmarks)
                landmark_id = ids[node.nid if kind == "l" else -node.nid]
                self.landmarks.append(kept.landmarks.of(node, landmark_id, around, _landmark))
            elif node.is_heading:
                heading_id = ids[node.nid if kind == "h" else -node.nid]
                owners.setdefault(node.nid, heading_id)
                self.headings.append(kept.headings.of(node, heading_id, around, _heading))
        for node, around, followers in written:
            controls = " ".join((owners.get(node.parent, ""), *followers))
            self.lines.append(kept.lines.of(node, controls, around, _line))
        kept.turn()


def _line(node: Node, controls: str, landmark: int) -> Line:
    """Make the record of a line; ``controls`` are its owner, or "", and its followers."""
    owner, *followers = controls.split(" ")
    return Line(landmark, node.name, owner, tuple(followers))


def _landmark(node: Node, element_id: str, _: int) -> Landmark:
    return Landmark(element_id, node.role, node.name, node.box, node.extra.get("counts", {}))


def _heading(node: Node, element_id: str, landmark: int) -> Heading:
    return Heading(element_id, node.extra.get("level", 2), node.name, landmark)


def _element(node: Node, element_id: str, landmark: int) -> Element:
    extra = node.extra
    kind = element_type(node)
    checkable = kind in _CHECKABLE
    ordinary = node.box is not None and not checkable and _STATES.isdisjoint(extra)
    return Element(
        id=element_id,
        type=kind,
        role=node.role,
        label=node.name,
        bounds=None if "hidden" in extra else node.box,
        state=NO_STATE if ordinary else _state(node, checkable=checkable),
        href=extra.get("href") if kind == "link" else None,
        placeholder=None if kind in _WITHOUT_PLACEHOLDER else extra.get("placeholder"),
        value=None if kind in _WITHOUT_VALUE else extra.get("value") or None,
        options=_options(node) if kind == "select" else None,
        landmark=landmark,
        frame=extra.get("frame"),
        group=(node.container or extra.get("set") or None) if kind in _GROUPED else None,
        near=extra.get("near"),
        title=extra.get("title"),
        revision=extra.get("rev", 0),
        click_type=extra.get("click"),
        is_password="secret" in extra,
        is_written="unwritten" not in extra and extra.get("tag") not in _WITHOUT_TEXT,
    )


def _state(node: Node, *, checkable: bool) -> Mapping[str, State]:
    """C-PR-20…27: only what an enabled, visible, unfocused element does not have."""
    extra = node.extra
    state: dict[str, State] = {}
    if "disabled" in extra:
        state["enabled"] = False
    if "hidden" in extra or node.box is None:
        state["visible"] = False
    if checkable and "unsaid" not in extra:
        state["checked"] = extra.get("checked", False)
    for name in _AS_THEY_ARE:
        if name in extra:
            state[name] = extra[name]
    for name in _FLAGS:
        if extra.get(name):
            state[name] = True
    return state


def _options(node: Node) -> tuple[str, ...] | None:
    """C-PR-19; an editable combobox whose list is closed has none to say."""
    return tuple(node.extra["options"]) if "options" in node.extra else None
