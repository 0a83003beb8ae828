"""Outlines for tests, written line by line."""

from collections.abc import Sequence
from typing import Any

from charlotte.answers.text.changes import Changes, compare
from charlotte.answers.text.lines import Line, LineKind, Mark, Piece
from charlotte.answers.text.outline import Outline
from charlotte.page.model import NO_STATE, Bounds, Element, PageView, Scroll

_TYPES = {
    "btn": "button",
    "lnk": "link",
    "inp": "text_input",
    "chk": "checkbox",
    "rad": "radio",
    "clk": "clickable",
}
_ROLES = {"text_input": "textbox"}
_NOWHERE = Scroll(0, 0, 0, 0)


def control(element_id: str, label: str = "", **more: Any) -> Element:
    """Return a control of the type that the prefix of the id names."""
    kind = _TYPES[element_id.split("-", 1)[0]]
    values: dict[str, Any] = {
        "role": _ROLES.get(kind, kind),
        "bounds": Bounds(0, 0, 80, 20),
        "state": NO_STATE,
        "href": None,
        "placeholder": None,
        "value": None,
        "options": None,
        "landmark": -1,
    }
    return Element(id=element_id, type=kind, label=label, **(values | more))


def line(
    *pieces: Piece, kind: LineKind = "text", mark: str = "", depth: int = 0, group: int = 0
) -> Line:
    """Return a line of one cell; a line of one control is of that kind."""
    if kind == "text" and len(pieces) == 1 and not isinstance(pieces[0], str):
        kind = "control"
    return _line(depth, kind, mark, [pieces], group)


def heading(text: str, level: int = 1) -> Line:
    return line(Mark("#" * level), text, kind="heading")


def row(*cells: Piece, group: int = 1, depth: int = 0) -> Line:
    return _line(depth, "row", "| ", [(cell,) if cell != "" else () for cell in cells], group)


def item(*cells: Piece, group: int = 1, depth: int = 0) -> Line:
    return _line(depth, "item", "* ", [(cell,) for cell in cells], group)


def head(text: str, *pieces: Piece, depth: int = 0, group: int = 0) -> Line:
    """Return the line of a structure, such as ``[dialog "Sign in"]``."""
    return line(*pieces, kind="structure", mark=f"{text} ", depth=depth, group=group)


def _line(
    depth: int, kind: LineKind, mark: str, cells: Sequence[Sequence[Piece]], group: int
) -> Line:
    return Line(depth, kind, mark, [], group=group, source=tuple(map(tuple, cells)))


def outline(*lines: Line | str | Element, **more: Any) -> Outline:
    """Return an outline and its view; a text or control is a line."""
    written = tuple(each if isinstance(each, Line) else line(each) for each in lines)
    values: dict[str, Any] = {
        "document": "doc1",
        "url": "http://shop.test/",
        "title": "Shop",
        "viewport": (1280, 720),
        "scroll": _NOWHERE,
        "landmarks": (),
        "headings": (),
        "interactive": tuple(element for each in written for element in each.controls()),
        "forms": (),
        "lines": (),
        "counts": {},
    }
    return Outline(PageView(**(values | more)), written)


def changes(old: Outline, new: Outline, **more: Any) -> list[str]:
    found: Changes = compare(old, new, **more)
    return found.lines
