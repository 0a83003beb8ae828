"""JSON-RPC messages of clients: a line of stdio, or the body of an HTTP request."""

import json
from contextlib import suppress
from typing import cast

from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from charlotte.server.sdk import as_request_id

_EXCERPT = 100


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
    with suppress(ValidationError):
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        if not (isinstance(message, JSONRPCNotification) and b"id" in line):
            return message
    return _decode_leniently(line)


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
