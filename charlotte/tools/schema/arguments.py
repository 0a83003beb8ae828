"""Owns how arguments are read: forgiving about spellings, exact about types (surface.md section 1).

A reader is compiled once per class, out of its fields' types.
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
from charlotte.tools.schema.names import respelled, spellings
from charlotte.tools.schema.problems import PHRASES, Unfit, phrase

Hook = Callable[[Any, Any], Any]

BOOLEANS = {"true": True, "false": False}

DECIMAL = re.compile(r"-?[0-9]{1,16}(\.[0-9]{1,30})?")

MAX_INTEGER = 2**53 - 1
"""Beyond it JavaScript does not tell neighbouring integers apart."""

KINDS = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}
"""The types in which values of a JSON type arrive."""


def reader(cls: type[attrs.AttrsInstance]) -> Callable[[Any], object]:
    """Compile what makes a ``cls`` of a JSON object; what it raises is for `problems.explain`."""
    hook = _strict.get_structure_hook(cls)
    return lambda value: hook(value, cls)


def _takes(*origins: Any) -> Callable[[Any], bool]:
    return lambda hint: get_origin(hint) in origins


_strict = cattrs.Converter(forbid_extra_keys=True, detailed_validation=True)


@_strict.register_structure_hook
def _string(value: Any, _: Any) -> str:
    """Read a string, or a number as it is written: models send ``"text": 99``."""
    if isinstance(value, str):
        return value
    if type(value) in {int, float} and math.isfinite(value):
        return decimal(value)
    raise Unfit(PHRASES["string"], value)


@_strict.register_structure_hook
def boolean(value: Any, _: Any = bool) -> bool:
    """Read a boolean, or its name."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value in BOOLEANS:
        return BOOLEANS[value]
    raise Unfit(PHRASES["boolean"], value)


@_strict.register_structure_hook
def number(value: Any, _: Any = float, *, wanted: str = PHRASES["number"]) -> float:
    """Read a finite number, or one in decimals; an integer stays one."""
    found = value
    if isinstance(value, str) and DECIMAL.fullmatch(value):
        found = float(value) if "." in value else int(value)
    if type(found) is int and abs(found) <= MAX_INTEGER:
        return found
    if type(found) is float and math.isfinite(found):
        return found
    raise Unfit(wanted, value)


def decimal(value: float) -> str:
    """Write a number as JavaScript does: 2.0 as ``"2"``."""
    return str(int(value)) if value == int(value) else str(value)


@_strict.register_structure_hook
def integer(value: Any, _: Any = int) -> int:
    """Read a number without fraction, however it is written."""
    found = number(value, wanted=PHRASES["integer"])
    if found != int(found) or abs(found) > MAX_INTEGER:
        raise Unfit(PHRASES["integer"], value)
    return int(found)


@_strict.register_structure_hook_factory(_takes(Literal))
def _choice_hook(hint: Any) -> Hook:
    choices = frozenset(get_args(hint))
    wanted = phrase(schema(hint))

    def structure(value: Any, _: Any) -> str:
        if isinstance(value, str) and value in choices:
            return value
        raise Unfit(wanted, value)

    return structure


@_strict.register_structure_hook_factory(_takes(list, Sequence))
def _array_hook(hint: Any, converter: cattrs.Converter) -> Hook:
    structure = list_structure_factory(hint, converter)
    return lambda value, _: structure(unpacked(value, list), hint)


@_strict.register_structure_hook_factory(_takes(dict))
def _mapping_hook(hint: Any, converter: cattrs.Converter) -> Hook:
    structure = mapping_structure_factory(hint, converter)
    if get_args(hint)[1] is Any:  # not ours to judge, nulls included
        return lambda value, _: unpacked(value, dict)
    return lambda value, _: structure(_given(value), hint)


@_strict.register_structure_hook_factory(attrs.has)
def _object_hook(cls: type[attrs.AttrsInstance], converter: cattrs.Converter) -> Hook:
    structure = make_dict_structure_fn(cls, converter)
    known = spellings(cls)
    return lambda value, _: structure(respelled(unpacked(value, dict), known), cls)


@_strict.register_structure_hook_factory(_takes(Union, UnionType))
def _union_hook(hint: Any, converter: cattrs.Converter) -> Hook:
    options = [(member, converter.get_structure_hook(member)) for member in alternatives(hint)]
    if len(options) == 1:
        member, only = options[0]
        return lambda value, _: only(value, member)
    wanted = phrase(schema(hint))
    ranked = {
        kind: sorted(options, key=lambda option: _rank(option[0], kind))
        for kind in (str, int, float, bool, list, dict)
    }

    def structure(value: Any, _: Any) -> Any:
        telling: Exception | None = None
        for member, hook in ranked.get(value.__class__, options):
            try:
                return hook(value, member)
            except Unfit:
                continue
            except (ValueError, cattrs.BaseValidationError) as error:
                telling = telling or error
        raise telling or Unfit(wanted, value)

    return structure


def _rank(member: Any, kind: type) -> int:
    """Put first the member whose own type it is; but text that fits an object was meant as one."""
    described = schema(member)
    if kind is str and "properties" in described:
        return 0
    return 1 if kind in KINDS[described["type"]] else 2


@_strict.register_structure_hook_factory(_takes(Annotated))
def _annotated_hook(hint: Any, converter: cattrs.Converter) -> Hook:
    base, *notes = get_args(hint)
    hook = converter.get_structure_hook(base)
    for note in notes:
        if isinstance(note, Lenient):
            hook = _after(note.read, hook, base)
        elif isinstance(note, Limits):
            hook = _within(note, hook, base)
    return hook


def _after(read: Callable[[Any], Any], hook: Hook, base: Any) -> Hook:
    return lambda value, _: hook(read(value), base)


def _within(limits: Limits, hook: Hook, base: Any) -> Hook:
    def structure(value: Any, _: Any) -> Any:
        found = hook(value, base)
        if complaint := limits.complaint(found):
            raise ValueError(complaint)
        return found

    return structure


def unpacked(value: Any, kind: type[Any]) -> Any:
    """Return the array or object that is wanted, also out of a string of JSON."""
    found = value
    if isinstance(value, str):
        with suppress(ValueError, RecursionError):
            found = json.loads(value)
    if isinstance(found, kind):
        return found
    raise Unfit(PHRASES["array" if kind is list else "object"], value)


def _given(value: Any) -> dict[str, Any]:
    return {key: item for key, item in unpacked(value, dict).items() if item is not None}


# ---------------------------------------------------------------------------- for `Lenient`


def tab_name(value: Any) -> str:
    """``"tab-3"`` for that, ``"3"`` and 3; whether there is such a tab is not asked here."""
    try:
        return f"tab-{integer(value.removeprefix('tab-') if isinstance(value, str) else value)}"
    except Unfit:
        raise Unfit('a tab id such as "tab-3"', value) from None


def node_reference(value: Any) -> Any:
    """``"e1537"`` for the number of a DOM node (S-DOM-01), anything else as it is."""
    return f"e{value}" if type(value) is int else value


def element_reference(value: Any) -> Any:
    """Read a reference to an element; raises `InvalidArgument` for any other text."""
    reference = node_reference(value)
    if isinstance(reference, str):
        get_reference_form(reference)
    return reference


def flag_names(value: Any) -> Any:
    """``["ctrl"]`` for ``{"ctrl": true, "alt": false}`` (S-MOD-01), anything else as it is."""
    try:
        flags = _given(value)
    except Unfit:
        return value
    return [name for name, flag in flags.items() if boolean(flag)]
