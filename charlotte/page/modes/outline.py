"""The mode ``outline``: sections, headings, lists and code, and how much is in each (B-OUT)."""

from collections import Counter
from collections.abc import Iterator, Sequence

import attrs

from charlotte.page.modes.lines import Given, Line, Told, is_interactive, page_line, quoted
from charlotte.page.modes.paths import Paths
from charlotte.page.modes.survey import Part, Survey
from charlotte.page.modes.texts import code_language, code_text, words_in

_LANDMARKS = frozenset(
    ["banner", "main", "contentinfo", "navigation", "complementary", "region", "search"]
)
_LONGEST_HEADING = 60
_LONGEST_NAME = 50
_MOST_WORDS_ASIDE = 50
_BUDGET = 5_500
"""Characters of lines; of a longer outline the deepest are left out."""


@attrs.frozen
class _Entry:
    """A line to be: its element, what kind it is, and how deep it stands."""

    part: Part
    kind: str
    depth: int


@attrs.frozen
class _Sums:
    """What lies in each section, by its number: all of it, and what is in no section inside."""

    inside: dict[int, Counter[str]] = attrs.field(factory=dict[int, Counter[str]])
    holds_sections: set[int] = attrs.field(factory=set[int])


def outline(survey: Survey) -> Told:
    """B-OUT: everything in document order, indented by the sections it lies in."""
    words = words_in(survey)
    entries = list(_entries(survey, words))
    sums = _summed(survey, entries)
    paths = Paths(survey.steps)
    written = _fitting(entries, words, sums, paths)
    controls = sum(map(is_interactive, survey.parts()))
    return Told(
        header=(page_line(survey), _counted(survey, entries, words)),
        lines=written.lines,
        given=written.given,
        total=controls,
        captured=controls,
        warnings=_warnings(len(entries) - len(written.lines)),
    )


def _warnings(left_out: int) -> list[str]:
    if not left_out:
        return []
    return [f"{left_out} lines of the deepest were left out; selector shows one part in full."]


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
        waiting += [(child, inside) for child in reversed(list(part.parts()))]


def _kind(part: Part, words: dict[int, int]) -> str:
    if part.role in _LANDMARKS or part.role == "article":
        return "section"
    if part.role == "heading":
        return "heading"
    if part.tag == "pre":
        return "code"
    if part.tag in {"ul", "ol"} and any(child.tag == "li" for child in part.parts()):
        return "list"
    marked = "id" in part.facts or "cls" in part.facts
    if part.tag == "section":
        return "section" if "id" in part.facts else ""
    named = part.tag == "div" and marked and words[part.nid] > _MOST_WORDS_ASIDE
    return "section" if named else ""


def _summed(survey: Survey, entries: Sequence[_Entry]) -> _Sums:
    """Counts what is in sections; each element counts in all that it lies in."""
    sums = _Sums({entry.part.nid: Counter() for entry in entries if entry.kind == "section"})
    for part in survey.parts():
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
class _Written:
    lines: list[Line] = attrs.field(factory=list[Line])
    given: list[Given] = attrs.field(factory=list[Given])


def _fitting(
    entries: Sequence[_Entry], words: dict[int, int], sums: _Sums, paths: Paths
) -> _Written:
    """All lines; or without code and lists; or without the deepest, until they fit."""
    kept = list(entries)
    written = _written(kept, words, sums, paths)
    depth = max((entry.depth for entry in entries), default=0)
    while _size(written) > _BUDGET and depth >= 0:
        kept = [
            entry for entry in kept if entry.kind in {"section", "heading"} and entry.depth <= depth
        ]
        written = _written(kept, words, sums, paths)
        depth -= 1
    return written


def _size(written: _Written) -> int:
    return sum(len(line.text) + 2 * line.depth + 1 for line in written.lines)


def _written(
    entries: Sequence[_Entry], words: dict[int, int], sums: _Sums, paths: Paths
) -> _Written:
    written = _Written()
    for entry in entries:
        part = entry.part
        told = _TELL[entry.kind](part)
        if entry.kind == "section":
            told = " ".join(filter(None, [_section(part), f"@ref:{len(written.given)}"]))
            told += f" [{_metadata(part, words, sums)}]"
            written.given.append(Given(part.nid, part.role, part.name))
        written.lines.append(Line(f"{told} {paths.of(part)}", depth=entry.depth))
    return written


def _section(part: Part) -> str:
    role = part.role if part.role in _LANDMARKS or part.role == "article" else "region"
    name = part.name or (_own_name(part) if role == "region" else "")
    return f"{role.upper()} {quoted(name, _LONGEST_NAME)}" if name else role.upper()


def _own_name(part: Part) -> str:
    """What a section without a name is called: by its first heading, else its id or class."""
    for one in part.walk():
        if one.role == "heading" and one.name:
            return one.name
    mark = str(part.facts.get("id") or part.facts.get("cls", ""))
    return mark.replace("-", " ").replace("_", " ")


def _metadata(part: Part, words: dict[int, int], sums: _Sums) -> str:
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


def _heading(part: Part) -> str:
    return f"HEADING level={part.facts.get('level', 2)} {quoted(part.name, _LONGEST_HEADING)}"


def _code(part: Part) -> str:
    lines = len(code_text(part).split("\n"))
    language = code_language(part)
    return f"CODE [{language + ', ' if language else ''}{lines} lines]"


def _list(part: Part) -> str:
    items = sum(child.tag == "li" for child in part.parts())
    return f"LIST [{items} items]"


_TELL = {"heading": _heading, "code": _code, "list": _list, "section": _section}
