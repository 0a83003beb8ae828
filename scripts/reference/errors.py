"""docs/reference/errors.md: the codes of errors."""

import inspect
from collections.abc import Iterable, Iterator

from charlotte.base.errors import CharlotteError

from .markdown import code, page, table

_INTRODUCTION = """# Errors

A tool that fails returns an error for the agent: a code, a message that names the object, and a
suggestion. In text:

    error ELEMENT_NOT_FOUND: No element 'btn-0000' on tab-1 now.
    ! Did you mean btn-1ff8 'Join the club'? Otherwise call observe or find.

In JSON, the same is `{"error": {"code", "message", "suggestion"?, "details"?}}`, and `isError` of
the MCP result is true. The Python API raises `CharlotteError` with the attributes `code`,
`message`, `suggestion` and `details`.

Errors of `screenshot` and of actions at a point (`x`, `y`) also have `success: false`, `action` and
`metadata`, as the answers of these tools have.

An unknown tool is a JSON-RPC error, -32602.
"""


def write() -> str:
    """Return the page."""
    return page(_INTRODUCTION, *table(["code", "meaning", "what to do"], _rows()))


def _rows() -> Iterable[list[str]]:
    rows: dict[str, list[str]] = {}
    for error in _all(CharlotteError):
        if "code" in vars(error):
            text = " ".join((inspect.getdoc(error) or "").split()).replace("``", "`")
            if error.code in rows:
                rows[error.code][1] += f" Or: {text}"
            else:
                rows[error.code] = [code(error.code), text, error.what_to_do]
    return rows.values()


def _all(cls: type[CharlotteError]) -> Iterator[type[CharlotteError]]:
    for subclass in cls.__subclasses__():
        if subclass.__module__ == cls.__module__:
            yield subclass
            yield from _all(subclass)
