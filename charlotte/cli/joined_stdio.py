"""``charlotte serve --join NAME``: pass MCP on stdio to a session of the background server.

If that server ends, running requests get an error, and the next one starts a server: the handshake
is repeated there for the client.
"""

import json
import os
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, cast

import attrs
import trio

from charlotte.errors import ConnectionLost, SessionProblem
from charlotte.joined import CHECK, LOST, new_identity, open_stream
from charlotte.tools.remarks import write_error

_DRAIN = 2.0
"""Seconds for the server to end after the client has."""
_CHUNK = 2**16
_SERVER_ERROR = -32000
_HANDSHAKE = {"initialize", "notifications/initialized"}


async def serve_joined(session: str, settings: Mapping[str, Any]) -> int:
    """Pass messages until stdin ends; return the exit code."""
    source, sink = os.dup(0), os.dup(1)
    os.dup2(2, 1)  # a stray print must not reach the client
    async with (
        trio.lowlevel.FdStream(source) as incoming,
        trio.lowlevel.FdStream(sink) as outgoing,
        trio.open_nursery() as nursery,
    ):
        await _Relay(session, settings, outgoing, nursery).run(incoming)
        nursery.cancel_scope.cancel("the client is done")
    return 0


@attrs.define(eq=False)
class _Relay:
    """The way from a client to the server; ``_pending`` has the running methods by request id."""

    _session: str
    _settings: Mapping[str, Any]
    _client: trio.abc.SendStream
    _nursery: trio.Nursery
    _identity: str = attrs.field(factory=lambda: new_identity("mcp"))
    _server: trio.SocketStream | None = None
    _pending: dict[Any, str] = attrs.field(factory=dict[Any, str])
    _handshake: dict[str, bytes] = attrs.field(factory=dict[str, bytes])
    _ended: trio.Event = attrs.field(factory=trio.Event)
    _writing: trio.Lock = attrs.field(factory=trio.Lock)

    async def run(self, incoming: trio.abc.ReceiveStream) -> None:
        """Pass the client's messages on until they end, then wait for the last answers."""
        async with aclosing(_lines(incoming)) as lines:
            async for line in lines:
                await self._pass_on(line)
        if self._server is not None:
            with trio.move_on_after(_DRAIN):
                await self._server.send_eof()
                await self._ended.wait()

    async def _pass_on(self, line: bytes) -> None:
        message = _parse(line)
        method, number = message.get("method"), message.get("id")
        if method is not None and number is not None:
            self._pending[number] = method
        try:
            server = self._server or await self._connect()
            await server.send_all(line)
        except SessionProblem as error:
            sys.stderr.write(f"charlotte: error: {error.message}\n")
            await self._fail(error)
        except trio.BrokenResourceError:
            return  # the other direction reports it
        if method in _HANDSHAKE:
            self._handshake[method] = line

    async def _connect(self) -> trio.SocketStream:
        server = await open_stream("mcp", self._session, self._identity, settings=self._settings)
        lines = _lines(server)
        for line in self._handshake.values():
            await server.send_all(line)
            if "id" in _parse(line):
                await anext(lines)  # the client has an answer already
        self._server, self._ended = server, trio.Event()
        self._nursery.start_soon(self._return_answers, server, lines)
        return server

    async def _return_answers(
        self, server: trio.SocketStream, lines: AsyncGenerator[bytes]
    ) -> None:
        async with server, aclosing(lines):
            async for line in lines:
                message = _parse(line)
                if "method" not in message:
                    self._pending.pop(message.get("id"), None)
                await self._write(line)
        self._server = None
        self._ended.set()
        await self._fail(ConnectionLost(LOST, CHECK))

    async def _fail(self, error: ConnectionLost | SessionProblem) -> None:
        """Answer all running requests with an error: a call of a tool as tools report errors."""
        pending, self._pending = self._pending, {}
        for number, method in pending.items():
            body: dict[str, Any] = {"error": {"code": _SERVER_ERROR, "message": error.message}}
            if method == "tools/call":
                content = [{"type": "text", "text": write_error(error)}]
                body = {"result": {"content": content, "isError": True}}
            answer = json.dumps({"jsonrpc": "2.0", "id": number, **body})
            await self._write(answer.encode() + b"\n")

    async def _write(self, line: bytes) -> None:
        async with self._writing:
            await self._client.send_all(line)


def _parse(line: bytes) -> dict[str, Any]:
    """Return a message; an empty one for a malformed line, which the server refuses."""
    try:
        message: object = json.loads(line)
    except ValueError:
        return {}
    return cast("dict[str, Any]", message) if isinstance(message, dict) else {}


async def _lines(stream: trio.abc.ReceiveStream) -> AsyncGenerator[bytes]:
    """Yield the lines of a stream with their line breaks."""
    buffer = bytearray()
    try:
        async for chunk in stream:
            buffer += chunk
            while end := buffer.find(b"\n") + 1:
                yield bytes(buffer[:end])
                del buffer[:end]
    except trio.BrokenResourceError:
        return
