"""The mode ``content``: the text of a page by section, as lines or as Markdown (B-CNT, B-MD)."""

import re
from collections.abc import Iterator, Sequence

import attrs

from charlotte.page.modes.blocks import Block, Table, plain_text
from charlotte.page.modes.content_lines import lines_of
from charlotte.page.modes.cutting import fitting
from charlotte.page.modes.grep import Grep, Matches
from charlotte.page.modes.inline import Style
from charlotte.page.modes.lines import Line, Told, is_interactive, one_line, page_line
from charlotte.page.modes.markdown import markdown_of
from charlotte.page.modes.paths import Paths
from charlotte.page.modes.reading import Reader
from charlotte.page.modes.survey import Part, Survey

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
    def inline(self) -> Style:
        """The same for text in lines."""
        return Style(markdown=self.markdown, values=True, links=self.links, images=self.images)


@attrs.frozen
class Section:
    """What one section holds between others: where it is, and its blocks."""

    path: str
    blocks: Sequence[Block]
    words: int


def content(survey: Survey, style: ContentStyle, grep: Grep | None = None) -> Told:
    """All sections in document order, or those whose path ``grep`` finds (B-GREP-06).

    If it finds no path, those in whose text it finds something, with that alone.
    """
    sections = list(_sections(survey, style))
    kept = _kept(sections, grep) if grep else sections
    note = grep.note(len(kept)) if grep else ""
    write = _markdown if style.markdown else _lines
    controls = sum(map(is_interactive, survey.parts()))
    told = write(survey, kept, style, note)
    return attrs.evolve(told, total=controls, captured=controls)


def _kept(sections: Sequence[Section], grep: Grep) -> Sequence[Section]:
    matches = grep.matcher()
    by_path = [one for one in sections if matches(one.path)]
    if by_path or grep.invert:
        return by_path
    found = (attrs.evolve(one, blocks=_found(one.blocks, matches)) for one in sections)
    return [one for one in found if one.blocks]


def _found(blocks: Sequence[Block], matches: Matches) -> list[Block]:
    """The blocks in which something matches; of a table the first row and those that do."""
    found = [block for block in blocks if matches(plain_text(block))]
    return [_rows_found(one, matches) if isinstance(one, Table) else one for one in found]


def _rows_found(table: Table, matches: Matches) -> Table:
    head, *rows = table.rows
    return Table([head, *(row for row in rows if matches(" ".join(row)))])


def _lines(survey: Survey, sections: Sequence[Section], style: ContentStyle, note: str) -> Told:
    lines: list[Line] = []
    cut = 0
    for one in sections:
        written, is_cut = lines_of(one.blocks, style.max_length)
        lines += [Line(f"SECTION {one.path} [{one.words} words]"), *written]
        cut += is_cut
    counted = f"CONTENT: sections={len(sections)} words={sum(one.words for one in sections)}{note}"
    header = (page_line(survey, viewport=False), counted)
    return Told(header=header, lines=lines, warnings=_warnings(cut, style))


def _markdown(survey: Survey, sections: Sequence[Section], style: ContentStyle, note: str) -> Told:
    texts = [f"<!-- source: {one_line(survey.url)} -->{note and f' <!--{note} -->'}"]
    cut = words = 0
    for one in sections:
        kept, is_cut = fitting(one.blocks, style.max_length)
        texts += [f"<!-- xpath: {one.path} -->", "", markdown_of(kept), ""]
        cut += is_cut
        words += _words(kept)
    texts.append(f"<!-- end: {words} words extracted -->")
    lines = [Line(line) for line in "\n".join(texts).split("\n")]
    return Told(header=(), lines=lines, warnings=_warnings(cut, style))


def _warnings(cut: int, style: ContentStyle) -> list[str]:
    if not cut:
        return []
    which = "One section was" if cut == 1 else f"{cut} sections were"
    advice = "pass more, or the id of one section or heading as selector."
    return [f"{which} cut at max_length={style.max_length}: {advice}"]


def _sections(survey: Survey, style: ContentStyle) -> Iterator[Section]:
    if survey.root is None:
        return
    paths = Paths(survey.steps)
    reader = Reader(style.inline, _is_section)
    for part, blocks in _runs(survey.root, reader.whole(survey.root), reader):
        words = _words(blocks)
        if words or style.images:
            yield Section(paths.of(part), blocks, words)


def _words(blocks: Sequence[Block]) -> int:
    return sum(len(_BOX.sub("", plain_text(block)).split()) for block in blocks)


def texts_of(survey: Survey) -> Iterator[str]:
    """All text of a survey, block by block."""
    root = survey.root
    blocks = Reader(Style()).whole(root) if root else iter(())
    return (plain_text(one) for one in blocks if not isinstance(one, Part))


def _is_section(part: Part) -> bool:
    return part.role in _SECTIONS or (part.tag == "section" and "id" in part.facts)


def _runs(
    part: Part, pieces: Iterator[Block | Part], reader: Reader
) -> Iterator[tuple[Part, list[Block]]]:
    """A section's blocks up to one that lies in it, that one, then what follows it."""
    run: list[Block] = []
    for piece in pieces:
        if not isinstance(piece, Part):
            run.append(piece)
            continue
        if run:
            yield part, run
        run = []
        yield from _runs(piece, reader.read(piece), reader)
    if run:
        yield part, run
