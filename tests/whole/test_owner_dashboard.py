"""The dashboard beside a server over stdio, on which the owner of the browser grants tabs."""

import json
import re
import urllib.error
import urllib.request
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio

from tests.browser.raw_cdp import RawPage, chromium
from tests.cdp import open_cdp
from tests.whole.client import Message, Server, open_server
from tests.whole.tabs import eventually
from tests.whole.web import Web

pytestmark = [pytest.mark.chromium]

_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/dashboard/#token=[\w-]{40,}")


def address_of(server: Server) -> str:
    return address_in(server.log)


def address_in(read_log: Callable[[], str]) -> str:
    """Return the address of the dashboard in a log, once it is logged."""
    eventually(lambda: _ADDRESS.search(read_log()))
    [address] = _ADDRESS.findall(read_log())
    return str(address)


def ask(address: str, tab_id: str) -> int:
    """Request the image of a tab with the token of the dashboard; return the status."""
    page, _, token = address.partition("#token=")
    headers = {"Authorization": f"Bearer {token}"}
    request = urllib.request.Request(f"{page}api/tabs/{tab_id}/picture", headers=headers)  # noqa: S310
    with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310
        return int(answer.status)


@asynccontextmanager
async def owners_page(endpoint: str, url: str) -> AsyncGenerator[RawPage]:
    """Open a tab in the browser, as its owner does."""
    async with open_cdp(endpoint) as cdp:
        page = RawPage(cdp)
        await page.attach((await page.call("Target.createTarget", url=url))["targetId"])
        yield page


async def until(page: RawPage, condition: str) -> None:
    with trio.fail_after(60):
        while not await page.run(f"Boolean({condition})"):  # noqa: ASYNC110 - no event to wait for
            await trio.sleep(0.05)


@asynccontextmanager
async def owners_dashboard(endpoint: str, server: Server) -> AsyncGenerator[RawPage]:
    async with owners_page(endpoint, address_of(server)) as page:
        await until(page, "document.querySelector('#connection')?.dataset.state === 'live'")
        yield page


def adoptable(server: Server) -> list[Message]:
    return [row for row in server.call("tabs").json if row.get("adoptable")]


async def call(server: Server, tool: str, **arguments: Any) -> Any:
    return await trio.to_thread.run_sync(lambda: server.call(tool, **arguments))


async def test_the_owner_grants_a_tab_with_a_click_and_withdraws_it(web: Web) -> None:
    url = web.url("/counter.html?of=the-owner")
    with chromium() as endpoint, open_server("--dashboard", "--attach", endpoint) as server:
        async with (
            owners_page(endpoint, url) as mine,
            owners_dashboard(endpoint, server) as dashboard,
        ):
            row = "[...document.querySelectorAll('#owner-tabs li')].find(r => r.tab.url === URL)"
            row = row.replace("URL", json.dumps(url))
            await until(dashboard, "document.body.innerText.includes('is not connected')")
            assert [] == await trio.to_thread.run_sync(adoptable, server)
            await until(dashboard, row)

            grant = f"{row}.querySelector('.grant')"
            await dashboard.run(f"{grant}.focus(); {grant}.click()")
            await until(dashboard, "document.querySelector('#owner-done').innerText")
            await until(dashboard, f"{grant}.hidden")
            assert await dashboard.run(f"document.activeElement === {row}")
            [granted] = await trio.to_thread.run_sync(adoptable, server)
            assert url == granted["url"]

            await call(server, "tabs", adopt=granted["id"])
            await until(dashboard, f"{row}.innerText.includes('tab-1 of session-1 works here')")
            found: list[Message] = (await call(server, "find", text="Clicked 0 times")).json
            (await call(server, "click", element_id=found[0]["id"])).json  # noqa: B018
            assert "Clicked 1 time" in await mine.run("document.body.innerText")

            await dashboard.run(f"{row}.querySelector('.withdraw').click()")
            await until(dashboard, f"!{row}.querySelector('.grant').hidden")
            refused = (await call(server, "observe", tab_id="tab-1")).error
            assert "NAVIGATION_BLOCKED" == refused["code"]
            await until(dashboard, f"!{row}.innerText.includes('works here')")
            events = await dashboard.run("document.querySelector('#events').innerText")
            assert all(
                text in events
                for text in ("granted for", "adopted owner-", "grant withdrawn", "released owner-")
            )
        logged = [json.loads(line)["event"] for line in server.log().splitlines()]
    assert [
        "the owner granted a tab",
        "the owner's tab was adopted",
        "the owner withdrew a tab",
    ] == [event for event in logged if event.startswith("the owner")][:3]


@pytest.mark.extended
def test_the_dashboard_shows_the_calls_of_a_server_over_stdio_and_ends_with_it(web: Web) -> None:
    with open_server("--dashboard") as server:
        address = address_of(server)
        tab_id = server.call("tab_open", url=web.url("/counter.html")).json["tab_id"]
        assert ask(address, tab_id) in {200, 204}
        with pytest.raises(urllib.error.HTTPError, match="401"):
            ask(address + "x", tab_id)
    with pytest.raises(urllib.error.URLError, match="refused"):
        ask(address, tab_id)
