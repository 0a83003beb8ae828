"""docs/reference/python.md: the public names of the package."""

import inspect
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, get_type_hints

import attrs

import charlotte
import charlotte.aio
from charlotte.tools.toolkit import Method, PageMethods, SessionMethods

from .markdown import page

_INTRODUCTION = """# Python API

`charlotte` is for [trio](https://trio.readthedocs.io) programs. `charlotte.aio.open_charlotte` is
for asyncio. With `Config(engine="ray")`, both open sessions on a Ray cluster (`pip install
"charlotte-mcp[ray]"`). All other names, such as `Config`, `Tab`, `Page`, events and errors, are
imported from `charlotte` in all programs.

The [guide](../guides/embedding.md) has complete programs. Methods of
sessions and tabs are the [tools](tools.md), with the same parameters and defaults. They raise
`CharlotteError`; see [Errors](errors.md)."""
_SHOWN_MODULES = (charlotte, charlotte.aio)


def write() -> str:
    """Return the page."""
    lines: list[str] = []
    for module in _SHOWN_MODULES:
        lines.append(f"## {module.__name__}\n")
        for name in sorted(module.__all__):
            if not name.startswith("__"):
                lines += _describe(name, getattr(module, name))
    lines.append("## Tools as methods\n")
    for name in dir(SessionMethods):
        if isinstance(inspect.getattr_static(SessionMethods, name), Method):
            lines += _signature(name, getattr(SessionMethods, name))
    return page(_INTRODUCTION, *lines)


def _describe(name: str, member: Any) -> Iterator[str]:
    yield f"### {name}\n"
    if not isinstance(member, type):
        yield from _function(name, member)
        return
    if member is charlotte.Config:
        yield f"{_text(member).partition('Parameters:')[0].strip()}\n"
        yield "Its parameters are the [settings](settings.md), by the names of the file's keys.\n"
    else:
        yield f"{_text(member)}\n"
        yield from _fields(member)
    if issubclass(member, PageMethods):
        kind = (
            "all tools" if issubclass(member, SessionMethods) else "the tools that work on a page"
        )
        yield f"It also has {kind} as methods, such as `click`; see [below](#tools-as-methods).\n"
    for attribute, value in _own_methods(member):
        yield from _function(f"{name}.{attribute}", value)


def _fields(member: type) -> Iterator[str]:
    if attrs.has(member):
        fields = [field for field in attrs.fields(member) if not field.name.startswith("_")]
        types = get_type_hints(member)
        yield from (f"* `{field.name}`: `{_type(types[field.name])}`" for field in fields)
        yield ""


_INTERNAL = {
    "again", "hide", "hiding", "marked_untrusted", "number_tabs_after",
    "open_private_session", "perform", "prepare", "refused", "run_tool", "settings", "shown",
    "with_error_page",
}  # fmt: skip
"""Methods that Charlotte's own modules call."""


def _own_methods(cls: Any) -> Iterator[tuple[str, object]]:
    """Return the methods of a class of Charlotte, without the tools."""
    for name in sorted(dir(cls)):
        value, declared = getattr(cls, name), inspect.getattr_static(cls, name)
        is_public = name[0] != "_" and name not in _INTERNAL
        is_own = (getattr(value, "__module__", None) or "").startswith("charlotte")
        if is_public and is_own and inspect.isroutine(value) and not isinstance(declared, Method):
            yield name, value


def _function(name: str, value: object) -> Iterator[str]:
    yield from _signature(name, value)
    yield f"{_text(value)}\n"


def _signature(name: str, member: object) -> Iterator[str]:
    with suppress(TypeError, ValueError):
        signature = inspect.signature(member, eval_str=True)  # type: ignore[arg-type]
        prefix = "async " if inspect.iscoroutinefunction(member) else ""
        yield f"```python\n{prefix}{name}{_plain(signature)}\n```\n"


def _plain(signature: inspect.Signature) -> str:
    """Return a signature without ``self`` and without the names of modules."""
    parameters = [one for one in signature.parameters.values() if one.name != "self"]
    return _without_modules(str(signature.replace(parameters=parameters)))


def _type(hint: Any) -> str:
    return hint.__name__ if type(hint) is type else _without_modules(str(hint))


def _without_modules(text: str) -> str:
    return re.sub(r"\b(?:[a-z_]+\.)+(?=[A-Z])|[~+](?=[A-Z])", "", text)


_NOTES = re.compile(r" \((?:[CS]-[A-Z]+-\d+[^)]*|see `[\w.]*actors[\w.]*`)\)")
"""Notes of docstrings for developers: requirements and modules."""


def _text(member: object) -> str:
    text = inspect.getdoc(member) or ""
    text = _NOTES.sub("", text)
    return re.sub(r"``([^`]*)``", r"`\1`", text)
