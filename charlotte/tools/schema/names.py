"""Spellings of tool and parameter names: Python's, snake_case, camelCase and aliases."""

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
"""Aliases of parameters, in every object that has the parameter; the first one passed wins."""

YIELDING = frozenset({"element"})
"""Aliases that are ignored next to the parameter itself: Playwright's ``element`` is prose."""


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


@functools.cache
def spellings(cls: type[attrs.AttrsInstance]) -> Mapping[str, str]:
    """Map every spelling of the fields' names to the field's name, in order of precedence."""
    names = {public_name(field.name): field.name for field in attrs.fields(cls)}
    known = names | {camel_case(name): field for name, field in names.items()}
    for alias, name in ALIASES.items():
        if name in names:
            known.setdefault(alias, names[name])
            known.setdefault(camel_case(alias), names[name])
    return known


def rename_to_fields(given: dict[str, Any], known: Mapping[str, str]) -> dict[str, Any]:
    """Return the members under their fields' names, without nulls; unknown names are kept."""
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
