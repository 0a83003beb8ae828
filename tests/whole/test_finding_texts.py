"""find{text}: texts outside interactive elements."""

from typing import Any

import pytest
from starlette.responses import Response

from tests.whole.cases import case
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
    return [each for each in tab.call("find", text=text, **filters) if each["type"] == "text"]


@pytest.mark.req("C-FIND-06", "P-19")
def test_find_lists_elements_and_then_other_places_with_the_text(tab: Tab) -> None:
    tab.open(PAGE)

    assert [each.get("label") or each["text"] for each in tab.call("find", text="TOTAL")] == [
        *("The total was 7", "Total as a file", "Total wanted"),
        *("Total of nothing", "Total: 12", "Shadow total", "Framed total"),
    ]
    assert len(texts(tab, "total")) == 4


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


def test_an_item_of_a_delegating_list_is_returned_separately(tab: Tab) -> None:
    for item in ["<div>{}</div>", "<p><b>{}</b></p>", "<span>{}</span> "]:
        with case(item):
            tab.open(
                MENU % "".join(map(item.format, ("Copy", "Paste", "Delete all", "Insert row")))
            )
            listed, text = tab.call("find", text="Insert row")
            assert "Copy Paste Delete all Insert row" in listed["label"]
            assert tab.call("click", element_id=text["id"])
            assert tab.js("o.textContent") == "Insert row"


def test_many_texts_are_counted_and_continued(tab: Tab) -> None:
    tab.open("".join(f"<p>Line {n} of many" for n in range(30)))

    *some, cut = tab.call("find", text="of many")
    rest = tab.call("find", cursor=cut["next_cursor"])

    assert (len(some), cut["type"], cut["total"]) == (5, "truncation", 30)
    assert len({each["id"] for each in some + rest}) == 30


@pytest.mark.req("C-FIND-06")
def test_one_cursor_continues_with_the_other_elements_and_then_the_places(tab: Tab) -> None:
    tab.open("".join(f"<button>Row {n}</button><p>In row {n}</p>" for n in range(4)))

    first = tab.call("find", text="row", limit=3)
    rest = tab.call("find", cursor=first[-1]["next_cursor"], limit=50)
    lines = tab.reply("find", text="row", limit=3, answers="text").text.split("\n")

    assert [each["type"] for each in first] == ["button", "button", "button", "truncation"]
    assert [each["type"] for each in rest] == ["button", "text", "text", "text", "text"]
    assert lines[-1].startswith("… 1 more element and 4 more texts: find{cursor:")


@pytest.mark.req("P-15")
def test_the_text_of_a_row_keeps_its_cells_apart(tab: Tab) -> None:
    tab.open("<table><tr><td>Tea</td><td>12</td></tr></table><div><p>One</p><p>Two</p></div>")

    [row] = tab.call("find", selector="tr")
    [part] = tab.call("find", selector="div")

    assert (row["text"], part["text"]) == ("Tea 12", "One Two")


EDITOR = """<style>#e { height: 60px; overflow: auto }</style>
  <div id=e contenteditable role=textbox aria-label=Letter>
  <p>Dear Ada</p><p>The parcel came</p><div style="height: 300px"></div><p>Yours, Gus</p></div>
  <p>Ada was here</p>"""


def test_paragraphs_of_an_editor_are_found_within_it(tab: Tab) -> None:
    tab.open(EDITOR)
    editor = tab.find("Letter")

    for word in ["Ada", "parcel", "Yours"]:
        with case(word):
            [found] = texts(tab, word, within=editor)
            assert found["tag"] == "p"
            tab.call("click", element_id=found["id"])
            assert word in tab.js("getSelection().anchorNode.textContent")


SAME = {
    "Don't ask": "Don\u2019t ask",
    '"Best" of': "\u201cBest\u201d of",
    "Paris-Rome": "Paris\u2013Rome",
    "Room 12": "Room \uff11\uff12",
    "istanbul": "\u0130STANBUL",
    "strasse": "Stra\u00dfe",
    "Caf\u00e9": "Cafe\u0301",
    "1/2 o'clock": "\u00bd o\u02bcclock",
}
"""Texts as people type them, and as pages write them."""


@pytest.mark.parametrize("tag", ["p", "button", "option"])
def test_texts_are_compared_as_people_read_them(tab: Tab, tag: str) -> None:
    items = "".join(f"<{tag}>{written}</{tag}>" for written in SAME.values())
    tab.open(f"<select aria-label=Choice>{items}</select>" if tag == "option" else items)

    for typed, written in SAME.items():
        with case(typed):
            if tag == "option":
                tab.call("select", element_id=tab.find("Choice"), value=typed)
                assert tab.js("document.querySelector('select').value") == written
            else:
                assert tab.call("find", text=typed)
                if typed not in {"istanbul", "strasse"}:  # wait_for compares the case
                    tab.call("wait_for", text=typed)


LOG = [f"line {number:04d} compiled" for number in range(3000)]
LOG[2100] = "line 2100 ERROR linker failed"


@pytest.mark.parametrize("page", ["<pre>{0}</pre>", "<div>{1}</div>", "<p>{0}<b>bold</b></p>"])
def test_a_long_text_is_searched_to_its_end(tab: Tab, page: str) -> None:
    tab.open("<h1>Log</h1>" + page.format("\n".join(LOG), "<br>".join(LOG)))

    [found] = texts(tab, "error  linker")

    assert "2100 ERROR linker failed" in found["text"]
    assert len(found["text"]) < 300


SOLD = "<style>.s::after { content: ' sold out' }</style><p class=s>Lamp</p>"


@pytest.mark.parametrize("around", ["{}", "<p><template shadowrootmode=open>{}"])
def test_a_text_of_style_sheets_is_found_and_awaited(tab: Tab, around: str) -> None:
    tab.open(around.replace("{}", SOLD))

    for text in ("sold out", "Lamp sold out"):
        assert [found["text"] for found in texts(tab, text)] == ["Lamp sold out"]
        tab.call("wait_for", text=text)
        tab.refused("wait_for", text_gone=text, timeout=100)


DOCUMENTS = {
    "image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg'><text y='9'>Hall</text></svg>",
    "application/xml": "<rss><item><title>Hall</title></item></rss>",
    "text/plain": "line\n" * 5000 + "Hall",
}


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_documents_without_html_are_read_and_searched(tab: Tab, kind: str) -> None:
    tab.open(tab.web.publish(Response(DOCUMENTS[kind], media_type=kind)))

    assert [found["text"].endswith("Hall") for found in texts(tab, "hall")] == [True]
    assert "Hall" in tab.reply("observe", grep="Hall", answers="text").text


LONG = "word " * 4_000
LONG_TEXTS = f"""<p>{LONG}needle in a paragraph {LONG}</p>
<button>{LONG}needle on a button {LONG}</button>
<textarea aria-label=Notes>{LONG}needle in a field {LONG}</textarea><a id=a download>Save needle</a>
<script>a.href = 'data:text/csv,' + '1,2,3%0A'.repeat(150000)</script>"""


def test_long_texts_are_cut_around_the_match(tab: Tab) -> None:
    tab.open(LONG_TEXTS)
    for answers in ["text", "json"]:
        for tool, arguments in [
            ("find", {"text": "Needle"}),
            ("observe", {"grep": "needle"}),
            ("observe", {"grep": "n.{2}dle [io]n a"}),
        ]:
            with case(answers, tool, arguments):
                [answer, *_] = tab.reply(tool, answers=answers, **arguments).texts
                assert len(answer) < 4_000
                for place in ["in a paragraph", "on a button", "in a field"]:
                    assert f"needle {place}" in answer
                assert "…" in answer


DEEP = """<script>let inner = document.body; for (let n = 0; n < 700; n++)
  inner = inner.appendChild(document.createElement('div'));
inner.innerHTML = 'Lost needle <button>Lost</button>'</script>"""


def test_an_empty_result_mentions_the_parts_that_are_left_out(tab: Tab) -> None:
    for page, mentioned in [
        ("<details><summary>More</summary>Lost needle</details>", "Only hidden text has it"),
        ("<p style=font-size:0>Lost needle</p>", "Only hidden text has it"),
        (DEEP, "below 600 levels"),
        ("<p>Found</p><script>// Lost needle</script>", None),
    ]:
        with case(page):
            tab.open(page)
            answer = "\n".join(tab.reply("find", text="lost needle", answers="text").texts)
            assert answer.startswith("no elements found")
            assert mentioned in answer if mentioned else answer == "no elements found"
