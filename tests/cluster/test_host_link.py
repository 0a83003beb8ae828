"""Detection of lost hosts, and placement, on trio's clock."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import attrs
import outcome
import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock

from charlotte.cluster.dashboard import cluster_status
from charlotte.cluster.directory import Sessions
from charlotte.cluster.host_link import ANSWER_WAIT, NAMES_PERIOD, HostLink
from charlotte.cluster.messages import Hello, News, Place
from charlotte.cluster.placement import choose_host, find_outage
from charlotte.cluster.ray_calls import ActorGone
from charlotte.engine import SessionKey
from charlotte.errors import ConnectionLost


def news(sessions: int = 0) -> News:
    return News(sessions=sessions, tabs=0, notices=())


@attrs.define(eq=False)
class FakeHost:
    """A host that answers polls after half a second, until it is ``silent`` or ``gone``."""

    incarnation: str = "first"
    silent: bool = False
    gone: bool = False
    bug: Exception | None = None
    has_same_settings: bool = True
    is_idle: bool = False
    greeted: int = 0
    named: list[Sequence[str] | None] = attrs.field(factory=list[Sequence[str] | None])

    async def call(self, method: str, *arguments: Any) -> outcome.Outcome[Any]:
        await trio.sleep(0.5)
        if self.gone:
            raise ActorGone
        if self.bug:
            raise self.bug
        if self.silent or method == "endless":
            await trio.sleep_forever()
        if method == "hello":
            self.greeted += 1
            if self.is_idle:  # it is replaced
                self.has_same_settings, self.is_idle = True, False
            other = () if self.has_same_settings else ("max_sessions",)
            hello = Hello(incarnation=self.incarnation, node="n", slots=2, other_settings=other)
            return outcome.Value(hello)
        if method == "poll":
            self.named.append(arguments[3])
            latest = attrs.evolve(news(), is_idle=self.is_idle)
            return outcome.Value(latest if arguments[1] == self.incarnation else None)
        return outcome.Value(method)


def link_to(host: FakeHost, changes: list[bool]) -> HostLink:
    return HostLink(
        "host", "gateway", host.call, lambda _, __: None, lambda link: changes.append(link.is_live)
    )


async def _lost_after(link: HostLink, lose: Callable[[], object]) -> float:
    """Return the seconds from a loss until a call in flight fails."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        await trio.sleep(2)
        begun = trio.current_time()
        lose()
        with pytest.raises(ConnectionLost, match="may or may not"):
            await link.ask("endless")
        nursery.cancel_scope.cancel()
    return trio.current_time() - begun


async def test_calls_of_a_silent_host_fail_within_seconds(autojump_clock: MockClock) -> None:
    host, changes = FakeHost(), list[bool]()
    link = link_to(host, changes)
    with capture_logs() as logs:
        assert await _lost_after(link, lambda: setattr(host, "silent", True)) <= ANSWER_WAIT + 1
    assert changes == [True, False]
    assert [entry["event"] for entry in logs] == ["browser host live", "browser host lost"]


async def test_a_restarted_host_counts_as_lost(autojump_clock: MockClock) -> None:
    host, changes = FakeHost(), list[bool]()
    link = link_to(host, changes)
    assert await _lost_after(link, lambda: setattr(host, "incarnation", "second")) <= 1.5


@pytest.mark.parametrize("problem", [{"gone": True}, {"bug": ValueError("a bug")}])
async def test_a_host_that_is_back_is_used_again(
    autojump_clock: MockClock, problem: dict[str, Any]
) -> None:
    host, changes = FakeHost(**problem), list[bool]()
    link = link_to(host, changes)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        await trio.sleep(5)
        with pytest.raises(ConnectionLost):
            await link.ask("list")
        host.gone, host.bug = False, None
        await trio.sleep(5)
        assert "list" == await link.ask("list")
        host.bug = ValueError("another bug")
        await trio.sleep(1)
        assert not link.is_live
        nursery.cancel_scope.cancel()
    assert changes == [True, False]


async def test_a_host_with_other_settings_gets_no_sessions_and_is_replaced_once_it_is_idle(
    autojump_clock: MockClock,
) -> None:
    host = FakeHost(has_same_settings=False)
    link = link_to(host, [])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        await trio.sleep(5)
        assert (link.is_live, link.free, host.greeted) == (True, 0, 1)
        assert choose_host([link]) is None
        assert await link.ask("join") == "join"
        host.is_idle = True
        await trio.sleep(5)
        assert (link.is_live, link.free, host.greeted) == (True, 2, 2)
        nursery.cancel_scope.cancel("done")


async def test_the_last_notices_of_a_host_that_is_replaced_arrive(
    autojump_clock: MockClock,
) -> None:
    host, arrived = FakeHost(has_same_settings=False, is_idle=False), list[bool]()
    link = link_to(host, [])
    link.on_news = lambda _, latest: arrived.append(latest.is_idle)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        await trio.sleep(2)
        host.is_idle = True
        await trio.sleep(5)
        nursery.cancel_scope.cancel("done")
    assert True in arrived


async def test_a_gateway_names_its_sessions_every_few_seconds(autojump_clock: MockClock) -> None:
    host = FakeHost()
    link = link_to(host, [])
    link.session_names = lambda of: ["one"] if of is link else []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        await trio.sleep(2.9 * NAMES_PERIOD)
        nursery.cancel_scope.cancel("done")
    named = [names for names in host.named if names is not None]
    assert named == [["one"]] * 3
    assert len(host.named) > 20


def placed(name: str, node: str, sessions: int, slots: int = 2) -> HostLink:
    link = link_to(FakeHost(), [])
    link.name, link.news = name, news(sessions)
    link.hello = Hello(incarnation="first", node=node, slots=slots)
    return link


def test_a_session_is_placed_on_the_emptiest_node() -> None:
    links = [placed("a", "1", 1), placed("b", "1", 0), placed("c", "2", 0), placed("d", "2", 0)]
    chosen = choose_host(links)
    assert chosen is links[2]


def test_lost_full_and_drained_hosts_get_no_sessions() -> None:
    lost, full, drained = placed("a", "1", 0), placed("b", "2", 2), placed("c", "3", 0)
    lost.news = None
    assert choose_host([lost, full, drained], {"3"}) is None
    assert choose_host([lost, full, drained]) is drained


def test_a_session_goes_on_at_its_former_host_if_that_is_back() -> None:
    links = [placed("a", "1", 0), placed("b", "2", 2)]
    assert choose_host(links, lost=Place("b", "first")) is links[1]
    assert choose_host(links, lost=Place("b", "an earlier incarnation")) is links[0]
    assert choose_host(links, {"2"}, Place("b", "first")) is links[0]


def test_only_one_gateway_restores_a_session() -> None:
    sessions, key = Sessions(), SessionKey("name", ("me",))
    old, new = Place("a", "first"), Place("b", "first")
    sessions.register(key, old, is_private=True)
    assert sessions.claim("name", "one", old)
    assert not sessions.claim("name", "other", old)
    sessions.register(key, new, is_private=True)
    assert not sessions.claim("name", "other", old), "it has been restored already"
    sessions.forget("name", old)
    assert sessions.find("name")[0] is not None
    sessions.forget("name", new)
    assert sessions.find("name")[0] is None


def test_a_host_that_a_session_has_left_does_not_replace_its_saved_state() -> None:
    ended = list[tuple[str, Place]]()
    sessions = Sessions(end_copy=lambda name, place: ended.append((name, place)))
    key = SessionKey("name", ("me",))
    old, new = Place("a", "first"), Place("b", "first")
    sessions.register(key, old, is_private=True)
    sessions.save("name", old, b"one")
    assert ended == []
    sessions.register(key, new, is_private=True)
    assert ended == [("name", old)]
    sessions.save("name", old, b"late")
    assert sessions.find("name")[1] == b"one"
    assert ended == [("name", old)] * 2, "the first message may be lost"
    sessions.save("name", new, b"two")
    assert sessions.find("name")[1] == b"two"
    sessions.forget("name", new)
    sessions.save("name", new, b"late")
    assert sessions.find("name") == (None, None)


def other(name: str, node: str) -> HostLink:
    link = placed(name, node, 0)
    assert link.hello is not None
    link.hello = attrs.evolve(link.hello, other_settings=("max_sessions",))
    return link


@pytest.mark.parametrize(
    ("links", "drained", "message"),
    [
        ([placed("a", "1", 0), placed("b", "2", 2)], {"1"}, None),
        ([placed("a", "1", 0)], {"1"}, "on a node that is drained"),
        ([other("a", "1"), placed("b", "2", 0)], {"2"}, "has other settings (max_sessions) than"),
        ([], (), "No browser host is live yet: the cluster has 0 hosts"),
    ],
)
def test_the_error_of_new_sessions_names_why_no_host_takes_one(
    links: Sequence[HostLink], drained: Collection[str], message: str | None
) -> None:
    outage = find_outage(links, drained, was_live=False, host_cpus=1)
    if message is None:
        assert outage is None, "a full host has a place later"
    else:
        assert outage is not None
        assert message in outage.message


async def test_the_status_names_drained_hosts_and_those_with_other_settings() -> None:
    links = [placed("a", "1", 0), other("b", "2")]
    for link in links:
        link.status = {"process": {}, "browser": {"connected": True}, "actors": [], "sessions": []}
    rows = cluster_status(links, {"1"}, 0)["hosts"]
    assert [(row["drained"], row["other_settings"]) for row in rows] == [
        (True, False),
        (False, True),
    ]
