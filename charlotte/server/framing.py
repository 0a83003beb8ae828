"""Framing on the pipe: cuts a stream into lines, and converts lines to and from JSON-RPC messages.

A client must not wait forever for the answer to a malformed request. JSON-RPC 2.0, section 5,
requires an error with the request's id, or with null if the id is not readable. MCP's own schema
does not allow null there, but the clients of the SDKs log such a message and continue. A malformed
answer is never answered, because two peers could repeat that forever.
"""

import json
from typing import cast

import attrs
import trio
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

from charlotte.server.sdk import as_request_id

MAX_LINE = 64 * 2**20
_CHUNK = 2**16
_EXCERPT = 100


class MalformedLine(Exception):
    """A line that is not a message; ``reply`` is the error to send, None if it was an answer."""

    def __init__(self, reason: str, line: bytes, reply: JSONRPCError | None) -> None:
        super().__init__(reason)
        self.excerpt = repr(bytes(line[:_EXCERPT]))
        self.reply = reply


@attrs.define(eq=False)
class LineReader:
    """Cuts a stream into lines of at most ``max_line`` bytes."""

    _stream: trio.abc.ReceiveStream
    _max_line: int = MAX_LINE
    _buffer: bytearray = attrs.field(factory=bytearray)
    _scanned: int = 0
    _dropped: int = 0

    async def next(self) -> bytes | None:
        """Return the next line that is not blank; None at the end of the stream.

        The last line needs no line break: ``printf '{…}' | charlotte`` works. Always a checkpoint.

        Raises:
            MalformedLine: the line was too long; it was discarded.
        """
        while (line := await self._next_line()) is not None and line.isspace():
            pass
        return line

    async def _next_line(self) -> bytes | None:
        if self._buffer.find(b"\n", self._scanned) >= 0:
            await trio.lowlevel.checkpoint()
        while not (end := self._buffer.find(b"\n", self._scanned) + 1):
            if not await self._fill():
                return self._take(len(self._buffer)) if self._buffer or self._dropped else None
        return self._take(end)

    async def _fill(self) -> bool:
        if self._dropped or len(self._buffer) > self._max_line:
            self._dropped += len(self._buffer)
            self._buffer.clear()
        self._scanned = len(self._buffer)
        try:
            chunk = await self._stream.receive_some(_CHUNK)
        except trio.BrokenResourceError:  # the terminal or the socket was closed
            return False
        self._buffer += chunk
        return bool(chunk)

    def _take(self, end: int) -> bytes:
        line = bytes(self._buffer[:end])
        del self._buffer[:end]
        self._scanned = 0
        if dropped := self._dropped:
            self._dropped = 0
            size = dropped + len(line)
            reason = f"a line must have at most {self._max_line} bytes, got {size}"
            raise _invalid(reason, line)
        return line


def decode(line: bytes) -> JSONRPCMessage:
    """Parse one message.

    Raises:
        MalformedLine: the line is not a message.
    """
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        return _decode_leniently(line)
    if isinstance(message, JSONRPCNotification) and b"id" in line:
        _check_notification(json.loads(line), line)
    return message


def _decode_leniently(line: bytes) -> JSONRPCMessage:
    """Parse a message with a byte order mark or a lone surrogate, which strict JSON does not allow.

    JavaScript can cut a string between two surrogates; a question mark replaces the remaining one.
    """
    try:
        value = json.loads(line)
        cleaned = json.dumps(value, ensure_ascii=False).encode(errors="replace")
    except (ValueError, RecursionError):
        reply = _refusal(PARSE_ERROR, "Parse error: the line is not JSON")
        raise MalformedLine("not JSON", line, reply) from None
    try:
        message = jsonrpc_message_adapter.validate_json(cleaned, by_name=False)
    except ValidationError:
        raise _malformed_message(value, line) from None
    if isinstance(message, JSONRPCNotification):
        _check_notification(value, line)
    return message


def _check_notification(fields: dict[str, object], line: bytes) -> None:
    """Raise `MalformedLine` for a request with an id of an invalid type.

    The SDK parses such a request as a notification, so the client would wait forever.
    """
    if "id" in fields:
        raise _invalid("the id of a request must be a string or an integer", line)


def _malformed_message(value: object, line: bytes) -> MalformedLine:
    if not isinstance(value, dict):
        return _invalid("the line must be one JSON-RPC object; MCP has no batches", line)
    fields = cast("dict[str, object]", value)
    reason = "not a JSON-RPC 2.0 message"
    if "result" in fields or "error" in fields:
        return MalformedLine(reason, line, None)
    return _invalid(reason, line, fields.get("id"))


def _invalid(reason: str, line: bytes, request_id: object = None) -> MalformedLine:
    reply = _refusal(INVALID_REQUEST, f"Invalid request: {reason}", as_request_id(request_id))
    return MalformedLine(reason, line, reply)


def _refusal(code: int, message: str, request_id: RequestId | None = None) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=request_id, error=ErrorData(code=code, message=message))


def encode(message: JSONRPCMessage) -> bytes:
    """Return the message as one line; question marks replace lone surrogates."""
    try:
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
    except PydanticSerializationError:
        parts = message.model_dump(by_alias=True, exclude_unset=True)
        text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="replace") + b"\n"
