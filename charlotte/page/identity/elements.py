"""Decides whether an element is the one that an agent was shown.

How it works: besides its role and name, an element is the record that it belongs to (see
`records`), its column in a table, its destination, and the document that it lies in. All of that
comes with each capture, so comparing costs no question to the page.

A document is known by its address. Another path is another document. With another query or
fragment the page has to give evidence that it is the same one: its title and its headings are the
same, and so are the record of the element, or, for an element outside of lists, all lines of text
and the values of fields. So a parameter selects a record unless the page reads the same without it.
"""

import re
from collections import Counter
from functools import cached_property

import attrs

from charlotte.page.capture import Capture, Node
from charlotte.page.frames import split_number
from charlotte.page.identity.comparison import ChangeDegree, compare_destinations, compare_labels
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
    """What an element is, in the capture from which it was read.

    ``numbered`` says whether others are called the same but for figures; ``own`` is what the page
    itself calls a field that has the label of another.
    """

    role: str
    name: str
    standing: Membership | None
    column: Column | None
    section: str | None
    destination: str
    numbered: bool
    own: str = ""

    @property
    def is_in_section(self) -> bool:
        """Whether a heading that is no part of its record stands over it."""
        cells = self.standing.record.cells if self.standing else ()
        return self.section is not None and self.section not in cells

    @property
    def near(self) -> str:
        """The texts of its record, without its own name."""
        cells = self.standing.record.cells if self.standing else ()
        return " ".join(text for text in cells if text != self.name)


@attrs.frozen(eq=False)
class Scene:
    """A capture, and what is read from it to compare elements, once somebody asks."""

    capture: Capture
    _columns: dict[tuple[int, str], Column] = attrs.field(
        factory=dict[tuple[int, str], Column], init=False
    )

    @cached_property
    def records(self) -> RecordIndex:
        """The records of its lists."""
        return RecordIndex((node.nid, node.extra) for node in self.capture.nodes if node.nid)

    @cached_property
    def _names(self) -> Counter[tuple[str, str]]:
        names = {(node.role, node.name) for node in self.capture.nodes if node.nid}
        return Counter((role, _DIGITS.sub("", name)) for role, name in names)

    def identity(self, node: Node) -> Identity:
        """What a node is."""
        is_numbered = _DIGITS.search(node.name) is not None
        is_numbered = is_numbered and self._names[node.role, _DIGITS.sub("", node.name)] > 1
        return self.replaceable(node, is_numbered=is_numbered)

    def replaceable(self, node: Node, *, is_numbered: bool = False) -> Identity:
        """What a node is, as far as `is_replacement` asks: no names are compared there."""
        extra = node.extra
        column: str | None = extra.get("column")
        return Identity(
            node.role,
            node.name,
            self.records.of(node.nid),
            self._column(self.records.table(node.nid), column) if column else None,
            extra.get("section"),
            self._destination(node),
            is_numbered,
            extra.get("own", ""),
        )

    def _column(self, table: int, number: str) -> Column:
        """Share the columns, of which a page has few."""
        column = self._columns.get((table, number))
        if column is None:
            head = self.capture.column_heads.get(table, {}).get(number, "")
            column = self._columns[table, number] = number, head
        return column

    def _destination(self, node: Node) -> str:
        if href := node.extra.get("href"):
            return str(href)
        if "submits" in node.extra and (form := self.capture.by_nid.get(node.extra["form"])):
            return str(form.extra.get("action", ""))
        return ""

    def url(self, nid: int) -> str:
        """The address of the document that a node lies in."""
        return self.capture.frames.get(split_number(nid)[0], self.capture.url)

    @cached_property
    def _heading_by_nid(self) -> dict[int, str]:
        last: dict[int, tuple[int, str]] = {}
        found: dict[int, str] = {}
        for place, node in enumerate(self.capture.nodes):
            around = {0, node.landmark}
            landmark = self.capture.by_nid.get(node.landmark)
            while landmark and landmark.landmark not in around:
                around.add(landmark.landmark)
                landmark = self.capture.by_nid.get(landmark.landmark)
            found[node.nid] = max((last[one] for one in around if one in last), default=(0, ""))[1]
            if node.is_heading and not self.records.says(node.name):
                last[node.landmark] = place, node.name
        return found

    def heading(self, nid: int) -> str:
        """The last heading before a node, in its landmark or in one around that; "" for none.

        The headings of records are parts of those.
        """
        return self._heading_by_nid.get(nid, "")

    @cached_property
    def headings(self) -> Counter[str]:
        """The texts of the headings outside of records, without what they count."""
        texts = (node.name for node in self.capture.nodes if node.is_heading)
        return Counter(_uncounted(text) for text in texts if not self.records.says(text))

    @cached_property
    def texts(self) -> Counter[str]:
        """The lines of text outside of records and controls, and the values of fields there."""
        nodes = self.capture.nodes
        names = {node.name for node in nodes if node.kind in {"i", "c"}}
        lines = (node.name for node in nodes if node.kind == "t" and node.name not in names)
        values = (
            node.extra["value"]
            for node in nodes
            if "value" in node.extra and not self.records.of(node.nid)
        )
        return Counter([*(line for line in lines if not self.records.says(line)), *values])


def compare_names(before: Identity, now: Identity) -> ChangeDegree:
    """Compare role and name; figures matter if they tell the element from others."""
    verdict = compare_labels(before.role, before.name, now.role, now.name)
    if verdict != "minor" or not (before.numbered or now.numbered):
        return verdict
    figures = (_DIGITS.findall(one.name) for one in (before, now))
    return "changed" if next(figures) != next(figures) else "minor"


def compare_places(before: Identity, now: Identity) -> ChangeDegree:
    """Whether an element stands in the record and the column in which it stood."""
    if before.column and now.column:
        head, head_now = before.column[1], now.column[1]
        if (
            head
            and head_now
            and head != head_now
            and compare_labels("", head, "", head_now) == "changed"
        ):
            return "changed"
    if before.standing is None or now.standing is None:
        return "same"
    is_link = bool(before.destination and now.destination)  # which is compared for itself
    return compare_records(before.standing, now.standing, with_links=not is_link)


def has_same_keys(before: Identity, now: Identity) -> bool:
    """Whether keys show that two elements belong to one record."""
    if before.standing is None or now.standing is None:
        return False
    keys = get_keys(before.standing)
    return bool(keys) and keys == get_keys(now.standing)


def is_replacement(before: Identity, now: Identity) -> bool:
    """Whether a new element may be the one that is gone; both have one role and one name."""
    if (before.standing is None) is not (now.standing is None):
        return False
    if before.is_in_section and now.is_in_section and before.section != now.section:
        return False
    if before.column and now.column and not _is_same_column(before.column, now.column):
        return False
    if compare_places(before, now) == "changed":
        return False
    if before.standing and now.standing and are_recounted(before.standing, now.standing):
        return False
    led = compare_destinations(before.destination, now.destination)
    return led == "same" or (led == "minor" and before.standing is not None)


def is_unmistakable(one: Identity) -> bool:
    """Whether an element can be told from all others: by its record, or by where it leads."""
    if one.standing is None:
        return bool(one.destination)
    cells = one.standing.record.cells
    return bool(get_keys(one.standing)) or (
        bool(cells)
        and all(other.cells != cells for other in one.standing.group.without(one.standing.record))
    )


def is_same_record(before: Identity, now: Identity) -> bool:
    """Whether two elements certainly belong to one record, or to none."""
    if before.standing is None or now.standing is None:
        return before.standing is now.standing
    return has_same_keys(before, now) or before.standing.record.cells == now.standing.record.cells


def _is_same_column(before: Column, now: Column) -> bool:
    return before[1] == now[1] if before[1] or now[1] else before[0] == now[0]


def _uncounted(heading: str) -> str:
    return _COUNT.sub("", heading).strip()


def compare_headings(before: str, now: str) -> ChangeDegree:
    """Whether a heading says the same, but for what it counts; none is no evidence."""
    before, now = _uncounted(before), _uncounted(now)
    if before == now or not before or not now:
        return "same"
    if _DIGITS.sub("", before) == _DIGITS.sub("", now):
        return "changed"
    return compare_labels("", before, "", now)


def reads_the_same(before: Scene, now: Scene, *, with_texts: bool) -> bool:
    """Whether the title and the headings, and perhaps all texts, are what they were."""
    titles = _uncounted(before.capture.title), _uncounted(now.capture.title)
    if titles[0] != titles[1] or before.headings != now.headings:
        return False
    if not with_texts:
        return True
    return before.texts == now.texts and not are_rewritten(before.records, now.records)
