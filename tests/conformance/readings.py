"""The resources, prompts and completions that the official conformance suite requires."""

import json
import re

from mcp_types import (
    BlobResourceContents,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    ContentBlock,
    EmptyResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    SetLevelRequestParams,
    SubscribeRequestParams,
    TextResourceContents,
    UnsubscribeRequestParams,
)

from tests.conformance.tools import IMAGE, PNG, Context, embedded, text

_TEMPLATE = "test://template/{id}/data"
_MIME_TYPES = {
    "test://static-text": "text/plain",
    "test://static-binary": "image/png",
    "test://watched-resource": "text/plain",
}
_ARGUMENTS = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
}


async def list_resources(_: Context, __: PaginatedRequestParams | None) -> ListResourcesResult:
    return ListResourcesResult(
        resources=[
            Resource(uri=uri, name=uri, description=uri, mime_type=mime_type)
            for uri, mime_type in _MIME_TYPES.items()
        ]
    )


async def list_templates(
    _: Context, __: PaginatedRequestParams | None
) -> ListResourceTemplatesResult:
    template = ResourceTemplate(uri_template=_TEMPLATE, name="template", description="by id")
    return ListResourceTemplatesResult(resource_templates=[template])


async def read_resource(_: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
    return ReadResourceResult(contents=[_contents(params.uri)])


def _contents(uri: str) -> TextResourceContents | BlobResourceContents:
    if uri == "test://static-binary":
        return BlobResourceContents(uri=uri, mime_type="image/png", blob=PNG)
    if found := re.fullmatch("test://template/(.*)/data", uri):
        data = {"id": found[1], "templateTest": True, "data": f"Data for ID: {found[1]}"}
        return TextResourceContents(uri=uri, mime_type="application/json", text=json.dumps(data))
    content = "This is the content of the static text resource."
    return TextResourceContents(uri=uri, mime_type="text/plain", text=content)


async def subscribe(_: Context, __: SubscribeRequestParams) -> EmptyResult:
    return EmptyResult()


async def unsubscribe(_: Context, __: UnsubscribeRequestParams) -> EmptyResult:
    return EmptyResult()


async def set_level(_: Context, __: SetLevelRequestParams) -> EmptyResult:
    return EmptyResult()


async def complete(_: Context, __: CompleteRequestParams) -> CompleteResult:
    return CompleteResult(completion=Completion(values=["test"], total=1, has_more=False))


async def list_prompts(_: Context, __: PaginatedRequestParams | None) -> ListPromptsResult:
    return ListPromptsResult(
        prompts=[
            Prompt(
                name=name,
                description=name,
                arguments=[
                    PromptArgument(name=one, description=one, required=True) for one in wanted
                ],
            )
            for name, wanted in _ARGUMENTS.items()
        ]
    )


async def get_prompt(_: Context, params: GetPromptRequestParams) -> GetPromptResult:
    return GetPromptResult(messages=_messages(params.name, params.arguments or {}))


def _messages(name: str, given: dict[str, str]) -> list[PromptMessage]:
    blocks: list[ContentBlock]
    if name == "test_prompt_with_image":
        blocks = [IMAGE, text("Please analyze the image above.")]
    elif name == "test_prompt_with_embedded_resource":
        content = "Embedded resource content for testing."
        blocks = [
            embedded(given["resourceUri"], "text/plain", content),
            text("Please process the embedded resource above."),
        ]
    elif name == "test_prompt_with_arguments":
        arguments = ", ".join(f"{key}='{value}'" for key, value in given.items())
        blocks = [text(f"Prompt with arguments: {arguments}")]
    else:
        blocks = [text("This is a simple prompt for testing.")]
    return [PromptMessage(role="user", content=block) for block in blocks]
