"""Check of an agent's input against the JSON Schema of a page's tool, at a limited cost.

The schema is the page's: it may be wrong, endless, or made to be slow. So a copy of it is checked
that contains only keywords of small cost. References, patterns and formats are not checked.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, cast

from charlotte.base.errors import ellipsize
from charlotte.page.model import compact_json, short_json
from charlotte.page.plain import write_line

_MOST_PROBLEMS = 5
_LONGEST_PROBLEM = 200
_COUNTS = {f"{end}{what}" for end in ("min", "max") for what in ("Items", "Properties", "Length")}
_NUMBERS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
_VALUES = {"type", "enum", "const", "required"} | _COUNTS | _NUMBERS
_CLOSED = "additionalProperties"


def find_problems(schema: Any, given: Mapping[str, Any]) -> list[str] | None:
    """Return what does not fit the schema of a tool; None if the schema cannot be evaluated."""
    jsonschema: Any = import_module("jsonschema")  # only when it is needed: that takes long
    # the library raises errors of any kind for values that are no schema
    wrong = ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError
    problems: list[str] = []
    try:
        for error in jsonschema.Draft202012Validator(_cheap(schema)).iter_errors(given):
            problems.append(_describe(error))
            if len(problems) == _MOST_PROBLEMS:
                break
    except (*wrong, jsonschema.exceptions.UnknownType):
        return problems or None
    return problems


def _cheap(schema: Any) -> Any:
    """Return a schema without the keywords that are not checked."""
    if not isinstance(schema, dict):
        return True if schema is None else schema
    keywords = cast("dict[str, Any]", schema)
    kept = {name: value for name, value in keywords.items() if name in _VALUES}
    if "items" in keywords:
        kept["items"] = _cheap(keywords["items"])
    if "anyOf" in keywords:
        kept["anyOf"] = [_cheap(one) for one in keywords["anyOf"]]
    if "properties" in keywords:
        kept["properties"] = {key: _cheap(one) for key, one in keywords["properties"].items()}
    if _CLOSED in keywords and "patternProperties" not in keywords:
        kept[_CLOSED] = _cheap(keywords[_CLOSED])
    return kept


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
