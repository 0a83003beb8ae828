"""The mode ``content``: the text of a page by section, as lines or as Markdown (B-CNT, B-MD)."""

import re
from collections.abc import Iterable, Iterator, Sequence

import attrs

from charlotte.page.modes.blocks import (
    Block,
    CodeBlock,
    HeadingBlock,
    ListBlock,
    Paragraph,
    Quote,
    Table,
    block_text,
    blocks_markdown,
    cut_blocks,
)
from charlotte.page.modes.grep import Grep, TextPredicate
from charlotte.page.modes.inline import InlineStyle
from charlotte.page.modes.lines import (
    ModeOutput,
    OutputLine,
    is_interactive,
    one_line,
    page_header,
    quote,
    shorten,
)
from charlotte.page.modes.reading import BlockReader
from charlotte.page.modes.survey import ElementPaths, Survey, SurveyElement

_LONGEST_HEADING = 100


def block_lines(blocks: Iterable[Block], max_length: int) -> tuple[list[OutputLine], bool]:
    """The lines of a section with ``max_length`` characters of text, and whether that cut any."""
    lines: list[OutputLine] = []
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


def _cut(line: OutputLine, text: str, room: int) -> OutputLine:
    if text not in line.text:  # it was escaped
        return line
    return OutputLine(line.text.replace(text, shorten(text, max(room, 4))), depth=line.depth)


Written = Iterator[tuple[str, OutputLine]]
"""Lines, each with the text of the page in it."""


def _written(blocks: Iterable[Block], depth: int) -> Written:
    for block in blocks:
        match block:
            case HeadingBlock(level, text):
                told = quote(text, _LONGEST_HEADING)
                yield text, OutputLine(f"HEADING level={level} {told}", depth=depth)
            case Paragraph(text):
                yield from _texts(text.split("\n"), depth)
            case CodeBlock(language, text):
                yield from _code(language, text.split("\n"), depth)
            case ListBlock():
                yield from _list(block, depth)
            case Table(rows):
                yield "", OutputLine(f"TABLE [{len(rows)} rows]", depth=depth)
                for row in rows:
                    text = " | ".join(row)
                    yield text, OutputLine(f"- {quote(text)}", depth=depth + 1)
            case Quote(inside):
                yield "", OutputLine("QUOTE", depth=depth)
                yield from _written(inside, depth + 1)


def _texts(lines: Iterable[str], depth: int) -> Written:
    for line in lines:
        yield line, OutputLine(f"TEXT {quote(line)}", depth=depth)


def _code(language: str, lines: Sequence[str], depth: int) -> Written:
    counted = f"{language}, {len(lines)} lines" if language else f"{len(lines)} lines"
    yield "", OutputLine(f"CODE [{counted}]", depth=depth)
    for line in lines:
        yield line, OutputLine(line, depth=depth + 1)


def _list(listing: ListBlock, depth: int) -> Written:
    yield "", OutputLine(f"LIST [{len(listing.items)} items]", depth=depth)
    for item, mark in zip(listing.items, listing.marks(), strict=False):
        first, *rest = item
        if isinstance(first, Paragraph | HeadingBlock):
            text, *others = first.text.split("\n")
            yield text, OutputLine(f"{mark} {quote(text)}", depth=depth + 1)
            yield from _texts(others, depth + 2)
        else:
            yield "", OutputLine(mark, depth=depth + 1)
            rest = [*item]
        yield from _written(rest, depth + 2)


_SECTIONS = frozenset(
    ["banner", "main", "contentinfo", "navigation", "complementary", "region", "search", "article"]
)


_BOX = re.compile(r"\[[ x-]\]")


@attrs.frozen(kw_only=True)
class ContentStyle:
    """What of the content is told: ``max_length`` is in characters, of one section."""

    markdown: bool = False
    links: bool = True
    images: bool = False
    max_length: int = 2_000

    @property
    def inline(self) -> InlineStyle:
        """The same for text in lines."""
        return InlineStyle(
            markdown=self.markdown, values=True, links=self.links, images=self.images
        )


@attrs.frozen
class Section:
    """What one section holds between others: where it is, and its blocks."""

    path: str
    blocks: Sequence[Block]
    words: int


def content(survey: Survey, style: ContentStyle, grep: Grep | None = None) -> ModeOutput:
    """All sections in document order, or those whose path ``grep`` finds (B-GREP-06).

    If it finds no path, those in whose text it finds something, with that alone.
    """
    sections = list(_sections(survey, style))
    kept = _kept(sections, grep) if grep else sections
    note = grep.note(len(kept)) if grep else ""
    write = _markdown if style.markdown else _lines
    controls = sum(map(is_interactive, survey.elements()))
    told = write(survey, kept, style, note)
    return attrs.evolve(told, total=controls, captured=controls)


def _kept(sections: Sequence[Section], grep: Grep) -> Sequence[Section]:
    matches = grep.matcher()
    by_path = [one for one in sections if matches(one.path)]
    if by_path or grep.invert:
        return by_path
    found = (attrs.evolve(one, blocks=_found(one.blocks, matches)) for one in sections)
    return [one for one in found if one.blocks]


def _found(blocks: Sequence[Block], matches: TextPredicate) -> list[Block]:
    """The blocks in which something matches; of a table the first row and those that do."""
    found = [block for block in blocks if matches(block_text(block))]
    return [_rows_found(one, matches) if isinstance(one, Table) else one for one in found]


def _rows_found(table: Table, matches: TextPredicate) -> Table:
    head, *rows = table.rows
    return Table([head, *(row for row in rows if matches(" ".join(row)))])


def _lines(
    survey: Survey, sections: Sequence[Section], style: ContentStyle, note: str
) -> ModeOutput:
    lines: list[OutputLine] = []
    cut = 0
    for one in sections:
        written, is_cut = block_lines(one.blocks, style.max_length)
        lines += [OutputLine(f"SECTION {one.path} [{one.words} words]"), *written]
        cut += is_cut
    counted = f"CONTENT: sections={len(sections)} words={sum(one.words for one in sections)}{note}"
    header = (page_header(survey, viewport=False), counted)
    return ModeOutput(header=header, lines=lines, warnings=_warnings(cut, style))


def _markdown(
    survey: Survey, sections: Sequence[Section], style: ContentStyle, note: str
) -> ModeOutput:
    texts = [f"<!-- source: {one_line(survey.url)} -->{note and f' <!--{note} -->'}"]
    cut = words = 0
    for one in sections:
        kept, is_cut = cut_blocks(one.blocks, style.max_length)
        texts += [f"<!-- xpath: {one.path} -->", "", blocks_markdown(kept), ""]
        cut += is_cut
        words += _words(kept)
    texts.append(f"<!-- end: {words} words extracted -->")
    lines = [OutputLine(line) for line in "\n".join(texts).split("\n")]
    return ModeOutput(header=(), lines=lines, warnings=_warnings(cut, style))


def _warnings(cut: int, style: ContentStyle) -> list[str]:
    if not cut:
        return []
    which = "One section was" if cut == 1 else f"{cut} sections were"
    advice = "pass more, or the id of one section or heading as selector."
    return [f"{which} cut at max_length={style.max_length}: {advice}"]


def _sections(survey: Survey, style: ContentStyle) -> Iterator[Section]:
    if survey.root is None:
        return
    paths = ElementPaths(survey.steps)
    reader = BlockReader(style.inline, _is_section)
    for part, blocks in _runs(survey.root, reader.whole(survey.root), reader):
        words = _words(blocks)
        if words or style.images:
            yield Section(paths.of(part), blocks, words)


def _words(blocks: Sequence[Block]) -> int:
    return sum(len(_BOX.sub("", block_text(block)).split()) for block in blocks)


def block_texts(survey: Survey) -> Iterator[str]:
    """All text of a survey, block by block."""
    root = survey.root
    blocks = BlockReader(InlineStyle()).whole(root) if root else iter(())
    return (block_text(one) for one in blocks if not isinstance(one, SurveyElement))


def _is_section(part: SurveyElement) -> bool:
    return part.role in _SECTIONS or (part.tag == "section" and "id" in part.facts)


def _runs(
    part: SurveyElement, pieces: Iterator[Block | SurveyElement], reader: BlockReader
) -> Iterator[tuple[SurveyElement, list[Block]]]:
    """A section's blocks up to one that lies in it, that one, then what follows it."""
    run: list[Block] = []
    for piece in pieces:
        if not isinstance(piece, SurveyElement):
            run.append(piece)
            continue
        if run:
            yield part, run
        run = []
        yield from _runs(piece, reader.read(piece), reader)
    if run:
        yield part, run
