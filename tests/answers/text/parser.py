"""Parser of the text form of answers, written from its grammar and not from its writer.

It is strict: what the grammar does not allow raises `ParseError`. So a test that parses an answer
also checks that each line has one meaning.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

import attrs

Kind = Literal["heading", "structure", "row", "item", "line", "cut", "remark", "error", "none"]
Mark = Literal["", "+", "-", "~"]

_PREFIX = "(?:btn|lnk|inp|sel|chk|rad|tog|clk|txt|frm|hdg|rgn|dom)"
_ID = rf"{_PREFIX}-[0-9a-f]{{4}}(?:-[1-9][0-9]{{0,8}})?"
_JSON = r'"(?:[^"\\]|\\.)*"'
_TAB = r"tab-[0-9]+"
_NUMBER = r"[0-9]{1,3}(?:,[0-9]{3})*|[0-9]+"

_CONTROL = re.compile(rf"({_ID})(?: ({_JSON}))?")
_NAMED = re.compile(rf"(?:^| )({_ID}) (?=[\"\[])")
_STRING = re.compile(rf"{_JSON}(?= |$)")
_BREAK = re.compile(r" \|(?= |$)| → | / (?=[\"#\\])")
_HEADING = re.compile(r"(#{1,6})(?: (hdg-[0-9a-f]{4}(?:-[0-9]+)?))?(?: |$)")
_STRUCTURE = re.compile(
    rf"\[([a-z]+(?: [a-z]+)*)(?: ({_ID}))?(?: ({_JSON}))?((?:, [^\]\"]+)*)\](?:, ([^\"]+)$)?"
)
_HEADER = re.compile(
    rf"({_TAB})(?: ({_JSON}))?(?: ((?:[a-z][a-z0-9+.-]*:|/)\S*))?(?: ([0-9]+)x([0-9]+))?"
    r"(?: status ([0-9]{3}))?$"
)
_TAB_LINE = re.compile(rf"({_TAB}) ({_JSON}) ([a-z][a-z0-9+.-]*:\S*)(?: \[(.*))?$")
_ERROR = re.compile(r"error ([A-Z][A-Z_]*): (.*)")

_BEGINNING = re.compile(
    r"""[\s\\"\[#|]|[*+~!…-](?:\s|$)|error\s+[A-Z_]+:|no changes""", re.IGNORECASE
)
"""Beginnings of a text that follow a backslash."""

_CONTAINED = re.compile(
    rf"(?<!\w)(?:{_PREFIX}|tab)-[0-9a-f]|@ref:|(?:^|\s)→(?:\s|$)|\s\|(?:\s|$)|(?:^|\s)/\s[\"#\\]|\s$|^$",
    re.IGNORECASE,
)
"""What a text contains that is written as a JSON string."""

INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
"""Characters that are not drawn: text is checked without them."""

_UNSAFE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Categories of characters that are only written with an escape."""

_WITHOUT_JOINERS = {0x200C: None, 0x200D: None}
_CLOSING = (*".,;:?)]}%\u2019\u201d\u00bb", "")
"""What may follow a control without a space."""

_NOTES: Mapping[str, Kind] = {"! ": "remark", "… ": "cut"}
_SIGNS: Mapping[str, Mark] = {"+ ": "+", "- ": "-", "~ ": "~"}

ROLES = frozenset(
    (
        *("button", "checkbox", "columnheader", "combobox", "generic", "gridcell", "heading"),
        *("img", "link", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio", "option"),
        *("radio", "row", "rowheader", "searchbox", "slider", "spinbutton", "switch", "tab"),
        *("textbox", "treeitem"),
    )
)


class ParseError(ValueError):
    """A line that the grammar does not allow."""


@attrs.frozen
class Control:
    """A control; ``name`` is None in a change that leaves it unchanged.

    ``states`` has the members ``checked`` (True, False or "mixed"), ``required``, ``value``,
    ``options`` (their texts) or ``count`` (their number), ``hint``, ``near``, ``title``, ``href``,
    ``bounds`` and ``words``, all optional.
    """

    id: str
    name: str | None
    states: Mapping[str, Any] = attrs.field(factory=dict[str, Any])

    @property
    def words(self) -> tuple[str, ...]:
        """The words in the bracket: role and flags."""
        words: tuple[str, ...] = self.states.get("words", ())
        return words


@attrs.frozen
class Arrow:
    """The sign between the old and the new side of a change."""


@attrs.frozen
class HeadingMark:
    """The mark ``##`` in front of the text of a heading; ``id`` is None if it is not requested."""

    level: int
    id: str | None = None


ARROW = Arrow()
Piece = str | Control | Arrow | HeadingMark
Cell = tuple[Piece, ...]


@attrs.frozen
class Structure:
    """A line ``[kind id "name", fact]``; ``rest`` is what a removal counts after the bracket."""

    kind: str
    id: str | None = None
    name: str | None = None
    facts: tuple[str, ...] = ()
    rest: str = ""


@attrs.frozen
class Line:
    """A line of an answer after its header.

    ``is_item`` is whether the line begins an item of several lines. ``note`` is the text of a line
    that only Charlotte writes: a cut, a remark or an error.
    """

    depth: int
    kind: Kind
    mark: Mark = ""
    structure: Structure | None = None
    cells: tuple[Cell, ...] = ()
    note: str = ""
    is_item: bool = False

    @property
    def pieces(self) -> Iterator[Piece]:
        for cell in self.cells:
            yield from cell

    @property
    def controls(self) -> list[Control]:
        return [piece for piece in self.pieces if isinstance(piece, Control)]

    @property
    def texts(self) -> list[str]:
        return [piece for piece in self.pieces if isinstance(piece, str)]


@attrs.frozen
class Header:
    """The first line of an answer; None for what has not changed."""

    tab: str
    title: str | None = None
    url: str | None = None
    viewport: tuple[int, int] | None = None
    status: int | None = None


@attrs.frozen
class Answer:
    """An answer; ``header`` is None for an error without a tab."""

    header: Header | None
    lines: tuple[Line, ...]

    @property
    def controls(self) -> list[Control]:
        return [control for line in self.lines for control in line.controls]

    @property
    def remarks(self) -> list[str]:
        return [line.note for line in self.lines if line.kind == "remark"]

    def of_kind(self, kind: Kind) -> list[Line]:
        return [line for line in self.lines if line.kind == kind]


def _decode(text: str) -> str:
    """Return the value of a JSON string, in which invisible characters are escaped."""
    if any(unicodedata.category(char) in _UNSAFE for char in text):
        raise ParseError(f"an invisible character in {text!r}")
    value: str = json.loads(text)
    return value


def _decode_all(text: str) -> tuple[str, ...]:
    return tuple(map(_decode, re.findall(_JSON, text)))


def _read_number(text: str) -> int:
    return int(text.replace(",", ""))


def parse_answer(text: str) -> Answer:
    """Parse an answer. Every line separator except ``\\n`` is an error."""
    lines = text.split("\n")
    if lines != text.splitlines() and text:
        raise ParseError(f"lines of their own for some readers: {text!r}")
    header = None
    if lines[0].startswith("tab-"):
        header = parse_header(lines.pop(0))
    return Answer(header, tuple(map(parse_line, lines)))


def parse_header(text: str) -> Header:
    """Parse the first line of an answer."""
    match = _HEADER.match(text)
    if match is None:
        raise ParseError(f"no header: {text!r}")
    tab, title, url, width, height, status = match.groups()
    return Header(
        tab,
        _decode(title) if title else None,
        url,
        (int(width), int(height)) if width else None,
        int(status) if status else None,
    )


def parse_tab(text: str) -> tuple[Header, Mapping[str, Any]]:
    """Parse a line of the list of tabs; return the states with it."""
    match = _TAB_LINE.match(text)
    if match is None:
        raise ParseError(f"no tab: {text!r}")
    states, rest = parse_states(match[4]) if match[4] else ({}, "")
    if rest:
        raise ParseError(f"after the states: {rest!r}")
    return Header(match[1], _decode(match[2]), match[3]), states


def parse_line(text: str) -> Line:
    body = text.lstrip(" ")
    spaces = len(text) - len(body)
    if mark := _SIGNS.get(text[:2]):
        line = attrs.evolve(parse_line(text[2:]), mark=mark)
        if ARROW in line.pieces and mark != "~":
            raise ParseError(f"only a change has two sides: {text!r}")
        return line
    if spaces % 2:
        raise ParseError(f"indented by {spaces} spaces: {text!r}")
    if body.startswith("* "):
        return attrs.evolve(_parse_item(body[2:]), depth=spaces // 2)
    return attrs.evolve(_parse_body(body), depth=spaces // 2)


def _parse_item(body: str) -> Line:
    line = _parse_body(body)
    return attrs.evolve(line, kind="item" if line.kind == "line" else line.kind, is_item=True)


def _parse_body(body: str) -> Line:
    if body == "no changes":
        return Line(0, "none")
    if body.startswith(tuple(_NOTES)):
        return Line(0, _NOTES[body[:2]], note=body[2:])
    if error := _ERROR.fullmatch(body):
        return Line(0, "error", note=f"{error[1]}: {error[2]}")
    if body.startswith("["):
        return _parse_structure(body)
    if body == "|" or body.startswith("| "):
        return Line(0, "row", cells=parse_cells(body[2:]))
    return Line(0, "heading" if _HEADING.match(body) else "line", cells=parse_cells(body))


def _parse_structure(body: str) -> Line:
    match = _STRUCTURE.match(body)
    if match is None:
        raise ParseError(f"no structure: {body!r}")
    kind, element_id, name, facts, rest = match.groups()
    structure = Structure(
        kind, element_id, _decode(name) if name else None, tuple(facts.split(", ")[1:]), rest or ""
    )
    content = body[match.end() :]
    if content and not content.startswith(" "):
        raise ParseError(f"text after a structure: {body!r}")
    if content.startswith(" … "):
        return Line(0, "cut", structure=structure, note=content[3:])
    return Line(0, "structure", structure=structure, cells=parse_cells(content[1:]))


def parse_cells(text: str) -> tuple[Cell, ...]:
    """Parse the cells of a line: pieces from the left, with separators between the cells."""
    cells: list[list[Piece]] = [[]]
    while text not in {"", "…", " …"}:
        text = text.removeprefix(" ")
        if text.startswith("| ") or text == "|":
            cells.append([])
            text = text[2:]
        elif text.startswith("→ ") and cells[-1]:
            cells[-1].append(ARROW)
            text = text[1:]
        elif text.startswith(('/ "', "/ #", "/ \\")):  # between two blocks of a cell
            text = text[1:]
        else:
            piece, text = _parse_piece(text)
            cells[-1].append(piece)
            is_closed = isinstance(piece, Control) and text[:1] in _CLOSING
            if text == " " or not (is_closed or text[:1] in {" ", ""}):
                raise ParseError(f"after {piece!r}: {text!r}")
    return tuple(map(tuple, cells))


def _parse_piece(text: str) -> tuple[Piece, str]:
    """Return the first piece of a cell, and the rest of the line."""
    if quoted := _STRING.match(text):
        return _decode(quoted[0]), text[quoted.end() :]
    if mark := _HEADING.match(text):
        return HeadingMark(len(mark[1]), mark[2]), text[mark.end(2 if mark[2] else 1) :]
    if (found := _CONTROL.match(text)) and (found[2] or text.startswith(" [", found.end())):
        name = _decode(found[2]) if found[2] else None
        rest = text[found.end() :]
        states: dict[str, Any] = {}
        if rest.startswith(" ["):
            states, rest = parse_states(rest[2:])
        return Control(found[1], name, states), rest
    ends = [match.start() for match in (_BREAK.search(text), _NAMED.search(text)) if match]
    end = min(ends, default=len(text))
    return _read_raw(text[:end]), text[end:]


def _read_raw(text: str) -> str:
    """Return a text that is not written as a JSON string, if that is allowed."""
    if any(unicodedata.category(char) in _UNSAFE for char in text.translate(_WITHOUT_JOINERS)):
        raise ParseError(f"an invisible character in {text!r}")
    is_escaped = text.startswith("\\")
    text = text.removeprefix("\\")
    visible = INVISIBLE.sub("", text)
    if _CONTAINED.search(visible):
        raise ParseError(f"must be a JSON string: {text!r}")
    if bool(_BEGINNING.match(visible)) is not is_escaped:
        raise ParseError(f"must {'not ' * is_escaped}follow a backslash: {text!r}")
    return re.sub(r"(\s)\\\|(?=\s|$)", r"\1|", text)


def parse_states(text: str) -> tuple[dict[str, Any], str]:
    """Parse the states after ``[``; return them and the rest after ``]``."""
    states: dict[str, Any] = {}
    while True:
        text = _parse_state(text, states)
        if text.startswith("]"):
            return states, text[1:]
        if not text.startswith(", "):
            raise ParseError(f"no end of a state: {text!r}")
        text = text[2:]


_STATES: Mapping[str, tuple[re.Pattern[str], Callable[[str], Any]]] = {
    "checked": (re.compile(r"([x -])(?=[,\]])"), {"x": True, " ": False, "-": "mixed"}.__getitem__),
    "required": (re.compile(r"(\*)(?=[,\]])"), bool),
    "value": (re.compile(rf"= ({_JSON})"), _decode),
    "hint": (re.compile(rf"hint ({_JSON})"), _decode),
    "near": (re.compile(rf"near ({_JSON})"), _decode),
    "title": (re.compile(rf"title ({_JSON})"), _decode),
    "context": (re.compile(rf"context ({_JSON})"), _decode),
    "dialog": (re.compile(rf"[a-z]+ dialog ({_JSON})"), _decode),
    "in": (re.compile(rf"in ({_JSON})"), _decode),
    "under": (re.compile(rf"under ({_JSON})"), _decode),
    "options": (re.compile(rf"options ({_JSON}(?:, {_JSON})*)"), _decode_all),
    "count": (re.compile(rf"({_NUMBER}) options?(?=[,\]])"), _read_number),
    "href": (re.compile(r"-> (\S*)(?=, |\](?: |$))"), str),
    "bounds": (re.compile(r"@ (-?[0-9]+,-?[0-9]+ [0-9]+x[0-9]+|nowhere)"), str),
    "tag": (re.compile(rf"({_JSON})(?=[,\]])"), _decode),
    "words": (re.compile(r"([a-z][a-z0-9-]*(?: [a-z]+)*)(?=[,\]])"), str),
}
"""Patterns of states, with what reads their text. A URL contains no space."""


def _parse_state(text: str, states: dict[str, Any]) -> str:
    """Add the first state; return the rest of the text."""
    for name, (pattern, read) in _STATES.items():
        if match := pattern.match(text):
            value = read(match[1])
            if name == "words":
                value = (*states.get(name, ()), value)
            elif name in states:
                raise ParseError(f"{name} is given twice")
            states[name] = value
            return text[match.end() :]
    raise ParseError(f"no state: {text!r}")
