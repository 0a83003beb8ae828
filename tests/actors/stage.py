"""All actors of one agent's session, on fake browsers: one for each life of the browser."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import trio

from charlotte.actors.browser.incarnation import BROWSER_POLICY, browser_mailbox, open_browser
from charlotte.actors.dev_server import Sites, open_sites
from charlotte.actors.dispatcher import AgentSession, Call, TabHandle, open_target
from charlotte.actors.introspection import status
from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.kernel.supervisor import Supervisor, open_supervisor
from charlotte.actors.state.owner_tabs import OwnerTabs
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.state.registry import ProfileRecord, Registry
from charlotte.actors.state.snapshots import Numbers, SnapshotStore, open_snapshots
from charlotte.actors.tab.actor import Look, TabActor
from charlotte.answers.answer import Answer
from charlotte.base.errors import CharlotteError, SessionProblem
from charlotte.protocol.runtime import Evaluate
from charlotte.tools.schema.tool import Tool
from tests.fake_page import FakeTarget
from tests.fakes import FakeBrowser

Method = Callable[..., Awaitable[Any]]

CLOSING = SessionProblem("closing")
URL = "http://shop.test/cart"
ENDLESS = "endless"


async def endless(tab: TabActor) -> None:
    """Page work that only an interruption ends."""
    await tab.page.session.call(Evaluate(expression=ENDLESS))


class Stage:
    """``lives`` has the fake browsers, the last being the present one.

    ``prepare`` is called with every new one before anybody is connected to it.
    """

    def __init__(self, owner: OwnerTabs | None = None) -> None:
        self.lives: list[FakeBrowser] = []
        self.prepare: Callable[[FakeBrowser], None] = lambda _: None
        self.registry = Registry(owner=owner)
        self.record = self.new_session("session-1")
        self.mailbox = browser_mailbox()
        self.snapshots = Mailbox[SnapshotStore]("snapshots", capacity=1024)
        self.sites = Mailbox[Sites]("watcher")
        self.session = AgentSession(self.record, self.mailbox, self.sites)

    @property
    def browser(self) -> FakeBrowser:
        """The browser that lives now."""
        return self.lives[-1]

    def new_session(self, name: str) -> SessionRecord:
        record = SessionRecord(name, owner=self.registry.owner)
        self.registry.add(record)
        return record

    def share_profile(self, downloads: Path) -> None:
        """Have the sessions, present and new, work in the browser's own profile."""
        self.registry.profile = ProfileRecord(downloads=downloads)
        for record in self.registry.sessions.values():
            self.registry.add(record)

    def supervised(self) -> AbstractAsyncContextManager[Supervisor]:
        """The supervisor at the top."""
        return open_supervisor(BROWSER_POLICY, lambda: CLOSING)

    def start(self, supervisor: Supervisor) -> None:
        """Start the actors that live as long as the server."""
        self.top = supervisor
        supervisor.start_soon(self.snapshots, lambda: open_snapshots(Numbers()))
        supervisor.start_soon(self.sites, lambda: open_sites(self.registry))
        supervisor.start_soon(
            self.mailbox,
            lambda: open_browser(
                self.connect,
                self.registry,
                self.snapshots,
                is_foreign=self.registry.owner is not None,
            ),
        )

    @asynccontextmanager
    async def connect(self) -> AsyncGenerator[FakeBrowser]:
        self.lives.append(FakeBrowser())
        self.browser.hold("Runtime.evaluate", having=ENDLESS)
        self.prepare(self.browser)
        yield self.browser

    async def open_tab(self, url: str = "") -> TabRecord:
        record = await self.session.open_tab()
        if url:
            self.browser.load(self.target(record), url)
            await trio.testing.wait_all_tasks_blocked()
        return record

    async def close_session(self, record: SessionRecord) -> None:
        """Have a session closed, and wait until it is."""
        self.registry.close(record)
        await record.closed.wait()

    def target(self, record: TabRecord) -> FakeTarget:
        return self.browser.targets[record.target_id]

    def main_session(self, record: TabRecord) -> str:
        """Return the CDP session of a tab's actor, which receives crash events."""
        enabled = [one.session for one in self.browser.received("Inspector.enable")]
        return [one for one in self.target(record).sessions if one in enabled][-1]


def actors_of(stage: Stage) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = status(stage.registry, stage.top, [stage.record])["actors"]
    return rows


async def nothing() -> None:
    """An action without consequences."""


async def run_tool(stage: Stage, record: TabRecord, tool: Tool, **arguments: Any) -> Answer[Any]:
    call = Call(
        tool=tool.name,
        actor=TabHandle,
        deadline=tool.deadline,
        tab_id=record.id,
        read_only=tool.read_only,
    )
    async with open_target(stage.session, call) as target:
        answer: Answer[Any] = await tool.handler(target, **arguments)
        return answer


async def look(record: TabRecord) -> Look:
    return await record.tab.ask(TabActor.look)


async def act(tab: TabActor, action: Any) -> Look:
    return await tab.act(action)


def opens_dialog(stage: Stage, record: TabRecord, kind: str = "confirm", **more: Any) -> None:
    about = {"url": URL, "message": "Sure?", "type": kind, "hasBrowserHandler": False}
    stage.browser.emit_in(stage.target(record), "Page.javascriptDialogOpening", **(about | more))


@asynccontextmanager
async def open_stage(owner: OwnerTabs | None = None) -> AsyncGenerator[Stage]:
    """Run the actors while the block runs; nothing may take a thousand seconds.

    With ``owner``, the browser is that of a user.
    """
    stage = Stage(owner)
    with trio.fail_after(1000):
        async with stage.supervised() as supervisor:
            stage.start(supervisor)
            yield stage


class Caller:
    """Makes calls that may fail, and keeps what came of them."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self._nursery = nursery
        self.answers: dict[str, Any] = {}

    def call(
        self, name: str, mailbox: Mailbox[Any], method: Callable[..., Any], *args: Any
    ) -> None:
        """Ask an actor in a task of its own; the answer will be under ``name``."""
        self._nursery.start_soon(self._ask, name, mailbox, method, args)

    async def _ask(
        self, name: str, mailbox: Mailbox[Any], method: Method, args: tuple[Any, ...]
    ) -> None:
        try:
            self.answers[name] = await mailbox.ask(method, *args)
        except CharlotteError as error:
            self.answers[name] = error
