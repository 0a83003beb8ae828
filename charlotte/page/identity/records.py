"""Comparison of an element with what an agent was shown.

An element is identified by its role and name, the record that it belongs to, its column in a table,
its destination, and its document. All of that is in each capture, so a comparison needs no call to
the page.

Records are the rows, items and cards of lists. A page may show another record in the same nodes, or
create new nodes for the same record. A record is identified by its keys, which are attributes and
references that differ between the records of a list, and by its cells, which are its texts. Values
that number the records of a list in order (``aria-rowindex``, ``data-index``) are positions, not
keys, while they start at the same number. If a list of database records loses its first record, the
numbers start elsewhere: these are keys.

A document is identified by its URL. Another path is another document. With another query or
fragment the page must show that it is the same document: title and headings are the same, and so
are the record of the element or, for an element outside of lists, all lines of text and the values
of fields. So a query parameter selects a record unless the page reads the same without it.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import attrs

from charlotte.page.capture import Capture, split_number
from charlotte.page.identity.degrees import (
    WORD,
    ChangeDegree,
    compare_destinations,
    compare_labels,
    get_inner_fragment,
    remove_page_parameters,
)
from charlotte.page.model import Node, frozen_record

CellDegree = Literal["same", "minor", "changed", "elsewhere"]

MINOR_CHANGE_NOTE = "Note: Element may have changed. Using current state."

_COUNT = re.compile(r"\(\d+\)|^\d[\d.,]*\s")
"""A number in a heading that counts what is below it."""

DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]+")
_LAST_NUMBER = re.compile(r"(\d{1,15})\D*$")

_ENOUGH = 3
"""Records whose values all differ only if the values are keys; of fewer, states may differ."""

_NODE_BOUND = {"id"}
"""Attributes that stay with a node which shows another record, and change with a new node."""

FEW = 2
"""Other cells of a record that may all change while its name stays."""

_REFERENCE = "href"

_MOST_COMPARED = 50
"""Records of a long list with which each record is compared; `_STEP` records share a group."""

_STEP = 25


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
        return frozenset(
            name
            for name, values in _collect_values(self.records).items()
            if len({*values}) == len(values) >= FEW
            if len(values) >= _ENOUGH or all(any(map(str.isdigit, value)) for value in values)
            # otherwise the texts contain the same information
            if any(row.keys[name] not in row.cells for row in self.records if name in row.keys)
        )

    def keys_against(self, other: "RecordGroup") -> frozenset[str]:
        """Return the names of keys that distinguish records from those of another capture."""
        positions = {name for name, start in self.starts.items() if other.starts.get(name) == start}
        return self.distinct - positions

    @cached_property
    def common(self) -> frozenset[str]:
        """Texts of all records, such as the labels of their buttons."""
        if len(self.records) < FEW:
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


def _collect_values(records: Sequence[Record]) -> Mapping[str, list[str]]:
    """Return the values of the keys of records by name."""
    values: dict[str, list[str]] = {}
    for record in records:
        for name, value in record.keys.items():
            values.setdefault(name, []).append(value)
    return values


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
        self._extras = {nid: extra for nid, extra in extras if extra}
        self._memberships: dict[int, Membership] = {}
        lists: dict[int, list[int]] = {}
        inside: dict[int, set[tuple[str, str]]] = {}
        for nid, extra in self._extras.items():
            if row := extra.get("record"):
                lists.setdefault(row["list"], []).append(nid)
            if keys := extra.get("inside"):
                inside.setdefault(self._get_leader(nid), set()).update(keys.items())
        for leaders in lists.values():
            records: list[Record] = []
            for nid in leaders:
                row = self._extras[nid]["record"]
                if "made" not in row:  # captures share rows and so their records
                    row["made"] = Record(row["keys"], tuple(row["cells"]))
                records.append(row["made"])
            unshared = _find_unshared([inside.get(nid, set()) for nid in leaders])
            groups = _build_groups(records, unshared)
            for index, (nid, record) in enumerate(zip(leaders, records, strict=True)):
                self._memberships[nid] = Membership(record, groups[index // _STEP], {})

    def _get_leader(self, nid: int) -> int:
        """Return the number of the node that carries the record of an element, or 0."""
        extra = self._extras.get(nid, {})
        return nid if "record" in extra else extra.get("of", 0)

    def find(self, nid: int) -> Membership | None:
        """Return the membership of an element."""
        found = self._memberships.get(self._get_leader(nid))
        inside = found and self._extras[nid].get("inside")
        return Membership(found.record, found.group, inside) if found and inside else found

    def table(self, nid: int) -> int:
        """Return the number of the table of an element, 0 for an element in no row of a table."""
        row = self._extras.get(self._get_leader(nid), {}).get("record", {})
        table: int = row.get("table", 0)
        return table

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


def _build_groups(records: Sequence[Record], inside: frozenset[str]) -> Sequence[RecordGroup]:
    """Return the group for every `_STEP` records: a short list, or the records around them.

    The starts are the first numbers of the keys that number all records in order.
    """
    starts: dict[str, int] = {}
    for name, values in _collect_values(records).items():
        found = [*map(_LAST_NUMBER.search, values)]
        numbers = {int(number[1]) - index for index, number in enumerate(found) if number}
        if len(numbers) == 1 and all(found):
            starts[name] = numbers.pop()
    if len(records) <= _MOST_COMPARED:
        return [RecordGroup(records, inside, starts)] * 2
    firsts = (max(index - _STEP // 2, 0) for index in range(0, len(records), _STEP))
    return [
        RecordGroup(records[first : first + _MOST_COMPARED], inside, starts) for first in firsts
    ]


def _find_unshared(records: Sequence[Collection[tuple[str, str]]]) -> frozenset[str]:
    """Return the names of element keys whose values never occur in two records."""
    if len(records) < FEW:
        return frozenset()
    count = Counter(pair for pairs in records for pair in pairs)
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
    """Return whether a list has more or fewer copies of a record than before.

    Then any of the copies may be the deleted one.
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
    names = group.distinct if with_positions else group.distinct - group.starts.keys()
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
    pairs = [
        (name, before.record.keys[name], now.record.keys[name])
        for name in names - {*ignored}
        if name in before.record.keys and name in now.record.keys
        if name not in doubtful or not _is_bound_to_nodes(name, before, now)
    ]
    pairs += [
        ("", before.inside[name], now.inside[name])
        for name in before.group.inside - _NODE_BOUND
        if name in before.inside and name in now.inside
    ]
    degrees = {
        compare_destinations(old, new) if name == _REFERENCE or old == new else "changed"
        for name, old, new in pairs
    }
    is_other = _REFERENCE in ignored and (before.has_twin or now.has_twin)
    is_other = is_other and before.record.keys.get(_REFERENCE) != now.record.keys.get(_REFERENCE)
    return "same" in degrees, "changed" in degrees or is_other


def _is_bound_to_nodes(name: str, before: Membership, now: Membership) -> bool:
    """Return whether values of a key seem to belong to nodes or positions, not to records.

    They do if other records that are recognised by their texts have other values now: two records,
    because one could be another record, but for an `id` one is enough. Without such records, an
    `id` that counts the nodes of a list belongs to the nodes, unless only the `id` distinguishes
    this record.
    """
    values, values_now = (
        {one.cells: one.keys.get(name) for one in group.records if group.repeats[one.cells] == 1}
        for group in (before.group, now.group)
    )
    both = (values.keys() & values_now.keys()) - {before.record.cells, now.record.cells}
    moved = sum(values[cells] != values_now[cells] for cells in both)
    if name not in _NODE_BOUND:
        return moved >= FEW
    if both or name not in before.group.starts:
        return moved > 0
    return before.record.cells in values and before.record.cells in values_now


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
    old, new = before.record.cells, now.record.cells
    lead = get_lead(before)
    if not lead:
        return "minor" if 2 * _count_shared(own, now.record) >= len(own) else "changed"
    rest = [text for text in own if text != lead]
    kept = _count_shared(rest, now.record)
    is_kept = lead == new[old.index(lead)] if len(new) == len(old) else lead in new
    if is_kept or _is_lead_similar(lead, before, now):
        return "minor" if len(rest) <= FEW or 3 * kept >= len(rest) else "changed"
    return "changed"


def _is_lead_similar(lead: str, before: Membership, now: Membership) -> bool:
    """Return whether the text at the position of the lead has more than half of its words.

    Words that all other records have there do not count, nor do digits if words are left.
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
    return {*WORD.findall(text.casefold())}


def _count_shared(texts: Iterable[str], record: Record) -> int:
    """Count the texts that a record contains."""
    return sum(text in record.cells for text in texts)


Column = tuple[str, str]
"""The number of a column of a table, and the text of its head."""


@frozen_record
class Identity:
    """The features of an element in one capture by which it is recognised.

    ``numbered`` is whether other names differ only in digits. ``own_name`` is the name that the
    page itself gives a field without a label of its own, with the text near a nameless field, or
    the ``address`` of a form. ``address`` is that of the form around an element, without the
    parameters of the page. ``page`` is the URL of the document.
    """

    role: str
    name: str
    membership: Membership | None
    column: Column | None
    section: str | None
    destination: str
    numbered: bool
    own_name: str
    address: str
    page: str

    @property
    def cells(self) -> tuple[str, ...]:
        """Texts of the record."""
        return self.membership.record.cells if self.membership else ()

    @property
    def is_in_section(self) -> bool:
        """Whether a heading outside of the record is above the element."""
        return self.section is not None and self.section not in self.cells


@attrs.frozen(eq=False)
class Scene:
    """A capture with the data for comparisons, each computed on first use."""

    capture: Capture

    @cached_property
    def records(self) -> RecordIndex:
        """Records of the lists."""
        return RecordIndex((node.nid, node.extra) for node in self.capture.nodes if node.nid)

    @cached_property
    def _names(self) -> Counter[tuple[str, str]]:
        """Count the names of a role that differ only in digits, such as Page 1 and Page 2."""
        names = {(node.role, node.name) for node in self.capture.nodes if node.nid}
        return Counter((role, DIGITS.sub("", name)) for role, name in names)

    def identity(self, node: Node) -> Identity:
        """Return the features of a node."""
        extra = node.extra
        column: Column | None = None
        if number := extra.get("column"):
            heads = self.capture.column_heads.get(self.records.table(node.nid), {})
            column = number, heads.get(number, "")
        page = self.url(node.nid)
        form = node if node.kind == "f" else self.capture.by_nid.get(extra.get("form", 0))
        action = str(form.extra.get("action", "")) if form else ""
        destination = str(extra.get("href") or "") or ("submits" in extra and action) or ""
        address = remove_page_parameters(action, page)
        own_name = address if form is node else extra.get("own", "")
        if own_name and not node.name and "near" in extra:
            own_name += f" {extra['near']}"
        has_number = DIGITS.search(node.name) is not None
        return Identity(
            node.role,
            node.name,
            self.records.find(node.nid),
            column,
            extra.get("section"),
            destination,
            has_number and self._names[node.role, DIGITS.sub("", node.name)] > 1,
            own_name,
            address,
            page,
        )

    def url(self, nid: int) -> str:
        """Return the URL of the document that contains a node."""
        return self.capture.frames.get(split_number(nid)[0], self.capture.url)

    @cached_property
    def headings_above(self) -> Mapping[int, str]:
        """The last heading before each node in its landmarks, or "".

        Headings of records are parts of these and do not count.
        """
        last: dict[int, tuple[int, str]] = {}
        found: dict[int, str] = {}
        for index, node in enumerate(self.capture.nodes):
            landmarks = {0, node.landmark}
            landmark = self.capture.by_nid.get(node.landmark)
            while landmark and landmark.landmark not in landmarks:
                landmarks.add(landmark.landmark)
                landmark = self.capture.by_nid.get(landmark.landmark)
            headings = (last[number] for number in landmarks if number in last)
            found[node.nid] = max(headings, default=(0, ""))[1]
            if node.is_heading and not self.records.contain(node.name):
                last[node.landmark] = index, node.name
        return found

    @cached_property
    def headings(self) -> Counter[str]:
        """Texts of the headings outside of records, without counts in them."""
        texts = (node.name for node in self.capture.nodes if node.is_heading)
        return Counter(remove_count(text) for text in texts if not self.records.contain(text))

    @cached_property
    def texts(self) -> Counter[str]:
        """Lines of text outside of records and controls, and the values of fields there."""
        nodes = self.capture.nodes
        names = {node.name for node in nodes if node.kind in {"i", "c"}}
        lines = (node.name for node in nodes if node.kind == "t" and node.name not in names)
        values = (
            node.extra["value"]
            for node in nodes
            if "value" in node.extra and not self.records.find(node.nid)
        )
        return Counter([*(line for line in lines if not self.records.contain(line)), *values])


def compare_names(before: Identity, now: Identity) -> ChangeDegree:
    """Compare role and name; digits count if they distinguish the element from others."""
    degree = compare_labels(before.role, before.name, now.role, now.name)
    is_numbered = before.numbered or now.numbered
    if is_numbered and DIGITS.findall(before.name) != DIGITS.findall(now.name):
        return "changed"
    return degree


def compare_places(before: Identity, now: Identity) -> ChangeDegree:
    """Compare the records and columns of two elements."""
    if before.column and now.column:
        head, head_now = before.column[1], now.column[1]
        if head and head_now and compare_labels("", head, "", head_now) == "changed":
            return "changed"
    if before.membership is None or now.membership is None:
        return "same"
    is_link = bool(before.destination and now.destination)  # compared separately
    return compare_records(before.membership, now.membership, with_links=not is_link)


def compare_targets(before: Identity, now: Identity) -> ChangeDegree:
    """Compare the destinations of two elements; only in records, another query is a minor change.

    Parameters that a destination has from its page do not count. Of a destination in the page
    itself, only the fragment counts.
    """
    inner = get_inner_fragment(before.destination, before.page)
    if inner and inner == get_inner_fragment(now.destination, now.page):
        return "same"
    degree = compare_destinations(before.destination, now.destination)
    if degree != "minor":
        return degree
    if compare_destinations(before.page, now.page) != "changed" and remove_page_parameters(
        before.destination, before.page
    ) == remove_page_parameters(now.destination, now.page):
        return "same"
    return "changed" if before.membership is None else "minor"


def is_replacement(before: Identity, now: Identity) -> bool:
    """Return whether a new element may replace a deleted one with the same role and name."""
    if (before.membership is None) is not (now.membership is None):
        return False
    if before.is_in_section and now.is_in_section and before.section != now.section:
        return False
    if before.column and now.column:
        (number, head), (number_now, head_now) = before.column, now.column
        if (head != head_now) if head or head_now else (number != number_now):
            return False
    if compare_places(before, now) == "changed":
        return False
    if before.membership and now.membership and are_recounted(before.membership, now.membership):
        return False
    return compare_targets(before, now) != "changed"


def remove_count(heading: str) -> str:
    """Return a heading without the number of items in it."""
    return _COUNT.sub("", heading).strip()
