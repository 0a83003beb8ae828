"""Sections that are longer than their limit."""

import re

import pytest

from tests.page.modes.contents import markdown, text
from tests.page.modes.documents import Element, document, el, heading, link


def things(count: int) -> Element:
    rows = (el("tr", el("td", f"Thing {n}"), el("td", f"{n}.99")) for n in range(count))
    return el("table", el("tr", el("th", "Name"), el("th", "Price")), *rows)


def items(count: int) -> Element:
    return el("ul", *(el("li", f"item {n}") for n in range(count)))


def test_a_long_table_keeps_its_first_rows() -> None:
    output = markdown(el("p", "Things:"), things(400), "after", max_length=200)

    rows = output.split("\n\n")[1].split("\n")[2:]
    assert output.startswith("Things:\n\n| Name | Price |\n| --- | --- |\n| Thing 0 | 0.99 |\n")
    assert rows == [f"| Thing {n} | {n}.99 |" for n in range(len(rows))]
    assert 200 - len("| Thing 10 | 10.99 |") <= len(output) <= 200 + len("\n\n")
    assert "after" not in output


def test_a_long_list_keeps_its_first_items() -> None:
    output = markdown(items(400), max_length=100).split("\n")

    assert output == [f"- item {n}" for n in range(len(output))]
    assert len(output) >= 8


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
def test_long_blocks_are_cut_in_the_innermost_block(long: Element, expected: str) -> None:
    output = markdown(long, max_length=100)

    assert output.startswith(expected)
    assert len(output) <= 130


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

    output = markdown(read, images=True, max_length=room)

    shown, dots = (output, "") if room >= len(text) else (output[:-3], output[-3:])
    marked = text.removeprefix("Read ").removesuffix(", now and later.")
    assert dots in {"", "..."}
    assert text.startswith(shown)
    assert len(output) <= room
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
def test_cut_markup_keeps_its_text(long: Element, expected: str) -> None:
    assert markdown(el("p", long), max_length=24, images=True) == expected


@pytest.mark.req("B-MD-04")
def test_the_word_count_is_that_of_the_returned_text() -> None:
    output = text(document(things(400)), markdown=True, max_length=200)

    words = re.findall(r"[\w.]+", output.split("-->")[2].split("<!--")[0])
    assert output.endswith(f"<!-- end: {len(words)} words extracted -->")
