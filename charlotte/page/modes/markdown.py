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
    plain_text,
)
from charlotte.page.modes.lines import shortened


def markdown_of(blocks: Iterable[Block], max_length: int) -> tuple[str, bool]:
    """The text of a section, and whether it was cut at about ``max_length`` characters."""
    texts: list[str] = []
    room = max_length
    for block in blocks:
        text = _block(block)
        if len(text) > room:
            texts += [_cut(block, text, room)] if room > 0 else []
            return "\n\n".join(texts), True
        texts.append(text)
        room -= len(text)
    return "\n\n".join(texts), False


def _cut(block: Block, text: str, room: int) -> str:
    """As much of a block as there is room for; of lists and tables, as one line."""
    if isinstance(block, Paragraph | Heading):
        return shortened(text, max(room, 4))
    if isinstance(block, Code):
        return _fenced(block.language, shortened(block.text, max(room, 4)))
    return shortened(" ".join(plain_text(block).split()), max(room, 4))


def _block(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {' '.join(text.split())}"
        case Paragraph(text, term):
            return f"**{text}**" if term and "**" not in text and "\n" not in text else text
        case Code(language, text):
            return _fenced(language, text)
        case Listing(items, start):
            return _list(items, start)
        case Table(rows):
            return _table(rows)
        case Quote(blocks):
            return _prefixed("\n\n".join(map(_block, blocks)), "> ", "> ")


def _fenced(language: str, text: str) -> str:
    """Code between fences that are longer than any in it."""
    longest = max(map(len, re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _list(items: Sequence[Sequence[Block]], start: int | None) -> str:
    marks = ("- " if start is None else f"{start + n}. " for n in range(len(items)))
    return "\n".join(
        _prefixed(_item(item), mark, " " * len(mark))
        for mark, item in zip(marks, items, strict=True)
    )


def _item(blocks: Sequence[Block]) -> str:
    """What stands in an item; a list follows the text it belongs to without an empty line."""
    text = _block(blocks[0])
    for block in blocks[1:]:
        text += ("\n" if isinstance(block, Listing) else "\n\n") + _block(block)
    return text


def _prefixed(text: str, first: str, others: str) -> str:
    lines = text.split("\n")
    rest = (f"{others}{line}".rstrip() for line in lines[1:])
    return "\n".join([f"{first}{lines[0]}", *rest])


def _table(rows: Sequence[Sequence[str]]) -> str:
    width = max(map(len, rows))
    first, *others = [[*row, *[""] * (width - len(row))] for row in rows]
    return "\n".join(map(_row, [first, ["---"] * width, *others]))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
