"""Tools that list and call the tools that pages themselves offer (WebMCP)."""

from functools import partial
from typing import Annotated, Any

import attrs
import trio

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.state.page_tools import INLINE, PageTool, find_problems
from charlotte.actors.tab.actor import Look, TabActor
from charlotte.actors.tab.page.page_tool_calls import EFFECT, ToolCall
from charlotte.answers.answer import Answer, Listing, Page
from charlotte.answers.pages import (
    limit_value,
    lines_answer,
    nested_answer,
    page_answer,
    position,
    rows_from,
    with_page,
)
from charlotte.base.errors import (
    CharlotteError,
    DeadlineExceeded,
    InvalidArgument,
    PageToolFailed,
    PageToolNotShown,
    ellipsize,
)
from charlotte.page.model import compact_json
from charlotte.page.tokens import quote, write_address, write_line
from charlotte.tools.schema.arguments import PageCursor, Private, RareDetail, Timeout
from charlotte.tools.schema.tool import action_tool, observation_tool

_SHARE = 2
"""A schema or a result takes at most half of an answer."""

_LONGEST_ERROR = 300


@observation_tool(title="List the page's tools", position=260, for_page_tools=True)
async def page_tools(tab: TabHandle, *, cursor: PageCursor = None) -> Answer[Listing[PageTool]]:
    """List the tools that the page itself offers: description, input schema, claims, origin.

    All of it is text of the page. page_tool_call calls them.
    """
    record = tab.record
    record.check_granted()
    settings, tools = record.session.settings, [*record.page_tools.by_name.values()]
    rows = [settings.secrets.hidden_in(tool_as_json(tool, settings.max_chars)) for tool in tools]
    body = rows_from("tools", rows, cursor, settings.max_chars)
    first = position(cursor or "0")
    shown = tools[first : first + len(body["tools"])]
    value = Listing(items=tuple(shown), total=len(tools))
    answer = lines_answer(
        [write_line(compact_json({"untrusted": True, **body}))], value, tab_id=record.id
    )
    return attrs.evolve(answer, delivered=partial(record.page_tools.note_shown, shown))


def tool_as_json(tool: PageTool, room: int) -> dict[str, Any]:
    """Return what `page_tools` reports of a tool in an answer of ``room`` characters."""
    schema = compact_json(tool.schema)
    is_long = len(schema) > room // _SHARE
    scripts = [
        url if url == INLINE else write_address(url) or "a script without a URL"
        for url in tool.registered_by[:5]
    ]
    return {
        "name": tool.name,
        "origin": tool.origin,
        "description": tool.description,
        "input": ellipsize(schema, room // _SHARE) if is_long else tool.schema,
        "registered_by": scripts,
        "claims": [*tool.claims],
    }


@action_tool(title="Call a page's tool", position=430, deadline=320.0, for_page_tools=True)
async def page_tool_call(
    tab: TabHandle,
    name: Annotated[str, "Name of the tool, from page_tools."],
    *,
    input_: Annotated[
        dict[str, Any] | None, Private(), "Input that fits the tool's schema."
    ] = None,
    timeout: Annotated[Timeout, "Maximum time in ms; then the tool is canceled."] = 10_000,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Call a tool that the page offers; return its result, which is text of the page, and changes.

    Only tools that page_tools has shown can be called. A call is never repeated.
    """
    record = tab.record
    record.check_granted()
    offered, given = record.page_tools.find(name), input_ or {}
    problems = await trio.to_thread.run_sync(find_problems, offered.schema, given)
    if problems:
        raise InvalidArgument(
            f"The input does not fit the schema of {quote(offered.name)}: {'; '.join(problems)}.",
            "Correct the input; page_tools has the schema. The tool was not called.",
        )
    look, call = await tab.do(_call, offered, given, timeout / 1000)
    answer = page_answer(record, look, detail)
    if (error := _problem(offered, call, timeout)) is not None:
        raise with_page(error, answer)
    settings = record.session.settings
    output = settings.secrets.hidden_in(call.response and call.response.output)
    about = {"name": offered.name, "untrusted": True}
    about |= limit_value("result", output, settings.max_chars // _SHARE)
    if call.leads_away:
        about["leads_away"] = True
    if problems is None:
        about["warning"] = "the input could not be checked: the tool's schema cannot be evaluated"
    return nested_answer({"page_tool": about}, "page", answer)


async def _call(
    tab: TabActor, tool: PageTool, given: dict[str, Any], seconds: float
) -> tuple[Look, ToolCall]:
    """Call a tool of the page once, and return what changed, and how the call ended."""
    await tab.page.present()
    calls: list[ToolCall] = []

    async def call() -> None:
        await tab.page.ping()  # for all earlier events: the tools are the present ones
        calls.append(await tab.page.tools.call(tool, given, seconds))

    return await tab.act(call), calls[0]


def _problem(tool: PageTool, call: ToolCall, timeout_ms: int) -> CharlotteError | None:
    """Return why a call has not succeeded, if so."""
    name, response = quote(tool.name), call.response
    if call.digest not in {None, tool.digest}:
        return PageToolNotShown(
            f"The page replaced its tool {name} while the call was on its way; the call was "
            f"canceled. {EFFECT}"
        )
    if response is not None and response.status == "Completed":
        return None
    if call.is_canceled:
        return DeadlineExceeded(
            f"The page's tool {name} has not answered within {timeout_ms} ms and was canceled. "
            f"{EFFECT}",
            PageToolFailed.what_to_do,
        )
    if response is None:
        lost = f"The document of the page's tool {name} was replaced before it answered."
        return PageToolFailed(f"{lost} {EFFECT}")
    words = response.error_text
    if (thrown := response.exception) is not None:
        words = (thrown.description or compact_json(thrown.value)).lstrip().partition("\n")[0]
    was = "was canceled" if response.status == "Canceled" else "failed"
    about = f" The page's words: {quote(ellipsize(words, _LONGEST_ERROR))}." if words else ""
    return PageToolFailed(f"The page's tool {name} {was}.{about} {EFFECT}")
