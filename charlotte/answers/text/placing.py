"""Placing of controls in the text around them: labels and repeated links are written once."""

from collections.abc import Mapping, Sequence
from typing import TypeGuard

from charlotte.answers.text.lines import Line, Mark, Piece, Token, label_of
from charlotte.page.diff.lines import LABELLED_OUTSIDE
from charlotte.page.model import Element, Node
from charlotte.page.tokens import escape_invisible

_LABEL_DISTANCE = 8
"""Lines before a control that may contain its label."""

_LINES_OF_BLOCK = 50
"""Lines before the content of a control that may contain the control."""

_TWIN_DISTANCE = 4
"""Lines before a link that may contain the same link, as an image."""


def place_line(lines: list[Line], line: Line) -> None:
    """Add a line of text and controls.

    A label in the line or before it that the name of a field repeats is left out.
    """
    pieces = line.parts
    if not pieces:
        return  # the rest of a control in an earlier line
    if isinstance(pieces[0], str):
        if lines and _is_label_after(lines[-1], pieces[0]):
            del pieces[0]
        elif len(pieces) == 1:
            lines.append(line)
            return
    for field in [piece for piece in pieces if _is_field(piece)]:
        _drop_label(line, field)
    first = pieces[0] if pieces else None
    if len(pieces) == 1 and isinstance(first, Element):
        line.kind = "control"
        place_control(lines, line, first)
    elif first is not None:
        if _is_field(first):
            _take_label(lines, first, None)
        lines.append(line)


def split_line(node: Node, elements: Mapping[int, Element], placed: set[str]) -> list[Piece]:
    """Return the texts and controls of a line without the visible texts of named controls.

    ``elements`` are the controls by number. The ids of those returned are added to ``placed``, the
    controls in earlier lines.
    """
    if not node.extra:
        return [node.name]
    pieces: list[Piece] = []
    text, written = node.name, 0
    for number, start, end in node.extra.get("controls", ()):
        element = elements.get(number)
        if (element is None and number > 0) or start < written:
            continue  # not listed, or part of the control before
        before = text[written:start].strip() if pieces else text[:start].rstrip()
        if before:
            pieces.append(before)
        written = end if element is None or element.label else start
        if element is None:
            pieces.append((Token if number else Mark)(escape_invisible(text[start:end])))
        elif element.id not in placed:  # it may begin in an earlier line
            placed.add(element.id)
            pieces.append(element)
    rest = text[written:].strip() if pieces or written else text
    if rest:
        pieces.append(rest)
    return pieces


def place_control(lines: list[Line], control: Line, element: Element) -> None:
    """Add a control that is alone on its line, in the place of its label if there is one before."""
    if _is_field(element) and _take_label(lines, element, control):
        return
    if element.type != "link" or not _repeats_link(lines, element):
        lines.append(control)


def place_content(lines: list[Line], content: Sequence[Line], element: Element | None) -> None:
    """Add the content of a node: for a control, below the line that contains the control.

    All lines of the block around a control come before its content.
    """
    end = len(lines)
    place = end
    for index in range(end, max(0, end - _LINES_OF_BLOCK) if element else end, -1):
        if any(piece is element for piece in lines[index - 1].parts):
            place = index
            break
    lines[place:place] = content


def known_text(element: Element) -> str:
    """Return the texts that a control shows by itself."""
    return f"{element.label}\n{element.value}" if element.value else element.label


def _drop_label(line: Line, field: Element) -> None:
    """Remove the label of a field from its line; it may contain links."""
    pieces = line.parts
    for piece in pieces:
        if isinstance(piece, str) and _is_label(piece, field):
            pieces.remove(piece)
            return
    place = pieces.index(field)
    text = ""
    for index in range(place + 1, len(pieces)):
        piece = pieces[index]
        text += label_of(piece)
        if _without_spaces(text) == _without_spaces(field.label):
            pieces[place + 1 : index + 1] = [
                each for each in pieces[place + 1 : index + 1] if not isinstance(each, str)
            ]
            return


def _without_spaces(text: str) -> str:
    return "".join(text.split())


def letters_of(text: str) -> str:
    """Return the letters and figures of a text, without marks of raised and struck text."""
    return "".join(filter(str.isalnum, text)) or text


def _is_field(piece: Piece) -> TypeGuard[Element]:
    return isinstance(piece, Element) and piece.type in LABELLED_OUTSIDE


def _bare(text: str) -> str:
    return text.rstrip(" *:")


def _is_label(text: str, element: Element) -> bool:
    """Return whether a text is the name of a field, or the name without the value."""
    name = element.label
    if element.value and name.endswith(f" {element.value}"):
        return _bare(text) in {_bare(name), _bare(name.removesuffix(element.value))}
    return bool(name) and _bare(text) == _bare(name)


def _is_label_after(before: Line, text: str) -> bool:
    """Return whether a text is the label of the field before it."""
    field = before.parts[-1] if before.parts else None
    return field is not None and _is_field(field) and _bare(field.label) == _bare(text)


def _take_label(lines: list[Line], element: Element, control: Line | None) -> bool:
    """Remove the label of a field from the lines before.

    If it is the last line, ``control`` takes its place and the result is True.
    """
    if not element.label:
        return False
    for label in lines[: -_LABEL_DISTANCE - 1 : -1]:
        piece = label.parts[0] if len(label.parts) == 1 else None
        if label.kind != "text" or not isinstance(piece, str) or not _is_label(piece, element):
            continue
        if control is None or label is not lines[-1]:
            lines.remove(label)
            return False
        label.kind, label.parts, label.implied = "control", control.parts, control.implied
        return True
    return False


def place_in_heading(heading: Line, line: str, pieces: Sequence[Piece]) -> None:
    """Write the pieces of a line instead of the line in the text of a heading."""
    for index, piece in enumerate(heading.parts):
        if not isinstance(piece, str) or isinstance(piece, Mark):
            continue
        if letters_of(piece) == letters_of(line):
            heading.parts[index : index + 1] = pieces
            return
        start = piece.find(line)
        if start >= 0:
            around = piece[:start].rstrip(), piece[start + len(line) :].lstrip()
            new = [around[0], *pieces, around[1]]
            heading.parts[index : index + 1] = [each for each in new if each != ""]
            return
    heading.parts += [each for each in pieces if isinstance(each, Element)]


def _leads_elsewhere(link: Element) -> bool:
    """Return whether the address of a link shows what a click on it does."""
    href = link.href or "#"
    return not (href.endswith("#") or href.lower().startswith("javascript:"))


def _repeats_link(lines: list[Line], element: Element) -> bool:
    """Return whether the lines before contain the same link.

    A link without a name, or with the same one, that is followed by the same link is removed.
    """
    for draft in reversed(lines[-_TWIN_DISTANCE:]):
        for piece in draft.parts:
            if isinstance(piece, str) or piece.type != "link" or piece.href != element.href:
                continue
            if not _leads_elsewhere(element):
                continue
            if not element.label or element.label.casefold() in piece.label.casefold():
                return True
            if not piece.label and draft.kind == "control" and len(draft.parts) == 1:
                lines.remove(draft)
            return False
    return False


def without_twins(lines: list[Line]) -> list[Line]:
    """Return the lines of a card without links that repeat another one, such as its image."""
    links: dict[str, list[tuple[Line, Element]]] = {}
    if len(lines) == 1 and len(lines[0].parts) == 1:
        return lines
    for draft in lines:
        if draft.source is None:
            for piece in draft.parts:
                if isinstance(piece, Element) and piece.href and _leads_elsewhere(piece):
                    links.setdefault(piece.href, []).append((draft, piece))
    for twins in links.values():
        if len(twins) < 2:  # noqa: PLR2004
            continue
        kept = max(twins, key=lambda twin: (twin[0].kind == "heading", len(twin[1].label)))[1]
        for draft, link in twins:
            label = link.label.casefold()
            if link is not kept and draft.kind != "heading" and label in kept.label.casefold():
                draft.parts.remove(link)
    return [each for each in lines if each.parts or each.source or each.kind == "structure"]
