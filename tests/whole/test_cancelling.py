"""Cancellation: the work stops and the tab is free immediately."""

import pytest
from starlette.responses import HTMLResponse

from tests.whole.cases import case
from tests.whole.tabs import Tab, eventually

pytestmark = pytest.mark.chromium


def test_a_cancelled_navigation_frees_its_tab(tab: Tab) -> None:
    tab.open("/counter.html")
    loading = tab.start("navigate", url=tab.web.url("/hang?cancelled"))
    tab.web.wait_for_request("/hang")

    tab.server.cancel(loading)
    reply = tab.reply("observe")

    assert reply.json["title"].startswith("Counter")


def test_a_tab_whose_opening_is_cancelled_is_not_listed(tab: Tab) -> None:
    tab.open("/counter.html")
    held = tab.web.hold(HTMLResponse(b""))
    opening = tab.server.start("tab_open", url=tab.web.url(held))
    tab.web.wait_for_request(held)

    tab.server.cancel(opening)

    eventually(lambda: [row["id"] for row in tab.server.call("tabs").json] == [tab.id])
    assert tab.server.call("observe").json["tab_id"] == tab.id


def test_a_cancelled_script_frees_its_tab(tab: Tab) -> None:
    for expression in ["new Promise(() => {})", "while (true);"]:
        with case(expression):
            tab.open("/counter.html")
            script = f"console.log('begun'); {expression}"
            running = tab.start("evaluate", expression=script, timeout=30_000)
            eventually(lambda: tab.call("console", level="log")["count"] == 1)
            tab.server.cancel(running)
            reply = tab.reply("evaluate", expression="1 + 1")
            assert reply.json["value"] == 2


def test_cancelled_typing_stops(tab: Tab) -> None:
    tab.open('<input aria-label="Field" oninput="console.log(this.value)">')
    typing = tab.start("type", element_id=tab.find("Field"), text="x" * 1000, slowly=True)
    eventually(lambda: tab.call("console", level="log")["count"] > 3)

    tab.server.cancel(typing)
    length = tab.js("document.querySelector('input').value.length")

    assert length < 1000
    assert tab.js("document.querySelector('input').value.length") == length
