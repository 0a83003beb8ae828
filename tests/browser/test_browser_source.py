"""Sources of a browser: permissions by configuration, and prelaunching."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import attrs
import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from charlotte.base.errors import SessionProblem
from charlotte.browser.process.browser_source import PrelaunchedBrowser, browser_endpoint, guard_of
from charlotte.config.config import Config
from tests.authority import Authority

OURS = Config(http=True)


@pytest.mark.parametrize("config", [Config(), OURS, Config(host="192.0.2.1")])
def test_a_local_server_allows_private_hosts(config: Config) -> None:
    assert not guard_of(config, ()).public_only


@pytest.mark.parametrize(
    "config",
    [
        attrs.evolve(OURS, host="192.0.2.1"),
        attrs.evolve(OURS, server_name=("charlotte.example",)),
        attrs.evolve(OURS, oauth_issuer="https://login.example"),
    ],
)
def test_a_server_behind_a_proxy_refuses_private_hosts(config: Config) -> None:
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


async def test_the_first_caller_gets_the_prelaunched_browser_and_later_ones_start_their_own(
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


async def test_a_caller_waits_until_the_browser_has_started(nursery: trio.Nursery) -> None:
    launches = Launches()
    begun = PrelaunchedBrowser(launches.open)
    nursery.start_soon(begun.run)
    async with begun.open() as endpoint:
        assert launches.running == [endpoint]


async def test_a_failed_start_is_raised_to_the_first_caller_and_the_next_call_retries(
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


@pytest.mark.parametrize("proxied", [True, False])
async def test_a_missing_browser_is_one_plain_error_with_a_proxy_or_relays(
    tmp_path: Path, *, proxied: bool
) -> None:
    config = Config(chromium="/nowhere", http=proxied, host="192.0.2.1")
    if not proxied:
        file = Authority(tmp_path).issue("Ada")
        config = attrs.evolve(config, client_certificate=(f"https://shop.test={file}",))
    with pytest.raises(SessionProblem, match="needs a browser"):
        async with browser_endpoint(config)():
            pass
