"""Lists, errors and images in the text form, as a client gets them."""

import re
from typing import Any

import pytest

from tests.whole.tabs import Tab, eventually

pytestmark = pytest.mark.chromium

SHOP = """<h1>Books</h1>
<table><tr><td>Silent Tide<td><button>Order</button>
<tr><td>Low Water<td><button>Order</button></table>
<label>Town <input value="Ely"></label><a href="/next?a=b">Next page</a><p>Two books in stock</p>"""


def lines_of(tab: Tab, tool: str, /, **arguments: Any) -> list[str]:
    [text] = tab.reply(tool, answers="text", **arguments).texts
    return text.split("\n")


def rest_of(tab: Tab, cut: str) -> list[str]:
    parts: list[str] = []
    while found := re.search(r'observe{cursor: "(.+)"', cut):
        texts = tab.reply("observe", cursor=found[1], answers="text").texts
        parts.append(texts[0])
        cut = texts[-1]
    return parts


def test_tabs_are_one_line_each(tab: Tab) -> None:
    tab.open(SHOP)
    [text] = tab.server.call("tabs", answers="text").texts
    assert re.fullmatch(rf'{tab.id} "Written" http://\S+ \[active\]', text)


def test_the_rest_of_a_long_page_comes_in_parts_of_the_same_size(tab: Tab) -> None:
    first = lines_of(tab, "navigate", url=tab.web.url("/table.html?rows=500"))
    said = re.fullmatch(r'! about ([\d,]+) characters are cut: .*cursor: "(.+)"}', first[-1])
    assert said is not None

    parts = rest_of(tab, first[-1])

    assert all(len(part) <= 4_000 for part in parts)
    rows = [line for part in parts for line in part.split("\n")]
    titles = [found[1] for line in rows if (found := re.search(r"\| (Book \d+) \|", line))]
    assert titles == [f"Book {number}" for number in range(501 - len(titles), 501)]
    size = sum(len(line) + 1 for line in rows)
    assert abs(int(said[1].replace(",", "")) - size) < 0.01 * size
    whole = tab.reply("observe", cursor=said[2], max_chars=40_000, answers="text").text
    assert len(whole) > 30_000


def test_a_long_line_comes_in_parts_that_fit(tab: Tab) -> None:
    words = " ".join([*map(str, range(5_000)), "x" * 5_000])
    tab.open(f"<p>{words}</p>")
    assert len(tab.reply("observe", max_chars=1_000, answers="text").text) <= 1_000
    first, cut = tab.reply("observe", format="html", max_chars=2_000, answers="text").texts
    parts = [first, *rest_of(tab, cut)]
    assert max(map(len, parts)) <= 2_000
    assert words in "".join(parts).replace("……", "")


def test_find_returns_controls_as_lines(tab: Tab) -> None:
    tab.open(SHOP)
    assert [line.partition(" ")[2] for line in lines_of(tab, "find", text="Order")] == [
        '"Order" [in row "Silent Tide"]',
        '"Order" [in row "Low Water"]',
    ]
    [town] = lines_of(tab, "find", type="text_input")
    assert re.fullmatch(r'inp-\w+ "Town" \[= "Ely"\]', town)
    [following] = lines_of(tab, "find", role="link")
    assert re.fullmatch(r'lnk-\w+ "Next page" \[-> /next\?a=b\]', following)


def test_find_returns_other_places_with_the_text_as_lines(tab: Tab) -> None:
    tab.open(SHOP)
    assert lines_of(tab, "find", text="nowhere") == ["no elements found"]
    none, head, text = lines_of(tab, "find", text="in stock")
    assert (none, head) == ("no elements found", "! other places with the text:")
    assert re.fullmatch(r'dom-\w+ ".*in stock.*" \[p.*, under "Books"\]', text)


def test_the_console_is_one_line_for_each_message(tab: Tab) -> None:
    tab.open("<script>console.log('one\\ntwo'); console.error('three')</script>")
    first, second = lines_of(tab, "console")
    assert re.fullmatch(r"\[log \d\d:\d\d:\d\d\.\d{3}\] one two", first)
    assert re.fullmatch(r"\[error .*\] three", second)
    assert lines_of(tab, "console", limit=1)[0].startswith('… 1 earlier messages: cursor "')
    tab.call("console", clear=True)
    assert lines_of(tab, "console") == ["no messages"]


def test_requests_are_one_line_each(tab: Tab) -> None:
    tab.open("<script>fetch('/missing?a=b')</script>")
    eventually(lambda: tab.call("requests", failed=True)["requests"])
    [failed] = lines_of(tab, "requests", failed=True)
    assert re.fullmatch(r"\d+ GET 404 http://\S+/missing\?a=b \(fetch.*\)", failed)
    number = int(failed.split()[0])
    assert tab.call("requests", id=number, answers="text")["status"] == 404


def test_a_dialog_that_blocks_the_page_is_a_line(tab: Tab) -> None:
    tab.open("<button onclick=\"alert('Saved\\nnow')\">Save</button>")
    save = tab.find("Save")
    [text] = tab.reply("click", element_id=save, answers="text").texts
    header, dialog = text.split("\n")
    assert header.startswith(f'{tab.id} "Written" http://')
    assert dialog.startswith('! alert dialog "Saved\\nnow" blocks the page')
    [found] = tab.reply("find", text="Save", answers="text").texts
    assert found == text
    [handled] = tab.reply("dialog", accept=True, answers="text").texts
    assert handled.split("\n")[-1] == '! alert dialog "Saved\\nnow" accepted'


def test_a_screenshot_is_described_by_a_line(tab: Tab) -> None:
    tab.open(SHOP)
    assert tab.reply("screenshot", answers="text").texts == ["screenshot 1280x720 png"]
