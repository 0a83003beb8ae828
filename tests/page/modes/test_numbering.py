"""Numbers of items in the mode content."""

import pytest

from tests.page.modes.contents import lines, markdown
from tests.page.modes.documents import Element, el, heading


@pytest.mark.parametrize(
    ("items", "facts", "expected"),
    [
        ([el("li", "a"), el("li", "b", number=5), el("li", "c")], {}, "1. a\n5. b\n6. c"),
        ([el("li", "a"), el("li", "b")], {"reversed": 1}, "2. a\n1. b"),
        ([el("li", "a"), el("li", "b")], {"reversed": 1, "start": 9}, "9. a\n8. b"),
        ([el("li", "a"), el("li", "b")], {"start": 7}, "7. a\n8. b"),
        ([el("li", "a"), el("li"), el("li", "c")], {"start": 0}, "0. a\n2. c"),
    ],
    ids=["value", "reversed", "both", "start", "empty item"],
)
def test_items_have_the_numbers_of_the_page(
    items: list[Element], facts: dict[str, int], expected: str
) -> None:
    listing = el("ol", *items, **facts)

    assert markdown(listing) == expected
    assert [line.strip().replace('"', "") for line in lines(listing)[1:]] == expected.split("\n")


def row(*cells: "Element | str", tag: str = "td") -> Element:
    return el("tr", *(el(tag, cell) for cell in cells))


CODE = el("pre", "ls\n-l")


def test_code_and_headings_are_allowed_in_cells() -> None:
    expected = "| Cmd | What |\n| --- | --- |\n| `ls -l` | List |"

    assert markdown(el("table", row("Cmd", "What", tag="th"), row(CODE, heading(4, "List")))) == (
        expected
    )


@pytest.mark.parametrize(
    "table",
    [
        el("table", row(heading(1, "Title"), "menu")),
        el("table", row(heading(1, "Title"), "menu"), row("x" * 301, "y")),
        el("table", el("tr", el("td", heading(1, "Title"))), row("text", "more")),
    ],
    ids=["one row", "long text", "one column"],
)
def test_a_layout_table_is_not_a_table(table: Element) -> None:
    assert markdown(table).startswith("# Title\n\n")
