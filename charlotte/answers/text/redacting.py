"""Outlines without secrets: texts are redacted before they are cut or compared."""

from collections.abc import Callable
from functools import partial

import attrs

from charlotte.answers.text.lines import Cells, Line, Mark, Piece
from charlotte.answers.text.outline import Outline
from charlotte.page.model import Element

Redact = Callable[[str], str]


def redact_outline(outline: Outline, redact: Redact) -> Outline:
    """Return an outline whose texts have been redacted; a part of a secret is not recognized."""
    lines = tuple(_redact_line(line, redact) for line in outline.lines)
    behind = outline.view.unreachable
    if behind is None:
        return attrs.evolve(outline, lines=lines)
    controls = tuple(_redact_control(element, redact) for element in behind.interactive)
    view = attrs.evolve(outline.view, unreachable=attrs.evolve(behind, interactive=controls))
    return attrs.evolve(outline, view=view, lines=lines)


def _redact_line(line: Line, redact: Redact) -> Line:
    cells = partial(_redact_cells, line, redact)
    return attrs.evolve(line, mark=redact(line.mark), source=cells)


def _redact_cells(line: Line, redact: Redact) -> Cells:
    return tuple(tuple(_redact_piece(piece, redact) for piece in cell) for cell in line.cells)


def _redact_piece(piece: Piece, redact: Redact) -> Piece:
    if isinstance(piece, Mark):
        return piece
    if isinstance(piece, str):
        return redact(piece)
    return _redact_control(piece, redact)


def _redact_control(element: Element, redact: Redact) -> Element:
    redacted = attrs.evolve(
        element,
        label=redact(element.label),
        value=element.value and redact(element.value),
        placeholder=element.placeholder and redact(element.placeholder),
        title=element.title and redact(element.title),
        message=element.message and redact(element.message),
        icon=element.icon and redact(element.icon),
        near=element.near and redact(element.near),
        options=element.options and tuple(map(redact, element.options)),
    )
    return element if redacted == element else redacted  # an equal element is compared at once
