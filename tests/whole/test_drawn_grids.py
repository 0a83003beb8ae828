"""Grids and charts drawn on a canvas, whose rows are inside the canvas for screen readers."""

import pytest

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

GRID = """<h1>People</h1><canvas id=c tabindex=0><table role=grid><tr><th>Name<th>Age
<tr><td id=a aria-selected=true>Ann<td>20</table></canvas>
<canvas>Your browser draws no canvas.</canvas><canvas hidden><ul><li>Hidden</ul></canvas>
<button onclick="a.textContent = 'Bob'; a.removeAttribute('aria-selected')">Rename</button>"""


def test_rows_inside_a_canvas_are_lines_of_the_page(tab: Tab) -> None:
    tab.open(GRID)

    text = tab.reply("observe", answers="text").text

    assert "Name · Age" in text
    assert "Ann [selected] · 20" in text
    assert "browser draws" not in text
    assert "Hidden" not in text


def test_a_change_of_a_row_inside_a_canvas_is_reported(tab: Tab) -> None:
    tab.open(GRID)

    answer = tab.reply("click", element_id=tab.find("Rename"), answers="text").text

    assert "~ Ann [selected] · 20 → Bob · 20" in answer
