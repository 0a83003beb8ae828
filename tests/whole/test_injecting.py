"""dev_inject: CSS and JavaScript for one document or for all documents of a tab."""

from typing import Any

import pytest

from tests.whole.answers import changes
from tests.whole.cases import case
from tests.whole.client import Server
from tests.whole.tabs import Tab
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

PAGE = "<h1>Shop</h1><button>Buy</button><p id=note>Sold out</p>"
ADD = "document.body.append(Object.assign(document.createElement('button'), {textContent: 'New'}))"


@pytest.mark.req("C-DEV-06")
def test_dev_inject_requires_css_or_js(tab: Tab) -> None:
    cases: list[Any] = [{}, {"persist": True}, {"css": None}]
    for given in cases:
        with case(given):
            assert tab.refused("dev_inject", **given)["code"] == "INVALID_ARGUMENT"


@pytest.mark.smoke
@pytest.mark.req("C-DEV-07")
def test_elements_added_by_an_injected_script_are_reported(tab: Tab) -> None:
    tab.open(PAGE)
    added = changes(tab.call("dev_inject", js=ADD), type="added")
    assert [change["to"]["label"] for change in added if isinstance(change["to"], dict)] == ["New"]


@pytest.mark.req("C-DEV-07")
def test_elements_hidden_or_shown_by_injected_css_are_reported(tab: Tab) -> None:
    tab.open(PAGE)
    hidden = tab.call("dev_inject", css="button { display: none } #note { font-size: 30px }")
    assert [change["type"] for change in changes(hidden) if "btn" in change["element"]] == [
        "removed"
    ]
    assert tab.js("getComputedStyle(note).fontSize") == "30px"
    shown = tab.call("dev_inject", css="button { display: block !important }")
    assert changes(shown, type="added")


def test_injected_css_bypasses_the_content_security_policy(fresh_tab: Tab, web: Web) -> None:
    policy = {"Content-Security-Policy": "default-src 'none'"}
    fresh_tab.call("navigate", url=web.url(web.write(PAGE, headers=policy)))
    fresh_tab.call("dev_inject", css="h1 { color: rgb(1, 2, 3) }")
    colour = "getComputedStyle(document.querySelector('h1')).color"
    assert fresh_tab.js(colour) == "rgb(1, 2, 3)"


def test_a_failed_injected_script_is_reported_and_does_not_persist(tab: Tab) -> None:
    cases = [
        ("throw new Error('no')", "EVALUATION_ERROR"),
        ("let 1", "EVALUATION_ERROR"),
        ("while (true);", "TIMEOUT"),
    ]

    for js, code in cases:
        with case(js, code):
            tab.open(PAGE)
            assert tab.refused("dev_inject", js=js, persist=True)["code"] == code
            assert tab.open(PAGE)["title"] == "Written"
            assert tab.call("console")["messages"] == []


@pytest.mark.fault
def test_a_persistent_injection_applies_to_later_documents_of_its_tab(
    server: Server, fresh_tab: Tab
) -> None:
    other = fresh_tab.beside()
    for one in (fresh_tab, other):
        one.open(PAGE)
    fresh_tab.call("dev_inject", css="h1 { color: rgb(1, 2, 3) }", js="var ran = 1", persist=True)
    seen = "[typeof ran, getComputedStyle(document.querySelector('h1')).color === 'rgb(1, 2, 3)']"

    assert fresh_tab.js(seen) == ["number", True]
    fresh_tab.open(PAGE)
    assert fresh_tab.js(seen) == ["number", True]
    fresh_tab.call("reload")
    assert fresh_tab.js(seen) == ["number", True]
    other.open(PAGE)
    assert other.js(seen) == ["undefined", False]
