"""Elements that take the focus and have no role of a control: groups, and containers of tables."""

import pytest

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium


SHEET = """<div tabindex=0 id=sheet><div role=region aria-label="Tab Panels"><table>
<tr><td>Item<td>Amount<tr><td>Rent<td>900<tr><td>Food<td>300</table></div></div>"""


def test_the_focus_does_not_change_the_label_of_a_container(tab: Tab) -> None:
    tab.open(SHEET)
    [before] = tab.call("observe", detail="summary")["interactive"]

    tab.js("sheet.focus()")

    [after] = tab.call("observe", detail="summary")["interactive"]
    assert after["state"] == {"focused": True}
    assert after["label"] == before["label"] == "Item Amount Rent 900 Food 300"


def test_a_text_in_a_table_is_found_although_its_container_takes_the_focus(tab: Tab) -> None:
    tab.open(SHEET)

    _container, text = tab.call("find", text="300")

    assert (text["type"], text["tag"], text["text"]) == ("text", "td", "300")
