"""Roles, labels and icons of elements, and what the focus does not change in them."""

import pytest

from tests.whole.answers import changes, property_changes
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

ROVING = """<table role=grid aria-label=Stock><tr role=row><td role=gridcell tabindex=0>Pears</td>
<td role=gridcell tabindex=-1>12</td></tr></table><script>
const cells = [...document.querySelectorAll('td')];
for (const cell of cells) {
  if (%s) cell.onclick = () => { document.title = cell.textContent; };
  cell.onkeydown = ({ key }) => {
    const next = cells[cells.indexOf(cell) + (key === 'ArrowRight' ? 1 : -1)];
    if (!next) return;
    cell.tabIndex = -1; next.tabIndex = 0; next.focus();
  };
}</script>"""


def cells(tab: Tab) -> dict[str, tuple[str, str, str]]:
    rows = tab.call("find", role="gridcell")
    controls = [row for row in rows if "label" in row]  # the others are nodes of the document
    return {row["label"]: (row["id"], row["type"], row["role"]) for row in controls}


def test_cells_keep_id_type_and_role_while_the_focus_moves(tab: Tab) -> None:
    tab.open(ROVING % "true")
    before = cells(tab)

    answer = tab.call("key", key="ArrowRight", element_id=before["Pears"][0])

    assert [kind for _, kind, _ in before.values()] == ["clickable"] * 2
    assert cells(tab) == before
    [focused] = changes(answer, property="state.focused", to=True)
    assert focused["element"] == before["12"][0]


ROLES = [
    ("<div role=tree><div role=treeitem tabindex=0>It</div></div>", "treeitem"),
    ("<div role=listbox><div role=option tabindex=0>It</div></div>", "option"),
    ("<div role=tab>It</div>", "tab"),
    ("<div role=menuitem>It</div>", "menuitem"),
    ("<div role=separator tabindex=0 aria-label=It>|</div>", "separator"),
    ("<input type=number aria-label=It>", "spinbutton"),
    ("<input type=search aria-label=It>", "searchbox"),
    ("<button>It</button>", None),
    ("<a href=/x>It</a>", None),
    ("<div role=switch tabindex=0>It</div>", None),
    ("<input type=range aria-label=It>", None),
    ("<div tabindex=0>It</div>", None),
]


def test_a_role_is_given_if_it_says_more_than_the_type(tab: Tab) -> None:
    tab.open("".join(markup.replace("It", f"It-{n}") for n, (markup, _) in enumerate(ROLES)))

    rows = tab.call("find", text="It-", limit=100)

    assert {row["label"]: row.get("role") for row in rows} == {
        f"It-{n}": role for n, (_, role) in enumerate(ROLES)
    }


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
