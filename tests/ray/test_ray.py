"""Sessions on a Ray cluster, which is one node here."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from typing import Any

import pytest

from charlotte import CharlotteError, Config, NewCookie
from charlotte.ray import Charlotte, open_charlotte

ray: Any = pytest.importorskip("ray", reason="Ray is an extra, charlotte[ray], too large for here")
pytestmark = [pytest.mark.chromium, pytest.mark.fault, pytest.mark.timeout(300)]

PAGE = "data:text/html,<title>{}</title><button onclick='this.textContent=1'>Buy</button>"


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Generator[None]:
    ray.init(num_cpus=2, include_dashboard=False, logging_level="error")
    yield
    ray.shutdown()


def on_cluster(browsers: int, test: Callable[[Charlotte], Awaitable[None]]) -> None:
    async def main() -> None:
        config = Config(log_level="error")
        async with asyncio.timeout(200), open_charlotte(config, browsers=browsers) as charlotte:
            await test(charlotte)

    asyncio.run(main())


def test_sessions_are_spread_and_each_method_returns_what_it_returns_elsewhere() -> None:
    async def test(charlotte: Charlotte) -> None:
        async with charlotte.open_session() as one, charlotte.open_session() as other:
            pages = await asyncio.gather(
                one.navigate(PAGE.format("one")), other.navigate(PAGE.format("other"))
            )
            clicked = await other.click(pages[1].element("Buy").id)
            with pytest.raises(CharlotteError, match="btn-0000") as refused:
                await one.click("btn-0000")
            rows = [await session.tabs() for session in (one, other)]
            answer = await one.call("evaluate", {"expression": "1 + 1"})
        assert ["one", "other"] == [page.title for page in pages]
        assert clicked.delta is not None
        assert "ELEMENT_NOT_FOUND" == refused.value.code
        assert ["tab-1", "tab-1"] == [row[0].id for row in rows]  # two browsers
        assert '"value":2' in str(answer.blocks[0])

    on_cluster(2, test)


def test_a_call_that_is_cancelled_frees_its_tab() -> None:
    async def test(charlotte: Charlotte) -> None:
        async with charlotte.open_session() as session:
            tab = await session.open_tab(PAGE.format("x"))
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(1):
                    await tab.evaluate("await new Promise(() => {})", timeout=60_000)
            assert 2 == (await tab.evaluate("1 + 1")).value

    on_cluster(1, test)


def test_a_browser_that_is_lost_is_an_error_and_the_session_goes_on_with_what_was_kept() -> None:
    async def test(charlotte: Charlotte) -> None:
        async with charlotte.open_session() as session:
            await session.navigate("about:blank")
            await session.set_cookies([NewCookie(name="login", value="ada", domain="example.org")])
            await session.keep()
            [place] = charlotte.places
            waiting = asyncio.ensure_future(
                session.evaluate("await new Promise(() => {})", timeout=60_000)
            )
            ray.kill(place.actor, no_restart=False)
            with pytest.raises(CharlotteError, match="with what was kept last") as lost:
                await waiting
            cookies = await session.get_cookies()
        assert "CDP_CONNECTION_LOST" == lost.value.code
        assert ["login"] == [cookie.name for cookie in cookies]

    on_cluster(1, test)
