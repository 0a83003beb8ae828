"""Mode outline, and paths of parts."""

import pytest

from charlotte.page.modes.lines import Grep, filter_output, format_lines, take_lines
from charlotte.page.modes.listings import outline
from charlotte.page.modes.survey import Survey, find_paths
from tests.page.modes.documents import Element, document, el, heading, link


def text(survey: Survey) -> str:
    output = outline(survey)
    return format_lines(output.header, output.lines, output.notes, {})


def lines(survey: Survey) -> list[str]:
    return text(survey).split("\n")[3:]


def words(count: int) -> str:
    return "word " * count


def paragraph(*inside: "Element | str") -> Element:
    return el("p", *inside)


def page_of_the_document() -> Survey:
    intro = el(
        "section",
        heading(2, "Overview"),
        paragraph(words(196), *[link("x")] * 3),
        role="region",
        name="Introduction",
        id="intro",
    )
    code = el("pre", "\n".join("let" for _ in range(15)), lang="javascript")
    article = el(
        "article",
        heading(2, "Installation"),
        paragraph(words(428), *[link("x")] * 5, el("code", "x")),
        code,
        role="article",
    )
    items = el("ul", *[el("li", "item")] * 8, role="list")
    rest = [paragraph(words(90))] * 6 + [el("div", words(43), *[link("x")] * 7)]
    main = el("main", heading(1, "Getting Started"), intro, article, items, *rest, role="main")
    return document(main, url="https://example.com")


@pytest.mark.req("B-OUT-01", "B-OUT-02", "B-OUT-03", "B-OUT-04", "B-OUT-05", "B-OUT-07", "B-OUT-08")
def test_the_documented_example_is_rendered() -> None:
    assert text(page_of_the_document()) == (
        "PAGE: https://example.com | Example Page | viewport=1920x1080\n"
        "OUTLINE: landmarks=2 sections=3 headings=3 words=1250\n"
        "\n"
        "MAIN @ref:0 [1250 words, 15 links, 8 paragraphs] /main\n"
        '  HEADING level=1 "Getting Started" /main/h1\n'
        '  REGION "Introduction" @ref:1 [200 words, 3 links] /main/section#intro\n'
        '    HEADING level=2 "Overview" /main/section#intro/h2\n'
        "  ARTICLE @ref:2 [450 words, 5 links, 2 code] /main/article\n"
        '    HEADING level=2 "Installation" /main/article/h2\n'
        "    CODE [javascript, 15 lines] /main/article/pre\n"
        "  LIST [8 items] /main/ul"
    )


@pytest.mark.req("B-GREP-06")
def test_grep_keeps_the_lines_that_match() -> None:
    output = filter_output(outline(page_of_the_document()), Grep(pattern="article"))

    assert format_lines(output.header, output.lines, output.notes, {}).split("\n")[1:] == [
        "OUTLINE: landmarks=2 sections=3 headings=3 words=1250 grep=article matches=3",
        "",
        "  ARTICLE @ref:2 [450 words, 5 links, 2 code] /main/article",
        '    HEADING level=2 "Installation" /main/article/h2',
        "    CODE [javascript, 15 lines] /main/article/pre",
    ]


@pytest.mark.parametrize(
    ("section", "output"),
    [
        (el("section", heading(2, "First"), id="a-b"), 'REGION "First" @ref:0 [1 words]'),
        (el("section", "text", id="a-b"), 'REGION "a b" @ref:0 [1 words]'),
        (el("div", words(51), cls="sidebar"), 'REGION "sidebar" @ref:0 [51 words]'),
    ],
)
def test_nameless_sections_use_their_heading_id_or_class(section: Element, output: str) -> None:
    assert lines(document(section))[0].startswith(output)


def named(number: int) -> str:
    return f"Part {number} of what is output here"


@pytest.mark.parametrize(
    "parts",
    [
        [heading(2, named(n)) for n in range(100)],
        [el("section", heading(2, named(n)), words(20), id=f"section-{n}") for n in range(120)],
    ],
)
def test_an_outline_without_sections_is_cut_at_its_budget(parts: list[Element]) -> None:
    output = outline(document(el("main", heading(1, "Top"), *parts, role="main")))

    assert len(output.lines) > len(parts)
    shown, _ = take_lines(output.header, output.lines, output.longest)
    assert 5_300 < len(format_lines(output.header, shown, (), {})) <= 5_500


@pytest.mark.req("B-OUT-06")
def test_a_section_without_sections_counts_its_items() -> None:
    items = el("ol", el("li", "one"), el("li", "two"), role="list")

    assert lines(document(el("main", items, role="main"))) == [
        "MAIN @ref:0 [2 words, 2 items] /main",
        "  LIST [2 items] /main/ol",
    ]


def path(element: Element) -> str:
    page = document(element)
    [*_, last] = page.elements()
    return find_paths(page)[last.nid]


@pytest.mark.parametrize("given", ["1st", "a b", "x" * 30, "ü"])
def test_an_unusual_id_does_not_mark_a_step(given: str) -> None:
    assert path(el("main", id_=given)) == "/main"


def test_a_meaningful_class_marks_a_step_without_id() -> None:
    assert path(el("div", el("a"), cls="sidebar")) == "/div.sidebar/a"


def test_paths_have_at_most_six_steps() -> None:
    element = el("a")
    for tag in ["li", "ul", "nav", "header", "section", "main"]:
        element = el(tag, element)

    assert path(element) == "/section/header/nav/ul/li/a"


def test_the_path_of_a_part_includes_its_ancestors() -> None:
    page = document(el("a"), steps=[{"tag": "main"}, {"tag": "div"}, {"tag": "ul", "nth": 2}])
    [*_, last] = page.elements()

    assert find_paths(page)[last.nid] == "/main/ul[2]/a"
