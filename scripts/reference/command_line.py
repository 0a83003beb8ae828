"""docs/reference/cli.md: the commands."""

from collections.abc import Iterator

from charlotte.cli.parser import COMMANDS, Parser, Subcommand

from .markdown import code, page, table

_INTRODUCTION = """# Command line

Without a command, `charlotte` serves MCP over stdio. `charlotte --version` prints the version.
Commands that start a browser also take [settings](settings.md) as flags; flags can stand before
or after the command.

| exit code | meaning |
|---|---|
| 0 | success |
| 1 | the call, a check or the server failed |
| 2 | the command line or a setting is wrong |
"""


def write() -> str:
    """Return the page."""
    return page(
        _INTRODUCTION,
        *(line for command in COMMANDS for line in _describe(command)),
    )


def _describe(command: Subcommand) -> Iterator[str]:
    yield f"## {command.name}\n"
    yield f"    charlotte {command.name} {command.usage}\n"
    yield f"{command.description}\n"
    parser = Parser(add_help=False)
    command.add_arguments(parser)
    rows = [
        [code(", ".join(action.option_strings) or str(action.metavar or action.dest)), action.help]
        for action in parser._actions  # noqa: SLF001 - argparse has no public list
    ]
    if rows:
        yield from table(
            ["argument", "meaning"], ([name, text or ""] for name, text in rows if name)
        )
    groups = ", ".join(command.groups)
    if groups:
        yield f"Settings: {groups}.\n"
    yield from table(
        ["example", "purpose"], ([code(example), purpose] for example, purpose in command.examples)
    )
