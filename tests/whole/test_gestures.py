"""Gestures by place: drags between points, press and hold, held keys, the wheel."""

from typing import Any

import pytest

from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

CANVAS = """<style>* { margin: 0 }</style><canvas id=c width=600 height=400></canvas><script>
  globalThis.strokes = [];
  c.onpointerdown = (e) => { c.setPointerCapture(e.pointerId); strokes.push([]) };
  c.onpointermove = (e) => { if (e.buttons) strokes.at(-1).push([e.clientX, e.clientY]) };
</script>"""
"""Records the points that each drag passes."""

SPLIT = """<style>* { margin: 0 } body { display: flex } div { height: 200px }</style>
<div id=left style="width: 300px">Left</div>
<div id=gutter role=separator tabindex=0 aria-label=Gutter style="width: 10px"></div>
<div id=right style="flex: 1" role=button>Right</div><script>
  gutter.onmousedown = () => {
    for (const pane of [left, right]) pane.style.pointerEvents = 'none';
    onmousemove = (e) => { left.style.width = `${e.clientX - 5}px` };
    onmouseup = () => {
      onmousemove = onmouseup = null;
      for (const pane of [left, right]) pane.style.pointerEvents = '';
    };
  };
</script>"""
"""The panes let the mouse through while the gutter is dragged."""

MAP = """<style>* { margin: 0 }</style><div id=m role=application aria-label=Map tabindex=0
  style="width: 500px; height: 300px"></div><script>
  globalThis.moved = [0, 0];
  globalThis.speed = null;
  let at = null;
  let passed = [];
  m.onmousedown = (e) => { at = [e.clientX, e.clientY] };
  onmousemove = (e) => {
    if (at === null) return;
    moved = [moved[0] + e.clientX - at[0], moved[1] + e.clientY - at[1]];
    at = [e.clientX, e.clientY];
    passed.push([performance.now(), ...at]);
  };
  onmouseup = () => {
    const recent = passed.filter(([time]) => time > performance.now() - 50);
    const [first, last] = [recent[0] ?? [0, 0, 0], recent.at(-1) ?? [0, 0, 0]];
    speed = Math.hypot(last[1] - first[1], last[2] - first[2]);
    at = null;
  };
</script>"""
"""A map with inertia: `speed` is the distance in the last 50 ms before the release."""

CARD = """<style>* {{ margin: 0 }} #card {{ height: 40px }}</style>
<div id=card draggable=true>Card</div>
<div id=bin style="height: 200px"></div><script>
  card.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'the card');
  bin.ondragover = (event) => event.preventDefault();
  bin.ondrop = (event) => {{
    event.preventDefault();
    const text = event.dataTransfer.getData('text');
    bin.textContent = `${{text}} at ${{event.clientX}}, ${{event.clientY}}`;
  }};
</script>"""


def test_a_drag_between_points_draws_lines_over_the_points_on_its_way(tab: Tab) -> None:
    tab.open(CANVAS)

    tab.call("drag", x=100, y=50, to_x=300, to_y=150, via=[{"x": 200, "y": 50}])

    [stroke] = tab.js("strokes")
    assert stroke[-1] == [300, 150]
    assert len(stroke) >= 5
    assert all(abs((y - 50) - max(0, x - 200)) <= 1 for x, y in stroke)  # straight from the start


def test_a_drag_by_a_distance_starts_in_the_middle_of_an_element(tab: Tab) -> None:
    tab.open(CANVAS.replace("<canvas", "<canvas role=application tabindex=0 aria-label=Board"))

    tab.call("drag", source_id=tab.find("Board"), by={"x": 40, "y": -30})

    [stroke] = tab.js("strokes")
    assert stroke[-1] == [340, 170]


def test_a_drag_moves_a_splitter_whose_panes_let_the_mouse_through(tab: Tab) -> None:
    cases: list[Any] = [{"by": {"x": -120}}, {"to_x": 185, "to_y": 100}]
    for end in cases:
        with case(end):
            tab.open(SPLIT)
            tab.call("drag", source_id=tab.find("Gutter"), **end)
            assert tab.js("left.offsetWidth") == 180


SHAPE = """<button id=box onmousedown="return false" style="position: absolute; left: 40px;
  top: 60px; width: 100px; height: 50px">Shape</button><script>
  let from = null;
  addEventListener('mousedown', ({ clientX, clientY }) => { from = [clientX, clientY]; });
  addEventListener('mouseup', ({ clientX, clientY, shiftKey }) => {
    const [x, y] = [clientX - from[0], clientY - from[1]];
    if (shiftKey) box.style.width = `${100 + x}px`;
    else [box.style.left, box.style.top] = [`${40 + x}px`, `${60 + y}px`];
  });</script>"""


def test_a_drag_without_other_changes_returns_the_distance_once(tab: Tab) -> None:
    for selector in ["#box", "#box b"]:
        with case(selector):
            tab.open(SHAPE.replace("Shape", "<b>Shape</b>"))
            [found] = tab.call("find", selector=selector)
            shape = found.get("element") or found["id"]
            text = tab.reply("drag", source_id=shape, by={"x": 30, "y": -20}, answers="text").text
            assert text.count("moved by 30, -20 px") == 1


def test_a_dragged_map_does_not_move_on_by_inertia(tab: Tab) -> None:
    tab.open(MAP)

    tab.call("drag", source_id=tab.find("Map"), by={"x": 120, "y": 60})

    assert tab.js("moved") == [120, 60]
    assert tab.js("speed") == 0


def test_an_html5_drag_is_dropped_at_a_point(tab: Tab) -> None:
    tab.open(CARD.format())

    tab.call("drag", x=20, y=20, to_x=130, to_y=150)

    assert tab.js("bin.textContent") == "the card at 130, 150"


def test_a_drag_beyond_the_viewport_is_refused_before_the_press(tab: Tab) -> None:
    tab.open(SPLIT)

    error = tab.refused("drag", source_id=tab.find("Gutter"), by={"x": -5000})

    assert error["code"] == "INVALID_COORDINATES"
    assert tab.js("left.style.pointerEvents") == ""


def test_an_error_after_the_press_says_that_the_page_may_have_changed(tab: Tab) -> None:
    tab.open(SPLIT)
    tab.js("gutter.addEventListener('mousedown', () => { right.style.display = 'none' }); 1")

    error = tab.refused("drag", source_id=tab.find("Gutter"), target_id=tab.find("Right"))

    assert "the page may have changed" in error["message"]
    assert tab.js("onmousemove === null")  # the button was released


def test_hover_at_a_point_moves_the_mouse_without_pressing(tab: Tab) -> None:
    tab.open(CANVAS)
    tab.js("c.onpointermove = (e) => { globalThis.seen = [e.clientX, e.clientY, e.buttons] }")

    tab.call("hover", x=120, y=80)

    assert tab.js("seen") == [120, 80, 0]


HOLD = """<button id=b style="width: 100px; height: 40px">Delete</button><script>
  let since = 0;
  b.onpointerdown = () => { since = performance.now() };
  b.onpointerup = () => { globalThis.held = performance.now() - since };
</script>"""


def test_a_click_holds_the_button_down_on_an_element(tab: Tab) -> None:
    tab.open(HOLD)

    tab.call("click", element_id=tab.find("Delete"), hold=300)

    assert tab.js("held") >= 290


def test_a_key_that_is_held_repeats(tab: Tab) -> None:
    tab.open("<script>globalThis.log = []; onkeydown = (e) => log.push(e.repeat);"
             "onkeyup = () => log.push('up')</script>")  # fmt: skip

    tab.call("key", key="ArrowRight", hold=700)

    first, *repeated, last = tab.js("log")
    assert first is False
    assert last == "up"
    assert len(repeated) >= 2
    assert set(repeated) == {True}


def test_the_button_stays_down_between_calls_while_the_mouse_draws(tab: Tab) -> None:
    tab.open(CANVAS)

    tab.call("click_at", x=50, y=50, press="down")
    tab.call("hover", x=250, y=50)
    tab.call("hover", x=250, y=200)
    tab.call("click_at", x=100, y=200, press="up")
    tab.call("hover", x=10, y=10)

    [stroke] = tab.js("strokes")
    assert stroke[-1] == [100, 200]
    assert [250, 50] in stroke
    assert [250, 200] in stroke
