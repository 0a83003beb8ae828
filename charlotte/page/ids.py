"""Gives things on a page their ids: hashes of what they are, kept for as long as they live.

How it works: the probe numbers the nodes of a document. A number that has an id keeps it, and has
it again when it comes back. An id whose node left for good goes on to a new node with the key that
was last seen, if that is the only one, or if what is around tells which of several it is. Any
other new number gets the hash of its composite key, or the lowest ``-2``, ``-3`` … of it that
nobody has or had: so no id is ever handed to something else than what it was given to.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TypeVar

import attrs

from charlotte.page.capture import Capture, Node
from charlotte.page.keys import (
    PREFIXES,
    base_of,
    composite_key,
    first_kind,
    hashed_id,
    second_kind,
    suits,
)
from charlotte.page.record import record
from charlotte.page.twins import Neighbours, neighbours, pairs

K = TypeVar("K")
V = TypeVar("V")

_REMEMBERED = 20_000
"""Ids kept for nodes that left, and for what was shown: a page may make new nodes for ever."""


@attrs.frozen
class Shown:
    """What an agent was last told about an id: whether it still holds is for the caller to say."""

    document: str
    nid: int
    role: str
    name: str


@attrs.frozen
class Ids:
    """The ids of one capture, complete.

    ``by_number`` maps node numbers to ids. A node that is listed twice (a form or a control that
    is a landmark, a heading that can be focused) has its second id under minus its number.
    """

    capture: Capture
    by_number: Mapping[int, str]
    numbers: Mapping[str, int]


@record
class Left:
    """What is known of a node that left: its number in this document, else 0, and its last key.

    ``around`` is only known of nodes that were not alone in being called what they are called.
    """

    number: int
    key: str
    around: Neighbours | None


@record
class _Claim:
    """A listing without an id: its number, the index of its node, as what it is listed, its key."""

    number: int
    index: int
    kind: str
    key: str


@attrs.define
class _Draft:
    """The next ids in the making; until they are complete, the book stays as it is."""

    capture: Capture
    numbers: dict[str, int]
    claims: list[_Claim]
    left: dict[str, Left]


@attrs.define(eq=False)
class IdBook:
    """The ids of one tab; ``identify`` replaces them in one step, so a reader sees all or none."""

    _ids: Ids | None = None
    _left: dict[str, Left] = attrs.field(factory=dict[str, Left])
    _shown: dict[str, Shown] = attrs.field(factory=dict[str, Shown])
    _draft: _Draft | None = None

    def contested(self, capture: Capture) -> list[int]:
        """Numbers of nodes that are not in ``capture``, whose ids nodes in it would take over.

        Which of them are still in the document is what `identify` wants to know.
        """
        draft = self._drafted(capture)
        away = [one for one in draft.left.values() if one.number]
        if not (away and draft.claims):
            return []
        back = {claim.number for claim in draft.claims}
        keys = {claim.key for claim in draft.claims}
        return [abs(one.number) for one in away if one.key in keys and one.number not in back]

    def identify(self, capture: Capture, alive: Collection[int] = ()) -> Mapping[int, str]:
        """Give every node of ``capture`` its ids, and return them as ``Ids.by_number``.

        ``alive`` are the `contested` numbers whose nodes are in the document, though not to be
        seen: they keep what is theirs.
        """
        draft, self._draft = self._drafted(capture), None
        if draft.claims:
            _assign(draft, alive)
        numbers = draft.numbers
        by_number = {number: element_id for element_id, number in numbers.items()}
        self._ids = Ids(capture, by_number, numbers)
        self._left = draft.left
        for element_id in draft.left.keys() & numbers.keys():
            del draft.left[element_id]
        _forget_oldest(draft.left)
        return by_number

    def resolve(self, element_id: str) -> int | None:
        """The number of the node that has this id now."""
        number = self._ids.numbers.get(element_id) if self._ids else None
        return None if number is None else abs(number)

    def hidden(self, element_id: str) -> int | None:
        """The number of the node that had this id when it left the capture, in this document.

        It may still be there, only not to be seen.
        """
        left = self._left.get(element_id)
        return abs(left.number) if left and left.number else None

    def of(self, nid: int) -> str | None:
        """The id that a node has now."""
        return self._ids.by_number.get(nid) if self._ids else None

    def node(self, nid: int) -> Node | None:
        """A node as last captured: role, name, box."""
        return self._ids.capture.by_nid.get(nid) if self._ids else None

    def show(self, element_ids: Iterable[str]) -> None:
        """Note that an agent was told what these ids are now; unknown ones are passed over."""
        if self._ids is None:
            return
        document = self._ids.capture.document
        for element_id in element_ids:
            nid = self.resolve(element_id)
            if nid is not None and (node := self.node(nid)):
                self._shown.pop(element_id, None)
                self._shown[element_id] = Shown(document, nid, node.role, node.name)
        _forget_oldest(self._shown)

    def last_shown(self, element_id: str) -> Shown | None:
        """What was last told of this id, in this document or before; None: it never was."""
        return self._shown.get(element_id)

    def is_from_here(self, shown: Shown) -> bool:
        """Whether it was shown while the present document stood."""
        return self._ids is not None and self._ids.capture.document == shown.document

    def _drafted(self, capture: Capture) -> _Draft:
        if self._draft is None or self._draft.capture is not capture:
            self._draft = _draft(capture, self._ids, self._left)
        return self._draft


def _forget_oldest(memory: dict[K, V]) -> None:
    for key in list(memory)[: max(len(memory) - _REMEMBERED, 0)]:
        del memory[key]


def _draft(capture: Capture, last: Ids | None, left: Mapping[str, Left]) -> _Draft:
    """Who stays, who comes, and who left."""
    if last is None or last.capture.document != capture.document:
        old = {} if last is None else dict(_departed(last, {}))
        kept = _Draft(capture, {}, [], _from_before({**left, **old}))
        _sort_out(kept, {})
        return kept
    draft = _Draft(capture, {}, [], {})
    _sort_out(draft, last.by_number)
    draft.left = {**left}
    if len(draft.numbers) < len(last.numbers):
        draft.left.update(_departed(last, draft.numbers))
    return draft


def _from_before(left: Mapping[str, Left]) -> dict[str, Left]:
    """What remains of an earlier document: an id means again what its hash says, or nothing."""
    return {
        element_id: Left(0, one.key, one.around)
        for element_id, one in left.items()
        if one.number == 0 or hashed_id(one.key.partition("|")[0], one.key) == base_of(element_id)
    }


def _sort_out(draft: _Draft, known: Mapping[int, str]) -> None:
    """Put each listing to those that have an id, or to those that want one."""
    numbers = draft.numbers
    for index, node in enumerate(draft.capture.nodes):
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


def _claim(draft: _Draft, number: int, index: int, kind: str) -> None:
    key = composite_key(draft.capture, draft.capture.nodes[index], kind)
    draft.claims.append(_Claim(number, index, kind, key))


def _departed(last: Ids, kept: Collection[str]) -> Iterator[tuple[str, Left]]:
    """The ids that ``last`` had and that are not ``kept``, in document order."""
    capture = last.capture
    names = Counter((node.role, node.name) for node in capture.nodes)
    for index, node in enumerate(capture.nodes):
        for number, kind in ((node.nid, first_kind(node)), (-node.nid, second_kind(node))):
            element_id = last.by_number.get(number)
            if kind is None or element_id is None or element_id in kept:
                continue
            around = neighbours(capture, index) if names[node.role, node.name] > 1 else None
            yield element_id, Left(number, composite_key(capture, node, kind), around)


def _assign(draft: _Draft, alive: Collection[int]) -> None:
    """Give every claim an id: its own from before, one that it takes over, or a new one."""
    if draft.left:
        _reuse(draft, alive)
    _name(draft)


def _reuse(draft: _Draft, alive: Collection[int]) -> None:
    _give_back(draft)
    claims: dict[str, list[_Claim]] = {}
    for claim in draft.claims:
        claims.setdefault(claim.key, []).append(claim)
    vacant, occupied = _vacancies(draft, claims, alive)
    for key, ids in vacant.items():
        group = claims[key]
        _take_over(draft, group, ids, alone=hashed_id(group[0].kind, key) not in occupied)
    _drop_settled(draft)


def _give_back(draft: _Draft) -> None:
    """A node that was away has its old id, renamed or not."""
    away = {one.number: element_id for element_id, one in draft.left.items() if one.number}
    for claim in draft.claims if away else ():
        element_id = away.get(claim.number, "")
        if element_id.startswith(PREFIXES[claim.kind]):
            draft.numbers[element_id] = claim.number
    _drop_settled(draft)


def _vacancies(
    draft: _Draft, wanted: Collection[str], alive: Collection[int]
) -> tuple[dict[str, list[str]], set[str]]:
    """Ids whose nodes are gone, by last key, and the hashed ids that somebody still has."""
    vacant: dict[str, list[str]] = {}
    occupied: set[str] = set()
    for element_id, one in draft.left.items():
        if one.key in wanted and element_id not in draft.numbers:
            if abs(one.number) in alive:
                occupied.add(base_of(element_id))
            else:
                vacant.setdefault(one.key, []).append(element_id)
    if vacant:
        occupied.update(map(base_of, draft.numbers))
    return vacant, occupied


def _take_over(draft: _Draft, group: list[_Claim], vacant: list[str], *, alone: bool) -> None:
    """Let new nodes have the ids of those that they replace."""
    if alone and len(group) == len(vacant) == 1:
        draft.numbers[vacant[0]] = group[0].number
        return
    old = [(element_id, draft.left[element_id].around) for element_id in vacant]
    new = [(claim.number, neighbours(draft.capture, claim.index)) for claim in group]
    draft.numbers.update(pairs(old, new))


def _name(draft: _Draft) -> None:
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


def _drop_settled(draft: _Draft) -> None:
    settled = {*draft.numbers.values()}
    draft.claims = [claim for claim in draft.claims if claim.number not in settled]
