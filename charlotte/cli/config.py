"""``charlotte config``: the configuration of MCP clients, printed or written into their files."""

import json
import os
import re
import shutil
import sys
import tempfile
import tomllib
from argparse import Namespace
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from charlotte.browser.executables import System
from charlotte.cli.clients import BY_NAME, CLIENTS, NAME, PLACEHOLDER, TOKEN, Client, Launch
from charlotte.cli.invocation import ANSWERED, FAILED, MISUSED, Invocation
from charlotte.cli.skill import InstalledSkill, read_skill
from charlotte.errors import InvalidArgument, StorageFailed
from charlotte.setting import nearest

_DISTRIBUTION = "charlotte-mcp"
_PROGRAMS = {"charlotte", _DISTRIBUTION}


async def run(invocation: Invocation) -> int:
    """List the clients, print the block of one, write it, or remove it."""
    arguments, write = invocation.arguments, invocation.write
    chosen = (arguments.write, arguments.undo, arguments.http, arguments.skill)
    if not (arguments.client or any(chosen)):
        write("\n".join(list_clients(System(), Path.cwd())))
        return ANSWERED
    if problem := _find_problem(arguments):
        write(problem)
        return MISUSED
    client = BY_NAME[arguments.client]
    if arguments.skill:
        return _handle_skill(client, invocation)
    url = arguments.http
    if client.name == "http" and url is None:
        url = "http://127.0.0.1:3737/mcp"
    launch = Launch([*own_command(), *arguments.flags], url)
    path = client.path(System(), Path.cwd())
    try:
        if arguments.undo:
            write(remove(client, path))
        elif arguments.write:
            write(insert(client, path, launch, force=arguments.force))
        else:
            place = path or client.where
            print(f"# {client.title}: {place}", file=sys.stderr)  # noqa: T201 - not part of the block
            write(client.block(launch).rstrip("\n"))
    except (InvalidArgument, StorageFailed) as error:
        block = f" {error.suggestion}\n\n{client.block(launch)}".rstrip("\n")
        write(error.message + ("" if arguments.undo else block))
        return FAILED
    if url is not None and not arguments.undo:
        text = f"# Set {TOKEN} on the server, and use its value as the token of the client."
        print(text, file=sys.stderr)  # noqa: T201 - not part of the block
    return ANSWERED


def _handle_skill(client: Client, invocation: Invocation) -> int:
    """Print, write or remove the skill of a client; return the exit code."""
    arguments, write = invocation.arguments, invocation.write
    skill = InstalledSkill(System().home / client.skills / NAME)
    try:
        if arguments.undo:
            write(skill.remove())
        elif arguments.write:
            undo = f"'charlotte config {client.name} --skill --undo' removes it."
            write(f"{skill.insert(force=arguments.force)} {undo}")
        else:
            print(f"# {client.title}: {skill.path}", file=sys.stderr)  # noqa: T201 - not part of it
            write(read_skill().rstrip("\n"))
    except (InvalidArgument, StorageFailed) as error:
        write(" ".join(filter(None, (error.message, error.suggestion))))
        return FAILED
    return ANSWERED


def _find_problem(arguments: Namespace) -> str | None:
    """Return why there is no block for these arguments, None if there is one."""
    if arguments.client is None:
        return "Name a client. 'charlotte config' lists them."
    client = BY_NAME.get(arguments.client)
    if client is None:
        near = nearest(arguments.client, list(BY_NAME))
        return f"Unknown client {arguments.client!r}{near}. 'charlotte config' lists the clients."
    return _find_problem_of_skill(client, arguments) or _find_problem_of_url(client, arguments)


def _find_problem_of_skill(client: Client, arguments: Namespace) -> str | None:
    if arguments.skill and not client.skills:
        names = ", ".join(each.name for each in CLIENTS if each.skills)
        return f"--skill is for {names}, got {client.name}. 'charlotte skill' prints the skill."
    if arguments.skill and (arguments.http or arguments.flags):
        return "--skill takes neither --http nor flags of the server."
    return None


def _find_problem_of_url(client: Client, arguments: Namespace) -> str | None:
    url = urlsplit(arguments.http or "http://localhost")
    if url.scheme not in {"http", "https"} or not url.hostname:
        return f"--http must be a URL such as http://127.0.0.1:3737/mcp, got {arguments.http!r}."
    if arguments.http and arguments.flags:
        return "With --http, the flags are those of the running server: leave them out here."
    if arguments.http and not client.reads_http:
        own = "can name only servers that it starts itself."
        return f"The file of {client.title} {own} {client.remote}"
    return None


def list_clients(system: System, directory: Path) -> Iterator[str]:
    """Return a line for each client: its name, and the file of its configuration."""
    width = max(len(client.name) for client in CLIENTS)
    for client in CLIENTS:
        place = client.path(system, directory) or client.where
        marks = ["--write"] * client.can_write + ["--skill"] * bool(client.skills)
        note = f" ({', '.join(marks)})" if marks else ""
        yield f"{client.name:<{width}}  {place}{note}"
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


def insert(client: Client, path: Path | None, launch: Launch, *, force: bool) -> str:
    """Add Charlotte to the file of a client; return a sentence about it.

    Raises `InvalidArgument` if the file cannot be changed without loss, or has another entry.
    """
    path = _writable(client, path)
    entry = client.entry(launch)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    present = _entry(client, path, text)
    if present == entry:
        return f"{path} already has this entry."
    if present is not None and not force:
        raise InvalidArgument(
            f"{path} has another entry named {NAME}; nothing was written.",
            "Pass --force to replace it, or edit the file yourself. The block is:",
        )
    changed = _with_entry(client, text, launch)
    _check(client, path, text, changed, entry)
    _replace(path, changed)
    undo = f"'charlotte config {client.name} --undo'"
    token = f" Replace {PLACEHOLDER!r} in it." if PLACEHOLDER in changed else ""
    return f"Written to {path}.{token} Restart {client.title}; {undo} removes the entry."


def remove(client: Client, path: Path | None) -> str:
    """Remove Charlotte from the file of a client; return a sentence about it."""
    path = _writable(client, path)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if _entry(client, path, text) is None:
        return f"{path} has no entry named {NAME}."
    changed = _with_entry(client, text, None)
    _check(client, path, text, changed, None)
    _replace(path, changed)
    return f"Removed from {path}."


def _writable(client: Client, path: Path | None) -> Path:
    if path is None or not client.can_write:
        names = ", ".join(each.name for each in CLIENTS if each.can_write)
        raise InvalidArgument(
            f"--write and --undo are for {names}, got {client.name}.", "Paste this block yourself:"
        )
    return path


def _entry(client: Client, path: Path, text: str) -> object:
    """Return the present entry, None without one. Raises `InvalidArgument` for an unusual file."""
    try:
        return _split(client, text)[1]
    except ValueError:
        kind = "TOML" if client.format == "toml" else "JSON without comments"
        raise InvalidArgument(
            f"{path} is not {kind}, or its entries have another form; nothing was written.",
            "Paste this block yourself:",
        ) from None


def _split(client: Client, text: str) -> tuple[object, object]:
    """Return the content of a file without the entry of Charlotte, and that entry.

    Raises ``ValueError`` for an invalid file, and for a key that is given twice.
    """
    content: Any = (
        tomllib.loads(text)
        if client.format == "toml"
        else json.loads(text or "{}", object_pairs_hook=_unique)
    )
    servers = content
    try:
        for key in client.keys:
            servers = servers.setdefault(key, {})
        return content, servers.pop(NAME, None)
    except (AttributeError, TypeError) as error:
        raise ValueError("the entries are not in an object") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(content := dict(pairs)) < len(pairs):
        raise ValueError("a key is given twice")
    return content


def _check(client: Client, path: Path, text: str, changed: str, entry: object) -> None:
    """Raise `InvalidArgument` if a change affects more than Charlotte's entry."""
    with suppress(ValueError):
        if _split(client, changed) == (_split(client, text)[0], entry):
            return
    raise InvalidArgument(
        f"{path} cannot be changed without changing other parts; nothing was written.",
        "Edit this block yourself:",
    )


def _with_entry(client: Client, text: str, launch: Launch | None) -> str:
    """Return the text of a file with another entry and no other change."""
    if client.format == "toml":
        return _toml_with_entry(client, text, launch)
    content: Any = json.loads(text or "{}")
    servers = content
    for key in client.keys:
        servers = servers.setdefault(key, {})
    if launch is None:
        del servers[NAME]
        if not servers and len(client.keys) == 1:
            del content[client.keys[0]]
    else:
        servers[NAME] = client.entry(launch)
    indent = re.search(r"^[ \t]+", text, re.MULTILINE)
    written = json.dumps(content, indent=indent[0] if indent else 2, ensure_ascii=False)
    return written + ("\n" if text.endswith("\n") or not text else "")


def _toml_with_entry(client: Client, text: str, launch: Launch | None) -> str:
    """Replace the table of Charlotte, which ends at the next table, or append it."""
    head = re.escape(".".join([*client.keys, NAME]))
    table = re.compile(rf"\n?^\[{head}(?:\..*)?\][^\n]*\n(?:(?!\[).*(?:\n|\Z))*", re.MULTILINE)
    rest = table.sub("", text)
    if launch is None:
        return rest
    separator = "\n" if rest and rest.endswith("\n") else "\n\n" if rest else ""
    return rest + separator + client.block(launch)


def _replace(path: Path, text: str) -> None:
    """Replace a file as a whole, with its mode. Raises `StorageFailed`."""
    try:
        path = path.resolve()  # a link to the file stays
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".charlotte-")
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).chmod(mode)
        Path(name).replace(path)
    except OSError as error:
        raise StorageFailed(f"{path} cannot be written: {error.strerror}.") from error
