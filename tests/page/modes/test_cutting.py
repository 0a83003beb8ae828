"""Sections that are longer than their limit."""

import re

import pytest

from tests.page.modes.contents import markdown, text
from tests.page.modes.documents import Element, document, el


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
        (el("ul", el("li", "one"), el("li", "two", items(400))), "- one"),
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


@pytest.mark.req("B-MD-04")
def test_the_word_count_is_that_of_the_returned_text() -> None:
    output = text(document(things(400)), markdown=True, max_length=200)

    words = re.findall(r"[\w.]+", output.split("-->")[2].split("<!--")[0])
    assert output.endswith(f"<!-- end: {len(words)} words extracted -->")
