"""find: filters, limits and scope."""

import re
from typing import Any

import pytest

from tests.whole.answers import labels
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

CONTROLS = """
<button>Send letter</button><a href="/">Send parcel</a><button disabled>Wait</button>
<input aria-label="Name" value="Ada Lovelace"><input placeholder="Where to send">
<div role="tablist"><button role="tab" aria-selected="true">First</button>
<button role="tab">Second</button></div>
<div><p>Send nothing</p></div>
"""


@pytest.mark.smoke
@pytest.mark.req("C-FIND-01", "C-FIND-02", "C-FIND-03", "C-FIND-06", "P-19")
def test_find_matches_texts_of_elements_roles_and_types(tab: Tab) -> None:
    tab.open(CONTROLS)

    *found, place = tab.call("find", text="SEND")
    assert labels(found) == ["Send letter", "Send parcel", "Where to send"]
    assert [place] == tab.call("find", text="Send nothing")
    assert (place["type"], place["text"]) == ("text", "Send nothing")
    assert labels(tab.call("find", text="lovelace")) == ["Name"]
    assert labels(tab.call("find", role="tab")) == ["First", "Second"]
    assert labels(tab.call("find", role="button")) == ["Send letter", "Wait"]
    assert tab.call("find", role="but") == []
    assert labels(tab.call("find", type="link")) == ["Send parcel"]


@pytest.mark.req("C-FIND-02")
def test_clickable_elements_are_found_by_their_aria_role(tab: Tab) -> None:
    tab.open("""<div role=grid><div role=row><b role=gridcell tabindex=0>1</b>
      <b role=gridcell tabindex=-1 onclick="document.title = 'hit'">2</b></div></div>
      <ul role=tree><li role=treeitem tabindex=-1 onclick=0>Leaf</ul>""")

    cells = tab.call("find", role="gridcell")

    assert labels(cells) == ["1", "2"]
    assert [cell["type"] for cell in cells] == ["clickable", "clickable"]
    assert labels(tab.call("find", role="treeitem")) == ["Leaf"]
    assert tab.call("click", element_id=cells[1]["id"])["title"] == "hit"


PLACED = """<style>button, h2, main { position: absolute; margin: 0; box-sizing: border-box }
  button, h2 { width: 20px; height: 20px; left: 0; padding: 0 }</style>
<h2 style="top: 0">Here</h2>
<button style="top: 199px">In</button><button style="top: 100px">Nearer</button>
<button style="top: 201px">Out</button><button style="display: none">Nowhere</button>
<main style="top: 300px; left: 0; width: 100px; height: 100px">
<button style="top: 10px">Inside</button><button style="top: 90px">Half out</button></main>"""


@pytest.mark.req("C-FIND-04")
def test_near_accepts_ids_of_matches_and_headings_and_omits_that_element(tab: Tab) -> None:
    tab.open(PLACED)
    [match] = tab.call("find", selector="button[style*='100px']")
    [heading] = tab.call("observe")["structure"]["headings"]

    assert labels(tab.call("find", near=match["id"])) == ["In", "Out"]
    assert labels(tab.call("find", near=heading["id"])) == ["Nearer", "In"]


@pytest.mark.req("C-FIND-05")
def test_within_matches_elements_inside_the_bounds(tab: Tab) -> None:
    tab.open(PLACED)
    landmark = tab.call("observe")["structure"]["landmarks"][0]["id"]

    assert labels(tab.call("find", within=landmark)) == ["Inside"]


@pytest.mark.req("P-14", "P-15", "P-16", "P-18", "P-19")
def test_a_selector_finds_elements_without_a_role_and_changes_nothing(tab: Tab) -> None:
    tab.open(CONTROLS)
    before = tab.call("observe")

    [found] = tab.call("find", selector="div > p")
    tab.call("find", selector="*")

    assert re.fullmatch("dom-[0-9a-f]{4}", found["id"])
    assert (found["tag"], found["text"]) == ("p", "Send nothing")
    assert set(found["bounds"]) == {"x", "y", "w", "h"}
    after = tab.call("observe")
    assert [before[part] for part in ("structure", "interactive", "forms")] == [
        after[part] for part in ("structure", "interactive", "forms")
    ]
    assert [each["type"] for each in tab.call("find", text="Send nothing")] == ["text"]
    error = tab.refused("find", selector="p[")
    assert error["code"] == "INVALID_ARGUMENT"
    assert "'p['" in error["message"]


def test_a_selector_match_has_the_id_and_fields_of_its_element(tab: Tab) -> None:
    tab.open("""<h3><a href="/book">A book</a></h3>
      <form><select><option>Red</option><option selected>Green</option></select></form>""")
    link, colour = tab.call("observe")["interactive"]

    [found] = tab.call("find", selector="h3 a")
    [chosen] = tab.call("find", selector="form select")
    [heading] = tab.call("find", selector="h3")

    assert (found["element"], found["href"]) == (link["id"], link["href"])
    assert (chosen["element"], chosen["value"]) == (colour["id"], "Green")
    assert chosen["options"] == ["Red", "Green"]
    assert "element" not in heading


def test_a_cursor_continues_the_list_of_the_original_matches(tab: Tab) -> None:
    tab.open("/links.html", detail="minimal")
    *some, cut = tab.call("find", selector="a", limit=90)
    tab.js("document.body.innerHTML = ''")

    *more, cut = tab.call("find", cursor=cut["next_cursor"])
    rest = tab.call("find", cursor=cut["next_cursor"])

    assert (cut["type"], cut["total"], cut["returned"]) == ("truncation", 230, 90)
    ids = [match["id"] for match in some + more + rest]
    assert len(set(ids)) == 230


ROWS = f"""<ul><li>Send the letter</li><li>Keep <b>the letter</b></li>
  <li><button>Send</button><input aria-label="Where to send"></li></ul>
  <iframe srcdoc="<ul><li>Send another letter</li></ul>"></iframe>
  <div id="long">{"word " * 8000} the end</div>{CONTROLS}"""


def test_other_filters_narrow_the_matches_of_a_selector(tab: Tab) -> None:
    tab.open(ROWS)
    cases: list[Any] = [
        ({"selector": "li", "text": "SEND"}, ["Send the letter", "Send", "Send another letter"]),
        ({"selector": "li", "text": "keep the"}, ["Keep the letter"]),
        ({"selector": "li *", "text": "send"}, ["Send", ""]),
        ({"selector": "li *", "role": "textbox"}, [""]),
        ({"selector": "ul > *, ul b", "role": "listitem", "text": "keep"}, ["Keep the letter"]),
        ({"selector": "button", "role": "tab"}, ["First", "Second"]),
        ({"selector": "body *", "type": "link"}, ["Send parcel"]),
        ({"selector": "li", "type": "link"}, []),
        ({"selector": "div", "text": "word the end"}, ["word " * 16 + "…"]),
    ]

    for filters, expected in cases:
        with case(filters, expected):
            found = tab.call("find", **filters)
            assert [each["text"] for each in found] == expected
            parts = {"element", "href", "value"}
            assert all(set(each) - parts == {"id", "tag", "text", "bounds"} for each in found)


ROLES = """<h1>Zoo</h1><table><tr><th scope=row>Fox<td>2 <button>Feed</button></tr></table>
  <ul><li>Otter</li></ul><img alt="A map" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="
    width=9 height=9><div role=alert>Closed on Monday</div>
  <div role=dialog aria-label=Hours>9 to 5</div>
  <p hidden>Nothing</p><p>Welcome</p><div role=tree><div role=treeitem>Cats</div></div>"""


def test_roles_without_a_control_are_found(tab: Tab) -> None:
    tab.open(ROLES)
    cases: list[Any] = [
        ("row", ["Fox | 2"]),
        ("rowheader", ["Fox"]),
        ("cell", ["2 Feed"]),
        ("listitem", ["Otter"]),
        ("img", ["A map"]),
        ("alert", ["Closed on Monday"]),
        ("dialog", ["Hours"]),
        ("heading", ["Zoo"]),
        ("paragraph", ["Welcome"]),
    ]

    for role, expected in cases:
        with case(role, expected):
            found = tab.call("find", role=role)
            assert [each["text"] for each in found] == expected
            tab.call("hover", element_id=found[0]["id"])


def test_a_text_narrows_the_elements_with_a_role(tab: Tab) -> None:
    tab.open(ROLES.replace("Otter", "Otter</li><li>Eagle owl</li>"))

    [found] = tab.call("find", role="listitem", text="OWL")
    [heading] = tab.reply("find", role="heading", answers="text").texts

    assert found["text"] == "Eagle owl"
    known = tab.call("observe")["structure"]["headings"][0]["id"]
    assert heading == f'{known} "Zoo" [heading]'


def test_a_search_box_with_suggestions_is_a_text_input(tab: Tab) -> None:
    tab.open("""<input role=combobox aria-label=Search aria-expanded=false>
      <select aria-label=Colour><option>Red</select><input type=search aria-label=Site>""")

    assert labels(tab.call("find", type="text_input")) == ["Search", "Site"]
    assert labels(tab.call("find", type="select")) == ["Search", "Colour"]
