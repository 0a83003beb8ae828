"""Sections that are longer than wanted: whole rows and items are told, and how many words."""

import re

import pytest

from tests.page.modes.contents import markdown, text
from tests.page.modes.documents import Element, document, el, heading, link


def things(count: int) -> Element:
    rows = (el("tr", el("td", f"Thing {n}"), el("td", f"{n}.99")) for n in range(count))
    return el("table", el("tr", el("th", "Name"), el("th", "Price")), *rows)


def items(count: int) -> Element:
    return el("ul", *(el("li", f"item {n}") for n in range(count)))


def test_of_a_long_table_the_first_rows_are_told_whole() -> None:
    told = markdown(el("p", "Things:"), things(400), "after", max_length=200)

    rows = told.split("\n\n")[1].split("\n")[2:]
    assert told.startswith("Things:\n\n| Name | Price |\n| --- | --- |\n| Thing 0 | 0.99 |\n")
    assert rows == [f"| Thing {n} | {n}.99 |" for n in range(len(rows))]
    assert 200 - len("| Thing 10 | 10.99 |") <= len(told) <= 200 + len("\n\n")
    assert "after" not in told


def test_of_a_long_list_the_first_items_are_told_whole() -> None:
    told = markdown(items(400), max_length=100).split("\n")

    assert told == [f"- item {n}" for n in range(len(told))]
    assert len(told) >= 8


@pytest.mark.parametrize(
    ("long", "expected"),
    [
        (el("ul", el("li", "one", items(400))), "- one\n  - item 0\n  - item 1\n"),
        (el("ul", el("li", "one"), el("li", "two", items(400))), "- one\n- two\n  - item 0\n"),
        (el("blockquote", items(400)), "> - item 0\n> - item 1\n"),
        (el("ul", el("li", "z" * 200)), f"- {'z' * 94}..."),
        (el("table", el("tr", el("td", "z" * 200))), f"{'z' * 97}..."),
    ],
    ids=["list in a list", "in a later item", "quote", "long item", "long row"],
)
def test_what_is_long_is_cut_in_the_innermost(long: Element, expected: str) -> None:
    told = markdown(long, max_length=100)

    assert told.startswith(expected)
    assert len(told) <= 130


CODE = el("code", "a = b")
IMAGE = el("img", role="img", name="Cat", src="/c.png")
PICTURED = el("a", IMAGE, role="link", name="Cat", href="/cat" + "s" * 30)

WHOLE = {
    "link": link("this"),
    "code": CODE,
    "image": IMAGE,
    "pictured": PICTURED,
}


@pytest.mark.parametrize("kind", WHOLE)
@pytest.mark.parametrize("room", range(4, 60))
def test_no_markup_is_cut_off_before_its_end(kind: str, room: int) -> None:
    read = el("p", "Read ", WHOLE[kind], ", now and later.")
    text = markdown(read, images=True)

    told = markdown(read, images=True, max_length=room)

    shown, dots = (told, "") if room >= len(text) else (told[:-3], told[-3:])
    marked = text.removeprefix("Read ").removesuffix(", now and later.")
    assert dots in {"", "..."}
    assert text.startswith(shown)
    assert len(told) <= room
    assert marked in shown or shown in "Read "


def test_no_escape_is_cut_off_from_what_it_escapes() -> None:
    cuts = [markdown(el("p", "a*b*c*d*e"), max_length=room) for room in range(4, 12)]

    assert cuts[1:4] == ["a...", r"a\*...", r"a\*b..."]
    assert not any("\\..." in cut for cut in cuts)


def coded(text: str) -> Element:
    return el("a", el("code", text), role="link", name=text, href="/" + "x" * 30)


@pytest.mark.parametrize(
    ("long", "expected"),
    [
        (link("word " * 20), "word word word word w..."),
        (el("code", "word " * 20), "word word word word w..."),
        (link("Home", title="x" * 30), "Home..."),
        (coded("Home"), "`Home`..."),
        (coded("word " * 20), "word word word word w..."),
        (PICTURED, "Cat..."),
        (heading(2, "Part"), "## Part"),
    ],
)
def test_of_long_markup_what_is_marked_up_is_told(long: Element, expected: str) -> None:
    assert markdown(el("p", long), max_length=24, images=True) == expected


def test_a_text_of_brackets_is_cut_in_no_time() -> None:
    told = markdown(el("p", "[![" * 1_000_000), max_length=1_000)

    assert len(told) == 1_000


@pytest.mark.req("B-MD-04")
def test_the_words_at_the_end_are_those_that_were_told() -> None:
    told = text(document(things(400)), markdown=True, max_length=200)

    words = re.findall(r"[\w.]+", told.split("-->")[2].split("<!--")[0])
    assert told.endswith(f"<!-- end: {len(words)} words extracted -->")
