"""tabs, tab_open, tab_switch, tab_close: the active tab, the list and the ids."""

import pytest
from starlette.responses import HTMLResponse

from tests.whole.cases import case
from tests.whole.client import Server
from tests.whole.tabs import Tab, eventually
from tests.whole.web import Web

pytestmark = pytest.mark.chromium


def number(tab_id: str) -> int:
    return int(tab_id.removeprefix("tab-"))


def test_the_first_page_tool_of_a_session_opens_a_tab(server: Server) -> None:
    assert server.call("tabs").json == []

    answer = server.call("observe").json

    [row] = server.call("tabs").json
    assert (row["id"], row["active"]) == (answer["tab_id"], True)
    assert row["url"] == "about:blank"


@pytest.mark.req("C-TAB-02")
def test_tab_open_opens_an_active_tab_blank_or_with_a_url(server: Server, web: Web) -> None:
    blank = server.call("tab_open").json
    there = server.call("tab_open", url=web.url("/counter.html"), detail="summary").json

    assert blank["url"] == "about:blank"
    assert there["title"].startswith("Counter")
    assert there["status"] == 200
    assert "interactive" in there
    assert number(there["tab_id"]) == number(blank["tab_id"]) + 1
    assert server.call("observe").json["tab_id"] == there["tab_id"]


@pytest.mark.smoke
@pytest.mark.req("C-TAB-01")
def test_rows_have_id_url_title_and_the_active_flag(server: Server, web: Web) -> None:
    for path in ("/counter.html", "/form.html"):
        server.call("tab_open", url=web.url(path))

    first, second = server.call("tabs").json

    assert first == {
        "id": first["id"],
        "url": web.url("/counter.html"),
        "title": "Counter · Harbour Books",
        "active": False,
    }
    assert (second["title"], second["active"]) == ("Reading club · Harbour Books", True)


@pytest.mark.req("C-TAB-01")
def test_titles_are_updated_after_changes_and_navigation(tab: Tab) -> None:
    tab.open("<script>document.title = 'First'</script>")
    tab.js("document.title = 'Second'")
    eventually(lambda: tab.row["title"] == "Second")
    tab.js("document.querySelector('title').remove()")
    eventually(lambda: tab.row["title"] == "")
    tab.js("for (let n = 0; n <= 500; n += 1) document.title = `Round ${n}`")
    eventually(lambda: tab.row["title"] == "Round 500")
    tab.open("/counter.html")
    eventually(lambda: tab.row["title"].startswith("Counter"))
    tab.call("back")
    eventually(lambda: tab.row["title"] == "First")


@pytest.mark.req("C-TAB-03")
def test_tab_switch_makes_a_tab_active(tab: Tab) -> None:
    tab.open("/counter.html")
    other = tab.beside()

    answer = tab.server.call("tab_switch", tab_id=tab.id, detail="minimal").json

    assert answer["title"].startswith("Counter")
    assert "interactive_summary" in answer
    assert (tab.row["active"], other.row["active"]) == (True, False)
    assert tab.server.call("observe").json["tab_id"] == tab.id


@pytest.mark.req("S-REQ-02")
def test_a_tab_id_may_be_written_as_text_or_number(tab: Tab) -> None:
    tab.beside()

    for spelling in (tab.id, number(tab.id), str(number(tab.id))):
        assert tab.server.call("observe", tab_id=spelling).json["tab_id"] == tab.id


@pytest.mark.req("S-REQ-02", "S-ERR-05", "C-TAB-03")
def test_an_unknown_tab_is_refused_with_the_open_tabs(tab: Tab) -> None:
    for tab_id in ["tab-999999", 999_999, 0, -1]:
        with case(tab_id):
            for tool, arguments in (
                ("observe", {}),
                ("click", {"element_id": "btn-0000"}),
                ("requests", {}),
                ("tab_switch", {}),
                ("dialog", {"accept": True}),
            ):
                error = tab.server.call(tool, tab_id=tab_id, **arguments).error
                assert error["code"] == "TAB_NOT_FOUND", tool
                assert tab.id in error["message"]
                assert error["suggestion"]


def test_closing_a_tab_ends_its_pending_calls_with_an_error(tab: Tab) -> None:
    other = tab.beside()
    loading = other.start("navigate", url=tab.web.url("/hang"))
    waiting = other.start("observe")
    tab.web.wait_for_request("/hang")

    tab.server.call("tab_close", tab_id=other.id)

    assert loading.reply().error["code"] == "TAB_NOT_FOUND"
    assert waiting.reply().error["code"] == "TAB_NOT_FOUND"


def test_tab_open_opens_no_tab_if_the_navigation_fails(tab: Tab) -> None:
    error = tab.server.call("tab_open", url="http://127.0.0.1:1/").error

    assert error["code"] == "NAVIGATION_FAILED"
    assert [row["id"] for row in tab.server.call("tabs").json] == [tab.id]
    assert tab.row["active"]


def test_tabs_of_a_session_share_cookies_and_storage(tab: Tab) -> None:
    tab.open("/cookie?name=theme&value=dark")
    tab.js("localStorage.setItem('seen', 'yes')")
    other = tab.beside()
    other.open("/counter.html")

    assert other.js("[document.cookie, localStorage.getItem('seen')]") == ["theme=dark", "yes"]


def test_a_background_tab_is_visible_focused_and_rendered(tab: Tab) -> None:
    tab.open("/counter.html")
    tab.beside()

    assert tab.js("[document.visibilityState, document.hasFocus()]") == ["visible", True]
    assert tab.js("new Promise((done) => requestAnimationFrame(() => done('frame')))") == "frame"


def test_tabs_is_answered_during_a_load_and_marks_the_loading_tab(tab: Tab) -> None:
    held = tab.web.hold(HTMLResponse(b"<title>Held</title>"))
    loading = tab.start("navigate", url=tab.web.url(held))
    eventually(lambda: tab.row.get("loading"))

    reply = tab.server.call("tabs")
    tab.web.release(held)

    assert reply.json[0]["loading"] is True
    assert loading.reply().json["title"] == "Held"
    assert "loading" not in tab.row
