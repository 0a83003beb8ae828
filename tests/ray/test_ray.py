"""Sessions of asyncio and trio programs on a Ray cluster with one node."""

import asyncio
import os
import signal
import zlib
from collections.abc import Awaitable, Callable, Generator
from contextlib import suppress
from typing import Any

import pytest
import trio

from charlotte import CharlotteError, Config, ConnectionLost, NewCookie, TabOpened
from charlotte import open_charlotte as open_on_trio
from charlotte.aio import AsyncioCharlotte, open_charlotte
from tests.server.http.stage import until

ray: Any = pytest.importorskip("ray", reason="Ray is an extra, charlotte-mcp[ray]")
pytestmark = [pytest.mark.chromium, pytest.mark.fault, pytest.mark.timeout(300)]

_NOTHING = zlib.compress(b"")
PAGE = "data:text/html,<title>{}</title><button onclick='this.textContent=1'>Buy</button>"


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Generator[None]:
    ray.init(
        "local",
        num_cpus=2,
        resources={"browser": 2},
        include_dashboard=False,
        logging_level="error",
        _system_config={"worker_niceness": 0},
    )
    yield
    ray.shutdown()


def on_cluster(test: Callable[[AsyncioCharlotte], Awaitable[None]]) -> Callable[[], None]:
    """Decorate a test to run in asyncio on the cluster."""

    async def main() -> None:
        config = Config(engine="ray", log_level="error")
        async with asyncio.timeout(200), open_charlotte(config) as charlotte:
            await test(charlotte)

    def run() -> None:
        asyncio.run(main())

    return run


@pytest.mark.cluster
@on_cluster
async def test_sessions_are_distributed_and_methods_return_their_usual_values(
    charlotte: AsyncioCharlotte,
) -> None:
    async with charlotte.open_session() as one, charlotte.open_session() as other:
        pages = await asyncio.gather(
            one.navigate(PAGE.format("one")), other.navigate(PAGE.format("other"))
        )
        clicked = await other.click(pages[1].element("Buy").id)
        with pytest.raises(CharlotteError, match="btn-0000") as refused:
            await one.click("btn-0000")
        hosts = {(await session.status())["host"] for session in (one, other)}
        answer = await one.call("evaluate", {"expression": "1 + 1"})
        status = await charlotte.status()
    assert ["one", "other"] == [page.title for page in pages]
    assert clicked.delta is not None
    assert "ELEMENT_NOT_FOUND" == refused.value.code
    assert len(status["hosts"]) == 2
    assert len(hosts) <= 2
    assert "2" in str(answer.blocks[0])


@pytest.mark.cluster
@on_cluster
async def test_events_arrive_from_the_host(charlotte: AsyncioCharlotte) -> None:
    async with charlotte.open_session() as session:
        everywhere, events = charlotte.events(TabOpened), session.events(TabOpened)
        tab = await session.open_tab(PAGE.format("x"))
        async with asyncio.timeout(20):
            assert tab.id == (await anext(events)).tab_id
            assert tab.id == (await anext(everywhere)).tab_id


@pytest.mark.cluster
@on_cluster
async def test_a_cancelled_call_frees_its_tab(charlotte: AsyncioCharlotte) -> None:
    async with charlotte.open_session() as session:
        tab = await session.open_tab(PAGE.format("x"))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1):
                await tab.evaluate("await new Promise(() => {})", timeout=60_000)
        assert 2 == (await tab.evaluate("1 + 1")).value


@pytest.mark.cluster
async def test_a_session_whose_browser_is_lost_continues_with_its_tabs_and_cookies() -> None:
    config = Config(engine="ray", log_level="error")
    async with open_on_trio(config) as charlotte, charlotte.open_session() as opened:
        session: Any = opened
        tab = await session.open_tab(PAGE.format("mine"))
        await session.set_cookies([NewCookie(name="login", value="ada", domain="example.org")])
        await until(lambda: b"login" in zlib.decompress(session.state or _NOTHING))
        pid = (await session.read_status())["process"]["pid"]

        async def kill() -> None:
            await until(lambda: charlotte.metrics.running)
            os.kill(pid, signal.SIGKILL)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(kill)
            with pytest.raises(ConnectionLost, match="was lost during the call"):
                await session.evaluate("await new Promise(() => {})", timeout=60_000)
        cookies = None
        while cookies is None:
            with suppress(ConnectionLost):
                cookies = await session.get_cookies()
        assert (await tab.observe()).title == "mine"
        assert (await session.open_tab(PAGE.format("new"))).id != tab.id
    assert ["login"] == [cookie.name for cookie in cookies]


@pytest.mark.cluster
async def test_a_trio_program_uses_the_hosts_of_the_cluster() -> None:
    config = Config(engine="ray", log_level="error")
    async with open_on_trio(config) as charlotte, charlotte.open_session() as session:
        page = await session.navigate(PAGE.format("trio"))
        assert "trio" == page.title
        assert any(host["live"] for host in charlotte.status()["hosts"])
