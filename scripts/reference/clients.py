"""docs/guides/clients.md: the configuration of each client."""

from collections.abc import Iterator
from pathlib import Path

from charlotte.browser.process.executables import System
from charlotte.cli.clients import CLIENTS, Launch, McpClient

from .markdown import page

_INTRODUCTION = """# Clients

This page has the configuration of each MCP client. `charlotte config CLIENT` prints these blocks
with the absolute path of your installation, which also works if the client does not have your
`PATH`. Flags for the server follow after `--`:

```sh
charlotte config cursor -- --profile full
```

Restart the client after you have pasted the block.

`charlotte config CLIENT --skill` instead prints a [skill for agents with a
shell](shell.md#a-skill-for-coding-agents) and its path for Claude Code, Codex, Cursor, Gemini CLI
or opencode.

`charlotte config CLIENT --http URL` prints the block for a [server over
HTTP](http-and-containers.md). Replace the placeholder with the token of the server.

Claude Code 2.1.197, Codex 0.171.0, Gemini CLI 0.61.0 and opencode 1.18.33 call the tools of the
server from these blocks, over stdio and HTTP. The other blocks follow the published formats and
were not tried in their clients.

`required` in the block of Codex lets Codex wait for the server before it asks the model. Codex does
not start if the server does not. Without it, the first request to the model may have no tools.

## Frameworks

`charlotte config fastmcp`, `openai-agents`, `pydantic-ai` and `langchain` print lines for a program
that connects to `charlotte serve --http`. A header in them keeps one session over all calls; with
another value, the program has another session. FastMCP 4.2.3, OpenAI Agents 0.24.0, Pydantic AI
2.68.0 and langchain-mcp-adapters 0.3.2 were tried (`make test-frameworks`).

## Bundle and plugin

| for | how |
|---|---|
| Claude Desktop | open `dist/charlotte-mcp-VERSION.mcpb` of `make bundle`; it needs uv |
| Claude Code | `claude plugin marketplace add CLONE`, `claude plugin install charlotte@charlotte` |

CLONE is a clone of the repository. The plugin has the server and a skill: how an agent reads
pages in few tokens and works in several tabs.
"""
_SETTINGS = {
    "linux": ".config",
    "darwin": "Library/Application Support",
    "win32": "AppData/Roaming",
}
_STDIO = Launch(["uvx", "charlotte-mcp"])
_HTTP = Launch(url="http://127.0.0.1:3737/mcp")


def write() -> str:
    """Return the page."""
    lines = (line for client in CLIENTS for line in _describe(client))
    return page(_INTRODUCTION, *lines)


def _describe(client: McpClient) -> Iterator[str]:
    yield f"## {client.title}\n"
    yield f"In {_place(client)}:\n"
    if client.name != "http":
        yield f"```{client.format}\n{client.block(_STDIO)}```\n"
    if not client.remote:
        if client.name != "http":
            yield "Over HTTP:\n"
        yield f"```{client.format}\n{client.block(_HTTP)}```\n"
    else:
        yield f"This file is for servers that the client starts itself. {client.remote}\n"


def _place(client: McpClient) -> str:
    """Return the file of a client, also on macOS and Windows if it differs."""
    paths = {
        platform: client.path(System(home=Path("~"), settings=Path("~", settings)), Path())
        for platform, settings in _SETTINGS.items()
    }
    if paths["linux"] is None:
        return client.where
    text = f"`{paths['linux']}`"
    if paths["darwin"] != paths["linux"]:
        text += f" (macOS: `{paths['darwin']}`; Windows: `{paths['win32']}`)"
    return text
