"""Charlotte inside an asyncio program, with a real browser."""

import asyncio
import os
import signal
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import assert_type

import pytest

from charlotte import CharlotteError, Config, Field, Page, Restarted, Restored, Tab, TabClosed
from charlotte.aio import (
    AsyncioCharlotte,
    AsyncioEventStream,
    AsyncioSession,
    open_bridge,
    open_charlotte,
)
from tests.site.server import Site, open_site
from tests.whole.processes import renderers

pytestmark = [pytest.mark.chromium, pytest.mark.usefixtures("short_logs")]


@asynccontextmanager
async def served() -> AsyncGenerator[Site]:
    async with open_bridge() as bridge, bridge.entered(open_site) as site:
        yield site


def on_site(test: Callable[[AsyncioCharlotte, Site], Awaitable[None]]) -> None:
    async def main() -> None:
        async with asyncio.timeout(40), served() as site, open_charlotte(Config()) as charlotte:
            await test(charlotte, site)

    asyncio.run(main())
    assert "charlotte" not in [thread.name for thread in threading.enumerate()]


def test_two_sessions_fill_in_a_form_concurrently() -> None:
    async def join(session: AsyncioSession, site: Site, name: str) -> Page:
        tab = await session.open_tab(site.url("/form.html"))
        assert_type(tab, Tab)
        page = await tab.observe()
        values = {"Full name": name, "Email": "a@example.org", "Password": "correct horse"}
        await tab.fill_form([Field(page.element(each).id, text) for each, text in values.items()])
        return await tab.click(page.element("Join the club", "button").id)

    async def test(charlotte: AsyncioCharlotte, site: Site) -> None:
        async with charlotte.open_session() as one, charlotte.open_session() as other:
            pages = await asyncio.gather(join(one, site, "Ada"), join(other, site, "Grace"))
            rows = await one.tabs()
            status = await charlotte.status()
        assert ["Welcome, Ada!" in page.text for page in pages] == [True, False]
        assert "Welcome, Grace!" in pages[1].text
        assert [pages[0].tab_id] == [row.id for row in rows]
        assert 2 == len(status["sessions"])

    on_site(test)


def test_errors_are_those_of_charlotte_and_a_cancelled_call_frees_its_tab() -> None:
    async def test(charlotte: AsyncioCharlotte, site: Site) -> None:
        async with charlotte.open_session() as session:
            tab = await session.open_tab(site.url("/counter.html"))
            with pytest.raises(CharlotteError, match="btn-0000") as raised:
                await tab.click("btn-0000")
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await tab.wait_for(text="never")
            page = await tab.observe()
        assert "ELEMENT_NOT_FOUND" == raised.value.code
        assert site.url("/counter.html") == page.url

    on_site(test)


def test_events_arrive_in_the_loop_of_the_program() -> None:
    restarts: list[tuple[Restarted, str]] = []

    def hook(restarted: Restarted) -> None:
        restarts.append((restarted, threading.current_thread().name))

    async def main() -> None:
        async with served() as site, open_charlotte(on_restart=hook) as charlotte:
            async with charlotte.open_session() as session:
                tab = await session.open_tab(site.url("/counter.html"))
                stream = session.events(Restored, TabClosed)
                assert_type(session.events(Restored), AsyncioEventStream[Restored])
                for pid in renderers(os.getpid()):
                    os.kill(pid, signal.SIGKILL)
                assert tab.id == (await anext(stream)).tab_id
            assert [TabClosed] == [type(event) async for event in stream]
            assert 0 == stream.lost

    asyncio.run(main())
    assert [(True, "MainThread")] == [(one.actor != "", thread) for one, thread in restarts]


def test_a_session_that_cannot_be_opened_reports_the_reason() -> None:
    async def main() -> None:
        nowhere = Config(chromium="/nowhere")
        async with open_charlotte(nowhere) as charlotte, charlotte.open_session() as session:
            await session.navigate("about:blank")

    with pytest.raises(CharlotteError, match="/nowhere"):
        asyncio.run(partial(asyncio.wait_for, main(), 20)())
