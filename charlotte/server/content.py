"""Converts the answers of tools to MCP results: content blocks, and metadata in ``_meta``."""

import json
from collections.abc import Mapping
from typing import Any

from mcp_types import CallToolResult, ContentBlock, ImageContent, ResourceLink, TextContent

from charlotte import clock
from charlotte.errors import CharlotteError
from charlotte.tools.answer import Answer, Content, Image, Link, Text

METADATA_KEY = "charlotte/metadata"
SESSION_KEY = "charlotte/session"
SESSION_URI = "charlotte://session/"
"""Prefix of the URI of a saved file for clients that name their session: name and path follow."""
_NOTE = "New session. Pass it with every further call; a call without it starts another session."


def tool_result(
    answer: Answer,
    *,
    seconds: float,
    version: str,
    issued: str | None = None,
    session: str | None = None,
) -> CallToolResult:
    """Return the result of a call that took ``seconds``.

    There is no structured content, which would send every page twice. ``issued`` names a session
    that this call started: in ``_meta`` for programs, and in a block of its own for agents.
    ``session`` is the session's name in links to files, for clients that have to name it.
    """
    metadata = {
        **answer.metadata,
        "duration_ms": round(seconds * 1000, 1),
        "timestamp": clock.now(),
        "tool_version": version,
    }
    content = [_content_block(block, session) for block in answer.blocks]
    meta: dict[str, Any] = {METADATA_KEY: metadata}
    if issued is not None:
        content.append(TextContent(text=_compact({"session": issued, "note": _NOTE})))
        meta[SESSION_KEY] = issued
    return CallToolResult(content=content, is_error=answer.is_error, _meta=meta)


def error_answer(error: CharlotteError) -> Answer:
    """Return the error as compact JSON for the agent."""
    return Answer((Text(_compact(error.as_json())),), is_error=True)


def file_uri(uri: str, session: str | None) -> str:
    """Return the URI with which a client reads a file (``file://…``) of its session.

    A file whose URI contains a redacted secret cannot be read.
    """
    uri = uri.replace("<", "%3C").replace(">", "%3E")
    return uri if session is None else f"{SESSION_URI}{session}{uri.removeprefix('file://')}"


def _content_block(block: Content, session: str | None) -> ContentBlock:
    match block:
        case Text(text):
            return TextContent(text=text)
        case Image(data, mime_type):
            return ImageContent(data=data, mime_type=mime_type)
        case Link(uri, name, mime_type):
            return ResourceLink(uri=file_uri(uri, session), name=name, mime_type=mime_type)


def _compact(value: Mapping[str, Any]) -> str:
    # `default=str`: details of an error may contain objects that JSON has no form for.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
