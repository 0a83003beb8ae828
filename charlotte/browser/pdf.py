"""Text of PDF files, which a separate process reads: it can be ended at a deadline."""

import json
import sys
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from subprocess import DEVNULL
from typing import Any, Literal

import attrs
import trio

PROGRAM = Path(__file__).with_name("pdf_program.py")
TYPES = frozenset({"application/pdf", "application/x-pdf"})
NOT_READABLE = (
    "The text of PDF documents is not shown: the extra pdf is not installed. "
    'Run pip install "charlotte-mcp[pdf]" and restart Charlotte.'
)

PdfProblem = Literal["encrypted", "broken", "too large", "too slow"]

_READING_TAKES = 30.0


@attrs.frozen(kw_only=True)
class PdfText:
    """The text of the pages of a PDF file, or the ``problem`` that prevents reading it.

    ``count`` is the number of pages; ``pages`` may be only the first ones.
    """

    count: int = 0
    title: str = ""
    pages: Sequence[str] = ()
    problem: PdfProblem | None = None


@cache
def is_pdf_readable() -> bool:
    """Return whether the extra ``pdf`` is installed."""
    return find_spec("pypdf") is not None


async def read_pdf(data: bytes, seconds: float = _READING_TAKES) -> PdfText:
    """Return the text of a PDF file, of as many pages as the program can read."""
    program = [sys.executable, "-P", str(PROGRAM)]
    with trio.move_on_after(seconds):
        done = await trio.run_process(
            program, stdin=data, capture_stdout=True, stderr=DEVNULL, check=False
        )
        return parse_output(done.stdout)
    return PdfText(problem="too slow")


def parse_output(output: bytes) -> PdfText:
    """Return the text in the complete lines of the program, which may have ended early."""
    lines: list[Any] = [json.loads(line) for line in output.split(b"\n")[:-1]]
    head: dict[str, Any] = lines[0] if lines else {}
    if "pages" not in head:
        return PdfText(problem=head.get("problem", "broken"))
    return PdfText(count=head["pages"], title=head["title"], pages=lines[1:])
