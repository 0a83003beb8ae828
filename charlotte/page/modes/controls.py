"""The mode ``interactive``: what an agent can act on; and ``all``: everything that has a role."""

from collections.abc import Collection, Iterator, Sequence

from charlotte.page.modes.lines import (
    LONGEST_NAME,
    ModeOutput,
    OutputLine,
    ReferenceTarget,
    build_line,
    is_interactive,
    page_header,
    quote,
)
from charlotte.page.modes.survey import ElementPaths, Survey, SurveyElement

_PLAIN = {"", "generic", "listitem", "row", "cell", "gridcell", "paragraph"}
_MOST_SAID = 1000
_LIMITS = ("minlength", "maxlength", "pattern", "min", "max")
_STATES = ("disabled", "checked", "expanded", "selected", "hidden")


def interactive(survey: Survey, clickable: Collection[int] = ()) -> ModeOutput:
    """B-INT: a line for each interactive element, in document order.

    ``clickable`` are the numbers of others that answer clicks, to be told too.
    """
    parts = [part for part in survey.elements() if is_interactive(part) or part.nid in clickable]
    elements = sum(1 for _ in survey.elements())
    return _listed(survey, parts, f"SNAPSHOT: elements={elements} refs={len(parts)}", clickable)


def everything(survey: Survey, clickable: Collection[int] = ()) -> ModeOutput:
    """B-ALL: a line for each element with a role, and each that can be acted on."""
    parts = [part for part in survey.elements() if _is_something(part) or part.nid in clickable]
    return _listed(survey, parts, f"ALL: elements={len(parts)} refs={len(parts)}", clickable)


def _is_something(part: SurveyElement) -> bool:
    return part.role not in {"", "document", "generic"} or is_interactive(part)


def _listed(
    survey: Survey, parts: Sequence[SurveyElement], counted: str, clickable: Collection[int]
) -> ModeOutput:
    paths = ElementPaths(survey.steps)
    controls = sum(map(is_interactive, parts))
    return ModeOutput(
        header=(page_header(survey), counted),
        lines=[
            _line(part, _said(part, clickable), number, paths) for number, part in enumerate(parts)
        ],
        targets=[ReferenceTarget(part.nid, part.role, part.name) for part in parts],
        total=controls,
        captured=controls,
    )


def _said(part: SurveyElement, clickable: Collection[int]) -> str:
    """The name; of what answers without having one, the text on it."""
    answers = "focusable" in part.facts or part.nid in clickable
    if part.name or part.role not in _PLAIN or not answers:
        return part.name
    return "".join(_texts(part)).strip()[:_MOST_SAID]


def _texts(part: SurveyElement) -> Iterator[str]:
    for child in part.children:
        if isinstance(child, str):
            yield child
            continue
        apart = " " if child.is_block else ""
        yield apart
        yield from _texts(child)
        yield apart


def _line(part: SurveyElement, said: str, number: int, paths: ElementPaths) -> OutputLine:
    path = paths.of(part)

    def write(limit: int | None) -> str:
        name = element_title(part, said, limit)
        pieces = (name, f"@ref:{number}", _attributes(part), _states(part), path)
        return " ".join(filter(None, pieces))

    return build_line(write, LONGEST_NAME)


def element_title(part: SurveyElement, name: str, limit: int | None) -> str:
    """``HEADING level=1 "Welcome"``."""
    pieces = [(part.role or "generic").upper()]
    if part.role == "heading":
        pieces.append(f"level={part.facts.get('level', 2)}")
    if name:
        pieces.append(quote(name, limit))
    return " ".join(pieces)


def _attributes(part: SurveyElement) -> str:
    """B-INT-05: ``[type=email required]``, of inputs and text areas only."""
    facts = part.facts
    if part.tag not in {"input", "textarea"}:
        return ""
    said: list[str] = []
    if _is_typed(part):
        said.append(f"type={facts['type']}")
    said += [name for name in ("required", "invalid") if name in facts]
    said += [f"{name}={facts[name]}" for name in _LIMITS if name in facts]
    return f"[{' '.join(said)}]" if said else ""


def _is_typed(part: SurveyElement) -> bool:
    """Whether the type says more than the role."""
    return part.facts.get("type", "text") not in {"text", "checkbox", "radio", "button", "submit"}


def _states(part: SurveyElement) -> str:
    """B-INT-06: ``(disabled, checked)``; what is only half checked is said to be mixed."""
    said = ["mixed" if part.facts.get("checked") == "mixed" else ""]
    said += [name for name in _STATES if name in part.facts and _holds(part.facts[name])]
    return f"({', '.join(filter(None, said))})" if any(said) else ""


def _holds(state: object) -> bool:
    return state is True or state == 1
