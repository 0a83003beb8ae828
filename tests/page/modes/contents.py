"""Output of the mode content for tests."""

from typing import Any

from charlotte.page.modes.content import content
from charlotte.page.modes.inline import InlineStyle
from charlotte.page.modes.lines import Grep, format_lines
from charlotte.page.modes.survey import Survey
from tests.page.modes.documents import Element, document, el


def text(survey: Survey, grep: Grep | None = None, *, max_length: int = 2_000, **style: Any) -> str:
    style = {"values": True, "links": True, **style}
    output = content(survey, InlineStyle(**style), grep, max_length=max_length)
    return format_lines(output.header, output.lines, output.notes, {})


def markdown(*inside: "Element | str", **style: Any) -> str:
    """Return the Markdown of one article without the comments around it."""
    page = document(el("article", *inside, role="article"))
    return text(page, markdown=True, **style).split(" -->\n")[2].rpartition("\n\n")[0].strip("\n")


def lines(*inside: "Element | str", **style: Any) -> list[str]:
    """Return the lines of a body without the headers of page and section."""
    return text(document(*inside), **style).split("\n")[4:]
