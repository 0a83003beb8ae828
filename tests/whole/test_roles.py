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
