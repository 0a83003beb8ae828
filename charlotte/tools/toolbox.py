"""The tools of one session: lookup by name, groups and profiles, and the list for clients."""

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import get_args

import attrs

from charlotte.config import Naming, ProfileName
from charlotte.tools.schema.arguments import short_line
from charlotte.tools.schema.json_schema import Schema, snake_case
from charlotte.tools.schema.tool import Group, Tool


@attrs.frozen(kw_only=True)
class Profile:
    """The tools that a session lists at first: groups and ``others``, except ``without``."""

    groups: tuple[Group, ...] = ()
    others: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    def lists(self, name: str, group: Group) -> bool:
        """Return whether a tool of that name and group is listed."""
        return (group in self.groups or name in self.others) and name not in self.without


ALWAYS = frozenset({"tools"})
"""Tools that cannot be disabled: they enable the others."""

_BROWSE_GROUPS: tuple[Group, ...] = (
    "navigation",
    "observation",
    "interaction",
    "dialog",
    "evaluate",
    "monitoring",
)
_BROWSE_OTHERS = ("tabs", "tab_open", "tab_switch", "tab_close", "batch")

PROFILES: Mapping[ProfileName, Profile] = {
    "core": Profile(others=("navigate", "observe", "find", "click", "type", "submit")),
    "browse": Profile(groups=_BROWSE_GROUPS, others=_BROWSE_OTHERS, without=("upload",)),
    "develop": Profile(
        groups=(*_BROWSE_GROUPS, "dev_mode"), others=(*_BROWSE_OTHERS, "viewport", "network")
    ),
    "audit": Profile(
        groups=("navigation", "observation", "dialog", "monitoring"),
        others=(*_BROWSE_OTHERS, "viewport", "dev_audit"),
    ),
    "full": Profile(groups=get_args(Group)),
}

PREFIXES: Mapping[Naming, str] = {"underscore": "charlotte_", "colon": "charlotte:", "bare": ""}


class UnknownTool(LookupError):
    """An unknown tool, or one that a strict profile leaves out; JSON-RPC error -32602."""


@attrs.frozen
class ListedTool:
    """A tool as ``tools/list`` shows it."""

    name: str
    description: str
    input_schema: Schema
    annotations: dict[str, bool]


class Toolbox:
    """The tools of one session: all sessions share ``tools``, each has its own enabled ones."""

    def __init__(
        self,
        tools: Sequence[Tool],
        *,
        profile: ProfileName,
        naming: Naming,
        strict_profile: bool = False,
    ) -> None:
        self.tools = tuple(tools)
        self._by_name = {tool.name: tool for tool in tools}
        self._prefix = PREFIXES[naming]
        self._strict = strict_profile
        lists = PROFILES[profile].lists
        self._enabled = {tool.name for tool in tools if lists(tool.name, tool.group)} | ALWAYS

    def listed(self) -> list[ListedTool]:
        """Return the enabled tools in their order, under the names that clients call."""
        return [
            ListedTool(
                name=self._prefix + tool.name,
                description=tool.description,
                input_schema=tool.input_schema,
                annotations={
                    "readOnlyHint": tool.read_only,
                    "destructiveHint": tool.destructive,
                    "openWorldHint": tool.open_world,
                },
            )
            for tool in self.tools
            if tool.name in self._enabled and not tool.hidden
        ]

    def find(self, name: str) -> Tool:
        """Return the tool called ``charlotte_x``, ``charlotte:x`` or ``x``, also in camelCase."""
        bare = re.sub(r"^charlotte[_:]", "", name)
        tool = self._by_name.get(bare) or self._by_name.get(snake_case(bare))
        if tool is None:
            names = [tool.name for tool in self.tools if not tool.hidden]
            close = difflib.get_close_matches(snake_case(short_line(bare)), names)
            suggestion = f"; did you mean {' or '.join(self._prefix + name for name in close)}?"
            raise UnknownTool(f"Unknown tool: {short_line(name)}{suggestion if close else ''}")
        if self._strict and tool.name not in self._enabled:
            advice = f'tools{{"action": "enable", "group": "{tool.group}"}} enables its group'
            raise UnknownTool(f"{tool.name} is disabled; {advice}")
        return tool

    def groups(self) -> dict[str, dict[str, list[str]]]:
        """Return the names of the enabled and disabled tools of each group."""
        groups: dict[str, dict[str, list[str]]] = {}
        for tool in self.tools:
            if not tool.hidden:
                state = "enabled" if tool.name in self._enabled else "disabled"
                groups.setdefault(tool.group, {}).setdefault(state, []).append(tool.name)
        return groups

    def enable(self, group: Group) -> None:
        """List all tools of a group."""
        self._enabled |= self._names(group)

    def disable(self, group: Group) -> None:
        """Remove the tools of a group from the list, except those that are always listed."""
        self._enabled -= self._names(group) - ALWAYS

    def _names(self, group: Group) -> set[str]:
        return {tool.name for tool in self.tools if tool.group == group}
