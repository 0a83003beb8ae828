"""The mode ``structure``: landmarks, forms and headings, and how many controls are in them."""

from collections import Counter
from collections.abc import Iterator, Mapping

import attrs

from charlotte.page.modes.controls import element_title
from charlotte.page.modes.lines import (
    LONGEST_NAME,
    ModeOutput,
    OutputLine,
    build_line,
    is_interactive,
    page_header,
)
from charlotte.page.modes.survey import ElementPaths, Survey, SurveyElement

SECTIONS = frozenset(
    ["banner", "navigation", "main", "complementary", "contentinfo", "search", "region", "form"]
)
_HEADER = 3
"""Lines at the top, the empty one included."""
_KINDS = ("button", "link", "input", "other control")
_KINDS_IN_FORMS = ("input", "button", "link", "other control")
_INPUTS = frozenset(
    "textbox searchbox combobox listbox spinbutton slider checkbox radio switch".split()  # noqa: SIM905
)


def structure(survey: Survey, *, max_lines: int = 100) -> ModeOutput:
    """B-STR: of a page that needs more than ``max_lines``, the first."""
    counts: dict[int, Counter[str]] = {}
    entries = list(_entries(survey, counts))
    room = max(max_lines - _HEADER, 1)
    cut = " (truncated)" if len(entries) > room else ""
    paths = ElementPaths(survey.steps)
    controls = sum(map(is_interactive, survey.elements()))
    return ModeOutput(
        header=(
            page_header(survey),
            f"STRUCTURE: elements={len(entries)} maxLines={max_lines}{cut}",
        ),
        lines=[_line(part, depth, counts, paths) for part, depth in entries[:room]],
        total=controls,
        captured=controls,
    )


def _entries(
    survey: Survey, counts: dict[int, Counter[str]]
) -> Iterator[tuple[SurveyElement, int]]:
    """What has a line, with its depth; controls are counted in the innermost section alone."""
    waiting = [_Place(survey.root, 0, Counter())] if survey.root else []
    while waiting:
        place = waiting.pop()
        part = place.part
        if part.role in SECTIONS:
            yield part, place.depth
            counts[part.nid] = Counter()
            place = _Place(part, place.depth + 1, counts[part.nid])
        elif part.role == "heading":
            yield part, place.depth
        elif is_interactive(part):
            place.counts[_kind(part)] += 1
        waiting += [attrs.evolve(place, part=child) for child in reversed(list(part.elements()))]


@attrs.frozen
class _Place:
    """An element yet to be looked at: how deep its line stands, where its controls count."""

    part: SurveyElement
    depth: int
    counts: Counter[str]


def _kind(part: SurveyElement) -> str:
    if part.role in {"button", "link"}:
        return part.role
    return "input" if part.role in _INPUTS else "other control"


def _line(
    part: SurveyElement, depth: int, counts: Mapping[int, Counter[str]], paths: ElementPaths
) -> OutputLine:
    path, counted = paths.of(part), _counted(part, counts.get(part.nid, Counter()))
    hidden = "(hidden)" if "hidden" in part.facts else ""

    def write(limit: int | None) -> str:
        return " ".join(
            filter(None, (element_title(part, part.name, limit), hidden, counted, path))
        )

    return build_line(write, LONGEST_NAME, depth=depth)


def _counted(part: SurveyElement, count: Counter[str]) -> str:
    """B-STR-03: ``[3 buttons, 5 links]``; of forms the inputs come first."""
    kinds = _KINDS_IN_FORMS if part.role == "form" else _KINDS
    told = [
        f"{count[kind]} {kind}{'s' if count[kind] > 1 else ''}" for kind in kinds if count[kind]
    ]
    return f"[{', '.join(told)}]" if told else ""
