"""Modes that list elements: ``interactive``, ``all``, ``structure`` and ``outline``."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from charlotte.base.errors import ellipsize
from charlotte.page.model import ReferenceTarget
from charlotte.page.modes.inline import InlineStyle, code_language, code_text
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
"""Characters of one response with an outline."""
_LONGEST_HEADING = 60
_MOST_WORDS_WITHOUT_SECTION = 50
_COUNTED = {"a": "links", "p": "paragraphs", "li": "items", "pre": "code", "code": "code"}


def interactive(survey: Survey, clickable: Collection[int] = ()) -> ModeOutput:
    """List the interactive elements (B-INT); ``clickable`` are the numbers of further elements."""
    every = [*survey.elements()]
    found = [one for one in every if one.is_interactive or one.nid in clickable]
    return _list_elements(survey, found, f"SNAPSHOT: elements={len(every)}", clickable)


def everything(survey: Survey, clickable: Collection[int] = ()) -> ModeOutput:
    """List the elements that have a role or are interactive (B-ALL)."""
    found = [
        element
        for element in survey.elements()
        if element.role not in {"", "document", "generic"}
        or element.is_interactive
        or element.nid in clickable
    ]
    return _list_elements(survey, found, f"ALL: elements={len(found)}", clickable)


def _list_elements(
    survey: Survey, elements: Sequence[SurveyElement], title: str, clickable: Collection[int]
) -> ModeOutput:
    """Return lines with attributes and states, such as ``(disabled, checked)`` (B-INT-06)."""
    paths = find_paths(survey)
    lines: list[OutputLine] = []
    for number, element in enumerate(elements):
        label = element.name
        is_active = "focusable" in element.facts or element.nid in clickable
        if not label and element.role in _PLAIN and is_active:
            label = ellipsize(InlineStyle().write(element.children).strip(), _LONGEST_TEXT)
        states = ["mixed"] if element.facts.get("checked") == "mixed" else []
        states += [name for name in _STATES if element.facts.get(name) == 1]
        state = f"({', '.join(states)})" if states else ""
        marks = (f"@ref:{number}", _format_attributes(element), state, paths[element.nid])
        lines.append(_element_line(element, label, marks))
    header = (page_header(survey), f"{title} refs={len(elements)}")
    return ModeOutput(header=header, lines=lines, targets=[one.target for one in elements])


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


def structure(survey: Survey, *, max_lines: int = 100) -> ModeOutput:
    """List landmarks, forms and headings, at most ``max_lines`` (B-STR).

    Each has its controls, such as ``[3 buttons, 5 links]``; for forms inputs come first.
    """
    counts: dict[int, Counter[str]] = {}
    entries = list(_find_structure(survey, counts))
    room = max(max_lines - _HEADER_LINES, 1)
    cut = " (truncated)" if len(entries) > room else ""
    paths = find_paths(survey)
    lines: list[OutputLine] = []
    for element, depth in entries[:room]:
        hidden = "(hidden)" if "hidden" in element.facts else ""
        inside = counts.get(element.nid, Counter[str]())
        texts = [
            f"{inside[kind]} {kind}{'s' if inside[kind] > 1 else ''}"
            for kind in (_KINDS_IN_FORMS if element.role == "form" else _KINDS)
            if inside[kind]
        ]
        count = f"[{', '.join(texts)}]" if texts else ""
        marks = (hidden, count, paths[element.nid])
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


def outline(survey: Survey) -> ModeOutput:
    """List sections, headings, lists and code with the amount of content in each (B-OUT)."""
    counts, paths = _count_content(survey), find_paths(survey)
    found = list(_find_outline(survey, counts))
    parents = {section for _, kind, _, section in found if kind == "section"}
    lines, targets = list[OutputLine](), list[ReferenceTarget]()
    for element, kind, depth, _ in found:
        text = _describe_part(element, kind)
        if kind == "section":
            amounts = _list_amounts(counts[element.nid], is_parent=element.nid in parents)
            text = f"{text} @ref:{len(targets)} [{amounts}]"
            targets.append(element.target)
        lines.append(OutputLine(f"{text} {paths[element.nid]}", depth=depth))
    landmarks = sum(element.role in LANDMARKS for element, _, _, _ in found)
    headings = sum(kind == "heading" for _, kind, _, _ in found)
    words = counts[survey.root.nid]["words"] if survey.root else 0
    title = (
        f"OUTLINE: landmarks={landmarks} sections={len(targets)} headings={headings} words={words}"
    )
    return ModeOutput(
        header=(page_header(survey), title), lines=lines, targets=targets, longest=BUDGET
    )


def _count_content(survey: Survey) -> dict[int, Counter[str]]:
    """Count words, links, paragraphs, items and code in each element by its number."""
    counts: dict[int, Counter[str]] = {}
    for element in reversed(list(survey.elements())):
        inside = counts[element.nid] = Counter[str]()
        is_inline = False  # a text after an inline element may continue its last word
        for child in element.children:
            if isinstance(child, str):
                is_continued = is_inline and not child[:1].isspace() and bool(child.strip())
                inside["words"] += max(len(child.split()) - is_continued, 0)
                is_inline = False
                continue
            is_inline = not child.is_block
            inside.update(counts[child.nid])
            kind = _COUNTED.get(child.tag)
            if kind and (kind != "links" or "href" in child.facts):
                inside[kind] += 1
    return counts


def _find_outline(
    survey: Survey, counts: Mapping[int, Counter[str]]
) -> Iterator[tuple[SurveyElement, str, int, int]]:
    """Return elements in document order with kind, depth and the number of the section around."""
    waiting = [(survey.root, 0, 0)] if survey.root else []
    while waiting:
        element, depth, section = waiting.pop()
        kind = _get_kind(element, counts[element.nid]["words"])
        if kind:
            yield element, kind, depth, section
        if kind in {"heading", "code", "list"}:
            continue
        if kind == "section":
            depth, section = depth + 1, element.nid
        waiting += [(child, depth, section) for child in reversed(list(element.elements()))]


def _get_kind(element: SurveyElement, words: int) -> str:
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
    return "section" if is_section and words > _MOST_WORDS_WITHOUT_SECTION else ""


def _describe_part(element: SurveyElement, kind: str) -> str:
    match kind:
        case "section":
            is_named_role = element.role in LANDMARKS or element.role == "article"
            role, name = element.role if is_named_role else "region", element.name
            if not name and role == "region":  # its first heading, id or class
                mark = str(element.facts.get("id") or element.facts.get("cls", ""))
                inside = (each.name for each in element.walk() if each.role == "heading")
                name = next(filter(None, inside), mark.replace("-", " ").replace("_", " "))
            return f"{role.upper()} {quote(name, LONGEST_NAME)}" if name else role.upper()
        case "heading":
            level = element.facts.get("level", 2)
            return f"HEADING level={level} {quote(element.name, _LONGEST_HEADING)}"
        case "code":
            language, lines = code_language(element), len(code_text(element).split("\n"))
            return f"CODE [{language and language + ', '}{lines} lines]"
        case _:
            return f"LIST [{sum(child.tag == 'li' for child in element.elements())} items]"


def _list_amounts(content: Counter[str], *, is_parent: bool) -> str:
    """Return the amounts of content; a section that contains sections does not count its parts."""
    least = {"words": 0, "links": 1, "paragraphs": 2, "items": 1, "code": 1}
    kinds = [kind for kind in least if not is_parent or kind not in {"items", "code"}]
    return ", ".join(f"{content[kind]} {kind}" for kind in kinds if content[kind] >= least[kind])
