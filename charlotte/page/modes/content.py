"""Mode ``content``: the text of a page by section, as lines or as Markdown (B-CNT, B-MD)."""

import re
from collections.abc import Iterable, Iterator, Sequence

import attrs

from charlotte.page.model import count_fitting
from charlotte.page.modes.blocks import (
    Block,
    BlockReader,
    CodeBlock,
    HeadingBlock,
    ListBlock,
    Paragraph,
    Quote,
    Table,
    flat_text,
)
from charlotte.page.modes.inline import InlineStyle
from charlotte.page.modes.lines import (
    DEFAULT_LENGTH,
    Grep,
    ModeOutput,
    OutputLine,
    one_line,
    page_header,
    quote,
    shorten,
)
from charlotte.page.modes.survey import Survey, SurveyElement, find_paths

_BOX = re.compile(r"\[[ x-]\]")
_LONGEST_HEADING = 100
_SHORTEST = 4
"""Characters of a cut text: one and three dots."""


@attrs.frozen
class _ContentSection:
    """Path of a section, and its blocks before, between or after inner sections."""

    path: str
    blocks: Sequence[Block]
    words: int


def content(
    survey: Survey,
    style: InlineStyle,
    grep: Grep | None = None,
    *,
    max_length: int = DEFAULT_LENGTH,
) -> ModeOutput:
    """Return all sections in document order, or those whose path matches ``grep`` (B-GREP-06).

    If no path matches, only the matching blocks are returned. ``max_length`` limits the characters
    of one section.
    """
    sections: list[_ContentSection] = []
    if survey.root is not None:
        paths, reader = find_paths(survey), BlockReader(style, by_section=True)
        for element, blocks in _group_blocks(survey.root, reader.read_whole(survey.root), reader):
            words = _count_words(blocks)
            if words or style.images:
                sections.append(_ContentSection(paths[element.nid], blocks, words))
    note = ""
    if grep:
        sections = _filter_sections(sections, grep)
        note = grep.note(len(sections))
    lines: list[OutputLine] = []
    words = cut = 0
    for section in sections:
        section_lines, count, is_cut = _build_section(section, max_length, style)
        lines += section_lines
        words, cut = words + count, cut + is_cut
    header: Sequence[str] = ()
    if style.markdown:
        source = f"<!-- source: {one_line(survey.url)} -->{note and f' <!--{note} -->'}"
        lines = [OutputLine(source), *lines, OutputLine(f"<!-- end: {words} words extracted -->")]
    else:
        title = f"CONTENT: sections={len(sections)} words={words}{note}"
        header = (page_header(survey, viewport=False), title)
    subject = "One section was" if cut == 1 else f"{cut} sections were"
    advice = "pass more, or the id of one section or heading as selector."
    warning = f"{subject} cut at max_length={max_length}: {advice}"
    return ModeOutput(header=header, lines=lines, warnings=[warning] if cut else [])


def block_texts(survey: Survey) -> Iterator[str]:
    """Return all text of a survey, block by block."""
    blocks = BlockReader(InlineStyle()).read_whole(survey.root) if survey.root else ()
    return (_block_text(block) for block in blocks if not isinstance(block, SurveyElement))


def _block_text(block: Block) -> str:
    """Return the text of a block for word counts and searches."""
    return block.text if isinstance(block, CodeBlock) else flat_text(block)


def _group_blocks(
    section: SurveyElement, blocks: Iterator[Block | SurveyElement], reader: BlockReader
) -> Iterator[tuple[SurveyElement, list[Block]]]:
    """Return the blocks of a section before an inner section, that section, then the rest."""
    group: list[Block] = []
    for block in blocks:
        if not isinstance(block, SurveyElement):
            group.append(block)
            continue
        if group:
            yield section, group
        group = []
        yield from _group_blocks(block, reader.read(block), reader)
    if group:
        yield section, group


def _count_words(blocks: Iterable[Block]) -> int:
    return sum(len(_BOX.sub("", _block_text(block)).split()) for block in blocks)


def _filter_sections(sections: Sequence[_ContentSection], grep: Grep) -> list[_ContentSection]:
    matches = grep.matcher()
    by_path = [section for section in sections if matches(section.path)]
    if by_path or grep.invert:
        return by_path
    kept: list[_ContentSection] = []
    for section in sections:
        blocks = [block for block in section.blocks if matches(_block_text(block))]
        for index, block in enumerate(blocks):
            if isinstance(block, Table):
                head, *rows = block.rows
                rows = [row for row in rows if matches(" ".join(row))]
                blocks[index] = Table([head, *rows])
        if blocks:
            kept.append(attrs.evolve(section, blocks=blocks))
    return kept


def _build_section(
    section: _ContentSection, max_length: int, style: InlineStyle
) -> tuple[list[OutputLine], int, bool]:
    """Return the lines of a section, the number of words, and whether the section is cut."""
    kept, is_cut = _cut_blocks(section.blocks, max_length)
    if not style.markdown:
        title = OutputLine(f"SECTION {section.path} [{section.words} words]")
        return [title, *_format_blocks(kept, 1)], section.words, is_cut
    texts = (f"<!-- xpath: {section.path} -->", "", *_blocks_markdown(kept).split("\n"), "")
    return [OutputLine(text) for text in texts], _count_words(kept), is_cut


def _format_blocks(blocks: Iterable[Block], depth: int) -> Iterator[OutputLine]:
    for block in blocks:
        match block:
            case HeadingBlock(level, text):
                title = quote(text, _LONGEST_HEADING)
                yield OutputLine(f"HEADING level={level} {title}", depth=depth)
            case Paragraph(text):
                for line in text.split("\n"):
                    yield OutputLine(f"TEXT {quote(line)}", depth=depth)
            case CodeBlock(language, text):
                lines = text.split("\n")
                size = f"{language and language + ', '}{len(lines)} lines"
                yield OutputLine(f"CODE [{size}]", depth=depth)
                yield from (OutputLine(line, depth=depth + 1) for line in lines)
            case ListBlock():
                yield from _format_list(block, depth)
            case Table(rows):
                yield OutputLine(f"TABLE [{len(rows)} rows]", depth=depth)
                for row in rows:
                    yield OutputLine(f"- {quote(' | '.join(row))}", depth=depth + 1)
            case Quote(inside):
                yield OutputLine("QUOTE", depth=depth)
                yield from _format_blocks(inside, depth + 1)


def _format_list(block: ListBlock, depth: int) -> Iterator[OutputLine]:
    yield OutputLine(f"LIST [{len(block.items)} items]", depth=depth)
    for item, mark in zip(block.items, block.marks(), strict=False):
        rest = list(item)
        start = mark
        if isinstance(first := item[0], Paragraph | HeadingBlock):
            text, *others = first.text.split("\n")
            start = f"{mark} {quote(text)}"
            rest[:1] = map(Paragraph, others)
        yield OutputLine(start, depth=depth + 1)
        yield from _format_blocks(rest, depth + 2)


def _blocks_markdown(blocks: Iterable[Block]) -> str:
    """Return the Markdown of several blocks (B-MD)."""
    return "\n\n".join(map(_block_markdown, blocks))


def _block_markdown(block: Block) -> str:
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
            lines: list[str] = []
            for item, mark in zip(items, block.marks(), strict=False):
                text = _block_markdown(item[0])
                for inner in item[1:]:  # a list follows the text of its item without an empty line
                    text += "\n" * (2 - isinstance(inner, ListBlock)) + _block_markdown(inner)
                lines.append(_indent(text, f"{mark} ", " " * (len(mark) + 1)))
            return "\n".join(lines)
        case Table(rows):
            width = max(map(len, rows))
            first, *others = [[*row, *[""] * (width - len(row))] for row in rows]
            return "\n".join(map(_row_markdown, [first, ["---"] * width, *others]))
        case Quote(blocks):
            return _indent(_blocks_markdown(blocks), "> ", "> ")


def _indent(text: str, first: str, others: str) -> str:
    start, *lines = text.split("\n")
    return "\n".join([f"{first}{start}", *(f"{others}{line}".rstrip() for line in lines)])


def _row_markdown(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _cut_blocks(blocks: Iterable[Block], room: int) -> tuple[list[Block], bool]:
    """Return the blocks that fit into ``room`` characters, the last one cut, and whether it is."""
    kept: list[Block] = []
    for block in blocks:
        size = len(_block_markdown(block))
        if size > room:
            return [*kept, *_cut_block(block, room)] if room > 0 else kept, True
        kept.append(block)
        room -= size + 1
    return kept, False


def _cut_block(block: Block, room: int) -> Sequence[Block]:
    """Return the part of a block that fits, or nothing if no useful part does."""
    match block:
        case CodeBlock(_, text) | HeadingBlock(_, text) | Paragraph(text, _):
            return [attrs.evolve(block, text=shorten(text, max(room, _SHORTEST)))]
        case ListBlock(items):
            cut, _ = _cut_blocks(map(Quote, items), room)
            kept_items = [part.blocks for part in cut if isinstance(part, Quote)]
            return [attrs.evolve(block, items=kept_items)] if kept_items else []
        case Table(rows):
            left = room - len(_row_markdown(["---"] * max(map(len, rows)))) - 1
            if kept := rows[: count_fitting(map(_row_markdown, rows), left)]:
                return [Table(kept)]
            return [Paragraph(shorten(flat_text(block), max(room, _SHORTEST)))]
        case Quote(blocks):
            inside, _ = _cut_blocks(blocks, room - 3)  # characters before an item or quote
            return [Quote(inside)] if inside else []
