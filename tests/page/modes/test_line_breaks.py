"""Line breaks and numbers of items in the text modes."""

import pytest

from charlotte.page.modes.lines import format_lines
from charlotte.page.modes.tree import tree
from tests.page.modes.contents import lines, markdown
from tests.page.modes.documents import Element, button, document, el, heading

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


def to(address: str, *inside: "Element | str", **facts: object) -> Element:
    return el("a", *inside, role="link", href=address, **facts)


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        (to("/a", "Alpha", block=1), "[Alpha](/a)"),
        (to("/a", el("div", "Alpha")), "[Alpha](/a)"),
        (to("/a", el("div", el("b", "Alpha"), " one")), "[**Alpha** one](/a)"),
        (to("/a", heading(3, "Mug"), el("div", "$12")), "### [Mug](/a)\n\n$12"),
        (to("/a", el("div", "New"), heading(3, "Mug")), "[New](/a)\n\n### Mug"),
        (to("/a", el("div", "Mug"), el("div", "$12")), "[Mug](/a)\n\n$12"),
        (to("/a", el("ul", el("li", "one"), el("li", "two"))), "- [one](/a)\n- two"),
        (to("/a", el("img", role="img", name="Home"), name="Home"), "[Home](/a)"),
        (to("/a", el("img", role="img"), name="Home", block=1), "[Home](/a)"),
    ],
    ids=["block", "around", "marked", "card", "badge", "no heading", "list", "image", "logo"],
)
def test_the_url_of_a_link_is_written_once_at_its_first_text(link: Element, expected: str) -> None:
    assert markdown(link) == expected


def test_block_links_keep_their_urls_in_tables_and_items() -> None:
    table = el("table", el("tr", el("td", to("/a", el("div", "Alpha")))))
    item = el("ul", el("li", to("/b", "Beta", block=1)))

    assert markdown(table, item) == "| [Alpha](/a) |\n| --- |\n\n- [Beta](/b)"


def test_urls_are_written_only_in_markdown_and_if_wanted() -> None:
    card = to("/a", heading(3, "Mug"), el("div", "$12"), name="Mug $12")

    assert markdown(card, links=False) == "### Mug\n\n$12"
    assert lines(card, to("/b", name="Icon", block=1)) == [
        '  HEADING level=3 "Mug"',
        '  TEXT "$12"',
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f(*args, **kws)", r"f(\*args, \*\*kws)"),
        ("2 * 3 is 2*3", r"2 * 3 is 2\*3"),
        ("__init__ and snake_case", r"\_\_init\_\_ and snake_case"),
        ("`tick`", r"\`tick\`"),
        ("[1], a[0] and [b](c)", r"[1], a[0] and [b\](c)"),
        ("[x] no box", r"\[x] no box"),
        ("<b>no tag</b> 1 < 2", r"\<b>no tag\</b> 1 < 2"),
        ("&lt; & co", r"\&lt; & co"),
        (r"C:\*.txt and C:\dir", r"C:\\\*.txt and C:\dir"),
        ("~~kept~~", r"\~~kept\~~"),
        ("===", r"\==="),
    ],
)
def test_literal_marks_are_escaped(text: str, expected: str) -> None:
    assert markdown(el("p", text)) == expected
    assert lines(el("p", text))[0].count("\\") == 2 * text.count("\\")


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (el("em", "f(*args, **kws)"), r"*f(\*args, \*\*kws)*"),
        (el("a", "a]b ", el("code", "c[0]"), href="/x"), r"[a\]b `c[0]`](/x)"),
        (el("a", el("div", r"a\]b"), href="/x", block=1), r"[a\\\]b](/x)"),
        (el("code", "a`b*c"), "``a`b*c``"),
        (el("code", "`a`"), "`` `a` ``"),
        (el("code", "*args, __init__"), "`*args, __init__`"),
        (heading(2, "__init__"), r"## \_\_init\_\_"),
    ],
    ids=["emphasis", "link", "link around", "tick", "ticks", "code", "heading"],
)
def test_marks_around_literal_marks_are_unambiguous(inside: Element, expected: str) -> None:
    assert markdown(inside) == expected


def test_spaces_separate_buttons_and_blocks_from_text() -> None:
    row: list[Element | str] = [
        "Quantity",
        button("-"),
        el("span", "3"),
        button("+"),
        button("Buy"),
    ]
    title = el("h1", el("span", "One", block=1), el("span", "two", block=1), role="heading")

    assert lines(*row) == ['  TEXT "Quantity - 3 + Buy"']
    assert lines(title) == ['  HEADING level=2 "One two"']


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ((el("mi", "x"), el("mo", "="), el("mn", "1")), "x=1"),
        ((el("mfrac", el("mn", "1"), el("mrow", el("mi", "a"), el("mi", "+"))),), "1/(a+)"),
        ((el("msup", el("mi", "e"), el("mi", "x")),), "e^x"),
        ((el("msubsup", el("mo", "∫"), el("mn", "0"), el("mn", "1")),), "∫_0^1"),
        ((el("msqrt", el("mi", "a"), el("mo", "+"), el("mi", "b")),), "√(a+b)"),
        ((el("mtable", *[el("mtr", el("mtd", "1"), el("mtd", "2"))] * 2),), "1, 2; 1, 2"),
    ],
    ids=["row", "fraction", "power", "limits", "root", "matrix"],
)
def test_a_formula_is_text_of_its_line(inside: tuple[Element, ...], expected: str) -> None:
    assert lines(el("p", "Let ", el("math", *inside), " be.")) == [f'  TEXT "Let {expected} be."']
