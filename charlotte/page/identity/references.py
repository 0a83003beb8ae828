"""References to elements: their forms, their nodes, and checks that a node is the shown one."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from hashlib import md5
from typing import Any, Literal

import attrs

from charlotte.base.errors import DocumentChanged, ElementChanged, InvalidArgument, ellipsize
from charlotte.page.capture import compose_number, split_number
from charlotte.page.identity.degrees import ChangeDegree, compare_destinations, compare_labels
from charlotte.page.identity.id_book import IdBook, Memory, ShownElement
from charlotte.page.identity.records import (
    DIGITS,
    FEW,
    Identity,
    RecordIndex,
    Scene,
    compare_names,
    compare_places,
    compare_targets,
    get_keys,
    is_replacement,
    remove_count,
)
from charlotte.page.model import Bounds, Element, ReferenceTarget, frozen_record

ReferenceForm = Literal["hash", "dom", "node", "table"]

_FORMS: Mapping[ReferenceForm, tuple[re.Pattern[str], str]] = {
    "dom": (re.compile(r"dom-[0-9a-f]{4}(-[1-9]\d{0,8})?"), "dom-3fa2 (from find{selector})"),
    "node": (re.compile(r"([A-Za-z0-9_-]{1,60}:)?e\d{1,12}"), "e123 (from observe{mode:tree})"),
    "table": (re.compile(r"@ref:\d{1,6}"), "@ref:4 (from the last observe that returned any)"),
    "hash": (re.compile(r"[a-z]{2,3}-[0-9a-f]{4}(-[1-9]\d{0,8})?"), "btn-a3f1 or btn-a3f1-2"),
}
"""Pattern and example of each form, in the order in which they are tried."""

_LONGEST_SHOWN = 60
_PROCESS_SPAN = 10**9
"""Added to a number that the browser uses in two processes for different nodes."""

_LONGEST_NAME = 100
_ACTIONABLE = {"i", "c"}
"""Kinds of nodes on which an agent acts."""


@attrs.frozen
class DocumentNode:
    """A node: its number in the document that ``context`` names."""

    context: str
    nid: int

    def with_nid(self, nid: int) -> "DocumentNode":
        """Return another node of the same frame by its probe's number."""
        return DocumentNode(self.context, compose_number(split_number(self.nid)[0], nid))


@frozen_record(kw_only=True)
class Match:
    """A node that ``selector`` finds; ``text`` is the start of its text, on one line.

    ``around`` is the text of the row around the node, if it was read. For a search by text,
    ``excerpt`` is the part with the match, ``heading`` the nearest heading before it and
    ``landmark`` the landmark around it. For a search with conditions, ``role`` is the node's role
    and ``has_text`` whether it contains the text. ``element`` is the record of a
    node that is an interactive element. ``row`` names the row around one of several equal results.
    ``known_id`` is the id that a heading, landmark or group of the page has.
    """

    place: DocumentNode
    selector: str
    tag: str
    text: str
    bounds: Bounds | None
    around: str = ""
    excerpt: str = ""
    heading: str = ""
    landmark: str = ""
    role: str = ""
    has_text: bool = False
    element: Element | None = None
    row: str | None = None
    known_id: str = ""

    @property
    def is_text(self) -> bool:
        """Whether it is a place with the text of a search, not a node by selector or role."""
        return bool(self.excerpt and not self.role)

    def as_json(self, element_id: str) -> dict[str, Any]:
        """Return the JSON object of P-15, with the position of the text and the element's id."""
        optional: dict[str, Any] = {
            "row": self.row,
            "heading": self.heading,
            "landmark": self.landmark,
        }
        if self.element is not None:
            element = self.element.as_json()
            optional["element"] = self.element.id
            optional |= {name: element.get(name) for name in ("href", "value", "options")}
        return {
            "id": element_id,
            **({"type": "text"} if self.is_text else {}),
            "tag": self.tag,
            "text": self.excerpt or self.text,
            "bounds": self.bounds and self.bounds.as_json(),
            **{name: value for name, value in optional.items() if value},
        }


@attrs.define(eq=False)
class DomBook:
    """The ``dom-`` ids of one tab. A node keeps its id for all selectors that find it."""

    _matches: Memory[str, Match] = attrs.field(factory=Memory[str, Match])
    _ids: Memory[DocumentNode, str] = attrs.field(factory=Memory[DocumentNode, str])
    _used: Counter[str] = attrs.field(factory=Counter[str])

    def identify(self, match: Match) -> str:
        """Return the id of a match, a new id for a new node without an id."""
        if match.known_id:
            return match.known_id
        element_id = self._ids.get(match.place)
        if element_id is None:
            key = f"{match.selector}|{match.tag}|{match.text}".encode(errors="surrogatepass")
            base = f"dom-{md5(key, usedforsecurity=False).hexdigest()[:4]}"
            self._used[base] += 1
            element_id = base if self._used[base] == 1 else f"{base}-{self._used[base]}"
        self._matches[element_id], self._ids[match.place] = match, element_id
        return element_id

    def find(self, element_id: str) -> Match | None:
        """Return the last match with an id; None for an unknown id."""
        return self._matches.get(element_id)

    def find_similar(self, lost: Match, matches: list[Match]) -> list[Match]:
        """Return the matches with tag and text of a lost one that have no id."""
        return [
            match
            for match in matches
            if (match.tag, match.text) == (lost.tag, lost.text) and match.place not in self._ids
        ]

    def rebind(self, element_id: str, match: Match) -> None:
        """Bind an id whose node is deleted to the node that replaces it."""
        self._ids.pop(self._matches[element_id].place, None)
        self._matches[element_id], self._ids[match.place] = match, element_id


def is_same_row(before: str, now: str) -> bool:
    """Return whether a row shows the same record by its text: it kept half of its words."""
    words = before.split()
    kept = Counter(words) & Counter(now.split())
    return not now or 2 * kept.total() >= len(words)


def _find_form(text: str) -> ReferenceForm | None:
    return next((form for form, (pattern, _) in _FORMS.items() if pattern.fullmatch(text)), None)


def is_reference(text: str) -> bool:
    """Return whether a text has the form of a reference; such a text is not a CSS selector."""
    return _find_form(text) is not None


def get_reference_form(reference: str) -> ReferenceForm:
    """Return the form of a reference; raises `InvalidArgument` for other texts."""
    if form := _find_form(reference):
        return form
    accepted = ", ".join(example for _, example in _FORMS.values())
    raise InvalidArgument(
        f"{ellipsize(reference, _LONGEST_SHOWN)!r} is not a reference to an element. "
        f"Accepted: {accepted}.",
        "Copy an id exactly from observe, find or a delta.",
    )


@frozen_record
class NamedNode:
    """A node with the role and name that were last sent with its reference, in answer ``turn``.

    ``shown`` is the state of the node, if the page's capture contains it.
    """

    place: DocumentNode
    role: str
    name: str
    turn: int
    shown: ShownElement | None = None


@attrs.define(eq=False)
class RefBook:
    """Nodes by reference: ``e123`` has the browser's number, ``@ref:4`` is in the last table.

    ``prefix`` is the name of the tab's context, if it has one: its e-refs are ``name:e123``.
    ``everyone`` has the references that some agent was shown, if this is the book of one of them.
    """

    prefix: str = ""
    everyone: "RefBook | None" = None
    _nodes: Memory[str, NamedNode] = attrs.field(factory=Memory[str, NamedNode])
    _refs: Memory[DocumentNode, str] = attrs.field(factory=Memory[DocumentNode, str])
    _table: list[NamedNode] = attrs.field(factory=list[NamedNode])
    _turn: int = 0

    def begin_answer(self) -> None:
        """Begin another answer; references of answers before the previous one become old."""
        self._turn += 1
        if self.everyone is not None:
            self.everyone.begin_answer()

    def has_reference(self, place: DocumentNode) -> bool:
        """Return whether a node has an e-ref."""
        return place in self._refs

    def name(
        self,
        place: DocumentNode,
        number: int,
        target: ReferenceTarget,
        shown: ShownElement | None = None,
    ) -> str:
        """Return the e-ref of a node, a new one from the browser's ``number`` if it has none."""
        if self.everyone is not None:
            self.everyone.name(place, number, target, shown)
        reference = self._refs.get(place)
        if reference is None:
            reference = f"e{number}"
            while (other := self._nodes.get(reference)) and other.place.context == place.context:
                number += _PROCESS_SPAN
                reference = f"e{number}"
            if other:  # in an earlier document
                self._refs.pop(other.place, None)
        self._refs[place] = reference
        self._nodes[reference] = NamedNode(place, target.role, target.name, self._turn, shown)
        return f"{self.prefix}:{reference}" if self.prefix else reference

    def replace_table(
        self,
        context: str,
        targets: Iterable[ReferenceTarget],
        describe: Callable[[int], ShownElement | None] = lambda _: None,
    ) -> None:
        """Replace the table of @refs by nodes of the page whose main document has ``context``."""
        targets = list(targets)
        if self.everyone is not None:
            self.everyone.replace_table(context, targets, describe)
        self._table = [
            NamedNode(DocumentNode(context, one.nid), one.role, one.name, self._turn, shown)
            for one in targets
            for shown in [describe(one.nid)]
        ]

    def find(self, reference: str) -> NamedNode | None:
        """Return the node of a reference; None if it is unknown or in an older table.

        A reference that this agent was not shown may be one of another agent.
        """
        found: NamedNode | None = None
        prefix, _, name = reference.rpartition(":")
        if prefix == "@ref" and self._table:
            return self._table[int(name)] if int(name) < len(self._table) else None
        if prefix in {"", self.prefix}:
            found = self._nodes.get(name)
        return found or (self.everyone.find(reference) if self.everyone else None)

    def find_recent(self, reference: str) -> NamedNode | None:
        """Return the node if one of the last two answers contained the reference (V-STALE-06)."""
        named = self.find(reference)
        return named if named and named.turn >= self._turn - 1 else None


@attrs.frozen
class ElementSummary:
    """Description of an element for messages: its role or tag, and its name or text.

    ``near`` is the text of its row, ``column`` the head of its column, ``url`` its destination.
    """

    role: str
    name: str
    near: str = ""
    column: str = ""
    url: str = ""

    def __str__(self) -> str:
        details = (("near", self.near), ("in column", self.column), ("leading to", self.url))
        return f"{self.role} '{shorten_name(self.name)}'" + "".join(
            f" {relation} '{shorten_name(text)}'" for relation, text in details if text
        )


def shorten_name(text: str) -> str:
    """Return the start of a text for a message."""
    return ellipsize(text, _LONGEST_NAME)


def build_change_error(before: ElementSummary, now: ElementSummary) -> ElementChanged:
    """Return the error for an element that is no longer what the agent was shown."""
    return ElementChanged(f"Element changed since snapshot. Was: {before}, Now: {now}")


def find_shown_node(book: IdBook, reference: str) -> tuple[int | None, bool]:
    """Return the number of the node with a hash id, or None, and whether to note minor changes.

    Raises `ElementChanged` if the node, its record or the document is not what the agent was shown.
    """
    nid, shown = book.resolve(reference), book.get_last_shown(reference)
    if shown is None:
        return (book.find_hidden(reference) if nid is None else nid), False
    if nid is None and book.is_from_here(shown):  # now of another kind, or hidden
        nid = shown.nid if book.get_node(shown.nid) else book.find_hidden(reference)
    try:
        is_noted = check_element(book, reference, shown, nid)
    except DocumentChanged:
        raise
    except ElementChanged:
        nid, is_noted = _find_moved(book, shown), True
        if nid is None:
            raise
    if (nid is None or not book.get_node(nid)) and (moved := _find_moved(book, shown)):
        return moved, True
    return nid, is_noted


def _find_moved(book: IdBook, shown: ShownElement) -> int | None:
    """Return the only node that now matches the shown element: lists re-render in place."""
    before, scene = shown.identity, book.scene
    if not book.is_from_here(shown) or not _is_unmistakable(before):
        return None
    found = [
        node.nid
        for node in scene.capture.nodes
        if (node.role, node.name) == (before.role, before.name) and node.kind in _ACTIONABLE
        if is_replacement(before, now := scene.identity(node))
        if before.cells == now.cells or _has_same_keys(before, now)
    ]
    return found[0] if len(found) == 1 else None


def check_element(book: IdBook, reference: str, shown: ShownElement, nid: int | None) -> bool:
    """Return whether a node has changed a little; raises `ElementChanged` if it changed more."""
    known, scene = book.find_known_scene(shown), book.scene
    if known is not None and known is not scene:
        _check_document(shown, nid, known, scene)
    node = book.get_node(nid or 0)
    if node is None:
        return False
    before, now = shown.identity, scene.identity(node)
    is_here = book.is_from_here(shown)
    is_replaced = nid != shown.nid or not is_here
    is_minor = _check_features(before, now, is_replaced=is_replaced)
    if not _has_same_keys(before, now):
        is_minor |= _check_heading(book, reference, shown, node.nid)
    is_named_alike = (before.role, before.name) == (now.role, now.name)
    if is_named_alike and not is_replaced:
        named = (each for each in scene.capture.nodes if each.kind in _ACTIONABLE)
        if sum((each.role, each.name) == (node.role, node.name) for each in named) == 1:
            return False  # whatever is around it, it is the only element with this name
    return is_minor or (is_replaced and is_here)


def check_page(book: IdBook, element: ElementSummary) -> None:
    """Raise `DocumentChanged` if the page is another than the one that the agent was shown."""
    known, scene = book.shown_scene, book.scene
    if known is None or known.capture.document == scene.capture.document:
        return
    before, now = known.capture.url, scene.capture.url
    degree = compare_destinations(before, now)
    if degree == "changed" or (
        degree == "minor" and not reads_the_same(known, scene, with_texts=True)
    ):
        raise _document_error(element, before, now)


def _document_error(element: ElementSummary, before: str, now: str) -> DocumentChanged:
    return DocumentChanged(
        f"Element changed since snapshot. {element} was on {shorten_name(before)}, "
        f"but the page is now {shorten_name(now)}."
    )


def _check_document(shown: ShownElement, nid: int | None, known: Scene, scene: Scene) -> None:
    """Raise `DocumentChanged` if the element's document is not the one that the agent knows."""
    if not split_number(shown.nid)[0]:
        before, now = known.capture.url, scene.capture.url
    else:
        now = scene.url(nid) if nid else shown.url
        before = now if now in known.capture.frames.values() else shown.url
    degree = compare_destinations(before, now)
    if degree == "minor":
        node = scene.capture.by_nid.get(nid) if nid else None
        is_sure = node is not None and _has_same_keys(shown.identity, scene.identity(node))
        if reads_the_same(known, scene, with_texts=not is_sure):
            return
    if degree != "same":
        raise _document_error(ElementSummary(shown.identity.role, shown.identity.name), before, now)


def _check_features(before: Identity, now: Identity, *, is_replaced: bool) -> bool:
    """Return whether an element has changed a little; raises `ElementChanged` if more."""
    targets = compare_targets(before, now)
    degrees = {compare_names(before, now), compare_places(before, now)}
    if "changed" not in degrees and not (is_replaced and targets == "changed"):
        return "minor" in degrees or targets != "same"
    if (before.role, before.name) != (now.role, now.name):
        summaries = ElementSummary(before.role, before.name), ElementSummary(now.role, now.name)
    else:
        summaries = _summarize(before), _summarize(now)
    raise build_change_error(*summaries)


def _summarize(element: Identity) -> ElementSummary:
    near = " ".join(text for text in element.cells if text != element.name)
    column = element.column[1] if element.column else ""
    return ElementSummary(element.role, element.name, near, column, element.destination)


def _check_heading(book: IdBook, reference: str, shown: ShownElement, nid: int) -> bool:
    """Return whether the heading above an element is ignored; raises `ElementChanged`."""
    known, scene = book.find_known_scene(shown), book.scene
    if known is None or known is scene or known.capture.document != shown.document:
        return False
    before, now = known.headings_above.get(shown.nid, ""), scene.headings_above.get(nid, "")
    if compare_headings(before, now) != "changed":
        return False
    if book.note_heading_change(reference):
        return True
    element = ElementSummary(shown.identity.role, shown.identity.name)
    raise ElementChanged(
        f"Element changed since snapshot. Was: {element} below "
        f"heading '{shorten_name(before)}', Now: below heading '{shorten_name(now)}'"
    )


def _has_same_keys(before: Identity, now: Identity) -> bool:
    """Return whether keys show that two elements belong to one record."""
    if before.membership is None or now.membership is None:
        return False
    keys = get_keys(before.membership)
    return bool(keys) and keys == get_keys(now.membership)


def _is_unmistakable(identity: Identity) -> bool:
    """Return whether an element differs from all others in its record or destination."""
    membership = identity.membership
    if membership is None:
        return bool(identity.destination)
    return bool(get_keys(membership)) or bool(identity.cells and not membership.has_twin)


def compare_headings(before: str, now: str) -> ChangeDegree:
    """Compare headings without counts in them; a missing heading is no evidence of a change."""
    before, now = remove_count(before), remove_count(now)
    if before == now or not before or not now:
        return "same"
    if DIGITS.sub("", before) == DIGITS.sub("", now):
        return "changed"
    return compare_labels("", before, "", now)


def are_rewritten(before: RecordIndex, now: RecordIndex) -> bool:
    """Return whether most records with the same names have other texts now, as in forms."""
    both = before.by_lead.keys() & now.by_lead.keys()
    other = [name for name in both if before.by_lead[name] != now.by_lead[name]]
    return len(other) >= FEW and 2 * len(other) > len(both)


def reads_the_same(before: Scene, now: Scene, *, with_texts: bool) -> bool:
    """Return whether title and headings are the same, and with ``with_texts`` all texts."""
    titles = remove_count(before.capture.title), remove_count(now.capture.title)
    if titles[0] != titles[1] or before.headings != now.headings:
        return False
    if not with_texts:
        return True
    return before.texts == now.texts and not are_rewritten(before.records, now.records)
