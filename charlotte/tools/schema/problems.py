"""Owns what agents are told about arguments that do not fit: all of it at once, and in short."""

import difflib
import json
from collections.abc import Iterator, Mapping
from typing import Any

import attrs
import cattrs
from cattrs.errors import AttributeValidationNote, IterableValidationNote

from charlotte.tools.schema.json_schema import Schema
from charlotte.tools.schema.names import snake, spelled, spellings

SHOWN = 60
"""Characters of a wrong value or name that are repeated."""

MOST_PROBLEMS = 20

PHRASES = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "a boolean",
    "array": "an array",
    "object": "an object",
}


class Unfit(ValueError):
    """A value is not what the type asks for, nor another spelling of such a value."""

    def __init__(self, wanted: str, value: Any) -> None:
        super().__init__(f"expected {wanted}, got {shown(value)}")


def phrase(described: Schema) -> str:
    """Say in words what a schema asks for."""
    if "anyOf" in described:
        return " or ".join(map(phrase, described["anyOf"]))
    if "enum" in described:
        return "one of " + ", ".join(map(json.dumps, described["enum"]))
    return PHRASES[described["type"]]


def shown(value: Any) -> str:
    """Write a wrong value as JSON, in short; of containers only the kind."""
    if isinstance(value, list | dict):
        return PHRASES["array" if isinstance(value, list) else "object"]
    head = value[: SHOWN + 1] if isinstance(value, str) else value
    return clipped(json.dumps(head, ensure_ascii=False, default=repr))


def clipped(text: str) -> str:
    """Cut to `SHOWN` characters, on one line."""
    line = " ".join(text[: SHOWN + 1].split())
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"


def explain(error: Exception, hints: Mapping[str, str]) -> str:
    """Say everything that was wrong, each with its place: ``fields[0].value: …; other: …``.

    ``hints`` tells more about outermost parameters that do not exist.
    """
    found = list(_problems(error, "", hints))
    told = found[:MOST_PROBLEMS]
    if more := len(found) - len(told):
        told.append(f"and {more} more")
    return "; ".join(told)


def _problems(error: Exception, path: str, hints: Mapping[str, str]) -> Iterator[str]:
    match error:
        case cattrs.BaseValidationError():
            for part in error.exceptions:
                yield from _problems(part, _place(path, part), hints)
        case cattrs.ForbiddenExtraKeysError():
            for key in sorted(error.extra_fields):
                why = _unknown(key, error.cl, {} if path else hints)
                yield f"{_member(path, key)}: {why}"
        case KeyError():
            yield f"{path}: missing"
        case _:
            yield f"{path or 'arguments'}: {error}"


def _place(path: str, part: Exception) -> str:
    for note in getattr(part, "__notes__", ()):
        if isinstance(note, AttributeValidationNote):
            return _member(path, spelled(note.name))
        if isinstance(note, IterableValidationNote):
            inside_array = isinstance(note.index, int)
            return f"{path}[{note.index}]" if inside_array else _member(path, str(note.index))
    return path


def _member(path: str, name: str) -> str:
    return f"{path}.{clipped(name)}" if path else clipped(name)


def _unknown(key: str, cls: type[attrs.AttrsInstance], hints: Mapping[str, str]) -> str:
    known = spellings(cls)
    if key in known:
        return f"means {spelled(known[key])}, which is given as well"
    if key in hints:
        return f"unknown parameter ({hints[key]})"
    names = [spelled(field.name) for field in attrs.fields(cls)]
    if close := difflib.get_close_matches(snake(key[:SHOWN]), names, n=1):
        return f"unknown parameter, did you mean {close[0]}?"
    return "unknown parameter"
