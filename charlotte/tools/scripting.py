"""The tool that runs an agent's own JavaScript."""

from typing import Annotated

import trio

from charlotte.actors.tab import Tab
from charlotte.browser.evaluate import evaluate as run
from charlotte.browser.evaluate import timed_out
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
    with trio.move_on_after(timeout / 1000 + _GRACE):
        value = await run(
            tab.page.session, expression, timeout_ms=timeout, await_promise=await_promise
        )
        return json_answer(value.as_json(), tab_id=tab.record.id)
    await tab.page.end_script()
    raise timed_out(timeout)
