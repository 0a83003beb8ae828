"""Wires everything together, and is the embedding API: `open_charlotte`, sessions, calls."""

import itertools
import math
import shutil
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, TypeVar

import trio

from charlotte.actors.browser import BROWSER_POLICY, Browser, browser_mailbox, open_browser
from charlotte.actors.dispatcher import Call, dispatch
from charlotte.actors.mailbox import Mailbox
from charlotte.actors.records import Registry, SessionRecord, Settings
from charlotte.actors.session import AgentSession
from charlotte.actors.settings import browser_endpoint, private_settings, session_settings
from charlotte.actors.sites import Sites, open_sites
from charlotte.actors.snapshots import Rings, SnapshotStore, open_snapshots
from charlotte.actors.status import status
from charlotte.actors.supervisor import Supervisor, open_supervisor
from charlotte.actors.tab import Tab
from charlotte.config import Config
from charlotte.errors import CharlotteError, InvalidArgument, SessionProblem
from charlotte.progress import Course, Report, course, following, reported
from charlotte.tally import Running, Tally
from charlotte.tools.answer import Answer
from charlotte.tools.batching import Caller, Prepared
from charlotte.tools.catalog import CATALOG
from charlotte.tools.guard import guarded
from charlotte.tools.results import Found, Page
from charlotte.tools.tool import Tool
from charlotte.tools.toolbox import Listing, Toolbox
from charlotte.tools.toolkit import SessionMethods

R = TypeVar("R")

_CLOSE_WAIT = 0.3
_PRIVATE_CLOSE_WAIT = 5.0
"""Seconds; others go on in the same browser, so that what is not closed would stay."""

Status = dict[str, Any]


class Session(SessionMethods):
    """One agent's session: its own cookies and storage, its own tabs, its own list of tools."""

    def __init__(
        self,
        agent: AgentSession,
        toolbox: Toolbox,
        status: Callable[[SessionRecord], Status],
        tally: Tally,
    ) -> None:
        self._agent = agent
        self._toolbox = toolbox
        self._status = status
        self._tally = tally
        self._listeners: list[Callable[[], None]] = []

    def listed(self) -> Sequence[Listing]:
        """The tools to show now."""
        return self._toolbox.listed()

    def status(self) -> Status:
        """What the server is doing (see `actors.status`), without the tabs of other sessions."""
        return self._status(self._agent.record)

    def input_schema(self, name: str) -> dict[str, Any] | None:
        """One tool's JSON schema; None if there is no such tool."""
        try:
            return self._toolbox.find(name).input_schema
        except LookupError:
            return None

    def on_tools_changed(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Have ``callback`` called once per change of `listed`; returns what ends that."""
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
        prepared = self.prepare(name, arguments or {})
        if progress is None:
            return await self.perform(prepared)
        return await reported(progress, partial(self.perform, prepared))

    def prepare(self, name: str, arguments: dict[str, Any]) -> Prepared:
        """Check a call; raises `UnknownTool` and `InvalidArgument`."""
        return self._checked(self._toolbox.find(name), arguments)

    def _checked(self, tool: Tool, arguments: dict[str, Any]) -> Prepared:
        try:
            return self._prepared(tool, arguments)
        except InvalidArgument as error:
            self._tally.refused(tool.name, error)
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

    async def perform(self, prepared: Prepared) -> Answer:
        """Make a call that was checked; raises the `CharlotteError` that is the answer."""
        call = Running(self._agent.record.id, prepared.tool.name, prepared.tab_id)
        with self._tally.following(call):
            answer = await self._perform(prepared)
            call.failed = answer.is_error
        return answer

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
            work=_work(tool, prepared.arguments),
            deadline=tool.deadline,
            tab_id=prepared.tab_id,
        )
        answer: Answer = await dispatch(self._agent, call)
        answer.delivered()
        return answer

    async def run_tool(self, tool: Tool[..., R], arguments: Mapping[str, Any]) -> R:
        """Make a call of a program, which is shown all of what it gets, not only its text."""
        answer = await self.perform(self._checked(tool, dict(arguments)))
        if isinstance(answer.value, Page | Found):
            self._note_shown(answer.value)
        return tool.value_of(answer)

    def _note_shown(self, value: Page | Found) -> None:
        if record := self._agent.record.tabs.get(value.tab_id):
            record.ids.show(value.shown())

    def most_characters(self) -> int:
        """How long an answer may be."""
        return self._agent.record.settings.max_chars

    async def _change_tools(self, tool: Tool, arguments: dict[str, Any]) -> Answer:
        before = self.listed()
        answer: Answer = await tool.handler(self._toolbox, **arguments)
        if self.listed() != before:
            for listener in tuple(self._listeners):
                listener()
        return answer

    async def close(self) -> None:
        """Close the session's tabs and its browser context."""
        await self._agent.close()


def _work(tool: Tool, arguments: dict[str, Any]) -> Callable[[Any], Any]:
    def work(actor: Any) -> Any:
        return tool.handler(actor, **arguments)

    def guarded_work(tab: Tab) -> Any:
        if not tool.read_only:
            tab.kept_tree = None
        return guarded(tab, work, tool.blocked)

    inside = guarded_work if tool.actor is Tab else work
    followed = course()
    return inside if followed is None else partial(_followed, followed, inside)


async def _followed(one: Course, work: Callable[[Any], Any], actor: Any) -> Any:
    with following(one):
        return await work(actor)


class Charlotte:
    """One browser and its supervisor, serving many sessions; ``tally`` knows all their calls."""

    def __init__(
        self,
        config: Config,
        registry: Registry,
        browser: Mailbox[Browser],
        sites: Mailbox[Sites],
        supervisor: Supervisor,
    ) -> None:
        self._config = config
        self._registry = registry
        self._browser = browser
        self._sites = sites
        self._supervisor = supervisor
        self._numbers = itertools.count(1)
        self.tally = Tally()

    @asynccontextmanager
    async def open_session(
        self, settings: Settings | None = None, *, close_within: float = _CLOSE_WAIT
    ) -> AsyncGenerator[Session]:
        """A session with an isolated browser context; its tabs close at the end.

        After ``close_within`` seconds they are left to close by themselves.
        """
        config = self._config
        record = SessionRecord(
            f"session-{next(self._numbers)}", settings or session_settings(config)
        )
        self._registry.sessions[record.id] = record
        toolbox = Toolbox(
            CATALOG,
            profile=config.profile,
            naming=config.tool_naming,
            strict_profile=config.strict_profile,
        )
        agent = AgentSession(record, self._browser, self._sites)
        session = Session(agent, toolbox, self.status, self.tally)
        try:
            yield session
        finally:
            del self._registry.sessions[record.id]
            if trio.current_effective_deadline() > -math.inf:  # else all of it is ending
                with trio.move_on_after(close_within, shield=True), suppress(CharlotteError):
                    await session.close()

    def status(self, *sessions: SessionRecord) -> Status:
        """What the server is doing (see `actors.status`): of these sessions, or of all."""
        shown = sessions or tuple(self._registry.sessions.values())
        return status(self._registry, self._supervisor, shown)

    @asynccontextmanager
    async def open_private_session(self) -> AsyncGenerator[Session]:
        """A session that reads and writes files in a directory of its own, and in the roots.

        Nothing is left of that directory, unless it is in the configured output directory.
        """
        config = self._config
        settings = private_settings(config)
        try:
            async with self.open_session(settings, close_within=_PRIVATE_CLOSE_WAIT) as session:
                yield session
        finally:
            if config.output_dir is None:
                shutil.rmtree(settings.output_path, ignore_errors=True)

    @property
    def restarts(self) -> Mapping[str, int]:
        """How often actors were restarted, by their names."""
        return self._registry.restarts

    @property
    def tabs(self) -> int:
        """How many tabs are open, in all sessions."""
        return len(self._registry.tabs())


@asynccontextmanager
async def open_charlotte(config: Config | None = None) -> AsyncGenerator[Charlotte]:
    """Start the browser and the actors; returns at once, the first calls wait until all is up."""
    config = config or Config()
    endpoint = browser_endpoint(config)
    registry, rings = Registry(), Rings()
    browser = browser_mailbox()
    snapshots = Mailbox[SnapshotStore]("snapshots", capacity=1024)
    sites = Mailbox[Sites]("watcher")
    async with open_supervisor(BROWSER_POLICY, _closing, registry.restarts) as supervisor:
        supervisor.start_soon(snapshots, lambda: open_snapshots(rings))
        supervisor.start_soon(browser, lambda: open_browser(endpoint, registry, snapshots))
        supervisor.start_soon(sites, lambda: open_sites(registry))
        try:
            yield Charlotte(config, registry, browser, sites, supervisor)
        finally:
            for mailbox in (browser, snapshots, sites):
                mailbox.close(_closing())
            for record in registry.tabs():
                for mailbox in record.mailboxes:
                    mailbox.close(_closing())


def _closing() -> SessionProblem:
    return SessionProblem("Charlotte is shutting down.")
