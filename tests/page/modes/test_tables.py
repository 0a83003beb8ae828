"""Tables in the mode content."""

import re

import pytest

from charlotte.page.modes.content import block_texts
from tests.page.modes.contents import lines, markdown, text
from tests.page.modes.documents import Element, document, el


def row(*cells: "str | Element", tag: str = "td") -> Element:
    return el("tr", *(el(tag, cell) if isinstance(cell, str) else cell for cell in cells))


def cell(text: str, *, rows: int = 1, columns: int = 1) -> Element:
    return el("td", text, rows=rows, columns=columns)


HEAD = row("Country", "City", "Pop", tag="th")


def test_spans_keep_other_cells_in_their_columns() -> None:
    table = el(
        "table",
        HEAD,
        row(cell("France", rows=2), "Paris", "2.1M"),
        row("Lyon", "0.5M"),
        row(cell("Total", columns=2), "2.6M"),
    )

    assert markdown(table).split("\n")[2:] == [
        "| France | Paris | 2.1M |",
        "| France | Lyon | 0.5M |",
        "| Total |  | 2.6M |",
    ]
    assert lines(table)[-2:] == ['    - "France | Lyon | 0.5M"', '    - "Total | | 2.6M"']


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([row(cell("a", rows=0), "b"), row("c"), row("d")], ["a | b", "a | c", "a | d"]),
        ([row("a", cell("b", rows=2), "c"), row("d", "e")], ["a | b | c", "d | b | e"]),
        ([row(cell("a", rows=2, columns=2), "b"), row("c"), HEAD], ["a | | b", "a | | c"]),
        ([row(cell("a", rows=9))], ["a"]),
        ([row(cell("a", rows=3), "b"), row(), row("c")], ["a | b", "a | c"]),
        ([row(cell("a" * 101, rows=2), "b"), row("c")], [f"{'a' * 101} | b", "| c"]),
    ],
    ids=["to the end", "in the middle", "both", "beyond the last", "row of none", "long"],
)
def test_cells_over_rows_are_repeated_in_each(rows: list[Element], expected: list[str]) -> None:
    output = [line.strip("- ").strip('"').strip() for line in lines(el("table", *rows))[1:]]

    assert output[: len(expected)] == expected


def test_columns_without_the_start_of_a_cell_are_left_out() -> None:
    wide = el("table", row(cell("a", rows=65_534, columns=1_000), "b"), row("c"))

    assert markdown(wide) == "| a | b |\n| --- | --- |\n| a | c |"


def by_role(role: str, *cells: "str | Element") -> Element:
    """Return a row that is one by its roles."""
    return el("div", *(el("span", one, role=role) for one in cells), role="row")


GRIDDED = [
    by_role("columnheader", "A", "B"),
    by_role("gridcell", "1", ""),
    by_role("cell", "", "x"),
]


@pytest.mark.parametrize(
    "rows",
    [
        GRIDDED,
        [el("div", *GRIDDED)],
        [el("div", GRIDDED[0], role="rowgroup"), el("section", *GRIDDED[1:], role="rowgroup")],
        [el("div", *(el("div", el("b", *row[2]), role="row") for row in GRIDDED))],
    ],
    ids=["rows", "wrapped", "groups", "wrapped cells"],
)
@pytest.mark.parametrize("role", ["table", "grid", "treegrid"])
def test_an_aria_table_is_read_as_a_table(rows: list[Element], role: str) -> None:
    assert markdown(el("div", *rows, role=role)).split("\n") == [
        "| A | B |",
        "| --- | --- |",
        "| 1 |  |",
        "|  | x |",
    ]


@pytest.mark.parametrize(
    "outside",
    ["Sum", el("div", "Sum"), el("div", el("div", "Sum"), role="row")],
    ids=["text", "footer", "row without cells"],
)
def test_text_outside_of_the_cells_of_an_aria_table_is_kept(outside: str | Element) -> None:
    output = lines(el("div", *GRIDDED, outside, role="grid"))

    assert output[-1] == '  TEXT "Sum"'
    assert not any("TABLE" in line for line in output)


@pytest.mark.parametrize(
    "layout",
    [
        el("table", row("Menu", "Text"), row("a", "b"), role="presentation"),
        el("table", row("Menu", el("td", el("table", row("a", "b"), row("c", "d"))))),
        el("table", row("Menu", el("td", el("section", el("p", "Text"))))),
    ],
    ids=["by role", "with a table", "with a section"],
)
def test_a_table_that_lays_out_a_page_is_no_table_of_data(layout: Element) -> None:
    assert '  TEXT "Menu"' in lines(layout)


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
