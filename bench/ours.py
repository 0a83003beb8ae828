"""Our side: the real server in its own process, over stdio."""

import json
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Final

import attrs

from tests.stdio_client import Client, open_client

_COMMAND: Final = (sys.executable, "-m", "charlotte", "--log-level", "error")


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
        """Call a tool, return its text. Raises `CallFailed`."""
        result = await self._client.call(tool, **arguments)
        text: str = result["content"][0]["text"]
        if result.get("isError"):
            raise CallFailed(f"{tool}: {text}")
        return text


@asynccontextmanager
async def open_server() -> AsyncGenerator[Server]:
    """Start ``charlotte``; end it and its browser afterwards."""
    async with open_client(_COMMAND) as client:
        yield Server(client)
