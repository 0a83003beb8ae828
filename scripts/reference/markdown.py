"""Pieces of Markdown."""

from collections.abc import Iterable, Iterator, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Return the lines of a table."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for cells in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
    yield ""


def code(text: object) -> str:
    """Return text as code, or nothing for an empty text."""
    return f"`{text}`" if str(text) else ""


def page(*lines: str) -> str:
    """Return a page of lines."""
    return "\n".join(lines).rstrip("\n") + "\n"
