"""Prompts that people choose in their clients: instructions to the agent for whole tasks."""

from collections.abc import Mapping

import attrs
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    TextContent,
)

from charlotte.server.service import Context

_PAGE = PromptArgument(name="url", description="URL of the page; default: the open page")


@attrs.frozen
class _Template:
    """A prompt and its text, in which arguments are placeholders."""

    prompt: Prompt
    text: str

    def fill(self, given: Mapping[str, str]) -> str:
        """Return the text with its arguments. Raises `MCPError` if a required one is missing."""
        arguments = self.prompt.arguments or []
        missing = [each.name for each in arguments if each.required and not given.get(each.name)]
        if missing:
            raise MCPError(INVALID_PARAMS, f"{self.prompt.name} requires {', '.join(missing)}.")
        values = {each.name: given.get(each.name, "") for each in arguments}
        page = f"the page {values['url']}" if values["url"] else "the page that is open"
        return self.text.format(**{**values, "page": page}).strip()


_TEMPLATES = {
    template.prompt.name: template
    for template in (
        _Template(
            Prompt(
                name="test_page",
                title="Test this page",
                description="Use a page as its visitors would, and report problems",
                arguments=[
                    _PAGE,
                    PromptArgument(name="focus", description="Priority of the test"),
                ],
            ),
            """
Test {page} with Charlotte. {focus}
Observe it, then use it as visitors would: follow its main links, operate its controls, fill in its
forms with good, empty and bad values. After each action read the delta, and compare it with what a
visitor would expect. Look at console{{level: error}}, requests{{failed: true}} and dev_audit too,
and at the page in viewport{{device: mobile}}.
Report each problem, the worst first: your action, the element, the expected and the actual result.
Buy, send and delete nothing that is not for testing.
""",
        ),
        _Template(
            Prompt(
                name="fill_form",
                title="Fill this form",
                description="Fill in a form with given data, and stop before submitting it",
                arguments=[
                    PromptArgument(name="data", description="Data to fill in", required=True),
                    _PAGE,
                ],
            ),
            """
Fill in the form of {page} with Charlotte, from this: {data}
Observe the page, choose the form that fits, and match its fields by their labels. Fill in all of
them with one fill_form; omit fields without data, and invent nothing. If a field rejects its value,
fix that field. Then list filled and empty fields, and ask before you submit the form.
""",
        ),
    )
}


async def list_prompts(_: Context, __: PaginatedRequestParams | None) -> ListPromptsResult:
    """Answer prompts/list."""
    return ListPromptsResult(prompts=[template.prompt for template in _TEMPLATES.values()])


async def get_prompt(_: Context, params: GetPromptRequestParams) -> GetPromptResult:
    """Answer prompts/get. Raises `MCPError` (-32602) for an unknown prompt."""
    template = _TEMPLATES.get(params.name)
    if template is None:
        raise MCPError(INVALID_PARAMS, f"Prompt {params.name[:200]!r} not found.")
    text = TextContent(text=template.fill(params.arguments or {}))
    return GetPromptResult(
        description=template.prompt.description,
        messages=[PromptMessage(role="user", content=text)],
    )
