"""Tasks on pages of component libraries, in a form that any server's agent can work through.

A step describes elements by role, name and row, as a person would. Places are in CSS pixels of the
viewport, as an agent reads them off a screenshot.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import attrs

Modifier = Literal["ctrl", "shift", "alt", "meta"]


@attrs.frozen
class Element:
    """An element: ``role`` is "" for what has no role, ``row`` a text in its row.

    ``nth`` counts elements of the same description in the order of the page. ``shows`` is a text
    in the element, for snapshots that do not list the element.
    """

    role: str
    name: str
    row: str = ""
    nth: int = 0
    shows: str = ""


@attrs.frozen
class Place:
    """A point of the viewport."""

    x: int
    y: int


@attrs.frozen
class By:
    """A distance in CSS pixels."""

    x: int = 0
    y: int = 0


@attrs.frozen
class Click:
    """Click an element or a place; ``hold`` is in ms."""

    target: Element | Place
    kind: Literal["left", "right", "double", "triple"] = "left"
    modifiers: Sequence[Modifier] = ()
    hold: int = 0


@attrs.frozen
class Fill:
    """Set values of fields, sliders, ratings and switches."""

    values: Mapping[Element, str | bool]


@attrs.frozen
class Choose:
    """Choose options; a path of a tree is written "A / B / C"."""

    target: Element
    options: Sequence[str]


@attrs.frozen
class Write:
    """Type where the focus is."""

    text: str
    enter: bool = False


@attrs.frozen
class Mark:
    """Select a part of the text of an editor."""

    target: Element
    text: str


@attrs.frozen
class Keys:
    """Press keys in order, all of them ``times`` times; ``on`` has the focus first."""

    keys: Sequence[str]
    times: int = 1
    on: Element | None = None


@attrs.frozen
class Drag:
    """Drag with the mouse, over the places of ``via``; ``hold`` is in ms, before moving."""

    source: Element | Place
    to: Element | Place | By
    via: Sequence[Place] = ()
    hold: int = 0


@attrs.frozen
class Hover:
    """Move the mouse over an element or a place."""

    target: Element | Place


@attrs.frozen
class Upload:
    """Give a small file of this name to a field or a drop zone."""

    target: Element
    name: str


@attrs.frozen
class Scroll:
    place: Place
    by: By


@attrs.frozen
class Look:
    """Take a screenshot, to read places off it."""


Step = Click | Fill | Choose | Write | Mark | Keys | Drag | Hover | Upload | Scroll | Look


@attrs.frozen
class Task:
    """A task on the page of a library: ``holds`` is JavaScript about ``state``, the page's model.

    ``excused`` names the library's own defect if no server can solve the task. ``refused`` is a
    part of the error or note of Charlotte if it does not solve the task.
    """

    title: str
    page: str
    steps: Sequence[Step]
    holds: str
    excused: str = ""
    refused: str = ""

    @property
    def library(self) -> str:
        """The name of the page's script."""
        return self.page.partition("?")[0]

    @property
    def name(self) -> str:
        return f"{self.page}: {self.title}"


def button(name: str, row: str = "", nth: int = 0) -> Element:
    return Element("button", name, row, nth)


def field(name: str, row: str = "", nth: int = 0, shows: str = "") -> Element:
    return Element("textbox", name, row, nth, shows)


def slider(name: str) -> Element:
    return Element("slider", name)


def combobox(name: str) -> Element:
    return Element("combobox", name)


def checkbox(name: str, row: str = "", nth: int = 0) -> Element:
    return Element("checkbox", name, row, nth)


def cell(name: str, row: str = "") -> Element:
    return Element("gridcell", name, row)


def menuitem(name: str) -> Element:
    return Element("menuitem", name)


def text(name: str, nth: int = 0) -> Element:
    """Describe what has no role of a control."""
    return Element("", name, nth=nth)


STRING: Final = r'"(?:[^"\\]|\\.)*"'
"""A regular expression for a JSON string in an answer."""


def plain_name(name: str) -> str:
    """Return a name for comparison, without the marks of required fields and menus."""
    return " ".join(name.split()).strip("*:… ").casefold()
