"""The directory: it may be lost, with all that it knew."""

import threading

import attrs
import pytest
import trio
from trio.testing import MockClock

from charlotte import Config
from charlotte.cluster.actors import ActorGroup
from charlotte.cluster.directory import Sessions
from charlotte.cluster.messages import HostReport, Place, directory_name
from charlotte.cluster.ray_calls import ActorGone, NamedActor
from charlotte.engine import SessionKey
from charlotte.errors import ConnectionLost
from tests.cluster.fake_ray import FakeActor, FakeRay, use_fake_ray

HERE, THERE = Place("here", "first"), Place("there", "first")
KEY = SessionKey("name", ("me",))


@attrs.define(eq=False)
class Clock:
    """A clock that stands still."""

    time: float = 1_000.0

    def __call__(self) -> float:
        return self.time


def report(place: Place, *keys: SessionKey) -> HostReport:
    return HostReport(place=place, node="node", sessions=[(key, True) for key in keys])


def test_a_new_directory_learns_sessions_and_their_states_from_hosts() -> None:
    sessions = Sessions()
    assert sessions.report(report(HERE, KEY)) == {"name"}, "the state is lacking"
    sessions.save("name", HERE, b"state")
    assert sessions.report(report(HERE, KEY)) == set()
    entry, state = sessions.find("name")
    assert entry is not None
    assert (entry.key, entry.place, entry.is_private, state) == (KEY, HERE, True, b"state")


def test_a_reported_session_that_is_registered_elsewhere_is_a_copy_that_ends() -> None:
    ended = list[tuple[str, Place]]()
    sessions = Sessions(end_copy=lambda name, place: ended.append((name, place)))
    sessions.register(KEY, HERE, is_private=True)
    assert sessions.report(report(THERE, KEY)) == set()
    assert ended == [("name", THERE)]
    entry, _ = sessions.find("name")
    assert entry is not None
    assert entry.place == HERE


def test_a_host_that_reports_no_more_does_not_hold_up_the_drain_of_its_node() -> None:
    """It has ended, and Ray may have no room to start it again."""
    clock = Clock()
    sessions = Sessions(clock=clock)
    sessions.report(report(HERE))
    clock.time += 20
    sessions.report(report(THERE))
    assert sessions.drain_state("node").hosts == {"here", "there"}
    clock.time += 20
    assert sessions.drain_state("node").hosts == {"there"}


def test_sessions_that_hosts_no_longer_report_are_dropped_with_their_states() -> None:
    clock = Clock()
    sessions = Sessions(idle=1800, clock=clock)
    ended, lost = SessionKey("ended"), SessionKey("lost")
    for key, place in ((KEY, HERE), (ended, HERE), (lost, THERE)):
        sessions.register(key, place, is_private=True)
        sessions.save(key.name, place, b"state")

    def names_after(seconds: float) -> list[str]:
        clock.time += seconds
        sessions.report(report(HERE, KEY))
        keys = (KEY, ended, lost)
        return [key.name for key in keys if sessions.find(key.name) != (None, None)]

    assert names_after(100) == ["name", "ended", "lost"], "it may be moving"
    assert names_after(100) == ["name", "lost"]
    assert sessions.claim("lost", "gateway", THERE)
    assert names_after(1700) == ["name", "lost"]
    assert names_after(1700) == ["name"]


def test_a_session_is_restored_by_one_gateway_while_that_is_live() -> None:
    clock = Clock()
    sessions = Sessions(clock=clock)
    sessions.register(KEY, HERE, is_private=True)
    assert sessions.claim("name", "one", HERE)
    for _ in range(60):
        clock.time += 1
        sessions.touch("one", set())
        assert not sessions.claim("name", "other", HERE)
    clock.time += 11
    assert sessions.claim("name", "other", HERE), "the first gateway is lost"
    assert not sessions.claim("name", "one", HERE)
    sessions.unclaim("name", "other")
    assert sessions.claim("name", "one", HERE), "the other one had no room"


def test_a_new_directory_learns_drained_nodes_from_gateways() -> None:
    sessions = Sessions()
    assert sessions.touch("one", {"node"}) == {"node"}
    sessions.drained.discard("node")
    assert sessions.touch("one", {"node"}) == set(), "the gateway learns that it was undone"


async def test_a_gateway_creates_a_directory_again_that_has_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ray = use_fake_ray(monkeypatch)
    group = ActorGroup(Config(engine="ray"), browsers=1)
    await group.ask_directory("find", "name")
    ray.actors[directory_name(group.name)].gone = True
    with pytest.raises(ConnectionLost, match="head"):
        await group.ask_directory("find", "name")
    assert await group.ask_directory("find", "name") is None


async def test_a_lost_directory_that_cannot_be_created_again_is_an_error_within_seconds(
    monkeypatch: pytest.MonkeyPatch, mock_clock: MockClock
) -> None:
    ray, head_is_back = use_fake_ray(monkeypatch), threading.Event()
    group = ActorGroup(Config(engine="ray"), browsers=1)
    await group.ask_directory("find", "name")
    ray.actors[directory_name(group.name)].gone = True

    def wait(_: FakeRay, kind: type) -> None:
        head_is_back.wait()

    monkeypatch.setattr(FakeRay, "remote", wait)
    mock_clock.autojump_threshold = 0
    try:
        for _ in range(2):
            begun = trio.current_time()
            with pytest.raises(ConnectionLost, match="head of the Ray cluster does not answer"):
                await group.ask_directory("find", "name")
            assert trio.current_time() - begun <= 3
    finally:
        head_is_back.set()


async def test_a_directory_that_does_not_answer_is_an_error_within_seconds(
    monkeypatch: pytest.MonkeyPatch, mock_clock: MockClock
) -> None:
    ray = use_fake_ray(monkeypatch)
    group = ActorGroup(Config(engine="ray"), browsers=1)
    await group.ask_directory("find", "name")
    ray.actors[directory_name(group.name)].silent = True
    mock_clock.autojump_threshold = 0
    with pytest.raises(ConnectionLost, match="head of the Ray cluster does not answer"):
        await group.ask_directory("find", "name")
    assert trio.current_time() <= 3


async def test_a_host_finds_a_directory_again_that_was_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ray = use_fake_ray(monkeypatch)
    received = list[str]()
    directory = NamedActor(lambda: ray.get_actor("directory", "charlotte"))
    for end in ("first", "second"):
        with pytest.raises(ActorGone, match=r"no such actor|died"):
            await directory.call("append", end)
        directory.send("append", f"lost {end}")
        ray.actors["directory"] = FakeActor(received)
        await directory.call("append", end)
        directory.send("append", f"sent {end}")
        ray.actors["directory"].gone = True
    assert received == ["first", "sent first", "second", "sent second"]
