"""Sessions that several clients share: opened on first use, ended when idle."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import attrs
import pytest
import trio
import trio.testing

from charlotte.actors.kernel.mailbox import EventStream, Feed
from charlotte.actors.state.news import current_client
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.state.saved_session import SavedSession, save_session
from charlotte.api.session_files import SessionFiles
from charlotte.api.shared_sessions import SharedSessions
from charlotte.base.errors import SessionProblem
from charlotte.config.config import Config

IDLE = 100


async def run_here(function: Callable[[], None]) -> None:
    await trio.lowlevel.checkpoint()
    function()


@pytest.fixture(autouse=True)
def without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the work of threads in the task: while a thread works, the clock of the tests jumps."""
    monkeypatch.setattr("trio.to_thread.run_sync", run_here)


@attrs.define(eq=False)
class FakeSession:
    roots: list[Path] = attrs.field(factory=list[Path])
    record: SessionRecord = attrs.field(factory=lambda: SessionRecord("session-1"))

    def use_roots(self, directories: list[Path]) -> None:
        self.roots += directories

    def events(self) -> EventStream:
        return Feed().subscribe()

    def __attrs_post_init__(self) -> None:
        self.record.add(TabRecord("tab-1", self.record, url="http://a.test/"))


@attrs.define(eq=False)
class FakeCharlotte:
    opened: list[FakeSession] = attrs.field(factory=list[FakeSession])
    saved: list[SavedSession | None] = attrs.field(factory=list["SavedSession | None"])
    closed: int = 0
    last_tab: int = 0
    problem: SessionProblem | None = None

    def skip_numbers(self, tab: int, _: int) -> None:
        self.last_tab = tab

    def save(self, session: FakeSession) -> SavedSession:
        return save_session(session.record, frozenset(), self.last_tab, 0)

    @asynccontextmanager
    async def open_session(self, saved: SavedSession | None) -> AsyncGenerator[FakeSession]:
        await trio.sleep(1)
        if self.problem is not None:
            raise self.problem
        self.opened.append(FakeSession())
        self.saved.append(saved)
        yield self.opened[-1]
        self.closed += 1


@asynccontextmanager
async def serving(charlotte: FakeCharlotte, place: Path) -> AsyncGenerator[SharedSessions]:
    """Keep sessions open during the block."""
    async with trio.open_nursery() as nursery:
        saved = SessionFiles(place)
        yield SharedSessions(cast("Any", charlotte), Config(idle=IDLE), saved, nursery)
        nursery.cancel_scope.cancel()


async def test_clients_of_one_name_share_a_session(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    charlotte, cwd = FakeCharlotte(), Path("/w")
    async with serving(charlotte, tmp_path) as sessions:
        used: list[Any] = []
        clients: list[Any] = []

        async def use(name: str, identity: str) -> None:
            async with sessions.use(name, identity, cwd) as one:
                clients.append(current_client.get())
                used.append(one.session)
                await trio.sleep(1)

        async with trio.open_nursery() as calls:
            for name, identity in (("shop", "ada"), ("shop", "ben"), ("other", "ada")):
                calls.start_soon(use, name, identity)
        assert len(charlotte.opened) == 2
        assert len({id(one) for one in used}) == 2
        await use("shop", "ada")
        assert len({id(client) for client in clients}) == 3


async def test_a_session_ends_when_no_client_uses_it(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    charlotte = FakeCharlotte()
    async with serving(charlotte, tmp_path) as sessions:
        async with sessions.use("shop", "ada", Path("/w")):
            await trio.sleep(3 * IDLE)
            assert charlotte.closed == 0
        await trio.sleep(IDLE - 1)
        assert charlotte.closed == 0
        async with sessions.use("shop", "ada", Path("/w")):
            pass
        await trio.sleep(IDLE - 1)
        assert list(sessions.shared) == ["shop"]
        await trio.sleep(2)
        assert (charlotte.closed, sessions.shared) == (1, {})


async def test_a_session_that_is_ended_can_be_opened_again(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    charlotte = FakeCharlotte()
    async with serving(charlotte, tmp_path) as sessions:
        for _ in range(2):
            async with sessions.use("shop", "ada", Path("/w")):
                pass
            assert await sessions.end("shop")
        assert not await sessions.end("shop")
        assert charlotte.closed == len(charlotte.opened) == 2


async def test_a_call_that_ends_after_its_session_leaves_no_file(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    charlotte = FakeCharlotte()
    async with serving(charlotte, tmp_path) as sessions:
        async with sessions.use("shop", "ada", Path("/w")) as shared:
            assert await sessions.end("shop")
            shared.session.record.tabs.clear()
        assert SessionFiles(tmp_path).lost == {}


async def test_a_problem_of_a_session_is_the_answer_and_no_end_of_the_server(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    charlotte = FakeCharlotte(problem=SessionProblem("no login"))
    async with serving(charlotte, tmp_path) as sessions:
        with pytest.raises(SessionProblem, match="no login"):
            async with sessions.use("shop", "ada", Path("/w")):
                pass
        charlotte.problem = None
        async with sessions.use("shop", "ada", Path("/w")):
            pass


async def test_the_next_server_continues_the_sessions_of_a_lost_one(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    lost, charlotte = FakeCharlotte(last_tab=5), FakeCharlotte()
    async with serving(lost, tmp_path) as sessions:
        lost.last_tab = 5
        async with sessions.use("shop", "ada", Path("/w")):
            pass
    async with serving(charlotte, tmp_path) as sessions:
        assert (charlotte.last_tab, [*sessions.saved.lost]) == (5, ["shop"])
        async with sessions.use("shop", "ada", Path("/w")):
            pass
        assert sessions.saved.lost == {}
        [saved] = charlotte.saved
        assert saved is not None
        assert [tab.id for tab in saved.tabs] == ["tab-1"]


async def test_the_working_directory_of_a_client_may_be_used(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    charlotte = FakeCharlotte()
    async with serving(charlotte, tmp_path) as sessions:
        async with sessions.use("shop", "ada", Path("/w")) as one:
            assert one.session is cast("Any", charlotte.opened[0])
        assert charlotte.opened[0].roots == [Path("/w")]
