"""Mode content as lines and as Markdown."""

import pytest

from charlotte.page.modes.content import content
from charlotte.page.modes.inline import InlineStyle
from charlotte.page.modes.lines import Grep
from charlotte.page.modes.survey import Survey
from tests.page.modes.contents import lines, markdown, text
from tests.page.modes.documents import Element, document, el, heading, link, part_of

CODE = "npm install @example/package\nnpm run build\nnpm start\n"
STEPS = ["Configure your settings", "Run the development server", "Deploy to production"]


def article() -> Survey:
    body = el(
        "article",
        heading(2, "Installation"),
        el("p", "To install the package, run the following command..."),
        el("pre", el("code", CODE, lang="bash")),
        el("ul", *(el("li", step) for step in STEPS)),
        role="article",
    )
    return document(el("main", body, role="main"), url="https://example.com")


@pytest.mark.req("B-CNT-01", "B-CNT-02", "B-CNT-03", "B-CNT-04", "B-CNT-05")
def test_the_documented_example_is_rendered_as_lines() -> None:
    assert text(article()) == (
        "PAGE: https://example.com | Example Page\n"
        "CONTENT: sections=1 words=27\n"
        "\n"
        "SECTION /main/article [27 words]\n"
        '  HEADING level=2 "Installation"\n'
        '  TEXT "To install the package, run the following command..."\n'
        "  CODE [bash, 3 lines]\n"
        "    npm install @example/package\n"
        "    npm run build\n"
        "    npm start\n"
        "  LIST [3 items]\n"
        '    - "Configure your settings"\n'
        '    - "Run the development server"\n'
        '    - "Deploy to production"'
    )


@pytest.mark.req("B-MD-01", "B-MD-02", "B-MD-03", "B-MD-04")
def test_the_documented_example_is_rendered_as_markdown() -> None:
    assert text(article(), markdown=True) == (
        "<!-- source: https://example.com -->\n"
        "<!-- xpath: /main/article -->\n"
        "\n"
        "## Installation\n"
        "\n"
        "To install the package, run the following command...\n"
        "\n"
        "```bash\n"
        "npm install @example/package\n"
        "npm run build\n"
        "npm start\n"
        "```\n"
        "\n"
        "- Configure your settings\n"
        "- Run the development server\n"
        "- Deploy to production\n"
        "\n"
        "<!-- end: 27 words extracted -->"
    )


@pytest.mark.req("B-MD-05", "B-OPT-08")
def test_links_are_written_inside_paragraphs_and_items() -> None:
    inside = [el("p", "Read ", link("this"), ", now."), el("ul", el("li", link("that")))]

    assert markdown(*inside) == (
        "Read [this](https://example.com/this), now.\n\n- [that](https://example.com/that)"
    )
    assert markdown(*inside, links=False) == "Read this, now.\n\n- that"


@pytest.mark.req("B-MD-06", "B-OPT-09")
def test_images_are_written_if_wanted() -> None:
    image = el("img", role="img", name="A cat", src="/a cat.png")

    assert markdown("Look: ", image) == "Look:"
    assert markdown("Look: ", image, images=True) == "Look: ![A cat](/a%20cat.png)"


def test_inline_markup_is_written() -> None:
    marked = el("p", el("b", "bold "), "and ", el("em", "leaning"), el("br"), el("code", "line"))

    assert markdown(marked) == "**bold** and *leaning*\n`line`"


@pytest.mark.parametrize(
    ("inside", "output"),
    [
        (["10", el("sup", "6")], "10⁶"),
        (["x", el("sup", " -2n ")], "x⁻²ⁿ"),
        (["H", el("sub", "2"), "O"], "H₂O"),
        (["1", el("sup", "st")], "1st"),
        (["log", el("sub", "b")], "logb"),
        (["a", el("sup", "")], "a"),
        (["note", el("sup", el("a", "1", href="http://a.test/"))], "note1"),
        (["so ", el("q", "they"), " say"], "so “they” say"),
    ],
)
def test_exponents_and_indexes_use_raised_and_lowered_characters(
    inside: list[str | Element], output: str
) -> None:
    assert lines(el("p", *inside)) == [f'  TEXT "{output}"']


def test_nested_lists_are_indented() -> None:
    inner = el("ol", el("li", "first"), el("li", "second"), start="3")
    outer = el("ul", el("li", "one", inner), el("li", el("p", "two"), el("p", "more")))

    assert markdown(outer) == "- one\n  3. first\n  4. second\n- two\n\n  more"
    assert text(document(outer)).split("\n")[4:] == [
        "  LIST [2 items]",
        '    - "one"',
        "      LIST [2 items]",
        '        3. "first"',
        '        4. "second"',
        '    - "two"',
        '      TEXT "more"',
    ]


def test_tables_quotes_and_definitions() -> None:
    row = [el("td", "a|b"), el("td", el("p", "c"))]
    table = el("table", el("tbody", el("tr", el("th", "X"), el("th", "Y")), el("tr", *row)))
    quote = el("blockquote", el("p", "said"), el("p", "more"))
    terms = el("dl", el("dt", "term"), el("dd", "meaning"))

    assert markdown(table, quote, terms) == (
        "| X | Y |\n| --- | --- |\n| a\\|b | c |\n\n> said\n>\n> more\n\n**term**\n\nmeaning"
    )


def test_nested_sections_are_returned_once_and_in_order() -> None:
    page = document(
        "before",
        el("main", "one ", el("section", "two", id="s"), "three", role="main"),
        el("div", "after"),
    )

    assert text(page).split("\n")[1:] == [
        "CONTENT: sections=5 words=5",
        "",
        "SECTION /body [1 words]",
        '  TEXT "before"',
        "SECTION /main [1 words]",
        '  TEXT "one"',
        "SECTION /main/section#s [1 words]",
        '  TEXT "two"',
        "SECTION /main [1 words]",
        '  TEXT "three"',
        "SECTION /body [1 words]",
        '  TEXT "after"',
    ]


@pytest.mark.req("B-OPT-07")
@pytest.mark.parametrize("as_markdown", [True, False])
def test_a_long_section_is_cut(as_markdown: bool) -> None:  # noqa: FBT001 - a parameter of the test
    page = document(el("p", "z" * 5000), el("p", "q"), el("main", "k" * 1990, role="main"))

    output = content(page, InlineStyle(markdown=as_markdown, values=True, links=True))
    shown = "\n".join(line.text for line in output.lines)
    assert (shown.count("z"), shown.count("k")) == (2000 - len("..."), 1990)
    assert "q" not in shown
    [warning] = output.warnings
    assert warning == (
        "One section was cut at max_length=2000: pass more, or the id of one section or heading "
        "as selector."
    )


TABLE = el(
    "table",
    el("thead", el("tr", el("th", "Name"), el("th", "Paid"))),
    el("tbody", el("tr", el("td", "Grace"), el("td", "yes"))),
)


@pytest.mark.parametrize(
    ("root", "expected"),
    [
        (TABLE, "| Name | Paid |\n| --- | --- |\n| Grace | yes |"),
        (TABLE[2][1], "| Grace | yes |\n| --- | --- |"),
        (TABLE[2][1][2][0], "| Grace | yes |\n| --- | --- |"),
        (el("ul", el("li", "one"), el("li", "two")), "- one\n- two"),
        (el("pre", "a\n  b"), "```\na\n  b\n```"),
        (el("blockquote", "Said."), "> Said."),
        (heading(2, "Head"), "## Head"),
        (el("div", "Free text", editable=1), "Free text"),
    ],
    ids=["table", "rows", "row", "list", "code", "quote", "heading", "editor"],
)
def test_a_control_as_root_keeps_its_form(root: Element, expected: str) -> None:
    assert expected in text(part_of(root), markdown=True)


@pytest.mark.req("B-GREP-06")
def test_grep_keeps_whole_sections_by_their_paths() -> None:
    page = document(
        el("header", "main", role="banner"), el("main", el("p", "a"), el("p", "b"), role="main")
    )

    assert text(page, Grep(pattern="MAIN", ignore_case=True)).split("\n")[1:] == [
        "CONTENT: sections=1 words=2 grep=MAIN matches=1",
        "",
        "SECTION /main [2 words]",
        '  TEXT "a"',
        '  TEXT "b"',
    ]


def test_a_pattern_that_matches_no_path_is_searched_in_the_text() -> None:
    table = el("table", *(el("tr", el("td", name), el("td", "x")) for name in ("Key", "%d", "%V")))
    page = document(
        el("header", "%V in short", role="banner"), el("main", el("p", "a"), table, role="main")
    )

    assert text(page, Grep(pattern="%V")).split("\n")[1:] == [
        "CONTENT: sections=2 words=10 grep=%V matches=2",
        "",
        "SECTION /header [3 words]",
        '  TEXT "%V in short"',
        "SECTION /main [7 words]",
        "  TABLE [2 rows]",
        '    - "Key | x"',
        '    - "%V | x"',
    ]
