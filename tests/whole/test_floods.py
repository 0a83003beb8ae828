"""Pages that flood the server: other tabs are not affected, and losses are reported."""

import pytest

from tests.whole.answers import notices
from tests.whole.streams import open_stream
from tests.whole.tabs import Tab, eventually, is_usable

pytestmark = [pytest.mark.chromium, pytest.mark.fault]


@pytest.fixture
def tab(own_tab: Tab) -> Tab:
    return own_tab


def is_observable(tab: Tab) -> bool:
    """Return whether the tab answers; on a busy machine, a browser in a flood may answer late."""
    return not tab.reply("observe", detail="minimal").result.get("isError")


def has_notice(tab: Tab, words: str) -> bool:
    reply = tab.reply("observe")
    return not reply.result.get("isError") and any(words in one for one in notices(reply.json))


def test_a_message_flood_is_reported_and_does_not_slow_other_tabs(tab: Tab) -> None:
    neighbour = tab.beside()
    neighbour.open("/counter.html")
    with open_stream(a_second=4000) as stream:
        tab.open(f"<h1>Streams</h1><script>new WebSocket('{stream}')</script>")
        eventually(lambda: has_notice(tab, "streams"))
        eventually(lambda: is_observable(neighbour) and is_observable(tab))
        answer = tab.open("/form.html")

    assert answer["title"].startswith("Reading club")


def test_messages_of_a_flood_are_recorded_in_part_and_the_gap_is_reported(tab: Tab) -> None:
    with open_stream(a_second=10_000) as stream:
        tab.open(f"<h1>Streams</h1><script>new WebSocket('{stream}')</script>")
        eventually(lambda: has_notice(tab, "streams"))
        [row] = tab.call("requests", resource_type="websocket")["requests"]
        last = {"id": row["id"], "limit": 1}
        eventually(lambda: "some were not recorded" in tab.reply("requests", **last).text)
        eventually(lambda: '"text":"tick"' in tab.reply("requests", **last).text)


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

    eventually(lambda: is_observable(neighbour))
    assert is_usable(tab)


def lines(tab: Tab) -> list[str]:
    answer = tab.call("console", limit=1000)
    return [one["text"] for one in answer["messages"]]


def test_an_exception_flood_is_limited_and_later_exceptions_are_recorded(tab: Tab) -> None:
    tab.open("<h1>Throws</h1>")

    tab.js("for (let n = 0; n < 2000; n += 1) setTimeout(() => lost.n); 1")
    tab.js("new Promise(resolve => setTimeout(resolve, 1100))")
    tab.js("setTimeout(() => { throw new Error('The kettle is empty') }); 1")

    eventually(lambda: any("The kettle is empty" in line for line in lines(tab)))
    recorded = lines(tab)
    assert sum("lost is not defined" in line for line in recorded) in range(200, 600)
    assert any("some were not recorded" in line for line in recorded)
