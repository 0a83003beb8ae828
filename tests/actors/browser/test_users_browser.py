"""The browser of a user: one connection for all sessions, made only for a call."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import attrs
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.browser.incarnation import open_browser
from charlotte.actors.dispatcher import CONSENT_WAIT, AgentSession, Call, TabHandle, open_target
from charlotte.actors.kernel.supervisor import Supervisor
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.snapshots import Numbers, open_snapshots
from charlotte.base.errors import CharlotteError, ConnectionLost
from charlotte.base.progress import Progress, track_progress
from charlotte.browser.process.running_browser import NotAllowed, NotAllowedYet, RunningBrowser
from tests.actors.stage import URL, Caller, Stage, endless, look
from tests.fakes import FakeBrowser


class UsersStage(Stage):
    """``allowed`` is set when the user allows connections; ``refusal`` is raised instead."""

    def __init__(self) -> None:
        super().__init__()
        self.allowed = trio.Event()
        self.attempts = 0
        self.refusal: CharlotteError | None = None
        self.users = FakeRunningBrowser("chrome", stage=self)
        self.session = self.agent(self.record.id)

    def agent(self, name: str) -> AgentSession:
        """Return the access of a session to the actors."""
        record = self.registry.sessions.get(name) or self.new_session(name)
        return AgentSession(record, self.mailbox, self.sites, self.users)

    def start(self, supervisor: Supervisor) -> None:
        """Start the actors as for a configured ``attach``."""
        self.top = supervisor
        supervisor.start_soon(self.snapshots, lambda: open_snapshots(Numbers()))
        supervisor.start_soon(
            self.mailbox,
            lambda: open_browser(self.users.connect, self.registry, self.snapshots, self.users),
            on_demand=True,
        )


@attrs.define(eq=False)
class FakeRunningBrowser(RunningBrowser):
    stage: UsersStage = attrs.field(kw_only=True)

    @asynccontextmanager
    async def connect(self) -> AsyncGenerator[FakeBrowser]:
        self.stage.attempts += 1
        await self.stage.allowed.wait()
        if self.stage.refusal:
            raise self.stage.refusal
        async with self.stage.connect() as browser:
            yield browser


@pytest.fixture
async def stage(clock: MockClock) -> AsyncGenerator[UsersStage]:
    assert trio.lowlevel.current_clock() is clock
    stage = UsersStage()
    with trio.fail_after(100_000):
        async with stage.supervised() as supervisor:
            stage.start(supervisor)
            yield stage


async def find_tab(session: AgentSession, tab_id: str | None = None) -> TabRecord:
    call = Call(tool="observe", actor=TabHandle, deadline=30, tab_id=tab_id)
    async with open_target(session, call) as target:
        assert isinstance(target, TabHandle)
        return target.record


async def test_nothing_connects_before_a_call_needs_the_browser(stage: UsersStage) -> None:
    await trio.sleep(3600)
    assert stage.session.rows() == []
    assert stage.attempts == 0


async def test_all_sessions_share_one_connection(stage: UsersStage) -> None:
    async with trio.open_nursery() as nursery:
        for number in range(8):
            nursery.start_soon(find_tab, stage.agent(f"session-{number}"))
        await wait_all_tasks_blocked()
        stage.allowed.set()
    assert stage.attempts == len(stage.lives) == 1
    assert len(stage.registry.tabs()) == 8


async def test_a_call_that_waits_says_what_the_user_has_to_do(stage: UsersStage) -> None:
    progress = Progress()
    with track_progress(progress), pytest.raises(NotAllowedYet) as raised:
        await find_tab(stage.session)
    assert progress.stage == "connecting to Chrome; allow it there if it asks"
    assert trio.current_time() == pytest.approx(CONSENT_WAIT)
    assert "Ask the user to allow the connection in Chrome" in (raised.value.suggestion or "")
    assert raised.value.details == {"consent": "pending"}


async def test_a_refusal_answers_all_calls_and_each_later_call(stage: UsersStage) -> None:
    stage.refusal = NotAllowed("refused")
    stage.allowed.set()
    for _ in range(3):
        with pytest.raises(NotAllowed):
            await find_tab(stage.session)
        with pytest.raises(NotAllowed):
            await stage.session.open_tab()


async def ended_connection(stage: UsersStage) -> TabRecord:
    stage.allowed.set()
    record = await stage.open_tab(URL)
    stage.browser.drop()
    await wait_all_tasks_blocked()
    return record


async def test_connections_are_renewed_only_for_a_call(stage: UsersStage, caller: Caller) -> None:
    record = await ended_connection(stage)
    await trio.sleep(3600)
    assert stage.attempts == 1

    await find_tab(stage.session, record.id)
    assert stage.attempts == 2
    assert (await look(record)).snapshot.view.url == URL


async def test_losing_connections_often_does_not_end_the_server(stage: UsersStage) -> None:
    for attempt in range(1, 20):
        record = await ended_connection(stage)
        await stage.session.close_tab(record.id)
        assert stage.attempts == attempt


async def test_calls_in_flight_end_with_the_connection(stage: UsersStage, caller: Caller) -> None:
    stage.allowed.set()
    record = await stage.open_tab(URL)
    caller.call("in flight", record.tab, endless)
    await wait_all_tasks_blocked()
    stage.browser.drop()
    await wait_all_tasks_blocked()
    assert isinstance(caller.answers["in flight"], ConnectionLost)


async def test_a_tab_is_closed_without_a_connection(stage: UsersStage) -> None:
    record = await ended_connection(stage)
    await stage.session.close_tab(record.id)
    assert not stage.registry.tabs()
    assert stage.attempts == 1
