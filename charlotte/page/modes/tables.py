"""Tables: which hold data, and what stands in each column of each row."""

from collections.abc import Callable, Collection, Iterable, Iterator

import attrs

from charlotte.page.modes.inline import plain
from charlotte.page.modes.survey import Part

_ROW_GROUPS = {"thead", "tbody", "tfoot"}
_TABLES = {"table", "grid", "treegrid"}
_CELLS = {"cell", "gridcell", "columnheader", "rowheader"}
_AROUND = {"", "generic", "presentation", "none"}
"""Roles of what is of no account between a table, its rows and their cells."""
_AROUND_ROWS = _AROUND | {"rowgroup"}
_TOO_MUCH_FOR_A_CELL = {"table", "section", "article"}
_SELDOM_IN_A_CELL = {"pre", "h1", "h2", "h3", "h4", "h5", "h6"}
_HEADS = {"th", "thead", "caption"}
_LONGEST_CELL = 300
"""Characters of a cell with a heading or code, in a table of which nothing says that it is one."""
_WIDEST = 100
"""Columns that one cell can take: a page may claim any number."""
_LONGEST_REPEATED = 100
_NO_END = 1 << 16


def is_rows(part: Part) -> bool:
    """Whether it is a row or a group of rows."""
    return part.tag == "tr" or part.tag in _ROW_GROUPS or part.role in {"row", "rowgroup"}


def is_data(part: Part) -> bool:
    """Whether it is a table, and not a way to lay out a page."""
    if part.tag != "table":
        return part.role in _TABLES and _is_made_of_rows(part) and any(rows_of(part))
    if part.role in {"presentation", "none"}:
        return False
    left_out = {id(one) for row in _side_rows(part) for one in row.walk()}
    tags = {one.tag for one in part.walk() if one is not part and id(one) not in left_out}
    if tags & _TOO_MUCH_FOR_A_CELL:
        return False
    return not tags & _SELDOM_IN_A_CELL or bool(tags & _HEADS) or _is_regular(part)


def _side_rows(table: Part) -> list[Part]:
    """Return the rows of one short cell around a table, such as pagers, of a table with other rows.

    They make no layout of a table whose other rows have columns.
    """
    rows = [(row, list(row.parts())) for row in rows_of(table)]
    side = [row for row, cells in rows if len(cells) == 1 and _is_side_cell(cells[0])]
    columns = [len(cells) for row, cells in rows if row not in side]
    return side if len(columns) > 1 and min(columns) > 1 else []


def _is_side_cell(cell: Part) -> bool:
    return any(one.tag == "table" for one in cell.walk()) and len(plain(cell)) <= _LONGEST_CELL


def _is_made_of_rows(part: Part) -> bool:
    """Whether all that it says stands in the cells of its rows, and there is no table in any."""
    cells = [cell for row in rows_of(part) for cell in cells_of(row)]
    inside = [one for cell in cells for one in cell.walk()]
    is_nested = any(one.role in _TABLES for one in inside)
    return not is_nested and _length(part) == sum(map(_length, cells))


def _length(part: Part) -> int:
    """Characters of all text in it, without spaces."""
    return len("".join(plain(part).split()))


def _within(part: Part, roles: Collection[str], around: Collection[str]) -> Iterator[Part]:
    """The outermost parts with such roles, in others that are only around them."""
    for child in part.parts():
        if child.role in roles:
            yield child
        elif child.role in around:
            yield from _within(child, roles, around)


def cells_of(row: Part) -> list[Part]:
    """The cells of a row."""
    return list(row.parts() if row.tag == "tr" else _within(row, _CELLS, _AROUND))


def _is_regular(table: Part) -> bool:
    """Whether there are rows and columns, and little in each cell."""
    rows = [list(row.parts()) for row in rows_of(table)]
    if len(rows) <= 1 or min(map(len, rows)) <= 1:
        return False
    return all(len(plain(cell)) <= _LONGEST_CELL for row in rows for cell in row)


def rows_of(part: Part) -> Iterator[Part]:
    """The rows of a table, of a group of rows or of a row."""
    if part.tag == "tr" or part.role == "row":
        yield part
    elif part.tag == "table" or part.tag in _ROW_GROUPS:
        for child in part.parts():
            yield from rows_of(child)
    elif part.role in _TABLES or part.role == "rowgroup":
        yield from _within(part, {"row"}, _AROUND_ROWS)


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
        cells = [(part, write(part)) for part in cells_of(row)]
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
