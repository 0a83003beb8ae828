"""docs/reference/tools.md: tools, their parameters, and profiles."""

import json
from collections.abc import Iterator

from charlotte.cli.arguments import parameters_of
from charlotte.config.config import ProfileName
from charlotte.tools.schema.tool import PROFILES, Tool, Toolbox, by_group
from charlotte.tools.toolkit import CATALOG

from .markdown import code, page, table

_INTRODUCTION = """# Tools

Clients list a tool as `charlotte_NAME`; a call can also use `NAME` alone. Parameters without
"required" can be left out. Every tool also accepts `answers` (`text` or `json`) for the format of
one answer, and common names of other servers for its parameters, such as `ref` for `element_id`.
Every profile accepts the parameters with a `*`, but only the profile `full` lists them.

## Profiles

`--profile` sets which tools are listed at the start. `tools` lists, enables and disables them
later. A tool that is not listed can still be called, unless `--strict-profile` is set. Characters
are those of the `tools/list` answer."""


def write() -> str:
    """Return the page."""
    return page(_INTRODUCTION, *_profiles(), *_groups())


def _size_of(profile: ProfileName) -> tuple[int, int]:
    """Return the number of tools of a profile, and the characters of their definitions."""
    listed = Toolbox(CATALOG, profile=profile, naming="underscore").listed()
    rows = [
        {
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": tool.input_schema,
            "annotations": tool.annotations,
        }
        for tool in listed
    ]
    return len(listed), len(json.dumps(rows, separators=(",", ":")))


def _profiles() -> Iterator[str]:
    rows: list[list[str]] = []
    for profile in PROFILES:
        tools, characters = _size_of(profile)
        listed = Toolbox(CATALOG, profile=profile, naming="bare").listed()
        names = " ".join(code(tool.name) for tool in listed)
        rows.append([code(profile), str(tools), f"{characters:,}", names])
    yield from table(["profile", "tools", "characters", "names"], rows)


def _groups() -> Iterator[str]:
    for group, tools in by_group(CATALOG).items():
        yield f"## Group {group}\n"
        for tool in tools:
            yield from _describe(tool)


def _describe(tool: Tool) -> Iterator[str]:
    yield f"### {tool.name}\n"
    yield f"*{tool.title}.* {tool.description}\n"
    if tool.annotations:
        hints = (f"`{name}: {json.dumps(value)}`" for name, value in tool.annotations.items())
        yield f"Annotations: {', '.join(hints)}.\n"
    rare = tool.input_schema["properties"].keys() - tool.short_schema["properties"].keys()
    rows = [
        [
            code(one.name) + "*" * (one.name.split(".")[0] in rare),
            one.type,
            "required" if one.is_required else one.default and code(one.default),
            one.meaning,
        ]
        for one in parameters_of(tool)
    ]
    if rows:
        yield from table(["parameter", "type", "default", "meaning"], rows)
