"""The arguments of a call as the audit log has them: no typed texts, no values of queries."""

from collections.abc import Collection, Mapping
from typing import Any, cast

import attrs

from charlotte.errors import ellipsize
from charlotte.page.text.plain import plural
from charlotte.tools.schema.arguments import Private, find_note, public_name
from charlotte.tools.schema.tool import Tool
from charlotte.urls import without_query_values

_LONGEST = 2_000


def audited_arguments(
    tool: Tool, arguments: Mapping[str, Any], secrets: Collection[str]
) -> dict[str, Any]:
    """Return the arguments that differ from their defaults; ``secrets`` are names of secrets.

    Parameters marked `Private` show only the size of their value, or the name of a secret.
    """
    shown: dict[str, Any] = {}
    for name, default, mark in tool.audited:
        value = arguments.get(name)
        if value is not None and value != default:
            shown[public_name(name)] = _shown(value, mark, secrets)
    return shown


def _shown(value: Any, mark: Private | None, secrets: Collection[str]) -> Any:
    if mark is not None:
        return _masked(value, mark, secrets)
    if isinstance(value, str):
        return ellipsize(without_query_values(value), _LONGEST)
    kind = cast("type[attrs.AttrsInstance]", type(value))
    if attrs.has(kind):
        fields = attrs.fields(attrs.resolve_types(kind, include_extras=True))
        members = {field.name: (getattr(value, field.name), field.type) for field in fields}
        return {
            public_name(name): _shown(member, find_note(hint, Private), secrets)
            for name, (member, hint) in members.items()
            if member is not None
        }
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value)
        return {str(name): _shown(entry, None, secrets) for name, entry in entries.items()}
    if isinstance(value, list | tuple):
        items = cast("list[Any]", value)
        return [_shown(item, None, secrets) for item in items]
    return value


def _masked(value: Any, mark: Private, secrets: Collection[str]) -> Any:
    """Return the size of a private value."""
    if isinstance(value, str):
        if value in secrets:
            return f"<secret>{value}</secret>"
        return value if mark.keeps(value) else f"[{len(value)} {plural(len(value), 'character')}]"
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value)
        return {str(name): _masked(entry, mark, secrets) for name, entry in entries.items()}
    if isinstance(value, list | tuple):
        items = cast("list[Any]", value)
        if all(isinstance(item, str) for item in items):
            return [_masked(item, mark, secrets) for item in items]
        return f"[{len(items)} items]"
    return value if isinstance(value, bool) else "[number]"
