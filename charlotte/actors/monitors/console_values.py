"""JavaScript values as the console of DevTools writes them."""

import json
import re
from collections.abc import Iterable, Sequence

from charlotte.protocol.runtime import (
    EntryPreview,
    ObjectPreview,
    PropertyPreview,
    RemoteObject,
    ValuePreview,
)

_SPECIFIER = re.compile(r"%([sdifoOc%])")
_NAME = re.compile(r"[\w$]+")
_MORE = "…"
_COLLECTIONS = {"map", "set", "weakmap", "weakset", "iterator"}
_SAID_ELSE = {"error", "node", "regexp", "date", "proxy"}
"""Kinds of objects whose description says more than their properties."""


def written(arguments: Sequence[RemoteObject]) -> str:
    """A message; its first text may say with ``%s`` and its like where the next ones go."""
    match arguments:
        case [RemoteObject(type="string", value=str(told)), first, *others]:
            rest = [first, *others]
        case _:
            return " ".join(map(printed, arguments))

    def filled(found: re.Match[str]) -> str:
        if found[1] == "%":
            return "%"
        if not rest:
            return found[0]
        value = printed(rest.pop(0))
        return "" if found[1] == "c" else value

    return " ".join([_SPECIFIER.sub(filled, told), *map(printed, rest)])


def printed(value: RemoteObject) -> str:
    """One argument; of an object what its preview shows."""
    if value.unserializable_value is not None:
        return value.unserializable_value
    if value.type == "string":
        return str(value.value)
    if value.type in {"undefined", "boolean", "number"} or value.subtype == "null":
        return value.description or _literal(value)
    if value.type == "object" and value.preview and value.subtype not in _SAID_ELSE:
        return _previewed(value, value.preview)
    return value.description or value.class_name or value.type


def _literal(value: RemoteObject) -> str:
    """A primitive as it stands in a script."""
    return "undefined" if value.type == "undefined" else json.dumps(value.value)


def _previewed(value: RemoteObject, preview: ObjectPreview) -> str:
    described = value.description or "Object"
    if value.subtype == "array":
        return f"{described.removeprefix('Array')} {_listed(preview)}".removeprefix("(0) ")
    if value.subtype == "typedarray":
        return f"{described} {_listed(preview)}"
    if value.subtype in _COLLECTIONS:
        return f"{described} {_braced(map(_entry, preview.entries), preview)}"
    body = _braced(map(_property, preview.properties), preview)
    return body if described == "Object" else f"{described} {body}"


def _listed(preview: ObjectPreview) -> str:
    items = [property_value(one) for one in preview.properties if one.name.isdecimal()]
    return f"[{_joined(items, preview)}]"


def _braced(members: Iterable[str], preview: ObjectPreview) -> str:
    return f"{{{_joined(members, preview)}}}"


def _joined(members: Iterable[str], preview: ObjectPreview) -> str:
    return ", ".join([*members, _MORE] if preview.overflow else members)


def _property(one: PropertyPreview) -> str:
    name = one.name if _NAME.fullmatch(one.name) or one.name.startswith("[[") else _quoted(one.name)
    return f"{name}: {property_value(one)}"


def entry_cells(entry: EntryPreview) -> list[str]:
    """Key, which a Set does not have, and value of an entry of a collection."""
    return [_described(one) for one in (entry.key, entry.value) if one]


def _entry(entry: EntryPreview) -> str:
    value = _described(entry.value)
    return f"{_described(entry.key)} => {value}" if entry.key else value


def property_value(one: PropertyPreview) -> str:
    """What a property has."""
    match one.type:
        case "accessor":
            return "(...)"
        case "function":
            return "ƒ"
        case _:
            return _described(ValuePreview(one.type, one.subtype, one.value))


def _described(value: ValuePreview) -> str:
    if value.type == "string":
        return _quoted(value.description)
    return f"{{{_MORE}}}" if value.description == "Object" else value.description


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"
