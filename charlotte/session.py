"""A session as agents and programs use it: calls by name, typed methods, events."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import trio
from typing_extensions import TypeVar

from charlotte.actors.dispatcher import Call, TabHandle, open_target, run_in_monitor
from charlotte.actors.kernel.events import CAPACITY, Event, EventStream
from charlotte.actors.session import AgentSession
from charlotte.actors.state.events import DownloadChanged
from charlotte.actors.state.records import SessionRecord
from charlotte.actors.tab.faults import BlockedByDialog
from charlotte.errors import CharlotteError, InvalidArgument
from charlotte.files import Roots
from charlotte.metrics import Metrics, RunningCall
from charlotte.progress import Report, report_progress
from charlotte.tools.answer import Answer, Changed
from charlotte.tools.batch import Caller, Prepared
from charlotte.tools.envelope import failing_in_envelope
from charlotte.tools.pages import blocked_answer
from charlotte.tools.results import Found, Page
from charlotte.tools.schema.tool import Tool
from charlotte.tools.toolbox import ListedTool, Toolbox
from charlotte.tools.toolkit import SessionMethods

R = TypeVar("R")
E = TypeVar("E", bound=Event, default=Event)
Status = dict[str, Any]


class Session(SessionMethods):
    """One agent's session: its own cookies and storage, its own tabs, its own list of tools."""

    def __init__(
        self,
        agent: AgentSession,
        toolbox: Toolbox,
        status: Callable[[SessionRecord], Status],
        metrics: Metrics,
    ) -> None:
        self._agent = agent
        self._toolbox = toolbox
        self._status = status
        self._metrics = metrics
        self._listeners: list[Callable[[Changed], None]] = []
        self._saved = self._times_saved()
        agent.record.feed.add_hook(DownloadChanged, lambda _: self._compare_files())

    def listed(self) -> Sequence[ListedTool]:
        """The tools to show now."""
        return self._toolbox.listed()

    def status(self) -> Status:
        """What the server is doing (see `actors.status`), without the tabs of other sessions."""
        record = self._agent.record
        shown: Status = record.settings.secrets.hidden_in(self._status(record))
        return shown

    def hidden(self, text: str) -> str:
        """Return a text with the session's secrets replaced by their names."""
        return self._agent.record.hidden(text)

    def directories(self) -> tuple[Path, ...]:
        """Where files are kept: what is saved, and what pages download."""
        settings = self._agent.record.settings
        own = (settings.output_path, settings.screenshot_dir)
        return tuple(dict.fromkeys(one for one in own if one is not None))

    def use_roots(self, directories: Sequence[Path], /) -> None:
        """Have files read and written in a client's directories too, instead of where we work."""
        settings = self._agent.record.settings
        settings.roots = (*settings.given_roots, *directories)
        if settings.guard.files is not None:
            settings.guard = attrs.evolve(settings.guard, files=Roots(settings.roots))

    def input_schema(self, name: str) -> dict[str, Any] | None:
        """One tool's JSON schema; None if there is no such tool."""
        try:
            return self._toolbox.find(name).input_schema
        except LookupError:
            return None

    def on_change(self, callback: Callable[[Changed], None]) -> Callable[[], None]:
        """Call ``callback`` when `listed` or the saved files change; returns what ends that."""
        self._listeners.append(callback)

        def end() -> None:
            if callback in self._listeners:
                self._listeners.remove(callback)

        return end

    async def call(
        self, name: str, arguments: dict[str, Any] | None = None, progress: Report | None = None
    ) -> Answer:
        """Run a tool under any spelling of its name, and report its progress to whom it concerns.

        Raises `UnknownTool`, or the `CharlotteError` that is the answer.
        """
        answer = await self.answer(name, arguments or {}, progress)
        answer.delivered()
        return answer

    async def answer(
        self, name: str, arguments: dict[str, Any], progress: Report | None = None
    ) -> Answer:
        """Do the same for a caller who calls ``delivered`` of the answer once it is sent on."""
        prepared = self.prepare(name, arguments)
        if progress is None:
            return await self.perform(prepared)
        return await report_progress(progress, partial(self.perform, prepared))

    def prepare(self, name: str, arguments: dict[str, Any]) -> Prepared:
        """Check a call; raises `UnknownTool` and `InvalidArgument`."""
        return self._checked(self._toolbox.find(name), arguments)

    def _checked(self, tool: Tool, arguments: dict[str, Any]) -> Prepared:
        try:
            with failing_in_envelope(tool.name, arguments, None):
                return self._prepared(tool, arguments)
        except InvalidArgument as error:
            self._metrics.count_refusal(tool.name, error)
            raise

    def _prepared(self, tool: Tool, arguments: dict[str, Any]) -> Prepared:
        parsed = tool.parse(arguments)
        settings = self._agent.record.settings
        if settings.require_tab_id and parsed.get("tab_id", "") is None:
            raise InvalidArgument(
                f"{tool.name} needs tab_id: this session is configured to require it.",
                "tabs lists the open tabs; configure{require_tab_id: false} lifts this.",
            )
        if arguments.get("detail") is None and parsed.get("detail") == "delta":
            parsed["detail"] = settings.action_detail
        tab_id = parsed.pop("tab_id") if tool.tab else None
        return Prepared(tool, parsed, tab_id)

    async def _told(self, prepared: Prepared) -> Answer:
        answer = await self.perform(prepared)
        answer.delivered()
        return answer

    async def perform(self, prepared: Prepared) -> Answer:
        """Make a call that was checked; raises the `CharlotteError` that is the answer.

        An answer that is passed on whole is to be told that it was delivered.
        """
        call = RunningCall(self._agent.record.id, prepared.tool.name, prepared.tab_id)
        hidden = self._agent.record.settings.secrets
        with self._metrics.track(call):
            try:
                answer = await self._perform(prepared)
            except CharlotteError as error:
                error.hide(hidden.hidden_in)
                raise
            call.failed = answer.is_error
            self._compare_files()
        return answer.hiding(hidden)

    async def _perform(self, prepared: Prepared) -> Answer:
        tool = prepared.tool
        if tool.actor is Toolbox:
            return await self._change_tools(tool, prepared.arguments)
        if tool.actor is Caller:
            batched: Answer = await tool.handler(self, **prepared.arguments)
            return batched
        call = Call(
            tool=tool.name,
            actor=tool.actor,
            deadline=tool.deadline,
            tab_id=prepared.tab_id,
            read_only=tool.read_only,
        )
        with failing_in_envelope(tool.name, prepared.arguments, prepared.tab_id):
            try:
                if tool.actor not in {AgentSession, TabHandle}:
                    work = partial(tool.handler, **prepared.arguments)
                    return await run_in_monitor(self._agent, call, work)
                async with open_target(self._agent, call) as target:
                    answer: Answer = await tool.handler(target, **prepared.arguments)
                    return answer
            except BlockedByDialog as error:
                return blocked_answer(error, tool.blocked)

    async def run_tool(self, tool: Tool[..., R], arguments: Mapping[str, Any]) -> R:
        """Make a call of a program, which is shown all of what it gets, not only its text."""
        answer = await self._told(self._checked(tool, dict(arguments)))
        if isinstance(answer.value, Page | Found):
            self._note_shown(answer.value)
        return tool.value_of(answer)

    def _note_shown(self, value: Page | Found) -> None:
        if record := self._agent.record.tabs.get(value.tab_id):
            record.ids.note_shown(value.shown())

    def events(self, *kinds: type[E], capacity: int = CAPACITY) -> EventStream[E]:
        """What happens to this session's tabs from now on, of these kinds (see `actors.events`)."""
        return self._agent.record.feed.subscribe(*kinds, capacity=capacity)

    def most_characters(self) -> int:
        """How long an answer may be."""
        return self._agent.record.settings.max_chars

    async def _change_tools(self, tool: Tool, arguments: dict[str, Any]) -> Answer:
        before = self.listed()
        answer: Answer = await tool.handler(self._toolbox, **arguments)
        if self.listed() != before:
            self._notify("tools")
        return answer

    def _notify(self, changed: Changed) -> None:
        for listener in tuple(self._listeners):
            listener(changed)

    def _compare_files(self) -> None:
        """Notify of changed files: a directory has a new time with each that it gains or loses."""
        if self._listeners and (saved := self._times_saved()) != self._saved:
            self._saved = saved
            self._notify("resources")

    def _times_saved(self) -> dict[Path, int]:
        times: dict[Path, int] = {}
        for place in self.directories():
            with suppress(OSError):
                times[place] = place.stat().st_mtime_ns
        return times

    def limit(self, calls: int) -> None:
        """Have at most that many calls work on the session's pages at once, from now on."""
        self._agent.record.turns = trio.Semaphore(calls)
