"""The actor of a host: its browser starts with the first call, and its calls are cancelled."""

import inspect
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import attrs
import outcome
import pytest
import trio
import trio.testing
from structlog.testing import capture_logs

from charlotte.cluster import host as module
from charlotte.cluster.host import Host, HostService
from charlotte.cluster.host_calls import ask_host, pack, unpack
from charlotte.cluster.messages import HostSettings
from charlotte.cluster.ray_calls import NamedActor
from charlotte.errors import ConnectionLost
from tests.cluster.fake_ray import FakeActor, FakeRay, use_fake_ray

SETTINGS = HostSettings(name="host", group="gateways", config={}, slots=1)


class Sessions:
    """The sessions of a host without a browser."""

    def __init__(self) -> None:
        self.unused = trio.Event()
        self.begun = threading.Event()
        self.was_cancelled = False

    async def load(self) -> tuple[str, int]:
        return "node", 0

    async def wait(self) -> None:
        self.begun.set()
        try:
            await trio.sleep_forever()
        except trio.Cancelled:
            self.was_cancelled = True
            raise


@attrs.define(eq=False)
class Browsers:
    """The browsers of a host: as many starts fail as there are ``problems``."""

    problems: list[Exception] = attrs.field(factory=list[Exception])
    started: list[Sessions] = attrs.field(factory=list[Sessions])
    ended: int = 0
    crash: trio.Event = attrs.field(factory=trio.Event)

    @asynccontextmanager
    async def open(self, *_: object) -> AsyncGenerator[Sessions]:
        if self.problems:
            raise self.problems.pop()
        self.started.append(Sessions())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._crash)
            yield self.started[-1]
            nursery.cancel_scope.cancel("the host ends")
        self.ended += 1

    async def _crash(self) -> None:
        await self.crash.wait()
        self.crash = trio.Event()
        raise ValueError("the browser was killed")


@pytest.fixture
def browsers(monkeypatch: pytest.MonkeyPatch) -> Browsers:
    browsers = Browsers()
    monkeypatch.setattr(module, "open_host_sessions", browsers.open)
    return browsers


@asynccontextmanager
async def serving() -> AsyncGenerator[HostService]:
    """Run a service, which has to end by itself at the end of the block."""
    service = HostService(SETTINGS, "node", NamedActor(lambda: "directory"))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(service.run)
        yield service


async def load(service: HostService) -> tuple[str, int]:
    result: tuple[str, int] = (await service.answer("id", "load", ())).unwrap()
    return result


async def test_calls_after_a_failed_start_try_again(browsers: Browsers) -> None:
    browsers.problems = [ValueError("no second display"), ValueError("no display")]
    async with serving() as service:
        for problem in ("no display", "no second display"):
            with pytest.raises(ConnectionLost, match=problem):
                await load(service)
        assert await load(service) == ("node", 0)
        await service.close()


async def test_a_crash_of_the_sessions_opens_them_again_with_the_next_call(
    browsers: Browsers,
) -> None:
    async with serving() as service:
        assert await load(service) == ("node", 0)
        browsers.crash.set()
        await trio.testing.wait_all_tasks_blocked()
        assert len(browsers.started) == 1
        assert await load(service) == ("node", 0)
        assert len(browsers.started) == 2
        await service.close()


async def test_a_host_that_no_gateway_greets_ends(
    browsers: Browsers, autojump_clock: trio.testing.MockClock
) -> None:
    async with serving():
        pass
    assert trio.current_time() == pytest.approx(module.UNGREETED)
    assert not browsers.started


async def test_a_host_without_gateways_ends_its_browser_and_refuses_calls(
    browsers: Browsers,
) -> None:
    async with serving() as service:
        await load(service)
        browsers.started[0].unused.set()
        with pytest.raises(ConnectionLost, match="shutting down"):
            await load(service)
    assert browsers.ended == 1


async def test_a_closed_host_has_ended_its_browser(browsers: Browsers) -> None:
    async with serving() as service:
        await load(service)
        await service.close()
        assert browsers.ended == 1


async def test_a_cancelled_call_ends_on_its_host(browsers: Browsers) -> None:
    async with serving() as service:
        await load(service)

        async def cancel() -> None:
            await trio.testing.wait_all_tasks_blocked()
            service.cancel("slow")

        async with trio.open_nursery() as nursery:
            nursery.start_soon(cancel)
            result = await service.answer("slow", "wait", ())
        assert isinstance(result, outcome.Error)
        assert browsers.started[0].was_cancelled
        await service.close()


async def test_a_call_that_begins_after_its_cancellation_does_nothing(browsers: Browsers) -> None:
    async with serving() as service:
        await load(service)
        service.cancel("late")
        assert isinstance(await service.answer("late", "wait", ()), outcome.Error)
        assert not browsers.started[0].begun.is_set()
        await service.close()


@attrs.define(eq=False)
class NodeRay(FakeRay):
    """A Ray whose processes run on one node; ``killed`` is set when it has ended the host."""

    killed: threading.Event = attrs.field(factory=threading.Event)

    def get_runtime_context(self) -> Any:
        return self

    def get_node_id(self) -> str:
        return "node"

    def get_node_ip_address(self) -> str:
        return "127.0.0.1"

    def get_actor(self, name: str, _namespace: str) -> Any:
        return name

    def kill(self, actor: Any, *, no_restart: bool = True) -> None:
        assert no_restart
        if actor == SETTINGS.name:
            self.killed.set()


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch, browsers: Browsers) -> NodeRay:
    ray = NodeRay()
    monkeypatch.setattr(module, "import_ray", lambda: ray)
    return ray


def test_the_actor_answers_ray_s_threads_until_it_ends_itself(
    ray: NodeRay, browsers: Browsers
) -> None:
    host = Host(SETTINGS)
    call = pack(("", "load", ()))
    assert unpack(host.ask(call)).unwrap() == ("node", 0)
    slow = threading.Thread(target=host.ask, args=(pack(("2", "wait", ())),))
    slow.start()
    assert browsers.started[0].begun.wait(10)
    host.cancel("2")
    slow.join(10)
    assert not slow.is_alive()
    host.close()
    assert ray.killed.wait(10)
    with pytest.raises(ConnectionLost, match="shutting down"):
        unpack(host.ask(call)).unwrap()


async def test_a_host_has_an_address_unless_ray_encrypts_its_calls(
    ray: NodeRay, browsers: Browsers, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = list[Any]()

    def note_address(*arguments: Any) -> Any:
        opened.append(arguments[3])
        return browsers.open(*arguments)

    monkeypatch.setattr(module, "open_host_sessions", note_address)
    for tls in ("0", "1"):
        monkeypatch.setenv("RAY_USE_TLS", tls)
        host = Host(SETTINGS)
        await trio.to_thread.run_sync(host.ask, pack(("", "load", ())))
        await trio.to_thread.run_sync(host.close)
        assert await trio.to_thread.run_sync(ray.killed.wait, 10)
        ray.killed.clear()
    address, encrypted = opened
    assert address.url.startswith("ws://127.0.0.1:")
    assert encrypted is None


async def test_a_host_that_cannot_listen_serves_ray(browsers: Browsers) -> None:
    async with trio.open_nursery() as nursery:
        with capture_logs() as logs:
            service = HostService(SETTINGS, "node", NamedActor(lambda: "directory"), "192.0.2.1")
            nursery.start_soon(service.run)
            assert await load(service) == ("node", 0)
        assert [row["event"] for row in logs] == ["cannot listen, so Ray carries all calls"]
        await service.close()


def test_ray_calls_the_actor_in_threads() -> None:
    """A coroutine method would make it an asyncio actor, whose methods block each other."""
    methods = inspect.getmembers(Host, inspect.isfunction)
    assert not [name for name, method in methods if inspect.iscoroutinefunction(method)]


async def test_the_cancellation_of_a_call_is_sent_to_its_host(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    use_fake_ray(monkeypatch)
    host = FakeActor(None, silent=True)
    with trio.move_on_after(1):
        await ask_host(host, "wait")
    (_, [call]), cancelled = host.calls
    assert cancelled == ("cancel", (unpack(call)[0],))
