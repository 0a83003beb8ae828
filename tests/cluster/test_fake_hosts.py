"""A gateway on fake hosts: placement, loss of hosts, events, progress, and closed sessions."""

from contextlib import AsyncExitStack

import pytest
import trio

from charlotte.actors.state.events import TabOpened
from charlotte.base.errors import ConnectionLost, SessionProblem
from charlotte.cluster import engine
from charlotte.cluster.messages import Notice
from tests.cluster.fakes import FakeHost, open_gateway
from tests.server.http.stage import until


async def test_sessions_are_spread_over_nodes_and_hosts() -> None:
    hosts = FakeHost(node="a"), FakeHost(node="a"), FakeHost(node="b")
    async with open_gateway(*hosts) as cluster, AsyncExitStack() as stack:
        for _ in range(4):
            await stack.enter_async_context(cluster.open_session())
        assert [1, 1, 2] == [len(host.opened) for host in hosts]


async def test_a_full_cluster_refuses_until_a_session_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "PLACE_WAIT", 0.3)
    async with open_gateway(FakeHost(), max_sessions=1) as cluster:
        async with cluster.open_session():
            with pytest.raises(SessionProblem, match="free slot: 1 of 1 hosts are live, with 1"):
                async with cluster.open_session():
                    pass
        async with cluster.open_session():
            pass


async def test_the_server_has_as_many_places_as_live_hosts_have_slots() -> None:
    host, places = FakeHost(), list[int]()
    async with open_gateway(host, FakeHost(), max_sessions=3) as cluster:
        cluster.watch_places(places.append)
        host.gone = True
        await until(lambda: places[-1] == 3)
    assert places[0] == 6


async def test_a_session_of_a_lost_host_continues_with_its_state_and_unused_numbers() -> None:
    host, spare = FakeHost(), FakeHost()
    async with open_gateway(host, spares=[spare]) as cluster, cluster.open_session() as session:
        with pytest.raises(SessionProblem, match="It failed"):
            await session.call("click")
        host.notices += [Notice("another", b"other"), Notice(session.name, b"mine")]
        await until(lambda: session.state is not None)
        host.gone = True
        with pytest.raises(ConnectionLost, match="was lost during the call"):
            await session.call("click")
        with pytest.raises(SessionProblem, match="It failed"):
            await session.call("click")
        [opening] = spare.opened
        assert opening.state == b"mine"
        assert (opening.last_tab, opening.last_snapshot) == (3, 4)


async def test_a_session_that_has_crashed_is_opened_again_and_the_call_is_made_there() -> None:
    host = FakeHost()
    async with open_gateway(host) as cluster, cluster.open_session() as session:
        host.crashed.add(session.name)

        def recover() -> None:
            host.crashed.clear()

        host.on_opened = recover
        with pytest.raises(SessionProblem, match="It failed"):
            await session.call("click")
        assert len(host.opened) == len(host.requests) == 2


async def test_a_host_that_is_lost_while_it_opens_a_session_is_not_its_place() -> None:
    host, spare = FakeHost(), FakeHost()
    async with open_gateway(host, spares=[spare]) as cluster:

        def lose() -> None:
            host.gone = True

        host.on_opened = lose
        async with cluster.open_session() as session:
            with pytest.raises((ConnectionLost, SessionProblem)):
                await session.call("click")
            with pytest.raises(SessionProblem, match="It failed"):
                await session.call("click")
            assert spare.opened


async def test_a_call_of_a_session_without_a_host_is_an_error_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine, "PLACED_WAIT", 0.1)
    host = FakeHost()
    async with open_gateway(host) as cluster, cluster.open_session() as session:
        host.gone = True
        await until(lambda: session.link is None)
        with pytest.raises(ConnectionLost, match="Timed out after 0 s waiting for a host"):
            await session.call("click")


async def test_a_caller_that_is_gone_leaves_no_session_on_a_host() -> None:
    host = FakeHost()
    async with open_gateway(host, max_sessions=1) as cluster:
        host.hold_openings()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(cluster.open_session().__aenter__)
            await host.opening.wait()
            nursery.cancel_scope.cancel("the client is gone")
        assert len(host.closed) == 1
        host.may_open.set()
        async with cluster.open_session():
            pass


async def test_a_session_that_ends_while_it_is_restored_leaves_its_new_host() -> None:
    host = FakeHost()
    async with open_gateway(host) as cluster:
        async with cluster.open_session() as session:
            host.hold_openings()
            assert session.link is not None
            session.lose(session.link)
            await host.opening.wait()
        assert not host.closed
        host.may_open.set()
        await until(lambda: host.closed)
        with pytest.raises(SessionProblem, match="was closed, so this call did nothing"):
            await session.call("click")


async def test_the_host_learns_which_answers_were_delivered() -> None:
    host = FakeHost()
    async with open_gateway(host) as cluster, cluster.open_session() as session:
        for _ in range(2):
            with pytest.raises(SessionProblem, match="It failed"):
                await session.call("click")
        first, second = host.requests
        assert ((), (first.number,)) == (tuple(first.delivered), tuple(second.delivered))


async def test_the_client_gets_the_reports_that_arrive_after_the_answer() -> None:
    made: list[tuple[float, int | None, str | None]] = []

    async def report(progress: float, total: int | None, message: str | None) -> None:
        made.append((progress, total, message))

    async with open_gateway(FakeHost()) as cluster, cluster.open_session() as session:
        with pytest.raises(SessionProblem):
            await session.call("click", progress=report)
        assert made == [(1, 2, "half")]


async def test_events_arrive_at_their_session() -> None:
    host = FakeHost()
    event = TabOpened(time="now", tab_id="tab-1", opener=None)
    async with open_gateway(host) as cluster, cluster.open_session() as session:
        assert not host.wants_events
        everywhere, own = cluster.events(TabOpened), session.events(TabOpened)
        with pytest.raises(SessionProblem):
            await session.call("click")
        assert host.requests[0].wants_events
        host.notices += [Notice(session.name, event)]
        assert event == await anext(own) == await anext(everywhere)


async def test_the_status_has_a_row_for_each_host() -> None:
    async with open_gateway(FakeHost(), FakeHost()) as cluster, cluster.open_session() as session:
        rows = cluster.status()["hosts"]
        assert [(row["sessions"], row["tabs"]) for row in rows] == [(1, 2), (0, 2)]
        assert cluster.tabs == 4
        assert session.status() == {"host": "host-0", "tabs": 0}
        async with cluster.open_lobby() as lobby:
            assert (await lobby.read_status())["hosts"] == rows
            assert lobby.listed()
            assert await lobby.list_files() == ()
            with pytest.raises(SessionProblem, match="did nothing"):
                await lobby.answer("click", {})


async def test_errors_name_the_number_of_hosts_while_none_is_live() -> None:
    host = FakeHost()
    async with open_gateway(host) as cluster:
        assert cluster.find_outage() is None
        host.gone = True
        await until(cluster.find_outage)
        assert "0 of 1 hosts are live, with 0 sessions" in str(cluster.find_outage())


async def test_a_gateway_ends_its_sessions_and_hosts() -> None:
    host = FakeHost()
    async with open_gateway(host) as cluster:
        async with cluster.open_session() as session:
            pass
        await cluster.close()
        assert host.closed == [session.name, ""]
        assert host.is_killed
