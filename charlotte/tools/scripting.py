"""The tool that runs an agent's own JavaScript."""

from contextlib import suppress
from typing import Annotated

import trio

from charlotte.actors.tab import Tab
from charlotte.browser.evaluate import evaluate as run
from charlotte.browser.evaluate import timed_out
from charlotte.errors import CharlotteError
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.runtime import Evaluate
from charlotte.tools.answer import Answer
from charlotte.tools.pages import json_answer
from charlotte.tools.parameters import Timeout
from charlotte.tools.tool import tool

_GRACE = 0.5


@tool(group="evaluate", destructive=True, deadline=320.0)
async def evaluate(
    tab: Tab,
    *,
    expression: Annotated[str, "Statements too; await works; the last value counts"],
    timeout: Timeout = 5000,
    await_promise: bool = True,
) -> Answer:
    """Run JavaScript in the page like in its console, and return {value, type}.

    What is declared stays for the next call. A loop is ended at the timeout (ms).
    """
    await tab.page.present()
    await tab.page.ping()
    try:
        with trio.move_on_after(timeout / 1000 + _GRACE):
            value = await run(
                tab.page.session, expression, timeout_ms=timeout, await_promise=await_promise
            )
            return json_answer(value.as_json(), tab_id=tab.record.id)
    except trio.Cancelled:
        with trio.move_on_after(2 * _GRACE, shield=True), suppress(CharlotteError, ProtocolError):
            await abandon(tab)
        raise
    await tab.page.end_script()
    raise timed_out(timeout)


async def abandon(tab: Tab) -> None:
    """End a script that nobody waits for any more, but not one that waits for a dialog."""
    if tab.record.dialog is not None:
        return
    with trio.move_on_after(_GRACE) as asking:
        await tab.page.session.call(Evaluate(expression="0"))
    if asking.cancelled_caught:
        await tab.page.end_script()
