"""storage: the state of sites is saved and loaded."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

KEEP = "localStorage.setItem('token', 'sæcret'); document.cookie = 'id=7'; 0"
EMPTY = "localStorage.clear(); 0"
STORED = "[localStorage.getItem('token'), document.cookie]"


@pytest.fixture
def site(tab: Tab) -> Generator[Tab]:
    tab.open("<h1>Site</h1>")
    tab.call("clear_cookies")
    tab.js(EMPTY)
    yield tab
    tab.open("<h1>Site</h1>")
    tab.js(EMPTY)
    tab.call("clear_cookies")


def test_storage_restores_a_saved_state(site: Tab, shots: Path) -> None:
    origin = site.web.url("").rstrip("/")
    site.js(KEEP)
    site.call("navigate", url="about:blank")

    saved = site.call("storage", action="save", path="state.json")
    place = shots / "state.json"
    state = json.loads(place.read_text())
    site.open("<h1>Site</h1>")
    site.js(EMPTY)
    site.call("clear_cookies")
    loaded = site.call("storage", action="load", path=str(place))

    assert (saved["path"], saved["cookies"]) == (str(place), 1)
    assert place.stat().st_mode & 0o777 == 0o600
    assert {"origin": origin, "localStorage": [{"name": "token", "value": "sæcret"}]} in state[
        "origins"
    ]
    assert len(state["origins"]) == saved["origins"]
    assert (state["cookies"][0]["name"], state["cookies"][0]["domain"]) == ("id", "127.0.0.1")
    assert loaded == {"loaded": {"cookies": 1, "origins": saved["origins"]}}
    assert site.js(STORED) == ["sæcret", "id=7"]


def test_storage_opens_no_tab_and_sends_no_request(site: Tab) -> None:
    origin = {"origin": "https://shop.test", "localStorage": [{"name": "a", "value": "b"}]}
    site.call("requests", clear=True)

    site.call("storage", action="load", state={"origins": [origin]})
    site.call("storage", action="save")

    assert [row["id"] for row in site.server.call("tabs").json] == [site.id]
    assert site.call("requests")["count"] == 0
    assert "opened_tabs" not in site.call("observe")


def test_storage_loads_a_playwright_state_and_ignores_unsupported_parts(site: Tab) -> None:
    cookie = {"name": "id", "value": "9", "domain": "127.0.0.1", "path": "/", "expires": -1,
              "httpOnly": False, "secure": False, "sameSite": "Lax", "partitionKey": None,
              "_crHasCrossSiteAncestor": False}  # fmt: skip
    origin = {"origin": site.web.url("").rstrip("/"), "indexedDB": [],
              "localStorage": [{"name": "token", "value": "t"}]}  # fmt: skip

    site.call("storage", action="load", state={"cookies": [cookie], "origins": [origin]})

    assert site.js(STORED) == ["t", "id=9"]
    saved = site.call("storage", action="save")
    assert [one["value"] for one in saved["cookies"]] == ["9"]
    assert {k: v for k, v in origin.items() if k != "indexedDB"} in saved["origins"]


def test_an_invalid_state_is_refused(tab: Tab) -> None:
    cases: list[Any] = [
        {"action": "load"},
        {"action": "load", "state": {"cookies": [{"name": "x"}]}},
        {"action": "load", "state": {"origins": [{"origin": "file:///etc"}]}},
        {"action": "load", "state": {"origins": "x"}},
        {"action": "load", "state": {"cookies": 5}},
        {"action": "load", "state": {"origins": {"a": 1}}},
        {"action": "load", "path": "/etc/passwd"},
        {"action": "save", "path": "/etc/state.json"},
    ]

    for arguments in cases:
        with case(arguments):
            assert tab.refused("storage", **arguments)["code"] == "INVALID_ARGUMENT"
