"""Lines of the text form, and the texts and controls that they consist of."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Literal

import attrs

from charlotte.page.model import Element
from charlotte.page.tokens import write_control, write_text

LineKind = Literal["heading", "text", "control", "row", "item", "structure"]


class Mark(str):
    """A token of Charlotte's between the texts of a line, such as ``##``."""

    __slots__ = ()


class Token(str):
    """What stands for something on the page that is no text, such as an image or a progress."""

    __slots__ = ()


Piece = str | Element
Cells = tuple[tuple[Piece, ...], ...]

RECORDS = {"row", "item"}
"""Kinds of lines that have cells."""

_CELL = "gridcell"
"""Role of the controls in a row that are cells, which is not written."""

_CLOSING = ".,;:?)]}%\u2019\u201d\u00bb"
"""Punctuation that follows a control without a space."""


@attrs.define(eq=False)
class Line:
    """A line of the text form.

    ``depth`` is its indentation in steps of two spaces. ``mark`` is written before the cells:
    ``"| "``, ``'[nav "Main"] '``. ``source`` are the cells, or a function that builds them; None
    for one cell, of the pieces that ``parts`` collects while the outline is built. ``group`` is the
    number of the table or list around a row or item, 0 for other lines. ``row_id`` is the id of a
    control that is the row itself, ``implied`` the role of the parts of the structure around it,
    which is not written. ``expected`` is about the number of characters of cells that are not built
    yet. ``is_head`` is whether a row consists of headers of columns. ``column`` is that of the cell
    around a line, and ``is_term`` whether it is a term to be defined, while the outline is built.
    """

    depth: int
    kind: LineKind
    mark: str
    parts: list[Piece]
    column: int | None = None
    group: int = 0
    source: Cells | Callable[[], Cells] | None = None
    row_id: str = ""
    implied: str = ""
    expected: int = 0
    is_head: bool = False
    is_term: bool = False
    with_bounds: bool = False
    _text: str | None = attrs.field(default=None, init=False)

    @property
    def cells(self) -> Cells:
        """The cells; each consists of texts of the page, marks, and controls."""
        if self.source is None:
            self.source = (tuple(self.parts),)
        elif callable(self.source):
            self.source = self.source()
        return self.source

    @property
    def text(self) -> str:
        """The line without its indentation."""
        if self._text is None:
            has_text = any(type(piece) is str for piece in self.pieces())
            write = partial(
                write_piece,
                row_id=self.row_id,
                implied=self.implied or (_CELL if self.kind == "row" else ""),
                with_near=self.kind not in RECORDS and not has_text,
                with_bounds=self.with_bounds,
            )
            cells = [join_pieces(cell, write) for cell in self.cells]
            self._text = (self.mark + " | ".join(cells)).rstrip()
        return self._text

    @property
    def size(self) -> int:
        """Number of characters with indentation and line break, about that of unbuilt cells.

        A text that is not written yet counts without the escapes that a few texts need.
        """
        size = self.expected
        if self._text is None and self.kind == "text" and len(self.parts) == 1:
            size = len(self.mark) + len(label_of(self.parts[0]))
        return 2 * self.depth + (size or len(self.text)) + 1

    @property
    def written(self) -> str:
        """The line with its indentation."""
        return "  " * self.depth + self.text

    def pieces(self) -> Iterator[Piece]:
        """Return the pieces of all cells."""
        return chain.from_iterable(self.cells)

    def controls(self) -> Iterator[Element]:
        """Return the controls of the line."""
        return (piece for piece in self.pieces() if not isinstance(piece, str))


def label_of(piece: Piece) -> str:
    """Return a text, or the name of a control."""
    return piece if isinstance(piece, str) else piece.label


def write_piece(
    piece: Piece,
    *,
    row_id: str = "",
    implied: str = "",
    with_near: bool = True,
    with_bounds: bool = False,
) -> str:
    """Return a piece in the text form; the other arguments are those of `Line`."""
    if isinstance(piece, str):
        return piece if isinstance(piece, Mark | Token) else write_text(piece)
    return write_control(
        piece,
        is_row=piece.id == row_id,
        implied=implied,
        with_near=with_near,
        with_bounds=with_bounds,
    )


def join_pieces(pieces: Sequence[Piece], write: Callable[[Piece], str]) -> str:
    """Return the pieces of a cell in the text form; blocks of text are separated by `` / ``."""
    if len(pieces) == 1:
        return write(pieces[0])
    text = ""
    last: Piece | None = None
    for piece in pieces:
        part = write(piece)
        if type(last) is str and isinstance(piece, str) and not isinstance(piece, Token):
            text += " / "
        elif last is not None and not (
            type(piece) is str and isinstance(last, Element) and part[0] in _CLOSING
        ):
            text += " "
        text += part
        last = piece
    return text
