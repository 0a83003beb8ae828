"""Modes ``interactive``, all elements on which an agent can act, and ``all`` with a role."""

from collections.abc import Collection, Iterator, Sequence

from charlotte.page.model import ReferenceTarget
from charlotte.page.modes.lines import (
    ModeOutput,
    OutputLine,
    build_line,
    is_interactive,
    page_header,
    quote,
)
from charlotte.page.modes.survey import ElementPaths, Survey, SurveyElement

_PLAIN = {"", "generic", "listitem", "row", "cell", "gridcell", "paragraph"}
_LONGEST_TEXT = 1000
_LIMITS = ("minlength", "maxlength", "pattern", "min", "max")
_STATES = ("disabled", "checked", "expanded", "selected", "hidden")
_TYPES_OF_ROLES = {"text", "checkbox", "radio", "button", "submit"}
"""Input types that add nothing to the role."""


def interactive(survey: Survey, clickable: Collection[int] = ()) -> ModeOutput:
    """List the interactive elements (B-INT); ``clickable`` are the numbers of further elements."""
    elements = [
        element
        for element in survey.elements()
        if is_interactive(element) or element.nid in clickable
    ]
    total = sum(1 for _ in survey.elements())
    title = f"SNAPSHOT: elements={total} refs={len(elements)}"
    return _build_output(survey, elements, title, clickable)


def everything(survey: Survey, clickable: Collection[int] = ()) -> ModeOutput:
    """List the elements that have a role or are interactive (B-ALL)."""
    elements = [
        element
        for element in survey.elements()
        if element.role not in {"", "document", "generic"}
        or is_interactive(element)
        or element.nid in clickable
    ]
    title = f"ALL: elements={len(elements)} refs={len(elements)}"
    return _build_output(survey, elements, title, clickable)


def _build_output(
    survey: Survey, elements: Sequence[SurveyElement], title: str, clickable: Collection[int]
) -> ModeOutput:
    paths = ElementPaths(survey.steps)
    controls = sum(map(is_interactive, elements))
    return ModeOutput(
        header=(page_header(survey), title),
        lines=[
            _build_line(element, _get_label(element, clickable), number, paths)
            for number, element in enumerate(elements)
        ],
        targets=[ReferenceTarget(element.nid, element.role, element.name) for element in elements],
        total=controls,
        captured=controls,
    )


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


def _build_line(element: SurveyElement, label: str, number: int, paths: ElementPaths) -> OutputLine:
    path = paths.of(element)

    def write(limit: int | None) -> str:
        title = element_title(element, label, limit)
        ref = f"@ref:{number}"
        pieces = (title, ref, _format_attributes(element), _format_states(element), path)
        return " ".join(filter(None, pieces))

    return build_line(write)


def element_title(element: SurveyElement, name: str, limit: int | None) -> str:
    """Return role and name, such as ``HEADING level=1 "Welcome"``."""
    pieces = [(element.role or "generic").upper()]
    if element.role == "heading":
        pieces.append(f"level={element.facts.get('level', 2)}")
    if name:
        pieces.append(quote(name, limit))
    return " ".join(pieces)


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
