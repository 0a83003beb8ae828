"""Argument parsing: lenient about spellings, strict about types.

A reader is compiled once per class from the types of its fields.
"""

import json
import math
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import attrs
import cattrs
from cattrs.cols import (
    list_structure_factory,
    mapping_structure_factory,  # pyright: ignore[reportUnknownVariableType]  # in cattrs itself
)
from cattrs.gen import make_dict_structure_fn

from charlotte.page.identity.references import get_reference_form
from charlotte.tools.schema.json_schema import Lenient, Limits, alternatives, schema
from charlotte.tools.schema.names import rename_to_fields, spellings
from charlotte.tools.schema.problems import PHRASES, WrongValue, describe

Hook = Callable[[Any, Any], Any]

BOOLEANS = {"true": True, "false": False}

DECIMAL = re.compile(r"-?[0-9]{1,16}(\.[0-9]{1,30})?")

MAX_INTEGER = 2**53 - 1
"""JavaScript cannot represent every integer above."""

KINDS = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}
"""The Python types of the values of each JSON type."""


def reader(cls: type[attrs.AttrsInstance]) -> Callable[[Any], object]:
    """Return a function that builds a ``cls`` from a JSON object; `explain` takes its errors."""
    hook = _strict.get_structure_hook(cls)
    return lambda value: hook(value, cls)


def _has_origin(*origins: Any) -> Callable[[Any], bool]:
    return lambda hint: get_origin(hint) in origins


_strict = cattrs.Converter(forbid_extra_keys=True, detailed_validation=True)


@_strict.register_structure_hook
def _string(value: Any, _: Any) -> str:
    """Read a string, or a number in decimals: models send ``"text": 99``."""
    if isinstance(value, str):
        return value
    if type(value) in {int, float} and math.isfinite(value):
        return decimal(value)
    raise WrongValue(PHRASES["string"], value)


@_strict.register_structure_hook
def boolean(value: Any, _: Any = bool) -> bool:
    """Read a boolean, or its name."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value in BOOLEANS:
        return BOOLEANS[value]
    raise WrongValue(PHRASES["boolean"], value)


@_strict.register_structure_hook
def number(value: Any, _: Any = float, *, wanted: str = PHRASES["number"]) -> float:
    """Read a finite number, also from a string in decimals; an integer stays an integer."""
    found = value
    if isinstance(value, str) and DECIMAL.fullmatch(value):
        found = float(value) if "." in value else int(value)
    if type(found) is int and abs(found) <= MAX_INTEGER:
        return found
    if type(found) is float and math.isfinite(found):
        return found
    raise WrongValue(wanted, value)


def decimal(value: float) -> str:
    """Return a number as JavaScript prints it: 2.0 as ``"2"``."""
    return str(int(value)) if value == int(value) else str(value)


@_strict.register_structure_hook
def integer(value: Any, _: Any = int) -> int:
    """Read a number without fraction, in any notation."""
    found = number(value, wanted=PHRASES["integer"])
    if found != int(found) or abs(found) > MAX_INTEGER:
        raise WrongValue(PHRASES["integer"], value)
    return int(found)


@_strict.register_structure_hook_factory(_has_origin(Literal))
def _choice_hook(hint: Any) -> Hook:
    choices = frozenset(get_args(hint))
    wanted = describe(schema(hint))

    def structure(value: Any, _: Any) -> str:
        if isinstance(value, str) and value in choices:
            return value
        raise WrongValue(wanted, value)

    return structure


@_strict.register_structure_hook_factory(_has_origin(list, Sequence))
def _array_hook(hint: Any, converter: cattrs.Converter) -> Hook:
    structure = list_structure_factory(hint, converter)
    return lambda value, _: structure(_container(value, list), hint)


@_strict.register_structure_hook_factory(_has_origin(dict))
def _mapping_hook(hint: Any, converter: cattrs.Converter) -> Hook:
    structure = mapping_structure_factory(hint, converter)
    if get_args(hint)[1] is Any:  # passed on unchanged, nulls included
        return lambda value, _: _container(value, dict)
    return lambda value, _: structure(_without_nulls(value), hint)


@_strict.register_structure_hook_factory(attrs.has)
def _object_hook(cls: type[attrs.AttrsInstance], converter: cattrs.Converter) -> Hook:
    structure = make_dict_structure_fn(cls, converter)
    known = spellings(cls)
    return lambda value, _: structure(rename_to_fields(_container(value, dict), known), cls)


@_strict.register_structure_hook_factory(_has_origin(Union, UnionType))
def _union_hook(hint: Any, converter: cattrs.Converter) -> Hook:
    options = [(member, converter.get_structure_hook(member)) for member in alternatives(hint)]
    if len(options) == 1:
        member, only = options[0]
        return lambda value, _: only(value, member)
    wanted = describe(schema(hint))
    ranked = {
        kind: sorted(options, key=lambda option: _rank(option[0], kind))
        for kind in (str, int, float, bool, list, dict)
    }

    def structure(value: Any, _: Any) -> Any:
        first: Exception | None = None
        for member, hook in ranked.get(value.__class__, options):
            try:
                return hook(value, member)
            except WrongValue:
                continue
            except (ValueError, cattrs.BaseValidationError) as error:
                first = first or error
        raise first or WrongValue(wanted, value)

    return structure


def _rank(member: Any, kind: type) -> int:
    """Rank a union's members: objects first for text (JSON), then members of the value's type."""
    described = schema(member)
    if kind is str and "properties" in described:
        return 0
    return 1 if kind in KINDS[described["type"]] else 2


@_strict.register_structure_hook_factory(_has_origin(Annotated))
def _annotated_hook(hint: Any, converter: cattrs.Converter) -> Hook:
    base, *notes = get_args(hint)
    hook = converter.get_structure_hook(base)
    for note in notes:
        if isinstance(note, Lenient):
            hook = _lenient_hook(note, hook, base)
        elif isinstance(note, Limits):
            hook = _limited_hook(note, hook, base)
    return hook


def _lenient_hook(lenient: Lenient, hook: Hook, base: Any) -> Hook:
    return lambda value, _: hook(lenient.read(value), base)


def _limited_hook(limits: Limits, hook: Hook, base: Any) -> Hook:
    def structure(value: Any, _: Any) -> Any:
        found = hook(value, base)
        if complaint := limits.complaint(found):
            raise ValueError(complaint)
        return found

    return structure


def _container(value: Any, kind: type[Any]) -> Any:
    """Return an array or object, also from a string of JSON."""
    found = value
    if isinstance(value, str):
        with suppress(ValueError, RecursionError):
            found = json.loads(value)
    if isinstance(found, kind):
        return found
    raise WrongValue(PHRASES["array" if kind is list else "object"], value)


def _without_nulls(value: Any) -> dict[str, Any]:
    return {key: item for key, item in _container(value, dict).items() if item is not None}


# ---------------------------------------------------------------------------- for `Lenient`


def tab_name(value: Any) -> str:
    """Return ``"tab-3"`` for ``"tab-3"``, ``"3"`` and 3, whether or not the tab exists."""
    try:
        return f"tab-{integer(value.removeprefix('tab-') if isinstance(value, str) else value)}"
    except WrongValue:
        raise WrongValue('a tab id such as "tab-3"', value) from None


def node_reference(value: Any) -> Any:
    """Return ``"e1537"`` for the number of a DOM node (S-DOM-01), other values unchanged."""
    return f"e{value}" if type(value) is int else value


def element_reference(value: Any) -> Any:
    """Return a reference to an element; raises `InvalidArgument` for any other text."""
    reference = node_reference(value)
    if isinstance(reference, str):
        get_reference_form(reference)
    return reference


def flag_names(value: Any) -> Any:
    """Return ``["ctrl"]`` for ``{"ctrl": true, "alt": false}`` (S-MOD-01), others unchanged."""
    try:
        flags = _without_nulls(value)
    except WrongValue:
        return value
    return [name for name, flag in flags.items() if boolean(flag)]
