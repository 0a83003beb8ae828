"""MCP client of the tests and benchmarks: JSON-RPC over the stdin and stdout of a process."""

import itertools
import json
from collections import deque
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from subprocess import PIPE
from typing import Any, Final, cast

import attrs
import trio

Message = dict[str, Any]
_Slot = trio.MemorySendChannel[Message]

_KEPT: Final = 100
_PATIENCE: Final = 2.0
"""Seconds for a server to end by itself, and again before it is killed."""


class RequestFailed(Exception):
    """JSON-RPC error of the server, or the end of the server before its answer."""


@attrs.define(eq=False)
class Client:
    """A connected client, whose requests may run concurrently.

    ``pid`` is the server's process; ``notifications`` holds the newest 100.
    """

    pid: int
    _outgoing: trio.MemorySendChannel[bytes]
    notifications: deque[Message] = attrs.field(factory=lambda: deque(maxlen=_KEPT), init=False)
    _waiting: dict[int, _Slot] = attrs.field(factory=dict[int, _Slot], init=False)
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1), init=False)

    async def initialize(self, version: str = "2025-11-25") -> Message:
        """Send the handshake; return the server's answer."""
        info = {"name": "charlotte-tests", "version": "1"}
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": info}
        answer = await self.request("initialize", params)
        await self._outgoing.send(_line("notifications/initialized"))
        return answer

    async def call(self, tool: str, /, **arguments: Any) -> Message:
        """Call a tool; returns its CallToolResult, which may be an error (``isError``)."""
        return await self.request("tools/call", {"name": tool, "arguments": arguments})

    async def request(self, method: str, params: Message | None = None) -> Message:
        """Return the result or raise `RequestFailed`; cancelling the caller cancels the request."""
        number = next(self._numbers)
        self._waiting[number], answer = trio.open_memory_channel[Message](1)
        try:
            await self._outgoing.send(_line(method, params, id=number))
            return _result(await answer.receive())
        except (trio.EndOfChannel, trio.ClosedResourceError):
            raise RequestFailed(f"The server ended without answering {method}.") from None
        except trio.Cancelled:
            with suppress(trio.WouldBlock, trio.ClosedResourceError):
                self._outgoing.send_nowait(_line("notifications/cancelled", {"requestId": number}))
            raise
        finally:
            self._waiting.pop(number, None)

    async def listen(self, stdout: trio.abc.ReceiveStream) -> None:
        """Receive messages until the server closes stdout, then end all waiting requests."""
        line = bytearray()
        async for chunk in stdout:
            *ends, rest = chunk.split(b"\n")
            for end in ends:
                self._take(json.loads(line + end))
                line.clear()
            line += rest
        self._outgoing.close()
        for waiting in self._waiting.values():
            waiting.close()

    def _take(self, message: Message) -> None:
        if "method" in message:
            self.notifications.append(message)
        elif waiting := self._waiting.pop(message["id"], None):
            waiting.send_nowait(message)


def _line(method: str, params: Message | None = None, **head: int) -> bytes:
    message = {"jsonrpc": "2.0", **head, "method": method, "params": params or {}}
    return json.dumps(message).encode() + b"\n"


def _result(answer: Message) -> Message:
    if error := answer.get("error"):
        raise RequestFailed(f"{error['message']} ({error['code']})")
    return cast("Message", answer["result"])


@asynccontextmanager
async def open_client(
    command: Sequence[str], *, env: Mapping[str, str] | None = None, stderr: int | None = None
) -> AsyncGenerator[Client]:
    """Start a server and connect to it; at the end, the server has two seconds to exit.

    Its log goes to our stderr, or to ``stderr`` (`subprocess.DEVNULL` or a descriptor).
    """
    process = await trio.lowlevel.open_process(
        command, stdin=PIPE, stdout=PIPE, stderr=stderr, env=env
    )
    pipes = cast("trio.StapledStream[trio.abc.SendStream, trio.abc.ReceiveStream]", process.stdio)
    outgoing, lines = trio.open_memory_channel[bytes](_KEPT)
    client = Client(process.pid, outgoing)
    async with pipes, trio.open_nursery() as nursery:
        nursery.start_soon(_write, lines, pipes.send_stream)
        nursery.start_soon(client.listen, pipes.receive_stream)
        try:
            yield client
        finally:
            with trio.move_on_after(10 * _PATIENCE, shield=True):
                await trio.aclose_forcefully(pipes.send_stream)
                await _end(process)
        nursery.cancel_scope.cancel("the server has ended")


async def _write(lines: trio.MemoryReceiveChannel[bytes], stdin: trio.abc.SendStream) -> None:
    async for line in lines:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await stdin.send_all(line)


async def _end(process: trio.Process) -> None:
    for insist in (process.terminate, process.kill):
        with trio.move_on_after(_PATIENCE):
            await process.wait()
            return
        insist()
    await process.wait()
