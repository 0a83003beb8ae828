"""Rows around the results of a search: which come first, and how a row is named."""

import re
from collections.abc import Sequence

import attrs

from charlotte.base.errors import ellipsize
from charlotte.page.identity.references import Match
from charlotte.page.model import Element

SEPARATOR = " | "
"""Between the texts of a row that is named."""

_SHORT, _LONG = 60, 160
"""Characters of the name of a row, and of one that others begin with."""


@attrs.frozen
class Row:
    """A row of a table, list or group of cards: its number, and its texts by cell or part."""

    nid: int
    texts: Sequence[str]


def rank_row(row: Row, text: str) -> int:
    """Return 0 for a row with a cell of exactly that text, 1 for one with the words, else 2."""
    wanted = " ".join(text.split()).casefold()
    texts = [each.casefold() for each in row.texts]
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
