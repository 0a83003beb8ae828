"""Command lines of ``charlotte do``.

They and other clients of the server pass settings, which must be those of the server.
"""

import io
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr
from functools import cache
from pathlib import Path
from typing import Any

import attrs

from charlotte.base.errors import CharlotteError, InvalidArgument
from charlotte.base.garbage import import_at_once
from charlotte.cli.parser import SHELL_GROUPS, Parser, add_settings, join_values, known_flags
from charlotte.config import sources as config_sources
from charlotte.config.config import Config, fields
from charlotte.config.setting import flag_of, nearest

_VALUES = {
    "-s": "session", "--session": "session", "--tab": "tab", "-o": "output", "--output": "output",
}  # fmt: skip
_HELP = "'charlotte do --help' lists the flags."


@attrs.define
class CommandLine:
    """The parts of a command line; ``flags`` are settings of the server, as typed."""

    flags: list[str] = attrs.field(factory=list[str])
    session: str | None = None
    tab: str | None = None
    output: str | None = None
    json: bool = False
    tool: str = ""
    words: list[str] = attrs.field(factory=list[str])


def read_command_line(words: Sequence[str]) -> CommandLine:
    """Split the words after ``do``; raises `InvalidArgument`.

    Settings of the server stand before the tool, the other options anywhere before ``--``.
    """
    line, rest = CommandLine(), join_values(words)
    known = known_flags(_settings_parser())
    while rest:
        word = rest.pop(0)
        name, sign, value = word.partition("=")
        if word == "--" and line.tool:
            line.words += [word, *rest]
            break
        if name in _VALUES:
            setattr(line, _VALUES[name], value if sign else _next(word, rest))
        elif word == "--json":
            line.json = True
        elif line.tool:
            line.words.append(word)
        elif name in known:
            line.flags.append(word)
            if known[name] and not sign:
                line.flags.append(_next(word, rest))
        elif word.startswith("-"):
            near = nearest(name, [*known, *_VALUES, "--json"])
            raise InvalidArgument(f"unknown flag {name}{near}.", _HELP)
        else:
            line.tool = word
    if not line.tool:
        raise InvalidArgument("A tool is missing.", "'charlotte do' lists the tools.")
    return line


def _next(flag: str, rest: list[str]) -> str:
    if not rest:
        raise InvalidArgument(f"{flag} requires a value.", _HELP)
    return rest.pop(0)


@cache
def _settings_parser() -> Parser:
    """Return a parser of the settings alone."""
    parser = Parser(prog="charlotte do", add_help=False)
    add_settings(parser, SHELL_GROUPS)
    return parser


def load_settings(
    request: Mapping[str, Any], *, is_running: bool = False
) -> config_sources.LoadedConfig:
    """Return the configuration that a request passes by flags and environment.

    The server that reads it ``is_running`` already, or starts with it. Raises `InvalidArgument`.
    """
    flags: dict[str, Any] = dict(request.get("settings", {}))
    file = request["environment"].get("CHARLOTTE_CONFIG")
    if words := flags_of(request):
        problems = io.StringIO()
        try:
            with redirect_stderr(problems):
                parsed = vars(_settings_parser().parse_args(words))
        except SystemExit:
            problem = problems.getvalue().strip().removeprefix("charlotte: error: ")
            raise InvalidArgument(f"{problem}.") from None
        file = parsed.pop("config") or file
        flags |= {name: value for name, value in parsed.items() if value is not None}
    if request["kind"] == "do" and "join" in flags:
        raise InvalidArgument("--join is for charlotte serve.", "Pass -s NAME to name a session.")
    loaded = config_sources.load(
        flags,
        request["environment"],
        Path(request["cwd"], file) if file else None,
        opens_audit=not is_running,
    )
    if not is_running:
        check_tools(loaded.config)
    return loaded


def check_tools(config: Config) -> None:
    """Raise `InvalidArgument` for an unknown tool in the policy, before the browser starts.

    Imports the tools only for a policy that names some.
    """
    if any(rule.tool for rule in config.rules.rules):
        import_at_once("charlotte.tools.toolkit").check_policy_tools(config.rules)


def flags_of(request: Mapping[str, Any]) -> list[str]:
    """Return the settings that a request passes as flags, as typed; empty for a wrong command."""
    if request["kind"] != "do":
        return []
    try:
        return read_command_line(request["words"]).flags
    except CharlotteError:  # reported as the answer to the command
        return []


def check_same_settings(config: Config, given: config_sources.LoadedConfig) -> None:
    """Raise `InvalidArgument` if a client passes other settings than those of the server."""
    wrong = [
        name
        for name in given.sources
        if name != "join" and getattr(config, name) != getattr(given.config, name)
    ]
    if wrong:
        raise InvalidArgument(
            "The background server runs with other settings: "
            f"{', '.join(_difference(name, config, given.config) for name in wrong)}.",
            "Omit them, or end the server and its sessions with 'charlotte stop'.",
        )


def _difference(name: str, there: Config, here: Config) -> str:
    if "secret" in fields()[name].metadata:
        return f"{name} is not the same"
    values = (getattr(config, name) for config in (there, here))
    shown = ({True: "on", False: "off"}.get(value, value) for value in values)
    return "{} is {} there, not {}".format(flag_of(name), *shown)
