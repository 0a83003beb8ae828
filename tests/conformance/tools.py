"""The tools that the official conformance suite requires."""

from collections.abc import Awaitable, Callable
from typing import Any

import trio
from mcp.server.context import ServerRequestContext
from mcp_types import (
    AudioContent,
    CallToolRequestParams,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ListToolsResult,
    LoggingMessageNotification,
    LoggingMessageNotificationParams,
    PaginatedRequestParams,
    SamplingMessage,
    TextContent,
    TextResourceContents,
    Tool,
)

Context = ServerRequestContext[Any]
Arguments = dict[str, Any]
Answering = Callable[[Context, Arguments], Awaitable[list[ContentBlock]]]

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJ"
    "RU5ErkJggg=="
)
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
_PAUSE = 0.05
_DIALECT = "https://json-schema.org/draft/2020-12/schema"

IMAGE = ImageContent(data=PNG, mime_type="image/png")
DEFAULTS = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}
_THREE = ["option1", "option2", "option3"]
_TITLED = [{"const": f"value{n}", "title": f"Choice {n}"} for n in (1, 2, 3)]
ENUMS = {
    "untitledSingle": {"type": "string", "enum": _THREE},
    "titledSingle": {"type": "string", "oneOf": _TITLED},
    "legacyEnum": {
        "type": "string",
        "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"],
    },
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": _THREE}},
    "titledMulti": {"type": "array", "items": {"anyOf": _TITLED}},
}
SCHEMA_2020_12 = {
    "$schema": _DIALECT,
    "type": "object",
    "$defs": {
        "address": {
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
    "additionalProperties": False,
}


def text(content: str) -> TextContent:
    return TextContent(text=content)


def embedded(uri: str, mime_type: str, content: str) -> EmbeddedResource:
    return EmbeddedResource(
        resource=TextResourceContents(uri=uri, mime_type=mime_type, text=content)
    )


def _always(*blocks: ContentBlock) -> Answering:
    async def answer(_: Context, __: Arguments) -> list[ContentBlock]:
        return list(blocks)

    return answer


async def _logging(context: Context, _: Arguments) -> list[ContentBlock]:
    for content in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        params = LoggingMessageNotificationParams(level="info", data=content)
        notification = LoggingMessageNotification(params=params)
        await context.session.send_notification(notification, context.request_id)
        await trio.sleep(_PAUSE)
    return [text("logged")]


async def _progress(context: Context, _: Arguments) -> list[ContentBlock]:
    for done in (0, 50, 100):
        await context.session.report_progress(done, 100)
        await trio.sleep(_PAUSE)
    return [text("done")]


async def _sampling(context: Context, arguments: Arguments) -> list[ContentBlock]:
    message = SamplingMessage(role="user", content=text(arguments["prompt"]))
    content = await context.session.create_message(  # pyright: ignore[reportDeprecated]
        [message], max_tokens=100, related_request_id=context.request_id
    )
    return [text(f"LLM response: {content.content}")]


async def _reconnection(context: Context, _: Arguments) -> list[ContentBlock]:
    if context.close_sse_stream is not None:
        await context.close_sse_stream()
    await trio.sleep(_PAUSE)
    return [text("Reconnection test completed")]


def _eliciting(properties: dict[str, Any], required: tuple[str, ...] = ()) -> Answering:
    schema = {"type": "object", "properties": properties, "required": list(required)}

    async def answer(context: Context, arguments: Arguments) -> list[ContentBlock]:
        result = await context.session.elicit_form(
            arguments.get("message", "Please answer."), schema, context.request_id
        )
        outcome = f"action={result.action}, content={result.content}"
        return [text(f"Elicitation completed: {outcome}")]

    return answer


class Intended(Exception):
    """The error of the tool that must fail."""


async def _failing(_: Context, __: Arguments) -> list[ContentBlock]:
    raise Intended("This tool intentionally returns an error for testing")


_STRING = {"type": "string"}
TOOLS: dict[str, Answering] = {
    "test_simple_text": _always(text("This is a simple text response for testing.")),
    "test_image_content": _always(IMAGE),
    "test_audio_content": _always(AudioContent(data=WAV, mime_type="audio/wav")),
    "test_embedded_resource": _always(
        embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    ),
    "test_multiple_content_types": _always(
        text("Multiple content types test:"),
        IMAGE,
        embedded(
            "test://mixed-content-resource", "application/json", '{"test":"data","value":123}'
        ),
    ),
    "test_tool_with_logging": _logging,
    "test_tool_with_progress": _progress,
    "test_error_handling": _failing,
    "test_reconnection": _reconnection,
    "test_sampling": _sampling,
    "test_elicitation": _eliciting({"username": _STRING, "email": _STRING}, ("username", "email")),
    "test_elicitation_sep1034_defaults": _eliciting(DEFAULTS),
    "test_elicitation_sep1330_enums": _eliciting(ENUMS),
    "json_schema_2020_12_tool": _always(text("ok")),
}
_PARAMETERS = {"test_sampling": "prompt", "test_elicitation": "message"}


def _schema(name: str) -> dict[str, Any]:
    if name == "json_schema_2020_12_tool":
        return SCHEMA_2020_12
    wanted = _PARAMETERS.get(name)
    properties = {wanted: _STRING} if wanted else {}
    return {"type": "object", "properties": properties, "required": list(properties)}


async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
    return ListToolsResult(
        tools=[Tool(name=name, description=name, input_schema=_schema(name)) for name in TOOLS]
    )


async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
    try:
        content = await TOOLS[params.name](context, params.arguments or {})
    except Intended as error:
        return CallToolResult(content=[text(str(error))], is_error=True)
    return CallToolResult(content=content)
