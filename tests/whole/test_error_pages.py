"""The browser's error page is marked in every answer until the tab leaves it."""

from typing import Any

import pytest
from starlette.responses import Response

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

DEAD = "http://127.0.0.1:1/"
MARK = "net::ERR_UNSAFE_PORT; back returns to the previous page, reload tries again"


def test_every_answer_about_an_error_page_names_its_cause_and_the_way_back(tab: Tab) -> None:
    tab.open("/counter.html")
    tab.refused("navigate", url=DEAD)

    page = tab.call("observe")
    assert (page["url"], page["error_page"]) == (DEAD, MARK)
    for mode in ("content", "tree", "outline"):
        about = tab.reply("observe", mode=mode).texts[1]
        assert f'"error_page":"{MARK}"' in about
        assert "wait for content" not in about
    assert tab.call("find", text="anything") == [{"type": "error_page", "text": MARK}]
    assert tab.row["error_page"] == "net::ERR_UNSAFE_PORT"
    assert tab.call("reload")["error_page"] == MARK

    assert "error_page" not in tab.call("back")
    assert "error_page" not in tab.call("observe")
    assert "error_page" not in tab.row


def test_an_error_page_is_one_line_of_the_text_form(tab: Tab) -> None:
    tab.refused("navigate", url=DEAD)

    for tool, arguments in (("observe", {}), ("find", {"text": "anything"}), ("reload", {})):
        lines = "\n".join(tab.reply(tool, answers="text", **arguments).texts).splitlines()
        assert lines[1:] == [f"! error page: {MARK}"]
    others: list[tuple[str, dict[str, Any]]] = [
        ("evaluate", {"expression": "1"}),
        ("console", {}),
        ("diff", {}),
        ("dev_audit", {"checks": ["links"]}),
    ]
    step = {"tool": "evaluate", "arguments": {"expression": "1", "tab_id": tab.id}}
    assert MARK in tab.server.call("batch", steps=[step], answers="text").text
    for tool, arguments in others:
        texts = tab.reply(tool, answers="text", **arguments).texts
        assert "\n".join(texts).count(f"! error page: {MARK}") == 1
    assert "error page net::ERR_UNSAFE_PORT" in tab.server.call("tabs", answers="text").text


def test_an_element_that_is_not_on_an_error_page_is_answered_with_the_way_back(tab: Tab) -> None:
    tab.open("/counter.html")
    button = tab.find("Clicked 0 times")
    tab.refused("navigate", url=DEAD)

    error = tab.refused("click", element_id=button)

    assert error["code"] == "ELEMENT_CHANGED"
    assert error["suggestion"] == f"The tab shows the browser's error page: {MARK}."


def test_the_error_of_a_navigation_says_what_the_tab_shows_now(tab: Tab) -> None:
    failed = tab.refused("navigate", url=DEAD)
    opened = tab.server.call("tab_open", url=DEAD).error
    unknown = tab.refused("navigate", url="http://nowhere.invalid/")

    assert failed["suggestion"] == (
        "Use another port: browsers refuse this one. "
        "The tab shows the browser's error page: back returns to the previous page."
    )
    assert opened["suggestion"].endswith("refuse this one. The tab was closed.")
    assert unknown["suggestion"].startswith("Check the host name.")
    assert tab.call("observe")["error_page"].startswith("net::ERR_NAME_NOT_RESOLVED;")


def test_a_page_that_stays_is_no_error_page(tab: Tab) -> None:
    tab.open("/counter.html")
    path = tab.web.publish(Response(status_code=204))

    error = tab.refused("navigate", url=tab.web.url(path))

    assert error["suggestion"].endswith("The tab still shows the previous page.")
    assert "error_page" not in tab.call("observe")
