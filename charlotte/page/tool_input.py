"""Check of an agent's input against the JSON Schema of a page's tool, at a limited cost.

The schema is the page's: it may be wrong, endless, or made to be slow. So a copy of it is checked
that contains only keywords of small cost, and at most `MOST_CHECKS` values of them are compared.
Regular expressions and formats are not checked, and no schema is loaded from an address.
"""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from typing import Any, cast

import attrs

from charlotte.errors import ellipsize
from charlotte.page.model import compact_json, short_json
from charlotte.page.text.plain import write_line

MOST_CHECKS = 20_000
_MOST_PROBLEMS = 5
_LONGEST_PROBLEM = 200

_COUNTS = {f"{end}{what}" for end in ("min", "max") for what in ("Items", "Properties", "Length")}
_NUMBERS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
_VALUES = {"$ref", "type", "enum", "const", "required", "dependentRequired"} | _COUNTS | _NUMBERS
_SCHEMAS = frozenset({"items", "additionalProperties", "not", "if", "then", "else"})
_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_MAPS = frozenset({"properties", "$defs", "definitions"})
_CLOSED = "additionalProperties"

_left: ContextVar[list[int]] = ContextVar("_left")


class _TooCostly(Exception):
    """The schema needs too many checks."""


@attrs.frozen
class InputCheck:
    """The problems of an input; ``is_complete`` unless the schema could not be evaluated."""

    problems: tuple[str, ...] = ()
    is_complete: bool = True


def check_input(schema: Any, given: Mapping[str, Any]) -> InputCheck:
    """Check an input against the schema of a tool; no schema accepts everything."""
    jsonschema, referencing = _import("jsonschema"), _import("referencing")
    failed = jsonschema.exceptions.UnknownType, _import("referencing.exceptions").Unresolvable
    problems: list[str] = []
    _left.set([MOST_CHECKS])
    # the library raises errors of any kind for values that are no schema
    wrong = ArithmeticError, AttributeError, LookupError, TypeError, ValueError
    try:
        for error in _validator()(_cheap(schema), registry=referencing.Registry()).iter_errors(
            given
        ):
            problems.append(_describe(error))
            if len(problems) == _MOST_PROBLEMS:
                break
    except (_TooCostly, RecursionError, *failed, *wrong):
        return InputCheck(tuple(problems), is_complete=False)
    return InputCheck(tuple(problems))


def _cheap(schema: Any) -> Any:
    """Return a schema without the keywords that are not checked.

    ``$schema`` is one of them: it would select a validator with all keywords.
    """
    if not isinstance(schema, dict):
        return True if schema is None else schema
    keywords = cast("dict[str, Any]", schema)
    kept: dict[str, Any] = {}
    for name, value in keywords.items():
        if name in _VALUES:
            kept[name] = value
        elif name in _SCHEMAS:
            kept[name] = _cheap(value)
        elif name in _LISTS:
            kept[name] = [_cheap(one) for one in value]
        elif name in _MAPS:
            kept[name] = {key: _cheap(one) for key, one in value.items()}
    if "patternProperties" in keywords:
        kept.pop(_CLOSED, None)
    return kept


@cache
def _validator() -> Any:
    """Return the class of a validator whose keywords count their checks."""
    jsonschema = _import("jsonschema")
    whole = jsonschema.Draft202012Validator
    known: Mapping[str, Callable[..., Any]] = whole.VALIDATORS
    counted = {name: _counted(keyword) for name, keyword in known.items()}
    return jsonschema.validators.extend(whole, counted)


def _import(name: str) -> Any:
    """Import a library without types; only when it is needed, because that takes long."""
    return import_module(name)


def _counted(keyword: Callable[..., Any]) -> Callable[..., Any]:
    def check(validator: Any, value: Any, instance: Any, schema: Any) -> Any:
        left = _left.get()
        left[0] -= 1 + (len(cast("list[Any]", value)) if isinstance(value, list | dict) else 0)
        if left[0] < 0:
            raise _TooCostly
        return keyword(validator, value, instance, schema)

    return check


def _describe(error: Any) -> str:
    """Return one line on a problem; the message of the library would quote the whole schema."""
    place = ".".join(map(str, error.absolute_path))
    if error.validator in {"required", _CLOSED}:
        text = error.message
    elif error.validator is None:
        text = "is not allowed"
    else:
        text = f"must match {compact_json({error.validator: error.validator_value})}, "
        text = f"{ellipsize(text, _LONGEST_PROBLEM)}got {short_json(error.instance)}"
    return ellipsize(write_line(f"{place}: {text}" if place else text), 2 * _LONGEST_PROBLEM)
