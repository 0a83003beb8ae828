"""Actors of hosts: those with former settings are replaced, and WebSockets or Ray carry calls."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import attrs
import outcome
import pytest
import trio
from structlog.testing import capture_logs

from charlotte import Config
from charlotte.cluster.actors import ActorGroup, HostActor
from charlotte.cluster.direct_calls import serve_direct_calls
from charlotte.cluster.messages import DirectAddress, Hello, HostSettings
from charlotte.cluster.ray_calls import ActorGone
from tests.cluster.fake_ray import FakeActor, PackedHost, use_fake_ray


@attrs.define(eq=False)
class EarlierHost(PackedHost):
    """A host with other settings than the gateway, which notes the end of its browser."""

    is_idle: bool = False
    is_closed: bool = False

    def hello(self, _gateway: str, digests: Mapping[str, str]) -> Hello:
        assert digests
        return Hello(
            incarnation="first",
            node="node",
            slots=2,
            other_settings=("max_sessions",),
            is_idle=self.is_idle,
        )

    def close(self) -> None:
        self.is_closed = True


def actor_of(
    target: PackedHost, monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> tuple[HostActor, FakeActor]:
    """Return a host as a gateway sees it, and its actor in a fake Ray."""
    ray = use_fake_ray(monkeypatch)
    host = ActorGroup(Config(engine="ray"), browsers=1).host(0, nursery)
    actor = ray.actors[host.name] = FakeActor(target)
    return host, actor


async def test_an_idle_host_with_other_settings_is_ended(
    monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> None:
    earlier = EarlierHost()
    host, actor = actor_of(earlier, monkeypatch, nursery)
    with capture_logs() as logs:
        assert (await host.call("hello", "gateway")).unwrap().other_settings
    assert [row["settings"] for row in logs] == ["max_sessions"]
    assert (earlier.is_closed, actor.gone) == (False, False)
    earlier.is_idle = True
    with pytest.raises(ActorGone, match="replaced"):
        await host.call("hello", "gateway")
    assert (earlier.is_closed, actor.gone) == (True, True)


@attrs.define(eq=False)
class DirectHost(PackedHost):
    """A host with an address; calls by Ray return ``ray``, and others ``direct``."""

    address: DirectAddress | None = None

    def hello(self, _gateway: str, _digests: object) -> Hello:
        return Hello(incarnation="first", node="node", slots=2, direct=self.address)

    def load(self) -> str:
        return "ray"

    async def answer(self, *_: object) -> outcome.Outcome[str]:
        return outcome.Value("direct")

    def cancel(self, _call_id: str) -> None:
        """Cancel nothing."""


async def test_calls_are_sent_directly_to_a_host_that_can_be_reached(
    monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> None:
    target = DirectHost()
    host, _ = actor_of(target, monkeypatch, nursery)

    async def greet_and_call() -> str:
        (await host.call("hello", "gateway")).unwrap()
        return str((await host.call("load")).unwrap())

    with trio.fail_after(20), capture_logs() as logs:
        assert await greet_and_call() == "ray"
        assert logs == []
        async with trio.open_nursery() as server:
            target.address = await server.start(serve_direct_calls, target, "127.0.0.1")
            assert [await greet_and_call(), await greet_and_call()] == ["direct", "direct"]
            server.cancel_scope.cancel("the host ends")
        with pytest.raises(ActorGone):
            await host.call("load")
        logs.clear()
        assert [await greet_and_call(), await greet_and_call()] == ["ray", "ray"]
        assert [row["event"] for row in logs if row["log_level"] == "warning"] == [
            "a browser host cannot be reached without Ray, so its calls take longer"
        ]


async def test_ray_carries_calls_if_something_else_answers_at_the_address(
    monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> None:
    """A proxy between the nodes may answer in any way."""
    target = DirectHost()
    host, _ = actor_of(target, monkeypatch, nursery)

    async def refuse(stream: trio.SocketStream) -> None:
        async with stream:
            await stream.send_all(b"\x15\x03\x03\x00\x02\x02\x28")  # an alert of TLS

    [listener] = await nursery.start(partial(trio.serve_tcp, refuse, 0, host="127.0.0.1"))
    port = listener.socket.getsockname()[1]
    target.address = DirectAddress(f"ws://127.0.0.1:{port}/", "token")
    assert (await host.call("hello", "gateway")).unwrap().direct is None
    assert (await host.call("load")).unwrap() == "ray"


def test_gateways_may_differ_in_settings_that_hosts_do_not_have() -> None:
    def settings(**settings: Any) -> HostSettings:
        return ActorGroup(Config(**settings), browsers=1, name="group").settings("host")

    digests = settings().digests()
    assert settings(session_queue=5, auth_token="x").other_settings(digests) == []  # noqa: S106
    others = settings(only_host=("example.org",), max_sessions=2)
    assert others.other_settings(digests) == ["max_sessions", "only_host"]


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
