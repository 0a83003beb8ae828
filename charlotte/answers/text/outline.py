"""The outline of a page: its lines in reading order, as the text form of answers writes them.

The nodes of a view are a tree in document order. Blocks of text and controls become lines, controls
inside a block stay at their place in its text, and the leaves of a row, item or card share a line.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import attrs

from charlotte.answers.text.lines import Cells, Line, Mark, Piece, Token
from charlotte.answers.text.placing import (
    known_text,
    letters_of,
    place_content,
    place_control,
    place_in_heading,
    place_line,
    split_line,
    without_twins,
)
from charlotte.page.model import DIALOGS, Element, Node, PageView, frozen_record
from charlotte.page.tokens import quote

_LANDMARK_WORDS = {
    "banner": "header",
    "navigation": "nav",
    "complementary": "aside",
    "contentinfo": "footer",
}
_IMPLIED_ROLES = {
    "tree": "treeitem",
    "tablist": "tab",
    "menubar": "menuitem",
    "menu": "menuitem",
    "listbox": "option",
}
"""Roles of the parts of a structure, which the structure implies."""

_ROWS = {"row", "head"}
_COLLECTORS = {*_ROWS, "item", "term", "article"}
_PLAIN_GROUPS = {**dict.fromkeys(("table", "grid", "treegrid"), "table"), "article": "article"}
"""Roles of named groups that are written like the structure without a name."""

_LONGEST_ITEM, _LONGEST_CARD = 400, 250
_LONGEST_ROW = 2_000
_LONGEST_INLINE = 600
_LONGEST_INLINE_TEXT = 30
"""Characters of a line that is made of several lines."""

_CELL_CHARS, _CONTROL_CHARS = 3, 15
"""Characters of a text and of a control beside the text and the name."""

_ID_CHARS = 12
"""Characters of an id and of the quotes of a name."""

_MARKS = re.compile(r"~~|[\^_]")
"""Marks of struck, raised and lowered text."""

_NUMBERED_TABLE = 5
"""Rows from which on a table without a name has a line of its own."""


KnownRow = tuple[Sequence[Node], Sequence[str], Line | None]
"""The nodes of a row, their ids, and its line."""

_NO_ROW: KnownRow = (), (), None


@frozen_record
class Outline:
    """All lines of a page in reading order, the view that they show, and its rows by number."""

    view: PageView
    lines: tuple[Line, ...]
    rows: Mapping[int, KnownRow] = attrs.field(factory=dict[int, KnownRow])


@attrs.define(eq=False)
class _Container:
    """An open node: its content is collected until the node is closed."""

    nid: int
    kind: str
    depth: int
    cell: int | None
    head: str = ""
    name: str = ""
    element: Element | None = None
    heading: Line | None = None
    lines: list[Line] = attrs.field(factory=list[Line])
    in_row: bool = False
    group: int = 0
    row_id: str = ""
    implied: str = ""
    number: str = ""
    is_captioned: bool = False


def build_outline(
    view: PageView,
    known: Outline | None = None,
    *,
    with_refs: bool = False,
    with_bounds: bool = False,
) -> Outline:
    """Return the outline of a page; ``with_refs`` adds the ids of headings and landmarks.

    Rows that have not changed are shared with ``known``, an outline with the same options.
    """
    builder = _Builder(view, known.rows if known else {}, with_refs)
    lines = tuple(builder.build())
    for line in lines:
        line.with_bounds = with_bounds
    return Outline(view, lines, builder.rows)


def grep_outline(outline: Outline, matches: Callable[[str], bool]) -> tuple[Outline, int]:
    """Return the lines that match, and how many; with what is around them, and heads of tables."""
    kept: list[Line] = []
    count, around, groups = 0, 0, set[int]()
    for line in reversed(outline.lines):
        is_match = matches(line.text)
        count += is_match
        if is_match or line.depth < around or (line.is_head and line.group in groups):
            kept.append(line)
            around = line.depth
        if is_match:
            groups.add(line.group)
    return attrs.evolve(outline, lines=tuple(reversed(kept))), count


class _Builder:
    """Builder of the lines of one view."""

    def __init__(
        self,
        view: PageView,
        known: Mapping[int, KnownRow],
        with_refs: bool,  # noqa: FBT001
    ) -> None:
        self.rows: dict[int, KnownRow] = {}
        self._nodes, self._ids = view.nodes, view.node_ids
        self._elements = {element.id: element for element in view.interactive}
        self._headings = {heading.id: heading for heading in view.headings}
        self._forms = {form.id: form for form in view.forms}
        self._known, self._with_refs = known, with_refs
        self._parents = {node.parent for node in view.nodes}
        self._open = [_Container(0, "root", 0, None)]
        self._placed: set[str] = set()
        self._numbers = {0}

    @cached_property
    def _messages(self) -> frozenset[str]:
        """The messages of invalid fields, which are written with these."""
        messages = (element.message for element in self._elements.values())
        return frozenset(message for message in messages if message)

    @cached_property
    def _inline(self) -> dict[int, Element]:
        """The controls that may stand in a line of text, by number."""
        return {
            node.nid: element
            for node, node_id in zip(self._nodes, self._ids, strict=True)
            if (element := self._elements.get(node_id)) and node.extra.get("as") not in _COLLECTORS
        }

    def build(self) -> list[Line]:
        """Return the lines of all nodes."""
        index, count = 0, len(self._nodes)
        while index < count:
            node = self._nodes[index]
            is_row = node.kind == "s" and node.role in _ROWS
            end, size = self._find_row_end(index) if is_row else (0, 0)
            if end:
                self._add_row(self._find_around(node), index, end, size)
                index = end
            else:
                self._add(self._find_around(node), node, self._ids[index])
                index += 1
        while len(self._open) > 1:
            self._close()
        return self._open[0].lines

    def _find_around(self, node: Node) -> _Container:
        """Close the nodes that do not contain a node; return the one around it."""
        parent = node.parent if node.parent in self._numbers else 0
        while self._open[-1].nid != parent:
            self._close()
        return self._open[-1]

    def _add(self, around: _Container, node: Node, node_id: str) -> None:
        kind = node.kind
        if kind == "t":
            self._add_text(around, node)
        elif kind in {"i", "c"}:
            self._add_control(around, node, self._elements.get(node_id))
        elif kind == "h":
            self._add_heading(around, node, node_id)
        else:
            self._add_structure(around, node, node_id)

    def _find_row_end(self, index: int) -> tuple[int, int]:
        """Return end and about the size of a row of texts and controls, (0, 0) for other rows."""
        nodes, ids = self._nodes, self._ids
        number, first, size = nodes[index].nid, index + 1, 0
        for end in range(first, len(nodes) + 1):
            node = nodes[end] if end < len(nodes) else None
            if node is None or node.parent != number:
                return (end, size) if end > first and size <= _LONGEST_ROW else (0, 0)
            is_control = node.kind in {"i", "c"} and ids[end] in self._elements
            if not is_control and node.kind != "t":
                return 0, 0
            if is_control and node.nid in self._parents:
                return 0, 0
            size += len(node.name) + (_CONTROL_CHARS if is_control else _CELL_CHARS)
        return 0, 0

    def _add_row(self, around: _Container, start: int, end: int, size: int) -> None:
        """Add a row of texts and controls; its line is built when it is needed."""
        node = self._nodes[start]
        nodes, ids = self._nodes[start:end], self._ids[start:end]
        depth, group = around.depth, around.group
        old_nodes, old_ids, line = self._known.get(node.nid, _NO_ROW)
        is_same = nodes == old_nodes and ids == old_ids
        if line is None or not is_same or line.depth != depth or line.group != group:
            elements = map(self._elements.get, ids)
            cells = partial(_build_row, [*zip(nodes, elements, strict=True)])
            is_head = node.role == "head"
            line = Line(depth, "row", "| ", [], None, group, cells, expected=size, is_head=is_head)
        if around.heading is None:
            self.rows[node.nid] = nodes, ids, line
            line.column = around.cell
            around.lines.append(line)

    def _begin(self, around: _Container, node: Node, kind: str, depth: int) -> _Container:
        cell = node.cell if node.cell is not None else around.cell
        in_row = around.in_row or kind in _COLLECTORS
        container = _Container(node.nid, kind, depth, cell, in_row=in_row, group=around.group)
        container.implied = around.implied
        self._open.append(container)
        self._numbers.add(node.nid)
        return container

    def _add_text(self, around: _Container, node: Node) -> None:
        text = node.name
        pieces: list[Piece] = [text]
        if number := node.extra.get("number"):
            items = (one for one in reversed(self._open) if one.kind == "item")
            next(items, around).number = number
        if "controls" in node.extra:
            pieces = split_line(node, self._inline, self._placed)
        if around.heading is not None:
            if pieces != [text] or letters_of(text) == letters_of(around.name):
                place_in_heading(around.heading, text, pieces)
            elif text not in around.name:
                around.heading.parts.append(text)
            return
        if pieces == [text] and text in self._messages:
            return
        if around.element is not None:
            known = known_text(around.element)
            pieces = [piece for piece in pieces if not _is_known(piece, known)]
        elif text == around.name and not around.lines and (around.head or around.kind == "table"):
            around.is_captioned = True
            return  # the caption of a table, the legend of a group
        cell = node.cell if node.cell is not None else around.cell
        draft = Line(around.depth, "text", "", pieces, cell, implied=around.implied)
        place_line(around.lines, draft)

    def _add_control(self, around: _Container, node: Node, element: Element | None) -> None:
        role = node.extra.get("as")
        has_content = node.nid in self._parents
        if element is None:
            if has_content:
                self._begin(around, node, role or "none", around.depth)
            return
        cell = node.cell if node.cell is not None else around.cell
        if role in _COLLECTORS:
            container = self._begin(around, node, role, around.depth)
            container.lines.append(Line(around.depth, "control", "", [element], cell))
            container.row_id = element.id
            return
        is_placed = element.id in self._placed
        self._placed.add(element.id)
        if is_placed:
            pass
        elif around.heading is None:
            control = Line(around.depth, "control", "", [element], cell, implied=around.implied)
            place_control(around.lines, control, element)
        else:
            around.heading.parts.append(element)
        if has_content:
            depth = around.depth + (around.heading is None)
            container = self._begin(around, node, "control", depth)
            container.element = element
            container.implied = _IMPLIED_ROLES.get(element.role, around.implied)

    def _add_heading(self, around: _Container, node: Node, node_id: str) -> None:
        heading = self._headings.get(node_id)
        container = self._begin(around, node, "heading", around.depth)
        if heading is None:
            return
        mark = Mark("#" * heading.level + (f" {node_id}" if self._with_refs else ""))
        if around.element is not None and heading.text in known_text(around.element):
            container.kind = "none"
            container.element = around.element
            return
        draft = Line(around.depth, "heading", "", [mark, heading.text], container.cell)
        container.heading, container.name = draft, heading.text
        around.lines.append(draft)

    def _add_structure(self, around: _Container, node: Node, node_id: str) -> None:
        kind, role = node.kind, node.role
        if kind == "s" or role in _PLAIN_GROUPS:
            role = _PLAIN_GROUPS.get(role, role)
            container = self._begin(around, node, role, around.depth)
            container.name = node.name
            if role not in _COLLECTORS:
                container.element = around.element
                container.group = node.nid
            return
        name = "" if kind == "f" and not node.extra.get("named") else node.name
        is_shown = self._has_line(around, node, node_id, name)
        container = self._begin(around, node, "structure", around.depth + is_shown)
        container.name = name
        if is_shown:
            word = "frame" if kind == "d" else _LANDMARK_WORDS.get(role, role)
            if kind == "f" or (self._with_refs and node_id):
                word = f"{word} {node_id}"
            container.head = word
            container.in_row = False
            container.implied = _IMPLIED_ROLES.get(role, "")
        if role == "list":
            container.group = node.nid

    def _has_line(self, around: _Container, node: Node, node_id: str, name: str) -> bool:
        """Return whether a structure has a line of its own."""
        if node.kind == "f":
            form = self._forms.get(node_id)
            return form is not None and (bool(name) or form.submit is None or len(form.fields) > 1)
        if node.role == "main" and not name:
            return False
        return node.role in DIALOGS or node.kind == "d" or not around.in_row

    def _close(self) -> None:
        container = self._open.pop()
        self._numbers.discard(container.nid)
        around = self._open[-1]
        lines = container.lines
        if not lines and not container.is_captioned:
            return
        if any(draft.is_term for draft in lines):
            lines = container.lines = _join_terms(lines)
        if container.kind in _ROWS:
            lines = _join_row(container, around)
        elif container.kind in _COLLECTORS:
            lines = _join_item(container, around)
        elif container.kind == "table":
            lines = _head_table(container)
        elif container.head:
            lines = _head_structure(container)
        elif container.kind == "control" and _is_one_control(container, around):
            around.lines[-1].parts += lines[0].parts
            return
        if around.heading is not None:
            for draft in lines:
                around.heading.parts += draft.parts
        else:
            element = container.element if container.kind == "control" else None
            place_content(around.lines, lines, element)


def _is_known(piece: Piece, known: str) -> bool:
    return isinstance(piece, str) and (
        piece in known or all(word in known for word in _MARKS.sub(" ", piece).split())
    )


def _is_leaf(draft: Line, depth: int) -> bool:
    return draft.depth == depth and (
        draft.kind in {"text", "control", "heading"}
        or (draft.kind == "item" and draft.source is None and draft.mark == "* ")
    )


def _size(drafts: Iterable[Line]) -> int:
    """Return about how many characters drafts take."""
    return sum(
        len(piece) if isinstance(piece, str) else len(piece.label) + _ID_CHARS
        for draft in drafts
        for piece in draft.parts
    )


def _join_row(container: _Container, around: _Container) -> list[Line]:
    lines = without_twins(container.lines)
    is_short = all(_is_leaf(draft, container.depth) for draft in lines)
    if not is_short or _size(lines) > _LONGEST_ROW:
        return lines
    pieces = [piece for draft in lines for piece in draft.parts]
    row = Line(container.depth, "row", "| ", pieces, around.cell, around.group)
    row.source, row.row_id = _row_cells(lines), container.row_id
    row.is_head = container.kind == "head"
    return [row]


def _row_cells(lines: Iterable[Line]) -> Cells:
    """Return the pieces of lines by the column of their cell."""
    cells: dict[int, list[Piece]] = {}
    for draft in lines:
        cells.setdefault(draft.column or 0, []).extend(draft.parts)
    return tuple(tuple(cells.get(index, ())) for index in range(max(cells, default=-1) + 1))


def _build_row(members: Sequence[tuple[Node, Element | None]]) -> Cells:
    """Return the cells of a row of texts and controls."""
    lines: list[Line] = []
    elements = {node.nid: element for node, element in members if element is not None}
    placed: set[str] = set()
    for node, element in members:
        if node.kind == "t":
            pieces = split_line(node, elements, placed)
            place_line(lines, Line(0, "text", "", pieces, node.cell))
        elif element is not None and element.id not in placed:
            place_control(lines, Line(0, "control", "", [element], node.cell), element)
    return _row_cells(without_twins(lines))


def _join_item(container: _Container, around: _Container) -> list[Line]:
    lines = without_twins(container.lines)
    first, *rest = lines
    mark = f"{container.number or '*'} "
    for draft in lines:
        draft.column = around.cell
    if not rest and first.kind == "control" and not container.number:
        first.group = around.group
        return lines
    longest = _LONGEST_CARD if any(each.kind == "heading" for each in lines) else _LONGEST_ITEM
    if all(_is_leaf(draft, container.depth) for draft in lines) and _size(lines) <= longest:
        cells = _join_controls(lines)
        pieces = [piece for draft in lines for piece in draft.parts]
        joined = cells if len(cells) > 1 else None
        depth, row_id = container.depth, container.row_id
        item = Line(depth, "item", mark, pieces, around.cell, around.group, joined, row_id)
        item.is_term = container.kind == "term"
        return [item]
    if container.name and container.kind == "article":
        return _with_head("article", container.name, _indent(lines), container.depth, around.cell)
    if first.kind in {"text", "control", "heading"} and first.depth == container.depth:
        if first.kind != "control" or container.kind == "article" or container.number:
            first.kind, first.mark, first.group = "item", mark, around.group
        return [first, *_indent(rest)]
    return lines


def _indent(lines: Iterable[Line]) -> list[Line]:
    """Return lines one step deeper; rows may belong to an earlier outline too."""
    return [attrs.evolve(line, depth=line.depth + 1) for line in lines]


def _join_terms(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of a list in which a term with a single definition shares its line."""
    joined: list[Line] = []
    for index, draft in enumerate(lines):
        before = joined[-1] if joined else None
        is_last = index + 1 == len(lines) or lines[index + 1].is_term
        is_item = draft.kind == "item" and not draft.is_term and draft.depth == lines[0].depth
        if before is not None and before.is_term and is_item and is_last:
            before.source = before.cells + draft.cells
            before.parts = [*before.parts, *draft.parts]
            before.is_term = False
        else:
            joined.append(draft)
    return joined


def _is_one_control(container: _Container, around: _Container) -> bool:
    """Return whether a control on a line of its own only contains another control."""
    last = around.lines[-1] if around.lines else None
    line = container.lines[0]
    return (
        len(container.lines) == 1
        and line.kind == "control"
        and last is not None
        and last.parts == [container.element]
    )


def _write_head(word: str, name: str) -> str:
    """Return the beginning of the line of a structure."""
    return f"[{word} {quote(name)}] " if name else f"[{word}] "


def _with_head(
    word: str, name: str, lines: Sequence[Line], depth: int, cell: int | None
) -> list[Line]:
    """Return lines below the line of their structure, which a heading with its name shares."""
    first = lines[0] if lines else None
    if first is not None and first.kind == "heading" and first.parts[1:] == [name]:
        head = Line(depth, "structure", _write_head(word, ""), first.parts, cell)
        return [head, *lines[1:]]
    return [Line(depth, "structure", _write_head(word, name), [], cell), *lines]


def _join_controls(lines: Iterable[Line]) -> Cells:
    """Return a cell for each draft; controls in a row share a cell."""
    cells: list[list[Piece]] = []
    was_control = False
    for draft in lines:
        is_control = draft.kind == "control"
        if is_control and was_control:
            cells[-1] += draft.parts
        else:
            cells.append([*draft.parts])
        was_control = is_control
    return tuple(map(tuple, cells))


def _head_table(container: _Container) -> list[Line]:
    lines = container.lines
    rows = sum(
        draft.kind == "row" and draft.group == container.group and not draft.is_head
        for draft in lines
    )
    if not container.name and rows < _NUMBERED_TABLE:
        return lines
    name = f" {quote(container.name)}" if container.name else ""
    count = f", {rows:,} rows" if rows > 1 else ""
    head = Line(container.depth, "structure", f"[table{name}{count}] ", [], group=container.group)
    return [head, *lines]


def _head_structure(container: _Container) -> list[Line]:
    """Return a structure with its content, on one line if the content is short."""
    lines = container.lines
    depth, cell = container.depth - 1, container.cell
    if not _is_inline(container):
        return _with_head(container.head, container.name, lines, depth, cell)
    mark = _write_head(container.head, container.name)
    pieces = [piece for draft in lines for piece in draft.parts]
    return [Line(depth, "structure", mark, pieces, cell, implied=container.implied)]


def _is_inline(container: _Container) -> bool:
    """Return whether the content of a structure fits on its line: a menu, or a single line."""
    lines = container.lines
    if not all(_is_leaf(each, container.depth) and each.kind != "heading" for each in lines):
        return False
    pieces = [piece for draft in lines for piece in draft.parts]
    texts = [piece for piece in pieces if isinstance(piece, str)]
    is_menu = (
        not container.head.startswith("form")
        and len(texts) < len(pieces)
        and all(len(text) <= _LONGEST_INLINE_TEXT for text in texts)
    )
    return (is_menu or len(lines) == 1) and _size(lines) <= _LONGEST_INLINE


Redact = Callable[[str], str]

_SECRET = ("label", "value", "placeholder", "title", "message", "icon", "near")
"""Properties of a control that may contain a secret, beside its options."""


def redact_outline(outline: Outline, redact: Redact) -> Outline:
    """Return an outline whose texts have been redacted; a part of a secret is not recognized."""

    def hide(piece: Piece) -> Piece:
        if isinstance(piece, str):
            if isinstance(piece, Token):
                return Token(redact(piece))
            return piece if isinstance(piece, Mark) else redact(piece)
        return _redact_control(piece, redact)

    def hide_cells(line: Line) -> Cells:
        return tuple(tuple(map(hide, cell)) for cell in line.cells)

    lines = tuple(
        attrs.evolve(line, mark=redact(line.mark), parts=[], source=partial(hide_cells, line))
        for line in outline.lines
    )
    behind = outline.view.unreachable
    if behind is None:
        return attrs.evolve(outline, lines=lines)
    controls = tuple(_redact_control(element, redact) for element in behind.interactive)
    view = attrs.evolve(outline.view, unreachable=attrs.evolve(behind, interactive=controls))
    return attrs.evolve(outline, view=view, lines=lines)


def _redact_control(element: Element, redact: Redact) -> Element:
    texts: dict[str, Any] = {
        name: redact(text) for name in _SECRET if (text := getattr(element, name))
    }
    options = element.options and tuple(map(redact, element.options))
    redacted = attrs.evolve(element, options=options, **texts)
    return element if redacted == element else redacted  # an equal element is compared at once
