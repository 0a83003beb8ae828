"""Modes that list elements: ``interactive``, ``all``, ``structure`` and ``outline``."""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count

import attrs

from charlotte.page.modes.inline import code_language, code_text
from charlotte.page.modes.lines import (
    LONGEST_NAME,
    ModeOutput,
    OutputLine,
    build_line,
    page_header,
    quote,
)
from charlotte.page.modes.survey import LANDMARKS, Survey, SurveyElement, find_paths

_PLAIN = {"", "generic", "listitem", "row", "cell", "gridcell", "paragraph"}
_LONGEST_TEXT = 1000
_LIMITS = ("minlength", "maxlength", "pattern", "min", "max")
_STATES = ("disabled", "checked", "expanded", "selected", "hidden")
_TYPES_OF_ROLES = {"text", "checkbox", "radio", "button", "submit"}
"""Input types that add nothing to the role."""

_HEADER_LINES = 3
"""Lines above the list of mode structure, including the empty line."""
_KINDS = ("button", "link", "input", "other control")
_KINDS_IN_FORMS = ("input", "button", "link", "other control")
_INPUTS = {
    *("textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider"),
    *("checkbox", "radio", "switch"),
}

BUDGET = 5_500
"""Characters; from a longer outline the least important lines are removed."""
_LEAST = 1_000
"""Characters that must be left of an outline when lines are removed."""
_LONGEST_HEADING = 60
_MOST_WORDS_WITHOUT_SECTION = 50
_REFERENCE = 10
_COUNTED = {"a": "links", "p": "paragraphs", "li": "items", "pre": "code", "code": "code"}


def interactive(survey: Survey, clickable: Collection[int] = ()) -> ModeOutput:
    """List the interactive elements (B-INT); ``clickable`` are the numbers of further elements."""
    elements = [
        element
        for element in survey.elements()
        if element.is_interactive or element.nid in clickable
    ]
    total = sum(1 for _ in survey.elements())
    title = f"SNAPSHOT: elements={total} refs={len(elements)}"
    return _list_elements(survey, elements, title, clickable)


def everything(survey: Survey, clickable: Collection[int] = ()) -> ModeOutput:
    """List the elements that have a role or are interactive (B-ALL)."""
    elements = [
        element
        for element in survey.elements()
        if element.role not in {"", "document", "generic"}
        or element.is_interactive
        or element.nid in clickable
    ]
    title = f"ALL: elements={len(elements)} refs={len(elements)}"
    return _list_elements(survey, elements, title, clickable)


def _list_elements(
    survey: Survey, elements: Sequence[SurveyElement], title: str, clickable: Collection[int]
) -> ModeOutput:
    paths = find_paths(survey)
    lines: list[OutputLine] = []
    for number, element in enumerate(elements):
        label = _get_label(element, clickable)
        attributes, states = _format_attributes(element), _format_states(element)
        marks = (f"@ref:{number}", attributes, states, paths[element.nid])
        lines.append(_element_line(element, label, marks))
    targets = [element.target for element in elements]
    return ModeOutput(header=(page_header(survey), title), lines=lines, targets=targets)


def _get_label(element: SurveyElement, clickable: Collection[int]) -> str:
    """Return the name, or the text of an interactive element without one."""
    is_active = "focusable" in element.facts or element.nid in clickable
    if element.name or element.role not in _PLAIN or not is_active:
        return element.name
    return "".join(_collect_texts(element)).strip()[:_LONGEST_TEXT]


def _collect_texts(element: SurveyElement) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, str):
            yield child
            continue
        space = " " if child.is_block else ""
        yield space
        yield from _collect_texts(child)
        yield space


def _element_line(
    element: SurveyElement, name: str, marks: Sequence[str], depth: int = 0
) -> OutputLine:
    """Return role, name and marks, such as ``HEADING level=1 "Welcome" /main/h1``."""
    role = (element.role or "generic").upper()
    level = f" level={element.facts.get('level', 2)}" if element.role == "heading" else ""
    return build_line(f"{role}{level}", name, f" {' '.join(filter(None, marks))}", depth=depth)


def _format_attributes(element: SurveyElement) -> str:
    """Return ``[type=email required]`` for inputs and text areas (B-INT-05)."""
    facts = element.facts
    if element.tag not in {"input", "textarea"}:
        return ""
    texts: list[str] = []
    if facts.get("type", "text") not in _TYPES_OF_ROLES:
        texts.append(f"type={facts['type']}")
    texts += [name for name in ("required", "invalid") if name in facts]
    texts += [f"{name}={facts[name]}" for name in _LIMITS if name in facts]
    return f"[{' '.join(texts)}]" if texts else ""


def _format_states(element: SurveyElement) -> str:
    """Return ``(disabled, checked)``, with "mixed" for half checked (B-INT-06)."""
    facts = element.facts
    texts = ["mixed"] if facts.get("checked") == "mixed" else []
    texts += [name for name in _STATES if facts.get(name) == 1]
    return f"({', '.join(texts)})" if texts else ""


def structure(survey: Survey, *, max_lines: int = 100) -> ModeOutput:
    """List landmarks, forms and headings, at most ``max_lines`` (B-STR)."""
    counts: dict[int, Counter[str]] = {}
    entries = list(_find_structure(survey, counts))
    room = max(max_lines - _HEADER_LINES, 1)
    cut = " (truncated)" if len(entries) > room else ""
    paths = find_paths(survey)
    lines: list[OutputLine] = []
    for element, depth in entries[:room]:
        hidden = "(hidden)" if "hidden" in element.facts else ""
        marks = (hidden, _format_counts(element, counts), paths[element.nid])
        lines.append(_element_line(element, element.name, marks, depth))
    title = f"STRUCTURE: elements={len(entries)} maxLines={max_lines}{cut}"
    return ModeOutput(header=(page_header(survey), title), lines=lines)


def _find_structure(
    survey: Survey, counts: dict[int, Counter[str]]
) -> Iterator[tuple[SurveyElement, int]]:
    """Return the elements with a line and their depths; count controls in innermost sections."""
    waiting = [(survey.root, 0, Counter[str]())] if survey.root else []
    while waiting:
        element, depth, inside = waiting.pop()
        if element.role in LANDMARKS or element.role == "form":
            yield element, depth
            inside = counts[element.nid] = Counter()
            depth += 1
        elif element.role == "heading":
            yield element, depth
        elif element.is_interactive:
            is_named = element.role in {"button", "link"}
            kind = "input" if element.role in _INPUTS else "other control"
            inside[element.role if is_named else kind] += 1
        waiting += [(child, depth, inside) for child in reversed(list(element.elements()))]


def _format_counts(element: SurveyElement, counts: Mapping[int, Counter[str]]) -> str:
    """Return ``[3 buttons, 5 links]``; for forms inputs come first (B-STR-03)."""
    inside = counts.get(element.nid, Counter[str]())
    texts = [
        f"{inside[kind]} {kind}{'s' if inside[kind] > 1 else ''}"
        for kind in (_KINDS_IN_FORMS if element.role == "form" else _KINDS)
        if inside[kind]
    ]
    return f"[{', '.join(texts)}]" if texts else ""


@attrs.frozen
class _Row:
    """A line of the outline, without the number of the reference of a section."""

    element: SurveyElement
    kind: str
    depth: int
    start: str = ""
    end: str = ""

    @property
    def size(self) -> int:
        """Largest number of characters of the line."""
        return len(self.start) + len(self.end) + 2 * self.depth + _REFERENCE

    @property
    def level(self) -> int:
        """Level of a heading."""
        return int(self.element.facts.get("level", 2))


def outline(survey: Survey) -> ModeOutput:
    """List sections, headings, lists and code with the amount of content in each (B-OUT)."""
    words = _count_words(survey)
    found = list(_find_outline(survey, words))
    counts = _count_content(survey, [row.element for row in found if row.kind == "section"])
    paths = find_paths(survey)
    rows = _drop_rows(
        [
            attrs.evolve(row, start=_start_row(row), end=_end_row(row, words, counts, paths))
            for row in found
        ]
    )
    lines: list[OutputLine] = []
    targets = [row.element.target for row in rows if row.kind == "section"]
    numbers = count()
    for row in rows:
        ref = f" @ref:{next(numbers)}" if row.kind == "section" else ""
        lines.append(OutputLine(f"{row.start}{ref} {row.end}", depth=row.depth))
    kinds = Counter(row.kind for row in found)
    landmarks = sum(row.element.role in LANDMARKS for row in found)
    title = (
        f"OUTLINE: landmarks={landmarks} sections={kinds['section']} "
        f"headings={kinds['heading']} words={words[survey.root.nid] if survey.root else 0}"
    )
    left_out = len(found) - len(rows)
    warning = (
        f"{left_out} lines of low importance were left out; pass selector to see a part in full."
    )
    return ModeOutput(
        header=(page_header(survey), title),
        lines=lines,
        targets=targets,
        warnings=[warning] if left_out else [],
        longest=BUDGET,
    )


def _find_outline(survey: Survey, words: Mapping[int, int]) -> Iterator[_Row]:
    waiting = [(survey.root, 0)] if survey.root else []
    while waiting:
        element, depth = waiting.pop()
        kind = _get_kind(element, words)
        if kind:
            yield _Row(element, kind, depth)
        if kind in {"heading", "code", "list"}:
            continue
        inside = depth + (kind == "section")
        waiting += [(child, inside) for child in reversed(list(element.elements()))]


def _get_kind(element: SurveyElement, words: Mapping[int, int]) -> str:
    if element.role in LANDMARKS or element.role == "article":
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


def _count_words(survey: Survey) -> dict[int, int]:
    """Return the number of words in each element by its number."""
    counts: dict[int, int] = {}
    for element in reversed(list(survey.elements())):
        inside = sum(counts[child.nid] for child in element.elements())
        counts[element.nid] = inside + _count_own_words(element)
    return counts


def _count_own_words(element: SurveyElement) -> int:
    """Count the words that begin in the element's own text; they may end in the next element."""
    count = 0
    previous: SurveyElement | str | None = None
    for child in element.children:
        if isinstance(child, str):
            is_inline = isinstance(previous, SurveyElement) and not previous.is_block
            is_continued = is_inline and not child[:1].isspace() and bool(child.strip())
            count += max(len(child.split()) - is_continued, 0)
        previous = child
    return count


def _count_content(survey: Survey, sections: Sequence[SurveyElement]) -> dict[int, Counter[str]]:
    """Count the content of sections; each element counts in all sections around it."""
    counts: dict[int, Counter[str]] = {section.nid: Counter() for section in sections}
    for element in survey.elements():
        kinds = ["sections"] * (element.nid in counts)
        kind = _COUNTED.get(element.tag)
        if kind and (kind != "links" or "href" in element.facts):
            kinds.append(kind)
        ancestor = element.parent if kinds else None
        while ancestor is not None:
            if ancestor.nid in counts:
                counts[ancestor.nid].update(kinds)
            ancestor = ancestor.parent
    return counts


def _start_row(row: _Row) -> str:
    element = row.element
    match row.kind:
        case "section":
            is_named_role = element.role in LANDMARKS or element.role == "article"
            role = element.role if is_named_role else "region"
            name = element.name or (_find_name(element) if role == "region" else "")
            return f"{role.upper()} {quote(name, LONGEST_NAME)}" if name else role.upper()
        case "heading":
            return f"HEADING level={row.level} {quote(element.name, _LONGEST_HEADING)}"
        case "code":
            lines = len(code_text(element).split("\n"))
            language = code_language(element)
            return f"CODE [{language and language + ', '}{lines} lines]"
        case _:
            return f"LIST [{sum(child.tag == 'li' for child in element.elements())} items]"


def _find_name(section: SurveyElement) -> str:
    """Return the first heading of a section without a name, else its id or class."""
    for element in section.walk():
        if element.role == "heading" and element.name:
            return element.name
    mark = str(section.facts.get("id") or section.facts.get("cls", ""))
    return mark.replace("-", " ").replace("_", " ")


def _end_row(
    row: _Row,
    words: Mapping[int, int],
    counts: Mapping[int, Counter[str]],
    paths: Mapping[int, str],
) -> str:
    """Return the path, for sections after the counts of B-OUT-03…07.

    Items and code are counted only for sections without sections.
    """
    nid = row.element.nid
    if row.kind != "section":
        return paths[nid]
    content = counts[nid]
    texts = [f"{words[nid]} words"]
    if content["links"]:
        texts.append(f"{content['links']} links")
    if content["paragraphs"] > 1:
        texts.append(f"{content['paragraphs']} paragraphs")
    if not content["sections"]:
        texts += [f"{content[kind]} {kind}" for kind in ("items", "code") if content[kind]]
    return f"[{', '.join(texts)}] {paths[nid]}"


def _drop_rows(rows: Sequence[_Row]) -> Sequence[_Row]:
    """Drop the least important rows until the rest fits, while enough is left.

    Lists and code are dropped first, then headings by level, then rows by depth. If too little
    would be left, the rest is too long and will be cut.
    """
    levels = sorted({row.level for row in rows} - {1}, reverse=True)
    depths = range(max((row.depth for row in rows), default=0), 0, -1)
    limits = [(math.inf, math.inf), *((level, math.inf) for level in levels)]
    limits += [(math.inf, depth) for depth in depths]
    for level, depth in limits:
        if sum(row.size for row in rows) <= BUDGET:
            break
        fewer = [
            row
            for row in rows
            if row.depth < depth
            and (row.kind == "section" or (row.kind == "heading" and row.level < level))
        ]
        if sum(row.size for row in fewer) < _LEAST:
            break
        rows = fewer
    return rows
