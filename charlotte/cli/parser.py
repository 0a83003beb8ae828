"""The parser of the command line: subcommands, and flags that follow from the settings.

It is built at every start, so this module imports nothing that takes long.
"""

import argparse
import re
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NoReturn, get_args, get_origin

import attrs

from charlotte.base.users_browsers import is_users_browser
from charlotte.base.version import __version__
from charlotte.config import config as settings
from charlotte.config.config import Config
from charlotte.config.setting import Group, flag_of, nearest
from charlotte.shell import is_command

SHELLS = ("bash", "zsh", "fish")
ALL_GROUPS: tuple[Group, ...] = get_args(Group)
LOCAL_GROUPS: tuple[Group, ...] = tuple(
    group for group in ALL_GROUPS if group not in {"Tools", "HTTP", "Shell"}
)
SHELL_GROUPS: tuple[Group, ...] = (*LOCAL_GROUPS, "Shell")
_ATTACH = flag_of("attach")
_NAMED_ARGUMENT = re.compile(r"argument (--[\w-]+): ")
_KINDS: dict[Any, dict[str, Any]] = {
    bool: {"action": "store_true", "default": None},
    tuple[str, ...]: {"action": "append"},
}


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Leaves the line breaks of examples, and room for long flags."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=32, width=100)
        self._action_max_length = len("completion") + 6  # argparse ignores the indent of commands


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line that names the flag as typed."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=_Formatter, **options)
        self.subparsers: dict[str, Parser] = {}

    def error(self, message: str) -> NoReturn:
        """Print one line and exit with code 2."""
        text = _NAMED_ARGUMENT.sub(r"\1 ", message).replace(
            "expected one argument", "requires a value"
        )
        self.exit(2, f"charlotte: error: {text}\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            near = nearest(str(value), known)
            message = f"must be one of {', '.join(known)}, got {value!r}{near}"
            raise argparse.ArgumentError(action, message)


@attrs.frozen
class Subcommand:
    """A subcommand. ``module`` has ``async def run(invocation) -> int``, the exit code."""

    name: str
    summary: str
    description: str
    examples: Sequence[tuple[str, str]]
    module: str
    usage: str = "[flags]"
    groups: Sequence[Group] = ()
    add_arguments: Callable[[argparse.ArgumentParser], object] = lambda _parser: None

    @property
    def epilog(self) -> str:
        """The examples as text."""
        width = max(len(example) for example, _ in self.examples)
        lines = [f"  {example:<{width}}   {purpose}" for example, purpose in self.examples]
        return "\n".join(["examples:", *lines])


def _add_call_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tool", nargs="?", metavar="TOOL", help="name of the tool")
    parser.add_argument(
        "words", nargs="*", metavar="name=value", help="arguments; write lists and objects as JSON"
    )
    parser.add_argument("-h", "--help", action="store_true", help="show this, or help for TOOL")
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")


def _add_do_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tool", nargs="?", metavar="TOOL", help="name of the tool")
    parser.add_argument("words", nargs="*", metavar="ARGUMENT", help="arguments of the tool")
    default = "name of the session; default: the path of the working directory"
    parser.add_argument("-s", "--session", metavar="NAME", help=default)
    parser.add_argument("--tab", metavar="ID", help="tab to work on; default: the active tab")
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the image to FILE; -: stdout")
    parser.add_argument("-h", "--help", action="store_true", help="show this, or help for TOOL")


def _add_config_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("client", nargs="?", metavar="CLIENT", help="name of the client")
    parser.set_defaults(flags=[])
    parser.add_argument("--http", metavar="URL", help="connect to a server at this URL")
    skill = "print the skill for charlotte do and its path, instead of the block"
    parser.add_argument("--skill", action="store_true", help=skill)


def _add_install_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--index", metavar="URL", help="index in the format of Chrome for Testing")
    parser.add_argument("--force", action="store_true", help="replace an installed browser")


COMMANDS = (
    Subcommand(
        "serve", "serve MCP over stdio or HTTP; the default",
        "Serve MCP on stdin and stdout for one client, or over HTTP for many.",
        (("charlotte", "serve one client over stdio"),
         ("charlotte serve --profile full --headed", "all tools, with browser windows"),
         ("charlotte serve --http --no-auth", "serve http://127.0.0.1:3737/mcp")),
        "charlotte.cli.serve", groups=ALL_GROUPS,
    ),
    Subcommand(
        "call", "call one tool in a new session and print the answer",
        "Call one tool in a new session and print the answer. Without TOOL, list all tools.",
        (("charlotte call", "list the tools"),
         ("charlotte call navigate --help", "print the parameters of a tool"),
         ("charlotte call navigate url=https://example.org", "print a page"),
         ("charlotte call navigate url=https://example.org --json", "print it as JSON")),
        "charlotte.cli.call", "[flags] [TOOL [--help | name=value …]]", LOCAL_GROUPS,
        _add_call_arguments,
    ),
    Subcommand(
        "do", "call a tool in a session that stays open",
        "Call a tool in a session of the background server, which starts on first use. Words after "
        "TOOL fill its parameters in their order; name=value names one; - reads stdin.",
        (("charlotte do navigate https://example.org", "print a page"),
         ('charlotte do find "More information"', "find an element in it"),
         ("charlotte do click lnk-1ff8", "print only what changed"),
         ("charlotte do -s shop --tab tab-2 screenshot -o a.png", "another session and tab"),
         ("charlotte do click --help", "print the parameters of a tool")),
        "charlotte.cli.call", "[flags] [-s NAME] TOOL [ARGUMENT …]", SHELL_GROUPS,
        _add_do_arguments,
    ),
    Subcommand(
        "skill", "print a skill for coding agents that use a shell",
        "Print a skill that teaches coding agents charlotte do. 'charlotte config CLIENT --skill' "
        "also prints where a client reads it.",
        (("charlotte skill", "print it"),),
        "charlotte.cli.config", "",
    ),
    Subcommand(
        "ps", "list the sessions of the background server",
        "List the background server of charlotte do and its sessions.",
        (("charlotte ps", "list the sessions"),),
        "charlotte.cli.call", "",
    ),
    Subcommand(
        "stop", "end the background server, or one of its sessions",
        "End the background server of charlotte do with its browser, or one of its sessions.",
        (("charlotte stop", "end the server"), ("charlotte stop -s shop", "end one session")),
        "charlotte.cli.call", "[-s NAME]",
        add_arguments=lambda parser: parser.add_argument(
            "-s", "--session", metavar="NAME", help="end this session only"
        ),
    ),
    Subcommand(
        "doctor", "check the installation",
        "Start the browser, open a page, and print versions, settings and what to change.",
        (("charlotte doctor", "check the default configuration"),),
        "charlotte.cli.doctor", groups=ALL_GROUPS,
    ),
    Subcommand(
        "config", "print the configuration of an MCP client",
        "Print the block that an MCP client needs. Without CLIENT, list the clients.",
        (("charlotte config", "list the clients and their files"),
         ("charlotte config cursor", "print the block for Cursor"),
         ("charlotte config vscode -- --profile full", "with flags for the server"),
         ("charlotte config claude-code --skill", "print the skill for a shell")),
        "charlotte.cli.config", "[CLIENT] [--http URL] [--skill] [-- FLAG …]",
        add_arguments=_add_config_arguments,
    ),
    Subcommand(
        "install", "download a headless browser into the user's cache",
        "Download Chrome's headless shell into the user's cache, where Charlotte finds it.",
        (("charlotte install", "install the newest stable version, or the pinned one"),),
        "charlotte.cli.install", add_arguments=_add_install_arguments,
    ),
    Subcommand(
        "completion", "print a completion script for a shell",
        "Print a script that completes commands, flags, values and tool names in a shell.",
        (('eval "$(charlotte completion bash)"', "complete in this shell"),
         ("charlotte completion fish | source", "the same in fish")),
        "charlotte.cli.completion", "|".join(SHELLS),
        add_arguments=lambda parser: parser.add_argument(
            "shell", choices=SHELLS, metavar="|".join(SHELLS), help="the shell to complete for"
        ),
    ),
)  # fmt: skip
BY_NAME = {command.name: command for command in COMMANDS}


def build_parser(*, settings_first: bool = False) -> Parser:
    """Build the parser. With ``settings_first``, it knows the flags that stand for ``serve``."""
    parser = Parser(
        prog="charlotte",
        description="A browser for AI agents, as an MCP server.",
        epilog=(
            "Without a command, charlotte serves MCP over stdio. "
            "'charlotte serve --help' lists all settings;\n"
            "'charlotte COMMAND --help' explains a command."
        ),
    )
    parser.add_argument("--version", action="version", version=f"charlotte {__version__}")
    if settings_first:
        add_settings(parser, ALL_GROUPS)
    commands = parser.add_subparsers(metavar="COMMAND", dest="command", title="commands")
    for command in COMMANDS:
        subparser = commands.add_parser(
            command.name,
            usage=f"charlotte {command.name} {command.usage}",
            help=command.summary,
            description=command.description,
            epilog=command.epilog,
            add_help=command.name not in {"call", "do"},
        )
        parser.subparsers[command.name] = subparser
        command.add_arguments(subparser)
        if command.groups:
            add_settings(subparser, command.groups)
    return parser


def add_settings(parser: argparse.ArgumentParser, groups: Sequence[Group]) -> None:
    """Add a flag for each setting of these groups, and ``--config``."""
    parser.add_argument("--config", metavar="FILE", help="settings as TOML or JSON")
    sections = {group: parser.add_argument_group(group) for group in groups}
    for name, field in settings.fields().items():
        group = field.metadata["group"]
        if group in sections and "secret" not in field.metadata:
            options: dict[str, Any] = {"help": help_of(field), **_KINDS.get(field.type, {})}
            if get_origin(field.type) is Literal:
                options["choices"] = get_args(field.type)
            elif field.type is not bool:
                options["metavar"] = field.metadata["unit"]
            if alone := field.metadata["alone"]:
                options |= {"nargs": "?", "const": alone}
            sections[group].add_argument(flag_of(name), **options)


def help_of(field: "attrs.Attribute[Any]") -> str:
    """Return the meaning of a setting with its default, if it has a value."""
    text: str = field.metadata["help"]
    return text if field.default in (None, (), False) else f"{text} (default: {field.default})"


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the command line; print help or an error and exit if necessary."""
    parser = build_parser()
    words = join_values(sys.argv[1:] if arguments is None else arguments)
    if not words or (words[0].startswith("-") and words[0] not in {"-h", "--help", "--version"}):
        words = ["serve", *words]
    elif words[0] not in BY_NAME and not words[0].startswith("-"):
        known = nearest(words[0], list(BY_NAME)) or f"; commands: {', '.join(BY_NAME)}"
        parser.error(f"unknown command {words[0]!r}{known}")
    if is_command(words):
        return argparse.Namespace(command=words[0], line=words)
    after: list[str] = []
    if words[0] == "config" and "--" in words:
        cut = words.index("--")
        words, after = words[:cut], words[cut + 1 :]
        parse(["serve", *after])  # a mistake in them is reported now, not by the client
    parsed, unknown = parser.parse_known_args(words)
    if after:
        parsed.flags = after
    if unknown:
        flags = [word for word in unknown if word.startswith("-")]
        if flags:
            own = known_flags(parser.subparsers[parsed.command])
            servers = known_flags(parser.subparsers["serve"])
            if parsed.command == "config" and flags[0].partition("=")[0] in servers:
                parser.error(f"flags of the server follow after --, as in: -- {flags[0]} …")
            name = flags[0].partition("=")[0]
            parser.error(f"unknown flag {name}{nearest(name, list(own))}")
        if parsed.command not in {"call", "do"}:
            more = "more " if parsed.command == "config" else ""
            parser.error(f"{parsed.command} takes no {more}arguments, got {unknown[0]!r}")
        parsed.words += unknown  # argparse does not join words that flags separate
    return parsed


def join_values(words: Sequence[str]) -> list[str]:
    """Join ``--attach`` and its value to one word; the next word may be a command or a tool."""
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] == _ATTACH and word not in BY_NAME and is_users_browser(word):
            joined[-1] = f"{_ATTACH}={word}"
        else:
            joined.append(word)
    return [
        f"{word}={settings.fields()['attach'].metadata['alone']}" if word == _ATTACH else word
        for word in joined
    ]


def known_flags(parser: Parser) -> Mapping[str, bool]:
    """Return the flags of a command, and whether each takes a value."""
    return {
        flag: action.nargs != 0
        for action in parser._actions  # noqa: SLF001 - argparse has no public list
        for flag in action.option_strings
    }


ANSWERED, FAILED, MISUSED = 0, 1, 2
"""Exit codes."""


@attrs.frozen
class Invocation:
    """A subcommand with its arguments.

    ``sources`` has the source of each setting that is not a default, ``warnings`` are logged.
    """

    arguments: Namespace
    config: Config
    sources: Mapping[str, str]
    warnings: Sequence[str]
    write: Callable[[str], object] = print
