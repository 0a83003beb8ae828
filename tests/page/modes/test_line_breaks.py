"""Line breaks and numbers of items in the text modes."""

import pytest

from charlotte.page.modes.lines import format_lines
from charlotte.page.modes.tree import tree
from tests.page.modes.contents import lines, markdown
from tests.page.modes.documents import Element, document, el, heading

POEM = el("p", "one  1\ntwo", el("br"), "three")


def test_line_breaks_in_text_are_kept() -> None:
    output = tree(document(POEM))

    assert markdown(POEM) == "one 1\ntwo\nthree"
    assert lines(POEM) == ['  TEXT "one 1"', '  TEXT "two"', '  TEXT "three"']
    assert format_lines((), output.lines, (), {}).split("\n")[1:] == [
        '  - paragraph "one 1"',
        '    - text "two"',
        '    - text "three"',
    ]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (el("code", "def f():\n    return 1", block=1), "```\ndef f():\n    return 1\n```"),
        (el("p", "so ", el("code", "a\n  b")), "so\n\n```\na\n  b\n```"),
        (el("pre", "a", el("br"), "b"), "```\na\nb\n```"),
        (el("pre", el("div", "a"), el("div", "b"), "c\n"), "```\na\nb\nc\n```"),
        (el("pre", el("div", "a\n"), "\n", el("div", "b")), "```\na\n\nb\n```"),
        (el("code", "make", block=1), "`make`"),
    ],
    ids=["block", "in a line", "br", "blocks", "blocks with line ends", "one line"],
)
def test_code_keeps_its_lines(code: Element, expected: str) -> None:
    assert markdown(code) == expected


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
