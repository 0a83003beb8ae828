"""Actors of hosts: one with the settings of an earlier gateway is replaced when it is idle."""

from typing import Any

import attrs
import pytest

from charlotte import Config
from charlotte.cluster.actors import ActorGroup
from charlotte.cluster.messages import Hello
from charlotte.cluster.ray_calls import ActorGone
from tests.cluster.fake_ray import FakeActor, PackedHost, use_fake_ray


@attrs.define(eq=False)
class EarlierHost(PackedHost):
    """A host with other settings than the gateway, which notes the end of its browser."""

    is_idle: bool = False
    is_closed: bool = False

    def hello(self, _gateway: str, digest: str) -> Hello:
        assert digest
        return Hello(
            incarnation="first",
            node="node",
            slots=2,
            has_same_settings=False,
            is_idle=self.is_idle,
        )

    def close(self) -> None:
        self.is_closed = True


async def test_an_idle_host_with_other_settings_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    ray, earlier = use_fake_ray(monkeypatch), EarlierHost()
    host = ActorGroup(Config(engine="ray"), browsers=1).host(0)
    actor = ray.actors[host.name] = FakeActor(earlier)
    assert not (await host.call("hello", "gateway")).unwrap().has_same_settings
    assert (earlier.is_closed, actor.gone) == (False, False)
    earlier.is_idle = True
    with pytest.raises(ActorGone, match="replaced"):
        await host.call("hello", "gateway")
    assert (earlier.is_closed, actor.gone) == (True, True)


def test_gateways_may_differ_in_settings_that_hosts_do_not_have() -> None:
    def digest(**settings: Any) -> str:
        return ActorGroup(Config(**settings), browsers=1, name="group").settings("host").digest

    same, other = {"session_queue": 5, "auth_token": "x"}, {"only_host": ("example.org",)}
    assert digest() == digest(**same)
    assert digest() != digest(**other)


def test_a_gateway_finds_hosts_for_which_there_was_room_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ray, group = use_fake_ray(monkeypatch), ActorGroup(Config(engine="ray"))
    assert group.count_hosts() == 0
    ray.resources = {"browser": 2.0}
    assert group.count_hosts() == 2
    for name in ("gateways-host-12", "gateways-directory", "program-1-host-20"):
        ray.actors[name] = FakeActor(None)
    assert group.count_hosts() == 13
