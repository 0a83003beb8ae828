"""MCP's stdio transport on trio's own file descriptors: no threads, cancelled at once.

While it is open, fd 0 is empty and fd 1 is stderr, so neither a stray ``print`` nor a child process
can write to the client. Lines are written whole: cancelling a request while its answer is being
written does not truncate the line. Only the end of serving (`Writer.start_timeout`) limits how long
a client may take to read.

A client must not wait forever for the answer to a malformed request. JSON-RPC 2.0, section 5,
requires an error with the request's id, or with null if the id is not readable. MCP's own schema
does not allow null there, but the clients of the SDKs log such a message and continue. A malformed
answer is never answered, because two peers could repeat that forever.
"""

import json
import math
import os
import re
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

import anyio
import attrs
import structlog
import trio
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    PROTOCOL_VERSION_META_KEY,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from charlotte.server.sdk import as_request_id, request_message

MAX_LINE = 64 * 2**20
_CHUNK = 2**16
MAX_VALUES = 200_000
"""Limit of the values in a message: each takes about 100 bytes of memory."""

_EXCERPT = 100
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"')
MAX_RUNNING = 256
MAX_WAITING = 4096
DRAIN_TIMEOUT = 0.5
"""Seconds for running calls to finish after the client has closed stdin."""
WRITE_TIMEOUT = 0.25
"""Seconds for the remaining answers to be written when serving ends."""
UNREAD_WARNING = 10.0
"""Seconds without progress of a write, while others wait, until a warning is logged."""

log = structlog.get_logger(__name__)


class MalformedMessage(Exception):
    """A text that is not a message; ``reply`` is the error to send, None if it was an answer."""

    def __init__(
        self, reason: str, line: bytes, request_id: object = None, code: int = INVALID_REQUEST
    ) -> None:
        super().__init__(reason)
        self.excerpt = repr(bytes(line[:_EXCERPT]))
        kind = "Parse error" if code == PARSE_ERROR else "Invalid request"
        error = ErrorData(code=code, message=f"{kind}: {reason}")
        self.reply: JSONRPCError | None = JSONRPCError(
            jsonrpc="2.0", id=as_request_id(request_id), error=error
        )


def decode(line: bytes) -> JSONRPCMessage:
    """Parse one message; raises `MalformedMessage`."""
    if (most := _count_values(line)) > MAX_VALUES:
        # one by one, so that other threads run meanwhile
        most -= sum(_count_values(string[0]) for string in _STRING.finditer(line))
    if most > MAX_VALUES:
        raise MalformedMessage(f"more than {MAX_VALUES:,} values", line)
    with suppress(ValidationError):
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        if not (isinstance(message, JSONRPCNotification) and b"id" in line):
            return message
    return _decode_leniently(line)


def _count_values(line: bytes) -> int:
    """Return an upper bound of the number of values; characters of strings count, too."""
    return line.count(b",") + line.count(b"{") + line.count(b"[")


def _decode_leniently(line: bytes) -> JSONRPCMessage:
    """Parse a message with a byte order mark or a lone surrogate, which strict JSON does not allow.

    JavaScript can cut a string between two surrogates; a question mark replaces the remaining one.
    The SDK parses a request with an id of an invalid type as a notification, so its client would
    wait forever.
    """
    try:
        value = json.loads(line)
        cleaned = json.dumps(value, ensure_ascii=False).encode(errors="replace")
    except (ValueError, RecursionError):
        raise MalformedMessage("not JSON", line, code=PARSE_ERROR) from None
    try:
        message = jsonrpc_message_adapter.validate_json(cleaned, by_name=False)
    except ValidationError:
        if not isinstance(value, dict):
            problem = "must be one JSON-RPC object; MCP has no batches"
            raise MalformedMessage(problem, line) from None
        fields = cast("dict[str, object]", value)
        malformed = MalformedMessage("not a JSON-RPC 2.0 message", line, fields.get("id"))
        if "result" in fields or "error" in fields:
            malformed.reply = None
        raise malformed from None
    if isinstance(message, JSONRPCNotification) and "id" in value:
        raise MalformedMessage("the id of a request must be a string or an integer", line)
    return message


@attrs.define(eq=False)
class LineReader:
    """Cuts a stream into lines of at most ``max_line`` bytes."""

    _stream: trio.abc.ReceiveStream
    _max_line: int = MAX_LINE
    _buffer: bytearray = attrs.field(factory=bytearray)
    _dropped: int = 0

    async def next(self) -> bytes | None:
        """Return the next line that is not blank; None at the end of the stream.

        The last line needs no line break: ``printf '{…}' | charlotte`` works. Always a checkpoint.

        Raises:
            MalformedMessage: the line was too long; it was discarded.
        """
        while (line := await self._next_line()) is not None and line.isspace():
            pass
        return line

    async def _next_line(self) -> bytes | None:
        await trio.lowlevel.checkpoint()
        scanned = 0
        while not (end := self._buffer.find(b"\n", scanned) + 1):
            if self._dropped or len(self._buffer) > self._max_line:
                self._dropped += len(self._buffer)
                self._buffer.clear()
            scanned = len(self._buffer)
            chunk = b""
            with suppress(trio.BrokenResourceError):  # the terminal or the socket was closed
                chunk = bytes(await self._stream.receive_some(_CHUNK))
            if not chunk:
                if not (self._buffer or self._dropped):
                    return None
                end = scanned
                break
            self._buffer += chunk
        line = bytes(self._buffer[:end])
        del self._buffer[:end]
        if dropped := self._dropped:
            self._dropped = 0
            size = dropped + len(line)
            problem = f"a line must have at most {self._max_line} bytes, got {size}"
            raise MalformedMessage(problem, line)
        return line


def encode(message: JSONRPCMessage) -> bytes:
    """Return the message as one line; question marks replace lone surrogates."""
    try:
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
    except PydanticSerializationError:
        parts = message.model_dump(by_alias=True, exclude_unset=True)
        text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="replace") + b"\n"


@attrs.define(eq=False)
class PendingRequests:
    """The requests that were accepted but not answered; at most ``limit`` of them run.

    The others wait in their own tasks, so that cancellations behind them are read. Reading stops
    while `MAX_WAITING` requests wait.
    """

    limit: int = MAX_RUNNING
    _accepted: Counter[RequestId | None] = attrs.field(factory=Counter[RequestId | None])
    _running: Counter[RequestId | None] = attrs.field(factory=Counter[RequestId | None])
    _delivered: dict[RequestId | None, Callable[[], None]] = attrs.field(
        factory=dict["RequestId | None", "Callable[[], None]"]
    )
    _released: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)
    _order: trio.StrictFIFOLock = attrs.field(factory=trio.StrictFIFOLock)

    async def accept(self, request_id: RequestId | None) -> None:
        """Accept a request; None is a line without a readable id."""
        while self._accepted.total() >= self.limit + MAX_WAITING:
            await self._released.park()
        self._accepted[request_id] += 1

    async def wait_turn(self, request_id: RequestId | None) -> None:
        """Wait until the request may run, after the requests that came before it."""
        if self._running.total() >= self.limit or self._order.locked():
            async with self._order:
                while self._running.total() >= self.limit:
                    await self._released.park()
        self._running[request_id] += 1

    def call_when_sent(self, request_id: RequestId | None, delivered: Callable[[], None]) -> None:
        """Call ``delivered`` once the answer to a request was written, and never if it was not."""
        self._delivered[request_id] = delivered

    def mark_sent(self, request_id: RequestId | None) -> None:
        """Record that the answer to a request was written."""
        if delivered := self._delivered.pop(request_id, None):
            delivered()

    def release(self, request_id: RequestId | None) -> None:
        """Remove a request, if it is pending: it was answered, or never will be."""
        self._delivered.pop(request_id, None)
        for counts in (self._running, self._accepted):
            counts[request_id] -= 1
            if counts[request_id] <= 0:
                del counts[request_id]
        self._released.unpark_all()

    async def wait_empty(self) -> None:
        """Wait until every request has been answered."""
        while self._accepted:
            await self._released.park()


@attrs.define(eq=False)
class Writer(ObjectSendStream[SessionMessage]):
    """Sink of the SDK's messages: writes one line at a time.

    ``answered`` is set once the first answer was written, or must not be waited for.
    """

    _stream: trio.abc.SendStream
    pending: PendingRequests
    answered: trio.Event = attrs.field(factory=trio.Event, init=False)
    _turn: trio.Lock = attrs.field(factory=trio.Lock)
    _warned: bool = False
    _started: float = math.inf
    _deadline: float = math.inf
    _writing: trio.CancelScope = attrs.field(factory=trio.CancelScope)

    async def send(self, item: SessionMessage) -> None:
        """Write a message. Raises `anyio.BrokenResourceError` if the pipe is closed."""
        message = item.message
        try:
            self._warn_if_unread()
            async with self._turn:
                await self._write(message)
            if isinstance(message, JSONRPCResponse):
                self.pending.mark_sent(message.id)
        finally:
            if isinstance(message, JSONRPCResponse | JSONRPCError):
                self.pending.release(message.id)
                self.answered.set()

    def _warn_if_unread(self) -> None:
        """Log once that the client does not read; it may read later, so no answer is dropped."""
        is_late = trio.current_time() > self._started + UNREAD_WARNING
        if is_late and self._turn.locked() and not self._warned:
            self._warned = True
            waiting = self._turn.statistics().tasks_waiting + 1
            log.warning("the client does not read its answers", waiting=waiting)

    async def _write(self, message: JSONRPCMessage) -> None:
        self._started = trio.current_time()
        with trio.CancelScope(shield=True, deadline=self._deadline) as self._writing:
            try:
                await self._stream.send_all(encode(message))
                self._warned = False
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                raise anyio.BrokenResourceError from None
        if self._writing.cancelled_caught:  # the line may be incomplete: nothing can follow it
            await trio.aclose_forcefully(self._stream)
            raise anyio.BrokenResourceError

    def start_timeout(self) -> None:
        """Give up writing `WRITE_TIMEOUT` seconds from now."""
        self._deadline = trio.current_time() + WRITE_TIMEOUT
        self._writing.deadline = self._deadline

    async def aclose(self) -> None:
        """Do nothing: `open_stdio` closes the stream."""


@attrs.define(eq=False)
class Reader(ObjectReceiveStream[SessionMessage | Exception]):
    """Source of the SDK's messages, and of `MalformedMessage` for other lines.

    ``closed`` is set when reading has ended.
    """

    _lines: LineReader
    _pending: PendingRequests
    _writer: Writer
    closed: trio.Event = attrs.field(factory=trio.Event, init=False)

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message. Raises `anyio.EndOfStream` after the last one."""
        while True:
            try:
                line = await self._lines.next()
                if line is None:
                    with trio.move_on_after(DRAIN_TIMEOUT):
                        await self._pending.wait_empty()
                    raise anyio.EndOfStream
                return await self._accept(decode(line))
            except MalformedMessage as error:
                log.warning("malformed line on stdin", reason=str(error), line=error.excerpt)
                if error.reply is not None:
                    await self._pending.accept(error.reply.id)
                    return error

    async def _accept(self, message: JSONRPCMessage) -> SessionMessage:
        if not isinstance(message, JSONRPCRequest):
            return SessionMessage(message)
        if message.method != "subscriptions/listen":  # answered when the subscription ends
            await self._pending.accept(message.id)

        async def release() -> None:
            self._pending.release(message.id)

        return request_message(message, release, can_send_request=not is_enveloped(message.params))

    async def aclose(self) -> None:
        """End serving: the dispatcher has left its reading loop, at EOF or after a cancellation."""
        self._writer.start_timeout()
        self.closed.set()


def is_enveloped(params: Mapping[str, Any] | None) -> bool:
    """Return whether a request names protocol 2026-07-28 in its ``_meta``."""
    meta = params.get("_meta") if params else None
    return isinstance(meta, Mapping) and PROTOCOL_VERSION_META_KEY in meta


def connect(
    incoming: trio.abc.ReceiveStream, outgoing: trio.abc.SendStream, limit: int = MAX_RUNNING
) -> tuple[Reader, Writer]:
    """Return the SDK's ends of a pair of byte streams."""
    pending = PendingRequests(limit)
    writer = Writer(outgoing, pending)
    return Reader(LineReader(incoming), pending, writer), writer


@asynccontextmanager
async def open_stdio() -> AsyncGenerator[tuple[Reader, Writer]]:
    """Take stdin and stdout from the rest of the process, permanently."""
    source, sink = _take_over()
    async with trio.lowlevel.FdStream(source) as incoming, trio.lowlevel.FdStream(sink) as outgoing:
        yield connect(incoming, outgoing)


def _take_over() -> tuple[int, int]:
    """Return duplicates of fds 0 and 1, then replace 0 by an empty file and 1 by stderr.

    The replacement is permanent: output while the process ends must neither reach the client nor
    block on a pipe that the client no longer reads.
    """
    sys.stdout.flush()
    source, sink = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    return source, sink
