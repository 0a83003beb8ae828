"""The tool that runs an agent's own JavaScript."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Annotated, Any

import trio

from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.evaluate_scope import bound
from charlotte.browser.evaluate import Value, timed_out
from charlotte.browser.evaluate import evaluate as run
from charlotte.errors import CharlotteError
from charlotte.page.record_base import compact_json
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.runtime import Evaluate
from charlotte.protocol.session import Session
from charlotte.tools.answer import Answer
from charlotte.tools.pages import json_answer
from charlotte.tools.schema.parameters import Timeout
from charlotte.tools.schema.tool import tool

_GRACE = 0.5
_TRUNCATION = 150
"""Characters set aside for saying how much of a value was left out."""


@tool(group="evaluate", position=450, destructive=True, deadline=320.0)
async def evaluate(
    tab: Tab,
    expression: Annotated[str, "May be statements or await; returns the last value"],
    *,
    timeout: Timeout = 5000,
    await_promise: bool = True,
    element_id: Annotated[str | None, "Available as `element`"] = None,
) -> Answer[Value]:
    """Run JavaScript as in the page's console and return {value, type}.

    Declarations persist across calls. Execution stops after `timeout` ms.
    """
    await tab.page.present()
    await tab.page.ping()
    try:
        with trio.move_on_after(timeout / 1000 + _GRACE):
            async with _world(tab, element_id) as (session, context):
                value = await run(
                    session,
                    expression,
                    timeout_ms=timeout,
                    await_promise=await_promise,
                    context=context,
                )
            settings = tab.record.session.settings
            body = fitting(value, settings.max_chars, settings.secrets.hidden_in)
            return json_answer(body, value, tab_id=tab.record.id)
    except trio.Cancelled:
        with trio.move_on_after(2 * _GRACE, shield=True), suppress(CharlotteError, ProtocolError):
            await abandon(tab)
        raise
    await tab.page.end_script()
    raise timed_out(timeout)


@asynccontextmanager
async def _world(tab: Tab, element_id: str | None) -> AsyncGenerator[tuple[Session, str | None]]:
    """Where to run: in the page, or in the frame of an element that is bound there meanwhile."""
    if element_id is None:
        yield tab.page.session, None
        return
    async with bound(tab, element_id) as world:
        yield world.session, world.context


def fitting(value: Value, max_chars: int, hidden: Callable[[Any], Any]) -> dict[str, Any]:
    """``{value, type}`` without what is ``hidden``; of a long value the beginning of its text."""
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


async def abandon(tab: Tab) -> None:
    """End a script that nobody waits for any more, but not one that waits for a dialog.

    With the renderer, the script has gone as well.
    """
    if tab.record.crashed or tab.record.dialog is not None:
        return
    with trio.move_on_after(_GRACE) as asking:
        await tab.page.session.call(Evaluate(expression="0"))
    if asking.cancelled_caught:
        await tab.page.end_script()
