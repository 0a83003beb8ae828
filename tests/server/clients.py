"""Clients for the server's tests: one that writes JSON-RPC lines by hand, and the SDK's own."""

import json
import math
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import attrs
import trio
from mcp import Client
from trio.testing import memory_stream_pair

from charlotte.config.config import Config
from charlotte.server.serve import serve
from charlotte.server.stdio import MAX_RUNNING, LineReader, connect
from tests.server.fake_server import CONFIG, lazy

ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}
PATIENCE = 60.0


@attrs.define(eq=False)
class RawClient:
    """Speaks lines; every wait for an answer is bounded."""

    stream: trio.abc.HalfCloseableStream
    ended_at: float = math.nan
    _lines: LineReader = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._lines = LineReader(self.stream)

    async def send(self, *messages: dict[str, Any] | bytes) -> None:
        """Send messages, or bytes as they are, in one go."""
        lines = [m if isinstance(m, bytes) else json.dumps(m).encode() for m in messages]
        with trio.fail_after(PATIENCE):
            await self.stream.send_all(b"".join(line + b"\n" for line in lines))

    async def line(self) -> bytes | None:
        """Return the next line; None when the server has closed its end."""
        with trio.fail_after(PATIENCE):
            return await self._lines.next()

    async def receive(self) -> dict[str, Any]:
        line = await self.line()
        assert line is not None, "the server has closed stdout"
        message: dict[str, Any] = json.loads(line)
        return message

    async def ask(self, request_id: int, method: str, **params: Any) -> dict[str, Any]:
        await self.send(request(request_id, method, **params))
        return await self.receive()

    async def initialize(self, version: str = "2025-11-25") -> dict[str, Any]:
        info = {"name": "test", "version": "1"}
        answer = await self.ask(
            0, "initialize", protocolVersion=version, capabilities={}, clientInfo=info
        )
        await self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer


def request(request_id: int | str, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


def call(request_id: int | str, tool: str, **arguments: Any) -> dict[str, Any]:
    """Return a tools/call request of the handshake era."""
    return request(request_id, "tools/call", name=tool, arguments=arguments)


def cancel(request_id: int | str) -> dict[str, Any]:
    params = {"requestId": request_id}
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}


def text_of(answer: dict[str, Any]) -> str:
    text: str = answer["result"]["content"][0]["text"]
    return text


@asynccontextmanager
async def open_raw(service: Any, limit: int = MAX_RUNNING) -> AsyncGenerator[RawClient]:
    """Serve in this process; ``ended_at`` of the client is trio's time when serving ended."""
    ours, theirs = memory_stream_pair()
    client = RawClient(ours)

    async def run() -> None:
        await serve(lazy(service), CONFIG, *connect(theirs, theirs, limit))
        client.ended_at = trio.current_time()
        await theirs.aclose()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        yield client
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def open_client(
    service: Any, mode: str, config: Config = CONFIG, **options: Any
) -> AsyncGenerator[Client]:
    """Serve in this process, for the SDK's client; every wait of its is bounded."""
    ours, theirs = memory_stream_pair()

    @asynccontextmanager
    async def transport() -> AsyncGenerator[Any]:
        yield connect(ours, ours)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve, lazy(service), config, *connect(theirs, theirs))  # noqa: ASYNC113 - streams wait
        async with Client(
            transport(), mode=mode, read_timeout_seconds=PATIENCE, **options
        ) as client:
            yield client
        nursery.cancel_scope.cancel()
