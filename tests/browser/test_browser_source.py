"""Sources of a browser: permissions by configuration, and prelaunching."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import attrs
import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from charlotte.base.errors import SessionProblem
from charlotte.browser.process.browser_source import PrelaunchedBrowser, guard_of, own_browser
from charlotte.config.config import Config
from charlotte.protocol.transport import Transport
from tests.authority import Authority
from tests.fakes import FakeBrowser

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
    """The browsers that run; the next may be said not to start."""

    running: list[Transport] = attrs.field(factory=list[Transport])
    problem: SessionProblem | None = None

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[Transport]:
        await trio.lowlevel.checkpoint()
        if self.problem is not None:
            raise self.problem
        browser = FakeBrowser()
        self.running.append(browser)
        try:
            yield browser
        finally:
            self.running.remove(browser)


async def test_the_first_caller_gets_the_prelaunched_browser_and_later_ones_start_their_own(
    nursery: trio.Nursery,
) -> None:
    launches = Launches()
    begun = PrelaunchedBrowser(launches.open)
    nursery.start_soon(begun.run)
    await wait_all_tasks_blocked()
    [started] = launches.running
    async with begun.open() as first:
        assert first is started
    assert launches.running == []
    async with begun.open() as second:
        assert launches.running == [second] != [first]


async def test_a_caller_waits_until_the_browser_has_started(nursery: trio.Nursery) -> None:
    launches = Launches()
    begun = PrelaunchedBrowser(launches.open)
    nursery.start_soon(begun.run)
    async with begun.open() as browser:
        assert launches.running == [browser]


async def test_a_failed_start_is_raised_to_the_first_caller_and_the_next_call_retries(
    nursery: trio.Nursery,
) -> None:
    launches = Launches(problem=SessionProblem("No browser."))
    begun = PrelaunchedBrowser(launches.open)
    nursery.start_soon(begun.run)
    with pytest.raises(SessionProblem, match="No browser"):
        await begun.open().__aenter__()
    launches.problem = None
    async with begun.open() as browser:
        assert launches.running == [browser]


@pytest.mark.parametrize("proxied", [True, False])
async def test_a_missing_browser_is_one_plain_error_with_a_proxy_or_relays(
    tmp_path: Path, *, proxied: bool
) -> None:
    config = Config(chromium="/nowhere", http=proxied, host="192.0.2.1")
    if not proxied:
        file = Authority(tmp_path).issue("Ada")
        config = attrs.evolve(config, client_certificate=(f"https://shop.test={file}",))
    with pytest.raises(SessionProblem, match="needs a browser"):
        async with own_browser(config)():
            pass
