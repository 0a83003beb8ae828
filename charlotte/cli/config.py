"""``charlotte config`` and ``skill``: the block of an MCP client, and the skill for a shell."""

import os
import shutil
import sys
from argparse import Namespace
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from charlotte.browser.process.executables import System
from charlotte.cli import frameworks
from charlotte.cli.clients import BY_NAME, CLIENTS, NAME, TOKEN, Launch
from charlotte.cli.parser import ANSWERED, MISUSED, Invocation
from charlotte.config.setting import nearest

_SKILL = "SKILL.md"
_DISTRIBUTION = "charlotte-mcp"
_PROGRAMS = {"charlotte", _DISTRIBUTION}


async def run(invocation: Invocation) -> int:
    """List the clients, or print the block or the skill of one and the path of its file."""
    arguments, write = invocation.arguments, invocation.write
    if arguments.command == "skill":
        write(read_skill().rstrip("\n"))
        return ANSWERED
    if not (arguments.client or arguments.http or arguments.skill):
        write("\n".join(list_clients(System(), Path.cwd())))
        return ANSWERED
    if problem := _find_problem(arguments):
        write(problem)
        return MISUSED
    if framework := frameworks.BY_NAME.get(arguments.client):
        _note(
            f"{framework.title}: lines for a program; start the server with charlotte serve --http"
        )
        write(framework.lines(arguments.http).rstrip("\n"))
        return ANSWERED
    client = BY_NAME[arguments.client]
    if arguments.skill:
        _note(f"{client.title}: {System().home / client.skills / NAME / _SKILL}")
        write(read_skill().rstrip("\n"))
        return ANSWERED
    url = arguments.http
    if client.name == "http" and url is None:
        url = frameworks.DEFAULT_URL
    _note(f"{client.title}: {client.path(System(), Path.cwd()) or client.where}")
    write(client.block(Launch([*own_command(), *arguments.flags], url)).rstrip("\n"))
    if url is not None:
        _note(f"Set {TOKEN} on the server, and use its value as the token of the client.")
    return ANSWERED


def read_skill() -> str:
    """Return the skill: Markdown with its name and description in front."""
    return files("charlotte.cli").joinpath(_SKILL).read_text(encoding="utf-8")


def _note(text: str) -> None:
    """Write a line that is not part of the block."""
    print(f"# {text}", file=sys.stderr)  # noqa: T201


def _find_problem(arguments: Namespace) -> str | None:
    """Return why there is no block for these arguments, None if there is one."""
    if arguments.client is None:
        return "Name a client. 'charlotte config' lists them."
    if arguments.client in frameworks.BY_NAME:
        if arguments.skill or arguments.flags:
            return "A program connects to a running server: only --http URL is for it."
        return None
    client = BY_NAME.get(arguments.client)
    if client is None:
        near = nearest(arguments.client, [*BY_NAME, *frameworks.BY_NAME])
        return f"Unknown client {arguments.client!r}{near}. 'charlotte config' lists the clients."
    address, flags, skill = arguments.http, arguments.flags, arguments.skill
    url = urlsplit(address or "http://localhost")
    is_url = url.scheme in {"http", "https"} and url.hostname
    readers = ", ".join(each.name for each in CLIENTS if each.skills)
    problems = {
        f"--skill is for {readers}, got {client.name}. 'charlotte skill' prints the skill.": (
            skill and not client.skills
        ),
        "--skill takes neither --http nor flags of the server.": skill and (address or flags),
        f"--http must be a URL such as {frameworks.DEFAULT_URL}, got {address!r}.": not is_url,
        "With --http, the flags are those of the running server: leave them out here.": (
            address and flags
        ),
        f"The file of {client.title} can name only servers that it starts itself. "
        f"{client.remote}": address and client.remote,
    }
    return next((problem for problem, is_one in problems.items() if is_one), None)


def list_clients(system: System, directory: Path) -> Iterator[str]:
    """Return a line for each client: its name, and the file of its configuration."""
    width = max(len(client.name) for client in CLIENTS)
    for client in CLIENTS:
        place = client.path(system, directory) or client.where
        yield f"{client.name:<{width}}  {place}{' (--skill)' if client.skills else ''}"
    for framework in frameworks.FRAMEWORKS:
        yield f"{framework.name:<{width}}  lines for a program"
    yield "\n'charlotte config CLIENT' prints the block to paste."


def own_command(program: str | None = None) -> list[str]:
    """Return the command that starts this Charlotte from anywhere.

    Environments of ``uvx`` and ``pipx run`` are temporary, so their command is returned instead.
    """
    path = Path(os.path.abspath(program or sys.argv[0]))  # noqa: PTH100 - removes ".." and keeps links
    parts = path.parts
    for tool, words in (("uv", ["uvx"]), ("pipx", ["pipx", "run"])):
        if tool in parts and ({"archive-v0", "environments-v2", ".cache"} & {*parts}):
            return [shutil.which(words[0]) or words[0], *words[1:], _DISTRIBUTION]
    if path.name in _PROGRAMS and path.exists():
        return [str(path)]
    return [sys.executable, "-m", NAME]
