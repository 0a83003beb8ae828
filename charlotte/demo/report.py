"""Owns how the demo looks: a line that says what is going on, lines that stay, and a table."""

import sys
from collections.abc import Sequence
from typing import TextIO

import attrs


@attrs.frozen
class Progress:
    """One line that is overwritten, and only where somebody watches: on a terminal."""

    stream: TextIO = attrs.field(factory=lambda: sys.stderr)

    def show(self, text: str) -> None:
        """Replace what the line says."""
        if self.stream.isatty():
            self.stream.write(f"\r\x1b[K{text}")
            self.stream.flush()

    def clear(self) -> None:
        """Leave an empty line, so that something else can be printed there."""
        self.show("")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table; a column named ``ms`` is aligned to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    rules = ["─" * width for width in widths]
    return [_row(head, line, widths) for line in (head, rules, *rows)]


def _row(head: Sequence[str], cells: Sequence[str], widths: Sequence[int]) -> str:
    aligned = (
        cell.rjust(width) if name == "ms" else cell.ljust(width)
        for name, cell, width in zip(head, cells, widths, strict=True)
    )
    return "  ".join(aligned).rstrip()


def milliseconds(seconds: float) -> str:
    """Return ``1,234``."""
    return f"{seconds * 1000:,.0f}"
