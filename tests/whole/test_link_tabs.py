"""tab_open{from}: links of a page in background tabs."""

import re
from typing import Any

import pytest

from tests.whole.client import Server
from tests.whole.tabs import Tab
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

LINKS = """<a href="/counter.html">One</a> <a href="/form.html">Two</a> <a href="/none">Three</a>
  <a href="mailto:ada@example.org">Mail</a> <button>No link</button>
  <a href="http://127.0.0.1:9/">Refused</a>"""


def ids_of(tab: Tab, *labels: str) -> list[str]:
    return [tab.find(label) for label in labels]


def open_links(tab: Tab, links: list[str], **arguments: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = tab.server.call("tab_open", **{"from": links, **arguments}).json[
        "tabs"
    ]
    return rows


def test_links_are_opened_in_background_tabs(tab: Tab) -> None:
    tab.open(LINKS)
    links = ids_of(tab, "One", "Two", "Three")

    rows = open_links(tab, links)

    assert [(row["from"], row["status"]) for row in rows] == [
        *zip(links, (200, 200, 404), strict=True)
    ]
    assert rows[0]["title"] == "Counter · Harbour Books"
    listed = {row["id"]: row for row in tab.server.call("tabs").json}
    assert [listed[row["tab_id"]]["url"] for row in rows] == [row["url"] for row in rows]
    assert listed[tab.id]["active"]
    found = tab.server.call("find", tab_id=rows[1]["tab_id"], text="Email").json
    assert found[0]["type"] == "text_input"


def test_a_link_that_cannot_be_opened_leaves_no_tab_and_does_not_stop_others(tab: Tab) -> None:
    tab.open(LINKS)

    rows = open_links(tab, [*ids_of(tab, "Mail", "No link", "Refused", "One"), "lnk-0000"])

    codes = [row.get("error", {}).get("code") for row in rows]
    assert codes == [
        "NAVIGATION_BLOCKED",
        "INVALID_ARGUMENT",
        "NAVIGATION_FAILED",
        None,
        "ELEMENT_NOT_FOUND",
    ]
    assert "is not a link" in rows[1]["error"]["message"]
    assert {row["id"] for row in tab.server.call("tabs").json} == {tab.id, rows[3]["tab_id"]}


def test_each_link_has_one_line(tab: Tab) -> None:
    tab.open(LINKS)
    links = ids_of(tab, "One", "Three", "No link")

    reply = tab.server.call("tab_open", **{"from": links, "answers": "text"})

    one, three, no_link = reply.text.split("\n")
    assert re.fullmatch(rf'{links[0]}: tab-\d+ "Counter · Harbour Books" http://\S+', one)
    assert three.endswith("/none [status 404]")
    assert no_link.startswith(f"{links[2]}: error INVALID_ARGUMENT: {links[2]} 'No link' is not")


def test_tabs_of_links_share_the_cookies_of_their_page(server: Server, web: Web) -> None:
    opened = server.call("tab_open", context="second", url=web.url(web.write(LINKS))).json
    source = Tab(server, web, opened["tab_id"])
    blank = server.call("tab_open").json["tab_id"]
    links = ids_of(source, "One")

    [row] = open_links(source, links, from_tab=source.id)
    [other] = open_links(source, links, from_tab=source.id, context="third")

    assert (row["context"], other["context"]) == ("second", "third")
    [active] = [each["id"] for each in server.call("tabs").json if each["active"]]
    assert active == blank
