"""Elements are compared with their last shown state: the page may have changed since."""

from itertools import product

import pytest

from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

NOTE = "Note: Element may have changed. Using current state."
HIT = "document.title = 'hit'"


def button(tab: Tab, name: str, more: str = "") -> str:
    tab.open(f'<button onclick="{HIT}">{name}</button>{more}')
    return tab.find(name)


def button_ref(tab: Tab, name: str) -> str:
    tab.open(f'<button onclick="{HIT}">{name}</button>')
    return tab.reply("observe", mode="tree").text.partition("[ref=")[2].partition("]")[0]


@pytest.mark.req("V-STALE-01", "V-STALE-04", "V-REF-05")
def test_only_a_changed_or_recreated_element_is_clicked_with_a_note(tab: Tab) -> None:
    changes = [
        ("0", None),
        ("document.querySelector('button').textContent = 'Cart (3)'", NOTE),
        ("document.body.innerHTML = document.body.innerHTML", NOTE),
    ]

    for (change, note), named in product(changes, (button, button_ref)):
        with case(change, named):
            element_id = named(tab, "Cart (2)")
            tab.js(change)
            answer = tab.call("click", element_id=element_id)
            assert answer["title"] == "hit"
            assert answer.get("note") == note


@pytest.mark.req("V-STALE-02", "V-REF-06")
def test_an_element_with_another_name_or_role_is_refused_with_both(tab: Tab) -> None:
    name, role = "textContent = 'Loading...'", "role = 'tab'"
    changes = {name: "button 'Loading...'", role: "tab 'Submit'"}

    for (change, now), named in product(changes.items(), (button, button_ref)):
        with case(change, named):
            element_id = named(tab, "Submit")
            tab.js(f"document.querySelector('button').{change}")
            for _ in range(2):
                error = tab.refused("click", element_id=element_id)
                assert error["code"] == "ELEMENT_CHANGED"
                assert error["message"] == (
                    f"Element changed since snapshot. Was: button 'Submit', Now: {now}"
                )
                assert error["suggestion"] == (
                    "Take a new snapshot to get current element state. Call observe or find."
                )
            assert tab.js("document.title") == "Written"


@pytest.mark.req("V-STALE-03", "V-LOOK-03", "C-ID-10")
def test_the_error_for_a_removed_element_describes_it_and_names_similar_ones(tab: Tab) -> None:
    element_id = button(tab, "Submit", "<button>Submit order</button><button>Other</button>")
    rest = tab.find("Submit order")
    tab.js("document.querySelector('button').remove()")

    error = tab.refused("click", element_id=element_id)

    assert error["code"] == "ELEMENT_NOT_FOUND"
    assert error["message"] == f"Element 'Submit button' (ref: {element_id}) no longer exists."
    assert error["suggestion"].startswith("Take a new snapshot to see current page state.")
    assert rest in error["suggestion"]


@pytest.mark.req("C-ID-07", "V-REF-07")
def test_an_id_survives_changes_of_the_page(tab: Tab) -> None:
    cases = [
        "document.body.prepend(document.createElement('button'))",
        "b.before(document.createElement('button'))",
        "document.body.appendChild(document.createElement('main')).append(b)",
        "b.textContent = 'Other'",
        "location.reload()",
    ]

    for change in cases:
        with case(change):
            element_id = button(
                tab, "Stay", '<script>var b = document.querySelector("button")</script>'
            )
            tab.js(change)
            tab.call("wait_for", selector="script")
            assert element_id in {each["id"] for each in tab.call("observe")["interactive"]}


@pytest.mark.req("B-REF-06")
def test_the_error_for_an_id_of_another_tab_names_that_tab(fresh_tab: Tab) -> None:
    fresh_tab.open("<button>Mine</button><p>Text</p>")
    [match] = fresh_tab.call("find", selector="p")
    tree = fresh_tab.reply("observe", mode="tree").text
    fresh_tab.reply("observe", mode="interactive")
    ref = tree.partition("[ref=")[2].partition("]")[0]
    other = fresh_tab.beside()

    for element_id in (fresh_tab.find("Mine"), match["id"], ref):
        error = other.refused("click", element_id=element_id)
        assert error["code"] == "ELEMENT_NOT_FOUND"
        assert fresh_tab.id in error["suggestion"]
    other.open("<button>Mine</button>")
    assert other.refused("click", element_id="@ref:0")["code"] == "ELEMENT_NOT_FOUND"
