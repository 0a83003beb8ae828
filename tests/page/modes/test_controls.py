"""Modes interactive and all."""

import pytest

from charlotte.page.modes.lines import Grep, ModeOutput, filter_output, format_lines
from charlotte.page.modes.listings import everything, interactive, structure
from tests.page.modes.documents import Element, button, document, el, heading, link


def text(output: ModeOutput) -> str:
    return format_lines(output.header, output.lines, output.notes, {})


def lines(*inside: Element) -> list[str]:
    return [line.text for line in interactive(document(*inside)).lines]


@pytest.mark.req("B-ALL-01", "B-ALL-02", "B-FMT-01")
def test_the_documented_example_of_mode_all_is_rendered() -> None:
    hero = el("section", heading(1, "Welcome"), button("Get Started"), role="region", name="Hero")
    page = document(
        el("header", role="banner", name="Site Header"),
        el("nav", link("Home"), link("Products"), role="navigation", name="Main Menu"),
        el("main", hero, el("section"), role="main"),
    )

    assert text(everything(page)) == (
        "PAGE: https://example.com/page | Example Page | viewport=1920x1080\n"
        "ALL: elements=8 refs=8\n"
        "\n"
        'BANNER "Site Header" @ref:0 /header\n'
        'NAVIGATION "Main Menu" @ref:1 /nav\n'
        'LINK "Home" @ref:2 /nav/a[1]\n'
        'LINK "Products" @ref:3 /nav/a[2]\n'
        "MAIN @ref:4 /main\n"
        'REGION "Hero" @ref:5 /main/section[1]\n'
        'HEADING level=1 "Welcome" @ref:6 /main/section[1]/h1\n'
        'BUTTON "Get Started" @ref:7 /main/section[1]/button'
    )


@pytest.mark.req("B-INT-03", "B-INT-06")
def test_states_are_listed_if_they_are_true() -> None:
    assert lines(
        button("Send", disabled=1),
        button("Menu", expanded=True),
        button("Closed", expanded=False),
        el("div", role="checkbox", name="All", checked="mixed"),
        el("div", role="tab", name="One", selected=True),
        el("input", role="checkbox", name="Yes", required=1, disabled=1, checked=1),
    ) == [
        'BUTTON "Send" @ref:0 (disabled) /button[1]',
        'BUTTON "Menu" @ref:1 (expanded) /button[2]',
        'BUTTON "Closed" @ref:2 /button[3]',
        'CHECKBOX "All" @ref:3 (mixed) /div',
        'TAB "One" @ref:4 (selected) /div',
        'CHECKBOX "Yes" @ref:5 [required] (disabled, checked) /input',
    ]


@pytest.mark.req("B-REF-07")
def test_references_lead_to_the_elements_of_their_lines() -> None:
    output = interactive(document(link("Home"), button("Send")))

    assert [(one.nid, one.role, one.name) for one in output.targets] == [
        (2, "link", "Home"),
        (3, "button", "Send"),
    ]


PAGE = document(
    link("Mail user@example.com"), button("Submit [here]"), button("SUBMIT", disabled=1), link("$")
)


def found(**grep: object) -> list[str]:
    output = filter_output(interactive(PAGE), Grep(**grep))  # type: ignore[arg-type]
    return [line.text.split("@")[-1][4] for line in output.lines if "@ref" in line.text]


@pytest.mark.req("B-GREP-01")
def test_the_header_of_a_filtered_answer_has_a_note() -> None:
    output = filter_output(interactive(PAGE), Grep(pattern="BUTTON"))

    assert text(output) == (
        "PAGE: https://example.com/page | Example Page | viewport=1920x1080\n"
        "SNAPSHOT: elements=5 refs=4 grep=BUTTON matches=2\n"
        "\n"
        'BUTTON "Submit [here]" @ref:1 /button[1]\n'
        'BUTTON "SUBMIT" @ref:2 (disabled) /button[2]'
    )


@pytest.mark.req("B-GREP-02", "B-GREP-03", "B-GREP-04", "B-GREP-05", "B-GREP-07")
@pytest.mark.parametrize(
    ("grep", "numbers"),
    [
        ({"pattern": "Mail|here"}, "01"),
        ({"pattern": r"@ref:[12]\b"}, "12"),
        ({"pattern": "Submit"}, "1"),
        ({"pattern": "submit"}, ""),
        ({"pattern": "submit", "ignore_case": True}, "12"),
        ({"pattern": "disabled", "invert": True}, "013"),
        ({"pattern": "user@example.com", "fixed_strings": True}, "0"),
        ({"pattern": "[here]", "fixed_strings": True}, "1"),
        ({"pattern": "$", "fixed_strings": True}, "3"),
        ({"pattern": "[here"}, "1"),
    ],
)
def test_grep_keeps_lines_with_their_numbers(grep: dict[str, object], numbers: str) -> None:
    assert "".join(found(**grep)) == numbers


def test_an_invalid_expression_is_matched_literally_with_a_warning() -> None:
    assert "matched literally" in Grep(pattern="[invalid(").warnings()[0]
    assert Grep(pattern="[ok]").warnings() == []


def test_an_interactive_element_without_a_name_is_listed_with_its_text() -> None:
    page = document(
        el("div", "Open ", el("b", "all"), " settings", focusable=1),
        el("li", el("p", "One"), el("p", "Two"), focusable=1),
        el("div", "x" * 60),
        el("p", "Nothing"),
    )
    click_me = [part.nid for part in page.elements() if part.tag == "div"][1]

    output = everything(page, {click_me})
    assert [line.text for line in output.lines if "PARAGRAPH" not in line.text] == [
        'GENERIC "Open all settings" @ref:0 /div',
        'LISTITEM "One Two" @ref:1 /li',
        f'GENERIC "{"x" * 47}..." @ref:4 /div',
    ]
    assert [one.name for one in output.targets] == [""] * 6
    assert filter_output(output, Grep(pattern="x{60}")).lines


def test_hidden_elements_are_marked() -> None:
    page = document(button("Pay", hidden=1, disabled=1), heading(2, "Old", hidden=1))

    assert [line.text for line in everything(page).lines] == [
        'BUTTON "Pay" @ref:0 (disabled, hidden) /button',
        'HEADING level=2 "Old" @ref:1 (hidden) /h2',
    ]
    assert [line.text for line in structure(page).lines] == ['HEADING level=2 "Old" (hidden) /h2']
