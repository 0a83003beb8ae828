"""Prompts: whole tasks that people choose in their clients, and their texts for the agent."""

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

from charlotte.server.sdk import Context

_PAGE = PromptArgument(name="url", description="URL of the page; default: the open page")


@attrs.frozen
class _Template:
    """A prompt and its text, in which arguments are placeholders."""

    prompt: Prompt
    text: str
    optional: Mapping[str, str] = {}
    """Sentences that the text contains only if their argument is given."""

    def fill(self, given: Mapping[str, str]) -> str:
        """Return the text with its arguments. Raises `MCPError` if a required one is missing."""
        arguments = self.prompt.arguments or []
        missing = [each.name for each in arguments if each.required and not given.get(each.name)]
        if missing:
            raise MCPError(INVALID_PARAMS, f"{self.prompt.name} requires {', '.join(missing)}.")
        values = {each.name: given.get(each.name, "") for each in arguments}
        values |= {
            name: sentence.format(values[name]) if values[name] else ""
            for name, sentence in self.optional.items()
        }
        page = f"the page {values['url']}" if values.get("url") else "the page that is open"
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
Test {page} with Charlotte.{focus}
Observe it, then use it as visitors would: follow its main links, operate its controls, fill in its
forms with good, empty and bad values. After each action read the delta, and compare it with what a
visitor would expect. Look at console{{level: error}}, requests{{failed: true}} and dev_audit too,
and at the page in viewport{{device: mobile}}.
Report each problem, the worst first: your action, the element, the expected and the actual result.
Buy, send and delete nothing that is not for testing.
""",
            optional={"focus": " Test this first: {}"},
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
        _Template(
            Prompt(
                name="research",
                title="Research in parallel",
                description="Answer a question from several pages that are read at the same time",
                arguments=[
                    PromptArgument(name="question", description="Question", required=True),
                    PromptArgument(name="urls", description="URLs of pages to begin with"),
                ],
            ),
            """
Answer this from web pages, with Charlotte: {question}{urls}
Open each page in its own tab: several tab_open in one message, or batch{{parallel: true}}. Pass
tab_id in every call. Look for the answer with find, read sections with observe{{mode: content,
selector}}, and do not read whole pages. Follow links in more tabs, and close a tab when you have
noted its result.
Answer with the URL of the page for each fact. Name facts on which pages disagree, and what you did
not find.
""",
            optional={"urls": "\nBegin with: {}"},
        ),
        _Template(
            Prompt(
                name="log_in",
                title="Log in with secrets",
                description="Log in with secrets of the server, whose values stay hidden",
                arguments=[
                    PromptArgument(
                        name="secrets",
                        description="Names of the secrets, such as SHOP_USER, SHOP_PASSWORD",
                        required=True,
                    ),
                    _PAGE,
                ],
            ),
            """
Log in on {page} with Charlotte. The login is in these secrets: {secrets}
Check first that the tab shows the site that the user means, and its login form. Pass the name of a
secret as the value of its field, in one fill_form with submit: true; the server types the value. If
a code or a confirmation is needed that no secret has, ask for it. Try a refused login only once.
Then say which page is open and as whom. Never ask for a password, and never repeat one.
""",
        ),
        _Template(
            Prompt(
                name="debug_page",
                title="Debug this page",
                description="Find the cause of a problem on a page",
                arguments=[
                    PromptArgument(name="problem", description="What is wrong", required=True),
                    _PAGE,
                ],
            ),
            """
Find the cause of a problem on {page} with Charlotte: {problem}
Reproduce it first: load the page, do what leads to the problem, and read the changes that each
action returns. Then look at console{{level: error}} and requests{{failed: true}}. Read the state of
the page with evaluate, and take a screenshot if the problem is visible. Change one thing at a time,
for example with network, viewport or set_cookies, and load the page again after it.
Report the steps that reproduce the problem, its cause with the evidence, and a correction.
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
