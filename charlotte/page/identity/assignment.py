"""Decides which node of a new capture gets which id; `ids` says by what rules."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

import attrs

from charlotte.page.capture import Capture, Node, differing
from charlotte.page.identity.elements import Identity, Scene, is_replacement
from charlotte.page.identity.keys import (
    PREFIXES,
    base_of,
    composite_key,
    first_kind,
    hashed_id,
    kin_of,
    second_kind,
    suits,
)
from charlotte.page.identity.twins import Neighbours, Twin, neighbours, pairs
from charlotte.page.record import record


@attrs.frozen
class Ids:
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


@record
class Left:
    """What is known of a node that left: its number in this document, else 0, and its last key.

    ``around`` is only known of nodes that were not alone of their kin.
    """

    number: int
    key: str
    around: Neighbours | None
    identity: Identity


@record
class Claim:
    """A listing without an id: its number, the index of its node, as what it is listed, its key."""

    number: int
    index: int
    kind: str
    key: str


@attrs.define
class Draft:
    """The next ids in the making; until they are complete, the book stays as it is."""

    scene: Scene
    numbers: dict[str, int]
    claims: list[Claim]
    left: dict[str, Left]

    @property
    def capture(self) -> Capture:
        """The capture whose nodes want ids."""
        return self.scene.capture


def draft_ids(capture: Capture, last: Ids | None, left: Mapping[str, Left]) -> Draft:
    """Who stays, who comes, and who left; only where nodes differ from the last is looked at."""
    scene = last.scene if last and last.capture is capture else Scene(capture)
    if last is None or last.capture.document != capture.document:
        old = {} if last is None else dict(_departed(last, {}))
        kept = Draft(scene, {}, [], _from_before({**left, **old}))
        _sort_out(kept, {})
        return kept
    start, end, new_end = differing(last.capture.nodes, capture.nodes)
    draft = Draft(scene, dict(last.numbers), [], dict(left))
    for node in last.capture.nodes[start:end]:
        for number in (node.nid, -node.nid):
            draft.numbers.pop(last.by_number.get(number, ""), None)
    _sort_out(draft, last.by_number, start, new_end)
    if len(draft.numbers) < len(last.numbers):
        draft.left.update(_departed(last, draft.numbers))
    return draft


def _from_before(left: Mapping[str, Left]) -> dict[str, Left]:
    """What remains of an earlier document: an id means again what its hash says, or nothing."""
    return {
        element_id: Left(0, one.key, one.around, one.identity)
        for element_id, one in left.items()
        if one.number == 0 or hashed_id(one.key.partition("|")[0], one.key) == base_of(element_id)
    }


def _sort_out(
    draft: Draft, known: Mapping[int, str], start: int = 0, end: int | None = None
) -> None:
    """Put each listing to those that have an id, or to those that want one."""
    numbers = draft.numbers
    for index, node in enumerate(draft.capture.nodes[start:end], start):
        if node.kind in {"t", "g", "d"}:
            continue
        element_id = known.get(node.nid)
        if element_id and suits(element_id, node.kind):
            numbers[element_id] = node.nid
        else:
            _claim(draft, node.nid, index, first_kind(node))
        if second := second_kind(node):
            element_id = known.get(-node.nid)
            if element_id and element_id.startswith(PREFIXES[second]):
                numbers[element_id] = -node.nid
            else:
                _claim(draft, -node.nid, index, second)


def _claim(draft: Draft, number: int, index: int, kind: str) -> None:
    key = composite_key(draft.capture, draft.capture.nodes[index], kind)
    draft.claims.append(Claim(number, index, kind, key))


def _departed(last: Ids, kept: Collection[str]) -> Iterator[tuple[str, Left]]:
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
        around = neighbours(capture, index) if kin[kin_of(key)] > 1 else None
        identity = last.scene.replaceable(capture.nodes[index])
        yield element_id, Left(number, key, around, identity)


def _listings(node: Node) -> tuple[tuple[int, str | None], tuple[int, str | None]]:
    """The numbers under which a node can have ids, each with as what it is listed."""
    return (node.nid, first_kind(node)), (-node.nid, second_kind(node))


def _kin(capture: Capture, of: Iterable[int]) -> Counter[str]:
    """How many there are of each kind of kin of the nodes with those indices, if there are any."""
    called = Counter((node.role, node.name) for node in capture.nodes)
    meant = {(node.role, node.name) for node in map(capture.nodes.__getitem__, of)}
    shared = {one for one in meant if called[one] > 1}
    return Counter(
        kin_of(composite_key(capture, node, kind))
        for node in capture.nodes
        if (node.role, node.name) in shared
        for _, kind in _listings(node)
        if kind
    )


def assign(draft: Draft, alive: Collection[int]) -> None:
    """Give every claim an id: its own from before, one that it takes over, or a new one.

    Nodes whose numbers are ``alive`` are in the document, though not in the capture.
    """
    if draft.left:
        _reuse(draft, alive)
    _name(draft)


def _reuse(draft: Draft, alive: Collection[int]) -> None:
    _give_back(draft)
    claims: dict[str, list[Claim]] = {}
    for claim in draft.claims:
        claims.setdefault(kin_of(claim.key), []).append(claim)
    vacant, occupied = _vacancies(draft, claims, alive)
    for kin, ids in vacant.items():
        _take_over(draft, claims[kin], ids, occupied)
    _drop_settled(draft)


def _give_back(draft: Draft) -> None:
    """A node that was away has its old id, renamed or not."""
    away = {one.number: element_id for element_id, one in draft.left.items() if one.number}
    for claim in draft.claims if away else ():
        element_id = away.get(claim.number, "")
        if element_id.startswith(PREFIXES[claim.kind]):
            draft.numbers[element_id] = claim.number
    _drop_settled(draft)


def _vacancies(
    draft: Draft, wanted: Collection[str], alive: Collection[int]
) -> tuple[dict[str, list[str]], set[str]]:
    """Ids whose nodes are gone, by their kin, and the hashed ids that somebody still has."""
    vacant: dict[str, list[str]] = {}
    occupied: set[str] = set()
    for element_id, one in draft.left.items():
        kin = kin_of(one.key)
        if kin in wanted and element_id not in draft.numbers:
            if abs(one.number) in alive:
                occupied.add(base_of(element_id))
            else:
                vacant.setdefault(kin, []).append(element_id)
    if vacant:
        occupied.update(map(base_of, draft.numbers))
    return vacant, occupied


def _take_over(
    draft: Draft, group: list[Claim], vacant: list[str], occupied: Collection[str]
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
            neighbours(draft.capture, claim.index),
            _identity(draft, claim),
        )
        for claim in group
    ]
    draft.numbers.update(pairs(old, new))


def _identity(draft: Draft, claim: Claim) -> Identity:
    return draft.scene.replaceable(draft.capture.nodes[claim.index])


def _is_alone(claim: Claim, left: Left, occupied: Collection[str]) -> bool:
    """Whether the one that left had no kin, and no other than the claim has its key now."""
    return left.around is None and hashed_id(claim.kind, claim.key) not in occupied


def _name(draft: Draft) -> None:
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


def _drop_settled(draft: Draft) -> None:
    settled = {*draft.numbers.values()}
    draft.claims = [claim for claim in draft.claims if claim.number not in settled]
