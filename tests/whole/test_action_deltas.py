"""Every action returns the changes that it caused, between two snapshots."""

from typing import Any

import pytest

from tests.whole.answers import changes
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

PAGE = """<p id=said>Nothing</p><script>const say = (what) => { said.textContent = what }</script>
<button onclick="say('clicked')" onmouseover="say('hovered')">Button</button>
<input aria-label=Name oninput="say('typed')" onkeydown="say('pressed')">
<select aria-label=Size onchange="say('chosen')"><option>Small<option>Large</select>
<label><input type=checkbox onchange="say('toggled')">Agree</label>
<p id=from tabindex=0>From</p><p id=to tabindex=0 onmouseup="say('dragged')">Goal</p>
<form aria-label=Join onsubmit="say('sent'); return false"><input aria-label=Mail></form>
<div style="height: 3000px"></div><script>onscroll = () => say('scrolled')</script>"""


@pytest.mark.req("C-IA-01", "C-PR-35", "C-REND-06")
@pytest.mark.parametrize(
    ("tool", "ids", "arguments", "expected"),
    [
        ("click", {"element_id": "Button"}, {}, "clicked"),
        ("type", {"element_id": "Name"}, {"text": "A"}, "typed"),
        ("select", {"element_id": "Size"}, {"value": "Large"}, "chosen"),
        ("toggle", {"element_id": "Agree"}, {}, "toggled"),
        ("submit", {"form_id": "Mail"}, {}, "sent"),
        ("scroll", {}, {"direction": "down"}, "scrolled"),
        ("hover", {"element_id": "Button"}, {}, "hovered"),
        ("drag", {"source_id": "From", "target_id": "Goal"}, {}, "dragged"),
        ("key", {"element_id": "Name"}, {"key": "Home"}, "pressed"),
        ("click_at", {}, {"x": 1, "y": 1}, None),
        ("fill_form", {}, {"fields": [("Name", "Ada")]}, "typed"),
        ("wait_for", {}, {"js": "say('waited') ?? true"}, "waited"),
    ],
)
def test_an_action_returns_the_changes_it_caused(
    tab: Tab, tool: str, ids: dict[str, str], arguments: dict[str, Any], expected: str | None
) -> None:
    tab.open(PAGE)
    named = {name: tab.find(label) for name, label in ids.items()}
    if fields := arguments.get("fields"):
        filled = [{"element_id": tab.find(label), "value": value} for label, value in fields]
        arguments = {"fields": filled}
    before = tab.call("observe", detail="minimal")["snapshot_id"]

    answer = tab.call(tool, **named, **arguments)

    delta = answer["delta"]
    assert before <= delta["from_snapshot"] < delta["to_snapshot"] == answer["snapshot_id"]
    assert "interactive" not in answer
    texts = [change["to"] for change in changes(answer, property="text", **{"from": "Nothing"})]
    assert texts == ([expected] if expected else [])


ROWS = "<tr><td>{} <button>Buy</button><td>{}"


@pytest.mark.req("C-SDIFF-06")
def test_a_replaced_list_is_not_reported_as_renamed_items(tab: Tab) -> None:
    was, new = (
        "".join(ROWS.format(name, price) for name, price in rows)
        for rows in ([("Tea", 4.5), ("Salt", 3.2)], [("Bread", 2.9), ("Cake", 5.5)])
    )
    tab.open(f"""<table id=t>{was}</table><button onclick="t.innerHTML = '{new}'">More</button>""")

    changed = changes(tab.click("More"), property="text")

    assert not any("from" in change and "to" in change for change in changed)
    texts = [change.get("from") or change["to"] for change in changed]
    assert texts == ["Tea Buy", "4.5", "Salt Buy", "3.2", "Bread Buy", "2.9", "Cake Buy", "5.5"]


@pytest.mark.parametrize(
    ("shown", "then", "texts"),
    [
        ("<h2>Tent</h2><p>3</p>", "<li>Tent</li><li>3</li><li>504 €</li>", {"Tent", "504 €"}),
        ("<p>Tent</p><p>3</p>", "<h2>Tent</h2><p>3</p><p>504 €</p>", {"504 €"}),
        ("<h2>Tent</h2><p>Tent</p>", "<p>Tent</p>", set[str]()),
    ],
)
def test_a_new_text_line_is_reported_even_if_a_heading_had_its_text(
    tab: Tab, shown: str, then: str, texts: set[str]
) -> None:
    tab.open(f"""<div id=d>{shown}</div><button onclick="d.innerHTML = '{then}'">Add</button>""")

    came = changes(tab.click("Add"), property="text")

    assert {change["to"] for change in came if "to" in change} == texts


def test_a_label_below_a_replaced_row_is_not_reported_as_new_text(tab: Tab) -> None:
    tab.open("""<table><tbody><tr><td><a href="#3">Home</a></td><td>x</td></tr></tbody></table>
      <button onclick="document.querySelector('tbody').innerHTML =
        '<tr><td><a href=#10>Fair</a><td><a href=#11>Home</a>'">Search</button>""")

    changes = tab.click("Search")["delta"]["changes"]

    texts = [each for each in changes if each.get("property") == "text"]
    assert texts == [{"type": "changed", "property": "text", "from": "x"}]
