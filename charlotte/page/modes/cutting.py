"""Cuts blocks so that their Markdown is not longer than wanted: between rows and items."""

from collections.abc import Iterable, Sequence

import attrs

from charlotte.page.modes.blocks import Block, Code, Heading, Listing, Paragraph, Quote, Table, flat
from charlotte.page.modes.escapes import LINKING, whole_until
from charlotte.page.modes.lines import shortened
from charlotte.page.modes.markdown import block_text, row_text

_LEAST = 4
"""Characters of a text that is cut: one and three dots."""
_WORTH_CUTTING = 40
_MARK = 3
"""Characters in front of an item."""
_DOTS = "..."


def fitting(blocks: Iterable[Block], room: int) -> tuple[list[Block], bool]:
    """The blocks that ``room`` characters hold, the last of them cut; and whether any was."""
    kept: list[Block] = []
    for block in blocks:
        size = len(block_text(block))
        if size > room:
            return [*kept, *_cut(block, room)] if room > 0 else kept, True
        kept.append(block)
        room -= size
    return kept, False


def _cut(block: Block, room: int) -> Sequence[Block]:
    """As much of a block as there is room for; nothing of it if that makes no sense."""
    match block:
        case Heading() | Paragraph() | Code():
            shorten = shortened if isinstance(block, Code) else _shortened
            return [attrs.evolve(block, text=shorten(block.text, max(room, _LEAST)))]
        case Listing(items):
            cut = attrs.evolve(block, items=_items(items, room))
            return [cut] if cut.items else []
        case Table(rows):
            return _table(rows, room)
        case Quote(blocks):
            return [Quote(fitting(blocks, room)[0])]


def _items(items: Sequence[Sequence[Block]], room: int) -> list[Sequence[Block]]:
    """The first items; the next as well as far as it goes, if there are things to leave out."""
    kept: list[Sequence[Block]] = []
    for item in items:
        size = _MARK + sum(len(block_text(block)) + 1 for block in item)
        if size > room:
            is_cut = not kept or (len(item) > 1 and room >= _WORTH_CUTTING)
            part = fitting(item, room - _MARK)[0] if is_cut else []
            return [*kept, part] if part else kept
        kept.append(item)
        room -= size
    return kept


def _table(rows: Sequence[Sequence[str]], room: int) -> Sequence[Block]:
    """The first rows; of rows that are longer than what there is room for, some text."""
    kept: list[Sequence[str]] = []
    left = room - len(row_text(["---"] * max(map(len, rows)))) - 1
    for row in rows:
        left -= len(row_text(row)) + 1
        if left < 0:
            break
        kept.append(row)
    if kept:
        return [Table(kept)]
    return [Paragraph(_shortened(flat(Table(rows)), max(room, _LEAST)))]


def _shortened(text: str, limit: int) -> str:
    """At most ``limit`` characters, none of them of markup that is cut off before its end.

    Of a text that begins with such markup, what is marked up is told.
    """
    if len(text) <= limit:
        return text
    end = limit - len(_DOTS)
    return f"{text[: whole_until(text, end)] or _said(text, end)}{_DOTS}"


def _said(text: str, end: int) -> str:
    """What the link, image or code that a text begins with says, as far as there is room."""
    said = text.lstrip(LINKING).partition("](")[0]
    return said if len(said) <= end else said[: whole_until(said, end)] or said.strip("`")[:end]
