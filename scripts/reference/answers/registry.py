"""The examples of docs/reference/answers.md by name, and how the page shows them."""

from collections.abc import Callable, Iterable, Sequence

Example = Callable[[], str]
EXAMPLES: dict[str, Example] = {}


def example(write: Example) -> Example:
    """Register a function whose text replaces its name in the prose."""
    EXAMPLES[write.__name__] = write
    return write


def fenced(text: str) -> str:
    """Return an example as a block of code."""
    return f"```\n{text}\n```"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    lines = [head, ["---"] * len(head), *rows]
    escaped = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in escaped)


def code(text: str) -> str:
    """Return a text as code, also if it contains backquotes."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"
