"""Tools that run JavaScript, or wait for what a page does by itself."""

import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab import evaluate as scripts
from charlotte.actors.tab import wait_for as waiting
from charlotte.actors.tab.wait_for import Conditions, State
from charlotte.browser.evaluate import Value
from charlotte.errors import InvalidArgument
from charlotte.page.model import compact_json
from charlotte.tools.answer import Answer, Page, Text
from charlotte.tools.pages import json_answer, page_answer
from charlotte.tools.schema.json_schema import Limits
from charlotte.tools.schema.parameters import Detail, ElementId, Timeout
from charlotte.tools.schema.tool import tool

_TRUNCATION = 150
"""Characters reserved for the truncation of a value."""


@tool(group="evaluate", position=450, destructive=True, deadline=320.0)
async def evaluate(
    tab: TabHandle,
    expression: Annotated[str, "May be statements or await; returns the last value"],
    *,
    timeout: Timeout = 5000,
    await_promise: bool = True,
    element_id: Annotated[str | None, "Available as `element`"] = None,
) -> Answer[Value]:
    """Run JavaScript as in the page's console and return {value, type}.

    Declarations persist across calls. Execution stops after `timeout` ms.
    """
    value = await tab.do(
        scripts.evaluate,
        expression,
        timeout_ms=timeout,
        await_promise=await_promise,
        reference=element_id,
    )
    settings = tab.record.session.settings
    body = value_as_json(value, settings.max_chars, settings.secrets.hidden_in)
    return json_answer(body, value, tab_id=tab.record.id)


def value_as_json(value: Value, max_chars: int, hidden: Callable[[Any], Any]) -> dict[str, Any]:
    """Return ``{value, type}`` without secrets, with a long value cut."""
    body: dict[str, Any] = hidden(value.as_json())
    if len(compact_json(body)) <= max_chars:
        return body
    shown = body["value"]
    whole = shown if isinstance(shown, str) else compact_json(shown)
    text = whole[: max_chars - _TRUNCATION]
    while len(compact_json(text)) > max_chars - _TRUNCATION:
        text = text[: len(text) * 3 // 4]
    cut = {"part": "value", "total": len(whole), "returned": len(text)}
    return {"value": text, "type": value.type, "truncation": cut}


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
