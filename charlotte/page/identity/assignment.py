"""Assignment of ids to the nodes of a capture: hashes of their keys that stay for a node's life.

The probe numbers the nodes of a document. A node keeps its id while it has its number, even if it
leaves and comes back. The id of a deleted node goes to a new node with the last key, if there is
only one, or if its neighbours show which of several it is. Another new node gets the hash of its
composite key, with the lowest suffix ``-2``, ``-3`` … that was never used. So an id never changes
its meaning.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from hashlib import md5
from itertools import islice
from typing import NamedTuple, TypeVar

import attrs

from charlotte.page.capture import STRUCTURE, Capture, element_type, find_difference
from charlotte.page.identity.records import Identity, Scene, get_keys, get_lead, is_replacement
from charlotte.page.model import Node, frozen_record

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

_FARTHEST = 60
"""Nodes that are searched in each direction for the nearest texts."""

_MOST_TEXTS = 8


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


def build_draft(capture: Capture, last: CaptureIds) -> CaptureIds:
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


def assign_ids(draft: CaptureIds, alive: Collection[int]) -> None:
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
    before = (nodes[number] for number in range(index - 1, -1, -1))
    after = (nodes[number] for number in range(index + 1, len(nodes)))
    place: int | None = node.extra.get("place")
    texts = _nearest_texts(before, node), _nearest_texts(after, node)
    return Neighbours(form.name if form else "", identity.address, *texts, place)


def _nearest_texts(nodes: Iterable[Node], node: Node) -> tuple[str, ...]:
    texts: list[str] = []
    for other in islice((each for each in nodes if each.kind != STRUCTURE), _FARTHEST):
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
