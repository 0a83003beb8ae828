"""What content is made of: headings, paragraphs, code, lists, tables, quotes."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat

import attrs

from charlotte.page.modes.inline import LINKING, find_cut
from charlotte.page.modes.lines import shorten


@attrs.frozen
class HeadingBlock:
    """A heading of level 1 to 6."""

    level: int
    text: str


@attrs.frozen
class Paragraph:
    """A run of text; a ``term`` is what the paragraphs after it define."""

    text: str
    term: bool = False


@attrs.frozen
class CodeBlock:
    """Preformatted text; ``language`` is "" if nothing tells."""

    language: str
    text: str


@attrs.frozen
class ListBlock:
    """A list, with the numbers of its items if they are numbered."""

    items: Sequence[Sequence["Block"]]
    numbers: Sequence[int] = ()

    def marks(self) -> Iterator[str]:
        """What stands in front of each item."""
        return (f"{number}." for number in self.numbers) if self.numbers else repeat("-")


@attrs.frozen
class Table:
    """Rows of cells, the first with the headings of the columns."""

    rows: Sequence[Sequence[str]]


@attrs.frozen
class Quote:
    """What somebody else said."""

    blocks: Sequence["Block"]


Block = HeadingBlock | Paragraph | CodeBlock | ListBlock | Table | Quote


def flat_text(block: Block) -> str:
    """A block on one line."""
    match block:
        case HeadingBlock(_, text) | Paragraph(text, _) | CodeBlock(_, text):
            return " ".join(text.split())
        case ListBlock(items):
            return "; ".join(" ".join(map(flat_text, item)) for item in items)
        case Table(rows):
            return "; ".join(", ".join(filter(None, row)) for row in rows)
        case Quote(blocks):
            return " ".join(map(flat_text, blocks))


def block_text(block: Block) -> str:
    """The text of a block, for counting its words."""
    return block.text if isinstance(block, CodeBlock) else flat_text(block)


def blocks_markdown(blocks: Iterable[Block]) -> str:
    """The text of a section."""
    return "\n\n".join(map(block_markdown, blocks))


def block_markdown(block: Block) -> str:
    """The text of one block."""
    match block:
        case HeadingBlock(level, text):
            return f"{'#' * level} {text}"
        case Paragraph(text, term):
            return f"**{text}**" if term and "**" not in text and "\n" not in text else text
        case CodeBlock(language, text):
            return _fenced(language, text)
        case ListBlock():
            return _list(block)
        case Table(rows):
            return _table_markdown(rows)
        case Quote(blocks):
            return _prefixed("\n\n".join(map(block_markdown, blocks)), "> ", "> ")


def _fenced(language: str, text: str) -> str:
    """Code between fences that are longer than any in it."""
    longest = max(map(len, re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _list(listing: ListBlock) -> str:
    return "\n".join(
        _prefixed(_item(item), f"{mark} ", " " * (len(mark) + 1))
        for item, mark in zip(listing.items, listing.marks(), strict=False)
    )


def _item(blocks: Sequence[Block]) -> str:
    """What stands in an item; a list follows the text it belongs to without an empty line."""
    text = block_markdown(blocks[0])
    for block in blocks[1:]:
        text += ("\n" if isinstance(block, ListBlock) else "\n\n") + block_markdown(block)
    return text


def _prefixed(text: str, first: str, others: str) -> str:
    lines = text.split("\n")
    rest = (f"{others}{line}".rstrip() for line in lines[1:])
    return "\n".join([f"{first}{lines[0]}", *rest])


def _table_markdown(rows: Sequence[Sequence[str]]) -> str:
    width = max(map(len, rows))
    first, *others = [[*row, *[""] * (width - len(row))] for row in rows]
    return "\n".join(map(row_markdown, [first, ["---"] * width, *others]))


def row_markdown(cells: Iterable[str]) -> str:
    """The line of a row."""
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


_LEAST = 4
"""Characters of a text that is cut: one and three dots."""
_WORTH_CUTTING = 40
_MARK = 3
"""Characters in front of an item."""
_DOTS = "..."


def cut_blocks(blocks: Iterable[Block], room: int) -> tuple[list[Block], bool]:
    """The blocks that ``room`` characters hold, the last of them cut; and whether any was."""
    kept: list[Block] = []
    for block in blocks:
        size = len(block_markdown(block))
        if size > room:
            return [*kept, *_cut(block, room)] if room > 0 else kept, True
        kept.append(block)
        room -= size
    return kept, False


def _cut(block: Block, room: int) -> Sequence[Block]:
    """As much of a block as there is room for; nothing of it if that makes no sense."""
    match block:
        case HeadingBlock() | Paragraph() | CodeBlock():
            cut = shorten if isinstance(block, CodeBlock) else _shortened
            return [attrs.evolve(block, text=cut(block.text, max(room, _LEAST)))]
        case ListBlock(items):
            shorter = attrs.evolve(block, items=_items(items, room))
            return [shorter] if shorter.items else []
        case Table(rows):
            return _cut_table(rows, room)
        case Quote(blocks):
            return [Quote(cut_blocks(blocks, room)[0])]


def _items(items: Sequence[Sequence[Block]], room: int) -> list[Sequence[Block]]:
    """The first items; the next as well as far as it goes, if there are things to leave out."""
    kept: list[Sequence[Block]] = []
    for item in items:
        size = _MARK + sum(len(block_markdown(block)) + 1 for block in item)
        if size > room:
            is_cut = not kept or (len(item) > 1 and room >= _WORTH_CUTTING)
            part = cut_blocks(item, room - _MARK)[0] if is_cut else []
            return [*kept, part] if part else kept
        kept.append(item)
        room -= size
    return kept


def _cut_table(rows: Sequence[Sequence[str]], room: int) -> Sequence[Block]:
    """The first rows; of rows that are longer than what there is room for, some text."""
    kept: list[Sequence[str]] = []
    left = room - len(row_markdown(["---"] * max(map(len, rows)))) - 1
    for row in rows:
        left -= len(row_markdown(row)) + 1
        if left < 0:
            break
        kept.append(row)
    if kept:
        return [Table(kept)]
    return [Paragraph(_shortened(flat_text(Table(rows)), max(room, _LEAST)))]


def _shortened(text: str, limit: int) -> str:
    """At most ``limit`` characters, none of them of markup that is cut off before its end.

    Of a text that begins with such markup, what is marked up is told.
    """
    if len(text) <= limit:
        return text
    end = limit - len(_DOTS)
    return f"{text[: find_cut(text, end)] or _said(text, end)}{_DOTS}"


def _said(text: str, end: int) -> str:
    """What the link, image or code that a text begins with says, as far as there is room."""
    said = text.lstrip(LINKING).partition("](")[0]
    return said if len(said) <= end else said[: find_cut(said, end)] or said.strip("`")[:end]
