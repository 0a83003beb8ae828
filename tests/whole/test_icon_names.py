"""Controls with an icon only: what the icon shows is reported, and can be searched."""

import pytest

from tests.whole.answers import property_changes
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

ROWS = """<style>i { display: inline-block; width: 16px; height: 16px }</style>
<table><tr><td>Ann</td><td><button onclick="document.title = 'Ann'"><i class="fa fa-trash"></i>
</button></td></tr><tr><td>Bob</td><td><button onclick="document.title = 'Bob'">
<i class="fa fa-trash"></i></button></td></tr></table>
<button id=play onclick="this.firstChild.className = 'fa fa-pause'"><i class="fa fa-play"></i>
</button>"""


def test_an_icon_is_found_by_its_name_in_its_row(tab: Tab) -> None:
    tab.open(ROWS)

    found = tab.call("find", text="trash")

    assert [(one["label"], one["icon"], one["near"]) for one in found] == [
        ("", "trash", "Ann"),
        ("", "trash", "Bob"),
    ]
    assert tab.call("click", element_id=found[1]["id"])["title"] == "Bob"


def test_another_icon_is_a_change_of_the_same_element(tab: Tab) -> None:
    tab.open(ROWS)
    before = tab.find("play")

    answer = tab.call("click", element_id=before)

    assert property_changes(answer, "icon") == [("play", "pause")]
    assert tab.find("pause") == before
