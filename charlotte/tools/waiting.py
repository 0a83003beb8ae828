"""The tool that waits for what a page does by itself."""

import json
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Annotated, Any

import trio

from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.dom_queries import matches_of
from charlotte.actors.tab.wait_conditions import State, Wanted
from charlotte.actors.tab.wait_for import Watch
from charlotte.errors import CharlotteError, DeadlineExceeded, InvalidArgument
from charlotte.protocol.errors import ProtocolError
from charlotte.tools.answer import Answer, Text
from charlotte.tools.pages import page_answer
from charlotte.tools.results import Page
from charlotte.tools.schema.json_schema import Limits
from charlotte.tools.schema.parameters import Detail, ElementId, Timeout
from charlotte.tools.schema.tool import tool
from charlotte.tools.scripting import abandon

_AFTER_TIME_MS = 500
"""What is left for the other conditions when ``time`` comes close to the timeout."""
_ENDING = 2.0

_CONDITIONS = ("element_id", "text", "text_gone", "selector", "js")


def _check_conditions(arguments: Mapping[str, Any]) -> None:
    if arguments["element_id"] is None and arguments["state"] is not None:
        raise InvalidArgument(
            f"state {arguments['state']!r} needs an element_id.", "Say which element is to be so."
        )
    if arguments["time"] is None and not any(arguments[name] for name in _CONDITIONS):
        raise InvalidArgument(
            "wait_for needs at least one condition.",
            "Give element_id (with state), text, text_gone, selector, js or time.",
        )


Time = Annotated[int, Limits(minimum=0, maximum=300_000), "ms to wait"]


@tool(group="interaction", position=420, read_only=True, deadline=360.0, check=_check_conditions)
async def wait_for(
    tab: Tab,
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
    begun = trio.current_time()
    wanted = Wanted(
        element_id=element_id,
        state=state or "exists",
        text=text or None,
        text_gone=text_gone or None,
        selector=selector or None,
        js=js or None,
        time=(time or 0) / 1000,
    )
    if selector:
        await matches_of(tab, selector, 0)  # raises InvalidArgument
    limit = max(timeout, (time or 0) + _AFTER_TIME_MS) / 1000
    unmet: list[str] = []
    look = await tab.telling(partial(_wait, Watch(tab, wanted), begun, limit, unmet))
    answer = page_answer(tab, look, detail)
    if unmet:
        raise _too_late(limit, unmet, {"page": _body(answer)})
    return answer


async def _wait(watch: Watch, begun: float, limit: float, unmet: list[str]) -> None:
    """Wait; what does not hold at the limit is ``unmet``."""
    unmet += await _unmet(watch, begun, limit)


async def _unmet(watch: Watch, begun: float, seconds: float) -> list[str]:
    """Wait; what did not hold when the time was over, in words."""
    deadline = begun + seconds
    try:
        with trio.move_on_at(deadline):
            await watch.until_met(deadline)
            return []
        unmet = watch.unmet() or [f"js is not true{watch.js_error and f' ({watch.js_error})'}"]
        if url := watch.tab.page.activity.navigating_to:
            raise _too_late(seconds, [*unmet, f"{url} is still on its way"], {})
    finally:
        if watch.js_runs:
            await _end_js(watch.tab)  # noqa: ASYNC102 - shields and bounds itself
    return unmet


async def _end_js(tab: Tab) -> None:
    with trio.move_on_after(_ENDING, shield=True), suppress(CharlotteError, ProtocolError):
        await abandon(tab)


def _too_late(seconds: float, unmet: list[str], details: dict[str, Any]) -> DeadlineExceeded:
    return DeadlineExceeded(
        f"Within {seconds * 1000:.0f} ms it did not come to this: {'; '.join(unmet)}.",
        "Look at the page as it is now, and wait for something else or longer.",
        {"unmet": unmet, **details},
    )


def _body(answer: Answer) -> Any:
    return json.loads("".join(block.text for block in answer.blocks if isinstance(block, Text)))
