"""``charlotte completion``: what shells complete."""

import shtab

from charlotte.cli.parser import Invocation, Parser, build_parser
from charlotte.tools.toolkit import CATALOG

_FOR_ZSH = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }"


async def run(invocation: Invocation) -> int:
    """Print the script for a shell."""
    invocation.write(script(invocation.arguments.shell))
    return 0


def script(shell: str) -> str:
    """Return the script for bash, zsh or fish."""
    parser = build_parser(settings_first=True)
    _complete_values(parser)
    return shtab.complete(parser, shell, preamble=_FOR_ZSH if shell == "zsh" else "")


def _complete_values(parser: Parser) -> None:
    """Complete tool names, and files as values of flags without choices."""
    for action in parser._actions:  # noqa: SLF001 - as shtab does itself
        if action.dest == "tool":
            action.choices = sorted(tool.name for tool in CATALOG if not tool.hidden)
        elif action.option_strings and action.nargs != 0 and action.choices is None:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    for subparser in parser.subparsers.values():
        _complete_values(subparser)
