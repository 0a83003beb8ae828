"""``charlotte completion SHELL``: what has bash, zsh or fish complete the command line."""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, get_args, get_origin

from charlotte.config import fields
from charlotte.tools.catalog import CATALOG

Say = Callable[[str], object]

SHELLS = ("bash", "zsh", "fish")
USAGE = f"charlotte completion {'|'.join(SHELLS)}"
_WORDS = 'COMPREPLY=($(compgen -W %s -- "$word"))'
_FOR_ZSH = "autoload -Uz compinit bashcompinit && compinit && bashcompinit"


def completion(words: Sequence[str], commands: Sequence[str], say: Say) -> int:
    """Say the script for a shell; returns the exit code."""
    scripts = {"bash": _bash, "zsh": _zsh, "fish": _fish}
    if len(words) != 1 or words[0] not in scripts:
        say(USAGE)
        return 2
    for line in scripts[words[0]](commands):
        say(line)
    return 0


def _tools() -> list[str]:
    return sorted(tool.name for tool in CATALOG if not tool.hidden)


def _flags() -> dict[str, Any]:
    """What can be given on the command line, with the type of its value."""
    settings = {
        f"--{name.replace('_', '-')}": field.type
        for name, field in fields().items()
        if not field.metadata.get("secret")
    }
    return {"--config": str, **settings, "--version": bool, "--help": bool}


def _choices() -> dict[str, Sequence[str]]:
    """What can follow a word, where that is known."""
    literals = {flag: get_args(kind) for flag, kind in _flags().items() if _is_choice(kind)}
    return {**literals, "call": _tools(), "completion": SHELLS}


def _is_choice(kind: Any) -> bool:
    return get_origin(kind) is not None and all(isinstance(one, str) for one in get_args(kind))


def _bash(commands: Sequence[str]) -> Iterator[str]:
    yield "_charlotte() {"
    yield '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"'
    yield "  COMPREPLY=()"
    yield '  case "$before" in'
    for before, words in _choices().items():
        yield f"    {before}) {_WORDS % shlex.quote(' '.join(words))} ;;"
    takes = [flag for flag, kind in _flags().items() if kind is not bool and not _is_choice(kind)]
    yield f"    {'|'.join(takes)}) ;;  # the shell's own completion: files"
    yield f"    *) {_WORDS % shlex.quote(' '.join([*commands, *_flags()]))} ;;"
    yield "  esac"
    yield "}"
    yield "complete -o default -F _charlotte charlotte"


def _zsh(commands: Sequence[str]) -> Iterator[str]:
    yield _FOR_ZSH
    yield from _bash(commands)


def _fish(commands: Sequence[str]) -> Iterator[str]:
    yield f"complete -c charlotte -n __fish_use_subcommand -f -a '{' '.join(commands)}'"
    choices: Mapping[str, Sequence[str]] = _choices()
    for word in ("call", "completion"):
        seen = f"__fish_seen_subcommand_from {word}"
        yield f"complete -c charlotte -n '{seen}' -f -a '{' '.join(choices[word])}'"
    for flag, kind in _flags().items():
        takes = f" -x -a '{' '.join(choices[flag])}'" if flag in choices else " -r -F"
        yield f"complete -c charlotte -l {flag[2:]}{'' if kind is bool else takes}"
