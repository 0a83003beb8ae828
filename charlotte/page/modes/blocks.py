"""The content of an element as blocks: headings, paragraphs, code, lists, tables, quotes."""

from collections.abc import Callable, Iterator, Sequence

import attrs

from charlotte.page.modes.inline import Style
from charlotte.page.modes.survey import Part
from charlotte.page.modes.texts import code_language, code_text

_ROW_GROUPS = {"thead", "tbody", "tfoot"}
_TOO_MUCH_FOR_A_CELL = {"table", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article"}
_LISTS = {"ul", "ol", "menu"}


@attrs.frozen
class Heading:
    """A heading of level 1 to 6."""

    level: int
    text: str


@attrs.frozen
class Paragraph:
    """A run of text; a ``term`` is what the paragraphs after it define."""

    text: str
    term: bool = False


@attrs.frozen
class Code:
    """Preformatted text; ``language`` is "" if nothing tells."""

    language: str
    text: str


@attrs.frozen
class Listing:
    """A list; ``start`` numbers its items, if they are numbered."""

    items: Sequence[Sequence["Block"]]
    start: int | None = None


@attrs.frozen
class Table:
    """Rows of cells, the first with the headings of the columns."""

    rows: Sequence[Sequence[str]]


@attrs.frozen
class Quote:
    """What somebody else said."""

    blocks: Sequence["Block"]


Block = Heading | Paragraph | Code | Listing | Table | Quote


@attrs.frozen
class Reader:
    """Reads blocks; elements that are ``sections`` of their own are given as they are."""

    style: Style
    is_section: Callable[[Part], bool] = lambda _: False

    def whole(self, part: Part) -> Iterator[Block | Part]:
        """An element as the block that it is, or else what lies in it."""
        if self.is_section(part):
            yield from self.read(part)
        elif part.tag == "tr" or part.tag in _ROW_GROUPS:
            yield from self._table(part)
        else:
            yield from self._block(part)

    def read(self, part: Part) -> Iterator[Block | Part]:
        """What lies in an element, in order: each text once."""
        run: list[Part | str] = []
        for child in part.children:
            if isinstance(child, str) or self._is_inline(child):
                run.append(child)
                continue
            yield from self._paragraph(run)
            run = []
            yield from self._block(child)
        yield from self._paragraph(run)

    def _is_inline(self, part: Part) -> bool:
        """Whether it stands in a line: it is no block, and there is none in it."""
        return not any(one.is_block or one.tag == "iframe" for one in part.walk())

    def _paragraph(self, run: Sequence[Part | str], *, term: bool = False) -> Iterator[Block]:
        if text := self.style.written(run):
            yield Paragraph(text, term)

    def _block(self, part: Part) -> Iterator[Block | Part]:
        if self.is_section(part):
            yield part
        elif part.role == "heading":
            if text := self.style.inside(part.children) or part.name:
                yield Heading(part.facts.get("level", 2), text)
        elif part.tag == "pre":
            yield Code(code_language(part), code_text(part))
        elif part.tag in _LISTS and any(child.tag == "li" for child in part.parts()):
            yield from self._listing(part)
        elif part.tag == "table" and _is_data(part):
            yield from self._table(part)
        elif part.tag == "blockquote":
            yield Quote(self._all(part))
        elif part.tag == "dt":
            yield from self._term(part)
        else:
            yield from self.read(part)

    def _all(self, part: Part) -> list[Block]:
        """The blocks of an element, those of sections in it among them."""
        inside = Reader(self.style)
        return [block for block in inside.read(part) if not isinstance(block, Part)]

    def _term(self, part: Part) -> Iterator[Block]:
        for block in self._all(part):
            yield attrs.evolve(block, term=True) if isinstance(block, Paragraph) else block

    def _listing(self, part: Part) -> Iterator[Block]:
        items = [self._all(child) for child in part.parts()]
        start = int(part.facts.get("start") or 1) if part.tag == "ol" else None
        if filled := [item for item in items if item]:
            yield Listing(filled, start)

    def _table(self, part: Part) -> Iterator[Block]:
        for child in part.parts():
            if child.tag == "caption":
                yield from self._all(child)
        rows = [[self._cell(cell) for cell in row.parts()] for row in _rows(part)]
        if filled := [row for row in rows if any(row)]:
            yield Table(filled)

    def _cell(self, part: Part) -> str:
        return " ".join(filter(None, map(_flat, self._all(part))))


def _flat(block: Block) -> str:
    """A block on one line."""
    match block:
        case Heading(_, text) | Paragraph(text, _) | Code(_, text):
            return " ".join(text.split())
        case Listing(items):
            return "; ".join(" ".join(map(_flat, item)) for item in items)
        case Table(rows):
            return "; ".join(", ".join(row) for row in rows)
        case Quote(blocks):
            return " ".join(map(_flat, blocks))


def _rows(part: Part) -> Iterator[Part]:
    if part.tag == "tr":
        yield part
    elif part.tag == "table" or part.tag in _ROW_GROUPS:
        for child in part.parts():
            yield from _rows(child)


def _is_data(table: Part) -> bool:
    """Whether it is a table, and not a way to lay out a page."""
    if table.role in {"presentation", "none"}:
        return False
    return not any(one.tag in _TOO_MUCH_FOR_A_CELL for one in table.walk() if one is not table)


def plain_text(block: Block) -> str:
    """The text of a block, for counting its words."""
    return block.text if isinstance(block, Code) else _flat(block)
