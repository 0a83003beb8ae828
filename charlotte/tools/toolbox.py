"""Owns which tool a name means, and which tools a session lists: groups and profiles."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

import attrs

from charlotte.config import Naming, ProfileName
from charlotte.tools.schema.json_schema import Schema
from charlotte.tools.schema.names import snake_case
from charlotte.tools.schema.problems import short_line
from charlotte.tools.schema.tool import Group, Tool


@attrs.frozen(kw_only=True)
class Profile:
    """The tools of some groups and some ``others`` by name, but none of those ``without``."""

    groups: tuple[Group, ...] = ()
    others: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    def lists(self, name: str, group: Group) -> bool:
        """Whether a tool of that name and group is listed at first."""
        return (group in self.groups or name in self.others) and name not in self.without


ALWAYS = frozenset({"tools"})
"""Listed whatever is disabled: it is how the rest is enabled again."""

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
    """No tool has that name, or a strict profile leaves it out; JSON-RPC error -32602."""


@attrs.frozen
class Listing:
    """A tool as ``tools/list`` shows it."""

    name: str
    description: str
    input_schema: Schema
    annotations: dict[str, bool]


@attrs.define(eq=False)
class Enabled:
    """The names of the tools a session lists; all there is about a toolbox that changes."""

    names: set[str]

    def add(self, names: Iterable[str]) -> bool:
        """Whether that changed anything."""
        before = len(self.names)
        self.names.update(names)
        return len(self.names) != before

    def remove(self, names: Iterable[str]) -> bool:
        """Whether that changed anything."""
        before = len(self.names)
        self.names.difference_update(names)
        return len(self.names) != before


class Toolbox:
    """The tools of one session; ``tools`` are the same for all, what is enabled is its own."""

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
        chosen = PROFILES[profile]
        self._enabled = Enabled({t.name for t in tools if chosen.lists(t.name, t.group)} | ALWAYS)

    def listed(self) -> list[Listing]:
        """Return the enabled tools in their order, under the names clients should call."""
        return [
            Listing(
                name=self._prefix + tool.name,
                description=tool.description,
                input_schema=tool.input_schema,
                annotations=annotations(tool),
            )
            for tool in self.tools
            if self.is_enabled(tool) and not tool.hidden
        ]

    def is_enabled(self, tool: Tool) -> bool:
        """Whether its group, or the profile by name, has it enabled."""
        return tool.name in self._enabled.names

    def find(self, name: str) -> Tool:
        """Return the tool called ``charlotte_x``, ``charlotte:x`` or ``x``, also in camelCase."""
        bare = re.sub(r"^charlotte[_:]", "", name)
        tool = self._by_name.get(bare) or self._by_name.get(snake_case(bare))
        if tool is None:
            raise UnknownTool(self._unknown(name, bare))
        if self._strict and not self.is_enabled(tool):
            advice = f'tools{{"action": "enable", "group": "{tool.group}"}} enables its group'
            raise UnknownTool(f"{tool.name} is disabled; {advice}")
        return tool

    def groups(self) -> dict[str, dict[str, list[str]]]:
        """Return the names of the tools by group, parted into those listed and those not."""
        groups: dict[str, dict[str, list[str]]] = {}
        for tool in self.tools:
            if not tool.hidden:
                state = "enabled" if self.is_enabled(tool) else "disabled"
                groups.setdefault(tool.group, {}).setdefault(state, []).append(tool.name)
        return groups

    def enable(self, group: Group) -> bool:
        """List all tools of a group; whether that changed the list."""
        return self._enabled.add(self._names(group))

    def disable(self, group: Group) -> bool:
        """List no tool of a group any more; whether that changed the list."""
        return self._enabled.remove(self._names(group) - ALWAYS)

    def _names(self, group: Group) -> set[str]:
        return {tool.name for tool in self.tools if tool.group == group}

    def _unknown(self, name: str, bare: str) -> str:
        names = [tool.name for tool in self.tools if not tool.hidden]
        close = difflib.get_close_matches(snake_case(short_line(bare)), names)
        suggestion = f"; did you mean {' or '.join(self._prefix + name for name in close)}?"
        return f"Unknown tool: {short_line(name)}{suggestion if close else ''}"


def annotations(tool: Tool) -> dict[str, bool]:
    """Return what MCP calls annotations: hints for clients that ask before some calls."""
    return {
        "readOnlyHint": tool.read_only,
        "destructiveHint": tool.destructive,
        "openWorldHint": tool.open_world,
    }
