"""``charlotte config``: blocks for clients."""

import json
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from charlotte.browser.process.executables import System
from charlotte.cli.clients import BY_NAME, CLIENTS, Launch
from charlotte.cli.config import list_clients, own_command
from tests.programs import Ran

STDIO = Launch(["uvx", "charlotte-mcp"])
HTTP = Launch(url="http://127.0.0.1:3737/mcp")
PLAIN = {"command": "uvx", "args": ["charlotte-mcp"]}
URL = HTTP.url
HEADERS = {"headers": {"Authorization": "Bearer YOUR_CHARLOTTE_AUTH_TOKEN"}}
GOLDEN: dict[str, tuple[list[str], dict[str, Any], dict[str, Any] | None]] = {
    "claude-code": (["mcpServers"], PLAIN, {"type": "http", "url": URL, **HEADERS}),
    "claude-desktop": (["mcpServers"], PLAIN, None),
    "codex": (
        ["mcp_servers"],
        {"required": True, **PLAIN},
        {"url": URL, "bearer_token_env_var": "CHARLOTTE_AUTH_TOKEN"},
    ),
    "cursor": (["mcpServers"], PLAIN, {"url": URL, **HEADERS}),
    "vscode": (
        ["servers"], {"type": "stdio", **PLAIN}, {"type": "http", "url": URL, **HEADERS},
    ),
    "gemini": (["mcpServers"], PLAIN, {"httpUrl": URL, **HEADERS}),
    "windsurf": (["mcpServers"], PLAIN, {"serverUrl": URL, **HEADERS}),
    "cline": (["mcpServers"], PLAIN, {"type": "streamableHttp", "url": URL, **HEADERS}),
    "zed": (["context_servers"], PLAIN, {"url": URL, **HEADERS}),
    "jetbrains": (["mcpServers"], PLAIN, {"url": URL, **HEADERS}),
    "opencode": (
        ["mcp"],
        {"type": "local", "command": ["uvx", "charlotte-mcp"]},
        {"type": "remote", "url": URL, **HEADERS},
    ),
    "lm-studio": (["mcpServers"], PLAIN, {"url": URL, **HEADERS}),
    "http": (["mcpServers"], PLAIN, {"type": "http", "url": URL, **HEADERS}),
}  # fmt: skip
READERS: dict[str, Any] = {"json": json.loads, "toml": tomllib.loads}


@pytest.mark.parametrize("name", GOLDEN)
def test_the_block_of_each_client_is_what_the_client_reads(name: str) -> None:
    client = BY_NAME[name]
    keys, stdio, http = GOLDEN[name]
    assert (not client.remote) == (http is not None)
    for launch, entry in ((STDIO, stdio), (HTTP, http)):
        if entry is None:
            continue
        found = READERS[client.format](client.block(launch))
        for key in keys:
            found = found[key]
        assert found == {"charlotte": entry}


def test_the_block_of_goose_is_yaml() -> None:
    assert {*BY_NAME} == {*GOLDEN, "goose"}
    assert (
        BY_NAME["goose"].block(STDIO)
        == """extensions:
  charlotte:
    enabled: true
    type: "stdio"
    name: "charlotte"
    timeout: 300
    cmd: "uvx"
    args: ["charlotte-mcp"]
"""
    )


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("claude-desktop", "settings/Claude/claude_desktop_config.json"),
        ("codex", "home/.codex/config.toml"),
        ("cursor", "home/.cursor/mcp.json"),
        ("vscode", "project/.vscode/mcp.json"),
    ],
)
def test_files_of_clients_are_in_home_project_or_settings(
    name: str, place: str, tmp_path: Path
) -> None:
    system = System(home=tmp_path / "home", settings=tmp_path / "settings")
    assert BY_NAME[name].path(system, tmp_path / "project") == tmp_path / place


def test_every_client_is_listed_with_its_place(tmp_path: Path) -> None:
    system = System(platform="linux", environment={}, home=tmp_path)
    lines = [*list_clients(system, tmp_path)]
    assert [line.split()[0] for line in lines[: len(CLIENTS)]] == [*BY_NAME]
    assert all(len(line.split()) > 1 for line in lines[: len(CLIENTS)])


def test_the_command_is_the_installed_program_or_the_tool_that_runs_it(tmp_path: Path) -> None:
    program = tmp_path / "bin/charlotte"
    program.parent.mkdir()
    program.touch()
    assert own_command(str(program)) == [str(program)]
    assert own_command("/x/charlotte/__main__.py") == [sys.executable, "-m", "charlotte"]
    uvx = own_command("/home/ada/.cache/uv/archive-v0/abc/bin/charlotte-mcp")
    assert (Path(uvx[0]).name, uvx[1:]) == ("uvx", ["charlotte-mcp"])
    pipx = own_command("/home/ada/.local/share/pipx/.cache/abc/bin/charlotte-mcp")
    assert (Path(pipx[0]).name, pipx[1:]) == ("pipx", ["run", "charlotte-mcp"])


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("cursor --http foo", "must be a URL such as http://"),
        (f"claude-desktop --http {URL}", "Settings, Connectors"),
        (f"cursor --http {URL} -- --headed", "flags are those of the running server"),
        ("--skill", "Name a client"),
        ("cursor --profile full", "follow after --, as in: -- --profile"),
        ("cursor -- --profil full", "did you mean --profile?"),
        ("cursor more", "takes no more arguments, got 'more'"),
        ("fastmcp -- --headed", "connects to a running server"),
        ("fastmpc", "did you mean fastmcp?"),
    ],
)
def test_a_mistake_is_named_and_no_block_is_printed(
    words: str, text: str, here: Callable[..., Ran]
) -> None:
    ran = here("config", *words.split())
    assert ran.code == 2
    assert text in ran.out + ran.err
    assert "mcpServers" not in ran.out


def test_the_lines_of_a_framework_have_a_session_of_their_own(here: Callable[..., Ran]) -> None:
    sessions = set[str]()
    for _ in range(2):
        lines = here("config", "openai-agents", "--http", "http://127.0.0.1:9999/mcp").out
        assert 'URL = "http://127.0.0.1:9999/mcp"' in lines
        sessions |= {line for line in lines.splitlines() if "Charlotte-Session" in line}
    assert len(sessions) == 2


def test_flags_of_the_server_follow_two_dashes(here: Callable[..., Ran]) -> None:
    ran = here("config", "cursor", "--", "--profile", "full")
    assert ran.code == 0
    entry = json.loads(ran.out)["mcpServers"]["charlotte"]
    assert entry["args"][-2:] == ["--profile", "full"]
