"""Sessions on a Ray cluster with one node."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from typing import Any

import pytest

from charlotte import CharlotteError, Config, ConnectionLost, NewCookie
from charlotte.ray import Host, RayCharlotte, open_charlotte

ray: Any = pytest.importorskip("ray", reason="Ray is an extra, charlotte-mcp[ray]")
pytestmark = [pytest.mark.chromium, pytest.mark.fault, pytest.mark.timeout(300)]

PAGE = "data:text/html,<title>{}</title><button onclick='this.textContent=1'>Buy</button>"


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Generator[None]:
    ray.init("local", num_cpus=2, include_dashboard=False, logging_level="error")
    yield
    ray.shutdown()


def on_cluster(browsers: int, test: Callable[[RayCharlotte], Awaitable[None]]) -> None:
    async def main() -> None:
        config = Config(log_level="error")
        async with asyncio.timeout(200), open_charlotte(config, browsers=browsers) as charlotte:
            await test(charlotte)

    asyncio.run(main())


def test_sessions_are_distributed_and_methods_return_their_usual_values() -> None:
    async def test(charlotte: RayCharlotte) -> None:
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


def test_a_cancelled_call_frees_its_tab() -> None:
    async def test(charlotte: RayCharlotte) -> None:
        async with charlotte.open_session() as session:
            tab = await session.open_tab(PAGE.format("x"))
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(1):
                    await tab.evaluate("await new Promise(() => {})", timeout=60_000)
            assert 2 == (await tab.evaluate("1 + 1")).value

    on_cluster(1, test)


def test_a_lost_browser_is_an_error_and_the_session_continues_with_kept_state() -> None:
    async def test(charlotte: RayCharlotte) -> None:
        async with charlotte.open_session() as session:
            await session.navigate("about:blank")
            await session.set_cookies([NewCookie(name="login", value="ada", domain="example.org")])
            await session.keep()
            [host] = charlotte.hosts
            waiting = asyncio.ensure_future(
                session.evaluate("await new Promise(() => {})", timeout=60_000)
            )
            ray.kill(host.actor, no_restart=False)
            with pytest.raises(CharlotteError, match="with the last kept state") as lost:
                async with asyncio.timeout(5):
                    await waiting
            cookies = await session.get_cookies()
        assert "CDP_CONNECTION_LOST" == lost.value.code
        assert ["login"] == [cookie.name for cookie in cookies]

    on_cluster(1, test)


def test_a_tab_of_a_lost_browser_never_acts_on_another_page() -> None:
    async def test(charlotte: RayCharlotte) -> None:
        async with charlotte.open_session() as session:
            old = await session.open_tab(PAGE.format("old"))
            ray.kill(charlotte.hosts[0].actor, no_restart=False)
            with pytest.raises(CharlotteError, match="are lost"):
                await asyncio.wait_for(_until_refused(old.observe), 30)
            new = await session.open_tab(PAGE.format("new"))
            with pytest.raises(CharlotteError) as refused:
                await old.observe()
            assert "new" == (await new.observe()).title
        assert "TAB_NOT_FOUND" == refused.value.code
        assert old.id != new.id

    on_cluster(1, test)


def test_a_session_continues_immediately_on_a_living_host() -> None:
    async def test(charlotte: RayCharlotte) -> None:
        async with charlotte.open_session() as session, charlotte.open_session() as other:
            for opened in (session, other):
                await opened.open_tab(PAGE.format("x"))
            ray.kill(charlotte.hosts[0].actor, no_restart=True)
            with pytest.raises(CharlotteError, match="are lost"):
                await asyncio.wait_for(_until_refused(session.tabs), 5)
            async with asyncio.timeout(5):
                await session.open_tab(PAGE.format("again"))
                async with charlotte.open_session() as third:
                    assert not await third.tabs()
            assert [0, 2] == [host.sessions for host in charlotte.hosts]
            assert 1 == len(await other.tabs())

    on_cluster(2, test)


def test_a_session_whose_start_was_abandoned_is_removed_from_the_host() -> None:
    async def main() -> None:
        host = Host(Config(log_level="error"))
        beginning = asyncio.ensure_future(host.begin("mine", None, 0))
        await asyncio.sleep(0)
        await host.end("mine")
        await beginning
        assert await host.call("mine", "tabs", None) is None
        await host.begin("another", None, 0)
        assert await host.call("another", "tabs", None) is not None
        await host.close()

    asyncio.run(main())


def test_the_error_without_a_free_cpu_names_the_missing_resource(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("charlotte.ray._ANY_WAIT", 1.0)

    async def test(charlotte: RayCharlotte) -> None:
        with pytest.raises(CharlotteError, match="waiting for a host") as error:
            async with charlotte.open_session():
                pass
        assert "a free CPU for each" in (error.value.suggestion or "")

    taken = ray.remote(num_cpus=2)(_Idle).remote()
    ray.get(taken.ping.remote())
    try:
        on_cluster(1, test)
    finally:
        ray.kill(taken)


_BROWSER_ENDED = "The connection to the browser ended."


async def _until_refused(call: Callable[[], Awaitable[object]]) -> None:
    """Call until a refusal, because Ray kills a host in the background.

    The browser of the host can end before the host, which answers that until it ends too.
    """
    while True:
        try:
            await call()
        except ConnectionLost as error:
            if error.message != _BROWSER_ENDED:
                raise


class _Idle:
    """An actor that occupies the CPUs of the cluster."""

    def ping(self) -> None:
        pass
