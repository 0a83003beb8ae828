"""Mode structure."""

import pytest

from charlotte.page.modes.lines import format_lines
from charlotte.page.modes.listings import structure
from charlotte.page.modes.survey import Survey
from tests.page.modes.documents import Element, button, document, el, heading, link


def text(survey: Survey, **limit: int) -> str:
    output = structure(survey, **limit)
    return format_lines(output.header, output.lines, output.notes, {})


def links(count: int) -> list[Element]:
    return [link("x")] * count


def field(role: str = "textbox") -> Element:
    return el("input", role=role, name="x")


@pytest.mark.req("B-STR-01", "B-STR-02", "B-STR-03", "B-STR-04", "B-STR-05")
def test_the_documented_example_is_rendered() -> None:
    inside = [heading(1, "Welcome"), *[button("x")] * 3, *links(5)]
    banner = el("header", *inside, role="banner", name="Site Header")
    menu = el("nav", *links(8), role="navigation", name="Main Menu")
    products = el("div", el("section", heading(2, "Products")), el("section"))
    listed = el("section", *links(10), role="region", name="Product List")
    contact = el("div", listed, el("section", heading(2, "Contact")))
    form = el("form", field(), field("checkbox"), button("Send"), role="form")
    aside = [button("x")] * 2 + links(3) + [field()] * 2
    main = el("main", products, contact, form, *aside, role="main")
    footer = el("footer", *links(4), role="contentinfo", name="Footer")

    assert text(document(banner, menu, main, footer, url="https://example.com")) == (
        "PAGE: https://example.com | Example Page | viewport=1920x1080\n"
        "STRUCTURE: elements=9 maxLines=100\n"
        "\n"
        'BANNER "Site Header" [3 buttons, 5 links] /header\n'
        '  HEADING level=1 "Welcome" /header/h1\n'
        'NAVIGATION "Main Menu" [8 links] /nav\n'
        "MAIN [2 buttons, 3 links, 2 inputs] /main\n"
        '  HEADING level=2 "Products" /main/section[1]/h2\n'
        '  REGION "Product List" [10 links] /main/section[1]\n'
        '  HEADING level=2 "Contact" /main/section[2]/h2\n'
        "  FORM [2 inputs, 1 button] /main/form\n"
        'CONTENTINFO "Footer" [4 links] /footer'
    )


@pytest.mark.req("B-OPT-10", "B-STR-01", "B-STR-02")
def test_a_long_page_is_cut_at_the_budget_of_lines() -> None:
    page = document(*(heading(2, f"Number {number}") for number in range(150)))

    lines = text(page).split("\n")
    assert len(lines) == 100
    assert lines[1] == "STRUCTURE: elements=150 maxLines=100 (truncated)"
    assert 'level=2 "Number 96"' in lines[-1]
    assert text(page, max_lines=4).split("\n")[1:] == [
        "STRUCTURE: elements=150 maxLines=4 (truncated)",
        "",
        'HEADING level=2 "Number 0" /h2[1]',
    ]


def test_a_control_counts_only_in_the_innermost_section() -> None:
    inner = el("nav", link("x"), role="navigation")
    page = document(el("main", inner, link("y"), el("div", role="tab", name="z"), role="main"))

    assert text(page).split("\n")[3:] == [
        "MAIN [1 link, 1 other control] /main",
        "  NAVIGATION [1 link] /main/nav",
    ]
