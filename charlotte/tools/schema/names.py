"""Owns how names may be spelled: by Python, by the surface, in camelCase, by other servers."""

import functools
import re
from collections.abc import Mapping
from typing import Any

import attrs

ALIASES = {
    "ref": "element_id",
    "node_id": "element_id",
    "element": "element_id",
    "button": "click_type",
}
"""Other names of parameters, for every object that has one of that name; the first given wins."""

YIELDING = frozenset({"element"})
"""Aliases that may stand beside the real thing: with a ``ref``, Playwright means prose by it."""


def spelled(name: str) -> str:
    """Spell for agents a name that Python code has to write as ``type_``."""
    return name.rstrip("_")


def camel(name: str) -> str:
    """``element_id`` → ``elementId``."""
    head, *rest = name.split("_")
    return head + "".join(map(str.capitalize, rest))


def snake(name: str) -> str:
    """``elementId`` → ``element_id``."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


@functools.cache
def spellings(cls: type[attrs.AttrsInstance]) -> Mapping[str, str]:
    """Map every spelling of the fields' names to the field it means, in order of precedence."""
    names = {spelled(field.name): field.name for field in attrs.fields(cls)}
    known = names | {camel(name): field for name, field in names.items()}
    for alias, name in ALIASES.items():
        if name in names:
            known.setdefault(alias, names[name])
            known.setdefault(camel(alias), names[name])
    return known


def respelled(given: dict[str, Any], known: Mapping[str, str]) -> dict[str, Any]:
    """Rename to the fields' names and drop nulls; what has no place keeps the name it came by."""
    result = {key: value for key, value in given.items() if key not in known and value is not None}
    for spelling, name in known.items():
        value = given.get(spelling)
        if value is None:
            continue
        if name not in result:
            result[name] = value
        elif spelling not in YIELDING:
            result[spelling] = value
    return result
