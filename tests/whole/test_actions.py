"""Behaviour of every action: its delta, its end, its completion before the answer."""

import pytest

from tests.whole.answers import mentions
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
