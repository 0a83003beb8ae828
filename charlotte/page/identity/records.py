"""Comparison of records: the rows, items and cards of lists that elements belong to.

A page may show another record in the same nodes, or create new nodes for the same record. A record
is identified by its keys, which are attributes and references that differ between the records of a
list, and by its cells, which are its texts. Values that number the records of a list in order
(``aria-rowindex``, ``data-index``) are positions, not keys, while they start at the same number. If
a list of database records loses its first record, the numbers start elsewhere: these are keys.
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
"""Records whose values all differ only if the values are keys; of fewer, states may differ."""

_NODE_BOUND = {"id"}
"""Attributes that stay with a node which shows another record, and change with a new node."""

_FEW = 2
"""Other cells of a record that may all change while its name stays."""

_REFERENCE = "href"

_MOST_COMPARED = 50
"""Records of a long list with which each record is compared; `_STEP` records share a group."""

_STEP = 25

CellDegree = Literal["same", "minor", "changed", "elsewhere"]


@frozen_record
class Record:
    """Keys of a record by name, and its texts in document order."""

    keys: Mapping[str, str]
    cells: tuple[str, ...]


@attrs.frozen(eq=False)
class RecordGroup:
    """Records of a list in one capture, in document order.

    ``inside`` are names of element keys that no two records share. ``starts`` are the first
    numbers of keys that number the whole list in order, by name.
    """

    records: Sequence[Record]
    inside: frozenset[str] = frozenset()
    starts: Mapping[str, int] = attrs.field(factory=dict[str, int])

    @cached_property
    def distinct(self) -> frozenset[str]:
        """Names of keys with different values in all records, including positions."""
        names = {name for record in self.records for name in record.keys}
        return frozenset(name for name in names if self._is_distinct(name))

    def _is_distinct(self, name: str) -> bool:
        records = [record for record in self.records if name in record.keys]
        values = [record.keys[name] for record in records]
        if len(values) < _FEW or len({*values}) < len(values):
            return False
        if all(value in record.cells for value, record in zip(values, records, strict=True)):
            return False  # the cells contain the same information
        return len(values) >= _ENOUGH or all(any(map(str.isdigit, value)) for value in values)

    @cached_property
    def keys(self) -> frozenset[str]:
        """Names of keys that distinguish the records."""
        return self.distinct - self.starts.keys()

    def keys_against(self, other: "RecordGroup") -> frozenset[str]:
        """Return the names of keys that distinguish records from those of another capture."""
        positions = {name for name, start in self.starts.items() if other.starts.get(name) == start}
        return self.distinct - positions

    @cached_property
    def common(self) -> frozenset[str]:
        """Texts of all records, such as the labels of their buttons."""
        if len(self.records) < _FEW:
            return frozenset()
        first, *others = (record.cells for record in self.records)
        return frozenset(first).intersection(*others)

    @cached_property
    def count(self) -> Mapping[str, int]:
        """Number of records with each text."""
        return Counter(text for record in self.records for text in {*record.cells})

    @cached_property
    def repeats(self) -> Mapping[tuple[str, ...], int]:
        """Number of records with the same texts."""
        return Counter(record.cells for record in self.records)


def _find_starts(records: Sequence[Record]) -> dict[str, int]:
    """Return the first numbers of the keys that number all records in order."""
    names = {name for record in records for name in record.keys}
    starts = {
        name: _find_start(record.keys[name] for record in records if name in record.keys)
        for name in names
    }
    return {name: start for name, start in starts.items() if start is not None}


def _find_start(values: Iterable[str]) -> int | None:
    """Return the first of consecutive numbers, None for other values."""
    start: int | None = None
    for index, value in enumerate(values):
        found = _LAST_NUMBER.search(value)
        if found is None:
            return None
        number = int(found[1]) - index
        if start not in {None, number}:
            return None
        start = number
    return start


@frozen_record
class Membership:
    """An element's record among those of the list; ``inside`` are keys of the element itself."""

    record: Record
    group: RecordGroup
    inside: Mapping[str, str]

    @property
    def other_records(self) -> list[Record]:
        """Other records of the group."""
        return [record for record in self.group.records if record is not self.record]

    @property
    def has_twin(self) -> bool:
        """Whether another record has the same texts, so only keys distinguish them."""
        return self.group.repeats[self.record.cells] > 1


class RecordIndex:
    """Records of a capture by the numbers of the elements in them."""

    def __init__(self, extras: Iterable[tuple[int, dict[str, Any]]]) -> None:
        self._memberships: dict[int, Membership] = {}
        self._leaders: dict[int, int] = {}  # numbers of the nodes that carry the record
        self._inside: dict[int, Mapping[str, str]] = {}
        self._tables: dict[int, int] = {}
        lists: dict[int, list[int]] = {}
        records: dict[int, Record] = {}
        for nid, extra in extras:
            if not extra:
                continue
            if row := extra.get("record"):
                if "made" not in row:  # captures share rows and so their records
                    row["made"] = Record(row["keys"], tuple(row["cells"]))
                records[nid] = row["made"]
                lists.setdefault(row["list"], []).append(nid)
                if table := row.get("table"):
                    self._tables[nid] = table
                self._leaders[nid] = nid
            elif leader := extra.get("of"):
                self._leaders[nid] = leader
            if inside := extra.get("inside"):
                self._inside[nid] = inside
        values = self._collect_inside_values()
        for leaders in lists.values():
            inside = _find_unshared([values.get(nid, {}) for nid in leaders])
            groups = _build_groups([records[nid] for nid in leaders], inside)
            for index, nid in enumerate(leaders):
                self._memberships[nid] = Membership(records[nid], groups[index // _STEP], {})

    def _collect_inside_values(self) -> Mapping[int, Mapping[str, set[str]]]:
        """Return the values of the keys of elements by leader and name."""
        values: dict[int, dict[str, set[str]]] = {}
        for nid, inside in self._inside.items():
            names = values.setdefault(self._leaders.get(nid, 0), {})
            for name, value in inside.items():
                names.setdefault(name, set()).add(value)
        return values

    def find(self, nid: int) -> Membership | None:
        """Return the membership of an element."""
        found = self._memberships.get(self._leaders.get(nid, 0))
        inside = self._inside.get(nid)
        return Membership(found.record, found.group, inside) if found and inside else found

    def table(self, nid: int) -> int:
        """Return the number of the table of an element, 0 for an element in no row of a table."""
        return self._tables.get(self._leaders.get(nid, 0), 0)

    @cached_property
    def _words(self) -> set[str]:
        members = self._memberships.values()
        texts = (text for member in members for text in member.record.cells)
        return set[str]().union(*map(_split_words, texts))

    def contain(self, text: str) -> bool:
        """Return whether the records contain all words of a text."""
        return _split_words(text) <= self._words

    @cached_property
    def by_lead(self) -> Mapping[str, tuple[str, ...]]:
        """Texts of each record by its first text that no other record of the list has."""
        members = self._memberships.values()
        return {lead: member.record.cells for member in members if (lead := get_lead(member))}


def are_rewritten(before: RecordIndex, now: RecordIndex) -> bool:
    """Return whether most records with the same names have other texts now, as in forms."""
    both = before.by_lead.keys() & now.by_lead.keys()
    other = [name for name in both if before.by_lead[name] != now.by_lead[name]]
    return len(other) >= _FEW and 2 * len(other) > len(both)


def _build_groups(records: Sequence[Record], inside: frozenset[str]) -> Sequence[RecordGroup]:
    """Return the group for every `_STEP` records: a short list, or the records around them."""
    starts = _find_starts(records)
    if len(records) <= _MOST_COMPARED:
        return [RecordGroup(records, inside, starts)] * 2
    firsts = (max(index - _STEP // 2, 0) for index in range(0, len(records), _STEP))
    return [
        RecordGroup(records[first : first + _MOST_COMPARED], inside, starts) for first in firsts
    ]


def _find_unshared(records: Sequence[Mapping[str, set[str]]]) -> frozenset[str]:
    """Return the names of element keys whose values never occur in two records."""
    if len(records) < _FEW:
        return frozenset()
    count = Counter(
        (name, value) for record in records for name, values in record.items() for value in values
    )
    shared = {name for (name, _), times in count.items() if times > 1}
    return frozenset(name for name, _ in count if name not in shared)


def compare_records(
    before: Membership, now: Membership, *, with_links: bool = True
) -> ChangeDegree:
    """Return whether an element is in the same record, in an updated one, or in another.

    ``with_links=False`` ignores the destinations of the records.
    """
    old, new = before.record, now.record
    if old.cells == new.cells and old.keys == new.keys and before.inside == now.inside:
        return "same"
    cells = _compare_cells(before, now)
    same, other = _compare_keys(before, now, set() if with_links else {_REFERENCE})
    if other and not same:
        return "changed"
    if cells == "elsewhere" and not (same and before.has_twin):
        return "changed"
    if same and not other:
        return "same" if cells == "same" else "minor"
    return "changed" if cells == "elsewhere" else cells


def are_recounted(before: Membership, now: Membership) -> bool:
    """Return whether a list has more or fewer of some indistinguishable records.

    Then any of these records may be the deleted one.
    """
    if len(before.group.records) == len(now.group.records):
        return False
    if before.group.keys_against(now.group) & before.record.keys.keys() or before.inside:
        return False
    count, count_now = (member.group.repeats[member.record.cells] for member in (before, now))
    return count > 1 and count != count_now


def get_lead(membership: Membership) -> str:
    """Return the first text that no other record of the list has, or ""."""
    count = membership.group.count
    return next((text for text in membership.record.cells if count[text] == 1), "")


def get_keys(membership: Membership, *, with_positions: bool = False) -> frozenset[tuple[str, str]]:
    """Return the names and values of the keys that distinguish a record."""
    group = membership.group
    names = group.distinct if with_positions else group.keys
    keys = {(name, value) for name, value in membership.record.keys.items() if name in names}
    inside = {("." + name, v) for name, v in membership.inside.items() if name in group.inside}
    return frozenset(keys | inside)


def _compare_keys(
    before: Membership, now: Membership, ignored: Collection[str]
) -> tuple[bool, bool]:
    """Return whether some keys are the same, and whether some keys differ."""
    names = before.group.keys_against(now.group)
    if len(before.group.records) == 1:
        names |= now.group.keys_against(before.group)
    doubtful = _NODE_BOUND | before.group.starts.keys()
    degrees = [
        _compare_values(name, before.record.keys[name], now.record.keys[name])
        for name in names - {*ignored}
        if name in before.record.keys and name in now.record.keys
        if name not in doubtful or not _is_bound_to_nodes(name, before, now)
    ]
    degrees += [
        _compare_values("", before.inside[name], now.inside[name])
        for name in before.group.inside - _NODE_BOUND
        if name in before.inside and name in now.inside
    ]
    is_other = _REFERENCE in ignored and (before.has_twin or now.has_twin)
    is_other = is_other and before.record.keys.get(_REFERENCE) != now.record.keys.get(_REFERENCE)
    return "same" in degrees, "changed" in degrees or is_other


def _compare_values(name: str, before: str, now: str) -> ChangeDegree:
    if before == now:
        return "same"
    return compare_destinations(before, now) if name == _REFERENCE else "changed"


def _is_bound_to_nodes(name: str, before: Membership, now: Membership) -> bool:
    """Return whether values of a key seem to belong to nodes or positions, not to records.

    They do if other records that are recognised by their texts have other values now: two records,
    because one could be another record, but for an `id` one is enough. Without such records, an
    `id` that counts the nodes of a list belongs to the nodes, unless only the `id` distinguishes
    this record.
    """
    values, values_now = (_values_by_cells(name, member.group) for member in (before, now))
    both = (values.keys() & values_now.keys()) - {before.record.cells, now.record.cells}
    moved = sum(values[cells] != values_now[cells] for cells in both)
    if name not in _NODE_BOUND:
        return moved >= _FEW
    if both or name not in before.group.starts:
        return moved > 0
    return before.record.cells in values and before.record.cells in values_now


def _values_by_cells(name: str, group: RecordGroup) -> dict[tuple[str, ...], str | None]:
    """Return the values of a key by the texts of records whose texts are unique."""
    return {
        record.cells: record.keys.get(name)
        for record in group.records
        if group.repeats[record.cells] == 1
    }


def _compare_cells(before: Membership, now: Membership) -> CellDegree:
    old, new = before.record.cells, now.record.cells
    if old == new:
        return "same"
    common = before.group.common
    own = [text for text in old if text not in common]
    own_now = [text for text in new if text not in common]
    shared = max(_count_shared(own, now.record), _count_shared(own_now, before.record))
    if any(_count_shared(own, other) > shared for other in now.other_records):
        return "elsewhere"
    if any(_count_shared(own_now, other) > shared for other in before.other_records):
        return "elsewhere"
    return _compare_own(before, now, own) if own else "minor"


def _compare_own(before: Membership, now: Membership, own: Sequence[str]) -> CellDegree:
    """Compare the texts that not all records have, first of all the lead."""
    new = now.record.cells
    lead = get_lead(before)
    if not lead:
        return "minor" if 2 * _count_shared(own, now.record) >= len(own) else "changed"
    rest = [text for text in own if text != lead]
    kept = _count_shared(rest, now.record)
    index = before.record.cells.index(lead)
    is_kept = lead == new[index] if len(new) == len(before.record.cells) else lead in new
    if is_kept or _is_lead_similar(lead, before, now):
        return "minor" if len(rest) <= _FEW or 3 * kept >= len(rest) else "changed"
    return "minor" if kept == len(rest) and _is_renamed(before, now, rest) else "changed"


def _is_renamed(before: Membership, now: Membership, rest: Sequence[str]) -> bool:
    """Return whether a record is the same with another lead, as the rest of its texts is.

    Another of its texts must be unique, all keys the same, including positions, and most of the
    other records unchanged.
    """
    if len(rest) < _FEW or all(before.group.count[text] > 1 for text in rest):
        return False
    if before.record.keys != now.record.keys:
        return False
    others = before.other_records
    unchanged = {record.cells for record in now.group.records}
    return bool(others) and 2 * sum(one.cells in unchanged for one in others) >= len(others)


def _is_lead_similar(lead: str, before: Membership, now: Membership) -> bool:
    """Return whether the text at the position of the lead has more than half of its words.

    Words that all other records have there do not count, nor do figures if words are left.
    """
    index = before.record.cells.index(lead)
    if index >= len(now.record.cells):
        return False
    others = [
        _split_words(record.cells[index])
        for record in (*before.other_records, *now.other_records)
        if index < len(record.cells)
    ]
    own = _split_words(lead) - (set[str].intersection(*others) if others else set[str]())
    letters = {word for word in own if _LETTERS.fullmatch(word)}
    if others and letters and letters.isdisjoint(set[str]().union(*others)):
        own = letters
    return 2 * len(own & _split_words(now.record.cells[index])) > len(own)


def _split_words(text: str) -> set[str]:
    return {*_WORD.findall(text.casefold())}


def _count_shared(texts: Iterable[str], record: Record) -> int:
    """Count the texts that a record contains."""
    return sum(text in record.cells for text in texts)
