"""Compares records: the rows, items and cards of lists that elements belong to.

A page may show another record in the same nodes, or make new nodes for the same record. A record
is known by its keys, which are attributes and references that tell the records of a list apart,
and by its cells, which are the texts in it. Values that number the records of a list in order
(``aria-rowindex``, ``data-index``) are positions, not keys, as long as they start at the same
number: the first record of a database list that loses it has another key, not another position.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import attrs

from charlotte.page.identity.comparison import ChangeDegree, compare_destinations
from charlotte.page.record_base import frozen_record

_WORD = re.compile(r"\w+")
_LETTERS = re.compile(r"[^\W\d_]+")
_LAST_NUMBER = re.compile(r"(\d{1,15})\D*$")

_ENOUGH = 3
"""Records whose values can all differ only if the values are keys; of fewer, states may differ."""

_NODE_BOUND = {"id"}
"""Attributes that stay with a node which shows another record, and change when it is remade."""

_FEW = 2
"""Other cells of a record that may all change while its name stays."""

_REFERENCE = "href"

_MOST_COMPARED = 50
"""Records of a long list among which each is compared; every `_STEP` share such a part."""

_STEP = 25

CellDegree = Literal["same", "minor", "changed", "elsewhere"]


@frozen_record
class Record:
    """The keys of one record by name, and its texts in document order."""

    keys: Mapping[str, str]
    cells: tuple[str, ...]


@attrs.frozen(eq=False)
class RecordGroup:
    """The records of one list at one time, in document order.

    ``inside`` are the names of keys of elements whose values never occur in two of the records.
    ``starts`` has the first number of the whole list by the names of keys that number it in order.
    """

    records: Sequence[Record]
    inside: frozenset[str] = frozenset()
    starts: Mapping[str, int] = attrs.field(factory=dict[str, int])

    @cached_property
    def distinct(self) -> frozenset[str]:
        """The names of keys whose values are different in all records, positions included."""
        names = {name for one in self.records for name in one.keys}
        return frozenset(name for name in names if self._tells_apart(name))

    @cached_property
    def keys(self) -> frozenset[str]:
        """The names of keys that tell the records apart."""
        return self.distinct - self.starts.keys()

    def keys_beside(self, other: "RecordGroup") -> frozenset[str]:
        """The names of keys that tell the records apart, seen beside the list at another time."""
        positions = {name for name, start in self.starts.items() if other.starts.get(name) == start}
        return self.distinct - positions

    def _tells_apart(self, name: str) -> bool:
        there = [one for one in self.records if name in one.keys]
        values = [one.keys[name] for one in there]
        if len(values) < _FEW or len({*values}) < len(values):
            return False
        if all(value in one.cells for value, one in zip(values, there, strict=True)):
            return False  # the cells tell as much
        return len(values) >= _ENOUGH or all(map(_has_digit, values))

    @cached_property
    def common(self) -> frozenset[str]:
        """The texts that are in all of the records, as the labels of their buttons are."""
        if len(self.records) < _FEW:
            return frozenset()
        first, *others = (one.cells for one in self.records)
        return frozenset(first).intersection(*others)

    @cached_property
    def count(self) -> Mapping[str, int]:
        """In how many records each text is."""
        return Counter(text for one in self.records for text in {*one.cells})

    @cached_property
    def repeats(self) -> Mapping[tuple[str, ...], int]:
        """The number of records with the same texts."""
        return Counter(one.cells for one in self.records)

    def without(self, one: Record) -> list[Record]:
        """The other records."""
        return [other for other in self.records if other is not one]


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _starts(records: Sequence[Record]) -> dict[str, int]:
    """Return the first numbers of the keys that number all of the records in order."""
    names = {name for one in records for name in one.keys}
    starts = {name: _start(one.keys[name] for one in records if name in one.keys) for name in names}
    return {name: start for name, start in starts.items() if start is not None}


def _start(values: Iterable[str]) -> int | None:
    """Return the first number of consecutive ones, None for other values."""
    start: int | None = None
    for place, value in enumerate(values):
        found = _LAST_NUMBER.search(value)
        if found is None:
            return None
        number = int(found[1]) - place
        if start not in {None, number}:
            return None
        start = number
    return start


@frozen_record
class Membership:
    """The record of one element among those of its list; ``inside`` are the element's own keys."""

    record: Record
    group: RecordGroup
    inside: Mapping[str, str]


_NOTHING: Mapping[str, str] = {}


class RecordIndex:
    """The records of a capture, by the numbers of the elements that lie in them."""

    def __init__(self, extras: Iterable[tuple[int, dict[str, Any]]]) -> None:
        self._records: dict[int, Membership] = {}
        self._leaders: dict[int, int] = {}
        self._inside: dict[int, Mapping[str, str]] = {}
        self._tables: dict[int, int] = {}
        lists: dict[int, list[int]] = {}
        made: dict[int, Record] = {}
        for nid, extra in extras:
            if not extra:
                continue
            if told := extra.get("record"):
                made[nid] = _made_of(told)
                lists.setdefault(told["list"], []).append(nid)
                if table := told.get("table"):
                    self._tables[nid] = table
                self._leaders[nid] = nid
            elif leader := extra.get("of"):
                self._leaders[nid] = leader
            if inside := extra.get("inside"):
                self._inside[nid] = inside
        values = self._values_inside()
        for leaders in lists.values():
            inside = _apart([values.get(nid, {}) for nid in leaders])
            groups = _parts_of([made[nid] for nid in leaders], inside)
            for place, nid in enumerate(leaders):
                self._records[nid] = Membership(made[nid], groups[place // _STEP], _NOTHING)

    def _values_inside(self) -> Mapping[int, Mapping[str, set[str]]]:
        """The values of the keys of elements, by leader and name."""
        values: dict[int, dict[str, set[str]]] = {}
        for nid, inside in self._inside.items():
            there = values.setdefault(self._leaders.get(nid, 0), {})
            for name, value in inside.items():
                there.setdefault(name, set()).add(value)
        return values

    def of(self, nid: int) -> Membership | None:
        """The record that an element belongs to."""
        found = self._records.get(self._leaders.get(nid, 0))
        inside = self._inside.get(nid)
        return Membership(found.record, found.group, inside) if found and inside else found

    def table(self, nid: int) -> int:
        """The number of the table in which an element lies, 0 if it lies in no row of one."""
        return self._tables.get(self._leaders.get(nid, 0), 0)

    @cached_property
    def _words(self) -> set[str]:
        """The words in all records."""
        texts = (text for one in self._records.values() for text in one.record.cells)
        return set[str]().union(*map(_words, texts))

    def says(self, text: str) -> bool:
        """Whether records have all words of a text, so that it stands in one of them."""
        return _words(text) <= self._words

    @cached_property
    def by_lead(self) -> Mapping[str, tuple[str, ...]]:
        """The texts of each record by the first one that no other record of its list has."""
        found = self._records.values()
        return {lead: one.record.cells for one in found if (lead := get_lead(one))}


def are_rewritten(before: RecordIndex, now: RecordIndex) -> bool:
    """Whether most records with the same names say something else now, as the rows of forms do."""
    both = before.by_lead.keys() & now.by_lead.keys()
    other = [name for name in both if before.by_lead[name] != now.by_lead[name]]
    return len(other) >= _FEW and 2 * len(other) > len(both)


def _made_of(told: dict[str, Any]) -> Record:
    """The record that was made of a row before, which captures share, or a new one."""
    made: Record | None = told.get("made")
    if made is None:
        made = told["made"] = Record(told["keys"], tuple(told["cells"]))
    return made


def _parts_of(records: Sequence[Record], inside: frozenset[str]) -> Sequence[RecordGroup]:
    """What each `_STEP` records are compared among: all of a short list, or those around them."""
    starts = _starts(records)
    if len(records) <= _MOST_COMPARED:
        return [RecordGroup(records, inside, starts)] * 2
    firsts = (max(place - _STEP // 2, 0) for place in range(0, len(records), _STEP))
    return [
        RecordGroup(records[first : first + _MOST_COMPARED], inside, starts) for first in firsts
    ]


def _apart(records: Sequence[Mapping[str, set[str]]]) -> frozenset[str]:
    if len(records) < _FEW:
        return frozenset()
    count = Counter(
        (name, value) for one in records for name, values in one.items() for value in values
    )
    shared = {name for (name, _), times in count.items() if times > 1}
    return frozenset(name for name, _ in count if name not in shared)


def compare_records(
    before: Membership, now: Membership, *, with_links: bool = True
) -> ChangeDegree:
    """Whether an element stands in the record it stood in, in one that was updated, or another.

    Without links, where the records refer to is left out of account.
    """
    was, is_now = before.record, now.record
    if was.cells == is_now.cells and was.keys == is_now.keys and before.inside == now.inside:
        return "same"
    cells = _compare_cells(before, now)
    same, other = _compare_keys(before, now, set() if with_links else {_REFERENCE})
    if other and not same:
        return "changed"
    if cells == "elsewhere" and not (same and _has_twin(before)):
        return "changed"
    if same and not other:
        return "same" if cells == "same" else "minor"
    return "changed" if cells == "elsewhere" else cells


def are_recounted(before: Membership, now: Membership) -> bool:
    """Whether records that nothing tells apart are more or fewer now: any of them may have gone."""
    if len(before.group.records) == len(now.group.records):
        return False
    if before.group.keys_beside(now.group) & before.record.keys.keys() or before.inside:
        return False
    was, is_now = (one.group.repeats[one.record.cells] for one in (before, now))
    return was > 1 and was != is_now


def get_lead(standing: Membership) -> str:
    """The first text of a record that is in no other record of its list; "" if there is none."""
    count = standing.group.count
    return next((text for text in standing.record.cells if count[text] == 1), "")


def get_keys(standing: Membership, *, with_positions: bool = False) -> frozenset[tuple[str, str]]:
    """The keys that tell a record from others, with their values."""
    group = standing.group
    names = group.distinct if with_positions else group.keys
    keys = {(name, value) for name, value in standing.record.keys.items() if name in names}
    inside = {("." + name, v) for name, v in standing.inside.items() if name in group.inside}
    return frozenset(keys | inside)


def _compare_keys(
    before: Membership, now: Membership, without: Collection[str]
) -> tuple[bool, bool]:
    """Whether there are keys that are the same, and keys that are others now."""
    names = before.group.keys_beside(now.group)
    if len(before.group.records) == 1:
        names |= now.group.keys_beside(before.group)
    doubtful = _NODE_BOUND | before.group.starts.keys()
    verdicts = [
        _compare_values(name, before.record.keys[name], now.record.keys[name])
        for name in names - {*without}
        if name in before.record.keys and name in now.record.keys
        if name not in doubtful or not _are_remade(name, before, now)
    ]
    verdicts += [
        _compare_values("", before.inside[name], now.inside[name])
        for name in before.group.inside - _NODE_BOUND
        if name in before.inside and name in now.inside
    ]
    is_other = _REFERENCE in without and (_has_twin(before) or _has_twin(now))
    is_other = is_other and before.record.keys.get(_REFERENCE) != now.record.keys.get(_REFERENCE)
    return "same" in verdicts, "changed" in verdicts or is_other


def _has_twin(standing: Membership) -> bool:
    """Whether another record of the list has the same texts: only keys tell them apart."""
    return standing.group.repeats[standing.record.cells] > 1


def _compare_values(name: str, before: str, now: str) -> ChangeDegree:
    if before == now:
        return "same"
    return compare_destinations(before, now) if name == _REFERENCE else "changed"


def _are_remade(name: str, before: Membership, now: Membership) -> bool:
    """Whether values seem to be of nodes or places, not of records.

    They are if other records that can be recognised by their texts have other values now: two of
    them, for one could be another record, but one is enough for an `id`. If there is none, an `id`
    that counts the nodes of a list is one of nodes, unless only the `id` tells this record apart.
    """
    was = _by_cells(name, before.group)
    is_now = _by_cells(name, now.group)
    both = (was.keys() & is_now.keys()) - {before.record.cells, now.record.cells}
    moved = sum(was[cells] != is_now[cells] for cells in both)
    if name not in _NODE_BOUND:
        return moved >= _FEW
    if both or name not in before.group.starts:
        return moved > 0
    return before.record.cells in was and before.record.cells in is_now


def _by_cells(name: str, group: RecordGroup) -> dict[tuple[str, ...], str | None]:
    """The values of a key by the texts of those records that no other record repeats."""
    return {one.cells: one.keys.get(name) for one in group.records if group.repeats[one.cells] == 1}


def _compare_cells(before: Membership, now: Membership) -> CellDegree:
    old, new = before.record.cells, now.record.cells
    if old == new:
        return "same"
    common = before.group.common
    own = [text for text in old if text not in common]
    came = [text for text in new if text not in common]
    here = max(_shared(own, now.record), _shared(came, before.record))
    if any(_shared(own, other) > here for other in now.group.without(now.record)):
        return "elsewhere"
    if any(_shared(came, other) > here for other in before.group.without(before.record)):
        return "elsewhere"
    if not own:
        return "minor"
    return _compare_own(before, now, own)


def _compare_own(before: Membership, now: Membership, own: Sequence[str]) -> CellDegree:
    new = now.record.cells
    lead = get_lead(before)
    if not lead:
        return "minor" if 2 * _shared(own, now.record) >= len(own) else "changed"
    rest = [text for text in own if text != lead]
    kept = _shared(rest, now.record)
    place = before.record.cells.index(lead)
    stays = lead == new[place] if len(new) == len(before.record.cells) else lead in new
    if stays or _is_like(lead, before, now):
        return "minor" if len(rest) <= _FEW or 3 * kept >= len(rest) else "changed"
    return "minor" if _is_renamed(before, now, rest, kept) else "changed"


def _is_renamed(before: Membership, now: Membership, rest: Sequence[str], kept: int) -> bool:
    """Whether nothing but the first text has changed, and most other records are still there.

    Another of the texts that stay must have been in this record alone, and all keys be the same,
    also those that may only count.
    """
    if len(rest) < _FEW or kept < len(rest) or all(before.group.count[one] > 1 for one in rest):
        return False
    if before.record.keys != now.record.keys:
        return False
    others = before.group.without(before.record)
    there = {one.cells for one in now.group.records}
    return bool(others) and 2 * sum(one.cells in there for one in others) >= len(others)


def _is_like(lead: str, before: Membership, now: Membership) -> bool:
    """Whether a text of the record that stands where the lead stood says more than half of it.

    Words that other records have in that place say nothing. Figures count only if no word is left.
    """
    place = before.record.cells.index(lead)
    if place >= len(now.record.cells):
        return False
    text = now.record.cells[place]
    others = [*_cells_at(place, before), *_cells_at(place, now)]
    common = set[str].intersection(*map(_words, others)) if others else set[str]()
    own = _words(lead) - common
    letters = {word for word in own if _LETTERS.fullmatch(word)}
    if others and letters and letters.isdisjoint(set[str]().union(*map(_words, others))):
        own = letters
    return 2 * len(own & _words(text)) > len(own)


def _cells_at(place: int, standing: Membership) -> list[str]:
    others = standing.group.without(standing.record)
    return [one.cells[place] for one in others if place < len(one.cells)]


def _words(text: str) -> set[str]:
    return {*_WORD.findall(text.casefold())}


def _shared(texts: Iterable[str], record: Record) -> int:
    """How many of the texts are in a record."""
    return sum(text in record.cells for text in texts)
