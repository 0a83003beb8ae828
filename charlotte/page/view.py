"""Turns a capture into the view an agent reads."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Generic, TypeVar

import attrs

from charlotte.page.capture import Capture, Node, UncapturedCount, element_type
from charlotte.page.identity.id_book import IdBook
from charlotte.page.model import (
    NO_STATE,
    NO_UNCAPTURED,
    Element,
    Form,
    Heading,
    Landmark,
    PageView,
    StateValue,
    TextLine,
    with_landmarks,
)

R = TypeVar("R")

Make = Callable[[Node, str, int], R]
"""Makes the record of a node, given its id and the position of the landmark around it."""


class CachedRecords(Generic[R]):
    """Records of one sort, each with what it was made of."""

    def __init__(self) -> None:
        self._last: dict[int, tuple[Node, str, int, R]] = {}
        self._next: dict[int, tuple[Node, str, int, R]] = {}

    def of(self, node: Node, element_id: str, landmark: int, make: Make[R]) -> R:
        """The record made of just this node before, or a new one."""
        made = self._last.get(id(node))
        # the address of a node that is gone may be given to another
        if made is None or made[0] is not node or made[1] != element_id or made[2] != landmark:
            made = (node, element_id, landmark, make(node, element_id, landmark))
        self._next[id(node)] = made
        return made[3]

    def turn(self) -> None:
        """Forget the records that were not asked for since the last turn."""
        self._last, self._next = self._next, {}


@attrs.define(eq=False)
class RecordCache:
    """The records of the view built last."""

    landmarks: CachedRecords[Landmark] = attrs.field(factory=CachedRecords[Landmark])
    headings: CachedRecords[Heading] = attrs.field(factory=CachedRecords[Heading])
    elements: CachedRecords[Element] = attrs.field(factory=CachedRecords[Element])
    lines: CachedRecords[TextLine] = attrs.field(factory=CachedRecords[TextLine])

    def turn(self) -> None:
        """Forget what the view that has just been built does not show."""
        self.landmarks.turn()
        self.headings.turn()
        self.elements.turn()
        self.lines.turn()


_NOT_FIELDS = {"button", "link", "clickable"}


def build_forms(
    capture: Capture, ids: Mapping[int, str], landmarks: Mapping[int, int]
) -> tuple[Form, ...]:
    """Every form of the page; ``landmarks`` maps the number of a landmark to its place."""
    owners: dict[int, list[Node]] = {node.nid: [] for node in capture.nodes if node.kind == "f"}
    if not owners:
        return ()
    for node in capture.nodes:
        if (owner := node.extra.get("form")) in owners:
            owners[owner].append(node)
    return tuple(
        _form(node, owners[node.nid], ids, landmarks[node.landmark])
        for node in capture.nodes
        if node.kind == "f"
    )


def _form(node: Node, controls: list[Node], ids: Mapping[int, str], landmark: int) -> Form:
    return Form(
        id=ids[node.nid],
        action=node.extra.get("action"),
        method=node.extra.get("method"),
        fields=tuple(
            ids[control.nid] for control in controls if element_type(control) not in _NOT_FIELDS
        ),
        submit=_submit(controls, ids),
        landmark=landmark,
    )


def _submit(controls: list[Node], ids: Mapping[int, str]) -> str | None:
    """The first submit control that can be pressed: as a rule the one that Enter would press."""
    submits = [control for control in controls if "submits" in control.extra]
    visible = [control for control in submits if control.box]
    enabled = [control for control in visible if "disabled" not in control.extra]
    return ids[(enabled or visible or submits)[0].nid] if submits else None


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
    capture: Capture, book: IdBook, kept: RecordCache | None = None, alive: Collection[int] = ()
) -> PageView:
    """Make the view of ``capture``; ``book`` gives the ids, see there, and remembers them.

    With the records ``kept`` from the view before, nodes that are the same have the same records.
    """
    ids = book.identify(capture, alive)
    parts = _Parts(ids, kept or RecordCache())
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
        forms=build_forms(capture, ids, parts.place),
        lines=tuple(parts.lines),
        counts=capture.counts,
        uncaptured=_counted(capture.uncaptured, parts.place),
        alerts=capture.alerts,
        scrolls=capture.scrolls,
    )


def remove_clickables(view: PageView) -> PageView:
    """The view as semantics have it: nothing that only answers a click (surface section 3)."""
    semantic = [one for one in view.interactive if one.type != "clickable"]
    return attrs.evolve(view, interactive=tuple(semantic))


def _counted(
    beyond: Iterable[UncapturedCount], place: Mapping[int, int]
) -> Mapping[tuple[int, str], int]:
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
    _kept: RecordCache
    landmarks: list[Landmark] = attrs.field(factory=list[Landmark])
    headings: list[Heading] = attrs.field(factory=list[Heading])
    interactive: list[Element] = attrs.field(factory=list[Element])
    lines: list[TextLine] = attrs.field(factory=list[TextLine])
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


def _line(node: Node, controls: str, landmark: int) -> TextLine:
    """Make the record of a line; ``controls`` are its owner, or "", and its followers."""
    owner, *followers = controls.split(" ")
    return TextLine(landmark, node.name, owner, tuple(followers))


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


def _state(node: Node, *, checkable: bool) -> Mapping[str, StateValue]:
    """C-PR-20…27: only what an enabled, visible, unfocused element does not have."""
    extra = node.extra
    state: dict[str, StateValue] = {}
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


def mark_in_viewport(view: PageView) -> PageView:
    """The view whose interactive elements say whether they are in the viewport (S-VIS-01)."""
    size = view.viewport
    return _retold(
        view,
        (
            attrs.evolve(
                one, in_viewport=one.bounds is not None and one.bounds.is_in_viewport(size)
            )
            for one in view.interactive
        ),
    )


def add_styles(view: PageView, ids: IdBook, styles: Mapping[int, Mapping[str, str]]) -> PageView:
    """The view whose interactive elements have the styles of their nodes (C-OBS-03)."""
    return _retold(
        view,
        (
            attrs.evolve(one, styles=styles.get(ids.resolve(one.id) or 0))
            for one in view.interactive
        ),
    )


def _retold(view: PageView, elements: Iterable[Element]) -> PageView:
    return attrs.evolve(view, interactive=tuple(elements))


def narrow_view(
    view: PageView, ids: IdBook, numbers: Collection[int], texts: Iterable[str]
) -> PageView:
    """What of a view has one of these ``numbers`` of nodes, with the ``texts`` in their order."""

    def inside(one: Element | Form | Heading | Landmark) -> bool:
        return ids.resolve(one.id) in numbers

    headings = [one for one in view.headings if inside(one)]
    interactive = [one for one in view.interactive if inside(one)]
    kept = [index for index, landmark in enumerate(view.landmarks) if inside(landmark)]
    places = {index: place for place, index in enumerate(kept)}
    return attrs.evolve(
        view,
        landmarks=tuple(view.landmarks[index] for index in kept),
        headings=with_landmarks(headings, places),
        interactive=with_landmarks(interactive, places),
        forms=with_landmarks([one for one in view.forms if inside(one)], places),
        lines=_lines(view, {one.id for one in headings} | {one.id for one in interactive}, texts),
        counts={},
        uncaptured=NO_UNCAPTURED,
    )


def _lines(view: PageView, inside: Collection[str], texts: Iterable[str]) -> tuple[TextLine, ...]:
    """Make lines of the texts, with the owners and followers that lines of the view have."""
    known = {
        line.text: line
        for line in view.lines
        if line.owner in inside or any(one in inside for one in line.followers)
    }
    return tuple(
        TextLine(-1, text, line.owner, line.followers)
        if (line := known.get(text))
        else TextLine(-1, text)
        for text in texts
    )
