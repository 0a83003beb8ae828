"""Ids of the elements of a page: hashes of their keys that stay for the life of a node.

The probe numbers the nodes of a document. A node keeps its id while it has its number, even if it
leaves and comes back. The id of a deleted node goes to a new node with the last key, if there is
only one, or if its neighbours show which of several it is. Another new node gets the hash of its
composite key, with the lowest suffix ``-2``, ``-3`` … that was never used. So an id never changes
its meaning.
"""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import md5
from itertools import islice
from typing import NamedTuple, TypeVar

import attrs

from charlotte.page.capture import STRUCTURE, Capture, element_type, find_difference
from charlotte.page.identity.records import Identity, Scene, get_keys, get_lead, is_replacement
from charlotte.page.model import Node, Scroll, frozen_record

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
A = TypeVar("A", bound=Hashable)
B = TypeVar("B", bound=Hashable)

PREFIXES: Mapping[str, str] = {
    "button": "btn",
    "link": "lnk",
    **dict.fromkeys(("text_input", "textarea", "file_input"), "inp"),
    **dict.fromkeys(("range", "date_input", "color_input"), "inp"),
    "select": "sel",
    "checkbox": "chk",
    "radio": "rad",
    "toggle": "tog",
    "clickable": "clk",
    "static_text": "txt",
    "form": "frm",
    "region": "rgn",
    "heading": "hdg",
}
"""Prefixes of ids by element type (C-ID-05, and ``clk``)."""

_KINDS = {"l": "region", "h": "heading", "f": "form"}
_STRUCTURAL = {PREFIXES[kind] for kind in _KINDS.values()}
_WITHOUT_ID = {"t", "g", "d", STRUCTURE}

_REMEMBERED = 20_000
"""Ids that are kept of departed nodes and of shown elements."""

_RESTLESS = 2
"""Changes after which a heading no longer identifies the elements below it."""

_MOST_SCENES = 4
"""Captures of single shown elements that are kept until a whole page is shown."""

_FARTHEST = 60
"""Nodes that are searched in each direction for the nearest texts."""

_MOST_TEXTS = 8


_NOTHING = Capture(
    answer="",
    document="",
    url="",
    title="",
    viewport=(0, 0),
    scroll=Scroll(0, 0, 0, 0),
    elements=0,
    counts={},
    nodes=(),
)


class Memory(dict[K, V]):
    """A dictionary of the 20,000 items that were set last."""

    def __setitem__(self, key: K, value: V) -> None:
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > _REMEMBERED:
            del self[next(iter(self))]


class Neighbours(NamedTuple):
    """Name and action of the form, the nearest texts before and after a node, and its container.

    Texts end at the next node with the same role and name, which has its own texts, and at the
    start of a named form or landmark. Text of the node itself is left out. ``place`` is the probe's
    digest of the row or card in which the node is the only twin.
    """

    form: str
    address: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    place: int | None


@frozen_record
class KeyedNode:
    """A node that left or that is new: its number in this document, or 0, and its last key.

    ``neighbours`` are not set for departed nodes without kin. ``is_old`` is a node of a document
    before the last one.
    """

    number: int
    key: str
    neighbours: Neighbours | None
    identity: Identity
    is_old: bool = False


@frozen_record
class IdClaim:
    """A node without an id: its number, its index, the kind as which it is listed, and its key."""

    number: int
    index: int
    kind: str
    key: str


@attrs.define(eq=False)
class CaptureIds:
    """The ids of one capture, and those of nodes that left; incomplete while there are claims.

    A node with two kinds has its second id under its negative number.
    """

    scene: Scene
    numbers: dict[str, int] = attrs.field(factory=dict[str, int])
    departed: dict[str, KeyedNode] = attrs.field(factory=dict[str, KeyedNode])
    claims: list[IdClaim] = attrs.field(factory=list[IdClaim])

    @property
    def capture(self) -> Capture:
        """The capture whose elements have these ids."""
        return self.scene.capture

    @cached_property
    def by_number(self) -> Mapping[int, str]:
        """The ids of a complete capture by node number."""
        return {number: element_id for element_id, number in self.numbers.items()}


@frozen_record
class ShownElement:
    """State of an element when it was last shown to the agent; ``turn`` counts whole answers.

    ``url`` is the address of the document that contains the element, ``answer`` the name of the
    capture.
    """

    document: str
    url: str
    nid: int
    identity: Identity
    answer: str
    turn: int

    @property
    def role(self) -> str:
        """Role of the element."""
        return self.identity.role

    @property
    def name(self) -> str:
        """Name of the element."""
        return self.identity.name


@attrs.define(eq=False)
class ShownMemory:
    """What an agent was shown of a page: elements, and the capture ``scene`` as a whole."""

    elements: Memory[str, ShownElement] = attrs.field(factory=Memory[str, ShownElement])
    scene: Scene | None = None
    turn: int = 0
    scenes: dict[str, Scene] = attrs.field(factory=dict[str, Scene])
    heading_changes: Memory[str, tuple[int, int]] = attrs.field(
        factory=Memory[str, tuple[int, int]]
    )

    def add(self, element_id: str, shown: ShownElement, scene: Scene) -> None:
        """Remember the state of an element that the agent is shown."""
        self.elements[element_id] = attrs.evolve(shown, turn=self.turn)
        self.scenes.setdefault(scene.capture.answer, scene)
        while len(self.scenes) > _MOST_SCENES:
            del self.scenes[next(iter(self.scenes))]

    def add_page(self, scene: Scene) -> None:
        """Remember that the agent is shown a page, or all its changes."""
        self.scene = scene
        self.turn += 1
        self.scenes.clear()


@attrs.define(eq=False)
class IdBook:
    """The ids of one tab; ``identify`` replaces all of them in one step.

    ``lost_some`` is whether ids left with the last step. ``everyone`` is what some agent was shown
    last; ``memory`` returns what the agent of the present call was shown.
    """

    everyone: ShownMemory = attrs.field(factory=ShownMemory)
    memory: Callable[[], ShownMemory] | None = None

    _ids: CaptureIds = attrs.field(factory=lambda: CaptureIds(Scene(_NOTHING)))
    _draft: CaptureIds | None = None
    _successors: Memory[int, str] = attrs.field(factory=Memory[int, str])
    lost_some: bool = False

    @property
    def shown_scene(self) -> Scene | None:
        """The capture of which the agent was last shown everything, or all changes."""
        return self._own.scene or self.everyone.scene

    @property
    def _own(self) -> ShownMemory:
        """What the agent of the present call was shown."""
        return self.memory() if self.memory is not None else self.everyone

    @property
    def scene(self) -> Scene:
        """The last capture; at first an empty one."""
        return self._ids.scene

    def find_contested(self, capture: Capture) -> list[int]:
        """Return the numbers of departed nodes whose ids new nodes of ``capture`` would get.

        `identify` needs to know which of them are still in the document.
        """
        draft = self._get_draft(capture)
        if not draft.claims:
            return []
        claimed = {claim.number for claim in draft.claims}
        kin = {get_kin(claim.key) for claim in draft.claims}
        return [
            abs(node.number)
            for node in draft.departed.values()
            if node.number and node.number not in claimed and get_kin(node.key) in kin
        ]

    def identify(self, capture: Capture, alive: Collection[int] = ()) -> Mapping[int, str]:
        """Give all nodes of ``capture`` ids, and return the ids by node number.

        ``alive`` are the numbers from `find_contested` whose nodes are in the document but not
        visible: they keep their ids.
        """
        draft, self._draft = self._get_draft(capture), None
        if self._ids.capture.document != capture.document:
            self._successors.clear()  # node numbers start again
        if draft.claims:
            _assign_ids(draft, frozenset(alive))
        self.lost_some = len(draft.departed) > len(self._ids.departed)
        self._ids, departed = draft, draft.departed
        for element_id in departed.keys() & draft.numbers.keys():
            if number := abs(departed.pop(element_id).number):
                self._successors[number] = element_id
        for element_id in [*islice(departed, max(len(departed) - _REMEMBERED, 0))]:
            del departed[element_id]
        return draft.by_number

    def _get_draft(self, capture: Capture) -> CaptureIds:
        if self._draft is None or self._draft.capture is not capture:
            self._draft = _build_draft(capture, self._ids)
        return self._draft

    def resolve(self, element_id: str) -> int | None:
        """Return the number of the node with this id."""
        number = self._ids.numbers.get(element_id)
        return None if number is None else abs(number)

    def find_successor(self, nid: int) -> int | None:
        """Return the number of the node that has the last id of a deleted node."""
        return self.resolve(self._successors.get(nid, ""))

    def find_hidden(self, element_id: str) -> int | None:
        """Return the number of the departed node with this id: it may be in the document."""
        node = self._ids.departed.get(element_id)
        return abs(node.number) if node and node.number else None

    def get_id(self, nid: int) -> str | None:
        """Return the id of a node."""
        return self._ids.by_number.get(nid)

    def get_node(self, nid: int) -> Node | None:
        """Return a node of the last capture."""
        return self._ids.capture.by_nid.get(nid)

    def note_shown(self, element_ids: Iterable[str]) -> None:
        """Remember the state of elements that the agent is shown; unknown ids are ignored."""
        memories = self._memories()
        for element_id in element_ids:
            if shown := self.describe_now(self.resolve(element_id) or 0):
                for memory in memories:
                    memory.add(element_id, shown, self.scene)

    def note_page_shown(self) -> None:
        """Remember that the agent is shown the page of the last capture, or all its changes."""
        for memory in self._memories():
            memory.add_page(self.scene)

    def _memories(self) -> list[ShownMemory]:
        own = self._own
        return [own] if own is self.everyone else [own, self.everyone]

    def describe_now(self, nid: int) -> ShownElement | None:
        """Return the state of a node in the last capture."""
        scene, node = self.scene, self.get_node(nid)
        if node is None:
            return None
        document, answer = scene.capture.document, scene.capture.answer
        identity = scene.identity(node)
        return ShownElement(document, scene.url(nid), nid, identity, answer, self._own.turn)

    def get_last_shown(self, element_id: str) -> ShownElement | None:
        """Return the state in which an element was last shown, in any document.

        If the agent was not shown it, that is the state in which another agent was.
        """
        if shown := self._own.elements.get(element_id):
            return shown
        shown = self.everyone.elements.get(element_id)
        return attrs.evolve(shown, turn=-1) if shown else None

    def find_known_scene(self, shown: ShownElement) -> Scene | None:
        """Return the capture from which the agent knows the page around an element."""
        memory = self._own
        if shown.turn < memory.turn:
            return self.shown_scene
        return memory.scenes.get(shown.answer) or next(iter(memory.scenes.values()), None)

    def is_from_here(self, shown: ShownElement) -> bool:
        """Return whether an element was shown in the current document."""
        return self._ids.capture.document == shown.document

    def note_heading_change(self, reference: str) -> bool:
        """Count a change of the heading above an element; return whether it changes all the time.

        Only changes after another whole answer to the agent count.
        """
        memory = self._own
        count, turn = memory.heading_changes.get(reference, (0, -1))
        memory.heading_changes[reference] = count + (turn != memory.turn), memory.turn
        return count >= _RESTLESS


def composite_key(capture: Capture, node: Node, kind: str) -> str:
    """Return the seven components of C-ID-03; missing components are empty."""
    role = label = ""
    if node.landmark:
        landmark = capture.by_nid[node.landmark]
        role, label = landmark.role, landmark.name
    position = node.extra.get("sib", 0)
    return f"{kind}|{node.role}|{node.name}|{role}|{label}|{node.container}|{position}"


def get_kin(key: str) -> str:
    """Return a key without the position, which only distinguishes siblings."""
    return key.rpartition("|")[0]


def hashed_id(kind: str, key: str) -> str:
    """Return the id of C-ID-01 and C-ID-02, without a suffix for collisions."""
    digest = md5(key.encode(errors="surrogatepass"), usedforsecurity=False).hexdigest()
    return f"{PREFIXES.get(kind, 'el')}-{digest[:4]}"


def _get_base(element_id: str) -> str:
    """Return an id without a suffix ``-2``, ``-3`` …."""
    prefix, digest, *_ = element_id.split("-")
    return f"{prefix}-{digest}"


def _get_listings(node: Node) -> Iterator[tuple[int, str]]:
    """Return the numbers under which a node has ids, each with its kind.

    The second one is that of a form or control that is also a landmark or heading.
    """
    if node.kind not in _WITHOUT_ID:
        yield node.nid, _KINDS.get(node.kind) or element_type(node)
        if node.is_landmark:
            if node.kind != "l":
                yield -node.nid, "region"
        elif node.is_heading and node.kind != "h":
            yield -node.nid, "heading"


def _build_draft(capture: Capture, last: CaptureIds) -> CaptureIds:
    """Find the nodes that stay, come and leave; compares only nodes that have changed."""
    scene = last.scene if last.capture is capture else Scene(capture)
    if last.capture.document != capture.document:
        left = last.departed | dict(_find_departed(last, ()))
        draft = CaptureIds(scene)
        for element_id, node in left.items():
            kind = node.key.partition("|")[0]
            if node.number == 0 or hashed_id(kind, node.key) == _get_base(element_id):
                draft.departed[element_id] = attrs.evolve(node, number=0, is_old=node.number == 0)
        _sort_listings(draft, {})
        return draft
    start, end, new_end = find_difference(last.capture.nodes, capture.nodes)
    draft = CaptureIds(scene, dict(last.numbers), dict(last.departed))
    for old in last.capture.nodes[start:end]:
        for number in (old.nid, -old.nid):
            draft.numbers.pop(last.by_number.get(number, ""), None)
    _sort_listings(draft, last.by_number, start, new_end)
    if len(draft.numbers) < len(last.numbers):
        draft.departed.update(_find_departed(last, draft.numbers))
    return draft


def _sort_listings(
    draft: CaptureIds, known: Mapping[int, str], start: int = 0, end: int | None = None
) -> None:
    """Divide the listings of nodes into those that keep their ids and those that claim one."""
    capture = draft.capture
    for index, node in enumerate(capture.nodes[start:end], start):
        for number, kind in _get_listings(node):
            element_id = known.get(number, "")
            prefixes = {element_id[:3], PREFIXES[kind]}
            # controls of different kinds may keep their ids, but headings have no button ids
            if element_id and (len(prefixes) == 1 or prefixes.isdisjoint(_STRUCTURAL)):
                draft.numbers[element_id] = number
            else:
                key = composite_key(capture, node, kind)
                draft.claims.append(IdClaim(number, index, kind, key))


def _find_departed(last: CaptureIds, kept: Collection[str]) -> Iterator[tuple[str, KeyedNode]]:
    """Return the ids of ``last`` that are not ``kept``, in document order."""
    capture = last.capture
    departed = [
        (element_id, number, index, composite_key(capture, node, kind))
        for index, node in enumerate(capture.nodes)
        for number, kind in _get_listings(node)
        if (element_id := last.by_number.get(number)) and element_id not in kept
    ]
    names = {(capture.nodes[index].role, capture.nodes[index].name) for _, _, index, _ in departed}
    kin = Counter(
        get_kin(composite_key(capture, node, kind))
        for node in capture.nodes
        if (node.role, node.name) in names
        for _, kind in _get_listings(node)
    )
    for element_id, number, index, key in departed:
        identity = last.scene.identity(capture.nodes[index])
        has_kin = kin[get_kin(key)] > 1
        neighbours = _find_neighbours(capture, index, identity) if has_kin else None
        yield element_id, KeyedNode(number, key, neighbours, identity)


def _assign_ids(draft: CaptureIds, alive: Collection[int]) -> None:
    """Give each claim its earlier id, the id of the node that it replaces, or a new id.

    Nodes whose numbers are ``alive`` are in the document but not in the capture.
    """
    if draft.departed:
        ids = {node.number: element_id for element_id, node in draft.departed.items()}
        new: list[IdClaim] = []
        for claim in draft.claims:
            element_id = ids.get(claim.number, "")
            if element_id.startswith(PREFIXES[claim.kind]):  # a node that comes back
                draft.numbers[element_id] = claim.number
            else:
                new.append(claim)
        _replace_departed(draft, new, alive)
    settled = {*draft.numbers.values()}
    suffixes: dict[str, int] = {}  # the last of each hash: no id becomes free here
    for claim in draft.claims:
        if claim.number in settled:
            continue
        base = element_id = hashed_id(claim.kind, claim.key)
        while element_id in draft.numbers or element_id in draft.departed:
            suffixes[base] = suffixes.get(base, 1) + 1
            element_id = f"{base}-{suffixes[base]}"
        draft.numbers[element_id] = claim.number
    draft.claims.clear()


def _replace_departed(draft: CaptureIds, new: Iterable[IdClaim], alive: Collection[int]) -> None:
    """Give new nodes the ids of deleted nodes that they replace, kin by kin."""
    claims: dict[str, list[IdClaim]] = {}
    for claim in new:
        claims.setdefault(get_kin(claim.key), []).append(claim)
    vacant: dict[str, dict[str, KeyedNode]] = {}
    occupied: set[str] = set()  # hashes of ids that are still in use
    for element_id, node in draft.departed.items():
        kin = get_kin(node.key)
        if kin in claims and element_id not in draft.numbers:
            if abs(node.number) in alive:
                occupied.add(_get_base(element_id))
            else:
                vacant.setdefault(kin, {})[element_id] = node
    if vacant:
        occupied.update(map(_get_base, draft.numbers))
    for kin, departed in vacant.items():
        _take_over(draft, claims[kin], departed, occupied)


def _take_over(
    draft: CaptureIds,
    claims: list[IdClaim],
    departed: Mapping[str, KeyedNode],
    occupied: Collection[str],
) -> None:
    """Give new nodes the ids of departed nodes with the same role, name and surroundings."""
    capture = draft.capture
    identities = [draft.scene.identity(capture.nodes[claim.index]) for claim in claims]
    first = claims[0]
    same = [(name, node) for name, node in departed.items() if node.key == first.key]
    recent = [(name, node) for name, node in same if not node.is_old] or same
    if len(claims) == len(recent) == 1:
        ((element_id, node),) = recent
        if node.neighbours is None and hashed_id(first.kind, first.key) not in occupied:
            if is_replacement(node.identity, identities[0]):
                draft.numbers[element_id] = first.number
                return
            if len(same) == 1:
                return
    new: dict[int, KeyedNode] = {
        claim.number: KeyedNode(
            claim.number, claim.key, _find_neighbours(capture, claim.index, identity), identity
        )
        for claim, identity in zip(claims, identities, strict=True)
    }
    for is_old in (False, True):
        known = {name: node for name, node in departed.items() if node.is_old is is_old}
        if known and new:
            pairs = _pair_twins(known, new)
            draft.numbers.update(pairs)
            paired = {*pairs.values()}
            new = {number: node for number, node in new.items() if number not in paired}


def _find_neighbours(capture: Capture, index: int, identity: Identity) -> Neighbours:
    """Return the neighbours of the node with that index."""
    nodes, node = capture.nodes, capture.nodes[index]
    form = capture.by_nid.get(node.extra.get("form", 0))
    before = _nodes_nearby(nodes, range(index - 1, -1, -1))
    after = _nodes_nearby(nodes, range(index + 1, len(nodes)))
    place: int | None = node.extra.get("place")
    texts = _nearest_texts(before, node), _nearest_texts(after, node)
    return Neighbours(form.name if form else "", identity.address, *texts, place)


def _nodes_nearby(nodes: Sequence[Node], indexes: Iterable[int]) -> Iterator[Node]:
    """Return the first nodes with these indexes, without structure."""
    found = (nodes[index] for index in indexes)
    return islice((node for node in found if node.kind != STRUCTURE), _FARTHEST)


def _nearest_texts(nodes: Iterable[Node], node: Node) -> tuple[str, ...]:
    texts: list[str] = []
    for other in nodes:
        if not other.name or (other.kind == "t" and other.name == node.name):
            continue
        if other.kind in {"f", "l"} or (other.name == node.name and other.role == node.role):
            break
        texts.append(other.name)
        if len(texts) == _MOST_TEXTS:
            break
    return tuple(texts)


def _pair_twins(old: Mapping[A, KeyedNode], new: Mapping[B, KeyedNode]) -> dict[A, B]:
    """Pair old and new twins whose place, record or neighbours are unique.

    If the neighbours of all twins are unchanged, the rest is paired in order. With as many twins as
    before, siblings are also recognised by their position between the nearest texts. A pair must
    agree in record, column and destination.
    """
    before = {a: _get_features(node) for a, node in old.items()}
    now = {b: _get_features(node) for b, node in new.items()}
    pairs: dict[A, B] = {}

    def add(candidates: Iterable[tuple[A, B]]) -> None:
        paired = {*pairs.values()}
        pairs.update([(a, b) for a, b in candidates if a not in pairs and b not in paired])

    def find_unique(name: str) -> list[tuple[A, B]]:
        """Pair the twins whose feature is unique on both sides."""
        count, count_now = (
            Counter(features[name] for features in side) for side in (before.values(), now.values())
        )
        unique = {value[name]: b for b, value in now.items() if count_now[value[name]] == 1}
        found = [(a, value[name]) for a, value in before.items() if count[value[name]] == 1]
        return [(a, unique[value]) for a, value in found if bool(value) and value in unique]

    for name in ("place", "keys", "lead", "own name", "all keys"):
        add(find_unique(name))
    if [features["texts"] for features in before.values()] == [
        features["texts"] for features in now.values()
    ]:
        add(zip(before, now, strict=True))
    else:
        add(find_unique("texts"))
        if len(old) == len(new):
            add(find_unique("position"))
    return {a: b for a, b in pairs.items() if is_replacement(old[a].identity, new[b].identity)}


def _get_features(twin: KeyedNode) -> Mapping[str, Hashable]:
    """Return the features that distinguish twins, each empty or None if the twin lacks it."""
    around, column, member = twin.neighbours, twin.identity.column, twin.identity.membership
    form = around and around[:2]
    place = around and around.place
    keys = member and get_keys(member)
    all_keys = member and get_keys(member, with_positions=True)  # even if they are row numbers
    lead = member and get_lead(member)
    own_name = twin.identity.own_name
    return {
        "place": (form, place) if place is not None else None,
        "keys": keys and (keys, column),
        "lead": lead and (lead, column),
        "own name": own_name and (twin.identity.address, own_name),
        "all keys": all_keys and (all_keys, column),
        "texts": (around and around[:-1],),
        "position": around and (twin.key, form, around.before[:1], around.after[:1]),
    }
