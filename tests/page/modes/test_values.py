"""The values of controls in the mode content, and its long tables, lists and blocks."""

import re

import pytest

from charlotte.page.modes.content import block_texts
from tests.page.modes.contents import lines, markdown, text
from tests.page.modes.documents import Element, document, el


def field(value: str, tag: str = "input", **facts: object) -> Element:
    role = "combobox" if tag == "select" else "textbox"
    return el(tag, role=role, **({"value": value} if value else {}), **facts)


def box(checked: object, tag: str = "input", *inside: str, **facts: object) -> Element:
    return el(tag, *inside, role="checkbox", checked=checked, **facts)


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (("Quantity", field("3"), "of ", field("red", "select")), "Quantity 3 of red"),
        (("Name", field(""), "!"), "Name !"),
        (("Notes", field("one\ntwo", "textarea")), "Notes one\ntwo"),
        (("Name", field("Bob", block=1)), "Name\n\nBob"),
        ((el("input", role="button", name="Send", type="submit"),), "Send"),
        ((el("div", "Free ", el("b", "text"), editable=1),), "Free **text**"),
    ],
    ids=["in a line", "empty", "text area", "block", "button", "editor"],
)
def test_a_value_is_at_its_control(inside: tuple[Element | str, ...], expected: str) -> None:
    assert markdown(*inside) == expected


def test_checkboxes_in_items_make_a_task_list() -> None:
    items = [el("li", box(1), " done"), el("li", el("label", box(0), "open")), el("li", "text")]
    output = markdown(el("ul", *items))

    assert output == "- [x] done\n- [ ] open\n- text"
    assert lines(el("ul", *items))[1:] == ['    - "[x] done"', '    - "[ ] open"', '    - "text"']
    assert markdown(box("mixed", "span", "some"), box(1, "div", "all", block=1)) == (
        "[-] some\n\n[x] all"
    )


def test_values_are_returned_in_table_cells() -> None:
    cells = [el("td", "name"), el("td", field("Bob")), el("td", field("a\nb", "textarea"))]

    assert lines(el("table", el("tr", *cells)))[1:] == ['    - "name | Bob | a b"']


def test_checkboxes_and_values_do_not_count_as_words() -> None:
    page = document(el("p", box(0), "open ", field("x")))

    assert "words=2" in text(page)
    assert list(block_texts(page)) == ["open"]


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
