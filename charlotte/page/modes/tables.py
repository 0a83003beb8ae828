"""Tables: which hold data, and what stands in each column of each row."""

from collections.abc import Callable, Iterable, Iterator

import attrs

from charlotte.page.modes.inline import plain
from charlotte.page.modes.survey import Part

ROW_GROUPS = {"thead", "tbody", "tfoot"}
_TOO_MUCH_FOR_A_CELL = {"table", "section", "article"}
_SELDOM_IN_A_CELL = {"pre", "h1", "h2", "h3", "h4", "h5", "h6"}
_HEADS = {"th", "thead", "caption"}
_LONGEST_CELL = 300
"""Characters of a cell with a heading or code, in a table of which nothing says that it is one."""
_WIDEST = 100
"""Columns that one cell can take: a page may claim any number."""
_LONGEST_REPEATED = 100
_NO_END = 1 << 16


def is_data(table: Part) -> bool:
    """Whether it is a table, and not a way to lay out a page."""
    if table.role in {"presentation", "none"}:
        return False
    tags = {one.tag for one in table.walk() if one is not table}
    if tags & _TOO_MUCH_FOR_A_CELL:
        return False
    return not tags & _SELDOM_IN_A_CELL or bool(tags & _HEADS) or _is_regular(table)


def _is_regular(table: Part) -> bool:
    """Whether there are rows and columns, and little in each cell."""
    rows = [list(row.parts()) for row in rows_of(table)]
    if len(rows) <= 1 or min(map(len, rows)) <= 1:
        return False
    return all(len(plain(cell)) <= _LONGEST_CELL for row in rows for cell in row)


def rows_of(part: Part) -> Iterator[Part]:
    """The rows of a table, of a group of rows or of a row."""
    if part.tag == "tr":
        yield part
    elif part.tag == "table" or part.tag in ROW_GROUPS:
        for child in part.parts():
            yield from rows_of(child)


def grid(rows: Iterable[Part], write: Callable[[Part], str]) -> list[list[str]]:
    """The texts by row and column, of rows that have any of their own.

    A cell over several rows is told in each, one over several columns in the first. Columns in
    which no cell begins are none.
    """
    found: list[list[str]] = []
    group: Part | None = None
    begun: set[int] = set()
    spans = _Spans(begun)
    for row in rows:
        if row.parent is not group:
            group, spans = row.parent, _Spans(begun)
        cells = [(part, write(part)) for part in row.parts()]
        texts = spans.placed(cells)
        if any(text for _, text in cells):
            found.append(texts)
    return [_trimmed([one for n, one in enumerate(row) if n in begun]) for row in found]


def _trimmed(texts: list[str]) -> list[str]:
    """Without what is empty at the end."""
    while texts and not texts[-1]:
        texts.pop()
    return texts


@attrs.frozen
class _Spans:
    """By column the text of a cell that began in a row above, and for how many rows it goes on.

    ``begun`` are the columns in which any cell of the table begins.
    """

    _begun: set[int]
    _below: dict[int, tuple[str, int]] = attrs.field(factory=dict[int, tuple[str, int]])

    def placed(self, cells: Iterable[tuple[Part, str]]) -> list[str]:
        """The texts of a row in their columns."""
        texts: list[str] = []
        for part, text in cells:
            self._go_on(texts)
            self._put(texts, part, text)
        self._go_on(texts)
        return texts

    def _go_on(self, texts: list[str]) -> None:
        while len(texts) in self._below:
            column = len(texts)
            text, rows = self._below.pop(column)
            texts.append(text)
            if rows > 1:
                self._below[column] = text, rows - 1

    def _put(self, texts: list[str], part: Part, text: str) -> None:
        begin = len(texts)
        self._begun.add(begin)
        texts.append(text)
        end = begin + min(part.facts.get("columns", 1), _WIDEST)
        while len(texts) < end and len(texts) not in self._below:
            texts.append("")
        rows = part.facts.get("rows", 1) or _NO_END
        if rows > 1:
            again = text if len(text) <= _LONGEST_REPEATED else ""
            self._below.update(dict.fromkeys(range(begin + 1, len(texts)), ("", rows - 1)))
            self._below[begin] = again, rows - 1
