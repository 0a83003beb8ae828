"""Owns how a parameter's type becomes JSON Schema; `arguments` reads values by the same types."""

import json
from collections.abc import Callable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import attrs

from charlotte.tools.schema.names import spelled

Schema = dict[str, Any]

SIMPLE_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}

LONGEST_DEFAULT = 20
"""Characters of JSON; a longer default belongs into the description, if anywhere."""


@attrs.frozen(kw_only=True)
class Limits:
    """In ``Annotated``: inclusive bounds of a number, or of the length of a string or array.

    In a union they belong to the member that has them.
    """

    minimum: float | None = None
    maximum: float | None = None
    min_length: int | None = None
    max_length: int | None = None

    def keywords(self, type_name: str) -> Schema:
        """Return the JSON Schema keywords for a value of that JSON type."""
        length = "Items" if type_name == "array" else "Length"
        bounds = {
            "minimum": self.minimum,
            "maximum": self.maximum,
            f"min{length}": self.min_length,
            f"max{length}": self.max_length,
        }
        return {keyword: bound for keyword, bound in bounds.items() if bound is not None}

    def complaint(self, value: Any) -> str | None:
        """Say what is wrong with a value of the right type, or None."""
        if isinstance(value, int | float):
            subject, size, low, high = "", value, self.minimum, self.maximum
        else:
            subject, size, low, high = "length ", len(value), self.min_length, self.max_length
        if low is not None and size < low:
            return f"{subject}must be at least {low}, got {size}"
        if high is not None and size > high:
            return f"{subject}must be at most {high}, got {size}"
        return None


@attrs.frozen
class Lenient:
    """In ``Annotated``: ``read`` turns other spellings of a value into what the type asks for.

    It gets every value that was given, and returns those it does not know as they are.
    """

    read: Callable[[Any], Any]


class Unlisted:
    """In ``Annotated``: taken like any parameter, but not told: another one does the same."""


def schema(hint: Any) -> Schema:
    """JSON Schema of a type; ``TypeError`` if tools cannot take such a parameter."""
    return _BY_ORIGIN.get(get_origin(hint), _plain)(hint)


def object_schema(cls: type[attrs.AttrsInstance]) -> Schema:
    """JSON Schema of an attrs class: what has no default is required.

    That nothing else is allowed is for those to hear who give it: agents pay for every word here.
    """
    fields = [one for one in attrs.fields(attrs.resolve_types(cls)) if _is_listed(one.type)]
    required = [spelled(field.name) for field in fields if field.default is attrs.NOTHING]
    return {
        "type": "object",
        "properties": {
            spelled(field.name): schema(field.type) | _shown_default(field.default)
            for field in fields
        },
        **({"required": required} if required else {}),
    }


def _is_listed(hint: Any) -> bool:
    return get_origin(hint) is not Annotated or Unlisted not in get_args(hint)


def alternatives(hint: Any) -> list[Any]:
    """List the members of a union that can be given: not None, which means not given."""
    return [member for member in get_args(hint) if member is not NoneType]


def _plain(hint: Any) -> Schema:
    if hint is Any:
        return {}
    if attrs.has(hint):
        return object_schema(hint)
    if hint in SIMPLE_TYPES:
        return {"type": SIMPLE_TYPES[hint]}
    raise TypeError(f"tools cannot take a parameter of type {hint!r}")


def _annotated(hint: Any) -> Schema:
    base, *notes = get_args(hint)
    described = schema(base)
    for note in notes:
        if isinstance(note, str):
            described["description"] = note
        elif isinstance(note, Limits):
            described |= note.keywords(described["type"])
    return described


def _choice(hint: Any) -> Schema:
    choices = list(get_args(hint))
    if not all(isinstance(choice, str) for choice in choices):
        raise TypeError(f"tools can only choose among strings, not {hint!r}")
    return {"type": "string", "enum": choices}


def _union(hint: Any) -> Schema:
    members = [schema(member) for member in alternatives(hint)]
    return members[0] if len(members) == 1 else {"anyOf": members}


def _array(hint: Any) -> Schema:
    return {"type": "array", "items": schema(get_args(hint)[0])}


def _mapping(hint: Any) -> Schema:
    values = schema(get_args(hint)[1])
    return {"type": "object", **({"additionalProperties": values} if values else {})}


def _shown_default(default: Any) -> Schema:
    """Only what an agent could not guess: nothing, false and empty are what anyone expects."""
    if not default or not isinstance(default, str | int | float):
        return {}
    return {"default": default} if len(json.dumps(default)) <= LONGEST_DEFAULT else {}


_BY_ORIGIN: Mapping[Any, Callable[[Any], Schema]] = {
    Annotated: _annotated,
    Literal: _choice,
    Union: _union,
    UnionType: _union,
    list: _array,
    Sequence: _array,
    dict: _mapping,
}
