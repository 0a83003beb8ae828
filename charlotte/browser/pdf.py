"""Text of PDF files, which a separate process reads: it can be ended at a deadline."""

import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from subprocess import DEVNULL, PIPE
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
PdfLimit = Literal["time", "length", "memory"]

_READING_TAKES = 20.0
_END_TAKES = 5.0
_MOST_CHARACTERS = 2_000_000


@attrs.frozen(kw_only=True)
class PdfText:
    """The text of the pages of a PDF file, or the ``problem`` that prevents reading it.

    ``count`` is the number of pages; ``limit`` is why ``pages`` has fewer.
    """

    count: int = 0
    title: str = ""
    pages: Sequence[str] = ()
    limit: PdfLimit | None = None
    problem: PdfProblem | None = None


@cache
def is_pdf_readable() -> bool:
    """Return whether the extra ``pdf`` is installed."""
    return find_spec("pypdf") is not None


async def read_pdf(data: bytes, seconds: float = _READING_TAKES) -> PdfText:
    """Return the text of a PDF file, of as many pages as can be read in time."""
    lines: list[bytes] = []
    limit: PdfLimit | None = None
    process = await trio.lowlevel.open_process(
        [sys.executable, "-P", str(PROGRAM)], stdin=PIPE, stdout=PIPE, stderr=DEVNULL
    )
    try:
        with trio.move_on_after(seconds) as scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_send, process, data)
                limit = await _receive(process, lines)
                nursery.cancel_scope.cancel("the output has ended")
    finally:
        process.kill()
        with trio.move_on_after(_END_TAKES, shield=True):
            await process.wait()
            for stream in filter(None, (process.stdin, process.stdout)):
                await stream.aclose()
    return parse_output(lines, "time" if scope.cancelled_caught else limit)


async def _send(process: trio.Process, data: bytes) -> None:
    if process.stdin:
        with suppress(trio.BrokenResourceError):
            await process.stdin.send_all(data)
        await process.stdin.aclose()


async def _receive(process: trio.Process, lines: list[bytes]) -> PdfLimit | None:
    """Add complete lines of output; return the limit if the output was too long."""
    length, rest = 0, b""
    if process.stdout:
        async for chunk in process.stdout:
            *complete, rest = (rest + chunk).split(b"\n")
            lines += complete
            length += len(chunk)
            if length > _MOST_CHARACTERS:
                return "length"
    return None


def parse_output(lines: Sequence[bytes], limit: PdfLimit | None = None) -> PdfText:
    """Return the text in the complete lines of the program, which a limit may have ended."""
    head: dict[str, Any] = json.loads(lines[0]) if lines else {}
    pages: list[str] = [json.loads(line) for line in lines[1:]]
    if "pages" not in head:
        default = "too slow" if limit == "time" else "broken"
        return PdfText(problem=head.get("problem", default))
    if len(pages) == head["pages"]:
        limit = None
    elif limit is None:
        limit = "memory"
    return PdfText(count=head["pages"], title=head["title"], pages=pages, limit=limit)
