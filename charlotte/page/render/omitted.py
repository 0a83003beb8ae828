"""What a page says besides its headings and elements, as far as there is room to report it."""

from collections import Counter

from charlotte.page.diff.lines import words_in
from charlotte.page.diff.own_text import own_texts
from charlotte.page.model import PageView

_LONGEST_LINE = 500
_ASIDE = 100
"""Characters that counting the rest takes."""


def text_besides(view: PageView, room: int, *, alerts_only: bool = False) -> list[str]:
    """Return the lines of a page that are not part of a heading or control.

    If `room` characters do not hold all lines, the texts of live regions come first, and the last
    entry counts the lines that were left out.
    """
    lines = _lines_besides(view)
    if not alerts_only and sum(map(_cost, lines)) <= room:
        return lines
    others = [] if alerts_only else [line for line in lines if line not in view.alerts]
    sent: list[str] = []
    room -= _ASIDE
    for line in (*map(_cut, view.alerts), *others):
        room -= _cost(line)
        if room < 0:
            break
        sent.append(line)
    left_out = (Counter(lines) - Counter(sent)).total()
    return [*sent, _more_lines(left_out)] if left_out else sent


def _lines_besides(view: PageView) -> list[str]:
    told = {text for one in view.interactive for text in (one.group, one.near) if text}
    told.update(option for one in view.interactive for option in one.options or ())
    return [
        _cut(line.text)
        for line, own in zip(view.lines, own_texts(view), strict=True)
        if words_in(own) and line.text not in told
    ]


def _more_lines(count: int) -> str:
    lines = "line" if count == 1 else "lines"
    return f'… {count:,} more {lines} of text: observe{{mode: "content"}} reads them'


def _cost(line: str) -> int:
    return len(line) + 3


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…"
