"""Search of interactive elements in a view, rows around the matches, cursors of cut answers."""

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import attrs

from charlotte.base.errors import InvalidArgument, ellipsize
from charlotte.page.identity.references import DocumentNode, Match
from charlotte.page.model import Bounds, Element, PageView

SEPARATOR = " | "
"""Between the texts of a row that is named."""

_SHORT, _LONG = 60, 160
"""Characters of the name of a row, and of one that others begin with."""

P = TypeVar("P", Element, Match)

NEAR = 200
"""Largest distance of centres in pixels for ``near`` (C-FIND-04)."""

_PLAIN = {
    "'": "\u2018\u2019\u201b\u02bc\u2032\u00b4`",
    '"': "\u201c\u201d\u201e\u201f\u2033",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
    "i": "\u0130",
}
_VARIANTS = {ord(variant): plain for plain, variants in _PLAIN.items() for variant in variants}

_CURSOR = re.compile(r"(v?)(\d{1,15})\.([a-z_]{1,20})\.(\d{1,15})(?:\.(\d{1,15}))?")


@attrs.frozen
class Row:
    """A row of a table, list or group of cards: its number, and its texts by cell or part."""

    nid: int
    texts: Sequence[str]


def folded(text: str) -> str:
    """Return a text in lower case, with plain quotes, dashes and digits, to be compared."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKC", text.translate(_VARIANTS))
    return plain.replace("\u2044", "/").casefold()  # as in one half


def rank_row(row: Row, text: str) -> int:
    """Return 0 for a row with a cell of exactly that text, 1 for one with the words, else 2."""
    wanted = folded(" ".join(text.split()))
    texts = [folded(each) for each in row.texts]
    if wanted in texts:
        return 0
    words = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)")
    return 1 if any(map(words.search, (*texts, " ".join(texts), SEPARATOR.join(texts)))) else 2


def label_of(hit: Element | Match) -> str:
    """Return the label of an element, or the text of another node."""
    return hit.label if isinstance(hit, Element) else hit.excerpt or hit.text


def find_twins(labels: Sequence[str]) -> list[list[int]]:
    """Return the indexes of equal labels, as lists of two and more."""
    groups: dict[str, list[int]] = {}
    for index, label in enumerate(labels):
        if label:
            groups.setdefault(label.casefold(), []).append(index)
    return [group for group in groups.values() if len(group) > 1]


def name_rows(rows: Sequence[Row], label: str) -> list[str]:
    """Return what distinguishes each row from the others; "" if there is only one row.

    Texts that all rows have, and the label of what is in them, are left out.
    """
    by_number = {row.nid: row for row in rows}
    if len(by_number) < 2:  # noqa: PLR2004 - nothing to distinguish
        return [""] * len(rows)
    whole: dict[int, str] = {}
    for nid, row in by_number.items():
        texts = [text for text in row.texts if text != label]
        own = [text for text in texts if not all(text in other.texts for other in rows)]
        whole[nid] = SEPARATOR.join(own or texts)
    short = [ellipsize(name, _SHORT) for name in whole.values()]
    names = {
        nid: ellipsize(name, _SHORT if short.count(ellipsize(name, _SHORT)) == 1 else _LONG)
        for nid, name in whole.items()
    }
    return [names[row.nid] for row in rows]


@attrs.frozen
class Anchor:
    """An element that results must be near to or within; it is not a result itself."""

    element_id: str
    bounds: Bounds
    place: DocumentNode | None = None

    def distance_to(self, bounds: Bounds | None) -> float:
        """Return the distance of the centres; infinite for an element without a box."""
        return math.dist(bounds.centre(), self.bounds.centre()) if bounds else math.inf


@attrs.frozen(kw_only=True)
class Query:
    """Conditions of ``find``; None is no condition. ``redact`` removes secrets before a search."""

    text: str | None = None
    role: str | None = None
    type: str | None = None
    near: Anchor | None = None
    within: Anchor | None = None
    redact: Callable[[str], str] = str


def find_elements(view: PageView, query: Query) -> list[Element]:
    """Return the elements that match (C-FIND-01…06): the nearest or best matches first."""
    anchors = {anchor.element_id for anchor in (query.near, query.within) if anchor}
    found = [
        element
        for element in view.interactive
        if _is_match(query, element, element.role) and element.id not in anchors
    ]
    found = _sort_by_distance(filter_by_position(found, query), query)
    if query.near is not None or query.text is None:
        return found
    text = folded(query.text)

    def rank(element: Element) -> int:
        if folded(query.redact(element.label)) == text.strip():
            return 0
        return 1 if _contains(element, text, query) else 2

    return sorted(found, key=rank)


def filter_matches(found: Iterable[Match], query: Query) -> list[Match]:
    """Return the selector's matches that meet the query; with ``near`` the nearest first."""
    anchors = [anchor.place for anchor in (query.near, query.within) if anchor]
    wanted: list[Match] = []
    for match in found:
        role = match.element.role if match.element else match.role
        is_match = _is_match(query, match.element, role, has_text=match.has_text)
        if is_match and match.place not in anchors:
            wanted.append(match)
    return _sort_by_distance(filter_by_position(wanted, query), query)


def _is_match(query: Query, element: Element | None, role: str, *, has_text: bool = False) -> bool:
    """Return whether role, type, and text of a query match; ``has_text`` if the text is known to.

    A combobox with text entry is also a text input. The text near an element counts if it has no
    label, or if the query has a role or type.
    """
    types = [element.type, *["text_input"] * element.takes_text] if element else []
    is_type = query.type is None or query.type in types
    if not is_type or query.role not in {None, role}:
        return False
    if query.text is None or has_text or element is None:
        return query.text is None or has_text
    text = folded(query.text)
    is_kind_given = query.role is not None or query.type is not None
    near = element.near if is_kind_given or not element.label else None
    return _contains(element, text, query) or bool(near and text in folded(query.redact(near)))


def _contains(element: Element, text: str, query: Query) -> bool:
    parts = (element.label, element.icon, element.title, element.value, element.placeholder)
    texts = filter(None, (*parts, *(element.options or ())))
    return any(text in folded(query.redact(part)) for part in texts)


def filter_by_position(found: Iterable[P], query: Query) -> list[P]:
    """Return what meets ``near`` and ``within`` of the query."""
    near, within = query.near, query.within
    return [
        each
        for each in found
        if (within is None or (each.bounds and within.bounds.contains(each.bounds)))
        and (near is None or near.distance_to(each.bounds) <= NEAR)
    ]


def _sort_by_distance(found: list[P], query: Query) -> list[P]:
    near = query.near
    return sorted(found, key=lambda each: near.distance_to(each.bounds)) if near else found


@attrs.frozen
class Cursor:
    """Position where a cut list or its line continues in its snapshot, or in a ``kept`` view."""

    snapshot_id: int
    part: str
    offset: int
    kept: bool = False
    start: int = 0

    def __str__(self) -> str:
        """Return the text of ``next_cursor``."""
        place = f"{'v' if self.kept else ''}{self.snapshot_id}.{self.part}.{self.offset}"
        return f"{place}.{self.start}" if self.start else place


def parse_cursor(text: str) -> Cursor:
    """Parse a ``next_cursor``; raises `InvalidArgument` for another text."""
    match = _CURSOR.fullmatch(text)
    if match is None:
        raise InvalidArgument(
            f"cursor must be a next_cursor of a truncation, got {ellipsize(text, 60)!r}.",
            "Pass a next_cursor exactly as it was returned.",
        )
    kept, snapshot_id, part, offset, start = match.groups(default="0")
    return Cursor(int(snapshot_id), part, int(offset), bool(kept), int(start))
