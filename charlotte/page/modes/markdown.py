"""Blocks of content as Markdown (B-MD)."""

import re
from collections.abc import Iterable, Sequence

from charlotte.page.modes.blocks import (
    Block,
    Code,
    Heading,
    Listing,
    Paragraph,
    Quote,
    Table,
)


def markdown_of(blocks: Iterable[Block]) -> str:
    """The text of a section."""
    return "\n\n".join(map(block_text, blocks))


def block_text(block: Block) -> str:
    """The text of one block."""
    match block:
        case Heading(level, text):
            return f"{'#' * level} {text}"
        case Paragraph(text, term):
            return f"**{text}**" if term and "**" not in text and "\n" not in text else text
        case Code(language, text):
            return _fenced(language, text)
        case Listing():
            return _list(block)
        case Table(rows):
            return _table(rows)
        case Quote(blocks):
            return _prefixed("\n\n".join(map(block_text, blocks)), "> ", "> ")


def _fenced(language: str, text: str) -> str:
    """Code between fences that are longer than any in it."""
    longest = max(map(len, re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _list(listing: Listing) -> str:
    return "\n".join(
        _prefixed(_item(item), f"{mark} ", " " * (len(mark) + 1))
        for item, mark in zip(listing.items, listing.marks(), strict=False)
    )


def _item(blocks: Sequence[Block]) -> str:
    """What stands in an item; a list follows the text it belongs to without an empty line."""
    text = block_text(blocks[0])
    for block in blocks[1:]:
        text += ("\n" if isinstance(block, Listing) else "\n\n") + block_text(block)
    return text


def _prefixed(text: str, first: str, others: str) -> str:
    lines = text.split("\n")
    rest = (f"{others}{line}".rstrip() for line in lines[1:])
    return "\n".join([f"{first}{lines[0]}", *rest])


def _table(rows: Sequence[Sequence[str]]) -> str:
    width = max(map(len, rows))
    first, *others = [[*row, *[""] * (width - len(row))] for row in rows]
    return "\n".join(map(row_text, [first, ["---"] * width, *others]))


def row_text(cells: Iterable[str]) -> str:
    """The line of a row."""
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
