"""Text of console calls, close to what DevTools shows."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from charlotte.protocol.runtime import (
    ConsoleApiCalled,
    EntryPreview,
    ExceptionDetails,
    ObjectPreview,
    PropertyPreview,
    RemoteObject,
    StackTrace,
    ValuePreview,
)

_SPECIFIER = re.compile(r"%([sdifoOc%])")
_NAME = re.compile(r"[\w$]+")
_MORE = "…"
_COLLECTIONS = {"map", "set", "weakmap", "weakset", "iterator"}
_DESCRIBED = {"error", "node", "regexp", "date", "proxy"}
"""Types of objects whose description is more informative than their properties."""

_PROBE_FRAME = "", "apply"
"""URL and function of a stack frame that the probe adds."""


def call_text(call: ConsoleApiCalled) -> str:
    """Return the text of a call; a table has a line for each row, a trace for each stack frame."""
    match call:
        case ConsoleApiCalled("table", [RemoteObject(preview=ObjectPreview() as table), *_]) if (
            table.entries or table.properties
        ):
            return "\n".join(_rows(table))
        case ConsoleApiCalled("assert"):
            return f"Assertion failed: {format_message(call.args)}"
        case ConsoleApiCalled("trace"):
            return "\n".join([format_message(call.args), *_frames(call.stack_trace)])
        case ConsoleApiCalled("clear"):
            return "Console was cleared"
        case _:
            return format_message(call.args)


def exception_text(details: ExceptionDetails) -> str:
    """Return the text of an uncaught exception with its stack, or else with its position."""
    thrown = format_value(details.exception) if details.exception else ""
    text = f"{details.text} {thrown}".strip()
    if "\n" not in text and details.url:
        text += f" ({details.url}:{details.line_number + 1}:{details.column_number + 1})"
    return text


def _rows(table: ObjectPreview) -> Iterator[str]:
    for index, entry in enumerate(table.entries):
        yield f"{index}: {_entry(entry)}"
    for row in [] if table.entries else table.properties:
        cells = row.value_preview
        value = _property_value(row) if cells is None else _braced(map(_property, cells.properties))
        yield f"{row.name}: {value}"
    if table.overflow:
        yield _MORE


def _frames(stack: StackTrace | None) -> Iterator[str]:
    frames = stack.call_frames if stack else []
    is_probe = bool(frames) and (frames[0].url, frames[0].function_name) == _PROBE_FRAME
    for frame in frames[is_probe:]:
        position = f"{frame.url}:{frame.line_number + 1}:{frame.column_number + 1}"
        name = frame.function_name
        yield f"    at {name} ({position})" if name else f"    at {position}"


def format_message(arguments: Sequence[RemoteObject]) -> str:
    """Return the text of arguments; specifiers such as ``%s`` in the first text are replaced."""
    match arguments:
        case [RemoteObject(type="string", value=str(template)), first, *others]:
            rest = [first, *others]
        case _:
            return " ".join(map(format_value, arguments))

    def replace(found: re.Match[str]) -> str:
        if found[1] == "%":
            return "%"
        if not rest:
            return found[0]
        value = format_value(rest.pop(0))
        return "" if found[1] == "c" else value

    return " ".join([_SPECIFIER.sub(replace, template), *map(format_value, rest)])


def format_value(value: RemoteObject) -> str:
    """Return the text of an argument; an object shows its preview."""
    if value.unserializable_value is not None:
        return value.unserializable_value
    if value.type == "string":
        return str(value.value)
    if value.type == "undefined":
        return value.description or "undefined"
    if value.type in {"boolean", "number"} or value.subtype == "null":
        return value.description or json.dumps(value.value)
    if value.type == "object" and value.preview and value.subtype not in _DESCRIBED:
        return _object(value, value.preview)
    return value.description or value.class_name or value.type


def _object(value: RemoteObject, preview: ObjectPreview) -> str:
    name = value.description or "Object"
    more = [_MORE] if preview.overflow else []
    if value.subtype in {"array", "typedarray"}:
        items = [_property_value(item) for item in preview.properties if item.name.isdecimal()]
        prefix = name.removeprefix("Array") if value.subtype == "array" else name
        return f"{prefix} [{', '.join([*items, *more])}]".removeprefix("(0) ")
    if value.subtype in _COLLECTIONS:
        return f"{name} {_braced([*map(_entry, preview.entries), *more])}"
    body = _braced([*map(_property, preview.properties), *more])
    return body if name == "Object" else f"{name} {body}"


def _braced(members: Iterable[str]) -> str:
    return f"{{{', '.join(members)}}}"


def _property(member: PropertyPreview) -> str:
    is_plain = _NAME.fullmatch(member.name) or member.name.startswith("[[")
    return f"{member.name if is_plain else _quoted(member.name)}: {_property_value(member)}"


def _property_value(member: PropertyPreview) -> str:
    match member.type:
        case "accessor":
            return "(...)"
        case "function":
            return "ƒ"
        case _:
            return _described(ValuePreview(member.type, member.subtype, member.value))


def _entry(entry: EntryPreview) -> str:
    value = _described(entry.value)
    return f"{_described(entry.key)} => {value}" if entry.key else value


def _described(value: ValuePreview) -> str:
    if value.type == "string":
        return _quoted(value.description)
    return f"{{{_MORE}}}" if value.description == "Object" else value.description


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"
