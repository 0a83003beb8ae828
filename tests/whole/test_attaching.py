"""Charlotte attached to a running browser that has none of its switches."""

import json
import urllib.request
from collections.abc import Generator
from contextlib import ExitStack
from functools import partial
from typing import Any

import pytest
import trio
from starlette.responses import HTMLResponse

from tests.browser.raw_cdp import chromium, open_target
from tests.whole.answers import new_texts
from tests.whole.cases import case
from tests.whole.client import Message, Server, open_server
from tests.whole.tabs import Tab, eventually
from tests.whole.web import WRITTEN, Web

pytestmark = pytest.mark.chromium


def address_of(endpoint: str) -> str:
    """Return ``http://host:port`` of a browser's websocket."""
    return "http://" + endpoint.split("/")[2]


def ask(endpoint: str, path: str, method: str = "GET") -> Any:
    request = urllib.request.Request(address_of(endpoint) + path, method=method)  # noqa: S310
    with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310
        return json.load(answer)


def shown_by(endpoint: str) -> list[str]:
    """Return the URLs of the browser's pages."""
    targets: list[Message] = ask(endpoint, "/json/list")
    return [target["url"] for target in targets if target["type"] == "page"]


@pytest.fixture(scope="module")
def endpoint() -> Generator[str]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def attached(endpoint: str) -> Generator[Server]:
    with open_server("--cdp-endpoint", address_of(endpoint)) as server:
        yield server


@pytest.fixture
def tab(attached: Server, web: Web) -> Generator[Tab]:
    opened = Tab(attached, web, attached.call("tab_open").json["tab_id"])
    yield opened
    attached.call("tab_close", tab_id=opened.id)


def page_answer(tab: Tab, path: str) -> Message:
    """Open a page and return its answer without ids and times."""
    answer = tab.open(path, detail="full")
    if "truncation" in answer:
        del answer["truncation"]["next_cursor"]
    return {key: value for key, value in answer.items() if key not in {"timestamp", "snapshot_id"}}


def test_an_attached_browser_describes_a_page_like_a_launched_one(
    tab: Tab, server: Server, web: Web
) -> None:
    ours = Tab(server, web, server.call("tab_open").json["tab_id"])

    for path in ["/form.html", "/table.html", "/shadow.html", "/types.html"]:
        with case(path):
            assert page_answer(tab, path) | {"tab_id": ""} == page_answer(ours, path) | {
                "tab_id": ""
            }


def test_a_click_works_in_an_attached_browser(tab: Tab) -> None:
    tab.open("/counter.html")
    assert "Clicked 1 time" in new_texts(tab.click("Clicked 0 times"))
    assert tab.element("Clicked 1 time")["type"] == "button"


async def backend_number(endpoint: str, url: str, css: str) -> int:
    """Return the backend node id of the first match of a selector."""
    async with open_target(endpoint, url=url) as page:
        root = (await page.call("DOM.getDocument"))["root"]["nodeId"]
        node = (await page.call("DOM.querySelector", nodeId=root, selector=css))["nodeId"]
        described = await page.call("DOM.describeNode", nodeId=node)
        return int(described["node"]["backendNodeId"])


@pytest.mark.req("V-REF-01")
def test_a_reference_is_the_backend_node_id_of_the_browser(tab: Tab, endpoint: str) -> None:
    url = tab.open("<p>Text</p><button>First</button><button id=second>Second</button>")["url"]
    tree = tab.reply("observe", mode="tree").text

    number = trio.run(backend_number, endpoint, url, "#second")

    assert f'button "Second" [ref=e{number}]' in tree


def test_pages_of_the_browsers_owner_stay_open(
    attached: Server, tab: Tab, endpoint: str, web: Web
) -> None:
    url = web.url("/counter.html?of=the-owner")
    opened: Message = ask(endpoint, f"/json/new?{url}", "PUT")
    web.wait_for_request("/counter.html")
    assert [row["id"] for row in attached.call("tabs").json] == [tab.id]
    attached.call("tab_close", tab_id=attached.call("tab_open").json["tab_id"])
    assert url in shown_by(endpoint)
    urllib.request.urlopen(f"{address_of(endpoint)}/json/close/{opened['id']}").close()  # noqa: S310


@pytest.mark.parametrize("killed", [False, True], ids=["ends", "is killed"])
def test_an_ending_server_closes_only_its_own_pages(
    endpoint: str,
    web: Web,
    killed: bool,  # noqa: FBT001
) -> None:
    eventually(lambda: len(shown_by(endpoint)) == 1)
    with open_server("--cdp-endpoint", endpoint) as server:
        for page in ("/counter.html", "/form.html"):
            server.call("tab_open", url=web.url(page))
        assert len(shown_by(endpoint)) == 1 + 2
        if killed:
            server.process.kill()
    eventually(lambda: shown_by(endpoint) == ["about:blank"])


def announce(web: Web, endpoint: str) -> str:
    """Publish the address of the browser on the site; return the URL to attach to."""
    version = json.dumps({"webSocketDebuggerUrl": endpoint}).encode()
    web.pages[f"{WRITTEN}browser/json/version"] = HTMLResponse(version)
    return web.url(f"{WRITTEN}browser")


@pytest.mark.req("S-ERR-04")
@pytest.mark.extended
def test_the_server_reconnects_when_a_dead_browser_is_back(web: Web) -> None:
    with ExitStack() as stack:
        with chromium() as first:
            server = stack.enter_context(open_server("--cdp-endpoint", announce(web, first)))
            tab = Tab(server, web, server.call("tab_open").json["tab_id"])
            tab.open("/counter.html")
        eventually(lambda: tab.refused("observe")["code"] == "SESSION_ERROR")
        assert first in tab.refused("observe")["message"]
        announce(web, stack.enter_context(chromium()))
        eventually(lambda: not tab.reply("observe").result.get("isError"))
        assert tab.element("Clicked 0 times")["type"] == "button"


async def refused_without_input(tab: Tab, endpoint: str, tool: str, **arguments: Any) -> Message:
    """Return the error of a tool while the browser discards all input events."""
    async with open_target(endpoint, url=tab.row["url"]) as page:
        await page.call("Input.setIgnoreInputEvents", ignore=True)
        return await trio.to_thread.run_sync(partial(tab.refused, tool, **arguments))


def test_a_click_that_the_page_did_not_receive_is_an_error(tab: Tab, endpoint: str) -> None:
    tab.open("/counter.html")
    button = tab.find("Clicked 0 times")

    by_id = trio.run(partial(refused_without_input, tab, endpoint, "click", element_id=button))
    at_point = trio.run(partial(refused_without_input, tab, endpoint, "click_at", x=9, y=9))

    assert "No mouse event arrived" in by_id["message"]
    assert "No mouse event arrived" in at_point["message"]
