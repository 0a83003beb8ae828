"""``charlotte completion SHELL``: scripts that complete the command line in bash, zsh and fish."""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence

import shtab

from charlotte.tools.toolkit import CATALOG

Say = Callable[[str], object]

SHELLS = ("bash", "zsh", "fish")
_FOR_ZSH = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }"
USAGE = f"charlotte completion {'|'.join(SHELLS)}"


def completion(
    words: Sequence[str], commands: Mapping[str, str], flags: ArgumentParser, say: Say
) -> int:
    """Print the script for a shell and return the exit code.

    ``commands`` are described, ``flags`` apply to all of them.
    """
    if len(words) != 1 or words[0] not in SHELLS:
        say(USAGE)
        return 2
    for action in flags._actions:  # noqa: SLF001 - as shtab does itself
        if action.nargs != 0 and action.choices is None:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    choices = {
        "call": sorted(tool.name for tool in CATALOG if not tool.hidden),
        "completion": SHELLS,
    }
    parser = ArgumentParser(prog="charlotte", parents=[flags])
    subparsers = parser.add_subparsers()
    for command, description in commands.items():
        subparser = subparsers.add_parser(command, parents=[flags], help=description)
        if command in choices:
            subparser.add_argument("word", choices=choices[command])
    say(shtab.complete(parser, words[0], preamble=_FOR_ZSH if words[0] == "zsh" else ""))
    return 0
