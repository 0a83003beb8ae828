"""Wires everything together, and is the embedding API: `open_charlotte`, sessions, calls."""

import itertools
import math
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import trio

from charlotte.actors.browser import BROWSER_POLICY, Browser, browser_mailbox, open_browser
from charlotte.actors.dispatcher import Call, dispatch
from charlotte.actors.mailbox import Mailbox
from charlotte.actors.records import Registry, SessionRecord, Settings
from charlotte.actors.session import AgentSession
from charlotte.actors.snapshots import Rings, SnapshotStore, open_snapshots
from charlotte.actors.status import status
from charlotte.actors.supervisor import Supervisor, open_supervisor
from charlotte.actors.tab import Tab
from charlotte.browser.endpoint import endpoint_of
from charlotte.browser.launch import LaunchOptions, open_chromium
from charlotte.config import Config
from charlotte.errors import CharlotteError, InvalidArgument, SessionProblem
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

Opener = Callable[[], AbstractAsyncContextManager[str]]
Status = dict[str, Any]


class Session(SessionMethods):
    """One agent's session: its own cookies and storage, its own tabs, its own list of tools."""

    def __init__(
        self, agent: AgentSession, toolbox: Toolbox, status: Callable[[SessionRecord], Status]
    ) -> None:
        self._agent = agent
        self._toolbox = toolbox
        self._status = status
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
        self, name: str, arguments: dict[str, Any] | None = None, progress: object = None
    ) -> Answer:
        """Run a tool under any spelling of its name.

        Raises `UnknownTool`, or the `CharlotteError` that is the answer.
        """
        del progress
        return await self.perform(self.prepare(name, arguments or {}))

    def prepare(self, name: str, arguments: dict[str, Any]) -> Prepared:
        """Check a call; raises `UnknownTool` and `InvalidArgument`."""
        return self._checked(self._toolbox.find(name), arguments)

    def _checked(self, tool: Tool, arguments: dict[str, Any]) -> Prepared:
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

    if tool.actor is Tab:
        return lambda tab: guarded(tab, work, tool.blocked)
    return work


class Charlotte:
    """One browser and its supervisor, serving many sessions."""

    def __init__(
        self,
        config: Config,
        registry: Registry,
        browser: Mailbox[Browser],
        supervisor: Supervisor,
    ) -> None:
        self._config = config
        self._registry = registry
        self._browser = browser
        self._supervisor = supervisor
        self._numbers = itertools.count(1)

    @asynccontextmanager
    async def open_session(self) -> AsyncGenerator[Session]:
        """A session with an isolated browser context; its tabs close at the end."""
        config = self._config
        record = SessionRecord(f"session-{next(self._numbers)}", _settings(config))
        self._registry.sessions[record.id] = record
        toolbox = Toolbox(
            CATALOG,
            profile=config.profile,
            naming=config.tool_naming,
            strict_profile=config.strict_profile,
        )
        session = Session(AgentSession(record, self._browser), toolbox, self.status)
        try:
            yield session
        finally:
            del self._registry.sessions[record.id]
            if trio.current_effective_deadline() > -math.inf:  # else all of it is ending
                with trio.move_on_after(_CLOSE_WAIT, shield=True), suppress(CharlotteError):
                    await session.close()

    def status(self, *sessions: SessionRecord) -> Status:
        """What the server is doing (see `actors.status`): of these sessions, or of all."""
        shown = sessions or tuple(self._registry.sessions.values())
        return status(self._registry, self._supervisor, shown)


def _settings(config: Config) -> Settings:
    return Settings(
        max_chars=config.max_chars,
        viewport=config.viewport_size(),
        output=Path(config.output_dir).resolve() if config.output_dir else None,
        roots=tuple(Path(root).resolve() for root in config.root) or (Path.cwd(),),
        auto_snapshot=config.auto_snapshot,
        snapshot_depth=config.snapshot_depth,
    )


@asynccontextmanager
async def open_charlotte(config: Config | None = None) -> AsyncGenerator[Charlotte]:
    """Start the browser and the actors; returns at once, the first calls wait until all is up."""
    config = config or Config()
    registry, rings = Registry(), Rings()
    browser = browser_mailbox()
    snapshots = Mailbox[SnapshotStore]("snapshots", capacity=1024)
    async with open_supervisor(BROWSER_POLICY, _closing) as supervisor:
        supervisor.start_soon(snapshots, lambda: open_snapshots(rings))
        supervisor.start_soon(browser, lambda: open_browser(_endpoint(config), registry, snapshots))
        try:
            yield Charlotte(config, registry, browser, supervisor)
        finally:
            for mailbox in (browser, snapshots):
                mailbox.close(_closing())
            for record in registry.tabs():
                for mailbox in record.mailboxes:
                    mailbox.close(_closing())


def _closing() -> SessionProblem:
    return SessionProblem("Charlotte is shutting down.")


def _endpoint(config: Config) -> Opener:
    """How to get a browser: launch one, or take the one that is named."""
    options = LaunchOptions(
        executable=config.chromium,
        headed=config.headed,
        sandbox=config.sandbox,
        extra_args=config.chromium_arg,
        proxy_server=config.proxy_server,
        ignore_https_errors=config.ignore_https_errors,
    )

    @asynccontextmanager
    async def launched() -> AsyncGenerator[str]:
        async with open_chromium(options) as chromium:
            yield chromium.endpoint

    @asynccontextmanager
    async def attached() -> AsyncGenerator[str]:
        yield await endpoint_of(config.cdp_endpoint or "")

    return attached if config.cdp_endpoint else launched
