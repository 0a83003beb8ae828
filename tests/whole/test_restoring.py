"""A restarted browser has the state of each session again."""

import pytest

from tests.browser.processes import kill
from tests.whole.client import Server
from tests.whole.processes import browser_of
from tests.whole.tabs import Tab, eventually

pytestmark = [pytest.mark.chromium, pytest.mark.fault]

STORES = """<input aria-label=Name><script>
localStorage.setItem('token', 'sæcret'); localStorage.setItem('key', 'a method too');
document.cookie = 'plain=1'; document.cookie = 'kept=2; max-age=9999; path=/';
console.log('from before')</script>"""
KEPT = "[localStorage.token, localStorage.getItem('key'), document.cookie]"


@pytest.fixture
def tab(own_tab: Tab) -> Tab:
    return own_tab


def kill_browser(server: Server) -> None:
    before = browser_of(server.process.pid)
    kill(before)
    eventually(lambda: not server.call("tab_open").result.get("isError"))
    assert browser_of(server.process.pid) != before


def test_cookies_and_local_storage_are_restored_after_a_restart(tab: Tab) -> None:
    tab.open(STORES)
    site = tab.js("location.href")
    tab.call("evaluate", expression="document.cookie = 'late=3'; localStorage.late = 4; 0")
    expected = tab.js(KEPT)
    cookies = tab.call("get_cookies")["cookies"]
    eventually(lambda: tab.js("performance.now()") > 1000)  # stored at most a second late

    kill_browser(tab.server)

    assert tab.call("observe")["url"] == site
    assert expected[:2] == ["sæcret", "a method too"]
    assert tab.js("localStorage.late") == "4"
    assert sorted(tab.js(KEPT)[2].split("; ")) == sorted(expected[2].split("; "))
    assert by_name(tab.call("get_cookies")["cookies"]) == by_name(cookies)


def by_name(cookies: list[dict[str, object]]) -> dict[object, object]:
    """Return cookies by name; only the presence of an expiry time is kept."""
    return {one["name"]: {**one, "expires": one["expires"] == -1} for one in cookies}


def test_emulation_headers_ids_and_console_are_restored_after_a_restart(tab: Tab) -> None:
    tab.open(STORES)
    tab.call("viewport", width=500, height=400, color_scheme="dark", timezone="Asia/Tokyo")
    tab.call("viewport", media="print")
    tab.call("set_headers", headers={"X-Mine": "1"})
    name = tab.find("Name")
    before = tab.call("observe")["snapshot_id"]
    active = tab.beside()
    active.open("/counter.html")

    kill(browser_of(tab.server.process.pid))
    eventually(lambda: not tab.reply("observe").result.get("isError"))

    rows = tab.server.call("tabs").json
    assert [row["id"] for row in rows if row["active"]] == [active.id]
    assert tab.js("[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]") == [500, True]
    assert tab.js("Intl.DateTimeFormat().resolvedOptions().timeZone") == "Asia/Tokyo"
    assert tab.js("matchMedia('print').matches")
    assert tab.web.asked(tab.js("location.pathname"))[-1].headers["x-mine"] == "1"
    assert tab.find("Name") == name
    assert tab.call("diff", snapshot_id=before)["from_snapshot"] == before
    assert "from before" in {one["text"] for one in tab.call("console")["messages"]}
