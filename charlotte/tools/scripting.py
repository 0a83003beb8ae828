"""The tool that runs an agent's own JavaScript."""

from collections.abc import Callable
from typing import Annotated, Any

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab import evaluate as scripts
from charlotte.browser.evaluate import Value
from charlotte.page.model import compact_json
from charlotte.tools.answer import Answer
from charlotte.tools.pages import json_answer
from charlotte.tools.schema.parameters import Timeout
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
