"""A browser with windows, as people use it to watch an agent or to keep a browser open."""

from collections.abc import Generator

import pytest

from charlotte.browser.process.executables import find_executable
from tests.whole.answers import new_texts
from tests.whole.client import Server, open_server
from tests.whole.tabs import Tab, eventually, new_tab
from tests.whole.web import Web

pytestmark = [pytest.mark.chromium, pytest.mark.fault]


@pytest.fixture(scope="module")
def windowed() -> Generator[Server]:
    executable = find_executable(None, windows=True)
    with open_server("--chromium", executable) as server:
        yield server


@pytest.fixture
def tab(windowed: Server, web: Web) -> Generator[Tab]:
    with new_tab(windowed, web) as opened:
        yield opened


def test_a_browser_with_windows_is_a_complete_browser(tab: Tab) -> None:
    tab.open("<h1>Whole</h1>")
    assert tab.js("typeof chrome") == "object"


def test_actions_and_dialogs_work_in_a_browser_with_windows(tab: Tab) -> None:
    tab.open("""<button onclick="this.textContent = 'Done'">Do</button>
      <button onclick="alert('Sure?')">Ask</button>""")
    assert "Done" in new_texts(tab.click("Do"))
    assert tab.click("Ask")["pending_dialog"]["message"] == "Sure?"
    tab.call("dialog", accept=True)
    assert tab.js("1 + 1") == 2


def test_windows_opened_by_pages_are_tabs(tab: Tab) -> None:
    other = tab.web.write("<title>Other</title>")
    tab.open(f'<a href="{other}" target="_blank">Open</a>')
    [opened] = tab.click("Open")["opened_tabs"]
    eventually(lambda: opened["id"] in {row["id"] for row in tab.server.call("tabs").json})
