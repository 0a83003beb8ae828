"""Comparison of an element with what an agent was shown.

An element is identified by its role and name, the record that it belongs to (see `records`), its
column in a table, its destination, and its document. All of that is in each capture, so a
comparison needs no call to the page.

A document is identified by its URL. Another path is another document. With another query or
fragment the page must show that it is the same document: title and headings are the same, and so
are the record of the element or, for an element outside of lists, all lines of text and the values
of fields. So a query parameter selects a record unless the page reads the same without it.
"""

import re
from collections import Counter
from functools import cached_property

import attrs

from charlotte.page.capture import Capture, Node
from charlotte.page.frames import split_number
from charlotte.page.identity.comparison import (
    ChangeDegree,
    compare_destinations,
    compare_labels,
)
from charlotte.page.identity.records import (
    Membership,
    RecordIndex,
    are_recounted,
    are_rewritten,
    compare_records,
    get_keys,
)
from charlotte.page.record_base import frozen_record

_COUNT = re.compile(r"\(\d+\)|^\d[\d.,]*\s")
"""A number in a heading that counts what is below it."""

_DIGITS = re.compile(r"\d+")

Column = tuple[str, str]
"""The number of a column of a table, and the text of its head."""


@frozen_record
class Identity:
    """The features of an element in one capture by which it is recognised.

    ``numbered`` is whether other names differ only in figures. ``own_name`` is the name that the
    page itself gives a field which shares its label with another.
    """

    role: str
    name: str
    membership: Membership | None
    column: Column | None
    section: str | None
    destination: str
    numbered: bool
    own_name: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        """Texts of the record."""
        return self.membership.record.cells if self.membership else ()

    @property
    def is_in_section(self) -> bool:
        """Whether a heading outside of the record is above the element."""
        return self.section is not None and self.section not in self.cells

    @property
    def near(self) -> str:
        """Texts of the record without the name of the element."""
        return " ".join(text for text in self.cells if text != self.name)


@attrs.frozen(eq=False)
class Scene:
    """A capture with the data for comparisons, each computed on first use."""

    capture: Capture
    _columns: dict[tuple[int, str], Column] = attrs.field(
        factory=dict[tuple[int, str], Column], init=False
    )

    @cached_property
    def records(self) -> RecordIndex:
        """Records of the lists."""
        return RecordIndex((node.nid, node.extra) for node in self.capture.nodes if node.nid)

    @cached_property
    def _names(self) -> Counter[tuple[str, str]]:
        """Numbers of different names that are equal without figures, by role and name."""
        names = {(node.role, node.name) for node in self.capture.nodes if node.nid}
        return Counter((role, _DIGITS.sub("", name)) for role, name in names)

    def identity(self, node: Node) -> Identity:
        """Return the features of a node."""
        is_numbered = _DIGITS.search(node.name) is not None
        is_numbered = is_numbered and self._names[node.role, _DIGITS.sub("", node.name)] > 1
        return self.replaceable(node, is_numbered=is_numbered)

    def replaceable(self, node: Node, *, is_numbered: bool = False) -> Identity:
        """Return the features of a node for `is_replacement`, which compares no names."""
        extra = node.extra
        column: str | None = extra.get("column")
        destination = str(extra.get("href") or "")
        if not destination and "submits" in extra:
            form = self.capture.by_nid.get(extra["form"])
            destination = str(form.extra.get("action", "")) if form else ""
        return Identity(
            node.role,
            node.name,
            self.records.find(node.nid),
            self._column(self.records.table(node.nid), column) if column else None,
            extra.get("section"),
            destination,
            is_numbered,
            extra.get("own", ""),
        )

    def _column(self, table: int, number: str) -> Column:
        """Return a column; the few columns of a page are shared."""
        column = self._columns.get((table, number))
        if column is None:
            head = self.capture.column_heads.get(table, {}).get(number, "")
            column = self._columns[table, number] = number, head
        return column

    def url(self, nid: int) -> str:
        """Return the URL of the document that contains a node."""
        return self.capture.frames.get(split_number(nid)[0], self.capture.url)

    @cached_property
    def _heading_by_nid(self) -> dict[int, str]:
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

    def heading(self, nid: int) -> str:
        """Return the last heading before a node in its landmarks, or "".

        Headings of records are parts of these and do not count.
        """
        return self._heading_by_nid.get(nid, "")

    @cached_property
    def headings(self) -> Counter[str]:
        """Texts of the headings outside of records, without counts in them."""
        texts = (node.name for node in self.capture.nodes if node.is_heading)
        return Counter(_remove_count(text) for text in texts if not self.records.contain(text))

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
    """Compare role and name; figures count if they distinguish the element from others."""
    degree = compare_labels(before.role, before.name, now.role, now.name)
    if degree == "minor" and (before.numbered or now.numbered):
        is_same = _DIGITS.findall(before.name) == _DIGITS.findall(now.name)
        return "minor" if is_same else "changed"
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


def has_same_keys(before: Identity, now: Identity) -> bool:
    """Return whether keys show that two elements belong to one record."""
    if before.membership is None or now.membership is None:
        return False
    keys = get_keys(before.membership)
    return bool(keys) and keys == get_keys(now.membership)


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
    destinations = compare_destinations(before.destination, now.destination)
    return destinations == "same" or (destinations == "minor" and before.membership is not None)


def is_unmistakable(identity: Identity) -> bool:
    """Return whether an element differs from all others in its record or destination."""
    membership = identity.membership
    if membership is None:
        return bool(identity.destination)
    cells = membership.record.cells
    return bool(get_keys(membership)) or (
        bool(cells) and all(other.cells != cells for other in membership.other_records)
    )


def is_same_record(before: Identity, now: Identity) -> bool:
    """Return whether two elements certainly belong to one record, or to none."""
    if before.membership is None or now.membership is None:
        return before.membership is now.membership
    return has_same_keys(before, now) or before.cells == now.cells


def _remove_count(heading: str) -> str:
    return _COUNT.sub("", heading).strip()


def compare_headings(before: str, now: str) -> ChangeDegree:
    """Compare headings without counts in them; a missing heading is no evidence of a change."""
    before, now = _remove_count(before), _remove_count(now)
    if before == now or not before or not now:
        return "same"
    if _DIGITS.sub("", before) == _DIGITS.sub("", now):
        return "changed"
    return compare_labels("", before, "", now)


def reads_the_same(before: Scene, now: Scene, *, with_texts: bool) -> bool:
    """Return whether title and headings are the same, and with ``with_texts`` all texts."""
    titles = _remove_count(before.capture.title), _remove_count(now.capture.title)
    if titles[0] != titles[1] or before.headings != now.headings:
        return False
    if not with_texts:
        return True
    return before.texts == now.texts and not are_rewritten(before.records, now.records)
