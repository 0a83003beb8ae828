"""Agents work in granted tabs of a real browser with windows, whose owner uses it meanwhile."""

from collections.abc import AsyncGenerator, Generator
from typing import Any

import attrs
import pytest

from tests.cdp import until
from tests.owner.browser import OwnerBrowser, Watcher, open_owner_browser, watching
from tests.whole.client import Message, Server, open_server
from tests.whole.tabs import Tab
from tests.whole.web import Web, open_web

pytestmark = pytest.mark.chromium

WHO = "document.cookie = 'login=owner'"


@pytest.fixture(scope="module")
def web() -> Generator[Web]:
    with open_web() as running:
        yield running


@attrs.frozen(eq=False)
class Owner:
    """The owner of a browser, seen through a second client, and the agent's server."""

    browser: OwnerBrowser
    watcher: Watcher
    server: Server
    web: Web

    async def open(self, path: str, *, host: str = "127.0.0.1") -> str:
        """Open a tab behind the owner's own; return its target id."""
        url = self.web.url(path, host=host)
        created = await self.watcher.cdp.call("Target.createTarget", url=url, background=True)
        target: str = created["targetId"]

        async def has_loaded() -> bool:
            state = "location.href !== 'about:blank' && document.readyState === 'complete'"
            return bool(await self.run(target, state))

        await until(has_loaded)
        return target

    async def run(self, target: str, expression: str, *, gesture: bool = False) -> Any:
        async with self.watcher.cdp.attached(target) as session:
            return await self.watcher.cdp.run(session, expression, gesture=gesture)

    def granted(self) -> list[Message]:
        """Return the rows of tabs that the agent may adopt."""
        return [row for row in self.server.call("tabs").json if row.get("adoptable")]

    def adopt(self, path: str) -> Tab:
        [row] = [row for row in self.granted() if row["url"] == self.web.url(path)]
        rows: list[Message] = self.server.call("tabs", adopt=row["id"]).json
        [active] = [row for row in rows if row["active"]]
        return Tab(self.server, self.web, active["id"])


@pytest.fixture
async def owner(web: Web) -> AsyncGenerator[Owner]:
    """A browser whose owner has granted the site at 127.0.0.1, but not at localhost."""
    async with open_owner_browser() as browser, watching(browser) as watcher:
        with open_server("--attach", browser.endpoint, "--adopt", "http://127.0.0.1/*") as server:
            yield Owner(browser, watcher, server, web)


async def test_an_agent_fills_a_form_in_a_background_tab_of_the_owner(owner: Owner) -> None:
    front = await owner.open("/counter.html", host="localhost")
    await owner.watcher.cdp.call("Target.activateTarget", targetId=front)
    target = await owner.open("/form.html")
    tab = owner.adopt("/form.html")

    tab.type("Full name", "Ada Lovelace")
    tab.call("select", element_id=tab.find("Country"), value="Norway")
    tab.call("toggle", element_id=tab.find("Send me the letter"))
    image = tab.reply("screenshot", max_width=200)

    assert not image.result.get("isError")
    assert await owner.run(target, "document.visibilityState") == "hidden"
    name = "document.querySelector('input').value + document.querySelector('select').value"
    assert await owner.run(target, name) == "Ada Lovelaceno"
    assert await owner.run(front, "document.hasFocus()") is True


@pytest.mark.extended
async def test_new_tabs_have_the_owners_logins_only_if_asked_for_and_granted(owner: Owner) -> None:
    page = owner.web.write(
        "<p id=who></p><script>who.textContent = document.cookie || 'no login'</script>"
    )
    target = await owner.open(page)
    await owner.run(target, WHO)

    def texts(**arguments: Any) -> str:
        owner.server.call("tab_open", url=owner.web.url(page), **arguments)
        return owner.server.call("observe", mode="content").text

    assert "no login" in texts()
    assert "login=owner" in texts(context="owner")
    elsewhere = owner.web.url(page, host="localhost")
    error = owner.server.call("tab_open", url=elsewhere, context="owner").error
    assert error["code"] == "NAVIGATION_BLOCKED"


async def test_a_second_server_learns_that_another_program_works_in_the_tab(owner: Owner) -> None:
    await owner.open("/counter.html")
    first = owner.adopt("/counter.html")
    granting = ("--attach", owner.browser.endpoint, "--adopt", "http://127.0.0.1/*")

    with open_server(*granting) as second:
        [row] = [row for row in second.call("tabs").json if row.get("adoptable")]
        rows = second.call("tabs", adopt=row["id"]).json
        text = second.call("tabs", answers="text").text

    assert [row.get("debugged") for row in rows] == [True]
    assert "another program is attached to it" in text
    [row] = [row for row in owner.server.call("tabs").json if row["id"] == first.id]
    assert "debugged" not in row
