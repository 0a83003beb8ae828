"""The types of the public API, as programs of users see them: `make lint` checks this file."""

from typing import Any, assert_type

import charlotte
from charlotte import Crashed, Element, Found, Page, Screenshot, aio


async def on_trio(config: charlotte.Config) -> None:
    async with charlotte.open_charlotte(config) as running, running.open_session() as session:
        assert_type(session, charlotte.Session)
        tab = await session.open_tab("https://example.org")
        page = await tab.observe()
        assert_type(page, Page)
        assert_type(page.element("Order", "button"), Element)
        assert_type(await session.find(text="Order"), Found)
        assert_type(await tab.screenshot(), Screenshot)
        async for event in session.events(Crashed):
            assert_type(event, Crashed)
        assert_type(running.status(), dict[str, Any])


async def on_asyncio() -> None:
    async with aio.open_charlotte() as running, running.open_session() as session:
        tab = await session.open_tab()
        assert_type(await tab.click("btn-0001"), Page)
        assert_type(await session.find(role="button"), Found)
        async for event in running.events(Crashed):
            assert_type(event, Crashed)
        assert_type(await running.status(), dict[str, Any])
