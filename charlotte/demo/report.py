"""Owns how the demo looks: lines with their time, a line of progress on a terminal, a table."""

import sys
from collections.abc import Sequence
from typing import TextIO

import attrs

_HEAD = ("tab", "page", "what was done", "ms", "result")
_TEXT = 64


@attrs.frozen
class Report:
    """Where it goes: lines that stay to ``out``, progress to ``screen`` if that is a terminal."""

    out: TextIO = attrs.field(factory=lambda: sys.stdout)
    screen: TextIO = attrs.field(factory=lambda: sys.stderr)

    def progress(self, text: str) -> None:
        """Say what is going on, in place of what was said before."""
        if self.screen.isatty():
            self.screen.write(f"\r\x1b[K{text}")
            self.screen.flush()

    def say(self, *lines: str) -> None:
        """Print lines that stay."""
        self.progress("")
        print(*lines, sep="\n", file=self.out, flush=True)

    def tell(self, text: str, seconds: float) -> None:
        """Print what has been done, and how long it took."""
        self.say(f"{text:<{_TEXT}} {milliseconds(seconds):>7} ms")

    def complain(self, failures: Sequence[str]) -> None:
        """Print what did not hold; what several tabs say is printed once."""
        self.say("", "This did not hold:", *(f"  {failure}" for failure in dict.fromkeys(failures)))


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of the table of tabs; numbers are aligned to the right."""
    widths = [max(map(len, column)) for column in zip(_HEAD, *rows, strict=True)]
    rule = ["─" * width for width in widths]
    return [_line(cells, widths) for cells in (_HEAD, rule, *rows)]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (
        cell.rjust(width) if name == "ms" else cell.ljust(width)
        for name, cell, width in zip(_HEAD, cells, widths, strict=True)
    )
    return "  ".join(padded).rstrip()


def milliseconds(seconds: float) -> str:
    """Return ``1,234``."""
    return f"{seconds * 1000:,.0f}"
