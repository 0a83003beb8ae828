"""The directory: it may be lost, with all that it knew."""

import pytest

from charlotte import Config
from charlotte.cluster.actors import ActorGroup
from charlotte.cluster.messages import directory_name
from charlotte.cluster.ray_calls import ActorGone, NamedActor
from charlotte.errors import ConnectionLost
from tests.cluster.fake_ray import FakeActor, use_fake_ray


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
