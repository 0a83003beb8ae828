"""Prompts that people choose in their clients: what to do with a page, said so that it is done."""

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

from charlotte.server.visits import Context

_PAGE = PromptArgument(name="url", description="The page; else the open one")


@attrs.frozen
class Wish:
    """A prompt, and what it says once its arguments are filled in."""

    prompt: Prompt
    text: str

    def told(self, given: Mapping[str, str]) -> str:
        """The text; raises `MCPError` for what is missing."""
        arguments = self.prompt.arguments or []
        missing = [one.name for one in arguments if one.required and not given.get(one.name)]
        if missing:
            raise MCPError(INVALID_PARAMS, f"{self.prompt.name} needs {', '.join(missing)}.")
        values = {one.name: given.get(one.name, "") for one in arguments}
        page = f"the page {values['url']}" if values["url"] else "the page that is open"
        return self.text.format(**{**values, "page": page}).strip()


_WISHES = {
    wish.prompt.name: wish
    for wish in (
        Wish(
            Prompt(
                name="test_page",
                title="Test this page",
                description="Try a page out as its visitors would, and report what is wrong",
                arguments=[
                    _PAGE,
                    PromptArgument(name="focus", description="What matters most"),
                ],
            ),
            """
Test {page} with Charlotte. {focus}
Observe it, then use it as visitors would: follow its main links, operate its controls, fill in its
forms with good, empty and bad values. After each action read the delta, and compare it with what a
visitor would expect. Look at console{{level: error}}, requests{{failed: true}} and dev_audit too,
and at the page in viewport{{device: mobile}}.
Report each problem, the worst first: what you did, what you expected, what happened, with which
element. Buy, send and delete nothing that is not for testing.
""",
        ),
        Wish(
            Prompt(
                name="fill_form",
                title="Fill this form",
                description="Fill in a form from what you tell, and stop before it is sent",
                arguments=[
                    PromptArgument(name="data", description="What to fill in", required=True),
                    _PAGE,
                ],
            ),
            """
Fill in the form of {page} with Charlotte, from this: {data}
Observe the page, choose the form that fits, and match its fields by their labels. Fill in all of
them with one fill_form; leave out what you were not told, and invent nothing. If a field refuses
its value, mend that one. Then show what is filled in and what is open, and ask before you send it.
""",
        ),
    )
}


async def list_prompts(_: Context, __: PaginatedRequestParams | None) -> ListPromptsResult:
    """Answer prompts/list."""
    return ListPromptsResult(prompts=[wish.prompt for wish in _WISHES.values()])


async def get_prompt(_: Context, params: GetPromptRequestParams) -> GetPromptResult:
    """Answer prompts/get. Raises `MCPError` (-32602) for one that is not there."""
    wish = _WISHES.get(params.name)
    if wish is None:
        raise MCPError(INVALID_PARAMS, f"There is no prompt {params.name[:200]!r}.")
    text = TextContent(text=wish.told(params.arguments or {}))
    return GetPromptResult(
        description=wish.prompt.description, messages=[PromptMessage(role="user", content=text)]
    )
