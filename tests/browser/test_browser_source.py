"""Who may open what; and of a browser begun ahead of time there is one, whoever leaves first."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import attrs
import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from charlotte.browser.browser_source import PrelaunchedBrowser, browser_endpoint, guard_of
from charlotte.config import Config
from charlotte.errors import SessionProblem
from tests.authority import Authority

OURS = Config(http=True)


@pytest.mark.parametrize("config", [Config(), OURS, Config(host="192.0.2.1")])
def test_agents_of_this_machine_may_open_private_hosts(config: Config) -> None:
    assert not guard_of(config, ()).public_only


@pytest.mark.parametrize(
    "config",
    [
        attrs.evolve(OURS, host="192.0.2.1"),
        attrs.evolve(OURS, server_name=("charlotte.example",)),
        attrs.evolve(OURS, oauth_issuer="https://login.example"),
    ],
)
def test_others_may_not_though_they_come_through_a_proxy_here(config: Config) -> None:
    assert guard_of(config, ()).public_only


@attrs.define
class Launches:
    """Browsers that are numbered, and which of them run; the next may be said not to start."""

    running: list[str] = attrs.field(factory=list[str])
    begun: int = 0
    problem: SessionProblem | None = None

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[str]:
        await trio.lowlevel.checkpoint()
        if self.problem is not None:
            raise self.problem
        self.begun += 1
        endpoint = f"ws://127.0.0.1/{self.begun}"
        self.running.append(endpoint)
        try:
            yield endpoint
        finally:
            self.running.remove(endpoint)


async def test_who_comes_first_takes_what_was_begun_and_who_comes_next_starts_another(
    nursery: trio.Nursery,
) -> None:
    launches = Launches()
    begun = PrelaunchedBrowser(launches.open)
    nursery.start_soon(begun.run)
    await wait_all_tasks_blocked()
    assert launches.running == ["ws://127.0.0.1/1"]
    async with begun.open() as first:
        assert launches.running == [first]
    assert launches.running == []
    async with begun.open() as second:
        assert launches.running == [second] == ["ws://127.0.0.1/2"]


async def test_who_comes_before_it_is_there_waits_for_it(nursery: trio.Nursery) -> None:
    launches = Launches()
    begun = PrelaunchedBrowser(launches.open)
    nursery.start_soon(begun.run)
    async with begun.open() as endpoint:
        assert launches.running == [endpoint]


async def test_why_it_did_not_start_is_told_to_who_opens_it_and_the_next_try_is_a_new_one(
    nursery: trio.Nursery,
) -> None:
    launches = Launches(problem=SessionProblem("No browser."))
    begun = PrelaunchedBrowser(launches.open)
    nursery.start_soon(begun.run)
    with pytest.raises(SessionProblem, match="No browser"):
        await begun.open().__aenter__()
    launches.problem = None
    async with begun.open() as endpoint:
        assert launches.running == [endpoint]


async def test_one_that_nobody_opened_ends_when_it_is_cancelled() -> None:
    launches = Launches()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(PrelaunchedBrowser(launches.open).run)
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert launches.begun == 1
    assert launches.running == []


async def test_cancelling_all_at_once_leaves_nothing_running() -> None:
    launches = Launches()
    begun = PrelaunchedBrowser(launches.open)

    async def use() -> None:
        async with begun.open():
            await trio.sleep_forever()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(begun.run)
        nursery.start_soon(use)
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert launches.running == []


@pytest.mark.parametrize("proxied", [True, False])
async def test_that_there_is_no_browser_is_said_plainly_from_behind_a_proxy_or_a_relay(
    tmp_path: Path, *, proxied: bool
) -> None:
    config = Config(chromium="/nowhere", http=proxied, host="192.0.2.1")
    if not proxied:
        file = Authority(tmp_path).issue("Ada")
        config = attrs.evolve(config, client_certificate=(f"https://shop.test={file}",))
    with pytest.raises(SessionProblem, match="needs a browser"):
        async with browser_endpoint(config)():
            pass
