"""Ids of the elements of a page: hashes of their keys that stay for the life of a node.

The probe numbers the nodes of a document. A node keeps its id while it has its number, even if it
leaves and comes back. The id of a deleted node goes to a new node with the last key, if there is
only one, or if its neighbours show which of several it is. Another new node gets the hash of its
composite key, with the lowest suffix ``-2``, ``-3`` … that was never used. So an id never changes
its meaning.
"""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from hashlib import md5
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar

import attrs

from charlotte.page.capture import Capture, Node, element_type, find_difference
from charlotte.page.identity.records import Identity, Scene, get_keys, get_lead, is_replacement
from charlotte.page.model import frozen_record

_FARTHEST = 60
"""Nodes that are searched in each direction for the nearest texts."""

_MOST_TEXTS = 8

A = TypeVar("A", bound=Hashable)
B = TypeVar("B", bound=Hashable)


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


@attrs.frozen
class Twin(Generic[A]):
    """One of several nodes with the same name; ``holder`` stands for it in the result."""

    holder: A
    key: str
    neighbours: Neighbours | None
    identity: Identity | None = None


def find_neighbours(capture: Capture, index: int) -> Neighbours:
    """Return the neighbours of the node with that index."""
    nodes, node = capture.nodes, capture.nodes[index]
    form = capture.by_nid.get(node.extra.get("form", 0))
    name, address = (form.name, form.extra.get("action", "")) if form else ("", "")
    before = nodes[max(index - _FARTHEST, 0) : index]
    after = nodes[index + 1 : index + 1 + _FARTHEST]
    return Neighbours(
        form=name,
        address=address,
        before=_nearest_texts(reversed(before), node),
        after=_nearest_texts(after, node),
        place=node.extra.get("place"),
    )


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


def pair_twins(old: Sequence[Twin[A]], new: Sequence[Twin[B]]) -> list[tuple[A, B]]:
    """Pair old and new twins whose place, record or neighbours are unique.

    If the neighbours of all twins are unchanged, the rest is paired in order. With as many twins as
    before, siblings are also recognised by their position between the nearest texts. A pair must
    agree in record, column and destination.
    """
    pairs: dict[A, B] = {}
    paired: set[B] = set()

    def add(more: Iterable[tuple[A, B]]) -> None:
        new_pairs = [(a, b) for a, b in more if a not in pairs and b not in paired]
        pairs.update(new_pairs)
        paired.update(b for _, b in new_pairs)

    for feature in (_place, _record_keys, _record_lead, _own_name, _all_record_keys):
        add(_pair_unique(old, new, feature))
    if [_texts_around(twin) for twin in old] == [_texts_around(twin) for twin in new]:
        add((a.holder, b.holder) for a, b in zip(old, new, strict=True))
    else:
        add(_pair_unique(old, new, _texts_around))
        if len(old) == len(new):
            add(_pair_unique(old, new, _position))
    before = {twin.holder: twin.identity for twin in old}
    now = {twin.holder: twin.identity for twin in new}
    return [(a, b) for a, b in pairs.items() if _is_allowed(before[a], now[b])]


def _is_allowed(before: Identity | None, now: Identity | None) -> bool:
    return before is None or now is None or is_replacement(before, now)


def _pair_unique(
    old: Sequence[Twin[A]],
    new: Sequence[Twin[B]],
    feature: Callable[[Twin[Any]], Hashable],
) -> list[tuple[A, B]]:
    """Pair the twins whose feature is unique on both sides; twins may lack the feature (None)."""
    old_features = [(twin.holder, value) for twin in old if (value := feature(twin)) is not None]
    new_features = [(twin.holder, value) for twin in new if (value := feature(twin)) is not None]
    old_count = Counter(value for _, value in old_features)
    new_count = Counter(value for _, value in new_features)
    holders = {value: b for b, value in new_features if new_count[value] == 1}
    return [
        (a, holders[value])
        for a, value in old_features
        if value in holders and old_count[value] == 1
    ]


def _place(twin: Twin[Any]) -> Hashable:
    around = twin.neighbours
    if around is None or around.place is None:
        return None
    return around.form, around.address, around.place


def _record_keys(twin: Twin[Any]) -> Hashable:
    return _find_record_keys(twin, with_positions=False)


def _all_record_keys(twin: Twin[Any]) -> Hashable:
    """Return the keys of the record, including values that may be row numbers."""
    return _find_record_keys(twin, with_positions=True)


def _find_record_keys(twin: Twin[Any], *, with_positions: bool) -> Hashable:
    identity = twin.identity
    if identity is None or identity.membership is None:
        return None
    keys = get_keys(identity.membership, with_positions=with_positions)
    return (keys, identity.column) if keys else None


def _record_lead(twin: Twin[Any]) -> Hashable:
    identity = twin.identity
    if identity is None or identity.membership is None:
        return None
    lead = get_lead(identity.membership)
    return (lead, identity.column) if lead else None


def _own_name(twin: Twin[Any]) -> Hashable:
    """Return the name that the page itself gives a field."""
    if twin.identity is None or not twin.identity.own_name:
        return None
    return twin.neighbours and twin.neighbours.address, twin.identity.own_name


def _texts_around(twin: Twin[Any]) -> Hashable:
    return (twin.neighbours and twin.neighbours[:-1],)


def _position(twin: Twin[Any]) -> Hashable:
    """Return the position among siblings with the form and the nearest texts."""
    around = twin.neighbours
    if around is None:
        return None
    return twin.key, around.form, around.address, around.before[:1], around.after[:1]


PREFIXES: Mapping[str, str] = {
    "button": "btn",
    "link": "lnk",
    "text_input": "inp",
    "textarea": "inp",
    "file_input": "inp",
    "range": "inp",
    "date_input": "inp",
    "color_input": "inp",
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
_STRUCTURE = {kind: PREFIXES[name] for kind, name in _KINDS.items()}
_STRUCTURAL = {*_STRUCTURE.values()}


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


def _is_prefix_allowed(element_id: str, kind: str) -> bool:
    """Return whether a node of this kind may keep the id: headings have no button ids."""
    prefix = element_id[:3]
    return prefix == _STRUCTURE[kind] if kind in _STRUCTURE else prefix not in _STRUCTURAL


def _first_kind(node: Node) -> str:
    return _KINDS[node.kind] if node.kind in _KINDS else element_type(node)


def _second_kind(node: Node) -> str | None:
    """Return the second kind of a form or control that is also a landmark or heading."""
    if node.is_landmark:
        return None if node.kind == "l" else "region"
    return "heading" if node.is_heading and node.kind != "h" else None


def _listings(node: Node) -> tuple[tuple[int, str | None], tuple[int, str | None]]:
    """Return the numbers under which a node can have ids, each with its kind."""
    return (node.nid, _first_kind(node)), (-node.nid, _second_kind(node))


@attrs.frozen
class CaptureIds:
    """The ids of one capture.

    ``by_number`` maps node numbers to ids, ``numbers`` ids to node numbers. A node with two kinds
    has its second id under its negative number.
    """

    scene: Scene
    by_number: Mapping[int, str]
    numbers: Mapping[str, int]

    @property
    def capture(self) -> Capture:
        """The capture with these ids."""
        return self.scene.capture


@frozen_record
class DepartedNode:
    """A node that left the capture: its number in this document, or 0, and its last key.

    ``neighbours`` are only set for nodes that had kin.
    """

    number: int
    key: str
    neighbours: Neighbours | None
    identity: Identity


@frozen_record
class IdClaim:
    """A node without an id: its number, its index, the kind as which it is listed, and its key."""

    number: int
    index: int
    kind: str
    key: str


@attrs.define
class IdDraft:
    """Incomplete ids of the next capture; the book is unchanged until they are complete."""

    scene: Scene
    numbers: dict[str, int]
    claims: list[IdClaim]
    departed: dict[str, DepartedNode]

    @property
    def capture(self) -> Capture:
        """The capture whose nodes need ids."""
        return self.scene.capture


def build_draft(
    capture: Capture, last: CaptureIds | None, departed: Mapping[str, DepartedNode]
) -> IdDraft:
    """Find the nodes that stay, come and leave; compares only nodes that have changed."""
    scene = last.scene if last and last.capture is capture else Scene(capture)
    if last is None or last.capture.document != capture.document:
        left = {**departed, **({} if last is None else dict(_find_departed(last, {})))}
        draft = IdDraft(scene, {}, [], _keep_over_documents(left))
        _sort_listings(draft, {})
        return draft
    start, end, new_end = find_difference(last.capture.nodes, capture.nodes)
    draft = IdDraft(scene, dict(last.numbers), [], dict(departed))
    for node in last.capture.nodes[start:end]:
        for number in (node.nid, -node.nid):
            draft.numbers.pop(last.by_number.get(number, ""), None)
    _sort_listings(draft, last.by_number, start, new_end)
    if len(draft.numbers) < len(last.numbers):
        draft.departed.update(_find_departed(last, draft.numbers))
    return draft


def _keep_over_documents(departed: Mapping[str, DepartedNode]) -> dict[str, DepartedNode]:
    """Return the nodes of earlier documents whose ids are the hashes of their keys."""
    return {
        element_id: DepartedNode(0, node.key, node.neighbours, node.identity)
        for element_id, node in departed.items()
        if node.number == 0
        or hashed_id(node.key.partition("|")[0], node.key) == _get_base(element_id)
    }


def _sort_listings(
    draft: IdDraft, known: Mapping[int, str], start: int = 0, end: int | None = None
) -> None:
    """Divide the listings of nodes into those that keep their ids and those that claim one."""
    capture = draft.capture
    for index, node in enumerate(capture.nodes[start:end], start):
        if node.kind in {"t", "g", "d"}:
            continue
        element_id = known.get(node.nid)
        if element_id and _is_prefix_allowed(element_id, node.kind):
            draft.numbers[element_id] = node.nid
        else:
            kind = _first_kind(node)
            key = composite_key(capture, node, kind)
            draft.claims.append(IdClaim(node.nid, index, kind, key))
        if second := _second_kind(node):
            element_id = known.get(-node.nid)
            if element_id and element_id.startswith(PREFIXES[second]):
                draft.numbers[element_id] = -node.nid
            else:
                key = composite_key(capture, node, second)
                draft.claims.append(IdClaim(-node.nid, index, second, key))


def _find_departed(last: CaptureIds, kept: Collection[str]) -> Iterator[tuple[str, DepartedNode]]:
    """Return the ids of ``last`` that are not ``kept``, in document order."""
    capture = last.capture
    departed = [
        (element_id, number, index, composite_key(capture, node, kind))
        for index, node in enumerate(capture.nodes)
        for number, kind in _listings(node)
        if kind and (element_id := last.by_number.get(number)) and element_id not in kept
    ]
    kin = _count_kin(capture, [index for _, _, index, _ in departed])
    for element_id, number, index, key in departed:
        neighbours = find_neighbours(capture, index) if kin[get_kin(key)] > 1 else None
        identity = last.scene.replaceable(capture.nodes[index])
        yield element_id, DepartedNode(number, key, neighbours, identity)


def _count_kin(capture: Capture, indexes: Iterable[int]) -> Counter[str]:
    """Count, for each key of the given nodes, the nodes that differ in position only."""
    names = Counter((node.role, node.name) for node in capture.nodes)
    wanted = {(node.role, node.name) for node in map(capture.nodes.__getitem__, indexes)}
    shared = {name for name in wanted if names[name] > 1}
    return Counter(
        get_kin(composite_key(capture, node, kind))
        for node in capture.nodes
        if (node.role, node.name) in shared
        for _, kind in _listings(node)
        if kind
    )


def assign_ids(draft: IdDraft, alive: Collection[int]) -> None:
    """Give each claim its earlier id, the id of the node that it replaces, or a new id.

    Nodes whose numbers are ``alive`` are in the document but not in the capture.
    """
    if draft.departed:
        _return_ids(draft)
        claims: dict[str, list[IdClaim]] = {}
        for claim in draft.claims:
            claims.setdefault(get_kin(claim.key), []).append(claim)
        vacant, occupied = _find_vacancies(draft, claims, alive)
        for kin, ids in vacant.items():
            _take_over(draft, claims[kin], ids, occupied)
        _drop_settled(draft)
    _create_ids(draft)


def _return_ids(draft: IdDraft) -> None:
    """Give nodes that come back their old ids, even with new names."""
    departed = {
        node.number: element_id for element_id, node in draft.departed.items() if node.number
    }
    for claim in draft.claims if departed else ():
        element_id = departed.get(claim.number, "")
        if element_id.startswith(PREFIXES[claim.kind]):
            draft.numbers[element_id] = claim.number
    _drop_settled(draft)


def _drop_settled(draft: IdDraft) -> None:
    settled = {*draft.numbers.values()}
    draft.claims = [claim for claim in draft.claims if claim.number not in settled]


def _find_vacancies(
    draft: IdDraft, wanted: Collection[str], alive: Collection[int]
) -> tuple[dict[str, list[str]], set[str]]:
    """Return the ids of deleted nodes by kin, and the hashed ids that are still in use."""
    vacant: dict[str, list[str]] = {}
    occupied: set[str] = set()
    for element_id, node in draft.departed.items():
        kin = get_kin(node.key)
        if kin in wanted and element_id not in draft.numbers:
            if abs(node.number) in alive:
                occupied.add(_get_base(element_id))
            else:
                vacant.setdefault(kin, []).append(element_id)
    if vacant:
        occupied.update(map(_get_base, draft.numbers))
    return vacant, occupied


def _take_over(
    draft: IdDraft, claims: list[IdClaim], vacant: list[str], occupied: Collection[str]
) -> None:
    """Give new nodes the ids of the nodes that they replace."""

    def identity(claim: IdClaim) -> Identity:
        return draft.scene.replaceable(draft.capture.nodes[claim.index])

    claim = claims[0]
    same = [element_id for element_id in vacant if draft.departed[element_id].key == claim.key]
    if len(claims) == len(same) == 1:
        node = draft.departed[same[0]]
        if node.neighbours is None and hashed_id(claim.kind, claim.key) not in occupied:
            if is_replacement(node.identity, identity(claim)):
                draft.numbers[same[0]] = claim.number
            return
    departed = [(element_id, draft.departed[element_id]) for element_id in vacant]
    old = [Twin(name, node.key, node.neighbours, node.identity) for name, node in departed]
    new = [
        Twin(claim.number, claim.key, find_neighbours(draft.capture, claim.index), identity(claim))
        for claim in claims
    ]
    draft.numbers.update(pair_twins(old, new))


def _create_ids(draft: IdDraft) -> None:
    suffixes: dict[str, int] = {}  # no id becomes free here, so each search starts at the last end
    for claim in draft.claims:
        base = element_id = hashed_id(claim.kind, claim.key)
        if element_id in draft.numbers or element_id in draft.departed:
            suffix = suffixes.get(base, 2)
            while (
                element_id := f"{base}-{suffix}"
            ) in draft.numbers or element_id in draft.departed:
                suffix += 1
            suffixes[base] = suffix + 1
        draft.numbers[element_id] = claim.number


K = TypeVar("K")
V = TypeVar("V")

_REMEMBERED = 20_000
"""Ids that are kept of departed nodes and of shown elements."""

_RESTLESS = 2
"""Changes after which a heading no longer identifies the elements below it."""

_MOST_SCENES = 4
"""Captures of single shown elements that are kept until a whole page is shown."""


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
class IdBook:
    """The ids of one tab; ``identify`` replaces all of them in one step.

    ``lost_some`` is whether ids left with the last step.
    """

    _ids: CaptureIds | None = None
    _departed: dict[str, DepartedNode] = attrs.field(factory=dict[str, DepartedNode])
    _shown: dict[str, ShownElement] = attrs.field(factory=dict[str, ShownElement])
    _draft: IdDraft | None = None
    _successors: dict[int, str] = attrs.field(factory=dict[int, str])
    _turn: int = 0
    _heading_changes: dict[str, tuple[int, int]] = attrs.field(factory=dict[str, tuple[int, int]])
    _scenes: dict[str, Scene] = attrs.field(factory=dict[str, Scene])
    lost_some: bool = False
    shown_scene: Scene | None = None
    """The capture of which the agent was last shown everything, or all changes."""

    @property
    def scene(self) -> Scene | None:
        """The last capture."""
        return self._ids.scene if self._ids else None

    def find_contested(self, capture: Capture) -> list[int]:
        """Return the numbers of departed nodes whose ids new nodes of ``capture`` would get.

        `identify` needs to know which of them are still in the document.
        """
        draft = self._get_draft(capture)
        departed = [node for node in draft.departed.values() if node.number]
        if not (departed and draft.claims):
            return []
        claimed = {claim.number for claim in draft.claims}
        kin = {get_kin(claim.key) for claim in draft.claims}
        return [
            abs(node.number)
            for node in departed
            if get_kin(node.key) in kin and node.number not in claimed
        ]

    def identify(self, capture: Capture, alive: Collection[int] = ()) -> Mapping[int, str]:
        """Give all nodes of ``capture`` ids, and return the ids by node number.

        ``alive`` are the numbers from `find_contested` whose nodes are in the document but not
        visible: they keep their ids.
        """
        draft, self._draft = self._get_draft(capture), None
        if self._ids and self._ids.capture.document != capture.document:
            self._successors.clear()  # node numbers start again
        if draft.claims:
            assign_ids(draft, frozenset(alive))
        numbers = draft.numbers
        by_number = {number: element_id for element_id, number in numbers.items()}
        self._ids = CaptureIds(draft.scene, by_number, numbers)
        self.lost_some = len(draft.departed) > len(self._departed)
        self._departed = draft.departed
        for element_id in draft.departed.keys() & numbers.keys():
            if number := abs(draft.departed.pop(element_id).number):
                self._successors[number] = element_id
        _forget_oldest(draft.departed)
        _forget_oldest(self._successors)
        return by_number

    def _get_draft(self, capture: Capture) -> IdDraft:
        if self._draft is None or self._draft.capture is not capture:
            self._draft = build_draft(capture, self._ids, self._departed)
        return self._draft

    def resolve(self, element_id: str) -> int | None:
        """Return the number of the node with this id."""
        number = self._ids.numbers.get(element_id) if self._ids else None
        return None if number is None else abs(number)

    def find_successor(self, nid: int) -> int | None:
        """Return the number of the node that has the last id of a deleted node."""
        element_id = self._successors.get(nid)
        return self.resolve(element_id) if element_id else None

    def find_hidden(self, element_id: str) -> int | None:
        """Return the number of the departed node with this id: it may be in the document."""
        node = self._departed.get(element_id)
        return abs(node.number) if node and node.number else None

    def get_id(self, nid: int) -> str | None:
        """Return the id of a node."""
        return self._ids.by_number.get(nid) if self._ids else None

    def get_node(self, nid: int) -> Node | None:
        """Return a node of the last capture."""
        return self._ids.capture.by_nid.get(nid) if self._ids else None

    def note_shown(self, element_ids: Iterable[str]) -> None:
        """Remember the state of elements that the agent is shown; unknown ids are ignored."""
        for element_id in element_ids:
            number = self._ids.numbers.get(element_id, 0) if self._ids else 0
            if shown := self.describe_now(abs(number)):
                self._shown.pop(element_id, None)
                self._shown[element_id] = shown
                if self.scene:
                    self._scenes.setdefault(self.scene.capture.answer, self.scene)
                    while len(self._scenes) > _MOST_SCENES:
                        del self._scenes[next(iter(self._scenes))]
        _forget_oldest(self._shown)

    def note_page_shown(self) -> None:
        """Remember that the agent is shown the page of the last capture, or all its changes."""
        self.shown_scene = self.scene
        self._turn += 1
        self._scenes.clear()

    def describe_now(self, nid: int) -> ShownElement | None:
        """Return the state of a node in the last capture."""
        node, scene = self.get_node(nid), self.scene
        if scene is None or node is None:
            return None
        document, answer = scene.capture.document, scene.capture.answer
        identity = scene.identity(node)
        return ShownElement(document, scene.url(nid), nid, identity, answer, self._turn)

    def get_last_shown(self, element_id: str) -> ShownElement | None:
        """Return the state in which an element was last shown, in any document."""
        return self._shown.get(element_id)

    def find_known_scene(self, shown: ShownElement) -> Scene | None:
        """Return the capture from which the agent knows the page around an element."""
        if shown.turn < self._turn:
            return self.shown_scene
        return self._scenes.get(shown.answer) or next(iter(self._scenes.values()), None)

    def is_from_here(self, shown: ShownElement) -> bool:
        """Return whether an element was shown in the current document."""
        return self._ids is not None and self._ids.capture.document == shown.document

    def note_heading_change(self, reference: str) -> bool:
        """Count a change of the heading above an element; return whether it changes all the time.

        Only changes after another whole answer to the agent count.
        """
        count, turn = self._heading_changes.pop(reference, (0, -1))
        self._heading_changes[reference] = count + (turn != self._turn), self._turn
        _forget_oldest(self._heading_changes)
        return count >= _RESTLESS


def _forget_oldest(memory: dict[K, V]) -> None:
    for key in tuple(islice(memory, max(len(memory) - _REMEMBERED, 0))):
        del memory[key]
