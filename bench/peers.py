"""Peers: other MCP servers for browsers, from npm, driven with the same work as Charlotte.

They are installed into the user's cache directory on first use. Without node or npm there are no
peers.
"""

import os
import re
import shutil
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from charlotte.browser.process.executables import find_executable
from charlotte.browser.process.launch import wants_sandbox
from tests.stdio_client import Client, open_client

CHROME_DEVTOOLS: Final = "chrome-devtools-mcp"
PLAYWRIGHT: Final = "@playwright/mcp"
VERSIONS: Final = {CHROME_DEVTOOLS: "1.11.0", PLAYWRIGHT: "0.0.83"}
_SKIP_BROWSERS: Final = {"PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1", "PUPPETEER_SKIP_DOWNLOAD": "1"}
_INSTALL: Final = ("install", "--no-package-lock", "--no-fund", "--no-audit", "--silent")
_SAVED: Final = re.compile(r"\[Snapshot\]\(([^)]+)\)")


class PeerFailed(Exception):
    """A peer answered with an error."""


class NoPeers(Exception):
    """A requirement of the peers is missing."""


@attrs.frozen
class Peer:
    """A running peer with the references of its latest snapshot."""

    name: str
    _client: Client

    async def call(self, tool: str, **arguments: Any) -> str:
        """Call a tool, return all of its text. Raises `PeerFailed`."""
        result = await self._client.call(tool, **arguments)
        text = "\n".join(block.get("text", "") for block in result["content"])
        if result.get("isError"):
            raise PeerFailed(f"{self.name}: {text[:200]}")
        return text


@attrs.frozen
class Devtools(Peer):
    """chrome-devtools-mcp, which returns the page on request."""

    async def navigate(self, url: str) -> str:
        """Load a page."""
        return await self._page("navigate_page", type="url", url=url)

    async def references(self, *names: str) -> list[str]:
        """Take a snapshot; return the references of the elements with these names."""
        text = await self._page("take_snapshot")
        return [_named(rf'uid=(\S+) \w+ "{name}"', text) for name in names]

    async def click(self, reference: str) -> str:
        """Click; the answer contains the page."""
        return await self._page("click", uid=reference, includeSnapshot=True)

    async def type(self, reference: str, text: str) -> str:
        """Fill a text in."""
        return await self._page("fill", uid=reference, value=text, includeSnapshot=True)

    async def fill(self, values: Mapping[str, str]) -> str:
        """Fill in fields, by reference."""
        elements = [{"uid": uid, "value": value} for uid, value in values.items()]
        return await self._page("fill_form", elements=elements, includeSnapshot=True)

    async def _page(self, tool: str, **arguments: Any) -> str:
        return await self.call(tool, pageId=1, **arguments)


@attrs.frozen
class Playwright(Peer):
    """Playwright MCP, which returns the name of a file with the page."""

    async def navigate(self, url: str) -> str:
        """Load a page."""
        return await self.call("browser_navigate", url=url)

    async def references(self, *names: str) -> list[str]:
        """Take a snapshot; return the references of the elements with these names."""
        text = await self.call("browser_snapshot")
        return [_named(rf'"{name}"[^\n]*?\[ref=(\w+)\]', text) for name in names]

    async def click(self, reference: str) -> str:
        """Click; add the page from the file that the answer names."""
        text = await self.call("browser_click", target=reference)
        saved = _SAVED.search(text)
        page = await trio.Path(saved[1]).read_text(encoding="utf-8") if saved else ""
        return text + page

    async def type(self, reference: str, text: str) -> str:
        """Fill a text in."""
        return await self.call("browser_type", target=reference, text=text)

    async def fill(self, values: Mapping[str, str]) -> str:
        """Fill in fields, by reference."""
        fields = [
            {"target": ref, "name": ref, "type": "textbox", "value": value}
            for ref, value in values.items()
        ]
        return await self.call("browser_fill_form", fields=fields)


AnyPeer = Devtools | Playwright


def _named(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    if found is None:
        raise PeerFailed(f"nothing matches {pattern} in {text[:200]}")
    return found[1]


async def commands(scratch: Path) -> dict[str, list[str]]:
    """Return the command of each peer, headless with an isolated profile. Raises `NoPeers`."""
    node, modules = await install(VERSIONS)
    programs = modules / ".bin"
    chromium = find_executable(None)
    sandboxed = wants_sandbox("auto", root=os.geteuid() == 0)
    devtools = [
        node, f"{programs}/{CHROME_DEVTOOLS}", "--headless", "--isolated", "--viewport", "1280x720",
        "--no-usage-statistics", "--executablePath", chromium,
        *([] if sandboxed else ["--chromeArg=--no-sandbox"]),
    ]  # fmt: skip
    playwright = [
        node, f"{programs}/playwright-mcp", "--headless", "--isolated",
        "--viewport-size", "1280x720", "--executable-path", chromium,
        "--output-dir", str(scratch), "--file-paths", "absolute",
        *([] if sandboxed else ["--no-sandbox"]),
    ]  # fmt: skip
    return {CHROME_DEVTOOLS: devtools, PLAYWRIGHT: playwright}


@asynccontextmanager
async def open_peers(scratch: Path) -> AsyncGenerator[list[AnyPeer]]:
    """Start all peers, each with its own browser. Raises `NoPeers`."""
    kinds: dict[str, Callable[[str, Client], AnyPeer]] = {
        CHROME_DEVTOOLS: Devtools,
        PLAYWRIGHT: Playwright,
    }
    async with AsyncExitStack() as stack:
        peers: list[AnyPeer] = []
        with (scratch / "peers.log").open("wb") as log:
            for name, command in (await commands(scratch)).items():
                opening = open_client(command, stderr=log.fileno())
                client = await stack.enter_async_context(opening)
                await client.initialize()
                peers.append(kinds[name](name, client))
            yield peers


async def install(packages: Mapping[str, str]) -> tuple[str, Path]:
    """Return node and the directory of modules with these versions; install them if necessary.

    Raises `NoPeers`.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise NoPeers("node and npm are not installed")
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    home = cache / "charlotte-bench" / "-".join(packages.values())
    modules = home / "node_modules"
    if not all((modules / name / "package.json").exists() for name in packages):
        home.mkdir(parents=True, exist_ok=True)
        wanted = [f"{name}@{version}" for name, version in packages.items()]
        command = [npm, *_INSTALL, "--prefix", str(home), *wanted]
        done = await trio.run_process(command, check=False, env={**os.environ, **_SKIP_BROWSERS})
        if done.returncode:
            raise NoPeers(f"npm install ended with code {done.returncode}")
    return node, modules
