"""Our side: the real server in its own process, over stdio."""

import json
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Final

import attrs

from tests.stdio_client import Client, open_client

COMMAND: Final = (sys.executable, "-m", "charlotte", "--log-level", "error")


class CallFailed(Exception):
    """A tool answered with an error."""


@attrs.frozen
class Server:
    """A running server, not initialized before `initialize`."""

    _client: Client

    async def initialize(self) -> str:
        """Initialize the session; return the description of the server."""
        return json.dumps(await self._client.initialize())

    async def call(self, tool: str, **arguments: Any) -> str:
        """Call a tool, return its first text. Raises `CallFailed`."""
        return (await self.texts(tool, **arguments))[0]

    async def texts(self, tool: str, **arguments: Any) -> list[str]:
        """Call a tool, return its texts. Raises `CallFailed`."""
        result = await self._client.call(tool, **arguments)
        texts = [block["text"] for block in result["content"] if block["type"] == "text"]
        if result.get("isError"):
            raise CallFailed(f"{tool}: {texts[0]}")
        return texts


@asynccontextmanager
async def open_server(*flags: str) -> AsyncGenerator[Server]:
    """Start ``charlotte``; end it and its browser afterwards."""
    async with open_client((*COMMAND, *flags)) as client:
        yield Server(client)
