"""Every action returns the changes that it caused, between two snapshots."""

from typing import Any

import pytest

from tests.whole.answers import changes
from tests.whole.cases import case
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


@pytest.mark.smoke
@pytest.mark.req("C-IA-01", "C-PR-35", "C-REND-06")
def test_an_action_returns_the_changes_it_caused(tab: Tab) -> None:
    cases: list[Any] = [
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
    ]

    for tool, ids, arguments, expected in cases:
        with case(tool, ids, arguments, expected):
            tab.open(PAGE)
            named: dict[str, Any] = {name: tab.find(label) for name, label in ids.items()}
            if fields := arguments.get("fields"):
                filled = [
                    {"element_id": tab.find(label), "value": value} for label, value in fields
                ]
                named["fields"] = filled
            before = tab.call("observe", detail="minimal")["snapshot_id"]

            answer = tab.call(tool, **{**arguments, **named})

            delta = answer["delta"]
            assert before <= delta["from_snapshot"] < delta["to_snapshot"] == answer["snapshot_id"]
            assert "interactive" not in answer
            texts = [
                change["to"] for change in changes(answer, property="text", **{"from": "Nothing"})
            ]
            assert texts == ([expected] if expected else [])
