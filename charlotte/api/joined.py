"""A session of the background server for trio programs, beside shells and MCP clients.

    session = charlotte.join("shop")
    page = await session.observe()

Methods, objects and errors are those of a `Session`. Each ``join`` is a client with its own
baseline. A call whose server ends raises `ConnectionLost`; the next call starts a server, which
restores the tabs.
"""

import os
import pickle
import secrets
import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import attrs
import trio

from charlotte.answers.answer import Answer
from charlotte.base.blocks import closing
from charlotte.base.errors import ConnectionLost, SessionProblem
from charlotte.shell import client
from charlotte.shell.place import Unusable
from charlotte.tools.schema.tool import Tool
from charlotte.tools.toolkit import SessionMethods

if TYPE_CHECKING:
    import outcome

R = TypeVar("R")

_LOST = (
    "The background server ended during the call, which may or may not have happened. The next "
    "call starts a server and restores the tabs."
)


def join(name: str | None = None) -> "JoinedSession":
    """Return the session of ``charlotte do -s NAME``; by default that of the working directory."""
    identity = f"program-{os.getpid()}-{secrets.token_hex(4)}"
    return JoinedSession(name or str(Path.cwd()), identity)


@attrs.define(eq=False)
class JoinedSession(SessionMethods):
    """A session of the background server; it stays open when the program ends."""

    name: str
    _identity: str
    _settings: Mapping[str, Any] = attrs.field(factory=dict[str, Any])

    async def run_tool(self, tool: Tool[..., R], arguments: Mapping[str, Any]) -> R:
        """Run a tool; return the value of its answer, raise its `CharlotteError`."""
        value: R = await self._ask("run_tool", tool.name, arguments)
        return value

    async def call(self, name: str, arguments: dict[str, Any] | None = None) -> Answer:
        """Run a tool, by any spelling of its name, and return the answer for agents."""
        answer: Answer = await self._ask("call", name, arguments or {})
        return answer

    async def _ask(self, method: str, *arguments: Any) -> Any:
        """Call a method of the session; leaving the call closes its connection, which cancels it.

        Raises the `CharlotteError` of the method, or `SessionProblem` if the server cannot be used,
        or `ConnectionLost` if it ends before it has answered.
        """
        data = bytearray()
        connecting = self._connect("call", method=method, arguments=arguments)
        async with closing(await connecting) as stream:
            with suppress(trio.BrokenResourceError):
                async for part in stream:
                    data += part
        try:
            result: outcome.Outcome[Any] = pickle.loads(data)  # noqa: S301 - of a server of this user
        except (EOFError, pickle.UnpicklingError):  # incomplete
            raise ConnectionLost(_LOST, "Check the page before you repeat the call.") from None
        return result.unwrap()

    async def _connect(self, kind: str, **more: Any) -> trio.SocketStream:
        """Return a connection on which a request was sent; starts the server if none runs.

        Raises `SessionProblem` if the server cannot be used.
        """
        request = client.request_of(kind, session=self.name, settings=self._settings, **more)
        request["client"] = self._identity
        try:
            line = await trio.to_thread.run_sync(client.send, request, abandon_on_cancel=True)
        except Unusable as error:
            raise unusable(str(error)) from None
        taken = socket.socket(fileno=line.detach())
        taken.settimeout(0)
        return trio.SocketStream(trio.socket.from_stdlib_socket(taken))


def unusable(reason: str) -> SessionProblem:
    """Return the error for programs if the server cannot be used."""
    return SessionProblem(reason, "Follow the message, then repeat the call.")
