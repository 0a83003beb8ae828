"""Names and JSON Schema of parameters; `arguments` reads values by the same types."""

import json
import re
from collections.abc import Callable, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import attrs

Schema = dict[str, Any]

SIMPLE_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}

PHRASES = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "a boolean",
    "array": "an array",
    "object": "an object",
}

LONGEST_DEFAULT = 20
"""Characters of JSON; a longer default is left out of the schema."""


def public_name(name: str) -> str:
    """Return the name that agents see of a Python name such as ``type_``."""
    return name.rstrip("_")


def camel_case(name: str) -> str:
    """Convert ``element_id`` to ``elementId``."""
    head, *rest = name.split("_")
    return head + "".join(map(str.capitalize, rest))


def snake_case(name: str) -> str:
    """Convert ``elementId`` to ``element_id``."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


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

    def check(self, value: Any) -> None:
        """Raise ``ValueError`` if a value of the right type violates a bound."""
        if isinstance(value, int | float):
            verb, unit, size, low, high = "be", "", value, self.minimum, self.maximum
        else:
            unit = " characters" if isinstance(value, str) else " items"
            verb, size, low, high = "have", len(value), self.min_length, self.max_length
        if low is not None and size < low:
            raise ValueError(f"must {verb} at least {low}{unit}, got {size}")
        if high is not None and size > high:
            raise ValueError(f"must {verb} at most {high}{unit}, got {size}")


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
    arguments = get_args(hint)
    origin = get_origin(hint)
    if origin is Annotated:
        return _annotated(*arguments)
    if origin is Literal:
        if not all(isinstance(choice, str) for choice in arguments):
            raise TypeError(f"tools can only choose among strings, not {hint!r}")
        return {"type": "string", "enum": list(arguments)}
    if origin in {Union, UnionType}:
        members = [schema(member) for member in alternatives(hint)]
        return members[0] if len(members) == 1 else {"anyOf": members}
    if origin in {list, Sequence}:
        return {"type": "array", "items": schema(arguments[0])}
    if origin is dict:
        values = schema(arguments[1])
        return {"type": "object", **({"additionalProperties": values} if values else {})}
    return _plain(hint)


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


def describe(described: Schema) -> str:
    """Return the values that a schema accepts, in words."""
    if "anyOf" in described:
        return " or ".join(map(describe, described["anyOf"]))
    if "enum" in described:
        return "one of " + ", ".join(map(json.dumps, described["enum"]))
    return PHRASES[described["type"]]


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


def _annotated(base: Any, *notes: Any) -> Schema:
    described = schema(base)
    for note in notes:
        if isinstance(note, str):
            described["description"] = note
        elif isinstance(note, Limits):
            described |= note.keywords(described["type"])
    return described


def _default(default: Any) -> Schema:
    """Return the keyword for a default, unless it is null, false or empty."""
    if not default or not isinstance(default, str | int | float):
        return {}
    return {"default": default} if len(json.dumps(default)) <= LONGEST_DEFAULT else {}
