"""Configurations of MCP clients: the block that each client reads, and the file that it is in."""

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import attrs

from charlotte.browser.process.executables import System

NAME = "charlotte"
TOKEN = "CHARLOTTE_AUTH_TOKEN"  # noqa: S105 - the name of a variable
PLACEHOLDER = f"Bearer YOUR_{TOKEN}"
Format = Literal["json", "toml", "yaml"]


@attrs.frozen
class Launch:
    """How a client reaches Charlotte: a command with arguments, or the URL of a server."""

    command: Sequence[str] = ()
    url: str | None = None


@attrs.frozen
class McpClient:
    """A client, described in ``clients.toml``. ``keys`` lead to the entries of servers in its file.

    ``file`` is relative to ``base``; without it, the block belongs into ``where``, a dialog.
    ``remote`` says how servers over HTTP are added to a client whose file cannot name them.
    ``skills`` is the user's directory of skills, in the home directory.
    """

    name: str
    title: str
    keys: Sequence[str] = ("mcpServers",)
    where: str = ""
    base: Literal["home", "project", "settings"] = "home"
    file: str = ""
    stdio: Mapping[str, Any] = attrs.field(factory=dict[str, Any])
    http: Mapping[str, Any] = attrs.field(factory=dict[str, Any])
    url_key: str = "url"
    joined: bool = False
    format: Format = "json"
    remote: str = ""
    skills: str = ""

    def entry(self, launch: Launch) -> dict[str, Any]:
        """Return the client's entry for Charlotte."""
        if launch.url is not None:
            headers = {} if "bearer_token_env_var" in self.http else _HEADERS
            return {**self.http, self.url_key: launch.url, **headers}
        command, *arguments = launch.command
        if self.joined:
            return {**self.stdio, "command": [command, *arguments]}
        name = "cmd" if self.format == "yaml" else "command"
        return {**self.stdio, name: command, "args": arguments}

    def block(self, launch: Launch) -> str:
        """Return the block to paste."""
        entry = self.entry(launch)
        if self.format == "toml":
            # JSON's strings and lists of strings are valid TOML
            lines = [f"{name} = {json.dumps(value)}" for name, value in entry.items()]
            return "\n".join([f"[{'.'.join([*self.keys, NAME])}]", *lines]) + "\n"
        if self.format == "yaml":
            return yaml_block(self.keys, entry)
        block: dict[str, Any] = {NAME: entry}
        for key in reversed(self.keys):
            block = {key: block}
        return f"{json.dumps(block, indent=2)}\n"

    def path(self, system: System, directory: Path) -> Path | None:
        """Return the file of the client, or None if it is configured in a dialog."""
        if not self.file:
            return None
        bases = {"home": system.home, "project": directory, "settings": system.settings}
        return bases[self.base] / self.file


_HEADERS = {"headers": {"Authorization": PLACEHOLDER}}


def yaml_block(keys: Sequence[str], entry: Mapping[str, Any]) -> str:
    """Return nested YAML mappings; JSON's values are valid YAML."""
    path = [*keys, NAME]
    lines = [f"{'  ' * depth}{key}:" for depth, key in enumerate(path)]
    indent = "  " * len(path)
    lines += [f"{indent}{name}: {json.dumps(value)}" for name, value in entry.items()]
    return "\n".join(lines) + "\n"


def read_table(file: str) -> Iterator[dict[str, Any]]:
    """Return the rows of a table in a file beside this module, each with its ``name``."""
    text = files("charlotte.cli").joinpath(file).read_text(encoding="utf-8")
    return ({"name": name, **row} for name, row in tomllib.loads(text).items())


CLIENTS = tuple(McpClient(**row) for row in read_table("clients.toml"))
BY_NAME = {client.name: client for client in CLIENTS}
