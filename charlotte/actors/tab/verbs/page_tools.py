"""Calls of a page's own tools (WebMCP), and what they change."""

from typing import Any

import trio

from charlotte.actors.state.page_tools import PageTool, gone
from charlotte.actors.tab.actor import Look, TabActor
from charlotte.actors.tab.page.page_connection import HANG_AFTER
from charlotte.actors.tab.page.page_tool_calls import ToolCall
from charlotte.base.errors import DeadlineExceeded
from charlotte.protocol.connection import CdpSession
from charlotte.protocol.errors import SessionGone
from charlotte.protocol.runtime import Evaluate


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
