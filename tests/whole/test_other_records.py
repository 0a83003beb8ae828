"""An id never acts on another record, column or document."""

import re
from collections.abc import Callable

import pytest

from tests.whole.cases import case
from tests.whole.tabs import Tab, eventually

pytestmark = pytest.mark.chromium

GRID = """<input id=q aria-label=Filter><table role=grid id=t></table><p id=o></p><script>
const make = (r) => { const tr = document.createElement('tr'); tr.dataset.id = r[0];
  tr.setAttribute('role', 'row'); r.forEach((v, i) => { const td = document.createElement('td');
  td.setAttribute('role', 'gridcell'); td.tabIndex = -1; td.textContent = v;
  td.onclick = () => { o.textContent = `edit ${i} of ${r[1]}` }; tr.append(td) }); return tr };
t.append(make([1, 'Ann', 34, 7]), make([2, 'Bob', 51, 9]));
q.oninput = () => t.replaceChildren(make([17, 'Cid', 22, 34]))</script>"""


def test_the_id_of_a_cell_does_not_match_another_row_or_column(tab: Tab) -> None:
    tab.open(GRID)
    age = tab.find("34")

    delta = tab.type("Filter", "cid")["delta"]

    assert all(change["type"] != "moved" for change in delta["changes"])
    assert tab.refused("click", element_id=age)["code"] == "ELEMENT_NOT_FOUND"
    assert tab.js("o.textContent") == ""


ROWS = """<table><tbody></table><script>
const show = (...rows) => { const list = document.querySelector('tbody');
  while (list.rows.length < rows.length) list.insertRow().innerHTML =
    '<td></td><td></td><td><button>Delete</button></td>';
  while (list.rows.length > rows.length) list.deleteRow(-1);
  rows.forEach(([key, name, state], at) => { const row = list.rows[at]; row.dataset.id = key;
    row.cells[0].textContent = name; row.cells[1].textContent = state;
    row.querySelector('button').onclick = () => { document.title = name } }) };
show([7, 'Milk', 'new'], [3, 'Bread', 'new'], [5, 'Salt', 'new'])</script>"""


def test_an_id_follows_its_record_through_recycled_nodes(tab: Tab) -> None:
    cases = [
        ("[5, 'Salt', 'new'], [3, 'Bread', 'new'], [7, 'Milk', 'new']", "Milk"),
        ("[3, 'Bread', 'new'], [5, 'Salt', 'new']", ""),
        ("[9, 'Rolls', 'new'], [3, 'Bread', 'new'], [5, 'Salt', 'new']", ""),
        ("[7, 'Milk', 'sold'], [3, 'Bread', 'new'], [5, 'Salt', 'new']", "Milk"),
        ("[3, 'Bread', 'new'], [7, 'Milk', 'new']", "Milk"),
        ("[9, 'Rolls', 'old']", ""),
    ]

    for rows, hit in cases:
        with case(rows, hit):
            tab.open(ROWS)
            milk = tab.call("find", text="Delete")[0]["id"]
            tab.js(f"document.title = ''; show({rows})")
            reply = tab.reply("click", element_id=milk)
            assert tab.js("document.title") == hit
            assert bool(reply.result.get("isError")) == (hit == "")


EVENT = """<h1>Event</h1><p>%s</p>
<button onclick="document.title = 'deleted'">Delete event</button>"""


@pytest.fixture
def event(tab: Tab) -> Callable[[str], str]:
    """A function that writes a page about an event and returns its path."""
    return lambda name: tab.web.write(EVENT % name)


def goes_by_itself(tab: Tab, path: str) -> None:
    tab.js(f"location.href = {path!r}; 0")
    eventually(lambda: tab.row["url"].endswith(path))


def test_an_id_from_one_document_does_not_act_in_another(
    tab: Tab, event: Callable[[str], str]
) -> None:
    one, other = event("Concert"), event("Lecture")
    tab.call("navigate", url=tab.web.url(one))
    delete = tab.find("Delete event")
    goes_by_itself(tab, other)

    error = tab.refused("click", element_id=delete)

    assert error["code"] == "ELEMENT_CHANGED"
    assert one in error["message"]
    assert other in error["message"]
    assert tab.js("document.title") != "deleted"
    tab.call("observe")
    assert "title" in tab.call("click", element_id=tab.find("Delete event"))


def test_a_selector_id_from_one_document_does_not_act_in_another(
    tab: Tab, event: Callable[[str], str]
) -> None:
    tab.call("navigate", url=tab.web.url(event("Concert")))
    [found] = tab.call("find", selector="button")
    other = event("Lecture")
    goes_by_itself(tab, other)

    error = tab.refused("click", element_id=found["id"])

    assert error["code"] == "ELEMENT_CHANGED"
    assert other in error["message"]
    tab.call("observe")
    assert tab.call("click", element_id=found["id"])["title"] == "deleted"


CHAT = """<title>Chat</title><main><header><h2>Bob</h2></header><p>Hi</p>
<textarea aria-label=Message></textarea></main>"""


def test_a_message_is_not_typed_into_another_chat(tab: Tab) -> None:
    cases = [
        "history.pushState(0, '', '/chat/alice')",
        "document.querySelector('h2').textContent = 'Alice'",
    ]

    for script in cases:
        with case(script):
            tab.open(CHAT)
            field = tab.find("Message")
            tab.js(script)

            error = tab.refused("type", element_id=field, text="hello")

            assert error["code"] == "ELEMENT_CHANGED"
            assert re.search("Alice|alice", error["message"])
            assert tab.js("document.querySelector('textarea').value") == ""
            tab.call("observe")
            assert "delta" in tab.call("type", element_id=field, text="hello")


def test_a_selector_id_does_not_act_in_a_row_with_another_record(tab: Tab) -> None:
    tab.open("""<ul><li><b>Ann</b> <button>Delete</button></li>
      <li><b>Bob</b> <button>Delete</button></li></ul><script>
      let heard = 0; onclick = () => heard += 1</script>""")
    [found, _] = tab.call("find", selector="li button")
    tab.js("document.querySelector('b').textContent = 'Cid'")

    error = tab.refused("click", element_id=found["id"])

    assert error["code"] == "ELEMENT_CHANGED"
    assert "Ann" in error["message"]
    assert tab.js("heard") == 0
