"""Blocks of content (headings, paragraphs, code, lists, tables, quotes), read from elements."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby, repeat, takewhile

import attrs

from charlotte.page.modes.inline import (
    CODE,
    FIELDS,
    InlineStyle,
    code_language,
    code_text,
    element_text,
    inline_code,
    is_code,
)
from charlotte.page.modes.survey import GROUPING_ROLES, LANDMARKS, SurveyElement

_LISTS = {"ul", "ol", "menu"}
_INLINE_TAGS = FIELDS | CODE | {"img", "math"}

_SECTIONS = LANDMARKS | {"article"}
_ROW_GROUPS = {"thead", "tbody", "tfoot"}
_ROWS = _ROW_GROUPS | {"tr"}
_TABLES = {"table", "grid", "treegrid"}
_CELLS = {"cell", "gridcell", "columnheader", "rowheader"}
_TOO_MUCH_FOR_A_CELL = {"table", "section", "article"}
_RARE_IN_A_CELL = {"pre", "h1", "h2", "h3", "h4", "h5", "h6"}
_HEADS = {"th", "thead", "caption"}
_WIDEST = 100
"""Columns that one cell can span: a page may set any number."""
_LONGEST_REPEATED = 100


@attrs.frozen
class HeadingBlock:
    """A heading of level 1 to 6."""

    level: int
    text: str


@attrs.frozen
class Paragraph:
    """A run of text; the paragraphs after a ``term`` define it."""

    text: str
    term: bool = False


@attrs.frozen
class CodeBlock:
    """Preformatted text; ``language`` is "" if it is unknown."""

    language: str
    text: str


@attrs.frozen
class ListBlock:
    """A list, with the numbers of its items if it is ordered."""

    items: Sequence[Sequence["Block"]]
    numbers: Sequence[int] = ()

    def marks(self) -> Iterator[str]:
        """Return the mark before each item."""
        return (f"{number}." for number in self.numbers) if self.numbers else repeat("-")


@attrs.frozen
class Table:
    """Rows of cells; the first row has the heads of the columns."""

    rows: Sequence[Sequence[str]]


@attrs.frozen
class Quote:
    """A quotation."""

    blocks: Sequence["Block"]


Block = HeadingBlock | Paragraph | CodeBlock | ListBlock | Table | Quote


def flat_text(block: Block) -> str:
    """Return a block on one line."""
    match block:
        case HeadingBlock(_, text) | Paragraph(text, _) | CodeBlock(_, text):
            return " ".join(text.split())
        case ListBlock(items):
            return "; ".join(" ".join(map(flat_text, item)) for item in items)
        case Table(rows):
            return "; ".join(", ".join(filter(None, row)) for row in rows)
        case Quote(blocks):
            return " ".join(map(flat_text, blocks))


@attrs.frozen
class BlockReader:
    """Reader of blocks; with ``by_section``, an element that is a section is returned unread.

    ``_linked`` are the numbers of the links whose URL is written.
    """

    style: InlineStyle
    by_section: bool = False
    _linked: set[int] = attrs.field(factory=set[int])

    def read_whole(self, element: SurveyElement) -> Iterator[Block | SurveyElement]:
        """Return an element as one block, or the blocks in it."""
        if self._is_section(element):
            yield from self.read(element)
        elif element.tag in _ROWS or element.role in {"row", "rowgroup"}:
            yield from self._read_table(element)
        else:
            yield from self._read_block(element)

    def _is_section(self, element: SurveyElement) -> bool:
        is_marked = element.tag == "section" and "id" in element.facts
        return self.by_section and (element.role in _SECTIONS or is_marked)

    def read(self, element: SurveyElement) -> Iterator[Block | SurveyElement]:
        """Return the blocks in an element, in order."""
        run: list[SurveyElement | str] = []
        for child in element.children:
            if isinstance(child, str) or not any(
                inner.is_block or inner.tag == "iframe" or is_code(inner) for inner in child.walk()
            ):
                run.append(child)
                continue
            yield from self._read_paragraph(run, element)
            run = []
            yield from self._read_block(child)
        yield from self._read_paragraph(run, element)

    def _read_paragraph(
        self, run: Sequence[SurveyElement | str], parent: SurveyElement
    ) -> Iterator[Block]:
        if text := self._write_linked(parent, lambda style: style.write_block(run)):
            yield Paragraph(text)

    def _write_linked(self, element: SurveyElement, write: Callable[[InlineStyle], str]) -> str:
        """Return the text of an element, as a link if it is the first text of one."""
        link: SurveyElement | None = element if self.style.writes_links else None
        while link is not None and "href" not in link.facts:
            link = link.parent
        if link is None or link.nid in self._linked:
            return write(self.style)
        text = write(self.style.in_link())
        if text:
            self._linked.add(link.nid)
        return self.style.link(text, link)

    def _read_block(self, element: SurveyElement) -> Iterator[Block | SurveyElement]:
        if self._is_section(element):
            yield element
        elif element.role == "heading":
            if text := self._write_linked(element, lambda style: style.write_heading(element)):
                yield HeadingBlock(element.facts.get("level", 2), text)
        elif is_code(element):
            yield CodeBlock(code_language(element), code_text(element))
        elif element.tag in _LISTS and _count_items(element):
            yield from self._read_list(element)
        elif _is_data_table(element):
            yield from self._read_table(element)
        else:
            yield from self._read_by_tag(element)

    def _read_by_tag(self, element: SurveyElement) -> Iterator[Block | SurveyElement]:
        if element.tag == "blockquote":
            yield Quote(self._read_all(element))
        elif element.tag == "dt":
            for block in self._read_all(element):
                yield attrs.evolve(block, term=True) if isinstance(block, Paragraph) else block
        elif "href" in element.facts:
            blocks = list(self.read(element))
            if not blocks and self.style.writes_links and element.name:
                blocks = [Paragraph(self.style.named_link(element))]
            yield from blocks
        elif element.tag in _INLINE_TAGS or "checked" in element.facts:
            yield from self._read_paragraph([element], element)
        else:
            yield from self.read(element)

    def _read_all(self, element: SurveyElement) -> list[Block]:
        """Return the blocks of an element, including those of sections in it."""
        inside = attrs.evolve(self, by_section=False)
        return [block for block in inside.read(element) if not isinstance(block, SurveyElement)]

    def _read_list(self, element: SurveyElement) -> Iterator[Block]:
        """Return a list; its numbers are those that the browser shows."""
        step = -1 if "reversed" in element.facts else 1
        number = int(element.facts.get("start", 1 if step == 1 else _count_items(element)))
        items: list[list[Block]] = []
        numbers: list[int] = []
        for child in element.elements():
            number = int(child.facts.get("number", number))
            if item := self._read_all(child):
                items.append(item)
                numbers.append(number)
            number += step if child.tag == "li" else 0
        if items:
            yield ListBlock(items, numbers if element.tag == "ol" else ())

    def _read_table(self, element: SurveyElement) -> Iterator[Block]:
        for child in element.elements():
            if child.tag == "caption":
                yield from self._read_all(child)
        if rows := _build_grid(_table_rows(element), self._cell_text):
            yield Table(rows)

    def _cell_text(self, element: SurveyElement) -> str:
        texts: list[str] = []
        for block in self._read_all(element):
            is_marked = self.style.markdown and isinstance(block, CodeBlock)
            texts.append(inline_code(flat_text(block)) if is_marked else flat_text(block))
        return " ".join(filter(None, texts))


def _count_items(element: SurveyElement) -> int:
    return sum(child.tag == "li" for child in element.elements())


def _is_data_table(element: SurveyElement) -> bool:
    """Return whether the element is a table with data, not one that lays out a page.

    A table with headings or code in its cells is one of data if it has heads.
    """
    if element.tag != "table":
        return element.role in _TABLES and _is_all_in_rows(element) and any(_table_rows(element))
    if element.role in {"presentation", "none"}:
        return False
    tags = {one.tag for one in element.walk() if one is not element}
    return not tags & _TOO_MUCH_FOR_A_CELL and (not tags & _RARE_IN_A_CELL or bool(tags & _HEADS))


def _is_all_in_rows(table: SurveyElement) -> bool:
    """Return whether all text is in the cells of the rows, and no cell contains a table."""
    cells = [cell for row in _table_rows(table) for cell in _row_cells(row)]
    is_nested = any(inner.role in _TABLES for cell in cells for inner in cell.walk())
    whole, *parts = (len("".join(element_text(part).split())) for part in (table, *cells))
    return not is_nested and whole == sum(parts)


def _table_rows(element: SurveyElement) -> Iterator[SurveyElement]:
    """Return the rows of a table, a group of rows or a row."""
    if element.tag == "tr" or element.role == "row":
        yield element
    elif element.tag == "table" or element.tag in _ROW_GROUPS:
        for child in element.elements():
            yield from _table_rows(child)
    elif element.role in _TABLES or element.role == "rowgroup":
        yield from _find_outermost(element, {"row"}, GROUPING_ROLES | {"rowgroup"})


def _row_cells(row: SurveyElement) -> Iterator[SurveyElement]:
    """Return the cells of a row."""
    return row.elements() if row.tag == "tr" else _find_outermost(row, _CELLS, GROUPING_ROLES)


def _find_outermost(
    element: SurveyElement, roles: Collection[str], wrappers: Collection[str]
) -> Iterator[SurveyElement]:
    """Return the outermost elements with such roles, within wrappers."""
    for child in element.elements():
        if child.role in roles:
            yield child
        elif child.role in wrappers:
            yield from _find_outermost(child, roles, wrappers)


def _build_grid(
    rows: Iterable[SurveyElement], write: Callable[[SurveyElement], str]
) -> list[list[str]]:
    """Return the texts by row and column, of rows that have any text of their own.

    A cell over several rows is repeated in each row. A cell over several columns is in the first.
    Columns in which no cell begins are left out.
    """
    grid: list[dict[int, str]] = []
    used: set[int] = set()
    for _, group in groupby(rows, lambda row: id(row.parent)):
        elements = list(group)
        filled = [dict[int, str]() for _ in elements]
        for index, element in enumerate(elements):
            cells = [(cell, write(cell)) for cell in _row_cells(element)]
            column = 0
            for cell, text in cells:
                while column in filled[index]:  # by a cell of a row above
                    column += 1
                used.add(column)
                end = column + min(cell.facts.get("columns", 1), _WIDEST)
                free = takewhile(lambda each: each not in filled[index], range(column, end))  # noqa: B023
                covered = dict.fromkeys(free, "")
                repeated = text if len(text) <= _LONGEST_REPEATED else ""
                height = cell.facts.get("rows", 1) or len(elements)
                for below in filled[index : index + height]:
                    below.update(covered | {column: repeated})
                filled[index][column] = text
            if any(text for _, text in cells):
                grid.append(filled[index])
    whole = [[row.get(column, "") for column in sorted(used)] for row in grid]
    return [row[: max(index for index, text in enumerate(row) if text) + 1] for row in whole]
