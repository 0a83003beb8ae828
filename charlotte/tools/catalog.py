"""All tools, in the order in which they are listed, found in the modules of this package."""

import pkgutil
from importlib import import_module

from charlotte import tools
from charlotte.tools.schema.tool import Tool

_USERS = {"catalog", "toolkit"}
"""Modules that need the catalog themselves; they define no tools."""


def _find_tools() -> tuple[Tool, ...]:
    names = {module.name for module in pkgutil.iter_modules(tools.__path__)} - _USERS
    found: dict[str, Tool] = {}
    for name in sorted(names):
        members = vars(import_module(f"{tools.__name__}.{name}")).values()
        found |= {member.name: member for member in members if isinstance(member, Tool)}
    return tuple(sorted(found.values(), key=lambda tool: (tool.position, tool.name)))


CATALOG = _find_tools()
