"""A session for agents and programs: calls by name, typed methods, events, metrics of calls."""

import json
from collections import deque
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import structlog
import trio
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from typing_extensions import TypeVar

from charlotte.actors.dispatcher import AgentSession, Call, TabHandle, open_target
from charlotte.actors.kernel.mailbox import STREAM_CAPACITY, Event, EventStream
from charlotte.actors.state.news import Client
from charlotte.actors.state.questions import Channel, Question
from charlotte.actors.state.records import SessionRecord
from charlotte.actors.state.session_settings import Settings, TabBudget, UrlPolicy
from charlotte.actors.tab.actor import BlockedByDialog, TabActor
from charlotte.answers.answer import (
    Answer,
    Found,
    Page,
    TabRow,
    add_boundaries,
    add_envelope,
    deliver,
    row_of,
)
from charlotte.answers.answer_format import ARGUMENT, answering_in, take_format
from charlotte.answers.pages import blocked_answer, page_answer
from charlotte.answers.remarks import write_error
from charlotte.api.call_watch import CallWatch, RunningCall
from charlotte.base.errors import (
    AuditFailed,
    CharlotteError,
    ElementChanged,
    ElementNotFound,
    Fatal,
    InvalidArgument,
    PolicyRefused,
    SessionProblem,
    WindowClosed,
    ellipsize,
    report_nothing,
)
from charlotte.base.files import Roots
from charlotte.base.progress import Report, report_progress
from charlotte.base.saved_files import FileContents, FileEntry, list_files, read_file
from charlotte.base.urls import origin_of
from charlotte.browser.sandbox_page import Sandbox
from charlotte.config.config import AnswerFormat
from charlotte.page.model import compact_json
from charlotte.tools.batch import CallingSession, Prepared
from charlotte.tools.schema.tool import ListedTool, Tool, Toolbox, UnknownTool
from charlotte.tools.toolkit import SessionMethods, ToolListeners

log = structlog.get_logger(__name__)

R = TypeVar("R")
E = TypeVar("E", bound=Event, default=Event)

BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of the duration buckets, in seconds."""

START_WAIT = 60.0
"""Seconds that a call waits while no browser is live: the first ones of a cluster may start."""
_NO_VERDICT = "The URL policy of the program gave no verdict."
_LONG_WAIT = 1.0


class Metrics:
    """All calls of all sessions: those in ``running``, the last in ``recent``, counts of the rest.

    Calls are counted by tool and by ``ok``, ``failed`` (an answer that is an error), the code of
    an error, ``cancelled``, or ``crashed`` (a bug).
    """

    def __init__(self) -> None:
        self.running: set[RunningCall] = set()
        self.recent: deque[RunningCall] = deque(maxlen=120)
        self.registry = CollectorRegistry()
        running = Gauge("charlotte_calls_running", "Calls in progress.", registry=self.registry)
        running.set_function(lambda: len(self.running))
        self._outcomes = Counter(
            "charlotte_calls", "Calls by outcome.", ("tool", "outcome"), registry=self.registry
        )
        self._seconds = Histogram(
            "charlotte_call_seconds",
            "Duration of calls.",
            ("tool",),
            buckets=BOUNDS,
            registry=self.registry,
        )

    @contextmanager
    def track(self, call: RunningCall) -> Generator[RunningCall]:
        """Count the work of the block as one call."""
        self.running.add(call)
        try:
            yield call
            call.outcome = "failed" if call.failed else "ok"
        except CharlotteError as error:
            call.outcome = error.code
            raise
        except Exception:
            call.outcome = "crashed"
            raise
        finally:
            self.running.discard(call)
            call.ended = trio.current_time()
            self._outcomes.labels(call.tool, call.outcome).inc()
            self._seconds.labels(call.tool).observe(call.ended - call.since)
            self.recent.append(call)

    def count_refusal(self, tool: str, error: CharlotteError) -> None:
        """Count a call that was refused before it began."""
        self._outcomes.labels(tool, error.code).inc()


async def _run_on(target: AgentSession | TabHandle, prepared: Prepared) -> Answer:
    """Run the handler; the answer or error says if the tab shows the browser's error page."""
    record = target.record if isinstance(target, TabHandle) else None
    try:
        answer: Answer = await prepared.tool.handler(target, **prepared.arguments)
    except (ElementNotFound, ElementChanged) as error:
        if record and (note := record.error_note):
            error.suggestion = f"The tab shows the browser's error page: {note}."
        raise
    except Fatal as error:
        error.delivered = record.news.note_crash_known if record else error.delivered
        raise
    if record is not None:
        answer, news = answer.with_error_page(record.error_note), record.news
        losses = [] if news.current.knows_crash else news.unread(Fatal)
        if losses and answer.delivered is report_nothing:
            answer = answer.with_note(losses[-1].message)
            answer = attrs.evolve(answer, delivered=news.note_crash_known)
    return answer


@attrs.define(eq=False)
class SessionCalls(ToolListeners, SessionMethods):
    """Calls by name, of sessions here and on a cluster."""

    async def answer(
        self,
        name: str,
        arguments: dict[str, Any],
        progress: Report | None = None,
        channel: Channel | None = None,
    ) -> Answer:
        """Run a tool; the caller calls ``delivered`` of the answer."""
        raise NotImplementedError

    async def call(
        self, name: str, arguments: dict[str, Any] | None = None, progress: Report | None = None
    ) -> Answer:
        """Run a tool, by any spelling of its name, and report its progress.

        Raises `UnknownTool`, or the `CharlotteError` that is the answer.
        """
        return await deliver(self.answer(name, arguments or {}, progress))


@attrs.define(eq=False)
class Session(SessionCalls):
    """One agent's session: its own cookies and storage, its own tabs, its own list of tools."""

    _agent: AgentSession
    _toolbox: Toolbox
    _status: Callable[[SessionRecord], dict[str, Any]]
    _metrics: Metrics
    _watch: CallWatch | None = None
    _roots: dict[Client, tuple[Path, ...]] = attrs.field(factory=dict[Client, "tuple[Path, ...]"])

    @property
    def record(self) -> SessionRecord:
        """The record of the session, which outlives its browser."""
        return self._agent.record

    @property
    def enabled(self) -> frozenset[str]:
        """The names of the enabled tools."""
        return self._toolbox.enabled

    def listed(self) -> Sequence[ListedTool]:
        """Return the tools that are enabled now."""
        return self._toolbox.listed()

    def status(self) -> dict[str, Any]:
        """Return the server's status (see `actors.introspection`) with this session's tabs only."""
        record = self._agent.record
        status: dict[str, Any] = record.settings.secrets.hidden_in(self._status(record))
        return status

    async def read_status(self) -> dict[str, Any]:
        """Return `status`; the engine of a cluster has to ask a host for it."""
        return self.status()

    async def list_files(self) -> Sequence[FileEntry]:
        """Return the newest saved and downloaded files."""
        hidden = self._agent.record.hidden
        return await trio.to_thread.run_sync(list_files, self.directories(), hidden)

    async def read_file(self, address: str) -> FileContents:
        """Return the saved file with a ``file:`` URI; raises `InvalidArgument`."""
        hidden = self._agent.record.hidden
        return await trio.to_thread.run_sync(read_file, address, self.directories(), hidden)

    def directories(self) -> tuple[Path, ...]:
        """Return the directories of saved and downloaded files."""
        settings = self._agent.record.settings
        own = (settings.output_path, settings.screenshot_dir)
        return tuple(dict.fromkeys(directory for directory in own if directory is not None))

    def use_roots(self, directories: Sequence[Path], /) -> None:
        """Allow files in the directories of this client, instead of the working directory."""
        settings = self._agent.record.settings
        self._roots[self._agent.record.client] = tuple(directories)
        every = (directory for each in self._roots.values() for directory in each)
        settings.roots = (*settings.given_roots, *dict.fromkeys(every))
        if settings.guard.files is not None:
            settings.guard = attrs.evolve(settings.guard, files=Roots(settings.roots))

    @property
    def may_ask(self) -> bool:
        """Whether the policy can put a call or a request to a person."""
        return self._agent.record.settings.config.rules.may_ask

    def give_back(self, question: Question) -> None:
        """Leave a question that a client could not show to the dashboard, or refuse it."""
        self._agent.record.questions.give_back(question)

    async def answer(
        self,
        name: str,
        arguments: dict[str, Any],
        progress: Report | None = None,
        channel: Channel | None = None,
    ) -> Answer:
        """Do the same as `call` for a caller that calls ``delivered`` once the answer is sent.

        The questions of the call go to a ``channel``.
        """
        record = self._agent.record
        try:
            prepared = self.prepare(name, arguments)
            work, tab_id = partial(self.perform, prepared), prepared.tab_id or record.active
            with record.questions.channel(tab_id, channel) if channel else nullcontext():
                answer = await (work() if progress is None else report_progress(progress, work))
        except CharlotteError as error:
            if error.text is not None and record.settings.config.content_boundaries:
                error.text = add_boundaries(error.text)
            raise
        if prepared.answers == "text":
            bounded = record.settings.config.content_boundaries
            return answer.marked_untrusted(with_boundaries=bounded)
        return answer

    def prepare(self, name: str, arguments: dict[str, Any]) -> Prepared:
        """Check a call; raises `UnknownTool` and `InvalidArgument`."""
        try:
            tool = self._toolbox.find(name)
        except UnknownTool:
            if self._watch is not None:
                self._watch.refuse(name, arguments, "UNKNOWN_TOOL")
            raise
        return self._prepare(tool, arguments)

    def _prepare(self, tool: Tool, arguments: dict[str, Any]) -> Prepared:
        settings = self._agent.record.settings
        begun = trio.current_time()
        answers = settings.answers
        try:
            if ARGUMENT not in tool.input_schema["properties"]:
                answers, arguments = take_format(arguments, settings.answers)
            parsed = tool.parse(arguments, require_tab_id=settings.require_tab_id)
        except InvalidArgument as error:
            add_envelope(error, tool.name, arguments, None, begun)
            self._note_refusal(tool, answers, error)
            if self._watch is not None:
                self._watch.refuse(tool.name, arguments, error.code)
            raise
        if arguments.get("detail") is None and parsed.get("detail") == "delta":
            parsed["detail"] = settings.action_detail
        tab_id = parsed.pop("tab_id") if tool.tab else None
        return Prepared(tool, parsed, tab_id, answers)

    def _note_refusal(self, tool: Tool, answers: AnswerFormat, error: CharlotteError) -> None:
        """Count a call that was refused before it began, and write its error."""
        if answers == "text":
            error.text = write_error(error)
        self._metrics.count_refusal(tool.name, error)

    async def perform(self, prepared: Prepared) -> Answer:
        """Make a checked call; raises the `CharlotteError` that is the answer.

        The caller has to call ``delivered`` of the answer.
        """
        call = RunningCall(self._agent.record.id, prepared.tool.name, prepared.tab_id)
        if self._watch is None:
            return await self._perform(prepared, call)
        try:
            self._watch.check()
        except AuditFailed as error:
            self._note_refusal(prepared.tool, prepared.answers, error)
            raise
        with self._watch.watching(prepared, call):
            return await self._perform(prepared, call)

    async def _perform(self, prepared: Prepared, call: RunningCall) -> Answer:
        """Run and count a call; redact its answer or error."""
        hidden = self._agent.record.settings.secrets
        with self._metrics.track(call):
            try:
                await self._check_policy(prepared)
                with answering_in(prepared.answers):
                    answer = await self._run_handler(prepared)
            except CharlotteError as error:
                tool, arguments = prepared.tool.name, prepared.arguments
                if prepared.tool.tab:
                    error.tab_id = prepared.tab_id or self._agent.record.active
                add_envelope(error, tool, arguments, error.tab_id, call.since)
                error.hide(hidden.hidden_in)
                if prepared.answers == "text":
                    error.text = write_error(error)
                call.characters = len(error.text or compact_json(error.as_json()))
                raise
            finally:
                self._compare_page_tools()
            call.failed = answer.is_error
        answer = answer.hiding(hidden)
        call.answered_by, call.characters = answer.metadata.get("tab_id"), len(answer.text)
        return answer

    async def _check_policy(self, prepared: Prepared) -> None:
        """Raise `PolicyRefused` if a rule refuses the call, or a person does."""
        record, tool = self._agent.record, prepared.tool.name
        policy = record.settings.config.rules
        if not policy.rules:
            return
        tab_id = prepared.tab_id or record.active or ""
        tab = record.tabs.get(tab_id)
        origin = (origin_of(tab.url) if tab is not None else None) or ""
        decision = policy.decide_call(prepared.tool.names_for_rules(prepared.arguments), origin)
        if decision.action == "allow":
            return
        reason = f"Policy rule {decision.name!r} refuses {tool}."
        if decision.action == "ask":
            arguments = prepared.arguments.items()
            given = {name: value for name, value in arguments if value not in (None, "", ())}
            text = json.dumps(given, default=str, ensure_ascii=False)
            held = record.hidden(f"{tool} {ellipsize(text, 500)}")
            verdict = await record.questions.ask(held, decision.name, tab_id, origin or tool)
            if verdict.is_allowed:
                return
            reason = f"Policy rule {decision.name!r} refused {tool}: {verdict.reason}."
        raise PolicyRefused(reason, PolicyRefused.what_to_do)

    async def _run_handler(self, prepared: Prepared) -> Answer:
        """Run the handler on the toolbox, this session or a tab."""
        tool = prepared.tool
        answer: Answer
        if tool.actor is Toolbox:
            before = self.listed()
            answer = await tool.handler(self._toolbox, **prepared.arguments)
            if self.listed() != before:
                self._notify()
            return answer
        if tool.actor is CallingSession:
            batched: Answer = await tool.handler(self, **prepared.arguments)
            return batched
        call = Call(
            tool=tool.name,
            actor=tool.actor,
            deadline=tool.deadline,
            tab_id=prepared.tab_id,
            read_only=tool.read_only,
            acts=tool.group == "interaction" and tool.destructive and not tool.read_only,
        )
        try:
            async with open_target(self._agent, call) as target:
                answer = await _run_on(target, prepared)
        except BlockedByDialog as error:
            answer = blocked_answer(error, tool.blocked)
        except WindowClosed as closed:
            may_close = call.has_begun if call.acts else tool.group == "dialog"
            if not may_close or closed.opener_id not in self._agent.record.tabs:
                raise
            answer = await self._look_at_opener(call, closed, prepared)
        return answer.noting_wait(call.waited, call.behind) if call.waited > _LONG_WAIT else answer

    async def _look_at_opener(
        self, call: Call, closed: WindowClosed, prepared: Prepared
    ) -> Answer[Page]:
        """Answer an action whose page closed its window with the changes of the opener's page."""
        opener = self._agent.record.tabs[closed.opener_id]
        try:
            tab = TabHandle(opener, attrs.evolve(call, acts=False))
            look = await tab.do(TabActor.look_since_last)
        except BlockedByDialog:
            return blocked_answer(BlockedByDialog(opener))
        return page_answer(opener, look, prepared.arguments.get("detail", "delta"))

    async def run_tool(self, tool: Tool[..., R], arguments: Mapping[str, Any]) -> R:
        """Make a call of a program, which sees the value of the answer, not only its text."""
        answer = await deliver(self.perform(self._prepare(tool, dict(arguments))))
        value = answer.value
        tabs = self._agent.record.tabs
        if isinstance(value, Page | Found) and value.tab_id in tabs:
            tabs[value.tab_id].ids.note_shown(value.shown())
        return tool.value_of(answer)

    async def run_in_trio(self, function: Callable[["Session"], Awaitable[R]]) -> R:
        """Run an async function with this session, as `AsyncioSession.run_in_trio` does."""
        return await function(self)

    async def use_url_policy(self, policy: UrlPolicy) -> None:
        """Ask an async function about each document that a tab or frame is about to load.

        That includes redirects, clicks and popups. The function returns the reason for a refusal,
        or None. An exception, or no verdict within 30 s, refuses too. Raises `SessionProblem` if
        the session has a tab.
        """
        record = self._agent.record
        if record.tabs:
            raise SessionProblem(
                "A URL policy must be set before the session has a tab.",
                "Set the policy right after open_session.",
            )

        async def check(url: str) -> str | None:
            with trio.move_on_after(30.0):
                try:
                    return await policy(url)
                except Exception:
                    log.exception("a URL policy failed")
            return _NO_VERDICT

        record.settings.url_policy = check

    def rows(self) -> tuple[TabRow, ...]:
        """Return the last known state of each tab, without asking the tabs."""
        return tuple(map(row_of, self._agent.record.tabs.values()))

    def events(self, *kinds: type[E], capacity: int = STREAM_CAPACITY) -> EventStream[E]:
        """Return the events of this session's tabs from now on, of these kinds or all."""
        return self._agent.record.feed.subscribe(*kinds, capacity=capacity)

    def open_sandbox(self) -> AbstractAsyncContextManager[Sandbox]:
        """Open a page for a program, which is closed at the end."""
        return self._agent.open_sandbox()

    @property
    def settings(self) -> Settings:
        """The settings of the session."""
        return self._agent.record.settings

    def _compare_page_tools(self) -> None:
        """List the tools for tools of pages while a page has some; notify the listeners.

        Called at the end of each call: while a page loads, its tools vanish and return.
        """
        has_page_tools = any(tab.page_tools for tab in self._agent.record.tabs.values())
        if has_page_tools != self._toolbox.has_page_tools:
            before = self.listed()
            self._toolbox.has_page_tools = has_page_tools
            if self.listed() != before:
                self._notify()

    @property
    def tab_count(self) -> int:
        """The number of tabs, with those that are being opened."""
        return self._agent.record.tab_count

    def limit_tabs(self, budget: Callable[[], TabBudget]) -> None:
        """Refuse more tabs than ``budget`` allows, which is called before each tab opens."""
        self._agent.record.budget = budget

    def limit(self, calls: int) -> None:
        """Limit the number of calls that work on the session's pages at once."""
        self._agent.record.turns = trio.Semaphore(calls)
