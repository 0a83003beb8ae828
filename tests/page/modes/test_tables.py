"""Tables in the mode content: each value stands under the heading of its column."""

import pytest

from tests.page.modes.contents import lines, markdown, text
from tests.page.modes.documents import Element, document, el


def row(*cells: "str | Element", tag: str = "td") -> Element:
    return el("tr", *(el(tag, cell) if isinstance(cell, str) else cell for cell in cells))


def cell(text: str, *, rows: int = 1, columns: int = 1) -> Element:
    return el("td", text, rows=rows, columns=columns)


HEAD = row("Country", "City", "Pop", tag="th")


def test_cells_over_rows_and_columns_move_no_other_under_a_wrong_heading() -> None:
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
def test_a_cell_over_several_rows_is_told_in_each(rows: list[Element], expected: list[str]) -> None:
    told = [line.strip("- ").strip('"').strip() for line in lines(el("table", *rows))[1:]]

    assert told[: len(expected)] == expected


def test_a_cell_ends_with_the_group_of_rows_it_is_in() -> None:
    head = el("thead", row(cell("a", rows=5), "b"))
    body = el("tbody", row("c", "d"))

    assert lines(el("table", head, body))[1:] == ['    - "a | b"', '    - "c | d"']


def test_columns_in_which_no_cell_begins_are_not_told() -> None:
    wide = el("table", row(cell("a", rows=65_534, columns=1_000), "b"), row("c"))

    assert markdown(wide) == "| a | b |\n| --- | --- |\n| a | c |"


def test_an_empty_cell_counts_as_no_word() -> None:
    table = el("table", row("a", "", "", "b"))

    assert "CONTENT: sections=1 words=2" in text(document(table))
