"""Pages that flood the server: other tabs are not affected, and losses are reported."""

import time
from collections.abc import Generator

import pytest

from tests.whole.answers import notices
from tests.whole.client import Server, open_server
from tests.whole.streams import open_stream
from tests.whole.tabs import Tab, eventually, is_usable, new_tab
from tests.whole.web import Web

pytestmark = [pytest.mark.chromium, pytest.mark.fault]

SOON = 5.0
FLOOD_IS_NOTICED = 3.0


@pytest.fixture(scope="module")
def own_server() -> Generator[Server]:
    with open_server() as server:
        yield server


@pytest.fixture
def tab(own_server: Server, web: Web) -> Generator[Tab]:
    with new_tab(own_server, web) as tab:
        yield tab


def test_a_message_flood_is_reported_and_does_not_slow_other_tabs(tab: Tab) -> None:
    neighbour = tab.beside()
    neighbour.open("/counter.html")
    with open_stream(a_second=4000) as stream:
        tab.open(f"<h1>Streams</h1><script>new WebSocket('{stream}')</script>")
        eventually(lambda: any("streams" in one for one in notices(tab.call("observe"))))
        replies = [neighbour.reply("observe"), tab.reply("observe")]
        answer = tab.open("/form.html")

    assert not any(reply.result.get("isError") for reply in replies)
    assert max(reply.seconds for reply in replies) < SOON
    assert answer["title"].startswith("Reading club")


def test_messages_of_a_flood_are_recorded_in_part_and_the_gap_is_reported(tab: Tab) -> None:
    with open_stream(a_second=10_000) as stream:
        tab.open(f"<h1>Streams</h1><script>new WebSocket('{stream}')</script>")
        eventually(lambda: any("streams" in one for one in notices(tab.call("observe"))))
        [row] = tab.call("requests", resource_type="websocket")["requests"]
        eventually(lambda: "note" in tab.call("requests", id=row["id"], limit=1))
        details = tab.call("requests", id=row["id"], limit=1)
        tab.open("/form.html")

    assert [one["text"] for one in details["messages"]] == ["tick"]
    assert "some were not recorded" in details["note"]


LOGS = "for (let n = 0; n < 500; n += 1) console.log(n)"


@pytest.mark.parametrize(
    "script",
    [f"setInterval(() => {{ {LOGS} }}, 20)", f"setTimeout(() => {{ while (true) {LOGS} }})"],
)
def test_a_console_flood_is_reported_and_does_not_slow_other_tabs(tab: Tab, script: str) -> None:
    neighbour = tab.beside()
    neighbour.open("/counter.html")
    tab.open("<h1>Logs</h1>")

    tab.js(f"{script}; 1")
    eventually(lambda: any("some were not recorded" in line for line in lines(tab)))
    replies = [neighbour.reply("observe", detail="minimal") for _ in range(3)]

    assert [reply.text for reply in replies if reply.result.get("isError")] == []
    assert max(reply.seconds for reply in replies) < SOON
    assert is_usable(tab)


def lines(tab: Tab) -> list[str]:
    answer = tab.call("console", limit=1000)
    return [one["text"] for one in answer["messages"]]


def test_a_console_flood_does_not_hide_an_error(tab: Tab) -> None:
    tab.open("<h1>Logs</h1>")

    tab.js("for (let n = 0; n < 5000; n += 1) console.log(n); console.error('The kettle is empty')")

    eventually(lambda: "The kettle is empty" in lines(tab))


def test_an_exception_flood_is_limited_and_later_exceptions_are_recorded(
    tab: Tab,
) -> None:
    tab.open("<h1>Throws</h1>")

    tab.js("for (let n = 0; n < 2000; n += 1) setTimeout(() => lost.n); 1")
    tab.js("new Promise(resolve => setTimeout(resolve, 1100))")
    tab.js("setTimeout(() => { throw new Error('The kettle is empty') }); 1")

    eventually(lambda: any("The kettle is empty" in line for line in lines(tab)))
    recorded = lines(tab)
    assert sum("lost is not defined" in line for line in recorded) in range(200, 600)
    assert any("some were not recorded" in line for line in recorded)


def test_listeners_of_the_page_receive_every_exception(tab: Tab) -> None:
    tab.open("<h1>Throws</h1>")

    tab.js("self.heard = 0; addEventListener('error', () => { heard += 1 }); 1")
    tab.js("for (let n = 0; n < 1000; n += 1) setTimeout(() => lost.n); 1")

    eventually(lambda: tab.js("heard") == 1000)


def test_a_console_flood_leaves_the_console_object_unchanged(tab: Tab) -> None:
    tab.open("<h1>Logs</h1>")

    tab.js("for (let n = 0; n < 100_000; n += 1) console.debug(n)")

    assert tab.js("String(console.debug)") == "function debug() { [native code] }"
    assert tab.js("[console.log.name, console.log.length, console.log('one')]") == ["log", 0, None]


@pytest.mark.extended
def test_headers_set_during_a_flood_are_sent(tab: Tab) -> None:
    with open_stream(a_second=4000) as stream:
        tab.open(f"<h1>Streams</h1><script>new WebSocket('{stream}')</script>")
        eventually(lambda: any("streams" in one for one in notices(tab.call("observe"))))
        tab.call("set_headers", headers={"X-Of-Mine": "here"})
        seen = tab.js("(await fetch('/echo')).text()")
        tab.call("set_headers", headers={})
        tab.open("/form.html")

    assert "here" in seen


@pytest.mark.parametrize(
    "script",
    [
        "setInterval(() => { for (let n = 0; n < 100; n += 1) fetch('data:,' + n) }, 50)",
        "setInterval(() => { for (let n = 0; n < 2000; n += 1) setTimeout(() => lost.n) }, 10)",
    ],
    ids=["requests", "exceptions"],
)
@pytest.mark.timeout(180)  # on a busy machine, each of the replies may take ten seconds
@pytest.mark.extended
def test_a_flood_of_requests_or_exceptions_does_not_block_other_tabs(tab: Tab, script: str) -> None:
    neighbour = tab.beside()
    neighbour.open("/counter.html")
    tab.open("<h1>Floods</h1>")

    tab.start("evaluate", expression=f"{script}; 1")
    time.sleep(FLOOD_IS_NOTICED)
    replies = [neighbour.reply("observe", detail="minimal") for _ in range(20)]
    opened = tab.server.call("tab_open", url=tab.web.url("/form.html"))

    assert [reply.text for reply in replies if reply.result.get("isError")] == []
    assert not opened.result.get("isError")
    assert is_usable(tab)
