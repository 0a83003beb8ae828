"""Decides which node of a new capture gets which id; `ids` says by what rules."""

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
"""C-ID-05, and ``clk``."""

_KINDS = {"l": "region", "h": "heading", "f": "form"}
_STRUCTURE = {kind: PREFIXES[name] for kind, name in _KINDS.items()}
_STRUCTURAL = {*_STRUCTURE.values()}


def composite_key(capture: Capture, node: Node, kind: str) -> str:
    """C-ID-03: seven components, missing ones empty; ``kind`` is the element type."""
    role = label = ""
    if node.landmark:
        landmark = capture.by_nid[node.landmark]
        role, label = landmark.role, landmark.name
    position = node.extra.get("sib", 0)
    return f"{kind}|{node.role}|{node.name}|{role}|{label}|{node.container}|{position}"


def get_kin(key: str) -> str:
    """What keys have in common that only tell siblings apart: all but the position."""
    return key.rpartition("|")[0]


def hashed_id(kind: str, key: str) -> str:
    """C-ID-01 and C-ID-02, before collisions are told apart."""
    digest = md5(key.encode(errors="surrogatepass"), usedforsecurity=False).hexdigest()
    return f"{PREFIXES.get(kind, 'el')}-{digest[:4]}"


def get_base_id(element_id: str) -> str:
    """The hashed id that it was made from: what comes before ``-2``, ``-3`` …."""
    prefix, digest, *_ = element_id.split("-")
    return f"{prefix}-{digest}"


def is_prefix_allowed(element_id: str, kind: str) -> bool:
    """Whether a node of this kind may keep the id: a heading must not be called a button."""
    prefix = element_id[:3]
    return prefix == _STRUCTURE[kind] if kind in _STRUCTURE else prefix not in _STRUCTURAL


def get_first_kind(node: Node) -> str:
    """As what a node is listed."""
    return _KINDS[node.kind] if node.kind in _KINDS else element_type(node)


def get_second_kind(node: Node) -> str | None:
    """As what it is listed too: a form or control that is a landmark, or one that is a heading."""
    if node.is_landmark:
        return None if node.kind == "l" else "region"
    return "heading" if node.is_heading and node.kind != "h" else None


@attrs.frozen
class CaptureIds:
    """The ids of one capture, complete.

    ``by_number`` maps node numbers to ids. A node that is listed twice (a form or a control that
    is a landmark, a heading that can be focused) has its second id under minus its number.
    """

    scene: Scene
    by_number: Mapping[int, str]
    numbers: Mapping[str, int]

    @property
    def capture(self) -> Capture:
        """The capture whose ids they are."""
        return self.scene.capture


@frozen_record
class DepartedNode:
    """What is known of a node that left: its number in this document, else 0, and its last key.

    ``around`` is only known of nodes that were not alone of their kin.
    """

    number: int
    key: str
    around: Neighbours | None
    identity: Identity


@frozen_record
class IdClaim:
    """A listing without an id: its number, the index of its node, as what it is listed, its key."""

    number: int
    index: int
    kind: str
    key: str


@attrs.define
class IdDraft:
    """The next ids in the making; until they are complete, the book stays as it is."""

    scene: Scene
    numbers: dict[str, int]
    claims: list[IdClaim]
    left: dict[str, DepartedNode]

    @property
    def capture(self) -> Capture:
        """The capture whose nodes want ids."""
        return self.scene.capture


def build_draft(
    capture: Capture, last: CaptureIds | None, left: Mapping[str, DepartedNode]
) -> IdDraft:
    """Who stays, who comes, and who left; only where nodes differ from the last is looked at."""
    scene = last.scene if last and last.capture is capture else Scene(capture)
    if last is None or last.capture.document != capture.document:
        old = {} if last is None else dict(_departed(last, {}))
        kept = IdDraft(scene, {}, [], _from_before({**left, **old}))
        _sort_out(kept, {})
        return kept
    start, end, new_end = find_difference(last.capture.nodes, capture.nodes)
    draft = IdDraft(scene, dict(last.numbers), [], dict(left))
    for node in last.capture.nodes[start:end]:
        for number in (node.nid, -node.nid):
            draft.numbers.pop(last.by_number.get(number, ""), None)
    _sort_out(draft, last.by_number, start, new_end)
    if len(draft.numbers) < len(last.numbers):
        draft.left.update(_departed(last, draft.numbers))
    return draft


def _from_before(left: Mapping[str, DepartedNode]) -> dict[str, DepartedNode]:
    """What remains of an earlier document: an id means again what its hash says, or nothing."""
    return {
        element_id: DepartedNode(0, one.key, one.around, one.identity)
        for element_id, one in left.items()
        if one.number == 0
        or hashed_id(one.key.partition("|")[0], one.key) == get_base_id(element_id)
    }


def _sort_out(
    draft: IdDraft, known: Mapping[int, str], start: int = 0, end: int | None = None
) -> None:
    """Put each listing to those that have an id, or to those that want one."""
    numbers = draft.numbers
    for index, node in enumerate(draft.capture.nodes[start:end], start):
        if node.kind in {"t", "g", "d"}:
            continue
        element_id = known.get(node.nid)
        if element_id and is_prefix_allowed(element_id, node.kind):
            numbers[element_id] = node.nid
        else:
            _claim(draft, node.nid, index, get_first_kind(node))
        if second := get_second_kind(node):
            element_id = known.get(-node.nid)
            if element_id and element_id.startswith(PREFIXES[second]):
                numbers[element_id] = -node.nid
            else:
                _claim(draft, -node.nid, index, second)


def _claim(draft: IdDraft, number: int, index: int, kind: str) -> None:
    key = composite_key(draft.capture, draft.capture.nodes[index], kind)
    draft.claims.append(IdClaim(number, index, kind, key))


def _departed(last: CaptureIds, kept: Collection[str]) -> Iterator[tuple[str, DepartedNode]]:
    """The ids that ``last`` had and that are not ``kept``, in document order."""
    capture = last.capture
    went = [
        (element_id, number, index, composite_key(capture, node, kind))
        for index, node in enumerate(capture.nodes)
        for number, kind in _listings(node)
        if kind and (element_id := last.by_number.get(number)) and element_id not in kept
    ]
    kin = _kin(capture, [index for _, _, index, _ in went])
    for element_id, number, index, key in went:
        around = find_neighbours(capture, index) if kin[get_kin(key)] > 1 else None
        identity = last.scene.replaceable(capture.nodes[index])
        yield element_id, DepartedNode(number, key, around, identity)


def _listings(node: Node) -> tuple[tuple[int, str | None], tuple[int, str | None]]:
    """The numbers under which a node can have ids, each with as what it is listed."""
    return (node.nid, get_first_kind(node)), (-node.nid, get_second_kind(node))


def _kin(capture: Capture, of: Iterable[int]) -> Counter[str]:
    """How many there are of each kind of kin of the nodes with those indices, if there are any."""
    called = Counter((node.role, node.name) for node in capture.nodes)
    meant = {(node.role, node.name) for node in map(capture.nodes.__getitem__, of)}
    shared = {one for one in meant if called[one] > 1}
    return Counter(
        get_kin(composite_key(capture, node, kind))
        for node in capture.nodes
        if (node.role, node.name) in shared
        for _, kind in _listings(node)
        if kind
    )


def assign_ids(draft: IdDraft, alive: Collection[int]) -> None:
    """Give every claim an id: its own from before, one that it takes over, or a new one.

    Nodes whose numbers are ``alive`` are in the document, though not in the capture.
    """
    if draft.left:
        _reuse(draft, alive)
    _name(draft)


def _reuse(draft: IdDraft, alive: Collection[int]) -> None:
    _give_back(draft)
    claims: dict[str, list[IdClaim]] = {}
    for claim in draft.claims:
        claims.setdefault(get_kin(claim.key), []).append(claim)
    vacant, occupied = _vacancies(draft, claims, alive)
    for kin, ids in vacant.items():
        _take_over(draft, claims[kin], ids, occupied)
    _drop_settled(draft)


def _give_back(draft: IdDraft) -> None:
    """A node that was away has its old id, renamed or not."""
    away = {one.number: element_id for element_id, one in draft.left.items() if one.number}
    for claim in draft.claims if away else ():
        element_id = away.get(claim.number, "")
        if element_id.startswith(PREFIXES[claim.kind]):
            draft.numbers[element_id] = claim.number
    _drop_settled(draft)


def _vacancies(
    draft: IdDraft, wanted: Collection[str], alive: Collection[int]
) -> tuple[dict[str, list[str]], set[str]]:
    """Ids whose nodes are gone, by their kin, and the hashed ids that somebody still has."""
    vacant: dict[str, list[str]] = {}
    occupied: set[str] = set()
    for element_id, one in draft.left.items():
        kin = get_kin(one.key)
        if kin in wanted and element_id not in draft.numbers:
            if abs(one.number) in alive:
                occupied.add(get_base_id(element_id))
            else:
                vacant.setdefault(kin, []).append(element_id)
    if vacant:
        occupied.update(map(get_base_id, draft.numbers))
    return vacant, occupied


def _take_over(
    draft: IdDraft, group: list[IdClaim], vacant: list[str], occupied: Collection[str]
) -> None:
    """Let new nodes have the ids of those that they replace."""
    same = [element_id for element_id in vacant if draft.left[element_id].key == group[0].key]
    if len(group) == len(same) == 1 and _is_alone(group[0], draft.left[same[0]], occupied):
        if is_replacement(draft.left[same[0]].identity, _identity(draft, group[0])):
            draft.numbers[same[0]] = group[0].number
        return
    left = [(element_id, draft.left[element_id]) for element_id in vacant]
    old = [Twin(element_id, one.key, one.around, one.identity) for element_id, one in left]
    new = [
        Twin(
            claim.number,
            claim.key,
            find_neighbours(draft.capture, claim.index),
            _identity(draft, claim),
        )
        for claim in group
    ]
    draft.numbers.update(pair_twins(old, new))


def _identity(draft: IdDraft, claim: IdClaim) -> Identity:
    return draft.scene.replaceable(draft.capture.nodes[claim.index])


def _is_alone(claim: IdClaim, left: DepartedNode, occupied: Collection[str]) -> bool:
    """Whether the one that left had no kin, and no other than the claim has its key now."""
    return left.around is None and hashed_id(claim.kind, claim.key) not in occupied


def _name(draft: IdDraft) -> None:
    """New ids for those that are left."""
    lowest: dict[str, int] = {}  # nothing is freed here, so the search can go on where it ended
    for claim in draft.claims:
        base = element_id = hashed_id(claim.kind, claim.key)
        if element_id in draft.numbers or element_id in draft.left:
            suffix = lowest.get(base, 2)
            while (element_id := f"{base}-{suffix}") in draft.numbers or element_id in draft.left:
                suffix += 1
            lowest[base] = suffix + 1
        draft.numbers[element_id] = claim.number


def _drop_settled(draft: IdDraft) -> None:
    settled = {*draft.numbers.values()}
    draft.claims = [claim for claim in draft.claims if claim.number not in settled]
