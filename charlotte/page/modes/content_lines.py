"""Blocks of content as lines: ``TEXT "…"``, ``LIST [3 items]`` and so on (B-CNT)."""

from collections.abc import Iterable, Iterator, Sequence

from charlotte.page.modes.blocks import Block, Code, Heading, Listing, Paragraph, Quote, Table
from charlotte.page.modes.lines import Line, quoted, shortened

_LONGEST_HEADING = 100


def lines_of(blocks: Iterable[Block], max_length: int) -> tuple[list[Line], bool]:
    """The lines of a section with ``max_length`` characters of text, and whether that cut any."""
    lines: list[Line] = []
    room = max_length
    for text, line in _written(blocks, 1):
        if room <= 0:
            return lines, True
        if len(text) > room:
            lines.append(_cut(line, text, room))
            return lines, True
        lines.append(line)
        room -= len(text)
    return lines, False


def _cut(line: Line, text: str, room: int) -> Line:
    if text not in line.text:  # it was escaped
        return line
    return Line(line.text.replace(text, shortened(text, max(room, 4))), depth=line.depth)


Written = Iterator[tuple[str, Line]]
"""Lines, each with the text of the page in it."""


def _written(blocks: Iterable[Block], depth: int) -> Written:
    for block in blocks:
        match block:
            case Heading(level, text):
                told = quoted(text, _LONGEST_HEADING)
                yield text, Line(f"HEADING level={level} {told}", depth=depth)
            case Paragraph(text):
                yield from _texts(text.split("\n"), depth)
            case Code(language, text):
                yield from _code(language, text.split("\n"), depth)
            case Listing():
                yield from _list(block, depth)
            case Table(rows):
                yield "", Line(f"TABLE [{len(rows)} rows]", depth=depth)
                for row in rows:
                    text = " | ".join(row)
                    yield text, Line(f"- {quoted(text)}", depth=depth + 1)
            case Quote(inside):
                yield "", Line("QUOTE", depth=depth)
                yield from _written(inside, depth + 1)


def _texts(lines: Iterable[str], depth: int) -> Written:
    for line in lines:
        yield line, Line(f"TEXT {quoted(line)}", depth=depth)


def _code(language: str, lines: Sequence[str], depth: int) -> Written:
    counted = f"{language}, {len(lines)} lines" if language else f"{len(lines)} lines"
    yield "", Line(f"CODE [{counted}]", depth=depth)
    for line in lines:
        yield line, Line(line, depth=depth + 1)


def _list(listing: Listing, depth: int) -> Written:
    yield "", Line(f"LIST [{len(listing.items)} items]", depth=depth)
    for item, mark in zip(listing.items, listing.marks(), strict=False):
        first, *rest = item
        if isinstance(first, Paragraph | Heading):
            text, *others = first.text.split("\n")
            yield text, Line(f"{mark} {quoted(text)}", depth=depth + 1)
            yield from _texts(others, depth + 2)
        else:
            yield "", Line(mark, depth=depth + 1)
            rest = [*item]
        yield from _written(rest, depth + 2)
