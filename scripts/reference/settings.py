"""docs/reference/settings.md: all settings by group."""

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

from charlotte.config.config import fields
from charlotte.config.setting import Group, flag_of, variable_of

from .markdown import code, page, table

_INTRODUCTION = """# Settings

Set a setting as a flag, as an environment variable, or in a TOML or JSON file that `--config` or
`CHARLOTTE_CONFIG` names. Flags override the environment, which overrides the file. Keys of the
file are the names of the flags without `--`, such as `max-chars`. Settings with passwords have no
flag, because other users can read command lines. In Python, settings are parameters of `Config`,
such as `Config(max_chars=10_000)`.

`charlotte doctor` prints the settings in force and their sources.
"""


def write() -> str:
    """Return the page."""
    return page(_INTRODUCTION, *_groups())


def _groups() -> Iterator[str]:
    for group in get_args(Group):
        yield f"## {group}\n"
        named = {
            name: field for name, field in fields().items() if field.metadata["group"] == group
        }
        yield from table(
            ["flag", "environment variable", "value", "default", "meaning"],
            ([*_row(name, field)] for name, field in named.items()),
        )


def _row(name: str, field: Any) -> Iterator[str]:
    yield "none" if "secret" in field.metadata else code(flag_of(name))
    yield code(variable_of(name))
    if get_origin(field.type) is Literal:
        yield ", ".join(map(code, get_args(field.type)))
    else:
        yield code(field.metadata["unit"] or "true, false").replace(", ", "`, `")
    yield code("" if field.default in {None, ()} else str(field.default).lower())
    text = field.metadata["help"]
    yield text[0].upper() + text[1:] + "."
