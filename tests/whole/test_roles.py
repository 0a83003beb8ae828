"""Roles of elements: reported beside the type, and unchanged while the focus moves."""

import pytest

from tests.whole.answers import changes
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


def test_a_cell_that_only_takes_the_focus_gets_its_id_back(tab: Tab) -> None:
    tab.open(ROVING % "false")
    before = cells(tab)
    assert list(before) == ["Pears"]

    tab.call("key", key="ArrowRight", element_id=before["Pears"][0])
    assert list(cells(tab)) == ["12"]
    tab.call("key", key="ArrowLeft")

    assert cells(tab) == before


def test_boxes_keep_id_and_type_while_the_focus_moves(tab: Tab) -> None:
    tab.open("""<p onkeydown="b.tabIndex = 0; a.tabIndex = -1; b.focus()"><span id=a tabindex=0
      onclick=f()>Red</span><span id=b tabindex=-1 onclick=f()>Blue</span></p>""")

    def boxes() -> list[tuple[str, str]]:
        return [(row["id"], row["type"]) for row in tab.call("observe")["interactive"]]

    before = boxes()
    tab.call("key", key="ArrowRight", element_id=tab.find("Red"))

    assert [kind for _, kind in before] == ["button", "button"]
    assert boxes() == before


def test_a_cell_is_selected_or_not(tab: Tab) -> None:
    tab.open("<div role=grid><div role=row><b role=gridcell aria-selected=true onclick=f()>A</b>")

    assert tab.element("A")["state"] == {"selected": True}


@pytest.mark.parametrize(
    ("markup", "role"),
    [
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
    ],
)
def test_a_role_is_given_if_it_says_more_than_the_type(
    tab: Tab, markup: str, role: str | None
) -> None:
    tab.open(markup)

    assert tab.element("It").get("role") == role


def test_a_row_of_headers_takes_no_clicks_because_of_the_style_of_all_rows(tab: Tab) -> None:
    tab.open(
        "<style>tr { cursor: pointer }</style><table><tr><th>Name<th>Age<tr><td>Ann<td>3</table>"
        "<div role=grid><div role=row tabindex=0><b role=columnheader>A</b><b role=columnheader>B"
        "</b></div></div>"
    )

    found = tab.call("find", type="clickable")

    assert [row["label"] for row in found] == ["Ann 3"]
