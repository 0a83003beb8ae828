"""Blocks of content (headings, paragraphs, code, lists, tables, quotes) and their Markdown."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat

import attrs

from charlotte.page.modes.inline import LINK_START, find_cut
from charlotte.page.modes.lines import shorten

_SHORTEST = 4
"""Characters of a cut text: one and three dots."""
_WORTH_CUTTING = 40
_MARK_LENGTH = 3
"""Characters before an item."""
_DOTS = "..."


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


def block_text(block: Block) -> str:
    """Return the text of a block for word counts and searches."""
    return block.text if isinstance(block, CodeBlock) else flat_text(block)


def blocks_markdown(blocks: Iterable[Block]) -> str:
    """Return the Markdown of several blocks (B-MD)."""
    return "\n\n".join(map(block_markdown, blocks))


def block_markdown(block: Block) -> str:
    """Return the Markdown of one block."""
    match block:
        case HeadingBlock(level, text):
            return f"{'#' * level} {text}"
        case Paragraph(text, term):
            return f"**{text}**" if term and "**" not in text and "\n" not in text else text
        case CodeBlock(language, text):
            longest = max(map(len, re.findall("`{3,}", text)), default=2)
            fence = "`" * (longest + 1)
            return f"{fence}{language}\n{text}\n{fence}"
        case ListBlock(items):
            return "\n".join(
                _indent(_item_markdown(item), f"{mark} ", " " * (len(mark) + 1))
                for item, mark in zip(items, block.marks(), strict=False)
            )
        case Table(rows):
            width = max(map(len, rows))
            first, *others = [[*row, *[""] * (width - len(row))] for row in rows]
            return "\n".join(map(_row_markdown, [first, ["---"] * width, *others]))
        case Quote(blocks):
            return _indent(blocks_markdown(blocks), "> ", "> ")


def _item_markdown(blocks: Sequence[Block]) -> str:
    """Return the Markdown of an item; a list in it follows its text without an empty line."""
    text = block_markdown(blocks[0])
    for block in blocks[1:]:
        text += ("\n" if isinstance(block, ListBlock) else "\n\n") + block_markdown(block)
    return text


def _indent(text: str, first: str, others: str) -> str:
    lines = text.split("\n")
    rest = (f"{others}{line}".rstrip() for line in lines[1:])
    return "\n".join([f"{first}{lines[0]}", *rest])


def _row_markdown(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def cut_blocks(blocks: Iterable[Block], room: int) -> tuple[list[Block], bool]:
    """Return the blocks that fit into ``room`` characters, the last one cut, and whether it is."""
    kept: list[Block] = []
    for block in blocks:
        size = len(block_markdown(block))
        if size > room:
            return [*kept, *_cut_block(block, room)] if room > 0 else kept, True
        kept.append(block)
        room -= size
    return kept, False


def _cut_block(block: Block, room: int) -> Sequence[Block]:
    """Return the part of a block that fits, or nothing if no useful part does."""
    match block:
        case CodeBlock(_, text):
            return [attrs.evolve(block, text=shorten(text, max(room, _SHORTEST)))]
        case HeadingBlock(_, text) | Paragraph(text, _):
            return [attrs.evolve(block, text=_shorten_markdown(text, max(room, _SHORTEST)))]
        case ListBlock(items):
            kept_items = _cut_items(items, room)
            return [attrs.evolve(block, items=kept_items)] if kept_items else []
        case Table(rows):
            return _cut_table(rows, room)
        case Quote(blocks):
            return [Quote(cut_blocks(blocks, room)[0])]


def _cut_items(items: Sequence[Sequence[Block]], room: int) -> list[Sequence[Block]]:
    """Return the items that fit, and a part of the next one if it has several blocks."""
    kept: list[Sequence[Block]] = []
    for item in items:
        size = _MARK_LENGTH + sum(len(block_markdown(block)) + 1 for block in item)
        if size > room:
            is_cut = not kept or (len(item) > 1 and room >= _WORTH_CUTTING)
            part = cut_blocks(item, room - _MARK_LENGTH)[0] if is_cut else []
            return [*kept, part] if part else kept
        kept.append(item)
        room -= size
    return kept


def _cut_table(rows: Sequence[Sequence[str]], room: int) -> Sequence[Block]:
    """Return the rows that fit, or some text of rows that are too long."""
    kept: list[Sequence[str]] = []
    left = room - len(_row_markdown(["---"] * max(map(len, rows)))) - 1
    for row in rows:
        left -= len(_row_markdown(row)) + 1
        if left < 0:
            break
        kept.append(row)
    if kept:
        return [Table(kept)]
    return [Paragraph(_shorten_markdown(flat_text(Table(rows)), max(room, _SHORTEST)))]


def _shorten_markdown(text: str, limit: int) -> str:
    """Cut a text to ``limit`` characters, not within markup.

    If the text begins with such markup, the marked text is returned.
    """
    if len(text) <= limit:
        return text
    end = limit - len(_DOTS)
    kept = text[: find_cut(text, end)]
    if not kept:
        inner = text.lstrip(LINK_START).partition("](")[0]
        kept = inner if len(inner) <= end else inner[: find_cut(inner, end)]
        kept = kept or inner.strip("`")[:end]
    return f"{kept}{_DOTS}"
