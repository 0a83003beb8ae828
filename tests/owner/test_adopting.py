"""Agents work in granted tabs of a real browser with windows, whose owner uses it meanwhile."""

from collections.abc import AsyncGenerator, Generator
from typing import Any

import attrs
import pytest
import trio
from starlette.responses import HTMLResponse

from tests.owner.browser import OwnerBrowser, Watcher, open_owner_browser, watching
from tests.owner.cdp import until
from tests.whole.answers import new_texts
from tests.whole.client import Message, Server, open_server
from tests.whole.tabs import Tab, eventually
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
        """Have the agent adopt the tab at this address."""
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


async def test_only_granted_tabs_are_known_to_agents(owner: Owner) -> None:
    await owner.open("/counter.html")
    await owner.open("/form.html", host="localhost")
    assert [row["url"] for row in owner.granted()] == [owner.web.url("/counter.html")]


@pytest.mark.extended
async def test_new_tabs_have_the_owners_logins_only_if_that_is_asked_for_and_granted(
    owner: Owner,
) -> None:
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


@pytest.mark.extended
async def test_what_agents_opened_is_closed_and_what_they_adopted_stays_open(
    owner: Owner,
) -> None:
    target = await owner.open("/counter.html")
    before = set(await owner.watcher.pages())
    tab = owner.adopt("/counter.html")
    tab.click("Clicked 0 times")
    owner.server.call("tab_open", url=owner.web.url("/form.html"), context="owner")
    owner.server.call("tab_open", url=owner.web.url("/form.html"))
    assert len(await owner.watcher.pages()) == len(before) + 2

    owner.server.process.stdin.close()  # type: ignore[union-attr]
    owner.server.process.wait(10)

    assert set(await owner.watcher.pages()) == before
    assert await owner.run(target, "document.querySelector('button').textContent") == (
        "Clicked 1 time"
    )


@pytest.mark.extended
async def test_a_popup_that_an_agent_opens_from_an_adopted_tab_is_its_tab(owner: Owner) -> None:
    await owner.open("/popup.html")
    tab = owner.adopt("/popup.html")
    answer = tab.click("Open the reading club")
    [opened] = answer["opened_tabs"]
    popup = Tab(owner.server, owner.web, opened["id"])
    assert popup.element("Full name")
    assert "Ada" in str(popup.type("Full name", "Ada"))


@pytest.mark.extended
async def test_a_popup_that_the_owner_opens_from_an_adopted_tab_is_left_alone(
    owner: Owner,
) -> None:
    target = await owner.open("/popup.html")
    tab = owner.adopt("/popup.html")
    await owner.run(target, "window.open('form.html'); 0", gesture=True)
    eventually(lambda: [row["url"] for row in owner.granted()] == [owner.web.url("/form.html")])
    assert [row["id"] for row in owner.server.call("tabs").json if not row.get("adoptable")] == [
        tab.id
    ]


@pytest.mark.extended
async def test_a_dialog_in_an_adopted_tab_is_answered_by_the_agent(owner: Owner) -> None:
    page = owner.web.write("<button onclick=\"this.textContent = confirm('Sure?')\">Ask</button>")
    await owner.open(page)
    tab = owner.adopt(page)
    assert tab.click("Ask")["pending_dialog"]["message"] == "Sure?"
    assert "true" in new_texts(tab.call("dialog", accept=True)["page"])


@pytest.mark.extended
async def test_files_are_given_to_a_page_without_a_dialog_in_the_owners_window(
    owner: Owner, tmp_path: Any
) -> None:
    page = owner.web.write(
        "<button onclick='input.click()'>Choose</button><input id=input type=file hidden"
        " onchange='said.textContent = this.files[0].name'><p id=said>"
    )
    target = await owner.open(page)
    tab = owner.adopt(page)
    file = tmp_path / "notes.txt"
    file.write_text("Notes.")
    tab.click("Choose")
    answer = tab.reply("upload", element_id=tab.find("Choose"), paths=[str(file)])
    assert "is outside" in answer.text or "notes.txt" in answer.text
    assert await owner.run(target, "document.visibilityState") == "hidden"


@pytest.mark.extended
async def test_a_tab_that_its_owner_closes_or_takes_elsewhere_is_reported(owner: Owner) -> None:
    first = await owner.open("/counter.html")
    closed = owner.adopt("/counter.html")
    await owner.watcher.cdp.call("Target.closeTarget", targetId=first)
    eventually(lambda: owner.server.call("observe", tab_id=closed.id).result.get("isError"))
    error = closed.refused("observe")
    assert error["code"] == "TAB_NOT_FOUND"
    assert "closed by the browser's owner" in error["message"]

    second = await owner.open("/form.html")
    moved = owner.adopt("/form.html")
    elsewhere = owner.web.url("/form.html", host="localhost")
    await owner.run(second, f"location.href = {elsewhere!r}")
    eventually(lambda: owner.server.call("observe", tab_id=moved.id).result.get("isError"))
    assert moved.refused("observe")["code"] == "NAVIGATION_BLOCKED"

    async def has_loaded() -> bool:
        return (await owner.watcher.pages())[second] == elsewhere

    await until(has_loaded)


@pytest.mark.extended
async def test_an_owner_may_use_an_adopted_tab_meanwhile(owner: Owner) -> None:
    target = await owner.open("/counter.html")
    tab = owner.adopt("/counter.html")
    tab.call("observe")
    await owner.run(target, "document.querySelector('button').click()")
    assert "Clicked 2 times" in new_texts(tab.click("Clicked 1 time"))


@pytest.mark.extended
async def test_a_tab_with_an_open_dialog_or_an_endless_loop_is_not_waited_for(
    owner: Owner,
) -> None:
    begun = owner.web.write("The loop begins.")
    ask = f"const ask = new XMLHttpRequest(); ask.open('GET', '{begun}', false); ask.send();"
    looping = owner.web.publish(HTMLResponse(f"<p>Text<script>{ask} for (;;);</script>"))
    cdp = owner.watcher.cdp
    await cdp.call("Target.createTarget", url=owner.web.url(looping), background=True)
    await trio.to_thread.run_sync(owner.web.wait_for_request, begun)
    eventually(lambda: len(owner.granted()) == 1)
    [row] = owner.granted()
    error = owner.server.call("tabs", adopt=row["id"]).error
    assert "does not answer" in error["message"]
    assert owner.server.call("tab_open", url=owner.web.url("/counter.html")).json["title"]
