"""A browser with windows, as people use it to watch an agent or to keep a browser open."""

from collections.abc import Generator
from statistics import median

import pytest

from charlotte.browser.executables import find_executable
from tests.whole.answers import mentions, new_texts, notices
from tests.whole.client import Server, open_server
from tests.whole.processes import kill, renderer_of
from tests.whole.service_workers import ASKS_AGAIN, FETCHES, SERVED, script
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


def test_a_screenshot_of_a_background_tab_returns_an_image(tab: Tab) -> None:
    tab.open("<body style='background: #f00'>")
    tab.beside().open("<h1>In front</h1>")
    assert any(block["type"] == "image" for block in tab.reply("screenshot").result["content"])


def test_a_background_tab_is_visible_and_renders_at_full_rate(tab: Tab) -> None:
    tab.open("<h1>Behind</h1>")
    tab.beside().open("<h1>In front</h1>")

    between = tab.js("""new Promise((done) => {
        const at = []
        const next = () => {
            document.querySelector('h1').textContent = at.push(performance.now())
            if (at.length > 30) done(at.slice(1).map((time, n) => time - at[n]))
            else requestAnimationFrame(next)
        }
        requestAnimationFrame(next)
    })""", timeout=20_000)  # fmt: skip

    assert tab.js("[document.visibilityState, document.hasFocus()]") == ["visible", True]
    assert median(between) < 100  # ms: 17 in a foreground tab, 1,000 in a throttled one


def test_a_hanging_frame_of_another_site_leaves_the_page_usable(tab: Tab) -> None:
    stuck = tab.web.write(
        "<button>In</button><script>onmessage = () => {"
        "parent.postMessage('', '*'); setTimeout(() => { for (;;); }) }</script>"
    )
    url = tab.web.url(stuck, host="stuck.localhost")
    tab.open(f'<button>Out</button><iframe title="Stuck" src="{url}"></iframe>')
    tab.js("new Promise((r) => { onmessage = () => r(1); frames[0].postMessage('now', '*') })")
    assert mentions(notices(tab.call("observe")), "'Stuck' does not answer")


def test_a_killed_renderer_and_its_service_worker_are_restored(tab: Tab) -> None:
    page = tab.web.write("<h1>Back</h1>")
    tab.call("navigate", url=tab.web.url(page, host="back.localhost"))
    tab.js(SERVED % script(tab, ASKS_AGAIN))
    kill(renderer_of(tab))
    eventually(lambda: not tab.reply("observe").result.get("isError"))
    assert "headers" in tab.js(FETCHES)
