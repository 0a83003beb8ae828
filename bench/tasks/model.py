"""What a task asks for, and what an agent has seen of a page."""

import re
from collections.abc import Iterable
from typing import Final

import attrs

Value = str | bool
"""Text of a field, option of a choice, or state of a checkbox."""

_SPACE: Final = re.compile(r"\s+(?:\|\s+)*")


class TaskFailed(Exception):
    """A step found no element or text, or the result is wrong."""


class ActionFailed(Exception):
    """A tool answered with an error; its text is the message."""


@attrs.frozen
class Target:
    """An element as a person would describe it.

    ``name`` is its name, or in the text before it if it has none; None matches every element.
    ``row`` is a text in the same row, item or surroundings; ``nth`` counts the matches in the order
    of the page; -1 is the last.
    """

    kind: str
    name: str | None
    row: str = ""
    nth: int = 0


def link(name: str, row: str = "", nth: int = 0) -> Target:
    """Describe a link."""
    return Target("link", name, row, nth)


def button(name: str, row: str = "", nth: int = 0) -> Target:
    """Describe a button."""
    return Target("button", name, row, nth)


def field(name: str | None, row: str = "", nth: int = 0) -> Target:
    """Describe a text field."""
    return Target("field", name, row, nth)


def choice(name: str | None, row: str = "", nth: int = 0) -> Target:
    """Describe a select."""
    return Target("choice", name, row, nth)


def check(name: str | None, row: str = "", nth: int = 0) -> Target:
    """Describe a checkbox."""
    return Target("check", name, row, nth)


@attrs.frozen
class Item:
    """An element in an answer.

    ``before`` is the text before it, and ``around`` the text of its row, item or surroundings.
    """

    ref: str
    kind: str
    name: str
    before: str = ""
    around: str = ""


@attrs.frozen
class Seen:
    """One answer. ``whole``: it shows a page; ``changes``: it shows what an action changed.

    ``keeps``: it leaves out what the agent knows from the page before. ``order`` are the names of
    the first rows of a list. ``gone`` are the refs that it reports as removed, ``tab`` is its tab,
    ``opened`` are tabs that the page opened.
    """

    items: tuple[Item, ...] = ()
    text: str = ""
    whole: bool = False
    changes: bool = False
    keeps: bool = False
    order: tuple[str, ...] = ()
    gone: frozenset[str] = frozenset()
    tab: str = ""
    opened: tuple[str, ...] = ()


def plain(text: str) -> str:
    """Return a text on one line with single spaces, without bars between cells."""
    return _SPACE.sub(" ", text).strip()


def matches(target: Target, item: Item) -> bool:
    """Return whether an item is what a target describes, apart from ``nth``."""
    if target.kind != item.kind:
        return False
    return _named(target.name, item) and _within(target.row, f"{item.name} {item.around}")


def pick(target: Target, items: Iterable[Item]) -> Item | None:
    """Return the item that a target describes, or None."""
    found = {item.ref: item for item in items if matches(target, item)}
    fitting = list(found.values())
    return fitting[target.nth] if -len(fitting) <= target.nth < len(fitting) else None


def _named(name: str | None, item: Item) -> bool:
    if name is None:
        return True
    return _name(item.name) == _name(name) if item.name else _within(name, item.before)


def _name(name: str) -> str:
    return plain(name).rstrip("*: ").casefold()


def _within(row: str, text: str) -> bool:
    """Return whether a text is in a row as whole words."""
    words = rf"(?<!\w){re.escape(row)}(?!\w)"
    return not row or re.search(words, text, re.IGNORECASE) is not None
