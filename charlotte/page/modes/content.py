"""Mode ``content``: the text of a page by section, as lines or as Markdown (B-CNT, B-MD)."""

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
from charlotte.page.modes.grep import Grep
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

_SECTIONS = {
    *("banner", "main", "contentinfo", "navigation", "complementary", "region", "search"),
    "article",
}
_BOX = re.compile(r"\[[ x-]\]")
_LONGEST_HEADING = 100
_SHORTEST = 4

Lines = Iterator[tuple[str, OutputLine]]
"""Lines, each with the text of the page in it."""


@attrs.frozen(kw_only=True)
class ContentStyle:
    """Style of the content; ``max_length`` limits the characters of one section."""

    markdown: bool = False
    links: bool = True
    images: bool = False
    max_length: int = 2_000

    @property
    def inline(self) -> InlineStyle:
        """Style of text in lines."""
        return InlineStyle(
            markdown=self.markdown, values=True, links=self.links, images=self.images
        )


@attrs.frozen
class _Section:
    """Path and blocks of a section, up to a section in it or after one."""

    path: str
    blocks: Sequence[Block]
    words: int


def content(survey: Survey, style: ContentStyle, grep: Grep | None = None) -> ModeOutput:
    """Return all sections in document order, or those whose path matches ``grep`` (B-GREP-06).

    If no path matches, only the matching blocks are returned.
    """
    sections = list(_find_sections(survey, style))
    note = ""
    if grep:
        sections = _filter_sections(sections, grep)
        note = grep.note(len(sections))
    build = _build_markdown if style.markdown else _build_lines
    controls = sum(map(is_interactive, survey.elements()))
    output = build(survey, sections, style, note)
    return attrs.evolve(output, total=controls, captured=controls)


def block_texts(survey: Survey) -> Iterator[str]:
    """Return all text of a survey, block by block."""
    root = survey.root
    blocks = BlockReader(InlineStyle()).read_whole(root) if root else iter(())
    return (block_text(block) for block in blocks if not isinstance(block, SurveyElement))


def _find_sections(survey: Survey, style: ContentStyle) -> Iterator[_Section]:
    if survey.root is None:
        return
    paths = ElementPaths(survey.steps)
    reader = BlockReader(style.inline, _is_section)
    for element, blocks in _group_blocks(survey.root, reader.read_whole(survey.root), reader):
        words = _count_words(blocks)
        if words or style.images:
            yield _Section(paths.of(element), blocks, words)


def _is_section(element: SurveyElement) -> bool:
    return element.role in _SECTIONS or (element.tag == "section" and "id" in element.facts)


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
    return sum(len(_BOX.sub("", block_text(block)).split()) for block in blocks)


def _filter_sections(sections: Sequence[_Section], grep: Grep) -> list[_Section]:
    matches = grep.matcher()
    by_path = [section for section in sections if matches(section.path)]
    if by_path or grep.invert:
        return by_path
    kept: list[_Section] = []
    for section in sections:
        blocks = [block for block in section.blocks if matches(block_text(block))]
        for index, block in enumerate(blocks):
            if isinstance(block, Table):
                head, *rows = block.rows
                rows = [row for row in rows if matches(" ".join(row))]
                blocks[index] = Table([head, *rows])
        if blocks:
            kept.append(attrs.evolve(section, blocks=blocks))
    return kept


def _build_lines(
    survey: Survey, sections: Sequence[_Section], style: ContentStyle, note: str
) -> ModeOutput:
    lines: list[OutputLine] = []
    cut = 0
    for section in sections:
        section_lines, is_cut = _limit_lines(section.blocks, style.max_length)
        lines += [OutputLine(f"SECTION {section.path} [{section.words} words]"), *section_lines]
        cut += is_cut
    words = sum(section.words for section in sections)
    title = f"CONTENT: sections={len(sections)} words={words}{note}"
    header = (page_header(survey, viewport=False), title)
    return ModeOutput(header=header, lines=lines, warnings=_build_warnings(cut, style))


def _build_markdown(
    survey: Survey, sections: Sequence[_Section], style: ContentStyle, note: str
) -> ModeOutput:
    texts = [f"<!-- source: {one_line(survey.url)} -->{note and f' <!--{note} -->'}"]
    cut = words = 0
    for section in sections:
        kept, is_cut = cut_blocks(section.blocks, style.max_length)
        texts += [f"<!-- xpath: {section.path} -->", "", blocks_markdown(kept), ""]
        cut += is_cut
        words += _count_words(kept)
    texts.append(f"<!-- end: {words} words extracted -->")
    lines = [OutputLine(line) for line in "\n".join(texts).split("\n")]
    return ModeOutput(header=(), lines=lines, warnings=_build_warnings(cut, style))


def _build_warnings(cut: int, style: ContentStyle) -> list[str]:
    if not cut:
        return []
    subject = "One section was" if cut == 1 else f"{cut} sections were"
    advice = "pass more, or the id of one section or heading as selector."
    return [f"{subject} cut at max_length={style.max_length}: {advice}"]


def _limit_lines(blocks: Iterable[Block], max_length: int) -> tuple[list[OutputLine], bool]:
    """Return the lines with ``max_length`` characters of text, and whether lines were cut."""
    lines: list[OutputLine] = []
    room = max_length
    for text, line in _format_blocks(blocks, 1):
        if room <= 0:
            return lines, True
        if len(text) > room:
            if text in line.text:  # not escaped
                cut = line.text.replace(text, shorten(text, max(room, _SHORTEST)))
                line = OutputLine(cut, depth=line.depth)  # noqa: PLW2901
            return [*lines, line], True
        lines.append(line)
        room -= len(text)
    return lines, False


def _format_blocks(blocks: Iterable[Block], depth: int) -> Lines:
    for block in blocks:
        match block:
            case HeadingBlock(level, text):
                title = quote(text, _LONGEST_HEADING)
                yield text, OutputLine(f"HEADING level={level} {title}", depth=depth)
            case Paragraph(text):
                yield from _format_texts(text.split("\n"), depth)
            case CodeBlock(language, text):
                lines = text.split("\n")
                size = f"{language and language + ', '}{len(lines)} lines"
                yield "", OutputLine(f"CODE [{size}]", depth=depth)
                yield from ((line, OutputLine(line, depth=depth + 1)) for line in lines)
            case ListBlock():
                yield from _format_list(block, depth)
            case Table(rows):
                yield "", OutputLine(f"TABLE [{len(rows)} rows]", depth=depth)
                for row in rows:
                    text = " | ".join(row)
                    yield text, OutputLine(f"- {quote(text)}", depth=depth + 1)
            case Quote(inside):
                yield "", OutputLine("QUOTE", depth=depth)
                yield from _format_blocks(inside, depth + 1)


def _format_texts(lines: Iterable[str], depth: int) -> Lines:
    for line in lines:
        yield line, OutputLine(f"TEXT {quote(line)}", depth=depth)


def _format_list(block: ListBlock, depth: int) -> Lines:
    yield "", OutputLine(f"LIST [{len(block.items)} items]", depth=depth)
    for item, mark in zip(block.items, block.marks(), strict=False):
        first, *rest = item
        if isinstance(first, Paragraph | HeadingBlock):
            text, *others = first.text.split("\n")
            yield text, OutputLine(f"{mark} {quote(text)}", depth=depth + 1)
            yield from _format_texts(others, depth + 2)
        else:
            yield "", OutputLine(mark, depth=depth + 1)
            rest = [*item]
        yield from _format_blocks(rest, depth + 2)
