"""click_at, hover and drag: coordinates, elements and targets."""

import pytest

from tests.whole.answers import changes
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

MENU = """<style>ul { display: none } nav:hover ul { display: block }</style>
<nav><button>Products</button><ul><li><a href="#a">Lamps</a></ul></nav>"""

POINTER = """<div id="knob" role="button" tabindex="0" style="width:40px">Knob</div>
<h2 style="margin-top:300px">Goal</h2><script>
  globalThis.log = [];
  const force = new Set();
  knob.onpointerdown = (e) => { force.add(e.pressure); knob.setPointerCapture(e.pointerId); };
  knob.onpointermove = (e) => {
    if (e.buttons) log.push(Math.round(e.clientY)) && force.add(e.pressure);
  };
  knob.onpointerup = ({ clientX, clientY }) => {
    document.title = document.elementFromPoint(clientX, clientY).tagName;
  };
</script>"""

GUTTER = """<body style="margin:0"><div style="height:40px">1</div><div style="height:40px"
  onmousedown="began = true">2</div><p id="p"></p><script>
  let began = false;
  document.addEventListener('mouseup', (e) => {
    if (began) p.textContent = `comment on line ${e.target.textContent}`;
  });
</script>"""


@pytest.mark.req("P-10", "P-11", "P-13")
def test_a_drag_that_starts_and_ends_at_one_point_takes_one_call(tab: Tab) -> None:
    tab.open(GUTTER)

    answer = tab.call("click_at", x=38, y=60)

    assert changes(answer, property="text", to="comment on line 2")


@pytest.mark.req("C-HOV-01", "C-REND-06")
def test_hover_reports_elements_that_appear_under_the_mouse(tab: Tab) -> None:
    tab.open(MENU)

    answer = tab.call("hover", element_id=tab.find("Products"))

    [added] = changes(answer, type="added", element=tab.find("Lamps"))
    assert added["to"]["label"] == "Lamps"


@pytest.mark.req("C-DRG-01", "C-DRG-02")
def test_a_pointer_drag_moves_in_steps_and_ends_on_its_target(tab: Tab) -> None:
    tab.open(POINTER)

    tab.call("drag", source_id=tab.find("Knob"), target_id=heading(tab, "Goal"))

    assert tab.js("document.title") == "H2"
    way = tab.js("log")
    assert len(way) >= 4
    assert way == sorted(way)
    assert tab.js("[...force]") == [0.5], "of a pointer that measures none"


def landmark(tab: Tab, label: str) -> str:
    structure = tab.call("observe", detail="minimal")["structure"]
    return str(next(one["id"] for one in structure["landmarks"] if one["label"] == label))


def heading(tab: Tab, text: str) -> str:
    structure = tab.call("observe", detail="minimal")["structure"]
    return str(next(one["id"] for one in structure["headings"] if one["text"] == text))


def test_a_drag_that_the_page_did_not_start_is_reported(tab: Tab) -> None:
    tab.open("""<div draggable=true role=button tabindex=0 ondragstart="return false">Card</div>
      <section aria-label=Bin style="height: 120px"></section>""")

    answer = tab.call("drag", source_id=tab.find("Card"), target_id=landmark(tab, "Bin"))

    assert answer["note"].endswith("only the mouse moved.")


def test_a_click_moves_the_mouse_to_an_element_that_is_clickable_only_while_hovered(
    tab: Tab,
) -> None:
    tab.open("""<style>button { opacity: 0; pointer-events: none }
      p:hover button { opacity: 1; pointer-events: auto }</style>
      <p>Tea <button onclick="document.title = 'seen'">Quick view</button></p>""")

    tab.click("Quick view")

    assert tab.js("document.title") == "seen"


PLAYER = """<body style="margin: 0"><div id=player style="position: relative; width: 400px">
  <video width=400 height=200></video><div id=bar
  style="position: absolute; bottom: 0; width: 100%">
  <input type=range aria-label=Seek style="width: 200px"></div></div>
  <style>.idle #bar { opacity: 0; pointer-events: none }</style><script>
  let moves = 0;
  player.className = 'idle';
  player.addEventListener('mousemove', () => { if (++moves > 1) player.className = ''; });
</script>"""


def test_a_drag_moves_the_mouse_to_controls_that_sleep(tab: Tab) -> None:
    tab.open(PLAYER)

    tab.call("drag", source_id=tab.find("Seek"), by={"x": 50, "y": 0})

    assert tab.js("document.querySelector('input').valueAsNumber") > 70
