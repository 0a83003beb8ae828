"""An element found in one row never acts in another, even if the page reuses its nodes."""

import pytest

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


@pytest.mark.parametrize("rest", [("Bread", "Salt"), ("Bread",)])
def test_a_selector_match_is_not_replaced_by_the_element_in_its_place(
    tab: Tab, rest: tuple[str, ...]
) -> None:
    tab.open(LIST)
    element_id = matched(tab, "li:first-child button")
    tab.js(f"show(...{list(rest)})")

    error = tab.refused("click", element_id=element_id)

    assert error["code"] == "ELEMENT_NOT_FOUND"
    assert tab.js("document.title") == "Written"


@pytest.mark.parametrize("names", ["'Milk', 'Bread', 'Salt'", "'Milk', 'Tea'", "'Milk'"])
def test_a_selector_match_is_found_again_in_a_recreated_row(tab: Tab, names: str) -> None:
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


def test_the_last_button_of_its_kind_is_identified_by_its_neighbour(tab: Tab) -> None:
    tab.open("""<div id=all></div><script>
      const card = (name) => `<div><b>${name}</b><button>Delete</button></div>`;
      const show = (...names) => { all.innerHTML = names.map(card).join('') };
      show('Milk', 'Bread')</script>""")
    first = matched(tab, "#all div:first-child button")
    tab.js("show('Milk')")
    assert tab.call("click", element_id=first)["note"].startswith(NOTE)

    tab.js("show('Milk', 'Bread')")
    again = matched(tab, "#all div:first-child button")
    tab.js("show('Bread')")
    assert tab.refused("click", element_id=again)["code"] == "ELEMENT_NOT_FOUND"


def test_a_unique_element_is_found_again_despite_other_changes(tab: Tab) -> None:
    tab.open("<p>1</p><div id=at><button>Go</button></div>")
    element_id = matched(tab, "button")
    tab.js("document.body.innerHTML = '<p>2</p><div id=at><button>Go</button></div>'")

    assert tab.call("click", element_id=element_id)["note"] == NOTE


RECYCLED = """<div id=all></div><script>
  const row = () => `<div><b></b> <i></i> <button onclick="document.title =
    this.parentNode.firstChild.textContent">Edit</button><button>Delete</button></div>`;
  all.innerHTML = row().repeat(3);
  const show = (...texts) => texts.forEach((text, n) => {
    [all.children[n].children[0].textContent, all.children[n].children[1].textContent] =
      text.split('|') });
  show('Milk|1 left', 'Bread|2 left', 'Salt|3 left')</script>"""


@pytest.mark.parametrize("rest", ["'Bread|2 left', 'Salt|3 left'", "'Tea|7 cups', 'Rum|8 vats'"])
def test_a_node_that_shows_another_record_is_not_clicked(tab: Tab, rest: str) -> None:
    tab.open(RECYCLED)
    element_id = tab.find("Edit")
    tab.js(f"show({rest})")

    error = tab.refused("click", element_id=element_id)

    assert error["code"] == "ELEMENT_CHANGED"
    assert "Was: button 'Edit' near 'Milk" in error["message"]
    assert tab.js("document.title") == "Written"
    assert tab.find("Edit") == element_id
    assert tab.call("click", element_id=element_id)["title"] != "Written"


@pytest.mark.parametrize(
    "texts",
    [
        "'Milk|9 left', 'Bread|2 left', 'Salt|1 left'",
        "'Milk|none left', 'Bread|none left'",
        "'Milk|sold out'",
    ],
)
def test_a_row_with_a_partial_change_is_the_same_row(tab: Tab, texts: str) -> None:
    tab.open(RECYCLED)
    element_id = tab.find("Edit")
    tab.js(f"show({texts})")

    assert tab.call("click", element_id=element_id)["title"] == "Milk"
