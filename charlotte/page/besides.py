"""What a page says besides its headings and elements, as far as there is room to report it."""

from charlotte.page.lines import words_in
from charlotte.page.model import PageView
from charlotte.page.own_text import own_texts

_LEAST_ROOM = 500
_LONGEST_LINE = 500
_ASIDE = 100
"""Characters that counting the rest takes."""


def text_besides(view: PageView, room: int) -> list[str]:
    """Return the lines of a page that are not part of a heading or control.

    As many as there is room for, then how many more there are. Of a page with more text, what its
    live regions say comes first.
    """
    told = {text for one in view.interactive for text in (one.group, one.near) if text}
    told.update(option for one in view.interactive for option in one.options or ())
    lines = [
        _cut(line.text)
        for line, own in zip(view.lines, own_texts(view), strict=True)
        if words_in(own) and line.text not in told
    ]
    room = max(room, _LEAST_ROOM)
    if sum(map(_cost, lines)) <= room:
        return lines
    sent: list[str] = []
    room -= _ASIDE
    for line in (*view.alerts, *(line for line in lines if line not in view.alerts)):
        room -= _cost(line)
        if room < 0:
            break
        sent.append(line)
    return [*sent, more_lines(len(lines) - len(sent))]


def more_lines(count: int) -> str:
    """Say how many lines of text an answer does not have."""
    lines = "line" if count == 1 else "lines"
    return f'… {count:,} more {lines} of text: observe{{mode: "content"}} reads them'


def _cost(line: str) -> int:
    return len(line) + 3


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…"
