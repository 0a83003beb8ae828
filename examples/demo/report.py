"""Output of the demo: lines with their times, progress on a terminal, a table."""

import sys
from collections.abc import Sequence
from typing import TextIO

import attrs

_HEAD = ("tab", "page", "action", "ms", "result")
_TEXT_WIDTH = 64


@attrs.frozen
class Report:
    """Lines that stay go to ``out``; progress goes to ``screen`` if it is a terminal."""

    out: TextIO = attrs.field(factory=lambda: sys.stdout)
    screen: TextIO = attrs.field(factory=lambda: sys.stderr)

    def show_progress(self, text: str) -> None:
        """Replace the line of progress."""
        if self.screen.isatty():
            self.screen.write(f"\r\x1b[K{text}")
            self.screen.flush()

    def print(self, *lines: str) -> None:
        """Print lines that stay."""
        self.show_progress("")
        print(*lines, sep="\n", file=self.out, flush=True)

    def print_time(self, text: str, seconds: float) -> None:
        """Print a step of the demo and how long it took."""
        self.print(f"{text:<{_TEXT_WIDTH}} {milliseconds(seconds):>7} ms")


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of the table of tabs; numbers are aligned to the right."""
    widths = [max(map(len, column)) for column in zip(_HEAD, *rows, strict=True)]
    rule = ["─" * width for width in widths]
    lines: list[str] = []
    for cells in (_HEAD, rule, *rows):
        padded = [
            cell.rjust(width) if name == "ms" else cell.ljust(width)
            for name, cell, width in zip(_HEAD, cells, widths, strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
    return lines


def milliseconds(seconds: float) -> str:
    """Return ``1,234``."""
    return f"{seconds * 1000:,.0f}"
