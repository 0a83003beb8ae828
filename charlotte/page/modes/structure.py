"""Mode ``structure``: landmarks, forms and headings, with the number of controls in each."""

from collections import Counter
from collections.abc import Iterator, Mapping

import attrs

from charlotte.page.modes.controls import element_title
from charlotte.page.modes.lines import (
    ModeOutput,
    OutputLine,
    build_line,
    is_interactive,
    page_header,
)
from charlotte.page.modes.survey import ElementPaths, Survey, SurveyElement

_SECTIONS = {
    *("banner", "navigation", "main", "complementary", "contentinfo", "search", "region", "form"),
}
_HEADER_LINES = 3
"""Lines above the list, including the empty line."""
_KINDS = ("button", "link", "input", "other control")
_KINDS_IN_FORMS = ("input", "button", "link", "other control")
_INPUTS = {
    *("textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider"),
    *("checkbox", "radio", "switch"),
}


def structure(survey: Survey, *, max_lines: int = 100) -> ModeOutput:
    """List landmarks, forms and headings, at most ``max_lines`` (B-STR)."""
    counts: dict[int, Counter[str]] = {}
    entries = list(_find_entries(survey, counts))
    room = max(max_lines - _HEADER_LINES, 1)
    cut = " (truncated)" if len(entries) > room else ""
    paths = ElementPaths(survey.steps)
    controls = sum(map(is_interactive, survey.elements()))
    title = f"STRUCTURE: elements={len(entries)} maxLines={max_lines}{cut}"
    return ModeOutput(
        header=(page_header(survey), title),
        lines=[_build_line(element, depth, counts, paths) for element, depth in entries[:room]],
        total=controls,
        captured=controls,
    )


@attrs.frozen
class _Visit:
    """An element to visit: the depth of its line, and the counts of its section."""

    element: SurveyElement
    depth: int
    counts: Counter[str]


def _find_entries(
    survey: Survey, counts: dict[int, Counter[str]]
) -> Iterator[tuple[SurveyElement, int]]:
    """Return the elements with a line and their depths; count controls in innermost sections."""
    waiting = [_Visit(survey.root, 0, Counter())] if survey.root else []
    while waiting:
        visit = waiting.pop()
        element = visit.element
        if element.role in _SECTIONS:
            yield element, visit.depth
            counts[element.nid] = Counter()
            visit = _Visit(element, visit.depth + 1, counts[element.nid])
        elif element.role == "heading":
            yield element, visit.depth
        elif is_interactive(element):
            is_named = element.role in {"button", "link"}
            kind = "input" if element.role in _INPUTS else "other control"
            visit.counts[element.role if is_named else kind] += 1
        children = reversed(list(element.elements()))
        waiting += [attrs.evolve(visit, element=child) for child in children]


def _build_line(
    element: SurveyElement, depth: int, counts: Mapping[int, Counter[str]], paths: ElementPaths
) -> OutputLine:
    path, counted = paths.of(element), _format_counts(element, counts.get(element.nid, Counter()))
    hidden = "(hidden)" if "hidden" in element.facts else ""

    def write(limit: int | None) -> str:
        title = element_title(element, element.name, limit)
        return " ".join(filter(None, (title, hidden, counted, path)))

    return build_line(write, depth=depth)


def _format_counts(element: SurveyElement, counts: Counter[str]) -> str:
    """Return ``[3 buttons, 5 links]``; for forms inputs come first (B-STR-03)."""
    kinds = _KINDS_IN_FORMS if element.role == "form" else _KINDS
    texts = [
        f"{counts[kind]} {kind}{'s' if counts[kind] > 1 else ''}" for kind in kinds if counts[kind]
    ]
    return f"[{', '.join(texts)}]" if texts else ""
