"""A session that is saved in one browser continues in another, without changing any id."""

import attrs
import pytest
import trio

from charlotte import CharlotteError, Config, open_charlotte
from charlotte.actors.state.saved_session import unpack
from tests.site.server import PAGES, open_site

pytestmark = pytest.mark.chromium

PAGE = "data:text/html,<title>{}</title><button onclick='this.textContent=1'>Buy</button>"
CONFIG = Config(log_level="error")


async def test_tabs_ids_and_numbers_go_on_in_another_browser() -> None:
    async with open_charlotte(CONFIG) as first, first.open_session() as session:
        page = await session.navigate(PAGE.format("one"))
        other = await session.open_tab(PAGE.format("two"))
        closed = await session.open_tab(PAGE.format("three"))
        await closed.close()
        await session.tools(action="enable", group="pdf")
        await session.configure(max_chars=5_000)
        listed = [tool.name for tool in session.listed()]
        saved = first.save(session).pack()
    async with (
        open_charlotte(CONFIG) as second,
        second.open_session() as stranger,
        second.open_session(saved=unpack(saved)) as session,
    ):
        await stranger.open_tab(PAGE.format("foreign"))
        rows = await session.tabs()
        assert [("tab-1", "one"), ("tab-2", "two")] == [(row.id, row.title) for row in rows]
        answer = await session.call(
            "click", {"element_id": page.element("Buy").id, "tab_id": "tab-1"}
        )
        assert "reopened" in answer.text
        assert "reopened" not in (await session.call("observe", {"tab_id": "tab-1"})).text
        with pytest.raises(CharlotteError, match="no tab 'tab-3'"):
            await session.call("observe", {"tab_id": closed.id})
        opened = await session.open_tab(PAGE.format("four"))
        assert opened.id not in {"tab-1", "tab-2", "tab-3"}
        again = await opened.observe()
        assert again.snapshot_id > page.snapshot_id
        assert [tool.name for tool in session.listed()] == listed
        assert 5_000 == session.settings.max_chars
        assert other.id == "tab-2"


async def test_an_id_of_an_element_that_is_gone_names_no_other_element() -> None:
    delete = "<button>Delete</button>"
    async with open_site(PAGES) as site:
        async with open_charlotte(CONFIG) as first, first.open_session() as session:
            page = await session.navigate(f"data:text/html,<p>A</p>{delete}<p>B</p>{delete}")
            saved = first.save(session)
        url = site.url("/index.html")
        moved = attrs.evolve(saved, tabs=[attrs.evolve(saved.tabs[0], url=url)])
        async with open_charlotte(CONFIG) as second, second.open_session(saved=moved) as session:
            for element in page.elements:
                with pytest.raises(CharlotteError, match="'Delete' was on"):
                    await session.click(element.id)


async def test_cookies_and_storage_of_each_context_go_on_in_another_browser() -> None:
    stored = "localStorage.getItem('cart') + document.cookie"
    async with open_site(PAGES) as site:
        url = site.url("/index.html")
        async with open_charlotte(CONFIG) as first, first.open_session() as session:
            for context in (None, "clean"):
                tab = await session.tab_open(url, context=context)
                write = (
                    f"localStorage.setItem('cart', '{context}'); document.cookie = 'who={context}'"
                )
                await session.tab(tab.tab_id).evaluate(write)
            await trio.sleep(1)  # until the storage is copied
            saved = first.save(session).pack()
        async with (
            open_charlotte(CONFIG) as second,
            second.open_session(saved=unpack(saved)) as session,
        ):
            values = [
                (await session.tab(tab_id).evaluate(stored)).value for tab_id in ("tab-1", "tab-2")
            ]
    assert ["Nonewho=None", "cleanwho=clean"] == values


async def test_parts_that_are_too_large_are_left_out_and_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("charlotte.actors.state.saved_session._MOST_BOOKS", 1_500)
    async with open_charlotte(CONFIG) as first, first.open_session() as session:
        await session.navigate(PAGE.format("one"))
        await session.open_tab(PAGE.format("two"))
        saved = first.save(session)
    assert [tab.id for tab in saved.tabs] == ["tab-1"]
    assert "tab-2" in saved.left_out[0]


async def test_a_session_that_continues_elsewhere_reaches_no_more_hosts() -> None:
    config = Config(log_level="error", only_host=("*",))
    async with open_charlotte(config) as first, first.open_session() as session:
        await session.call("tab_open", {"context": "narrow", "only_hosts": ["a.test"]})
        await session.call("configure", {"only_hosts": ["a.test", "b.test"]})
        saved = first.save(session).pack()
    async with (
        open_charlotte(config) as second,
        second.open_session(saved=unpack(saved)) as session,
    ):
        with pytest.raises(CharlotteError, match="only-host"):
            await session.call("tab_open", {"url": "http://c.test/"})
        with pytest.raises(CharlotteError, match="only-host"):
            await session.call("tab_open", {"url": "http://b.test/", "context": "narrow"})
