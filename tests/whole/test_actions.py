"""Behaviour of every action: its delta, its end, its completion before the answer."""

from typing import Any

import pytest
from starlette.responses import HTMLResponse

from tests.whole.answers import changes, mentions
from tests.whole.cases import case
from tests.whole.tabs import Tab, eventually

pytestmark = pytest.mark.chromium

SLOW = """<label>One<input></label><label>Two<input></label><script>
  addEventListener('keydown', () => {
    const until = performance.now() + 30; while (performance.now() < until);
  });</script>"""


def test_fill_form_completes_a_field_before_the_next_on_a_slow_page(tab: Tab) -> None:
    tab.open(SLOW)
    one, two = tab.find("One"), tab.find("Two")
    texts = ["first" * 8, "second" * 4]

    tab.call("fill_form", fields=[{"element_id": one, "value": texts[0]},
                                  {"element_id": two, "value": texts[1]}])  # fmt: skip

    assert tab.js("[...document.querySelectorAll('input')].map((i) => i.value)") == texts


def test_typing_into_a_field_disabled_midway_does_not_report_the_full_text(tab: Tab) -> None:
    tab.open("""<label>Code<input oninput="if (value.length === 20) disabled = true"></label>
      <label>Other<input></label>""")

    answer = tab.call("type", element_id=tab.find("Code"), text="x" * 30, slowly=True)

    assert tab.js("[...document.querySelectorAll('input')].map((i) => i.value)") == ["x" * 20, ""]
    assert tab.element("Code")["value"] == "x" * 20
    assert not mentions(answer["delta"], "x" * 30)
    assert f'shows "{"x" * 20}", not "{"x" * 30}"' in answer["note"]


def test_a_cancelled_drag_releases_the_mouse_button(tab: Tab) -> None:
    tab.open("""<div role=button tabindex=0>Knob</div><h2 style="margin-top: 400px">Goal</h2>
      <script>
      var heard = [];
      for (const type of ['mousedown', 'mouseup']) addEventListener(type, () => heard.push(type));
      addEventListener('mousemove', ({ buttons }) => {
        if (buttons === 0) return;
        console.log('moved');
        const until = performance.now() + 200; while (performance.now() < until);
      });</script>""")
    goal = tab.call("observe")["structure"]["headings"][0]["id"]
    dragging = tab.start("drag", source_id=tab.find("Knob"), target_id=goal)
    eventually(lambda: tab.call("console", level="log")["count"] > 0)

    tab.server.cancel(dragging)

    eventually(lambda: tab.js("heard") == ["mousedown", "mouseup"])


def test_a_cancelled_key_call_releases_its_modifiers(tab: Tab) -> None:
    tab.open("""<input aria-label=Field><script>
      addEventListener('keydown', ({ key }) => console.log(key))</script>""")
    field = tab.find("Field")
    keys = tab.start("key", element_id=field, keys=["a", "b"], modifiers=["shift"], delay=5000)
    eventually(lambda: tab.call("console", level="log")["count"] > 1)

    tab.server.cancel(keys)
    tab.call("key", element_id=field, key="z")

    assert tab.js("document.querySelector('input').value")[-1] == "z"


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


def test_a_cancelled_navigation_frees_its_tab(tab: Tab) -> None:
    tab.open("/counter.html")
    loading = tab.start("navigate", url=tab.web.url("/hang?cancelled"))
    tab.web.wait_for_request("/hang")

    tab.server.cancel(loading)
    reply = tab.reply("observe")

    assert reply.json["title"].startswith("Counter")


def test_a_tab_whose_opening_is_cancelled_is_not_listed(tab: Tab) -> None:
    tab.open("/counter.html")
    held = tab.web.hold(HTMLResponse(b""))
    opening = tab.server.start("tab_open", url=tab.web.url(held))
    tab.web.wait_for_request(held)

    tab.server.cancel(opening)

    eventually(lambda: [row["id"] for row in tab.server.call("tabs").json] == [tab.id])
    assert tab.server.call("observe").json["tab_id"] == tab.id


def test_a_cancelled_script_frees_its_tab(tab: Tab) -> None:
    for expression in ["new Promise(() => {})", "while (true);"]:
        with case(expression):
            tab.open("/counter.html")
            script = f"console.log('begun'); {expression}"
            running = tab.start("evaluate", expression=script, timeout=30_000)
            eventually(lambda: tab.call("console", level="log")["count"] == 1)
            tab.server.cancel(running)
            reply = tab.reply("evaluate", expression="1 + 1")
            assert reply.json["value"] == 2


def test_cancelled_typing_stops(tab: Tab) -> None:
    tab.open('<input aria-label="Field" oninput="console.log(this.value)">')
    typing = tab.start("type", element_id=tab.find("Field"), text="x" * 1000, slowly=True)
    eventually(lambda: tab.call("console", level="log")["count"] > 3)

    tab.server.cancel(typing)
    length = tab.js("document.querySelector('input').value.length")

    assert length < 1000
    assert tab.js("document.querySelector('input').value.length") == length
