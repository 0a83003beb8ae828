"""``charlotte serve --join NAME``: pass MCP on stdio to a session of the background server.

Each message is a POST to the server's ``/mcp``; each message in a response is a line on stdout. If
the server ends, running requests get an error, and the next one starts a server: the handshake is
repeated there for the client.
"""

import json
import os
import sys
from base64 import b64encode
from collections.abc import AsyncGenerator, AsyncIterable, Mapping
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

import attrs
import httpx2
import trio

from charlotte.errors import CharlotteError, ConnectionLost
from charlotte.joined import CHECK, LOST, new_identity, open_stream, refusal
from charlotte.shell.place import SOCKET, directory
from charlotte.tools.remarks import write_error

_DRAIN = 0.5
"""Seconds for running requests after the client has closed stdin."""
_URL = "http://localhost/mcp"
_SERVER_ERROR = -32000
_VERSION, _CONNECTION = "mcp-protocol-version", "mcp-session-id"
_META_VERSION = "io.modelcontextprotocol/protocolVersion"
_NAMES = {"tools/call": "name", "resources/read": "uri"}

Message = dict[str, Any]


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
class _Server:
    """A server that holds the session open; ``headers`` are those of the MCP connection."""

    http: httpx2.AsyncClient
    headers: dict[str, str] = attrs.field(factory=dict[str, str])


@attrs.define(eq=False)
class _Relay:
    """The way from a client to the server; ``_running`` has the requests by id."""

    _session: str
    _settings: Mapping[str, Any]
    _client: trio.abc.SendStream
    _nursery: trio.Nursery
    _identity: str = attrs.field(factory=lambda: new_identity("mcp"))
    _server: _Server | None = None
    _handshake: list[bytes] = attrs.field(factory=list[bytes])
    _running: dict[Any, trio.CancelScope] = attrs.field(factory=dict[Any, trio.CancelScope])
    _connecting: trio.Lock = attrs.field(factory=trio.Lock)
    _writing: trio.Lock = attrs.field(factory=trio.Lock)

    async def run(self, incoming: trio.abc.ReceiveStream) -> None:
        """Pass the client's messages on until they end, then wait for the last answers."""
        async with aclosing(_lines(incoming)) as lines, trio.open_nursery() as requests:
            async for line in lines:
                message = _parse(line)
                method = message.get("method")
                if method is None or not isinstance(message.get("id"), int | str):
                    await self._notify(line, message)
                elif method == "initialize":
                    await self._request(line, message)
                else:
                    requests.start_soon(self._request, line, message)
                if method == "initialize":
                    self._handshake = [line]
                elif method == "notifications/initialized":
                    self._handshake.append(line)
            requests.cancel_scope.deadline = trio.current_time() + _DRAIN

    async def _notify(self, line: bytes, message: Message) -> None:
        """Send a notification or an answer; a cancelled request has no answer any more."""
        with suppress(CharlotteError):
            await self._send(line, message)
        if message.get("method") == "notifications/cancelled":
            number = _object(message.get("params")).get("requestId")
            if isinstance(number, int | str) and (scope := self._running.get(number)):
                scope.cancel("cancelled by the client")

    async def _request(self, line: bytes, message: Message) -> None:
        """Send a request and write its answer, or an error if the server ends before it."""
        number = message["id"]
        with trio.CancelScope() as self._running[number]:
            try:
                if not await self._send(line, message):
                    raise ConnectionLost(LOST, CHECK)
            except CharlotteError as error:
                await self._fail(message, error)
        self._running.pop(number, None)

    async def _send(self, line: bytes, message: Message) -> bool:
        """Send a message and write what it returns; return whether that has its answer.

        Raises `CharlotteError` if the server cannot be used, or ends meanwhile.
        """
        try:
            return await self._post(await self._connect(), line, message)
        except httpx2.TransportError:
            raise ConnectionLost(LOST, CHECK) from None

    async def _connect(self) -> _Server:
        """Return the server, which is started if necessary, with the handshake of the client."""
        async with self._connecting:
            if self._server is not None:
                return self._server
            opened = await open_stream(
                "join", self._session, self._identity, settings=self._settings
            )
            head = bytes(await opened.receive_some())
            if not head.startswith(b"HTTP/1.1 200"):
                async for part in opened:
                    head += part
                raise refusal(head.partition(b"\r\n\r\n")[2])
            server = self._server = self._open_http()
            self._nursery.start_soon(self._hold, server, opened)
            for line in self._handshake:
                await self._post(server, line, _parse(line), is_repeated=True)
            return server

    def _open_http(self) -> _Server:
        transport = httpx2.AsyncHTTPTransport(uds=f"{directory()}/{SOCKET}")
        headers = {
            "accept": "application/json, text/event-stream",
            "content-type": "application/json",
            "charlotte-session": quote(self._session),
            "charlotte-client": quote(self._identity),
            "charlotte-directory": quote(str(Path.cwd())),
        }
        limits = httpx2.Limits(max_connections=None)
        return _Server(
            httpx2.AsyncClient(transport=transport, headers=headers, timeout=None, limits=limits)
        )

    async def _hold(self, server: _Server, opened: trio.SocketStream) -> None:
        """Hold the session open; after the end of both, the next request connects again."""
        async with opened:
            with suppress(trio.BrokenResourceError):
                async for _ in opened:
                    pass
        if self._server is server:
            self._server = None
        await server.http.aclose()

    async def _post(
        self, server: _Server, line: bytes, message: Message, *, is_repeated: bool = False
    ) -> bool:
        """Send a message; write what it returns, unless it is repeated. See `_send`."""
        number, has_answer = message.get("id"), False
        headers = server.headers | _headers_of(message)
        async with server.http.stream("POST", _URL, content=line, headers=headers) as response:
            async for text in _messages(response):
                returned = _parse(text)
                is_answer = "method" not in returned and number is not None
                has_answer = has_answer or is_answer
                if message.get("method") == "initialize" and "result" in returned:
                    server.headers[_VERSION] = returned["result"]["protocolVersion"]
                    server.headers[_CONNECTION] = response.headers.get(_CONNECTION, "")
                if not is_repeated:
                    is_unnamed = is_answer and returned.get("id") is None  # an error of HTTP
                    named = json.dumps(returned | {"id": number}).encode()
                    await self._write(named if is_unnamed else text)
        if message.get("method") == "notifications/initialized":
            self._nursery.start_soon(self._listen, server)
        return has_answer

    async def _listen(self, server: _Server) -> None:
        """Write what the server sends on its own, until it ends."""
        with suppress(httpx2.TransportError):
            async with server.http.stream("GET", _URL, headers=server.headers) as response:
                if response.is_success:
                    async for text in _messages(response):
                        await self._write(text)

    async def _fail(self, message: Message, error: CharlotteError) -> None:
        """Answer a request with an error: a call of a tool as tools report errors."""
        sys.stderr.write(f"charlotte: error: {error.message}\n")
        body: dict[str, Any] = {"error": {"code": _SERVER_ERROR, "message": error.message}}
        if message["method"] == "tools/call":
            content = [{"type": "text", "text": write_error(error)}]
            body = {"result": {"content": content, "isError": True}}
        await self._write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **body}).encode())

    async def _write(self, text: bytes) -> None:
        async with self._writing:
            await self._client.send_all(text + b"\n")


def _headers_of(message: Message) -> dict[str, str]:
    """Return the headers of a request of protocol 2026-07-28; none for the handshake era."""
    params, method = _object(message.get("params")), str(message.get("method"))
    version = _object(params.get("_meta")).get(_META_VERSION)
    if not isinstance(version, str) or not (version + method).isascii():
        return {}
    headers = {_VERSION: version, "mcp-method": method}
    if (key := _NAMES.get(method)) and isinstance(name := params.get(key), str):
        is_plain = name.isascii() and name.isprintable() and name == name.strip()
        encoded = f"=?base64?{b64encode(name.encode(errors='replace')).decode()}?="
        headers["mcp-name"] = name if is_plain else encoded
    return headers


async def _messages(response: httpx2.Response) -> AsyncGenerator[bytes]:
    """Yield the messages of a response: one in JSON, or those of an event stream."""
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        async for line in _lines(response.aiter_bytes()):
            if line.startswith(b"data:") and (data := line[5:].strip()):
                yield data
    elif body := (await response.aread()).strip():
        yield body


def _parse(line: bytes) -> Message:
    """Return a message; an empty one for a malformed line, which the server refuses."""
    try:
        return _object(json.loads(line))
    except ValueError:
        return {}


def _object(value: object) -> Message:
    return cast("Message", value) if isinstance(value, dict) else {}


async def _lines(chunks: trio.abc.ReceiveStream | AsyncIterable[bytes]) -> AsyncGenerator[bytes]:
    """Yield the lines of a stream."""
    buffer = bytearray()
    with suppress(trio.BrokenResourceError):
        async for chunk in chunks:
            buffer += chunk
            while end := buffer.find(b"\n") + 1:
                yield bytes(buffer[:end])
                del buffer[:end]
