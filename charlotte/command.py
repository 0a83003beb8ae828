"""The subcommands of the command line except ``serve``, and the status report on SIGUSR1."""

import json
import os
import platform
import signal
import sys
from argparse import ArgumentParser
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal

import attrs
import shtab
import trio

from charlotte.actors.state.session_settings import session_settings
from charlotte.app import open_charlotte
from charlotte.browser.launch import (
    descriptors,
    find_executable,
    too_few_descriptors,
    wants_sandbox,
)
from charlotte.config import Config
from charlotte.errors import CharlotteError, InvalidArgument
from charlotte.files import not_creatable
from charlotte.tools.answer import Image, Link, Text
from charlotte.tools.schema.tool import UnknownTool
from charlotte.tools.toolkit import CATALOG
from charlotte.version import __version__

Print = Callable[[str], object]
Status = Mapping[str, Any]
Verdict = Literal["PASS", "WARN", "FAIL"]

ANSWERED, FAILED, MISUSED = 0, 1, 2
"""Exit codes."""
SHELLS = ("bash", "zsh", "fish")
USAGE = f"charlotte completion {'|'.join(SHELLS)}"
_FOR_ZSH = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }"
_PAGE = "data:text/html,<title>Well</title>"
_MIB = 2**20
_LONGEST_REASON = 200


def arguments_of(words: Sequence[str]) -> dict[str, str]:
    """Parse words such as ``url=https://example.org``; tools parse numbers and JSON in texts."""
    pairs = [word.partition("=") for word in words]
    wrong = [name for name, sign, _ in pairs if not (name and sign)]
    if wrong:
        raise InvalidArgument(
            f"Arguments must be name=value, got {', '.join(map(repr, wrong))}.",
            "Pass arguments such as url=https://example.org; write lists and objects as JSON.",
        )
    return {name: value for name, _, value in pairs}


async def call(config: Config, words: Sequence[str], write: Print) -> int:
    """Call the tool named by the first word and print its answer; return the exit code."""
    if not words:
        write("charlotte call TOOL name=value …")
        return MISUSED
    async with open_charlotte(config) as charlotte, charlotte.open_session() as session:
        try:
            answer = await session.call(words[0], dict(arguments_of(words[1:])))
        except CharlotteError as error:
            write(error.text or json.dumps(error.as_json(), ensure_ascii=False))
            return FAILED
        except UnknownTool as error:
            write(str(error))
            return MISUSED
        for block in answer.blocks:
            match block:
                case Text(text):
                    write(text)
                case Image(mime_type=kind):
                    write(f"(image, {kind}; pass save=true to write it to a file)")
                case Link(uri):
                    write(uri)
        return FAILED if answer.is_error else ANSWERED


def completion(
    words: Sequence[str], commands: Mapping[str, str], flags: ArgumentParser, write: Print
) -> int:
    """Print the script for a shell and return the exit code.

    ``commands`` are described, ``flags`` apply to all of them.
    """
    if len(words) != 1 or words[0] not in SHELLS:
        write(USAGE)
        return MISUSED
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
    write(shtab.complete(parser, words[0], preamble=_FOR_ZSH if words[0] == "zsh" else ""))
    return 0


@attrs.frozen
class Check:
    """The result of one check."""

    verdict: Verdict
    subject: str
    result: str

    def __str__(self) -> str:
        return f"{self.verdict}  {self.subject:<13} {self.result}"


async def doctor(config: Config, warnings: Sequence[str], write: Print) -> int:
    """Print the result of each check; return 1 if a check fails, else 0."""
    checks = [*_check_installation(config, warnings)]
    if all(check.verdict != "FAIL" for check in checks):
        checks.append(await _check_page(config))
    for check in checks:
        write(str(check))
    return int(any(check.verdict == "FAIL" for check in checks))


def _check_installation(config: Config, warnings: Sequence[str]) -> Iterator[Check]:
    python = platform.python_version()
    yield Check("PASS", "charlotte", f"{__version__} on Python {python}")
    for warning in warnings:
        yield Check("WARN", "settings", warning)
    settings = session_settings(config)
    yield Check("PASS", "roots", ", ".join(map(str, settings.roots)))
    if problem := not_creatable(settings.output_path):
        yield Check("FAIL", "output", problem)
    else:
        yield Check("PASS", "output", str(config.output_dir or settings.output_path.parent))
    if config.cdp_endpoint:
        yield Check("PASS", "browser", f"running at {config.cdp_endpoint}")
        yield Check("PASS", "sandbox", config.sandbox)
        return
    try:
        executable = find_executable(config.chromium, windows=config.has_windows)
        yield Check("PASS", "browser", executable)
    except CharlotteError as error:
        yield Check("FAIL", "browser", error.message)
    if wants_sandbox(config.sandbox, root=os.geteuid() == 0):
        yield Check("PASS", "sandbox", config.sandbox)
    else:
        reason = "disabled by the setting" if config.sandbox == "off" else "root cannot use it"
        yield Check("WARN", "sandbox", f"off: {reason}")
    limit = descriptors()
    problem = too_few_descriptors(limit)
    result = problem or ("unlimited" if limit < 0 else f"at most {limit} open files")
    yield Check("WARN" if problem else "PASS", "descriptors", result)


async def _check_page(config: Config) -> Check:
    """Start the browser, open a page and read it."""
    began = trio.current_time()
    async with open_charlotte(config) as charlotte, charlotte.open_session() as session:
        try:
            page = await session.navigate(_PAGE)
            agent = await session.call("evaluate", {"expression": "navigator.userAgent"})
        except CharlotteError as error:
            return Check("FAIL", "page", error.message)
    name = str(agent.value.value).rpartition(") ")[2]
    verdict: Verdict = "PASS" if page.title == "Well" else "FAIL"
    return Check(verdict, "page", f"read after {trio.current_time() - began:.1f} s with {name}")


@asynccontextmanager
async def print_status_on_signal(
    status: Callable[[], Status], hidden: Callable[[str], str]
) -> AsyncGenerator[None]:
    """Write the status at every SIGUSR1 during the block, redacted by ``hidden``."""
    with trio.open_signal_receiver(signal.SIGUSR1) as signals:

        async def write() -> None:
            async for _ in signals:
                sys.stderr.write(f"{hidden(format_status(status()))}\n")
                sys.stderr.flush()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(write)
            yield
            nursery.cancel_scope.cancel("closed")


def format_status(status: Status) -> str:
    """Format the process, the browser, the actors, and dropped entries, one line each."""
    process, browser = status["process"], status["browser"]
    resident = process["resident"]
    memory = "unknown" if resident is None else f"{resident / _MIB:.1f} MiB"
    connection = "not connected"
    if browser["connected"]:
        connection = (
            f"CDP sessions {browser['cdp_sessions']}, "
            f"subscriptions {browser['subscriptions']}, commands {browser['commands']}"
        )
    counts = (
        f"memory {memory}, files {process['files']}, tasks {process['tasks']}, "
        f"sessions {len(status['sessions'])}"
    )
    lines = [f"charlotte {process['pid']}: {counts}", f"browser: {connection}"]
    lines += map(_format_actor, status["actors"])
    lines += [
        f"  {session['id']} {tab['id']}: {count} {monitor} entries dropped"
        for session in status["sessions"]
        for tab in session["tabs"]
        for monitor, count in tab["dropped"].items()
        if count
    ]
    return "\n".join(lines)


def _format_actor(actor: Status) -> str:
    line = f"  {actor['name']}: {actor['phase']}"
    if "reason" in actor:
        return f"{line}, {actor['reason'][:_LONGEST_REASON]!r}"
    if "for" not in actor:
        return line
    line += f" for {actor['for']:.1f} s, mailbox {actor['queued']}/{actor['capacity']}"
    if actor["restarts"]:
        line += f", restarts {actor['restarts']}"
    if "doing" in actor:
        line += f", doing {', '.join(actor['doing'])} for {actor['doing_for']:.1f} s"
    return line
