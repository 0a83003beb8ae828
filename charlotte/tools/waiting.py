"""The tool that waits for what a page does by itself."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab import wait_for as waiting
from charlotte.actors.tab.wait_for import Conditions, State
from charlotte.errors import InvalidArgument
from charlotte.tools.answer import Answer, Text
from charlotte.tools.pages import page_answer
from charlotte.tools.results import Page
from charlotte.tools.schema.json_schema import Limits
from charlotte.tools.schema.parameters import Detail, ElementId, Timeout
from charlotte.tools.schema.tool import tool

_AFTER_TIME_MS = 500
"""What is left for the other conditions when ``time`` comes close to the timeout."""

_CONDITIONS = ("element_id", "text", "text_gone", "selector", "js")


def _check_conditions(arguments: Mapping[str, Any]) -> None:
    if arguments["element_id"] is None and arguments["state"] is not None:
        raise InvalidArgument(
            f"element_id is required with state {arguments['state']!r}.",
            "Pass an id from observe or find.",
        )
    if arguments["time"] is None and not any(arguments[name] for name in _CONDITIONS):
        raise InvalidArgument(
            "wait_for needs at least one condition.",
            "Pass element_id (with state), text, text_gone, selector, js or time.",
        )


Time = Annotated[int, Limits(minimum=0, maximum=300_000), "ms to wait"]


@tool(group="interaction", position=420, read_only=True, deadline=360.0, check=_check_conditions)
async def wait_for(
    tab: TabHandle,
    *,
    element_id: ElementId | None = None,
    state: State | None = None,
    text: str | None = None,
    text_gone: str | None = None,
    selector: str | None = None,
    js: Annotated[str | None, "Expression to become true"] = None,
    time: Time | None = None,
    timeout: Timeout = 10_000,
    detail: Detail = "delta",
) -> Answer[Page]:
    """Wait until all given conditions hold, then return what changed.

    Actions already wait for the page to settle; use this only for later changes.
    """
    wanted = Conditions(
        element_id=element_id,
        state=state or "exists",
        text=text or None,
        text_gone=text_gone or None,
        selector=selector or None,
        js=js or None,
        time=(time or 0) / 1000,
    )
    limit = max(timeout, (time or 0) + _AFTER_TIME_MS) / 1000
    waited = await tab.do(waiting.wait_for, wanted, limit)
    answer = page_answer(tab.record, waited.look, detail)
    if waited.unmet:
        body = json.loads("".join(each.text for each in answer.blocks if isinstance(each, Text)))
        raise waiting.build_timeout_error(limit, waited.unmet, {"page": body})
    return answer
