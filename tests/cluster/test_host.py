"""A host on a fake browser: crashes, errors, cancelled calls, numbers, and the status in polls."""

import pickle
import sys
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from types import SimpleNamespace
from typing import Any

import attrs
import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte import Config
from charlotte.actors.state.saved_session import SavedSession
from charlotte.base.errors import ConnectionLost, SessionProblem
from charlotte.cluster import host as module
from charlotte.cluster.host import UNSEEN_SNAPSHOTS, UNSEEN_TABS, Host, HostSessions
from charlotte.cluster.host_link import ANSWER_WAIT, HostLink
from charlotte.cluster.messages import CallRequest, Notice, Opening, pack, unpack
from tests.cluster.fakes import FakeHost

SAVED = SavedSession(
    tabs=(), active=None, contexts={}, settings={}, enabled=frozenset(), last_tab=0, last_snapshot=0
)
CLICK = CallRequest(session="one", tool="click", arguments={}, number=7)


@attrs.define(eq=False)
class FakeSession:
    """A session whose calls fail, and whose stream of events crashes once ``crash`` is set.

    A call waits until it ``may_end``. ``delivered`` counts the errors that the agent has.
    """

    crash: trio.Event = attrs.field(factory=trio.Event)
    record: SimpleNamespace = attrs.field(factory=lambda: SimpleNamespace(id="session-1"))
    notify: Callable[[], None] = lambda: None
    may_end: trio.Event = attrs.field(factory=trio.Event)
    tab_count: int = 0
    delivered: int = 0
    cancelled: int = 0

    def __attrs_post_init__(self) -> None:
        self.may_end.set()

    async def answer(self, *_: object) -> None:
        try:
            await self.may_end.wait()
        except trio.Cancelled:
            self.cancelled += 1
            raise
        error = SessionProblem("It failed.")
        error.delivered = self.note_delivered
        raise error

    def note_delivered(self) -> None:
        self.delivered += 1

    def listed(self) -> tuple[()]:
        return ()

    def on_change(self, callback: Callable[[], None]) -> Callable[[], None]:
        self.notify = callback
        return lambda: None

    async def events(self) -> AsyncGenerator[None]:
        await self.crash.wait()
        yield
        raise ValueError("a bug")


@attrs.define(eq=False)
class FakeCharlotte:
    """A browser whose sessions do nothing; ``problem`` is the error of the next one."""

    sessions: list[FakeSession] = attrs.field(factory=list[FakeSession])
    problem: SessionProblem | None = None
    may_open: trio.Event = attrs.field(factory=trio.Event)
    closed: int = 0
    tabs: int = 0
    last_tab: int = 0
    last_snapshot: int = 0
    skipped: tuple[int, int] = (0, 0)

    def __attrs_post_init__(self) -> None:
        self.may_open.set()

    def skip_numbers(self, *numbers: int) -> None:
        tab, snapshot = numbers
        self.skipped = tab, snapshot

    def save(self, _: object) -> SavedSession:
        return SAVED

    @asynccontextmanager
    async def open_private_session(self, **_: object) -> AsyncGenerator[FakeSession]:
        try:
            await self.may_open.wait()
            if self.problem is not None:
                raise self.problem
            self.sessions.append(FakeSession())
            yield self.sessions[-1]
        finally:
            self.closed += 1


@asynccontextmanager
async def open_host(charlotte: FakeCharlotte) -> AsyncGenerator[HostSessions]:
    async with trio.open_nursery() as nursery:
        fake: Any = charlotte
        yield HostSessions(fake, nursery, "node")
        nursery.cancel_scope.cancel("done")


async def test_a_crash_of_a_session_leaves_the_other_sessions_of_the_host_alone() -> None:
    charlotte = FakeCharlotte()
    async with open_host(charlotte) as host:
        await host.open(Opening(name="one"))
        await host.open(Opening(name="two"))
        charlotte.sessions[0].crash.set()
        await wait_all_tasks_blocked()
        assert await host.run(CLICK) is None, "the gateway opens it again"
        assert await host.run(attrs.evolve(CLICK, session="two")) is not None
        await host.open(Opening(name="one"))
        assert await host.run(CLICK) is not None


async def test_an_error_of_opening_is_that_of_the_call() -> None:
    charlotte = FakeCharlotte(problem=SessionProblem("The login is not stored."))
    async with open_host(charlotte) as host:
        result = unpack(await host.answer("open", "one", Opening(name="one")))
        with pytest.raises(SessionProblem, match="The login is not stored"):
            result.unwrap()
        assert await host.run(CLICK) is None


async def test_the_news_of_an_error_are_consumed_once_the_gateway_has_sent_it() -> None:
    charlotte = FakeCharlotte()
    async with open_host(charlotte) as host:
        await host.open(Opening(name="one"))
        reply = await host.run(CLICK)
        assert reply is not None
        with pytest.raises(SessionProblem, match="It failed"):
            pickle.loads(pickle.dumps(reply.result)).unwrap()  # noqa: S301 - our own bytes
        assert charlotte.sessions[0].delivered == 0
        await host.run(attrs.evolve(CLICK, number=8, delivered=[7]))
        assert charlotte.sessions[0].delivered == 1


@pytest.mark.parametrize("last", [0, 50])
async def test_numbers_that_a_lost_host_may_have_used_are_not_used_again(last: int) -> None:
    charlotte = FakeCharlotte()
    state = attrs.evolve(SAVED, last_tab=7, last_snapshot=40).pack()
    saved = Opening(name="saved", state=state, last_tab=last, last_snapshot=last)
    async with open_host(charlotte) as host:
        await host.open(saved)
    assert charlotte.skipped == (max(last, 7) + UNSEEN_TABS, max(last, 40) + UNSEEN_SNAPSHOTS)


async def test_a_poll_is_answered_at_once_if_there_is_news(autojump_clock: MockClock) -> None:
    charlotte = FakeCharlotte()
    async with open_host(charlotte) as host:
        await host.open(Opening(name="one"))
        host.put(Notice("one", b""))
        for notices, seconds in (([Notice("one", b"")], 0), ([], module.POLL_WAIT)):
            begun = trio.current_time()
            assert (await host.poll(wants_events=False)).notices == notices
            assert trio.current_time() - begun == seconds


async def test_a_session_is_saved_after_a_call_that_changed_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "SAVE_PAUSES", (0, 0))
    async with open_host(FakeCharlotte()) as host:
        await host.open(Opening(name="one"))
        await host.run(CLICK)
        notices = list[Any]()
        while not notices:
            notices += (await host.poll(wants_events=False)).notices
        assert notices == [Notice("one", SAVED.pack())]


async def test_a_change_of_the_tool_list_is_part_of_the_next_reply() -> None:
    charlotte = FakeCharlotte()
    async with open_host(charlotte) as host:
        await host.open(Opening(name="one"))
        lists = list[Any]()
        for changed in (False, True, False):
            if changed:
                charlotte.sessions[0].notify()
            reply = await host.run(CLICK)
            assert reply is not None
            lists.append(reply.listed)
        assert lists == [None, (), None]


@pytest.mark.parametrize("is_late", [False, True])
async def test_a_call_is_cancelled_by_its_key_also_before_it_begins(*, is_late: bool) -> None:
    charlotte = FakeCharlotte()
    async with open_host(charlotte) as host, trio.open_nursery() as nursery:
        await host.open(Opening(name="one"))
        charlotte.sessions[0].may_end = trio.Event()
        if is_late:
            await host.close("key")
        nursery.start_soon(host.answer, "run", "key", CLICK)
        await wait_all_tasks_blocked()
        if not is_late:
            await host.close("key")
    assert charlotte.sessions[0].cancelled == (not is_late)


async def test_a_session_is_closed_while_it_is_being_opened() -> None:
    charlotte = FakeCharlotte()
    async with open_host(charlotte) as host, trio.open_nursery() as nursery:
        charlotte.may_open = trio.Event()
        nursery.start_soon(host.answer, "open", "one", Opening(name="one"))
        await wait_all_tasks_blocked()
        await host.close("one")
        await wait_all_tasks_blocked()
        assert (charlotte.closed, len(charlotte.sessions)) == (1, 0)


@contextmanager
def fake_node(monkeypatch: pytest.MonkeyPatch, charlotte: FakeCharlotte) -> Generator[None]:
    """Have hosts run without Ray, on a fake browser."""

    @asynccontextmanager
    async def open_sessions(config: Config, _node: str) -> AsyncGenerator[HostSessions]:
        assert config.max_chars == 4321
        async with open_host(charlotte) as sessions:
            yield sessions

    node = SimpleNamespace(get_node_id=lambda: "node")
    ray: Any = SimpleNamespace(get_runtime_context=lambda: node)
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setattr(module, "open_host_sessions", open_sessions)
    yield


def test_the_actor_answers_in_threads_until_it_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    charlotte = FakeCharlotte()
    with fake_node(monkeypatch, charlotte):
        host = Host(pack(Config(max_chars=4321)))
        assert unpack(host.answer(pack(("open", "one", Opening(name="one"))))).unwrap() == ()
        reply = unpack(host.answer(pack(("run", "key", CLICK)))).unwrap()
        with pytest.raises(SessionProblem, match="It failed"):
            reply.result.unwrap()
        assert unpack(host.answer(pack(("poll", "key", False)))).unwrap().node == "node"
        host.close(pack(("close", "key", "one")))
        assert charlotte.closed == 1
        host.close(pack(("close", "key", "")))
        with pytest.raises(ConnectionLost, match="shutting down"):
            unpack(host.answer(pack(("poll", "key", False)))).unwrap()


def test_a_host_whose_sessions_cannot_start_reports_the_cause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @asynccontextmanager
    async def fail(*_: object) -> AsyncGenerator[HostSessions]:
        raise SessionProblem("The policy file is missing.")
        yield

    with fake_node(monkeypatch, FakeCharlotte()):
        monkeypatch.setattr(module, "open_host_sessions", fail)
        with pytest.raises(RuntimeError, match="The policy file is missing"):
            Host(pack(Config()))


def link_to(hosts: list[FakeHost], changes: list[bool]) -> HostLink:
    """Return a link that starts these hosts in turn."""

    async def start() -> Any:
        await trio.lowlevel.checkpoint()
        return hosts.pop(0)

    def note(link: HostLink, *_: object) -> None:
        if changes[-1:] != [link.is_live]:
            changes.append(link.is_live)

    return HostLink("host", 2, start, note, note)


async def lost_after(link: HostLink, lose: Callable[[], object]) -> float:
    """Return the seconds from a loss until a call in flight fails."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        await trio.sleep(2)
        begun = trio.current_time()
        lose()
        with pytest.raises(ConnectionLost, match="may or may not"):
            await link.ask("endless")
        waited = trio.current_time() - begun
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    return waited


async def test_calls_of_a_silent_host_fail_within_seconds_and_it_is_killed(
    autojump_clock: MockClock,
) -> None:
    host, changes = FakeHost(), list[bool]()
    link = link_to([host, FakeHost(silent=True)], changes)
    with capture_logs() as logs:
        assert await lost_after(link, lambda: setattr(host, "silent", True)) <= ANSWER_WAIT + 1
    assert changes == [True, False]
    assert [entry["event"] for entry in logs] == ["browser host live", "browser host lost"]
    assert host.is_killed


@pytest.mark.parametrize("problem", [{"gone": True}, {"bug": ValueError("a bug")}])
async def test_a_host_that_fails_is_replaced(
    autojump_clock: MockClock, problem: dict[str, Any]
) -> None:
    failing, next_one, changes = FakeHost(**problem), FakeHost(), list[bool]()
    link = link_to([failing, next_one, FakeHost(silent=True)], changes)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        await trio.sleep(0.5)
        with pytest.raises(ConnectionLost):
            await link.ask("list", "all")
        await trio.sleep(5)
        assert ("all",) == await link.ask("list", "all")
        next_one.gone = True
        with pytest.raises(ConnectionLost):
            await link.ask("list", "all")
        nursery.cancel_scope.cancel()
    assert failing.is_killed
    assert changes == [True, False]


async def test_a_host_for_which_ray_has_no_room_yet_is_not_given_up(
    autojump_clock: MockClock,
) -> None:
    host, changes = FakeHost(silent=True), list[bool]()
    link = link_to([host], changes)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        await trio.sleep(3600)
        nursery.cancel_scope.cancel()
    assert not host.is_killed
    assert (link.free, changes) == (0, [])
