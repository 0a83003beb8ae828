"""The mode ``outline``: sections, headings, lists and code, and how much is in each (B-OUT)."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import attrs

from charlotte.page.modes.lines import (
    ModeOutput,
    OutputLine,
    ReferenceTarget,
    is_interactive,
    page_header,
    quote,
)
from charlotte.page.modes.survey import ElementPaths, Survey, SurveyElement
from charlotte.page.modes.texts import code_language, code_text, count_words

_LANDMARKS = frozenset(
    ["banner", "main", "contentinfo", "navigation", "complementary", "region", "search"]
)
_LONGEST_HEADING = 60
_LONGEST_NAME = 50
_MOST_WORDS_ASIDE = 50
BUDGET = 5_500
"""Characters; of a longer outline some lines are left out, and what is still too long is cut."""

_LEAST = 1_000
"""Characters that leaving lines out has to leave."""

_REFERENCE = 10
_USUAL_LEVEL = 2


@attrs.frozen
class _Entry:
    """A line to be: its element, what kind it is, and how deep it stands."""

    part: SurveyElement
    kind: str
    depth: int


@attrs.frozen
class _Sums:
    """What lies in each section, by its number: all of it, and what is in no section inside."""

    inside: dict[int, Counter[str]] = attrs.field(factory=dict[int, Counter[str]])
    holds_sections: set[int] = attrs.field(factory=set[int])


def outline(survey: Survey) -> ModeOutput:
    """B-OUT: everything in document order, indented by the sections it lies in."""
    words = count_words(survey)
    entries = list(_entries(survey, words))
    sums = _summed(survey, entries)
    paths = ElementPaths(survey.steps)
    kept = _fitting([_row(entry, words, sums, paths) for entry in entries])
    lines, given = _written(kept)
    controls = sum(map(is_interactive, survey.elements()))
    return ModeOutput(
        header=(page_header(survey), _counted(survey, entries, words)),
        lines=lines,
        targets=given,
        total=controls,
        captured=controls,
        warnings=_warnings(len(entries) - len(lines)),
        longest=BUDGET,
    )


def _warnings(left_out: int) -> list[str]:
    if not left_out:
        return []
    return [f"{left_out} lines of what says least were left out; selector shows a part in full."]


def _counted(survey: Survey, entries: Sequence[_Entry], words: dict[int, int]) -> str:
    kinds = Counter(entry.kind for entry in entries)
    landmarks = sum(entry.part.role in _LANDMARKS for entry in entries)
    whole = words[survey.root.nid] if survey.root else 0
    return (
        f"OUTLINE: landmarks={landmarks} sections={kinds['section']} "
        f"headings={kinds['heading']} words={whole}"
    )


def _entries(survey: Survey, words: dict[int, int]) -> Iterator[_Entry]:
    waiting = [(survey.root, 0)] if survey.root else []
    while waiting:
        part, depth = waiting.pop()
        kind = _kind(part, words)
        if kind:
            yield _Entry(part, kind, depth)
        if kind in {"heading", "code", "list"}:
            continue
        inside = depth + (kind == "section")
        waiting += [(child, inside) for child in reversed(list(part.elements()))]


def _kind(part: SurveyElement, words: dict[int, int]) -> str:
    if part.role in _LANDMARKS or part.role == "article":
        return "section"
    if part.role == "heading":
        return "heading"
    if part.tag == "pre":
        return "code"
    if part.tag in {"ul", "ol"} and any(child.tag == "li" for child in part.elements()):
        return "list"
    marked = "id" in part.facts or "cls" in part.facts
    if part.tag == "section":
        return "section" if "id" in part.facts else ""
    named = part.tag == "div" and marked and words[part.nid] > _MOST_WORDS_ASIDE
    return "section" if named else ""


def _summed(survey: Survey, entries: Sequence[_Entry]) -> _Sums:
    """Counts what is in sections; each element counts in all that it lies in."""
    sums = _Sums({entry.part.nid: Counter() for entry in entries if entry.kind == "section"})
    for part in survey.elements():
        what = _WHAT.get(part.tag)
        is_section = part.nid in sums.inside
        if what is None and not is_section:
            continue
        node = part.parent
        while node is not None:
            if node.nid in sums.inside:
                if is_section:
                    sums.holds_sections.add(node.nid)
                if what and (what != "links" or "href" in part.facts):
                    sums.inside[node.nid][what] += 1
            node = node.parent
    return sums


_WHAT = {"a": "links", "p": "paragraphs", "li": "items", "pre": "code", "code": "code"}


@attrs.frozen
class _Row:
    """A line but for the number of the section's reference, which would stand in the middle."""

    entry: _Entry
    start: str
    end: str

    @property
    def size(self) -> int:
        """Characters, at most."""
        return len(self.start) + len(self.end) + 2 * self.entry.depth + _REFERENCE

    def line(self, number: int) -> OutputLine:
        """The line, of a section with that number."""
        ref = f" @ref:{number}" if self.entry.kind == "section" else ""
        return OutputLine(f"{self.start}{ref} {self.end}", depth=self.entry.depth)


def _row(entry: _Entry, words: dict[int, int], sums: _Sums, paths: ElementPaths) -> _Row:
    part = entry.part
    end = paths.of(part)
    if entry.kind == "section":
        end = f"[{_metadata(part, words, sums)}] {end}"
    return _Row(entry, _TELL[entry.kind](part), end)


def _size(rows: Sequence[_Row]) -> int:
    return sum(row.size for row in rows)


_Remains = Callable[[_Entry], bool]


def _fitting(rows: Sequence[_Row]) -> Sequence[_Row]:
    """The rows that fit after leaving out as little as possible, if they are worth reading.

    If they are not, those before it: they are better cut where there is no more room.
    """
    kept = rows
    for remains in _ways(rows):
        if _size(kept) <= BUDGET:
            break
        fewer = [row for row in kept if remains(row.entry)]
        if _size(fewer) < _LEAST:
            break
        kept = fewer
    return kept


def _ways(rows: Sequence[_Row]) -> Iterator[_Remains]:
    """What may remain, less and less: no lists and code, fewer levels of headings, less deep."""
    yield lambda entry: entry.kind in {"section", "heading"}
    for level in sorted({_level(row.entry.part) for row in rows} - {1}, reverse=True):
        yield _ranks_above(level)
    for depth in range(max((row.entry.depth for row in rows), default=0), 0, -1):
        yield _lies_above(depth)


def _ranks_above(level: int) -> _Remains:
    return lambda entry: entry.kind == "section" or _level(entry.part) < level


def _lies_above(depth: int) -> _Remains:
    return lambda entry: entry.depth < depth


def _level(part: SurveyElement) -> int:
    return int(part.facts.get("level", _USUAL_LEVEL))


def _written(rows: Sequence[_Row]) -> tuple[list[OutputLine], list[ReferenceTarget]]:
    lines: list[OutputLine] = []
    given: list[ReferenceTarget] = []
    for row in rows:
        part = row.entry.part
        lines.append(row.line(len(given)))
        if row.entry.kind == "section":
            given.append(ReferenceTarget(part.nid, part.role, part.name))
    return lines, given


def _section(part: SurveyElement) -> str:
    role = part.role if part.role in _LANDMARKS or part.role == "article" else "region"
    name = part.name or (_own_name(part) if role == "region" else "")
    return f"{role.upper()} {quote(name, _LONGEST_NAME)}" if name else role.upper()


def _own_name(part: SurveyElement) -> str:
    """What a section without a name is called: by its first heading, else its id or class."""
    for one in part.walk():
        if one.role == "heading" and one.name:
            return one.name
    mark = str(part.facts.get("id") or part.facts.get("cls", ""))
    return mark.replace("-", " ").replace("_", " ")


def _metadata(part: SurveyElement, words: dict[int, int], sums: _Sums) -> str:
    """B-OUT-03…07; a section that holds others leaves items and code to their lines."""
    count = sums.inside[part.nid]
    told = [f"{words[part.nid]} words"]
    if count["links"]:
        told.append(f"{count['links']} links")
    if count["paragraphs"] > 1:
        told.append(f"{count['paragraphs']} paragraphs")
    if part.nid not in sums.holds_sections:
        told += [f"{count[kind]} {kind}" for kind in ("items", "code") if count[kind]]
    return ", ".join(told)


def _heading(part: SurveyElement) -> str:
    return f"HEADING level={_level(part)} {quote(part.name, _LONGEST_HEADING)}"


def _code(part: SurveyElement) -> str:
    lines = len(code_text(part).split("\n"))
    language = code_language(part)
    return f"CODE [{language + ', ' if language else ''}{lines} lines]"


def _list(part: SurveyElement) -> str:
    items = sum(child.tag == "li" for child in part.elements())
    return f"LIST [{items} items]"


_TELL = {"heading": _heading, "code": _code, "list": _list, "section": _section}
