"""JSON Schema of parameter types; `arguments` reads values by the same types."""

import json
from collections.abc import Callable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import attrs

from charlotte.tools.schema.names import public_name

Schema = dict[str, Any]

SIMPLE_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}

LONGEST_DEFAULT = 20
"""Characters of JSON; a longer default is left out of the schema."""


@attrs.frozen(kw_only=True)
class Limits:
    """Inclusive bounds of a number, or of the length of a string or array; for ``Annotated``.

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
        """Return the bound that a value of the right type violates, in words, or None."""
        if isinstance(value, int | float):
            verb, unit, size, low, high = "be", "", value, self.minimum, self.maximum
        else:
            unit = " characters" if isinstance(value, str) else " items"
            verb, size, low, high = "have", len(value), self.min_length, self.max_length
        if low is not None and size < low:
            return f"must {verb} at least {low}{unit}, got {size}"
        if high is not None and size > high:
            return f"must {verb} at most {high}{unit}, got {size}"
        return None


@attrs.frozen
class Lenient:
    """A converter of other spellings of a value, for ``Annotated``.

    ``read`` gets every value that is passed, and returns values that it does not know unchanged.
    """

    read: Callable[[Any], Any]


class Unlisted:
    """A mark for ``Annotated``: the parameter is accepted, but left out of the schema."""


def schema(hint: Any) -> Schema:
    """Return the JSON Schema of a type; raises ``TypeError`` for types that tools cannot take."""
    return _BY_ORIGIN.get(get_origin(hint), _plain)(hint)


def object_schema(cls: type[attrs.AttrsInstance]) -> Schema:
    """Return the JSON Schema of an attrs class: fields without default are required.

    ``additionalProperties`` is left out, because agents pay for every word of the schema.
    """
    fields = [
        field
        for field in attrs.fields(attrs.resolve_types(cls))
        if get_origin(field.type) is not Annotated or Unlisted not in get_args(field.type)
    ]
    required = [public_name(field.name) for field in fields if field.default is attrs.NOTHING]
    properties = {
        public_name(field.name): schema(field.type) | _default(field.default) for field in fields
    }
    return {
        "type": "object",
        "properties": properties,
        **({"required": required} if required else {}),
    }


def alternatives(hint: Any) -> list[Any]:
    """Return the members of a union without None, which means that nothing was passed."""
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


def _default(default: Any) -> Schema:
    """Return the keyword for a default, unless it is null, false or empty."""
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
