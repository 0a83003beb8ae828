"""Draining of a node whose gateways and hosts are slow or silent."""

import attrs
import pytest
import trio

from charlotte.cluster.directory import Directory
from charlotte.cluster.draining import drain
from charlotte.cluster.messages import HostReport, Place, directory_name, host_name
from charlotte.errors import SessionProblem
from tests.cluster.fake_ray import FakeActor, FakeRay, PackedHost, use_fake_ray

NODE, HOST = "node-1", host_name("gateways", 0)


@attrs.define(eq=False)
class LoadedHost(PackedHost):
    """A host with sessions; ``asked`` counts the questions for its load."""

    sessions: int = 0
    asked: int = 0

    def load(self) -> tuple[str, int]:
        self.asked += 1
        return NODE, self.sessions


@attrs.define(eq=False)
class Cluster:
    """A cluster with a node, a host that reports, and a gateway."""

    ray: FakeRay
    host: LoadedHost
    actor: FakeActor
    directory: Directory

    async def note_drained(self) -> None:
        await self.directory.touch("gateway", {NODE})


@pytest.fixture
async def cluster(monkeypatch: pytest.MonkeyPatch) -> Cluster:
    monkeypatch.setattr("charlotte.cluster.draining._PERIOD", 0.01)
    monkeypatch.setattr("charlotte.cluster.draining._ANSWER_WAIT", 0.5)
    ray, host = use_fake_ray(monkeypatch), LoadedHost()
    ray.rows = [
        {"Alive": True, "NodeID": NODE, "NodeManagerAddress": "", "NodeManagerHostname": ""}
    ]
    directory = Directory("gateways", is_detached=False, idle=60)
    await directory.touch("gateway", set())
    await directory.report(HostReport(place=Place(HOST, "first"), node=NODE, sessions=()))
    actor = FakeActor(host)
    ray.actors |= {directory_name("gateways"): FakeActor(directory), HOST: actor}
    return Cluster(ray, host, actor, directory)


async def test_a_node_is_drained_once_its_sessions_have_moved(cluster: Cluster) -> None:
    cluster.host.sessions = 2
    counts = drain(NODE)
    assert await anext(counts) == 2
    await cluster.note_drained()
    assert await anext(counts) == 2
    cluster.host.sessions = 0
    assert [count async for count in counts] == [0]


async def test_an_empty_node_is_drained_only_once_all_gateways_know(cluster: Cluster) -> None:
    counts = list[int]()

    async def run() -> None:
        counts.extend([count async for count in drain(NODE)])

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        while cluster.host.asked < 3:
            await trio.lowlevel.checkpoint()
        assert counts == []
        await cluster.note_drained()
    assert counts == [0]


async def test_a_silent_host_counts_as_one_that_has_sessions_until_it_is_gone(
    cluster: Cluster,
) -> None:
    cluster.actor.silent = True
    await cluster.note_drained()
    counts = drain(NODE)
    assert await anext(counts) == 1
    cluster.actor.gone = True
    assert [count async for count in counts] == [0]


async def test_a_drain_that_is_undone_meanwhile_is_an_error(cluster: Cluster) -> None:
    cluster.host.sessions = 2
    counts = drain(NODE)
    assert await anext(counts) == 2
    assert [count async for count in drain(NODE, undo=True)] == []
    with pytest.raises(SessionProblem, match="was undone"):
        await anext(counts)


async def test_without_a_server_there_is_nothing_to_drain(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("charlotte.cluster.draining._DIRECTORY_WAIT", 0.1)
    cluster.ray.actors.clear()
    with pytest.raises(SessionProblem, match="No server"):
        await anext(drain(NODE))
