"""Error messages for arguments: every problem of a call, in one short message."""

import difflib
import json
from collections.abc import Iterator, Mapping
from typing import Any

import attrs
import cattrs
from cattrs.errors import AttributeValidationNote, IterableValidationNote

from charlotte.tools.schema.json_schema import Schema
from charlotte.tools.schema.names import public_name, snake_case, spellings

SHOWN = 60
"""Characters of a wrong value or name that are quoted."""

MOST_PROBLEMS = 20

PHRASES = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "a boolean",
    "array": "an array",
    "object": "an object",
}


class WrongValue(ValueError):
    """A value that has the wrong type and cannot be converted."""

    def __init__(self, wanted: str, value: Any) -> None:
        super().__init__(f"must be {wanted}, got {short_json(value)}")


def describe(schema: Schema) -> str:
    """Return the values that a schema accepts, in words."""
    if "anyOf" in schema:
        return " or ".join(map(describe, schema["anyOf"]))
    if "enum" in schema:
        return "one of " + ", ".join(map(json.dumps, schema["enum"]))
    return PHRASES[schema["type"]]


def short_json(value: Any) -> str:
    """Return a value as JSON, shortened; only the type of a container."""
    if isinstance(value, list | dict):
        return PHRASES["array" if isinstance(value, list) else "object"]
    head = value[: SHOWN + 1] if isinstance(value, str) else value
    return short_line(json.dumps(head, ensure_ascii=False, default=repr))


def short_line(text: str) -> str:
    """Return a text on one line, cut to `SHOWN` characters."""
    line = " ".join(text[: SHOWN + 1].split())
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"


def explain(error: Exception, hints: Mapping[str, str]) -> str:
    """Return all problems, each with its path: ``fields[0].value must be …; x is not allowed``.

    ``hints`` are added for outermost parameters that do not exist.
    """
    problems = list(_problems(error, "", hints))
    more = len(problems) - MOST_PROBLEMS
    return "; ".join(problems[:MOST_PROBLEMS] + ([f"and {more} more"] if more > 0 else []))


def _problems(error: Exception, path: str, hints: Mapping[str, str]) -> Iterator[str]:
    match error:
        case cattrs.BaseValidationError():
            for part in error.exceptions:
                yield from _problems(part, _path_of(part, path), hints)
        case cattrs.ForbiddenExtraKeysError():
            for key in sorted(error.extra_fields):
                yield f"{_member(path, key)} {_unknown(key, error.cl, {} if path else hints)}"
        case KeyError():
            yield f"{path} is required"
        case _:
            text = str(error)
            yield f"{path or 'arguments'}{' ' if text.startswith('must ') else ': '}{text}"


def _path_of(part: Exception, path: str) -> str:
    for note in getattr(part, "__notes__", ()):
        if isinstance(note, AttributeValidationNote):
            return _member(path, public_name(note.name))
        if isinstance(note, IterableValidationNote):
            inside_array = isinstance(note.index, int)
            return f"{path}[{note.index}]" if inside_array else _member(path, str(note.index))
    return path


def _member(path: str, name: str) -> str:
    return f"{path}.{short_line(name)}" if path else short_line(name)


def _unknown(key: str, cls: type[attrs.AttrsInstance], hints: Mapping[str, str]) -> str:
    known = spellings(cls)
    if key in known:
        return f"means {public_name(known[key])}, which is given as well"
    if key in hints:
        return f"is not allowed ({hints[key]})"
    names = [public_name(field.name) for field in attrs.fields(cls)]
    if close := difflib.get_close_matches(snake_case(key[:SHOWN]), names, n=1):
        return f"is not allowed, did you mean {close[0]}?"
    return "is not allowed"
