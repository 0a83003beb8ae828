"""An element found in one row never acts in another, even if the page reuses its nodes."""

import pytest

from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

NOTE = "Note: Element may have changed. Using current state."
LIST = """<ul></ul><script>
  const row = (name) => `<li>${name}
    <button onclick="document.title = '${name}'">Delete</button></li>`;
  const show = (...names) => { document.querySelector('ul').innerHTML = names.map(row).join('') };
  show('Milk', 'Bread', 'Salt')</script>"""


def matched(tab: Tab, selector: str) -> str:
    [match] = tab.call("find", selector=selector)
    return str(match["id"])


def test_a_selector_match_is_found_again_in_a_recreated_row(tab: Tab) -> None:
    for names in ["'Milk', 'Bread', 'Salt'", "'Milk', 'Tea'", "'Milk'"]:
        with case(names):
            tab.open(LIST)
            element_id = matched(tab, "li:first-child button")
            tab.js(f"show({names})")
            answer = tab.call("click", element_id=element_id)
            assert answer["title"] == "Milk"
            assert answer["note"].startswith(NOTE)


def test_equal_buttons_are_distinguished_by_their_row(tab: Tab) -> None:
    tab.open(LIST)
    ids = [match["id"] for match in tab.call("find", selector="li button")]
    tab.js("show('Salt', 'Milk')")

    assert tab.call("click", element_id=ids[0])["title"] == "Milk"
    assert tab.call("click", element_id=ids[2])["title"] == "Salt"
    assert tab.refused("click", element_id=ids[1])["code"] == "ELEMENT_NOT_FOUND"


RECYCLED = """<div id=all></div><script>
  const row = () => `<div><b></b> <i></i> <button onclick="document.title =
    this.parentNode.firstChild.textContent">Edit</button><button>Delete</button></div>`;
  all.innerHTML = row().repeat(3);
  const show = (...texts) => texts.forEach((text, n) => {
    [all.children[n].children[0].textContent, all.children[n].children[1].textContent] =
      text.split('|') });
  show('Milk|1 left', 'Bread|2 left', 'Salt|3 left')</script>"""


def test_a_node_that_shows_another_record_is_not_clicked(tab: Tab) -> None:
    cases = ["'Bread|2 left', 'Salt|3 left'", "'Tea|7 cups', 'Rum|8 vats'"]

    for rest in cases:
        with case(rest):
            tab.open(RECYCLED)
            element_id = tab.find("Edit")
            tab.js(f"show({rest})")

            error = tab.refused("click", element_id=element_id)

            assert error["code"] == "ELEMENT_CHANGED"
            assert "Was: button 'Edit' near 'Milk" in error["message"]
            assert tab.js("document.title") == "Written"
            assert tab.find("Edit") == element_id
            assert tab.call("click", element_id=element_id)["title"] != "Written"
