"""References: accepted forms, tools that take them, and errors of stale ones."""

import pytest

from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

GUTTER = """<div class="gutter" onclick="document.title = 'hit'">12</div>
  <div class="editor" contenteditable>words</div><input type="search" class="box">"""


def match(tab: Tab, selector: str) -> str:
    [found] = tab.call("find", selector=selector)
    return str(found["id"])


@pytest.mark.req("P-17")
def test_a_selector_match_can_be_clicked_typed_into_and_captured(tab: Tab) -> None:
    tab.open(GUTTER)
    gutter, editor, box = (match(tab, each) for each in (".gutter", ".editor", ".box"))

    tab.call("observe")
    assert tab.call("click", element_id=gutter)["title"] == "hit"
    tab.call("type", element_id=editor, text="more")
    tab.call("type", element_id=box, text="needle")
    tab.call("key", element_id=box, key="Home")
    assert tab.reply("screenshot", selector=gutter).json["success"]

    assert tab.js(
        "[document.querySelector('.editor').innerText, document.activeElement.value]"
    ) == ["more", "needle"]


STOCK = """<table></table><script>
  function show(...rows) {
    const table = document.querySelector('table');
    while (table.rows.length < rows.length) table.insertRow().append(...'abc'.split('').map(
      () => document.createElement('td')));
    while (table.rows.length > rows.length) table.deleteRow(-1);
    rows.forEach((texts, row) => texts.forEach((text, cell) => {
      table.rows[row].cells[cell].textContent = text;
    }));
  }
  addEventListener('click', (event) => { document.title = event.target.textContent; });
  show(['Apples', 'Sold', '12'], ['Pears', 'Held', '38'], ['Plums', 'Held', '25']);
</script>"""


def test_an_id_of_a_cell_whose_nodes_show_another_row_is_refused(tab: Tab) -> None:
    tab.open(STOCK)
    [cell] = tab.call("find", role="cell", row="Pears", text="Pears")
    tab.js("show(['Apples', 'Sold', '12'], ['Plums', 'New', '25'])")

    error = tab.refused("click", element_id=cell["id"])

    assert error["code"] == "ELEMENT_CHANGED"
    assert "'Pears'" in error["message"]
    assert "'Plums'" in error["message"]
    assert tab.js("document.title") != "Plums"


@pytest.mark.req("V-LOOK-02")
def test_an_invalid_reference_is_refused_with_the_valid_forms(tab: Tab) -> None:
    for reference in ["foo!", "", "btn", "btn-xyz", "dom-12", "x" * 500]:
        for tool, name in [("click", "element_id"), ("find", "near")]:
            with case(reference, tool):
                error = tab.refused(tool, **{name: reference})
                assert error["code"] == "INVALID_ARGUMENT"
                for form in ("btn-a3f1", "dom-3fa2", "e123", "@ref:4"):
                    assert form in error["message"]
                assert len(error["message"]) < 300


@pytest.mark.req("V-REF-04", "V-REF-05")
def test_find_checks_several_references_at_once(tab: Tab) -> None:
    tab.open(GUTTER + "<button>Stays</button><button>Goes</button>")
    stays, goes, gutter = tab.find("Stays"), tab.find("Goes"), match(tab, ".gutter")
    tab.js("document.querySelectorAll('button')[1].remove()")

    answer = tab.call("find", refs=[stays, goes, gutter, "foo!", "e999999"])

    assert answer["valid"] == [stays, gutter]
    assert answer["invalid"] == [goes, "foo!", "e999999"]
    assert set(answer["reasons"]) == set(answer["invalid"])
    assert all(answer["reasons"].values())
