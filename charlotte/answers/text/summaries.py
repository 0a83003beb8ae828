"""Summaries of many lines that came or went together: their number, the first and the last."""

from collections import Counter
from collections.abc import Mapping, Sequence

from charlotte.answers.text.change_lines import name_of, shorten
from charlotte.answers.text.lines import RECORDS, Line
from charlotte.answers.text.matching import head_of, plain_texts
from charlotte.page.model import Element
from charlotte.page.tokens import plural, quote

_MOST = 25
"""New controls of one kind with short names that are written."""

_MOST_OPTIONS = 40
"""New options and the like, or controls on the line of a structure, that are written."""

_MOST_CHARS = 3_000
"""Characters of other new controls of one kind that are written."""

_WEEK = 5
"""Controls without a text in a row of a grid, such as a calendar, whose rows are no records."""

_SHORT_NAME = 8
_LONGEST_NAME = 40
_NAMED_ROLES = {"option", "menuitem", "treeitem", "tab", "gridcell", "menuitemradio"}
_PLURALS = {
    **{kind: f"{kind}s" for kind in ("button", "clickable", "link", "radio", "select", "toggle")},
    "checkbox": "checkboxes",
    "text_input": "inputs",
}

Kind = tuple[str, str, str]


def kind_of(line: Line) -> Kind | None:
    """Return type and role of the controls in a line without text, and its head, else None."""
    kinds = {(element.type, element.role) for element in line.controls()}
    if len(kinds) != 1 or plain_texts(line):
        return None
    kind, role = kinds.pop()
    return kind, role, head_of(line)


def is_large(kind: Kind, elements: Sequence[Element], lines: Sequence[Line]) -> bool:
    """Return whether a part of a run is summarised: a calendar is, a menu or list of cards not."""
    count = len(elements)
    is_short = sum(len(element.label) for element in elements) <= _SHORT_NAME * count
    if is_short and count > _MOST:
        return True
    if any(line.group or line.kind in RECORDS for line in lines):
        return count > max(_MOST, _WEEK * len(lines) - 1)
    if kind[1] in _NAMED_ROLES or kind[2]:
        return count > _MOST_OPTIONS
    return sum(line.size for line in lines) > _MOST_CHARS


def summarize_added(elements: Sequence[Element]) -> str:
    """Return ``… 42 buttons, btn-12 "1" to btn-99 "42"`` for controls."""
    first, last = (
        f"{one.id} {quote(shorten(one.label, _LONGEST_NAME))}"
        for one in (elements[0], elements[-1])
    )
    return f"… {count_controls(elements)}, {first} to {last}"


def count_controls(elements: Sequence[Element]) -> str:
    """Return ``12 links``, ``8 options``, or ``5 controls`` for those of several kinds."""
    kinds = {element.type for element in elements}
    roles = {element.role for element in elements}
    noun = _PLURALS.get(kinds.pop(), "controls") if len(kinds) == 1 else "controls"
    if len(roles) == 1 and roles <= _NAMED_ROLES:
        noun = f"{roles.pop()}s"
    return f"{len(elements):,} {noun}"


def summarize_removed(
    lines: Sequence[Line], indexes: Sequence[int], news: Mapping[int, Sequence[Element]]
) -> str:
    """Return ``… 20 rows, "Ash" to "Oak"``."""
    some = [lines[index] for index in indexes]
    if not any(line.kind in RECORDS or plain_texts(line) for line in some):
        return summarize_gone([element for index in indexes for element in news[index]])
    return _join_summary(count_lines(lines, indexes, news), name_of(some[0]), name_of(some[-1]))


def summarize_gone(elements: Sequence[Element]) -> str:
    """Return ``… 15 links, "Edit" to "Help"``."""
    return _join_summary(count_controls(elements), elements[0].label, elements[-1].label)


def _join_summary(count: str, *names: str) -> str:
    quoted = [quote(shorten(name, _LONGEST_NAME)) for name in names if name]
    return ", ".join(filter(None, [f"… {count}", " to ".join(quoted)]))


def count_lines(
    lines: Sequence[Line], indexes: Sequence[int], news: Mapping[int, Sequence[Element]]
) -> str:
    """Return ``20 rows``, or ``3 lines, 6 controls``; ``news`` are the controls by line."""
    kinds = Counter(lines[index].kind for index in indexes)
    records = {name: kinds[name] for name in ("row", "item")}
    texts = sum(
        lines[index].kind not in records and bool(plain_texts(lines[index])) for index in indexes
    )
    controls = sum(
        len(news[index]) for index in indexes if not any(records.values()) and index in news
    )
    counts = {**records, "line": texts, "control": controls}
    return ", ".join(f"{count:,} {plural(count, name)}" for name, count in counts.items() if count)
