"""Tables in the mode content."""

import pytest

from tests.page.modes.contents import lines, markdown
from tests.page.modes.documents import Element, el


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
