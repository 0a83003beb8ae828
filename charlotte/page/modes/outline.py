"""Mode ``outline``: sections, headings, lists and code, with the amount of content in each."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import attrs

from charlotte.page.model import ReferenceTarget
from charlotte.page.modes.lines import (
    LONGEST_NAME,
    ModeOutput,
    OutputLine,
    is_interactive,
    page_header,
    quote,
)
from charlotte.page.modes.survey import ElementPaths, Survey, SurveyElement
from charlotte.page.modes.texts import code_language, code_text, count_words

_LANDMARKS = {
    *("banner", "main", "contentinfo", "navigation", "complementary", "region", "search"),
}
_LONGEST_HEADING = 60
_MOST_WORDS_WITHOUT_SECTION = 50
BUDGET = 5_500
"""Characters; from a longer outline the least important lines are removed."""

_LEAST = 1_000
"""Characters that must be left of an outline when lines are removed."""

_REFERENCE = 10
_USUAL_LEVEL = 2
_COUNTED = {"a": "links", "p": "paragraphs", "li": "items", "pre": "code", "code": "code"}


@attrs.frozen
class _Entry:
    """An element with a line, its kind and the depth of the line."""

    element: SurveyElement
    kind: str
    depth: int


@attrs.frozen
class _SectionCounts:
    """Content of each section by its number, and the sections that contain sections."""

    content: dict[int, Counter[str]] = attrs.field(factory=dict[int, Counter[str]])
    with_sections: set[int] = attrs.field(factory=set[int])


@attrs.frozen
class _Row:
    """A line without the reference of the section, whose number is not yet known."""

    entry: _Entry
    start: str
    end: str

    @property
    def size(self) -> int:
        """Largest number of characters of the line."""
        return len(self.start) + len(self.end) + 2 * self.entry.depth + _REFERENCE


def outline(survey: Survey) -> ModeOutput:
    """List the structure in document order, indented by section (B-OUT)."""
    words = count_words(survey)
    entries = list(_find_entries(survey, words))
    counts = _count_content(survey, entries)
    paths = ElementPaths(survey.steps)
    rows = _drop_rows([_build_row(entry, words, counts, paths) for entry in entries])
    lines: list[OutputLine] = []
    targets: list[ReferenceTarget] = []
    for row in rows:
        element, ref = row.entry.element, ""
        if row.entry.kind == "section":
            ref = f" @ref:{len(targets)}"
            targets.append(ReferenceTarget(element.nid, element.role, element.name))
        lines.append(OutputLine(f"{row.start}{ref} {row.end}", depth=row.entry.depth))
    controls = sum(map(is_interactive, survey.elements()))
    left_out = len(entries) - len(lines)
    warning = (
        f"{left_out} lines of low importance were left out; pass selector to see a part in full."
    )
    return ModeOutput(
        header=(page_header(survey), _build_title(survey, entries, words)),
        lines=lines,
        targets=targets,
        total=controls,
        captured=controls,
        warnings=[warning] if left_out else [],
        longest=BUDGET,
    )


def _build_title(survey: Survey, entries: Sequence[_Entry], words: dict[int, int]) -> str:
    kinds = Counter(entry.kind for entry in entries)
    landmarks = sum(entry.element.role in _LANDMARKS for entry in entries)
    return (
        f"OUTLINE: landmarks={landmarks} sections={kinds['section']} "
        f"headings={kinds['heading']} words={words[survey.root.nid] if survey.root else 0}"
    )


def _find_entries(survey: Survey, words: dict[int, int]) -> Iterator[_Entry]:
    waiting = [(survey.root, 0)] if survey.root else []
    while waiting:
        element, depth = waiting.pop()
        kind = _get_kind(element, words)
        if kind:
            yield _Entry(element, kind, depth)
        if kind in {"heading", "code", "list"}:
            continue
        inside = depth + (kind == "section")
        waiting += [(child, inside) for child in reversed(list(element.elements()))]


def _get_kind(element: SurveyElement, words: dict[int, int]) -> str:
    if element.role in _LANDMARKS or element.role == "article":
        return "section"
    if element.role == "heading":
        return "heading"
    if element.tag == "pre":
        return "code"
    if element.tag in {"ul", "ol"} and any(child.tag == "li" for child in element.elements()):
        return "list"
    if element.tag == "section":
        return "section" if "id" in element.facts else ""
    is_marked = "id" in element.facts or "cls" in element.facts
    is_section = is_marked and element.tag == "div"
    return "section" if is_section and words[element.nid] > _MOST_WORDS_WITHOUT_SECTION else ""


def _count_content(survey: Survey, entries: Sequence[_Entry]) -> _SectionCounts:
    """Count the content of sections; each element counts in all sections around it."""
    sections = [entry.element.nid for entry in entries if entry.kind == "section"]
    counts = _SectionCounts({nid: Counter() for nid in sections})
    for element in survey.elements():
        kind = _COUNTED.get(element.tag)
        if kind == "links" and "href" not in element.facts:
            kind = None
        is_section = element.nid in counts.content
        ancestor = element.parent if kind or is_section else None
        while ancestor is not None:
            if ancestor.nid in counts.content:
                if is_section:
                    counts.with_sections.add(ancestor.nid)
                if kind:
                    counts.content[ancestor.nid][kind] += 1
            ancestor = ancestor.parent
    return counts


def _build_row(
    entry: _Entry, words: dict[int, int], counts: _SectionCounts, paths: ElementPaths
) -> _Row:
    element, path = entry.element, paths.of(entry.element)
    match entry.kind:
        case "section":
            metadata = _format_metadata(element, words, counts)
            return _Row(entry, _section_title(element), f"[{metadata}] {path}")
        case "heading":
            title = quote(element.name, _LONGEST_HEADING)
            return _Row(entry, f"HEADING level={_get_level(element)} {title}", path)
        case "code":
            lines = len(code_text(element).split("\n"))
            language = code_language(element)
            return _Row(entry, f"CODE [{language and language + ', '}{lines} lines]", path)
        case _:
            items = sum(child.tag == "li" for child in element.elements())
            return _Row(entry, f"LIST [{items} items]", path)


def _section_title(element: SurveyElement) -> str:
    is_named_role = element.role in _LANDMARKS or element.role == "article"
    role = element.role if is_named_role else "region"
    name = element.name or (_find_name(element) if role == "region" else "")
    return f"{role.upper()} {quote(name, LONGEST_NAME)}" if name else role.upper()


def _find_name(section: SurveyElement) -> str:
    """Return the first heading of a section without a name, else its id or class."""
    for element in section.walk():
        if element.role == "heading" and element.name:
            return element.name
    mark = str(section.facts.get("id") or section.facts.get("cls", ""))
    return mark.replace("-", " ").replace("_", " ")


def _format_metadata(element: SurveyElement, words: dict[int, int], counts: _SectionCounts) -> str:
    """Return the counts of B-OUT-03…07; items and code only for sections without sections."""
    content = counts.content[element.nid]
    texts = [f"{words[element.nid]} words"]
    if content["links"]:
        texts.append(f"{content['links']} links")
    if content["paragraphs"] > 1:
        texts.append(f"{content['paragraphs']} paragraphs")
    if element.nid not in counts.with_sections:
        texts += [f"{content[kind]} {kind}" for kind in ("items", "code") if content[kind]]
    return ", ".join(texts)


def _get_level(element: SurveyElement) -> int:
    return int(element.facts.get("level", _USUAL_LEVEL))


def _drop_rows(rows: Sequence[_Row]) -> Sequence[_Row]:
    """Drop the least important rows until the rest fits, while enough is left.

    If too little would be left, the rest is too long and will be cut.
    """
    for is_kept in _find_conditions(rows):
        if sum(row.size for row in rows) <= BUDGET:
            break
        fewer = [row for row in rows if is_kept(row.entry)]
        if sum(row.size for row in fewer) < _LEAST:
            break
        rows = fewer
    return rows


def _find_conditions(rows: Sequence[_Row]) -> Iterator[Callable[[_Entry], bool]]:
    """Return conditions of rising strictness: no lists and code, then by level, then by depth."""
    yield lambda entry: entry.kind in {"section", "heading"}
    for level in sorted({_get_level(row.entry.element) for row in rows} - {1}, reverse=True):
        yield partial(_is_above_level, level)
    for depth in range(max((row.entry.depth for row in rows), default=0), 0, -1):
        yield partial(_is_above_depth, depth)


def _is_above_level(level: int, entry: _Entry) -> bool:
    return entry.kind == "section" or _get_level(entry.element) < level


def _is_above_depth(depth: int, entry: _Entry) -> bool:
    return entry.depth < depth
