"""find{text}: texts outside interactive elements."""

import json
from typing import Any

import pytest

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

PAGE = """<header>Total of nothing</header><main><h1>Orders</h1>
<table><tr><td>Tea</td><td>Total: <b>12</b></td></tr></table><h2>Archive</h2>
<section aria-label="Old"><p onclick="document.title = 'hit'">The total   was 7</p></section>
<a href="/x">Total as a file</a><label>Total wanted <input></label>
<p hidden>Total secret</p><script>// total</script><div aria-hidden="true">Total inert</div>
<iframe srcdoc="<p>Framed total"></iframe><div id="host"></div></main>
<script>host.attachShadow({mode: 'open'}).innerHTML = '<i>Shadow total</i>'</script>"""


def texts(tab: Tab, text: str, **filters: Any) -> list[dict[str, Any]]:
    reply = tab.reply("find", text=text, **filters)
    blocks = reply.texts[1:]
    found: list[dict[str, Any]] = json.loads(blocks[0])["texts"] if blocks else []
    return found


@pytest.mark.req("P-19")
def test_find_lists_elements_first_and_other_texts_separately(tab: Tab) -> None:
    tab.open(PAGE)

    assert [each["label"] for each in tab.call("find", text="total")] == [
        "The total was 7",
        "Total as a file",
        "Total wanted",
    ]
    assert tab.call("find", text="tea") == []
    assert [each["text"] for each in texts(tab, "TOTAL")] == [
        "Total of nothing",
        "Total: 12",
        "Shadow total",
        "Framed total",
    ]


def test_a_text_is_returned_with_its_heading_and_landmark(tab: Tab) -> None:
    tab.open(PAGE.replace("onclick", "data-x"))

    by_text = {each["text"]: each for each in texts(tab, "total")}

    cell, old, top = (
        by_text[text] for text in ("Total: 12", "The total was 7", "Total of nothing")
    )
    assert (cell["tag"], cell["heading"], cell["landmark"]) == ("td", "Orders", "main")
    assert (old["heading"], old["landmark"]) == ("Archive", 'region "Old"')
    assert ("heading" in top, top["landmark"]) == (False, "banner")


def test_hidden_words_are_not_part_of_a_text(tab: Tab) -> None:
    tab.open("<p>Visible <span style='display:none'>hidden words</span></p>")

    assert [each["text"] for each in texts(tab, "visible")] == ["Visible"]
    assert texts(tab, "hidden words") == []


def test_text_behind_a_dialog_is_not_found(tab: Tab) -> None:
    tab.open("<div aria-hidden=true><p>CONTROLS</p></div><div role=dialog>Sure?</div>")

    assert texts(tab, "CONTROLS") == []


def test_the_id_of_a_text_works_in_other_tools(tab: Tab) -> None:
    tab.open(PAGE.replace("onclick=", "data-x=").replace("<h2>", "<h2 onmousedown='n = 1'>"))
    [archive] = texts(tab, "archive")
    tab.js(
        "document.querySelector('h2').addEventListener('click', () => { document.title = 'hit' })"
    )

    assert archive["id"].startswith("dom-")
    assert tab.call("click", element_id=archive["id"])["title"] == "hit"
    assert tab.call("find", refs=[archive["id"]])["valid"] == [archive["id"]]


def test_within_and_role_limit_the_search_for_texts(tab: Tab) -> None:
    tab.open(PAGE)
    main = tab.call("observe")["structure"]["landmarks"][1]["id"]

    assert "Total of nothing" not in [each["text"] for each in texts(tab, "total", within=main)]
    assert texts(tab, "total", role="link") == []


MENU = """<div id=menu style="width: 150px">%s</div><p id=o>Nothing</p><script>
  menu.addEventListener('click', ({ target }) => { o.textContent = target.textContent })</script>"""


@pytest.mark.parametrize("item", ["<div>{}</div>", "<p><b>{}</b></p>", "<span>{}</span> "])
def test_an_item_of_a_delegating_list_is_returned_separately(tab: Tab, item: str) -> None:
    tab.open(MENU % "".join(map(item.format, ("Copy", "Paste", "Delete all", "Insert row"))))

    listed, texts_block = tab.reply("find", text="Insert row").texts

    assert "Copy Paste Delete all Insert row" in listed
    [text] = json.loads(texts_block)["texts"]
    assert tab.call("click", element_id=text["id"])
    assert tab.js("o.textContent") == "Insert row"


def test_a_part_of_a_card_is_not_returned_separately(tab: Tab) -> None:
    tab.open(MENU % "<h3>Tea</h3><p>From Assam</p>")

    assert [one["label"] for one in tab.call("find", text="From Assam")] == ["Tea From Assam"]


def test_many_texts_are_counted_and_continued(tab: Tab) -> None:
    tab.open("".join(f"<p>Line {n} of many" for n in range(30)))

    reply = tab.reply("find", text="of many")
    some = json.loads(reply.texts[1])
    rest = tab.call("find", cursor=some["truncation"]["next_cursor"])

    assert (len(some["texts"]), some["truncation"]["total"]) == (5, 30)
    assert len({each["id"] for each in some["texts"] + rest}) == 30


def test_a_long_text_is_shortened_around_the_match(tab: Tab) -> None:
    tab.open(f"<p>{'before ' * 60}the needle {'after ' * 60}</p>")

    [found] = texts(tab, "the needle")

    assert "the needle after" in found["text"]
    assert len(found["text"]) < 250


@pytest.mark.req("P-15")
def test_the_text_of_a_row_keeps_its_cells_apart(tab: Tab) -> None:
    tab.open("<table><tr><td>Tea</td><td>12</td></tr></table><div><p>One</p><p>Two</p></div>")

    [row] = tab.call("find", selector="tr")
    [part] = tab.call("find", selector="div")

    assert (row["text"], part["text"]) == ("Tea 12", "One Two")


def test_find_ignores_the_text_of_scripts_and_styles(tab: Tab) -> None:
    tab.open("<p>Tea<script>const wanted = 'a basket'</script></p><style>/* a basket */</style>")

    assert texts(tab, "basket") == []
    assert [each["tag"] for each in texts(tab, "tea")] == ["p"]


EDITOR = """<style>#e { height: 60px; overflow: auto }</style>
  <div id=e contenteditable role=textbox aria-label=Letter>
  <p>Dear Ada</p><p>The parcel came</p><div style="height: 300px"></div><p>Yours, Gus</p></div>
  <p>Ada was here</p>"""


@pytest.mark.parametrize("word", ["Ada", "parcel", "Yours"])
def test_paragraphs_of_an_editor_are_found_within_it(tab: Tab, word: str) -> None:
    tab.open(EDITOR)
    editor = tab.find("Letter")

    [found] = texts(tab, word, within=editor)

    assert found["tag"] == "p"
    tab.call("click", element_id=found["id"])
    assert word in tab.js("getSelection().anchorNode.textContent")


def test_a_text_in_a_shadow_root_is_not_returned_as_the_page_around_it(tab: Tab) -> None:
    tab.open("""<div><p>Before</p><div id=host></div></div>
      <script>host.attachShadow({mode: 'open'}).innerHTML = '<p><i>Shadow</i></p>'</script>""")

    assert [(each["tag"], each["text"]) for each in texts(tab, "shadow")] == [("i", "Shadow")]


def test_a_text_in_a_slot_is_found_in_the_page(tab: Tab) -> None:
    tab.open("""<div id=host><b>Slotted text</b></div>
      <script>host.attachShadow({mode: 'open'}).innerHTML = '<p>In <slot></slot></p>'</script>""")

    assert [(each["tag"], each["text"]) for each in texts(tab, "slotted")] == [
        ("b", "Slotted text")
    ]
