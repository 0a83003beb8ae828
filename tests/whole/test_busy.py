"""Clicks on elements that move, are covered or are replaced meanwhile."""

import pytest

from tests.whole.answers import new_texts
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

MOVES = """<style>body {{ margin: 0 }}</style><div id=space style="height: 0"></div>
  <button id=one>One</button><script>
  const heard = [];
  for (const type of ['pointerdown', 'mousedown', 'click', 'pointerup', 'mouseup']) {{
    addEventListener(type, ({{ target }}) => heard.push(type + ' ' + (target.id || 'page')), true);
  }}
  let moves = {moves};
  addEventListener('mousemove', () => {{
    moves -= 1;
    if (moves >= 0) space.style.height = moves % 2 ? '100px' : '0';
  }});
  </script>"""
"""A button that moves away when the mouse arrives."""


def test_a_click_follows_an_element_that_moves_under_the_mouse(tab: Tab) -> None:
    tab.open(MOVES.format(moves=2))

    tab.click("One")

    assert tab.js("heard") == [
        f"{event} one" for event in ("pointerdown", "mousedown", "pointerup", "mouseup", "click")
    ]


def test_a_click_fails_if_the_element_always_moves_away(tab: Tab) -> None:
    tab.open(MOVES.format(moves=1000))

    error = tab.refused("click", element_id=tab.find("One"))

    assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
    assert "each time just before it was pressed" in error["message"]
    assert tab.js("heard") == []


def test_a_cover_that_appears_under_the_mouse_is_not_clicked(tab: Tab) -> None:
    tab.open("""<button id=one onmouseover="cover.hidden = false">One</button>
      <div id=cover hidden style="position: fixed; inset: 0" onclick="this.title = 'hit'"></div>""")

    error = tab.refused("click", element_id=tab.find("One"))

    assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
    assert tab.js("cover.title") == ""


def test_an_element_recreated_under_the_mouse_is_clicked(tab: Tab) -> None:
    tab.open("""<div id=at><button id=one onclick="this.title = 'hit'">One</button></div>
      <script>const again = () => { at.innerHTML = at.innerHTML };
      addEventListener('mousemove', again, { once: true })</script>""")

    tab.click("One")

    assert tab.js("one.title") == "hit"


def test_a_click_follows_a_frame_that_moves_under_the_mouse(tab: Tab) -> None:
    for host in ["127.0.0.1", "other.localhost"]:
        with case(host):
            inner = tab.web.write("<button onclick=\"this.textContent = 'hit'\">One</button>")
            tab.open(f"""<div id=space></div><button style="width: 300px; height: 60px">Two</button>
      <iframe style="display: block" src="{tab.web.url(inner, host=host)}"></iframe><script>
      const heard = [];
      addEventListener('click', () => heard.push('page'));
      addEventListener('mouseover', ({{ target }}) => {{
        if (target.localName === 'iframe') space.style.height = '60px' }});</script>""")

            assert "hit" in new_texts(tab.click("One"))
            assert tab.js("heard") == []


def test_a_click_reports_an_element_that_moved_while_pressed(tab: Tab) -> None:
    for kind in ["left", "middle", "right"]:
        with case(kind):
            tab.open("""<style>body { margin: 0 }</style><button id=one>One</button><script>
      one.addEventListener('mousedown', () => { one.style.marginTop = '100px' });
      one.addEventListener('click', () => { one.title = 'clicked' })</script>""")
            answer = tab.click("One", click_type=kind)
            assert "moved or was covered while it was pressed" in answer["note"]
            assert tab.js("one.title") == ""
