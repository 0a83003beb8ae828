"""batch: several calls in one answer."""

import json
from typing import Any

import pytest
from starlette.responses import HTMLResponse

from tests.whole.answers import mentions, messages, new_texts
from tests.whole.client import Reply
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

PAGE = "<button onclick=\"p.textContent = 'pressed'\">Press</button><p id=p>idle</p>"


def batch(tab: Tab, *steps: tuple[str, dict[str, Any]], **arguments: Any) -> Reply:
    calls = [{"tool": tool, "arguments": {"tab_id": tab.id, **given}} for tool, given in steps]
    return tab.server.call("batch", steps=calls, **arguments)


@pytest.mark.smoke
def test_batch_runs_steps_in_order_and_returns_each_result(tab: Tab) -> None:
    tab.open(PAGE)

    reply = batch(
        tab,
        ("click", {"element_id": tab.find("Press")}),
        ("charlotte_evaluate", {"expression": "p.textContent"}),
        ("find", {"text": "press"}),
    )

    clicked, evaluated, found = reply.json["results"]
    assert clicked["tool"] == "click"
    assert "pressed" in new_texts(clicked["result"])
    assert evaluated["result"]["value"] == "pressed"
    button, text = found["result"]
    assert (button["label"], text["type"], text["text"]) == ("Press", "text", "pressed")


def test_batch_skips_steps_after_an_error_unless_asked_to_continue(tab: Tab) -> None:
    tab.open(PAGE)
    steps = (
        ("evaluate", {"expression": "1"}),
        ("click", {"element_id": "btn-0000"}),
        ("evaluate", {"expression": "2"}),
    )

    stopped = batch(tab, *steps)
    went_on = batch(tab, *steps, stop_on_error=False)

    assert stopped.result["isError"]
    _, refused, skipped = json.loads(stopped.text)["results"]
    assert refused["error"]["code"] == "ELEMENT_NOT_FOUND"
    assert skipped["skipped"] is True
    assert json.loads(went_on.text)["results"][2]["result"]["value"] == 2


def test_parallel_batch_steps_on_different_tabs_overlap(tab: Tab) -> None:
    tabs = [tab, tab.beside()]
    paths = [tab.web.hold(HTMLResponse(b"<title>Held</title>")) for _ in tabs]
    steps = [
        {"tool": "navigate", "arguments": {"tab_id": one.id, "url": tab.web.url(path)}}
        for one, path in zip(tabs, paths, strict=True)
    ]

    pending = tab.server.start("batch", steps=steps, parallel=True)
    for path in paths:  # both are asked for before either is answered
        tab.web.wait_for_request(path)
    for path in paths:
        tab.web.release(path)

    assert [row["result"]["title"] for row in pending.reply().json["results"]] == ["Held", "Held"]


def test_the_next_answer_reports_events_of_a_cancelled_batch(tab: Tab) -> None:
    tab.open("<button onclick=\"console.error('broken')\">Break</button>")
    button = tab.find("Break")
    click = {"tool": "click", "arguments": {"tab_id": tab.id, "element_id": button}}
    wait = {"expression": "fetch('/hang').then(() => 1)", "tab_id": tab.id}
    pending = tab.server.start("batch", steps=[click, {"tool": "evaluate", "arguments": wait}])
    tab.web.wait_for_request("/hang")
    tab.server.cancel(pending)

    answer = tab.call("hover", element_id=button)
    repeated = tab.call("hover", element_id=button)

    assert messages(answer) == ["broken"]
    assert not mentions(repeated, "broken")
