"""Turns what a tool answered into what MCP sends: content blocks, and metadata in ``_meta``."""

import json
from collections.abc import Mapping
from typing import Any

from mcp_types import CallToolResult, ContentBlock, ImageContent, ResourceLink, TextContent

from charlotte import clock
from charlotte.errors import CharlotteError
from charlotte.tools.answer import Answer, Block, Image, Link, Text

METADATA_KEY = "charlotte/metadata"
SESSION_KEY = "charlotte/session"
SESSION_URI = "charlotte://session/"
"""Begins the address of a saved file where clients name their session; its name and path follow."""
_NOTE = "This session has begun. Give it with every further call; without it another one begins."


def tool_result(
    answer: Answer,
    *,
    seconds: float,
    version: str,
    issued: str | None = None,
    session: str | None = None,
) -> CallToolResult:
    """Return the result of a call that took ``seconds`` (S's ResponseMetadata in ``_meta``).

    There is no structured content: it would send every page twice. ``issued`` is the session that
    has begun: programs find it in ``_meta``, agents, who may not see that, in a block of its own.
    ``session`` is the name that links to files carry, for clients that have to name theirs.
    """
    metadata = {
        **answer.metadata,
        "duration_ms": round(seconds * 1000, 1),
        "timestamp": clock.now(),
        "tool_version": version,
    }
    content = [_content(block, session) for block in answer.blocks]
    meta: dict[str, Any] = {METADATA_KEY: metadata}
    if issued is not None:
        content.append(TextContent(text=_compact({"session": issued, "note": _NOTE})))
        meta[SESSION_KEY] = issued
    return CallToolResult(content=content, is_error=answer.is_error, _meta=meta)


def error_answer(error: CharlotteError) -> Answer:
    """Return the error as the agent reads it: compact JSON in the shape of C-ERR-02."""
    return Answer((Text(_compact(error.as_json())),), is_error=True)


def file_uri(uri: str, session: str | None) -> str:
    """Return the address under which a client reads a file (``file://…``) of its session.

    Where it contains the name of a secret, the file cannot be read.
    """
    uri = uri.replace("<", "%3C").replace(">", "%3E")
    return uri if session is None else f"{SESSION_URI}{session}{uri.removeprefix('file://')}"


def _content(block: Block, session: str | None) -> ContentBlock:
    match block:
        case Text(text):
            return TextContent(text=text)
        case Image(data, mime_type):
            return ImageContent(data=data, mime_type=mime_type)
        case Link(uri, name, mime_type):
            return ResourceLink(uri=file_uri(uri, session), name=name, mime_type=mime_type)


def _compact(value: Mapping[str, Any]) -> str:
    # An error must reach the agent whatever its details hold, hence the default.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
