"""``charlotte serve --join NAME``: MCP on stdio for a session of the background server."""

import os
import secrets
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import attrs
import trio

from charlotte.answers.answer import Answer
from charlotte.api.joined import JoinedSession
from charlotte.base.blocks import closing
from charlotte.base.errors import CharlotteError
from charlotte.base.saved_files import FileContents, FileEntry
from charlotte.tools.schema.tool import ListedTool
from charlotte.tools.toolkit import ToolListeners


@attrs.define(eq=False)
class JoinedStdioSession(ToolListeners, JoinedSession):
    """A session that an MCP client holds open between its calls.

    The next call after the end of the session or of its server opens it again.
    """

    nursery: trio.Nursery = attrs.field(kw_only=True)
    may_ask: bool = attrs.field(default=False, init=False)
    """Questions of a policy go to the dashboard."""
    _tools: Sequence[ListedTool] = ()
    _is_held: bool = False
    _opening: trio.Lock = attrs.field(factory=trio.Lock)

    async def open(self) -> None:
        """Hold the session open; raises `CharlotteError` if that is not possible."""
        async with self._opening:
            if not self._is_held:
                await self.nursery.start(self._hold)

    async def _hold(self, *, task_status: trio.TaskStatus[None]) -> None:
        async with closing(await self._connect("join")) as stream:
            self._tools, self._is_held = await self._ask("listed"), True
            task_status.started()
            with suppress(trio.BrokenResourceError, CharlotteError):
                async for _ in stream:
                    self._tools = await self._ask("listed")
                    self._notify()
        self._is_held = False

    def listed(self) -> Sequence[ListedTool]:
        """Return the tools that are enabled now."""
        return self._tools

    async def answer(self, name: str, arguments: dict[str, Any], *_: object) -> Answer:
        """Run a tool, without reports of its progress."""
        await self.open()
        return await self.call(name, arguments)

    async def read_status(self) -> Mapping[str, Any]:
        """Return the status of the server, with this session's tabs."""
        status: Mapping[str, Any] = await self._ask("read_status")
        return status

    async def list_files(self) -> Sequence[FileEntry]:
        """Return the newest saved files."""
        files: Sequence[FileEntry] = await self._ask("list_files")
        return files

    async def read_file(self, address: str) -> FileContents:
        """Return a saved file; raises `InvalidArgument`."""
        contents: FileContents = await self._ask("read_file", address)
        return contents

    def use_roots(self, _: Sequence[Path]) -> None:
        """Do nothing: the client uses the files in its working directory, as a shell does."""


@asynccontextmanager
async def open_joined(name: str, settings: Mapping[str, Any]) -> AsyncGenerator[JoinedStdioSession]:
    """Hold a session open during the block."""
    identity = f"mcp-{os.getpid()}-{secrets.token_hex(4)}"
    async with trio.open_nursery() as nursery:
        session = JoinedStdioSession(name, identity, settings, nursery=nursery)
        await session.open()
        yield session
        nursery.cancel_scope.cancel("the client is done")
