"""The tools of the page of a tab incarnation: events about them, and calls that end in any case.

The browser reports no end of a call whose document is replaced, and a tool may never answer. So a
call ends with the answer of the tool, with the end of its document, or at a deadline, after which
it is canceled. A call that a dialog interrupts is watched in the background.
"""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Literal, NoReturn

import attrs
import trio

from charlotte.actors.state.page_tools import PageTool, not_shown, read_tool
from charlotte.actors.state.records import TabRecord
from charlotte.browser.event_throttle import MostEvents, Source
from charlotte.errors import DeadlineExceeded, PageToolNotFound, PageToolNotShown, ellipsize
from charlotte.page.model import compact_json
from charlotte.page.text.plain import write_line
from charlotte.page.text.tokens import quote
from charlotte.protocol import page, runtime, webmcp
from charlotte.protocol.connection import Session
from charlotte.protocol.errors import ProtocolError, Refused
from charlotte.protocol.wire import CdpEvent

_START_WAIT = 2.0
"""Seconds for the browser to start a tool, which it does before the page runs any script."""

_COMMIT_WAIT = 0.5
"""Seconds by which the answer of a tool may follow the navigation that the tool began."""

_CANCEL_WAIT = 1.0
FILL_WAIT = 0.5
"""Seconds in which a form that does not submit itself is filled in, or refuses the input."""

LONGEST_LEFT = 300.0
"""Seconds for which a call is watched after its answer: for a dialog, or a form to be submitted."""

_MOST_FOREIGN = 100
_LONGEST_ERROR = 300
_LONGEST_RESULT = 400

EFFECT = "It may have had an effect; the call is not repeated."
OBSERVE_FIRST = "Observe the page before you decide how to go on."

FLOODS = Source(
    (webmcp.ToolsCounted,),
    webmcp.DisableWebMcp(),
    [webmcp.EnableWebMcp()],
    MostEvents,
    repeats=False,
)
"""Registrations of tools by a page that replaces them all the time."""


@attrs.define(eq=False)
class ToolCall:
    """A call that has reached the page; ``digest`` is that of the tool that the call reached.

    ``end`` is why the document of the tool is gone. ``leads_away`` is set if the answer came from
    the document to which the tool has led. ``is_left`` is set if the call waits for its form to be
    submitted.
    """

    frame: str
    session: str
    name: str
    digest: str | None = None
    response: webmcp.ToolResponded | None = None
    end: Literal["", "navigated", "removed"] = ""
    is_canceled: bool = False
    is_left: bool = False
    leads_away: bool = False
    lost_tool: bool = False
    tool: PageTool | None = None
    _changed: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)

    @property
    def is_swapped(self) -> bool:
        """Whether the call reached another tool than the one that was meant."""
        return self.tool is not None and self.digest not in {None, self.tool.digest}

    @property
    def has_ended(self) -> bool:
        """Whether nothing is left to wait for."""
        return self.response is not None or bool(self.end) or self.is_swapped

    def respond(self, response: webmcp.ToolResponded) -> None:
        """Note the answer of the tool; the browser sends a second one after a navigation."""
        if self.response is None:
            self.response, self.leads_away = response, bool(self.end)
        self._changed.unpark_all()

    def interrupt(self, end: Literal["navigated", "removed"]) -> None:
        """Note that the document of the tool is gone."""
        self.end = self.end or end
        self._changed.unpark_all()

    def note_hit(self, digest: str) -> None:
        """Note which tool the call has reached."""
        self.digest = digest
        self._changed.unpark_all()

    async def wait(self, seconds: float) -> None:
        """Wait until the call ends; after a navigation, a moment longer for the answer."""
        with trio.move_on_after(seconds):
            while not self.has_ended:
                await self._changed.park()
        if self.end:
            await self.wait_for_response(_COMMIT_WAIT)

    async def wait_for_response(self, seconds: float) -> None:
        """Wait for the answer of the tool, whatever else has happened."""
        with trio.move_on_after(seconds):
            while self.response is None:
                await self._changed.park()

    def describe_failure(self) -> str:
        """Return the error of the tool on one line, as its page words it; "" for a success."""
        response = self.response
        if response is None or response.status == "Completed":
            return ""
        text = response.error_text
        if (thrown := response.exception) is not None:
            text = (thrown.description or compact_json(thrown.value)).lstrip().partition("\n")[0]
        return ellipsize(write_line(text), _LONGEST_ERROR)


class ToolCalls:
    """Follows the events about the page's tools, and starts, ends and cancels calls."""

    def __init__(
        self, record: TabRecord, main_frame: page.FrameInfo, is_withheld: Callable[[str], bool]
    ) -> None:
        """Follow the tools of a tab, without those of frames that are withheld."""
        self._record, self._table = record, record.page_tools
        self._main_frame = main_frame.id
        self._is_withheld = is_withheld
        self._origins: dict[str, str] = {}
        self._documents = {main_frame.id: main_frame.url}
        self._calls: dict[str, ToolCall] = {}
        self._own: dict[str, ToolCall] = {}
        self._leave, self._left = trio.open_memory_channel[tuple[Session, str, ToolCall, float]](
            math.inf
        )
        self._table.drop()

    def feed(self, session: Session, event: CdpEvent) -> None:
        """Record an event of the page's session, or of a frame in another process."""
        process = session.id or ""
        match event:
            case webmcp.ToolsAdded(tools):
                self._add(process, tools)
            case webmcp.ToolsRemoved(tools):
                self._remove(process, tools)
            case webmcp.ToolInvoked():
                self._note_invoked(process, event)
            case webmcp.ToolResponded(invocation_id):
                if call := self._own.get(invocation_id) or self._calls.get(invocation_id):
                    call.respond(event)
            case runtime.ExecutionContextCreated(context) if "frameId" in context.aux_data:
                self._origins[context.aux_data["frameId"]] = context.origin
            case page.FrameNavigated(frame):
                self._note_document(process, frame)
            case page.FrameDetached(frame_id, reason):
                self._note_detached(process, frame_id, is_swap=reason == "swap")
            case _:
                pass

    def _add(self, process: str, tools: Sequence[webmcp.Tool]) -> None:
        for tool in tools:
            if not self._is_withheld(tool.frame_id):
                label = self._table.label(tool.frame_id, self._main_frame)
                origin = self._origins.get(tool.frame_id, "")
                document = self._documents.get(tool.frame_id)
                self._table.add(read_tool(tool, process, label, origin, document))

    def _remove(self, process: str, tools: Sequence[webmcp.RemovedTool]) -> None:
        for tool in tools:
            self._table.remove(process, tool.frame_id, tool.name)
            for call in self._of(process, tool.frame_id):
                call.lost_tool = call.lost_tool or call.name == tool.name

    def _note_invoked(self, process: str, event: webmcp.ToolInvoked) -> None:
        hit = self._table.at(process, event.frame_id, event.tool_name)
        digest = hit.digest if hit else ""
        if call := self._own.get(event.invocation_id):
            call.note_hit(digest)
            return
        call = ToolCall(event.frame_id, process, event.tool_name, digest)
        self._calls[event.invocation_id] = call  # perhaps ours, whose id is still unknown
        for oldest in [*self._calls][:-_MOST_FOREIGN]:
            del self._calls[oldest]

    def _note_document(self, process: str, frame: page.FrameInfo) -> None:
        if frame.security_origin:
            self._origins[frame.id] = frame.security_origin
        self._documents[frame.id] = frame.url
        if frame.id == self._main_frame:
            self._table.drop()
            for call in self._of(None, None):
                call.interrupt("navigated")
        else:
            self._table.drop(session=process, frame=frame.id)
            for call in self._of(process, frame.id):
                call.interrupt("navigated")

    def _note_detached(self, process: str, frame: str, *, is_swap: bool) -> None:
        """Drop the tools of a frame that was removed, or has moved to another process."""
        where = process if is_swap else None
        self._table.drop(session=where, frame=frame)
        if not is_swap:
            self._origins.pop(frame, None)
            self._documents.pop(frame, None)
        for call in self._of(where, frame):
            call.interrupt("navigated" if is_swap else "removed")

    def end_session(self, session: Session) -> None:
        """Drop the tools of a process that has ended."""
        self._table.drop(session=session.id or "")
        for call in self._of(session.id or "", None):
            call.interrupt("removed")

    def clear(self, session: Session) -> None:
        """Drop the tools of a session that are reported again later."""
        self._table.drop(session=session.id or "")

    def _of(self, process: str | None, frame: str | None) -> list[ToolCall]:
        """Return the calls in a process and frame; None means any."""
        return [
            call
            for call in (*self._own.values(), *self._calls.values())
            if process in {None, call.session} and frame in {None, call.frame}
        ]

    async def call(
        self, session: Session, tool: PageTool, given: dict[str, Any], seconds: float
    ) -> ToolCall:
        """Start a tool, and wait until the call ends, or its form is filled in.

        Raises `PageToolNotShown` if the page has replaced it, `PageToolNotFound` if it is gone.
        """
        invocation_id, call = await self._start(session, tool, given)
        try:
            await call.wait(seconds if tool.submits else min(seconds, FILL_WAIT))
        except trio.Cancelled:
            waits = self._record.dialog is not None
            self._leave.send_nowait((session, invocation_id, call, LONGEST_LEFT if waits else 0))
            raise
        if call.has_ended and not call.is_swapped:
            del self._own[invocation_id]
        elif tool.submits or call.is_swapped:
            await self._cancel(session, invocation_id, call)
        else:
            call.is_left = True
            self._leave.send_nowait((session, invocation_id, call, LONGEST_LEFT))
        return call

    async def _start(
        self, session: Session, tool: PageTool, given: dict[str, Any]
    ) -> tuple[str, ToolCall]:
        present = self._table.at(tool.session, tool.frame, tool.name)
        if present is None:
            raise gone(tool)
        if present.digest != tool.digest:
            raise not_shown(present, was_shown=True)
        command = webmcp.InvokeTool(frame_id=tool.frame, tool_name=tool.name, input=given)
        # a call whose id is unknown could not be canceled
        with trio.move_on_after(_START_WAIT, shield=True):
            try:
                invocation_id = await session.call(command)
            except Refused as error:
                raise gone(tool) from error
            call = self._calls.pop(invocation_id, None)
            call = call or ToolCall(tool.frame, tool.session, tool.name)
            call.tool = tool
            self._own[invocation_id] = call
            return invocation_id, call
        raise DeadlineExceeded(
            f"The browser has not started the tool {quote(tool.name)} within {_START_WAIT:.0f} s. "
            f"{EFFECT}",
            OBSERVE_FIRST,
        )

    async def _cancel(self, session: Session, invocation_id: str, call: ToolCall) -> None:
        """Cancel a call, and wait a moment for its end."""
        call.is_canceled = call.response is None
        with trio.move_on_after(_CANCEL_WAIT, shield=True), suppress(ProtocolError):
            await session.begin(webmcp.CancelInvocation(invocation_id=invocation_id))
            await call.wait_for_response(_CANCEL_WAIT)
        self._own.pop(invocation_id, None)

    async def watch(self) -> NoReturn:
        """Watch the calls that go on after their answer: report their ends, cancel late ones."""
        async with trio.open_nursery() as nursery:
            async for left in self._left:
                nursery.start_soon(self._watch, *left)
        raise AssertionError  # the channel is never closed

    async def _watch(
        self, session: Session, invocation_id: str, call: ToolCall, seconds: float
    ) -> None:
        await call.wait(seconds)
        if not call.has_ended:
            await self._cancel(session, invocation_id, call)
        self._own.pop(invocation_id, None)
        if seconds and not (call.is_left and call.response is None):
            self._record.notify([self._describe_late(call)])

    def _describe_late(self, call: ToolCall) -> str:
        """Return the notice about a call that ended after its answer."""
        about = f"The page's tool {quote(call.name)}, called before,"
        if call.response is None:
            return f"{about} has not answered. It may have had an effect."
        if failure := call.describe_failure():
            return f"{about} failed; the page's words: {failure}"
        hidden = self._record.session.settings.secrets.hidden_in
        result = ellipsize(compact_json(hidden(call.response.output)), _LONGEST_RESULT)
        return f"{about} has completed; its result, from the page: {result}"


def gone(tool: PageTool) -> PageToolNotFound:
    """Return the error for a tool that the page has removed."""
    return PageToolNotFound(
        f"The page no longer offers its tool {quote(tool.name)}; it was not called."
    )


def swapped(tool: PageTool) -> PageToolNotShown:
    """Return the error for a tool that the page replaced while the call was on its way."""
    return PageToolNotShown(
        f"The page replaced its tool {quote(tool.name)} while the call was on its way; the call "
        f"was canceled. {EFFECT}",
    )
