"""Takes out of the lines of a page what the records of its headings and controls tell."""

from collections.abc import Iterable, Sequence

from charlotte.page.diff.changes import lines_told
from charlotte.page.model import Element, Line, PageView

_LABELLED_BESIDE = {
    "text_input",
    "textarea",
    "select",
    "checkbox",
    "radio",
    "toggle",
    "range",
    "color_input",
    "date_input",
    "file_input",
}
"""Types of controls whose label is not in them, and may follow them in a block of its own."""

_MOST_LINES = 20
"""Lines before a control among which its label is: those of a block with line breaks."""


def own_texts(view: PageView, first: int = 0, end: int | None = None) -> list[str]:
    """Return, for each line, the text that is part of no heading or control; "" for nothing.

    Lines before ``first`` and from ``end`` on are returned as they are. A label is taken out once,
    where the control stands: equal text elsewhere is text of the page.
    """
    lines = view.lines
    own = [line.text for line in lines]
    headings = {heading.id: heading.text for heading in view.headings}
    elements = {element.id: element for element in view.interactive}
    begin = first = _begin_of(lines, first)
    for index in range(first, len(lines)):
        line = lines[index]
        if owner := elements.get(line.owner):
            if any(line.text in text for text in _texts(owner)):
                own[index] = ""
        elif line.owner and line.text in headings.get(line.owner, ""):
            own[index] = ""
        if not line.followers:
            continue
        before = range(index, max(begin, index - _MOST_LINES) - 1, -1)
        after = index + 1 if index + 1 < len(lines) and not lines[index + 1].owner else None
        for follower in line.followers:
            if control := elements.get(follower):
                _take_out(own, control, before, after)
        begin = index + 1
        if end is not None and begin >= end:
            break
    if end is not None:
        own[end:] = [line.text for line in lines[end:]]
    return own


def _begin_of(lines: Sequence[Line], first: int) -> int:
    """Return the last line before ``first`` that controls follow: their labels may be after it."""
    while first > 0 and not lines[first - 1].followers:
        first -= 1
    return max(first - 1, 0)


def _texts(element: Element) -> Sequence[str]:
    """Return the texts of a record that lines may have; the longest first: one may hold others."""
    has_label = element.label and (element.is_written or element.type in _LABELLED_BESIDE)
    if not (element.value and element.is_written):
        return (element.label,) if has_label else ()
    texts = {element.label if has_label else "", *lines_told(element.value)} - {""}
    return sorted(texts, key=len, reverse=True)


def _take_out(own: list[str], control: Element, before: Iterable[int], after: int | None) -> None:
    """Take the texts of a control out of the nearest line before it, or out of the one after."""
    for text in _texts(control):
        place = next((index for index in before if text in own[index]), None)
        if place is not None:
            own[place] = _without(own[place], text)
        elif after is not None and control.type in _LABELLED_BESIDE and own[after] == text:
            own[after] = ""


def _without(line: str, text: str) -> str:
    """Return the line without the text, where it stands as words of its own if it does so."""
    start = line.find(text)
    while start >= 0:
        end = start + len(text)
        if not (line[start - 1 : start].isalnum() or line[end : end + 1].isalnum()):
            return f"{line[:start]} {line[end:]}"
        start = line.find(text, start + 1)
    return line.replace(text, " ", 1)
