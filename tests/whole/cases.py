"""Tables of cases that share one page: a failure names its case."""

from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def case(*values: object) -> Generator[None]:
    """Add the values of a case to the failure of a check in the block."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"case: {', '.join(map(repr, values))}")
        raise
