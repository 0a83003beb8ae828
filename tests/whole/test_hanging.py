"""A page with an endless script: only its own calls are affected, and other documents end it."""

import pytest

from tests.whole.tabs import Tab

pytestmark = [pytest.mark.chromium, pytest.mark.fault]


@pytest.fixture
def looping(tab: Tab) -> Tab:
    """An inactive tab whose page runs an endless loop."""
    tab.open("/loop.html")
    tab.start("evaluate", expression="setTimeout(() => { while (true); }); 1").reply()
    tab.beside()
    return tab


def test_a_click_that_starts_an_endless_loop_reports_a_hung_tab(tab: Tab) -> None:
    tab.open("/loop.html")

    reply = tab.reply("click", element_id=tab.find("Loop for ever"))

    assert reply.error["code"] == "TAB_HUNG"
    assert tab.id in reply.error["message"]
    assert "/loop.html" in reply.error["message"]
    assert "reload" in reply.error["suggestion"]
    assert reply.seconds >= 2
    assert tab.row["hung"] is True


BUSY = """<h1>Busy</h1><script>
  setTimeout(() => { const end = Date.now() + %d; while (Date.now() < end); }, 20);
</script>"""


def test_navigate_waits_for_a_script_that_keeps_a_loaded_page_busy(tab: Tab) -> None:
    path = tab.web.write(BUSY % 3500)

    reply = tab.reply("navigate", url=tab.web.url(path), timeout=12_000)

    assert [each["text"] for each in reply.json["structure"]["headings"]] == ["Busy"]
    assert "hung" not in tab.row


def test_navigate_reports_a_document_that_arrived_and_stays_busy(tab: Tab) -> None:
    path = tab.web.write(BUSY % 60_000)

    reply = tab.reply("navigate", url=tab.web.url(path), timeout=3000)

    assert reply.error["code"] == "TAB_HUNG"
    assert f"{path} has arrived in {tab.id}" in reply.error["message"]


def test_a_request_of_a_looping_page_is_returned_without_its_body(looping: Tab) -> None:
    [row] = looping.call("requests", url_pattern="/loop.html")["requests"]

    reply = looping.reply("requests", id=row["id"])

    assert (reply.json["status"], reply.json["response"]["body"]) == (200, None)
    assert "did not return the body" in reply.json["note"]


def test_a_looping_page_delays_only_the_calls_in_its_queue(looping: Tab) -> None:
    stuck = looping.start("observe")
    queued = [looping.start("reload"), looping.start("evaluate", expression="document.title")]
    other = Tab(looping.server, looping.web, looping.server.call("tabs").json[1]["id"])

    replies = [
        looping.server.call("tabs"),
        looping.reply("console"),
        looping.reply("requests"),
        other.reply("navigate", url=looping.web.url("/counter.html")),
        other.reply("observe"),
        other.reply("screenshot"),
    ]

    assert not any(reply.result.get("isError") for reply in replies)
    assert stuck.reply().error["code"] == "TAB_HUNG"
    assert queued[0].reply().json["title"].startswith("Endless loop")
    assert queued[1].reply().json["value"].startswith("Endless loop")


def test_a_looping_tab_is_closed_immediately(looping: Tab) -> None:
    stuck = looping.start("observe")

    reply = looping.server.call("tab_close", tab_id=looping.id)

    assert looping.id not in {row["id"] for row in reply.json}
    assert stuck.reply().error["code"] == "TAB_NOT_FOUND"


@pytest.mark.parametrize(
    ("tool", "path"), [("reload", "/loop.html"), ("navigate", "/counter.html")]
)
def test_another_document_ends_the_loop(looping: Tab, tool: str, path: str) -> None:
    url = looping.web.url(path)
    arguments = {"url": url} if tool == "navigate" else {}

    reply = looping.reply(tool, **arguments)

    assert reply.json["url"] == url
    assert looping.js("1 + 1") == 2
    assert "hung" not in looping.row


def test_an_endless_load_does_not_delay_the_next_navigation(tab: Tab) -> None:
    tab.open("/counter.html")
    tab.js("location = '/hang'; 1")
    tab.web.wait_for_request("/hang")

    reply = tab.reply("navigate", url=tab.web.url("/form.html"))

    assert reply.json["title"].startswith("Reading club")
