"""A gateway whose hosts refuse sessions, or fail by a bug."""

from contextlib import AbstractAsyncContextManager
from typing import Any

import attrs
import outcome
import pytest
import trio
from trio.testing import MockClock

from charlotte import Config
from charlotte.cluster.engine import ClusterCharlotte
from charlotte.cluster.messages import NotHere, Opening, Place
from charlotte.cluster.remote_session import RemoteSession
from charlotte.engine import SessionKey
from charlotte.errors import SessionProblem
from tests.cluster.test_fake_hosts import ENTRY, FakeGroup, FakeHost, open_gateway


@attrs.define(eq=False)
class OddHost(FakeHost):
    """A host that fails to release a session, perhaps with the settings of another gateway."""

    has_same_settings: bool = True
    polled: trio.Event = attrs.field(factory=trio.Event)

    async def call(self, method: str, *arguments: Any) -> outcome.Outcome[Any]:
        result = await super().call(method, *arguments)
        match method:
            case "hello":
                other = () if self.has_same_settings else ("max_sessions",)
                hello = attrs.evolve(result.unwrap(), other_settings=other)
                return outcome.Value(hello)
            case "poll":
                self.polled.set()
            case "release":
                raise ValueError("a bug of the host")
            case "join":
                return outcome.Value(None)
            case _:
                pass
        return result


@attrs.define(eq=False)
class ClaimingGroup(FakeGroup):
    """Notes the names of sessions that were to be restored, but were not."""

    unclaimed: list[str] = attrs.field(factory=list[str])

    async def ask_directory(self, method: str, *arguments: Any) -> Any:
        if method == "unclaim":
            self.unclaimed.append(arguments[0])
        return await super().ask_directory(method, *arguments)


async def test_a_session_moves_although_its_host_fails_to_release_it() -> None:
    host = OddHost()
    async with open_gateway(host) as cluster, cluster.open_session() as session:
        host.opening = trio.Event()
        await session.move()
        await host.opening.wait()


async def test_an_error_of_placing_names_hosts_with_other_settings(
    autojump_clock: MockClock,
) -> None:
    host = OddHost(has_same_settings=False)
    async with trio.open_nursery() as nursery:
        cluster = ClusterCharlotte(Config(), FakeGroup(Config(), fakes=[host]), nursery)
        nursery.start_soon(cluster.watch)
        await host.polled.wait()
        with pytest.raises(SessionProblem, match="Each live browser host has other settings"):
            await cluster.place(Opening(key=SessionKey("first")))
        nursery.cancel_scope.cancel("done")
    assert not host.opening.is_set()


@attrs.define(eq=False)
class FormerHost(OddHost):
    """A host with former settings that is replaced once it is empty."""

    has_same_settings: bool = False
    retired: int = 0

    async def call(self, method: str, *arguments: Any) -> outcome.Outcome[Any]:
        if method == "poll" and self.retired and not self.has_same_settings:
            self.has_same_settings = True
            return outcome.Value(None)
        if method == "retire":
            await trio.lowlevel.checkpoint()
            self.retired += 1
            return outcome.Value(self.retired == 1)
        return await super().call(method, *arguments)


async def test_one_host_with_former_settings_is_emptied_while_no_host_has_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("charlotte.cluster.engine._PERIOD", 0.01)
    hosts = FormerHost("one"), FormerHost("other")
    async with open_gateway(*hosts) as cluster, cluster.open_session():
        while min(host.polls for host in hosts) < 20:
            await trio.testing.wait_all_tasks_blocked()
        assert sum(host.retired for host in hosts) == 1


async def use(found: AbstractAsyncContextManager[RemoteSession]) -> None:
    async with found:
        raise AssertionError("the session was opened")


@attrs.define(eq=False)
class ForgetfulHost(FakeHost):
    """A host that has lost its sessions until one is opened again."""

    async def call(self, method: str, *arguments: Any) -> outcome.Outcome[Any]:
        if method != "status":
            return await super().call(method, *arguments)
        await trio.lowlevel.checkpoint()
        if len(self.opened) < 3:  # those of the gateway's start and of the test
            return outcome.Error(NotHere("The session is not on this host any more."))
        return outcome.Value({"tabs": 0})


async def test_the_status_of_a_session_that_its_host_has_lost_is_that_of_the_new_one() -> None:
    async with open_gateway(ForgetfulHost()) as cluster, cluster.open_session() as session:
        assert await session.read_status() == {"tabs": 0, "host": "host"}


@attrs.define(eq=False)
class RestoringGroup(FakeGroup):
    """A directory whose session another gateway is just restoring on the host."""

    async def ask_directory(self, method: str, *arguments: Any) -> Any:
        if method != "claim":
            return await super().ask_directory(method, *arguments)
        await trio.lowlevel.checkpoint()
        self.entry = ENTRY
        return False


async def test_a_call_waits_for_the_gateway_that_is_restoring_its_session() -> None:
    host = FakeHost()
    lost = attrs.evolve(ENTRY, place=Place("host", "an earlier incarnation"))
    group = RestoringGroup(Config(), fakes=[host], entry=lost)
    async with open_gateway(host, group=group) as cluster:
        found = await cluster.find_session(SessionKey("name", ("ada",)))
        assert found is not None
        async with found as session:
            assert session.place == ENTRY.place
            assert host.joined == 1


async def test_other_gateways_may_restore_a_session_whose_client_did_not_wait_for_this_one() -> (
    None
):
    host = OddHost()
    group = ClaimingGroup(Config(), fakes=[host])
    async with trio.open_nursery() as nursery:
        cluster = ClusterCharlotte(Config(), group, nursery)
        nursery.start_soon(cluster.watch)
        await host.polled.wait()
        found = await cluster.find_session(SessionKey("name", ("ada",)))
        assert found is not None
        host.hold_openings()
        async with trio.open_nursery() as client:
            client.start_soon(use, found)
            await host.opening.wait()
            client.cancel_scope.cancel("the client is gone")
        with trio.fail_after(10):
            while not group.unclaimed:
                await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel("done")
    assert group.unclaimed == ["name"]
