"""The tool that selects text."""

import re
from collections.abc import Mapping
from typing import Annotated, Any

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab.verbs import selecting
from charlotte.actors.tab.verbs.selecting import Caret
from charlotte.answers.answer import Answer, Page
from charlotte.answers.pages import page_answer
from charlotte.base.errors import InvalidArgument
from charlotte.page.spans import TextPart
from charlotte.tools.schema.arguments import (
    ACTION_DEADLINE,
    ElementId,
    Lenient,
    RareDetail,
)
from charlotte.tools.schema.tool import tool

_LINES = re.compile(r"(\d{1,9})(?:\s*[-:]\s*(\d{1,9}))?")


def _line_numbers(value: Any) -> Any:
    """Return the text of a line number, other values unchanged."""
    return str(value) if type(value) is int else value


def _read_lines(text: str | None) -> tuple[int, int] | None:
    """Return the first and last line; raises `InvalidArgument`."""
    if text is None:
        return None
    found = _LINES.fullmatch(text.strip())
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= first <= last:
        raise InvalidArgument(
            f"lines must be such as 3 or 3-5, got {text[:40]!r}.", "Count from 1."
        )
    return first, last


def _check_part(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` if the part of the text is given in two ways."""
    lines = _read_lines(arguments["lines"])
    if lines is not None and arguments["text"] is not None:
        raise InvalidArgument("text and lines must not both be given.", "Pass one of them.")
    if arguments["text"] == "":
        raise InvalidArgument("text must not be empty.", "Omit it to select everything.")
    if arguments["occurrence"] is not None and arguments["occurrence"] < 1:
        raise InvalidArgument("occurrence must be at least 1.", "Count from 1.")


@tool(
    group="interaction",
    title="Select text",
    position=325,
    deadline=ACTION_DEADLINE,
    check=_check_part,
)
async def select_text(
    tab: TabHandle,
    element_id: Annotated[ElementId | None, "Default: the focus, else the page."] = None,
    *,
    text: Annotated[str | None, "Default: all."] = None,
    occurrence: Annotated[int | None, "Which one."] = None,
    lines: Annotated[str | None, Lenient(_line_numbers), "Or lines, such as 3-5."] = None,
    caret: Annotated[Caret | None, "Only place the caret."] = None,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Select text or place the caret, for key and type without element_id."""
    part = TextPart(text, occurrence or 1, _read_lines(lines))
    look = await tab.do(selecting.select_text, part, element_id, caret)
    return page_answer(tab.record, look, detail)
