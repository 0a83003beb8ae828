"""One short test for each group of tools: the only browser tests of `make check`."""

from pathlib import Path

import pytest

from tests.whole.answers import (
    changes,
    elements,
    headings,
    labels,
    messages,
    new_texts,
    page_texts,
    property_changes,
)
from tests.whole.images import image_of, size_of
from tests.whole.tabs import Tab

pytestmark = [pytest.mark.chromium, pytest.mark.smoke]

ORDER = """<h1>Shop</h1><main><form aria-label=Order onsubmit="return false">
  <label>Name<input></label><label>Notes<textarea></textarea></label>
  <label><input type=checkbox>Gift</label>
  <label>Size<select><option>Small<option>Large</select></label>
  <button onclick="document.querySelector('p').textContent = 'Sent'">Send</button>
</form></main><p>Not sent</p>"""


@pytest.fixture
def order(tab: Tab) -> Tab:
    """A tab that shows an order form."""
    tab.open(ORDER)
    return tab


def test_navigate_returns_the_page(tab: Tab) -> None:
    answer = tab.open(ORDER)

    assert answer["status"] == 200
    assert headings(answer) == ["Shop"]
    assert labels(answer) == ["Name", "Notes", "Gift", "Size", "Send"]
    assert page_texts(answer) == ["Not sent"]


def test_back_forward_and_reload_return_their_page(order: Tab) -> None:
    order.open("<h1>Second</h1>")

    pages = [order.call(tool) for tool in ("back", "forward", "reload")]

    assert [headings(page) for page in pages] == [["Shop"], ["Second"], ["Second"]]


def test_a_failed_navigation_is_an_error(tab: Tab) -> None:
    assert tab.refused("navigate", url="http://127.0.0.1:1")["code"] == "NAVIGATION_FAILED"


def test_observe_returns_forms_with_their_fields(order: Tab) -> None:
    answer = order.call("observe", detail="full")

    [form] = answer["forms"]
    assert form["fields"] == [row["id"] for row in elements(answer)[:4]]
    assert form["submit"] == elements(answer, label="Send")[0]["id"]


def test_find_filters_by_type(order: Tab) -> None:
    assert labels(order.call("find", type="checkbox")) == ["Gift"]


def test_observe_returns_lines_in_a_text_mode(order: Tab) -> None:
    first = order.reply("observe", mode="interactive").text.split("\n")[0]

    assert first.startswith(f"PAGE: {order.row['url']} | Written | viewport=1280x720")


def test_diff_returns_the_changes_since_a_snapshot(order: Tab) -> None:
    snapshot = order.call("observe")["snapshot_id"]
    order.click("Send")

    answer = order.call("diff", snapshot_id=snapshot)

    assert "Sent" in new_texts(answer)


def test_a_screenshot_is_as_large_as_the_viewport(order: Tab) -> None:
    kind, data = image_of(order.reply("screenshot"))

    assert kind == "image/png"
    assert size_of(data) == ("png", 1280, 720)


def test_a_click_returns_its_changes(order: Tab) -> None:
    answer = order.click("Send")

    assert changes(answer, type="changed", property="text") == [
        {"type": "changed", "property": "text", "from": "Not sent", "to": "Sent"}
    ]


def test_a_click_on_a_disabled_button_is_an_error(tab: Tab) -> None:
    tab.open("<button disabled>Send</button>")

    error = tab.refused("click", element_id=tab.find("Send"))

    assert error["code"] == "ELEMENT_NOT_INTERACTIVE"


def test_an_unknown_element_is_an_error(order: Tab) -> None:
    error = order.refused("click", element_id="btn-ffff")

    assert error["code"] == "ELEMENT_NOT_FOUND"


def test_fields_take_their_values(order: Tab) -> None:
    typed = order.type("Name", "Ada")
    chosen = order.call("select", element_id=order.find("Size"), value="Large")
    ticked = order.call("toggle", element_id=order.find("Gift"))

    assert property_changes(typed, "value") == [(None, "Ada")]
    assert property_changes(chosen, "value") == [("Small", "Large")]
    assert property_changes(ticked, "state.checked") == [(False, True)]


def test_fill_form_fills_all_fields_at_once(order: Tab) -> None:
    values = {"Name": "Ada", "Notes": "None", "Size": "Large"}
    fields = [{"element_id": order.find(name), "value": value} for name, value in values.items()]

    order.call("fill_form", fields=fields)

    rows = elements(order.call("observe"))
    assert {row["label"]: row["value"] for row in rows if "value" in row} == values


def test_a_key_reaches_the_focused_field(order: Tab) -> None:
    answer = order.call("key", key="x", element_id=order.find("Name"))

    assert property_changes(answer, "value") == [(None, "x")]


def test_scroll_moves_the_page(tab: Tab) -> None:
    tab.open("<div style='height: 5000px'>Long</div>")

    tab.call("scroll", direction="down", amount="200")

    assert tab.js("scrollY") == 200


def test_wait_for_returns_the_awaited_change(order: Tab) -> None:
    order.js("setTimeout(() => document.querySelector('p').textContent = 'Late', 1500); 0")

    assert "Late" in new_texts(order.call("wait_for", text="Late"))


def test_a_dialog_is_answered(tab: Tab) -> None:
    tab.open("""<button onclick="p.textContent = prompt('Who?')">Ask</button><p id=p></p>""")
    asked = tab.click("Ask")

    answered = tab.call("dialog", accept=True, prompt_text="Ada")

    assert asked["pending_dialog"]["message"] == "Who?"
    assert answered["dialog_handled"]["action"] == "accepted"
    assert "Ada" in new_texts(answered["page"])


def test_evaluate_returns_value_and_type(order: Tab) -> None:
    answer = order.call("evaluate", expression="document.title")

    assert (answer["value"], answer["type"]) == ("Written", "string")


def test_console_and_requests_are_recorded(tab: Tab) -> None:
    tab.open("<script>console.warn('careful'); fetch('/missing')</script>")
    tab.call("wait_for", js="performance.getEntriesByName(location.origin + '/missing').length")

    assert messages(tab.call("console", level="warn")) == ["careful"]
    [request] = tab.call("requests", url_pattern="/missing")["requests"]
    assert (request["method"], request["status"]) == ("GET", 404)


def test_tabs_are_opened_and_closed(order: Tab) -> None:
    other = order.beside()

    assert [row["active"] for row in order.server.call("tabs").json] == [False, True]
    order.server.call("tab_close", tab_id=other.id)
    assert order.row["active"] is True


def test_session_tools_change_the_tab(order: Tab) -> None:
    order.call("viewport", width=800, height=600)
    order.call("set_cookies", cookies=[{"name": "a", "value": "b", "domain": "127.0.0.1"}])

    [cookie] = order.call("get_cookies")["cookies"]

    assert (cookie["name"], cookie["value"]) == ("a", "b")
    assert order.js("innerWidth") == 800
    order.call("viewport", device="desktop")


def test_dev_tools_serve_inject_and_audit(tab: Tab, shots: Path) -> None:
    site = shots / "smoke"
    site.mkdir(parents=True)
    (site / "index.html").write_text("<html lang=en><title>Site</title><img src=x.png>")
    served = tab.call("dev_serve", path=str(site), watch=False)

    injected = tab.call("dev_inject", js="document.body.append('Injected')")
    audited = tab.call("dev_audit", checks=["a11y"])

    assert served["page"]["title"] == "Site"
    assert "Injected" in new_texts(injected)
    assert "a11y" in {finding["category"] for finding in audited["findings"]}
    tab.server.call("dev_serve", path=str(site), stop=True)


def test_a_batch_runs_its_calls_in_order(order: Tab) -> None:
    calls = {
        "type": {"element_id": order.find("Name"), "text": "Ada"},
        "click": {"element_id": order.find("Send")},
    }
    steps = [
        {"tool": tool, "arguments": {"tab_id": order.id, **given}} for tool, given in calls.items()
    ]

    typed, clicked = order.server.call("batch", steps=steps).json["results"]

    assert property_changes(typed["result"], "value") == [(None, "Ada")]
    assert "Sent" in new_texts(clicked["result"])
