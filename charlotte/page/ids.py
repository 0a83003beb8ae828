"""Gives things on a page their ids: hashes of what they are, kept for as long as they live.

How it works: the probe numbers the nodes of a document. A number that has an id keeps it. A new
number gets the hash of its composite key, or the lowest free ``-2``, ``-3`` … of it; so a node
that was created again with the same key gets the id of the one it replaces. A new document
starts anew.
"""

from collections.abc import Iterable, Mapping
from hashlib import md5
from typing import TypeVar

import attrs

from charlotte.page.capture import Capture, Node, element_type

_PREFIXES = {
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
_STRUCTURE = {kind: _PREFIXES[name] for kind, name in _KINDS.items()}
_STRUCTURAL = {*_STRUCTURE.values()}

_Claim = tuple[int, Node, str]
"""A node number without an id, its node, and as what it is listed."""

K = TypeVar("K")
V = TypeVar("V")

_REMEMBERED = 20_000
"""Ids kept for nodes that left, and for what was shown: a page may make new nodes for ever."""


def composite_key(capture: Capture, node: Node, kind: str) -> str:
    """C-ID-03: seven components, missing ones empty; ``kind`` is the element type."""
    role = label = ""
    if node.landmark:
        landmark = capture.by_nid[node.landmark]
        role, label = landmark.role, landmark.name
    position = node.extra.get("sib", 0)
    return f"{kind}|{node.role}|{node.name}|{role}|{label}|{node.container}|{position}"


def hashed_id(kind: str, key: str) -> str:
    """C-ID-01 and C-ID-02, before collisions are told apart."""
    digest = md5(key.encode(errors="surrogatepass"), usedforsecurity=False).hexdigest()
    return f"{_PREFIXES.get(kind, 'el')}-{digest[:4]}"


@attrs.frozen
class Shown:
    """What an agent was last told about an id: whether it still holds is for the caller to say."""

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


@attrs.define(eq=False)
class IdBook:
    """The ids of one tab; ``identify`` replaces them in one step, so a reader sees all or none."""

    _ids: Ids | None = None
    # Of nodes that left, latest last: one that comes back wants its id again.
    _former: dict[int, str] = attrs.field(factory=dict[int, str])
    _shown: dict[str, Shown] = attrs.field(factory=dict[str, Shown])

    def identify(self, capture: Capture) -> Mapping[int, str]:
        """Give every node of ``capture`` its ids, and return them as ``Ids.by_number``."""
        last = self._ids
        if last is None or last.capture.document != capture.document:
            self._ids = _assign(capture, {}, {})
            self._former.clear()
            self._shown.clear()
            return self._ids.by_number
        ids = _assign(capture, last.by_number, self._former)
        self._ids = ids
        self._remember(last.by_number, ids.by_number)
        return ids.by_number

    def resolve(self, element_id: str) -> int | None:
        """The number of the node that has this id now."""
        number = self._ids.numbers.get(element_id) if self._ids else None
        return None if number is None else abs(number)

    def of(self, nid: int) -> str | None:
        """The id that a node has now."""
        return self._ids.by_number.get(nid) if self._ids else None

    def element(self, element_id: str) -> Node | None:
        """The node that has this id, as last captured: role, name, box."""
        nid = self.resolve(element_id)
        return self._ids.capture.by_nid[nid] if self._ids and nid is not None else None

    def show(self, element_ids: Iterable[str]) -> None:
        """Note that an agent was told what these ids are now; unknown ones are passed over."""
        for element_id in element_ids:
            if node := self.element(element_id):
                self._shown.pop(element_id, None)
                self._shown[element_id] = Shown(node.nid, node.role, node.name)
        _forget_oldest(self._shown)

    def last_shown(self, element_id: str) -> Shown | None:
        """What was last told of this id while this document stood; None: it never was."""
        return self._shown.get(element_id)

    def _remember(self, before: Mapping[int, str], now: Mapping[int, str]) -> None:
        former = self._former
        former.update((number, old) for number, old in before.items() if number not in now)
        for number in former.keys() & now.keys():
            del former[number]
        _forget_oldest(former)


def _forget_oldest(memory: dict[K, V]) -> None:
    for key in list(memory)[: max(len(memory) - _REMEMBERED, 0)]:
        del memory[key]


def _assign(capture: Capture, known: Mapping[int, str], former: Mapping[int, str]) -> Ids:
    numbers: dict[str, int] = {}
    new: list[_Claim] = []
    for node in capture.nodes:
        kind = node.kind
        if kind in {"t", "g", "d"}:
            continue
        element_id = known.get(node.nid)
        if element_id and _suits(element_id, kind):
            numbers[element_id] = node.nid
        else:
            new.append((node.nid, node, _first_kind(node)))
        if second := _second_kind(node):
            element_id = known.get(-node.nid)
            if element_id and element_id.startswith(_PREFIXES[second]):
                numbers[element_id] = -node.nid
            else:
                new.append((-node.nid, node, second))
    _assign_new(capture, _give_back(new, former, numbers), numbers)
    return Ids(capture, {number: element_id for element_id, number in numbers.items()}, numbers)


def _suits(element_id: str, kind: str) -> bool:
    """Whether a node of this kind may keep the id: a heading must not be called a button."""
    prefix = element_id[:3]
    return prefix == _STRUCTURE[kind] if kind in _STRUCTURE else prefix not in _STRUCTURAL


def _first_kind(node: Node) -> str:
    return _KINDS[node.kind] if node.kind in _KINDS else element_type(node)


def _second_kind(node: Node) -> str | None:
    """A form or control that is a landmark too, or a control that is a heading too."""
    if node.is_landmark:
        return None if node.kind == "l" else "region"
    return "heading" if node.is_heading and node.kind != "h" else None


def _give_back(
    new: list[_Claim], former: Mapping[int, str], numbers: dict[str, int]
) -> list[_Claim]:
    """Give each node that was here before its old id, if still free; return the others."""
    if not former:
        return new
    others: list[_Claim] = []
    for claim in new:
        number, _, kind = claim
        element_id = former.get(number, "")
        if element_id.startswith(_PREFIXES[kind]) and element_id not in numbers:
            numbers[element_id] = number
        else:
            others.append(claim)
    return others


def _assign_new(capture: Capture, new: list[_Claim], numbers: dict[str, int]) -> None:
    lowest: dict[str, int] = {}  # nothing is freed here, so the search can go on where it ended
    for number, node, kind in new:
        base = element_id = hashed_id(kind, composite_key(capture, node, kind))
        if element_id in numbers:
            suffix = lowest.get(base, 2)
            while (element_id := f"{base}-{suffix}") in numbers:
                suffix += 1
            lowest[base] = suffix + 1
        numbers[element_id] = number
