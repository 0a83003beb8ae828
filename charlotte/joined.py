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

from charlotte.errors import ConnectionLost, SessionProblem
from charlotte.shell import client
from charlotte.shell.place import Unusable
from charlotte.tools.answer import Answer
from charlotte.tools.schema.tool import Tool
from charlotte.tools.toolkit import SessionMethods

if TYPE_CHECKING:
    import outcome

R = TypeVar("R")

LOST = (
    "The background server ended during the call, which may or may not have happened. The next "
    "call starts a server and restores the tabs."
)
CHECK = "Check the page before you repeat the call."


def join(name: str | None = None) -> "JoinedSession":
    """Return the session of ``charlotte do -s NAME``; by default that of the working directory."""
    return JoinedSession(name or str(Path.cwd()), new_identity("program"))


def new_identity(kind: str) -> str:
    """Return an identity for a client that is not a shell."""
    return f"{kind}-{os.getpid()}-{secrets.token_hex(4)}"


async def open_stream(kind: str, session: str, identity: str, **more: object) -> trio.SocketStream:
    """Return a connection to the server, which has accepted a request; starts the server if needed.

    Raises `SessionProblem` if the server cannot be used.
    """
    request = client.request_of(kind, session=session, **more) | {"client": identity}
    try:
        line = await trio.to_thread.run_sync(client.open_request, request, abandon_on_cancel=True)
    except Unusable as error:
        raise SessionProblem(str(error), "Follow the message, then repeat the call.") from None
    taken = socket.socket(fileno=line.detach())
    taken.settimeout(0)
    return trio.SocketStream(trio.socket.from_stdlib_socket(taken))


@attrs.define(eq=False)
class JoinedSession(SessionMethods):
    """A session of the background server; it stays open when the program ends."""

    name: str
    _identity: str

    async def run_tool(self, tool: Tool[..., R], arguments: Mapping[str, Any]) -> R:
        """Run a tool; return the value of its answer, raise its `CharlotteError`."""
        value: R = await self._ask("run", tool.name, arguments)
        return value

    async def call(self, name: str, arguments: dict[str, Any] | None = None) -> Answer:
        """Run a tool, by any spelling of its name, and return the answer for agents."""
        answer: Answer = await self._ask("call", name, arguments or {})
        return answer

    async def _ask(self, kind: str, tool: str, arguments: Mapping[str, Any]) -> Any:
        """Make a call on a connection of its own; leaving the call closes it, which cancels it."""
        request = {"tool": tool, "arguments": arguments}
        data = bytearray()
        async with await open_stream(kind, self.name, self._identity, **request) as stream:
            with suppress(trio.BrokenResourceError):
                async for part in stream:
                    data += part
        response = client.read_response(bytes(data))
        if response is None:
            raise ConnectionLost(LOST, CHECK)
        status, body = response
        if status != client.ANSWERED:
            raise refusal(body)
        result: outcome.Outcome[Any] = pickle.loads(body)  # noqa: S301 - of a server of this user
        return result.unwrap()


def refusal(body: bytes) -> SessionProblem:
    """Return the error for a request that the server has refused, with the reason in the body."""
    reason = body.decode() or "The background server has failed."
    return SessionProblem(reason, "Follow the message, then repeat the call.")
