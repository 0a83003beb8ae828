"""Assignment of ids to the nodes of a new capture, by the rules of `id_book`.

An id is a hash of a node's composite key: its type, role, name, landmark, group and position.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import md5

import attrs

from charlotte.page.capture import Capture, Node, element_type, find_difference
from charlotte.page.identity.elements import Identity, Scene, is_replacement
from charlotte.page.identity.twins import Neighbours, Twin, find_neighbours, pair_twins
from charlotte.page.record_base import frozen_record

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
