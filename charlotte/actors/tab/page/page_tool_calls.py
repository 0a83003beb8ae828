"""The tools of the page of a tab incarnation: events about them, and calls that end in any case.

The browser reports no end of a call whose document is replaced, and a tool may never answer. So a
call ends with the answer of the tool, with the end of its document, or at a deadline, after which
it is canceled.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import attrs
import trio

from charlotte.actors.state.page_tools import MOST_TOOLS, PageTool, gone, not_shown, read_tool
from charlotte.actors.state.records import TabRecord
from charlotte.base.errors import DeadlineExceeded
from charlotte.browser.world.event_throttle import Limit, Source
from charlotte.page.tokens import quote
from charlotte.protocol import page, runtime, webmcp
from charlotte.protocol.connection import CdpSession
from charlotte.protocol.errors import ProtocolError, Refused
from charlotte.protocol.wire import CdpEvent

_START_WAIT = 2.0
"""Seconds for the browser to start a tool, which it does before the page runs any script."""

_COMMIT_WAIT, _CANCEL_WAIT = 0.5, 1.0
"""Seconds by which an answer may follow a navigation that the tool began, and a cancellation."""

_MOST_SEEN = 100
EFFECT = "It may have had an effect; the call is not repeated."

FLOODS = Source(
    [webmcp.ToolsAdded],
    webmcp.DisableWebMcp(),
    [webmcp.EnableWebMcp()],
    [Limit((webmcp.ToolsAdded,), within=1.0, most=500)],
    repeats=False,
)
"""Registrations of tools by a page that replaces them all the time."""


@attrs.define(eq=False)
class ToolCall:
    """A call that has reached a page; ``digest`` is that of the tool that the call has reached.

    ``is_over`` is set if the document of the tool is gone, ``leads_away`` if the answer came from
    the document to which the tool has led.
    """

    digest: str | None = None
    response: webmcp.ToolResponded | None = None
    is_over: bool = False
    leads_away: bool = False
    is_canceled: bool = False


class ToolCalls:
    """Follows the events about the page's tools, and starts, ends and cancels calls."""

    def __init__(self, record: TabRecord, session: CdpSession, document: page.FrameInfo) -> None:
        """Follow the tools of a page; its frames offer none."""
        self._record, self._session, self._table = record, session, record.page_tools
        self._frame, self._address, self._origin = document.id, document.url, ""
        self._seen: dict[str, ToolCall] = {}  # also calls of the page and of other clients
        self._changed = trio.lowlevel.ParkingLot()
        self._table.by_name.clear()

    def feed(self, session: CdpSession, event: CdpEvent) -> None:
        """Record an event of the page's session; those of other sessions are ignored."""
        match event:
            case _ if session is not self._session:
                pass
            case webmcp.ToolsAdded(tools):
                for tool in tools:
                    self._add(tool)
            case webmcp.ToolsRemoved(removed):
                for each in removed:
                    if each.frame_id == self._frame:
                        self._table.by_name.pop(each.name, None)
            case webmcp.ToolInvoked(name, frame_id, invocation_id):
                hit = self._table.by_name.get(name) if frame_id == self._frame else None
                self._call(invocation_id).digest = hit.digest if hit else ""
                self._changed.unpark_all()
            case webmcp.ToolResponded(invocation_id):
                call = self._seen.get(invocation_id)
                if call is not None and call.response is None:  # a navigation sends a second one
                    call.response, call.leads_away = event, call.is_over
                    self._changed.unpark_all()
            case _:
                self._note_document(event)

    def _note_document(self, event: CdpEvent) -> None:
        """Note the origin of the document; drop tools and end calls of one that is gone."""
        match event:
            case runtime.ExecutionContextCreated(context):
                if context.aux_data.get("frameId") == self._frame:
                    self._origin = context.origin
            case page.FrameNavigated(frame) if frame.id == self._frame:
                self._address, self._origin = frame.url, frame.security_origin or self._origin
                self._table.by_name.clear()
                for call in self._seen.values():
                    call.is_over = True
                self._changed.unpark_all()
            case _:
                pass

    def _add(self, tool: webmcp.OfferedTool) -> None:
        present = self._table.by_name
        if tool.frame_id == self._frame:
            present.pop(tool.name, None)  # the last one of a name counts
            offered = read_tool(tool, self._origin, self._address)
            if offered is not None and len(present) < MOST_TOOLS:
                present[tool.name] = offered

    def _call(self, invocation_id: str) -> ToolCall:
        """Return a call by its id, which may be reported before the answer to our command."""
        call = self._seen.setdefault(invocation_id, ToolCall())
        for oldest in [*self._seen][:-_MOST_SEEN]:
            del self._seen[oldest]
        return call

    async def call(self, tool: PageTool, given: dict[str, Any], seconds: float) -> ToolCall:
        """Start a tool, and wait until the call ends.

        Raises `PageToolNotShown` if the page has replaced it, `PageToolNotFound` if it is gone.
        """
        invocation_id, call = await self._start(tool, given)
        try:
            await self._wait(
                seconds,
                lambda: call.response or call.is_over or call.digest not in {None, tool.digest},
            )
            if call.is_over:
                await self._wait(_COMMIT_WAIT, lambda: call.response)
            elif call.response is None:
                await self._cancel(invocation_id, call)
        except trio.Cancelled:
            if self._record.dialog is None:  # else the tool goes on when the dialog is answered
                with trio.move_on_after(_CANCEL_WAIT, shield=True):
                    await self._cancel(invocation_id, call)
            raise
        return call

    async def _wait(self, seconds: float, has_ended: Callable[[], object]) -> None:
        with trio.move_on_after(seconds):
            while not has_ended():
                await self._changed.park()

    async def _start(self, tool: PageTool, given: dict[str, Any]) -> tuple[str, ToolCall]:
        present = self._table.by_name.get(tool.name)
        if present is None:
            raise gone(tool)
        if present.digest != tool.digest:
            raise not_shown(present, was_shown=True)
        command = webmcp.InvokeTool(frame_id=self._frame, tool_name=tool.name, input=given)
        # a call whose id is unknown could not be canceled
        with trio.move_on_after(_START_WAIT, shield=True):
            try:
                invocation_id = await self._session.call(command)
            except Refused as error:
                raise gone(tool) from error
            return invocation_id, self._call(invocation_id)
        raise DeadlineExceeded(
            f"The browser has not started the tool {quote(tool.name)} within {_START_WAIT:.0f} s. "
            f"{EFFECT}",
            "Observe the page before you decide how to go on.",
        )

    async def _cancel(self, invocation_id: str, call: ToolCall) -> None:
        """Cancel a call, and wait a moment for its end."""
        call.is_canceled = True
        with trio.move_on_after(_CANCEL_WAIT), suppress(ProtocolError):
            await self._session.begin(webmcp.CancelInvocation(invocation_id=invocation_id))
            await self._wait(_CANCEL_WAIT, lambda: call.response)
