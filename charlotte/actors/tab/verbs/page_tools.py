"""Calls of a page's own tools (WebMCP), and what they change."""

import json
from collections.abc import Collection
from typing import Any

import trio

from charlotte.actors.state.page_tools import PageTool
from charlotte.actors.tab.actor import Look, TabActor
from charlotte.actors.tab.page.page_connection import HANG_AFTER
from charlotte.actors.tab.page.page_tool_calls import ToolCall, gone
from charlotte.actors.tab.verbs.focus import refused_password
from charlotte.base.errors import DeadlineExceeded
from charlotte.browser.world.isolated_world import GONE
from charlotte.protocol.connection import CdpSession
from charlotte.protocol.dom import ResolveNode
from charlotte.protocol.errors import SessionGone
from charlotte.protocol.runtime import CallFunctionOn, Evaluate

_FILLS_HIDDEN = """function () {
  const { get } = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, "elements");
  const fields = [...get.call(this)].filter((field) => field.type === "password");
  return fields.some((field) => NAMES.includes(field.name));
}"""
"""Whether one of the NAMES is that of a password field; a field may have the name elements."""


async def call_tool(
    tab: TabActor, tool: PageTool, given: dict[str, Any], timeout_ms: int
) -> tuple[Look, ToolCall]:
    """Call a tool of the page once, and return what changed, and how the call ended."""
    await tab.page.present()
    calls: list[ToolCall] = []

    async def call() -> None:
        sessions = (tab.page.session, *tab.page.processes)
        session = next((one for one in sessions if one.id == tool.session), None)
        if session is None:
            raise gone(tool)
        try:
            await _catch_up(tab, session)
            await _check_may_fill(tab, tool, given)
            calls.append(await tab.page.tools.call(session, tool, given, timeout_ms / 1000))
        except SessionGone:
            if session is tab.page.session:
                raise
            raise gone(tool) from None

    return await tab.act(call), calls[0]


async def _catch_up(tab: TabActor, session: CdpSession) -> None:
    """Wait for all events that the frame's process has sent, so that the tools are the present."""
    await tab.page.ping()
    if session is not tab.page.session:
        with trio.move_on_after(HANG_AFTER) as scope:
            await session.call(Evaluate(expression="0"))
        if scope.cancelled_caught:
            raise DeadlineExceeded(
                f"The frame of the tool has not answered for {HANG_AFTER:.0f} s. It was not called."
            )


async def _check_may_fill(tab: TabActor, tool: PageTool, given: Collection[str]) -> None:
    """Raise `PolicyRefused` if a policy refuses to fill in a password field of a form."""
    rule = tab.record.session.settings.policy.password_rule
    if rule is None or tool.form is None:
        return
    world = tab.page.frames.get(tool.frame_id)
    if world is None:
        raise gone(tool)
    asks = _FILLS_HIDDEN.replace("NAMES", json.dumps([*given]))
    resolve = ResolveNode(backend_node_id=tool.form, execution_context_id=world.number)
    try:
        form = (await world.session.call(resolve)).object_id or ""
        found = await world.session.call(
            CallFunctionOn(object_id=form, function_declaration=asks, return_by_value=True)
        )
    except GONE as error:
        raise gone(tool) from error
    if found.result.value is not False:
        raise refused_password(rule)
