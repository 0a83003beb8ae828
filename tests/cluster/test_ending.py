"""The end of a gateway that has connections to its hosts."""

from typing import Any

import attrs
import outcome
import pytest
import trio

from charlotte import Config
from charlotte.cluster import engine
from charlotte.cluster.direct_calls import serve_direct_calls
from charlotte.cluster.messages import (
    DirectAddress,
    Hello,
    News,
    Opened,
    directory_name,
    host_name,
)
from tests.cluster.fake_ray import FakeActor, FakeRay, PackedHost, use_fake_ray


@attrs.define(eq=False)
class Host(PackedHost):
    """A host that opens any session, and notes its calls that are no polls."""

    address: DirectAddress | None = None
    calls: list[str] = attrs.field(factory=list[str])

    def hello(self, *_: object) -> Hello:
        return Hello(incarnation="first", node="node", slots=2, direct=self.address)

    async def answer(self, _id: str, method: str, _: tuple[Any, ...]) -> outcome.Outcome[Any]:
        if method == "poll":
            await trio.sleep(0.05)
            return outcome.Value(News(sessions=0, tabs=0, notices=[]))
        self.calls.append(method)
        opened = Opened(local_id="1", listed=(), version=1, max_chars=10)
        return outcome.Value(opened if method == "open" else None)

    def cancel(self, _call_id: str) -> None:
        """Cancel nothing."""


class Directory:
    """A directory without sessions."""

    def touch(self, *_: object) -> set[str]:
        return set()

    def goodbye(self, *_: object) -> None:
        """Forget the gateway."""


@pytest.mark.parametrize("is_cancelled", [False, True])
async def test_a_gateway_leaves_its_sessions_and_hosts(
    monkeypatch: pytest.MonkeyPatch, *, is_cancelled: bool
) -> None:
    ray, host = use_fake_ray(monkeypatch), Host()
    monkeypatch.setattr(engine, "connect", _stay_connected)
    with trio.fail_after(20):
        async with trio.open_nursery() as server:
            host.address = await server.start(serve_direct_calls, host, "127.0.0.1")
            await _open_session(ray, host, is_cancelled=is_cancelled)
            assert host.calls == ["open", "leave", "goodbye"]
            server.cancel_scope.cancel("done")


def _stay_connected(*_: object) -> bool:
    return False


async def _open_session(ray: FakeRay, host: Host, *, is_cancelled: bool) -> None:
    ray.actors |= {
        host_name("gateways", 0): FakeActor(host),
        directory_name("gateways"): FakeActor(Directory()),
    }
    with trio.CancelScope() as scope:
        async with (
            engine.open_cluster(Config(engine="ray")) as cluster,
            cluster.open_session(),
        ):
            if is_cancelled:
                scope.cancel("the gateway ends")
                await trio.sleep_forever()
