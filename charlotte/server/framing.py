"""Owns the bytes on the pipe: a stream to lines, lines to JSON-RPC messages, messages to lines.

A client whose request cannot be read must not wait for its answer for ever. JSON-RPC 2.0, which
every MCP revision makes binding, wants an error with the request's id, or null where none can be
read (its section 5). MCP's own schema knows no null there, but the SDKs' clients report such a
message and go on. A broken line that is itself an answer is never answered: two peers could keep
that up for ever.
"""

import json
from typing import cast

import attrs
import trio
from mcp.shared.dispatcher import as_request_id
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    RequestId,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

LONGEST_LINE = 64 * 2**20
_CHUNK = 2**16
_EXCERPT = 100


class Malformed(Exception):
    """A line that is no message; ``reply`` tells the client so, unless the line was an answer."""

    def __init__(self, reason: str, line: bytes, reply: JSONRPCError | None) -> None:
        super().__init__(reason)
        self.excerpt = repr(bytes(line[:_EXCERPT]))
        self.reply = reply


@attrs.define(eq=False)
class LineReader:
    """Cuts a stream into lines of at most ``longest`` bytes."""

    _stream: trio.abc.ReceiveStream
    _longest: int = LONGEST_LINE
    _buffer: bytearray = attrs.field(factory=bytearray)
    _scanned: int = 0
    _dropped: int = 0

    async def next(self) -> bytes | None:
        """Return the next line that is not blank; None at the end of the stream.

        An unfinished last line counts: ``printf '{…}' | charlotte`` works. Always a checkpoint.

        Raises:
            Malformed: the line was too long; it has been discarded.
        """
        while (line := await self._line()) is not None and line.isspace():
            pass
        return line

    async def _line(self) -> bytes | None:
        if self._buffer.find(b"\n", self._scanned) >= 0:
            await trio.lowlevel.checkpoint()
        while not (end := self._buffer.find(b"\n", self._scanned) + 1):
            if not await self._fill():
                return self._take(len(self._buffer)) if self._buffer or self._dropped else None
        return self._take(end)

    async def _fill(self) -> bool:
        if self._dropped or len(self._buffer) > self._longest:
            self._dropped += len(self._buffer)
            self._buffer.clear()
        self._scanned = len(self._buffer)
        try:
            chunk = await self._stream.receive_some(_CHUNK)
        except trio.BrokenResourceError:  # a terminal that hung up, a socket that was reset
            return False
        self._buffer += chunk
        return bool(chunk)

    def _take(self, end: int) -> bytes:
        line = bytes(self._buffer[:end])
        del self._buffer[:end]
        self._scanned = 0
        if dropped := self._dropped:
            self._dropped = 0
            reason = f"line of {dropped + len(line)} bytes; at most {self._longest} are accepted"
            raise _invalid(reason, line)
        return line


def decode(line: bytes) -> JSONRPCMessage:
    """Read one message.

    Raises:
        Malformed: it is none.
    """
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        return _decode_leniently(line)
    if isinstance(message, JSONRPCNotification) and b"id" in line:
        _check_notification(json.loads(line), line)
    return message


def _decode_leniently(line: bytes) -> JSONRPCMessage:
    """Read what strict JSON refuses but clients send: a byte order mark, and half an emoji.

    JavaScript cuts strings between the two surrogates of a character and escapes the one that is
    left; a question mark takes its place.
    """
    try:
        said = json.loads(line)
        tidied = json.dumps(said, ensure_ascii=False).encode(errors="replace")
    except (ValueError, RecursionError):
        reply = _refusal(PARSE_ERROR, "Parse error: the line is not JSON")
        raise Malformed("not JSON", line, reply) from None
    try:
        message = jsonrpc_message_adapter.validate_json(tidied, by_name=False)
    except ValidationError:
        raise _not_a_message(said, line) from None
    if isinstance(message, JSONRPCNotification):
        _check_notification(said, line)
    return message


def _check_notification(fields: dict[str, object], line: bytes) -> None:
    """Raise `Malformed` for a request with an id of an invalid type.

    The SDK reads such a request as a notification, so its client would wait for an answer forever.
    """
    if "id" in fields:
        raise _invalid("the id of a request must be a string or an integer", line)


def _not_a_message(said: object, line: bytes) -> Malformed:
    if not isinstance(said, dict):
        return _invalid("not one JSON-RPC object (batches are not part of MCP)", line)
    fields = cast("dict[str, object]", said)
    reason = "not a JSON-RPC 2.0 message"
    if "result" in fields or "error" in fields:
        return Malformed(reason, line, None)
    return _invalid(reason, line, fields.get("id"))


def _invalid(reason: str, line: bytes, request_id: object = None) -> Malformed:
    reply = _refusal(INVALID_REQUEST, f"Invalid request: {reason}", as_request_id(request_id))
    return Malformed(reason, line, reply)


def _refusal(code: int, message: str, request_id: RequestId | None = None) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=request_id, error=ErrorData(code=code, message=message))


def encode(message: JSONRPCMessage) -> bytes:
    """Return the message as one line; half characters that pages contain become question marks."""
    try:
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
    except PydanticSerializationError:
        parts = message.model_dump(by_alias=True, exclude_unset=True)
        text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="replace") + b"\n"
