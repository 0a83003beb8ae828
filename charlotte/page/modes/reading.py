"""Reads the content of an element as blocks."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import attrs

from charlotte.page.modes.blocks import (
    Block,
    CodeBlock,
    HeadingBlock,
    ListBlock,
    Paragraph,
    Quote,
    Table,
    flat_text,
)
from charlotte.page.modes.inline import InlineStyle, element_text, inline_code
from charlotte.page.modes.survey import SurveyElement
from charlotte.page.modes.texts import CODE, FIELDS, code_language, code_text, is_code

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


def is_row_group(part: SurveyElement) -> bool:
    """Whether it is a row or a group of rows."""
    return part.tag == "tr" or part.tag in _ROW_GROUPS or part.role in {"row", "rowgroup"}


def is_data_table(part: SurveyElement) -> bool:
    """Whether it is a table, and not a way to lay out a page."""
    if part.tag != "table":
        return part.role in _TABLES and _is_made_of_rows(part) and any(table_rows(part))
    if part.role in {"presentation", "none"}:
        return False
    left_out = {id(one) for row in _side_rows(part) for one in row.walk()}
    tags = {one.tag for one in part.walk() if one is not part and id(one) not in left_out}
    if tags & _TOO_MUCH_FOR_A_CELL:
        return False
    return not tags & _SELDOM_IN_A_CELL or bool(tags & _HEADS) or _is_regular(part)


def _side_rows(table: SurveyElement) -> list[SurveyElement]:
    """Return the rows of one short cell around a table, such as pagers, of a table with other rows.

    They make no layout of a table whose other rows have columns.
    """
    rows = [(row, list(row.elements())) for row in table_rows(table)]
    side = [row for row, cells in rows if len(cells) == 1 and _is_side_cell(cells[0])]
    columns = [len(cells) for row, cells in rows if row not in side]
    return side if len(columns) > 1 and min(columns) > 1 else []


def _is_side_cell(cell: SurveyElement) -> bool:
    return (
        any(one.tag == "table" for one in cell.walk()) and len(element_text(cell)) <= _LONGEST_CELL
    )


def _is_made_of_rows(part: SurveyElement) -> bool:
    """Whether all that it says stands in the cells of its rows, and there is no table in any."""
    cells = [cell for row in table_rows(part) for cell in row_cells(row)]
    inside = [one for cell in cells for one in cell.walk()]
    is_nested = any(one.role in _TABLES for one in inside)
    return not is_nested and _length(part) == sum(map(_length, cells))


def _length(part: SurveyElement) -> int:
    """Characters of all text in it, without spaces."""
    return len("".join(element_text(part).split()))


def _within(
    part: SurveyElement, roles: Collection[str], around: Collection[str]
) -> Iterator[SurveyElement]:
    """The outermost parts with such roles, in others that are only around them."""
    for child in part.elements():
        if child.role in roles:
            yield child
        elif child.role in around:
            yield from _within(child, roles, around)


def row_cells(row: SurveyElement) -> list[SurveyElement]:
    """The cells of a row."""
    return list(row.elements() if row.tag == "tr" else _within(row, _CELLS, _AROUND))


def _is_regular(table: SurveyElement) -> bool:
    """Whether there are rows and columns, and little in each cell."""
    rows = [list(row.elements()) for row in table_rows(table)]
    if len(rows) <= 1 or min(map(len, rows)) <= 1:
        return False
    return all(len(element_text(cell)) <= _LONGEST_CELL for row in rows for cell in row)


def table_rows(part: SurveyElement) -> Iterator[SurveyElement]:
    """The rows of a table, of a group of rows or of a row."""
    if part.tag == "tr" or part.role == "row":
        yield part
    elif part.tag == "table" or part.tag in _ROW_GROUPS:
        for child in part.elements():
            yield from table_rows(child)
    elif part.role in _TABLES or part.role == "rowgroup":
        yield from _within(part, {"row"}, _AROUND_ROWS)


def build_grid(
    rows: Iterable[SurveyElement], write: Callable[[SurveyElement], str]
) -> list[list[str]]:
    """The texts by row and column, of rows that have any of their own.

    A cell over several rows is told in each, one over several columns in the first. Columns in
    which no cell begins are none.
    """
    found: list[list[str]] = []
    group: SurveyElement | None = None
    begun: set[int] = set()
    spans = _Spans(begun)
    for row in rows:
        if row.parent is not group:
            group, spans = row.parent, _Spans(begun)
        cells = [(part, write(part)) for part in row_cells(row)]
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

    def placed(self, cells: Iterable[tuple[SurveyElement, str]]) -> list[str]:
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

    def _put(self, texts: list[str], part: SurveyElement, text: str) -> None:
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


_LISTS = {"ul", "ol", "menu"}
_ALONE = FIELDS | CODE | {"img", "math"}
_ANY, _TOLD = 0, -1
"""Where the address of a link without a heading is told; and that it has been told."""


def _never(part: SurveyElement) -> bool:  # noqa: ARG001 - a kind of is_section
    return False


@attrs.frozen
class BlockReader:
    """Reads blocks; elements that are ``sections`` of their own are given as they are.

    ``_tellers`` are by the numbers of links the headings at which their addresses are told.
    """

    style: InlineStyle
    is_section: Callable[[SurveyElement], bool] = _never
    _tellers: dict[int, int] = attrs.field(factory=dict[int, int])

    def whole(self, part: SurveyElement) -> Iterator[Block | SurveyElement]:
        """An element as the block that it is, or else what lies in it."""
        if self.is_section(part):
            yield from self.read(part)
        elif is_row_group(part):
            yield from self._table(part)
        else:
            yield from self._block(part)

    def read(self, part: SurveyElement) -> Iterator[Block | SurveyElement]:
        """What lies in an element, in order: each text once."""
        run: list[SurveyElement | str] = []
        for child in part.children:
            if isinstance(child, str) or self._is_inline(child):
                run.append(child)
                continue
            yield from self._paragraph(run, part)
            run = []
            yield from self._block(child)
        yield from self._paragraph(run, part)

    def _is_inline(self, part: SurveyElement) -> bool:
        """Whether it stands in a line: it is no block, and there is none in it."""
        return not any(one.is_block or one.tag == "iframe" or is_code(one) for one in part.walk())

    def _paragraph(
        self, run: Sequence[SurveyElement | str], around: SurveyElement
    ) -> Iterator[Block]:
        if text := self._addressed(around, lambda style: style.written(run)):
            yield Paragraph(text)

    def _addressed(self, part: SurveyElement, write: Callable[[InlineStyle], str]) -> str:
        """The text of a part that is or lies in a link; the address is told once, at a heading."""
        link = self._link_to_tell(part)
        if link is None:
            return write(self.style)
        text = write(self.style.in_link())
        if text:
            self._tellers[link.nid] = _TOLD
        return self.style.link(text, link)

    def _link_to_tell(self, part: SurveyElement) -> SurveyElement | None:
        link = _link_around(part) if self.style.tells_links else None
        if link is None:
            return None
        if link.nid not in self._tellers:
            self._tellers[link.nid] = _teller(link)
        return link if self._tellers[link.nid] in {_ANY, part.nid} else None

    def _link(self, part: SurveyElement) -> Iterator[Block | SurveyElement]:
        """A link that is a block; one that shows no text is called by its name."""
        blocks = list(self.read(part))
        if not blocks and self.style.tells_links and part.name:
            blocks = [Paragraph(self.style.named_link(part))]
        yield from blocks

    def _block(self, part: SurveyElement) -> Iterator[Block | SurveyElement]:
        if self.is_section(part):
            yield part
        elif part.role == "heading":
            if text := self._addressed(part, lambda style: _title(part, style)):
                yield HeadingBlock(part.facts.get("level", 2), text)
        elif is_code(part):
            yield CodeBlock(code_language(part), code_text(part))
        elif part.tag in _LISTS and _count(part):
            yield from self._listing(part)
        elif is_data_table(part):
            yield from self._table(part)
        else:
            yield from self._by_tag(part)

    def _by_tag(self, part: SurveyElement) -> Iterator[Block | SurveyElement]:
        if part.tag == "blockquote":
            yield Quote(self._all(part))
        elif part.tag == "dt":
            yield from self._term(part)
        elif "href" in part.facts:
            yield from self._link(part)
        elif part.tag in _ALONE or "checked" in part.facts:
            yield from self._paragraph([part], part)
        else:
            yield from self.read(part)

    def _all(self, part: SurveyElement) -> list[Block]:
        """The blocks of an element, those of sections in it among them."""
        inside = attrs.evolve(self, is_section=_never)
        return [block for block in inside.read(part) if not isinstance(block, SurveyElement)]

    def _term(self, part: SurveyElement) -> Iterator[Block]:
        for block in self._all(part):
            yield attrs.evolve(block, term=True) if isinstance(block, Paragraph) else block

    def _listing(self, part: SurveyElement) -> Iterator[Block]:
        items = [(self._all(child), number) for child, number in _numbered(part)]
        filled = [(item, number) for item, number in items if item]
        if filled:
            numbers = [number for _, number in filled] if part.tag == "ol" else []
            yield ListBlock([item for item, _ in filled], numbers)

    def _table(self, part: SurveyElement) -> Iterator[Block]:
        for child in part.elements():
            if child.tag == "caption":
                yield from self._all(child)
        if filled := build_grid(table_rows(part), self._cell):
            yield Table(filled)

    def _cell(self, part: SurveyElement) -> str:
        return " ".join(filter(None, map(self._in_line, self._all(part))))

    def _in_line(self, block: Block) -> str:
        text = flat_text(block)
        return inline_code(text) if self.style.markdown and isinstance(block, CodeBlock) else text


def _numbered(listing: SurveyElement) -> Iterator[tuple[SurveyElement, int]]:
    """What lies in a list, with the numbers that the browser shows."""
    facts = listing.facts
    step = -1 if "reversed" in facts else 1
    number = int(facts.get("start", 1 if step == 1 else _count(listing)))
    for child in listing.elements():
        number = int(child.facts.get("number", number))
        yield child, number
        number += step if child.tag == "li" else 0


def _count(listing: SurveyElement) -> int:
    return sum(child.tag == "li" for child in listing.elements())


def _title(heading: SurveyElement, style: InlineStyle) -> str:
    text = style.inside(heading.children) or style.escaped(heading.name)
    return " ".join(text.split())


def _link_around(part: SurveyElement) -> SurveyElement | None:
    link: SurveyElement | None = part
    while link is not None and "href" not in link.facts:
        link = link.parent
    return link


def _teller(link: SurveyElement) -> int:
    """The number of the heading in a link, if there is one."""
    headings = (one.nid for one in link.walk() if one.role == "heading" and one.name)
    return next(headings, _ANY)
