"""A gateway and hosts without Ray: owners of sessions, events, and hosts that do not start."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import attrs
import outcome
import pytest
import trio

from charlotte import Config
from charlotte.cluster.actors import ActorGroup, head_lost
from charlotte.cluster.engine import ClusterCharlotte
from charlotte.cluster.messages import (
    DeliveriesWanted,
    Entry,
    Hello,
    News,
    Notice,
    Opened,
    Opening,
    Place,
    ProgressMade,
    Reply,
    Request,
    SessionEnded,
    StateSaved,
)
from charlotte.engine import SessionKey
from charlotte.errors import ConnectionLost, SessionProblem

OPENED = Opened(local_id="session-1", listed=(), version=1, max_chars=1000)
ENTRY = Entry(key=SessionKey("name", ("ada",)), place=Place("host", "first"))
STATUS: Mapping[str, Any] = {"sessions": [{"id": "session-1", "tabs": []}]}


@attrs.define(eq=False)
class FakeHost:
    """A host that opens any session, and sends its status with the first poll only.

    Calls fail; ``delivered`` are the numbers of answers that each call reports as sent. A call with
    progress makes a report, which is sent with a poll after the answer.
    """

    name: str = "host"
    node: str = "node"
    slots: int = 9
    sessions: int = 0
    released: int = 0
    wanted: trio.Event = attrs.field(factory=trio.Event)
    polls: int = 0
    opening: trio.Event = attrs.field(factory=trio.Event)
    may_open: trio.Event = attrs.field(factory=trio.Event)
    delivered: list[Sequence[int]] = attrs.field(factory=list[Sequence[int]])
    left: trio.Event = attrs.field(factory=trio.Event)
    may_greet: trio.Event = attrs.field(factory=trio.Event)
    is_late: bool = False
    joined: int = 0
    ended: list[SessionKey] = attrs.field(factory=list[SessionKey])
    opened: list[Opening] = attrs.field(factory=list[Opening])
    on_opened: Callable[[], None] = lambda: None
    notices: list[Notice] = attrs.field(factory=list[Notice])

    def __attrs_post_init__(self) -> None:
        self.may_open.set()

    def disconnect(self) -> None:
        """Close no connection: there are none."""

    def hold_openings(self) -> None:
        """Answer no more requests to open a session until ``may_open`` is set."""
        self.opening, self.may_open = trio.Event(), trio.Event()

    async def call(self, method: str, *arguments: Any) -> outcome.Outcome[Any]:
        await trio.sleep(0.01)
        match method:
            case "hello":
                if self.is_late:
                    await self.may_greet.wait()
                return outcome.Value(Hello(incarnation="first", node=self.node, slots=self.slots))
            case "poll":
                if arguments[2]:
                    self.wanted.set()
                self.polls += 1
                status = STATUS if self.polls == 1 else None
                notices, self.notices = self.notices, []
                return outcome.Value(self._news(notices, status))
            case "open":
                self.opening.set()
                await self.may_open.wait()
                self.sessions += 1
                self.opened.append(arguments[1])
                self.on_opened()
                return outcome.Value(OPENED)
            case "answer":
                return outcome.Value(self._answer(arguments[1]))
            case "join":
                self.joined += 1
                return outcome.Value((OPENED, b"state"))
            case _:
                return outcome.Value(self._note(method, arguments))

    def _note(self, method: str, arguments: Sequence[Any]) -> bytes | None:
        match method:
            case "note_delivered":
                self.delivered.append(arguments[2])
            case "leave":
                self.left.set()
            case "release":
                self.released += 1
                self.sessions -= 1
                return b"state"
            case "end":
                self.ended.append(arguments[0])
                return b"ended"
            case _:
                pass
        return None

    def _news(self, notices: list[Notice], status: Mapping[str, Any] | None) -> News:
        return News(sessions=self.sessions, tabs=0, notices=notices, status=status)

    def _answer(self, request: Request) -> Reply:
        self.delivered.append(request.delivered)
        if request.has_progress:
            self.notices.append(ProgressMade(request.number, (1, 2, "half")))
        return Reply(
            result=outcome.Error(SessionProblem("It failed.")),
            reports=len(self.notices),
            last_tab=0,
            last_snapshot=0,
            version=1,
            tabs=0,
        )


@attrs.define(eq=False)
class FakeGroup(ActorGroup):
    """Some hosts, and a directory that knows one session of ``ada``."""

    fakes: Sequence[FakeHost] = attrs.field(kw_only=True)
    drained: set[str] = attrs.field(factory=set[str])
    entry: Entry = ENTRY
    is_lost: bool = False
    asked: list[str] = attrs.field(factory=list[str])

    def count_hosts(self) -> int:
        return len(self.fakes)

    def host(self, number: int, nursery: trio.Nursery) -> Any:  # noqa: ARG002
        return self.fakes[number]

    async def ask_directory(self, method: str, *arguments: Any) -> Any:
        await trio.lowlevel.checkpoint()
        self.asked.append(method)
        if self.is_lost:
            raise head_lost()
        match method:
            case "find":
                return self.entry
            case "claim":
                return arguments[0] != self.entry.key.name or arguments[2] == self.entry.place
            case _:
                return self.drained


@asynccontextmanager
async def open_gateway(
    *hosts: FakeHost, group: FakeGroup | None = None
) -> AsyncGenerator[ClusterCharlotte]:
    """Yield a gateway that is connected to hosts."""
    group = group or FakeGroup(Config(), fakes=hosts)
    with trio.fail_after(10):
        async with trio.open_nursery() as nursery:
            cluster = ClusterCharlotte(Config(), group, nursery)
            nursery.start_soon(cluster.watch)
            await cluster.place(Opening(key=SessionKey("first")))
            yield cluster
            nursery.cancel_scope.cancel("done")


async def test_a_session_of_another_gateway_is_found_for_its_owner_only() -> None:
    async with open_gateway(FakeHost()) as cluster:
        assert await cluster.find_session(SessionKey("name", ("eve",))) is None
        found = await cluster.find_session(SessionKey("name", ("ada",)))
        assert found is not None
        async with found as session:
            assert session.state == b"state"


async def test_a_gateway_that_starts_joins_a_session_whose_host_it_has_not_reached() -> None:
    other, late = FakeHost("other"), FakeHost("host", is_late=True)
    async with open_gateway(other, late) as cluster, trio.open_nursery() as nursery:
        found = await cluster.find_session(SessionKey("name", ("ada",)))
        assert found is not None
        other.hold_openings()

        async def join() -> None:
            async with found as session:
                assert session.link is not None
                assert session.link.name == "host"
                assert late.joined == 1

        nursery.start_soon(join)
        await trio.testing.wait_all_tasks_blocked()
        late.may_greet.set()
    assert not other.opening.is_set(), "the session is not opened a second time"


async def test_a_stream_of_one_session_makes_hosts_send_events_with_each_poll() -> None:
    host = FakeHost()
    async with open_gateway(host) as cluster, cluster.open_session() as session:
        assert not host.wanted.is_set()
        session.events()
        await host.wanted.wait()


async def test_a_poll_without_a_status_leaves_the_last_one() -> None:
    host = FakeHost()
    async with open_gateway(host) as cluster, cluster.open_session() as session:
        begun = host.polls
        while host.polls < begun + 3:
            await trio.testing.wait_all_tasks_blocked()
        assert session.status() == {"host": "host", "sessions": STATUS["sessions"]}


async def test_a_host_gets_to_know_which_errors_were_delivered() -> None:
    host = FakeHost()
    async with open_gateway(host) as cluster, cluster.open_session() as session:
        for _ in range(2):
            with pytest.raises(SessionProblem, match="It failed"):
                await session.call("click")
        assert [len(numbers) for numbers in host.delivered] == [0, 1]


async def test_the_client_gets_the_reports_that_arrive_after_the_answer() -> None:
    made: list[tuple[float, int | None, str | None]] = []

    async def report(progress: float, total: int | None, message: str | None) -> None:
        made.append((progress, total, message))

    async with open_gateway(FakeHost()) as cluster, cluster.open_session() as session:
        with pytest.raises(SessionProblem):
            await session.call("click", progress=report)
        assert made == [(1, 2, "half")]


async def test_a_gateway_reports_on_request_which_answers_it_has_sent() -> None:
    host = FakeHost()
    async with open_gateway(host) as cluster, cluster.open_session() as session:
        with pytest.raises(SessionProblem):
            await session.call("click")
        host.notices.append(DeliveriesWanted(session.session_key.name))
        while len(host.delivered) < 2:
            await trio.testing.wait_all_tasks_blocked()
        with pytest.raises(SessionProblem):
            await session.call("click")
        assert [len(numbers) for numbers in host.delivered] == [0, 1, 0]


async def test_a_session_that_ends_while_it_is_restored_leaves_its_new_host() -> None:
    host = FakeHost()
    async with open_gateway(host) as cluster:
        async with cluster.open_session() as session:
            host.hold_openings()
            assert session.link is not None
            session.lose(session.link)
            await host.opening.wait()
        assert not host.left.is_set()
        host.may_open.set()
        await host.left.wait()


async def test_a_session_is_restored_that_another_gateway_had_restored_on_a_lost_host(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("charlotte.cluster.shared_sessions._LINK_WAIT", 0.01)
    host = FakeHost()
    group = FakeGroup(Config(), fakes=[host])
    async with open_gateway(group=group) as cluster, cluster.open_session() as session:
        newer = Place("gone", "later")
        group.entry = Entry(key=session.session_key, place=newer, state=b"newer")
        assert session.link is not None
        begun = len(host.opened)
        session.lose(session.link)
        while len(host.opened) == begun:
            await trio.testing.wait_all_tasks_blocked()
        assert host.opened[-1].lost == newer
        assert host.opened[-1].state == b"newer"


async def test_without_the_head_calls_of_lost_sessions_name_it_and_new_sessions_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("charlotte.cluster.remote_session.HEAD_WAIT", 0.1)
    group = FakeGroup(Config(), fakes=[FakeHost()])
    async with open_gateway(group=group) as cluster, cluster.open_session() as session:
        group.is_lost = True
        assert session.link is not None
        session.lose(session.link)
        with pytest.raises(ConnectionLost, match="head of the Ray cluster"):
            await session.call("click")
        async with cluster.open_session() as other:
            assert other.link is not None


async def test_a_host_that_is_lost_while_it_opens_a_session_is_its_place() -> None:
    host = FakeHost()
    async with open_gateway(host) as cluster, cluster.open_session() as first:
        assert first.link is not None
        host.on_opened = first.link.lose
        async with cluster.open_session() as session:
            assert session.link is None
            assert session.place == Place("host", "first")


@pytest.mark.parametrize("is_resumable", [False, True])
async def test_a_server_that_ends_keeps_sessions_that_others_can_continue(
    *, is_resumable: bool
) -> None:
    host, served = FakeHost(), trio.Event()

    async def serve() -> None:
        key = SessionKey("session", is_resumable=is_resumable)
        async with cluster.open_private_session(key):
            served.set()
            await trio.sleep_forever()

    group = FakeGroup(Config(), fakes=[host])
    async with open_gateway(group=group) as cluster:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve)
            await served.wait()
            nursery.cancel_scope.cancel("served")
        await cluster.close()
        assert host.left.is_set() != is_resumable
        assert ("goodbye" in group.asked) != is_resumable, "the directory goes on for a minute"


async def test_a_session_ends_for_all_gateways_whichever_its_client_uses() -> None:
    host, ended = FakeHost(), list[str]()
    async with open_gateway(host) as cluster, cluster.open_session() as session:
        for key in (session.session_key, ENTRY.key):
            assert await cluster.end_session(key)
        assert host.ended == [session.session_key, ENTRY.key]
        cluster.watch_ends(ended.append)
        host.notices.append(SessionEnded("a session"))
        while not ended:
            await trio.testing.wait_all_tasks_blocked()
        assert ended == ["a session"]


async def test_calls_of_a_closed_session_are_errors_at_once() -> None:
    host = FakeHost()

    async def call() -> None:
        with pytest.raises(SessionProblem, match="was closed, so this call did nothing"):
            await session.call("click")

    async with open_gateway(host) as cluster, trio.open_nursery() as nursery:
        async with cluster.open_session() as session:
            host.hold_openings()
            assert session.link is not None
            session.lose(session.link)
            await host.opening.wait()
            nursery.start_soon(call)
            await trio.testing.wait_all_tasks_blocked()
        await call()
        host.may_open.set()
        await host.left.wait()
        await call()


async def test_only_the_host_of_a_session_replaces_its_state() -> None:
    hosts = FakeHost("one"), FakeHost("other")
    async with open_gateway(*hosts) as cluster, cluster.open_session() as session:
        while hosts[1].polls < 2:
            await trio.testing.wait_all_tasks_blocked()
        assert session.link is not None
        name = session.session_key.name
        mine, other = hosts if session.link.name == "one" else reversed(hosts)
        mine.notices.append(StateSaved(name, b"mine"))
        while session.state != b"mine":
            await trio.testing.wait_all_tasks_blocked()
        other.notices.append(StateSaved(name, b"other"))
        begun = other.polls
        while other.polls < begun + 3:
            await trio.testing.wait_all_tasks_blocked()
        assert session.state == b"mine"


async def test_a_drained_node_keeps_sessions_that_have_no_slot_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("charlotte.cluster.engine._PERIOD", 0.01)
    drained = FakeHost("drained")
    spare = FakeHost("spare", node="spare", slots=1, is_late=True)
    group = FakeGroup(Config(), fakes=(drained, spare))
    async with open_gateway(group=group) as cluster, AsyncExitStack() as stack:
        for _ in range(3):
            await stack.enter_async_context(cluster.open_session())
        group.drained.add("node")
        spare.may_greet.set()
        while spare.polls < 10:
            await trio.testing.wait_all_tasks_blocked()
        assert spare.sessions == drained.released == 1


async def test_errors_name_the_number_of_hosts_while_none_is_live() -> None:
    late = FakeHost(is_late=True)
    async with open_gateway(FakeHost("one"), late) as cluster, cluster.open_session() as session:
        assert cluster.find_outage() is None
        assert session.link is not None
        session.link.lose()
        outage = cluster.find_outage()
        assert outage is not None
        assert outage.message.startswith("No browser host is live any more: the cluster has 2")
    async with trio.open_nursery() as nursery:
        cluster = ClusterCharlotte(Config(), FakeGroup(Config(), fakes=[]), nursery)
        outage = cluster.find_outage()
        assert outage is not None
        assert outage.message.startswith("No browser host is live yet: the cluster has 0")
