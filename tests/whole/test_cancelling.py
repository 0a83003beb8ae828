"""Cancellation: the work stops and the tab is free immediately."""

import pytest
from starlette.responses import HTMLResponse

from tests.whole.client import Pending
from tests.whole.tabs import Tab, eventually

pytestmark = pytest.mark.chromium


SOON = 1.5


def test_a_cancelled_navigation_frees_its_tab(tab: Tab) -> None:
    tab.open("/counter.html")
    loading = tab.start("navigate", url=tab.web.url("/hang?cancelled"))
    tab.web.wait_for_request("/hang")

    tab.server.cancel(loading)
    reply = tab.reply("observe")

    assert reply.json["title"].startswith("Counter")
    assert reply.seconds < SOON


def test_a_tab_whose_opening_is_cancelled_is_not_listed(tab: Tab) -> None:
    tab.open("/counter.html")
    held = tab.web.hold(HTMLResponse(b""))
    opening = tab.server.start("tab_open", url=tab.web.url(held))
    tab.web.wait_for_request(held)

    tab.server.cancel(opening)

    eventually(lambda: [row["id"] for row in tab.server.call("tabs").json] == [tab.id])
    assert tab.server.call("observe").json["tab_id"] == tab.id


@pytest.mark.parametrize("expression", ["new Promise(() => {})", "while (true);"])
def test_a_cancelled_script_frees_its_tab(tab: Tab, expression: str) -> None:
    tab.open("/counter.html")
    script = f"console.log('begun'); {expression}"
    running = tab.start("evaluate", expression=script, timeout=30_000)
    eventually(lambda: tab.call("console", level="log")["count"] == 1)

    tab.server.cancel(running)
    reply = tab.reply("evaluate", expression="1 + 1")

    assert reply.json["value"] == 2
    assert reply.seconds < 4


def test_a_call_cancelled_in_the_queue_is_never_executed(tab: Tab) -> None:
    tab.open("/counter.html")
    ahead = tab.start("evaluate", expression="new Promise((done) => setTimeout(done, 500, 1))")
    waiting = tab.start("evaluate", expression="globalThis.touched = true")

    tab.server.cancel(waiting)

    assert ahead.reply().json["value"] == 1
    assert tab.js("typeof touched") == "undefined"


def test_cancelled_typing_stops(tab: Tab) -> None:
    tab.open('<input aria-label="Field" oninput="console.log(this.value)">')
    typing = tab.start("type", element_id=tab.find("Field"), text="x" * 1000, slowly=True)
    eventually(lambda: tab.call("console", level="log")["count"] > 3)

    tab.server.cancel(typing)
    length = tab.js("document.querySelector('input').value.length")

    assert length < 1000
    assert tab.js("document.querySelector('input').value.length") == length


def test_keys_already_sent_are_processed_before_the_next_call(tab: Tab) -> None:
    tab.open("""<input aria-label=Field><script>addEventListener('keydown', () => {
      console.log('key'); const until = performance.now() + 10;
      while (performance.now() < until); })</script>""")
    field = tab.find("Field")
    typing = tab.start("type", element_id=field, text="x" * 30)
    eventually(lambda: tab.call("console", level="log")["count"] > 0)

    tab.server.cancel(typing)

    assert len(tab.js("document.querySelector('input').value")) == 30


def test_cancelling_some_calls_does_not_affect_the_others(tab: Tab) -> None:
    calls = [tab.start("evaluate", expression=str(n)) for n in range(10)]
    for call in calls[::2]:
        tab.server.cancel(call)

    assert [call.reply().json["value"] for call in calls[1::2]] == [1, 3, 5, 7, 9]
    assert tab.js("'alive'") == "alive"


def test_a_cancellation_of_an_unknown_request_is_ignored(tab: Tab) -> None:
    done = tab.start("evaluate", expression="1")
    done.reply()

    tab.server.cancel(done)
    tab.server.cancel(Pending(tab.server, 10**9, 0.0))

    assert tab.js("1") == 1
