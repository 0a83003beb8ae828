"""Tools that run JavaScript in a page, or wait for it."""

from collections.abc import Mapping
from typing import Annotated, Any

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab.verbs import evaluate as scripts
from charlotte.actors.tab.verbs import wait_for as waiting
from charlotte.actors.tab.verbs.wait_for import State, WaitConditions
from charlotte.answers.answer import Answer, Page
from charlotte.answers.pages import (
    json_answer,
    limit_extras,
    limit_value,
    list_refusals,
    page_answer,
    with_page,
)
from charlotte.base.errors import InvalidArgument
from charlotte.browser.evaluate import ScriptValue
from charlotte.tools.schema.arguments import ElementId, Limits, RareDetail, Timeout, Uses
from charlotte.tools.schema.tool import action_tool, tool

_TRUNCATION = 150
"""Characters reserved for the truncation of a value."""


@tool(
    group="evaluate",
    title="Run JavaScript",
    position=450,
    destructive=True,
    deadline=320.0,
    uses="scripts",
)
async def evaluate(
    tab: TabHandle,
    expression: Annotated[
        str, "Expression or statements, also with await; the last value is returned."
    ],
    *,
    timeout: Timeout = 5000,
    await_promise: Annotated[bool, "Wait for a promise and return its result."] = True,
    element_id: Annotated[ElementId | None, "Id of an element, available as `element`."] = None,
) -> Answer[ScriptValue]:
    """Run JavaScript as in the page's console and return {value, type}.

    Declarations persist across calls. Execution stops after `timeout` ms.
    """
    since, number = tab.record.errors.last, tab.record.request_log.added
    value = await tab.do(
        scripts.evaluate,
        expression,
        timeout_ms=timeout,
        await_promise=await_promise,
        reference=element_id,
    )
    settings = tab.record.session.settings
    body: dict[str, Any] = settings.secrets.hidden_in(value.as_json())
    body |= limit_value("value", body["value"], settings.max_chars - _TRUNCATION)
    if refused := list_refusals(tab.record, since, number):
        shown = settings.secrets.hidden_in({"refused": refused})
        body |= limit_extras(shown, settings.max_chars)
    return json_answer(body, value, tab_id=tab.record.id)


def _check_conditions(arguments: Mapping[str, Any]) -> None:
    if arguments["element_id"] is None and arguments["state"] is not None:
        raise InvalidArgument(
            f"element_id is required with state {arguments['state']!r}.",
            "Pass an id from observe or find.",
        )
    if arguments["time"] is None and not any(
        arguments[name] for name in ("element_id", "text", "text_gone", "selector", "js")
    ):
        raise InvalidArgument(
            "wait_for needs at least one condition.",
            "Pass element_id (with state), text, text_gone, selector, js or time.",
        )


@action_tool(
    title="Wait for a condition",
    position=420,
    read_only=True,
    deadline=360.0,
    check=_check_conditions,
    writes=True,
)
async def wait_for(
    tab: TabHandle,
    *,
    element_id: Annotated[ElementId | None, "Id of an element to wait for."] = None,
    state: Annotated[State | None, "State of the element. Default: exists."] = None,
    text: Annotated[str | None, "Text that must be on the page."] = None,
    text_gone: Annotated[str | None, "Text that must not be on the page."] = None,
    selector: Annotated[str | None, "CSS selector that must match an element."] = None,
    js: Annotated[
        str | None, Uses("scripts"), "JavaScript expression that must become true."
    ] = None,
    time: Annotated[
        int | None,
        Limits(minimum=0, maximum=300_000),
        "Time in ms that must pass; prefer a condition.",
    ] = None,
    timeout: Annotated[Timeout, "Maximum time in ms; then the call fails."] = 10_000,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Wait until all given conditions hold, then return what changed.

    Actions already wait for the page to settle; use this only for later changes.
    """
    wanted = WaitConditions(
        element_id=element_id,
        state=state or "exists",
        text=text or None,
        text_gone=text_gone or None,
        selector=selector or None,
        js=js or None,
        time=(time or 0) / 1000,
    )
    # 500 ms for the other conditions
    limit = (max(timeout, time + 500) if time else timeout) / 1000
    look, unmet = await tab.do(waiting.wait_for, wanted, limit)
    answer = page_answer(tab.record, look, detail)
    if unmet:
        raise with_page(waiting.build_timeout_error(limit, unmet), answer)
    return answer
