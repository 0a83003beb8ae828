"""Controls stand at their place in the text of their block; a label is written once."""

import re

import pytest

from charlotte.answers.text.outline import build_outline
from tests.page.pages import Page, view_of

_ID = re.compile(r"\b((?:btn|lnk|inp|chk|rad|sel)-)\w+")
_MARK = re.compile(r"<(\d):|:(\d)>")


def marked(text: str) -> tuple[str, list[int]]:
    """Return a text without marks ``<1:…:1>`` around controls, and their numbers and places."""
    controls: dict[int, list[int]] = {}
    plain, end = "", 0
    for mark in _MARK.finditer(text):
        plain += text[end : mark.start()]
        controls.setdefault(int(mark[1] or mark[2]), []).append(len(plain))
        end = mark.end()
    return plain + text[end:], [each for nid, span in controls.items() for each in (nid, *span)]


def add_text(page: Page, text: str, parent: int = -1, **more: int) -> None:
    """Add a line with marks around its controls."""
    plain, controls = marked(text)
    page.text(plain, parent, **more, **({"controls": controls} if controls else {}))


def lines_of(page: Page) -> list[str]:
    """Return the outline; ids are cut to their prefixes."""
    outline = build_outline(view_of(page.capture()))
    return [_ID.sub(r"\1", line.written) for line in outline.lines]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Read the <1:terms:1> and go.", 'Read the lnk- "A" [shows "terms"] and go.'),
        ("A cat: <1:A:1>", 'A cat: lnk- "A"'),
        ("<1:terms:1>.", 'lnk- "A" [shows "terms"].'),
        ("<1:terms:1>", 'lnk- "A" [shows "terms"]'),
        ("jack<1:s:1>", 'jack lnk- "A"'),
        ("Title<1::1>", 'Title lnk- "A"'),
        ("<1::1>Title", 'lnk- "A" Title'),
    ],
)
def test_a_control_replaces_its_visible_text(text: str, line: str) -> None:
    page = Page()
    add_text(page, text)
    page.link("A")
    assert lines_of(page) == [line]


def test_a_control_in_two_lines_is_written_in_the_first_one() -> None:
    page = Page()
    add_text(page, "See <1:the long:1>")
    add_text(page, "<1:terms:1> now")
    page.link("the long terms")
    assert lines_of(page) == ['See lnk- "the long terms"', "now"]
    page.rows[1] = [0, -1, "text", "terms", 0, {"k": "t", "controls": [1, 0, 5]}]
    assert lines_of(page) == ['See lnk- "the long terms"']


def test_a_control_in_a_control_is_written_below_it() -> None:
    page = Page()
    add_text(page, "<1:all <2:this:2>:1> more")
    tab = page.button("all this")
    page.link("this", parent=tab)
    assert lines_of(page) == ['btn- "all this" more', '  lnk- "this"']


def test_a_control_that_the_probe_did_not_place_follows_the_text() -> None:
    page = Page()
    add_text(page, "Read the terms")
    page.link("terms")
    assert lines_of(page) == ["Read the terms", 'lnk- "terms"']


def test_controls_keep_their_place_in_cells_items_and_headings() -> None:
    page = Page()
    row = page.part("row", page.part("table", nid=90), nid=91)
    add_text(page, "Silent Tide", row, cell=0)
    add_text(page, "by <1:Ann:1>", row, cell=1)
    page.link("Ann Lee", parent=row, cell=1)
    item = page.part("item", page.part("list", nid=92), nid=93)
    add_text(page, "See <2:there:2>", item)
    page.link("there", parent=item)
    heading = page.add("h", "heading", "History [edit]", level=2, nid=94)
    add_text(page, "History[<3:edit:3>]", heading)
    page.link("edit", parent=heading)
    assert lines_of(page) == [
        '| Silent Tide | by lnk- "Ann Lee"',
        '* See lnk- "there"',
        '## History[ lnk- "edit"]',
    ]


def test_a_heading_of_several_lines_keeps_the_rest_of_its_text() -> None:
    page = Page()
    heading = page.add("h", "heading", "New boots in stock", level=2, nid=90)
    add_text(page, "New", heading)
    add_text(page, "<1:boots:1>", heading)
    add_text(page, "in stock", heading)
    page.link("boots", parent=heading)
    assert lines_of(page) == ['## New lnk- "boots" in stock']


@pytest.mark.parametrize(
    ("texts", "name", "line"),
    [
        (["Name<1::1>"], "Name", 'inp- "Name"'),
        (["<1::1>Name"], "Name", 'inp- "Name"'),
        (["Name", "<1::1>"], "Name", 'inp- "Name"'),
        (["<1::1>", "Name"], "Name", 'inp- "Name"'),
        (["Name:<1::1>"], "Name", 'inp- "Name"'),
        (["Name", "<1::1>"], "Name *", 'inp- "Name *"'),
        (["<1::1>Name kg"], "Name", 'inp- "Name" Name kg'),
        (["Names<1::1>"], "Name", 'Names inp- "Name"'),
    ],
)
def test_a_label_is_written_as_the_name_of_its_field(
    texts: list[str], name: str, line: str
) -> None:
    page = Page()
    for text in texts:
        if text != "<1::1>":
            add_text(page, text)
        if "<1::1>" in text:
            page.field(name)
    assert lines_of(page) == [line]


def test_links_of_a_label_stay_beside_the_field() -> None:
    page = Page()
    add_text(page, "<1::1>I accept the <2:terms:2>.")
    page.add("i", "checkbox", "I accept the terms.", tag="input", type="checkbox")
    page.link("terms")
    assert lines_of(page) == ['chk- "I accept the terms." [ ] lnk- "terms"']


def test_a_label_that_the_name_continues_with_the_value_is_written_once() -> None:
    page = Page()
    page.text("Where?")
    page.add("i", "combobox", "Where? Here", tag="button", value="Here")
    assert lines_of(page) == ['sel- "Where? Here" [= "Here"]']


def test_a_control_before_the_text_that_contains_it_is_written_once() -> None:
    page = Page()
    page.button("A")
    page.text("nothing")
    add_text(page, "<1:A:1> Go")
    assert lines_of(page) == ['btn- "A"', "nothing", "Go"]


def test_a_control_in_another_one_is_below_it_also_if_the_block_has_later_lines() -> None:
    page = Page()
    add_text(page, "<1:MM:1>")
    add_text(page, "<3:YYYY:3>")
    outer = page.button("MM")
    page.field("Month", parent=outer)
    page.field("Year")
    assert lines_of(page) == ['btn- "MM"', '  inp- "Month"', 'inp- "Year" [shows "YYYY"]']
