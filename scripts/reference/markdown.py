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


def page(introduction: str, *lines: str) -> str:
    """Return a page: its title and introduction, then lines."""
    return "\n".join([f"{introduction.rstrip()}\n", *lines]).rstrip("\n") + "\n"
