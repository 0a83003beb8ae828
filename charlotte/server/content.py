"""Turns what a tool answered into what MCP sends: content blocks, and metadata in ``_meta``."""

import json
from collections.abc import Mapping
from typing import Any

from mcp_types import CallToolResult, ContentBlock, ImageContent, ResourceLink, TextContent

from charlotte import clock
from charlotte.errors import CharlotteError
from charlotte.tools.answer import Answer, Block, Image, Link, Text

METADATA_KEY = "charlotte/metadata"


def tool_result(answer: Answer, *, seconds: float, version: str) -> CallToolResult:
    """Return the result of a call that took ``seconds`` (S's ResponseMetadata in ``_meta``).

    There is no structured content: it would send every page twice.
    """
    metadata = {
        **answer.metadata,
        "duration_ms": round(seconds * 1000, 1),
        "timestamp": clock.now(),
        "tool_version": version,
    }
    return CallToolResult(
        content=[_content(block) for block in answer.blocks],
        is_error=answer.is_error,
        _meta={METADATA_KEY: metadata},
    )


def error_answer(error: CharlotteError) -> Answer:
    """Return the error as the agent reads it: compact JSON in the shape of C-ERR-02."""
    return Answer((Text(_compact(error.as_json())),), is_error=True)


def _content(block: Block) -> ContentBlock:
    match block:
        case Text(text):
            return TextContent(text=text)
        case Image(data, mime_type):
            return ImageContent(data=data, mime_type=mime_type)
        case Link(uri, name, mime_type):
            return ResourceLink(uri=uri, name=name, mime_type=mime_type)


def _compact(value: Mapping[str, Any]) -> str:
    # An error must reach the agent whatever its details hold, hence the default.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
