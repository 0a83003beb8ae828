"""Mode tree."""

import pytest

from charlotte.page.capture import split_number
from charlotte.page.modes.lines import Grep, ModeOutput, format_lines
from charlotte.page.modes.survey import Survey, attach_document, parse_survey
from charlotte.page.modes.tree import tree
from tests.page.modes.documents import answer, button, document, el, heading, link, part_of

FIRST_TIER = [
    "button", "link", "textbox", "checkbox", "radio", "combobox", "slider", "menuitem",
    "menuitemcheckbox", "menuitemradio", "tab", "switch", "searchbox", "spinbutton",
]  # fmt: skip
SECOND_TIER = ["listitem", "option", "treeitem", "row", "cell"]
THIRD_TIER = [
    "heading", "paragraph", "text", "separator", "img", "figure", "main", "navigation", "banner",
    "contentinfo",
]  # fmt: skip
CONTAINERS = ["listbox", "combobox", "tree", "grid", "menu", "tablist", "radiogroup"]


def shown(output: ModeOutput) -> list[str]:
    targets = [line.target.nid for line in output.lines if line.target]
    refs = {nid: f"e{split_number(nid)[1]}" for nid in targets}
    return format_lines(output.header, output.lines, output.notes, refs).split("\n")


def lines(survey: Survey) -> list[str]:
    return shown(tree(survey))


@pytest.mark.req("V-FMT-01", "V-FMT-02", "V-FMT-03", "V-TIER-04")
def test_the_documented_example_is_rendered() -> None:
    page = document(
        el("div", "Welcome", role="heading", name="Welcome", level=2, levelImplied=1),
        button("Sign In"),
        el("input", role="textbox", name="Email"),
    )

    assert lines(page) == [
        "- document:",
        '  - heading "Welcome"',
        '  - button "Sign In" [ref=e3]',
        '  - textbox "Email" [ref=e4]',
    ]


@pytest.mark.req("V-CAP-03", "V-CAP-04")
def test_the_document_of_a_frame_is_below_its_marked_line() -> None:
    page = document(heading(1, "Acme"), el("iframe", role="iframe", name="Ads"))
    [frame] = [part for part in page.elements() if part.role == "iframe"]
    attach_document(frame, parse_survey(answer(el("body", button("Close"))), 1))

    assert lines(page) == [
        "- document:",
        '  - heading "Acme" (level 1)',
        '  - iframe "Ads" [frame-boundary]',
        "    - document:",
        '      - button "Close" [ref=e2]',
    ]


@pytest.mark.req("V-TIER-01")
@pytest.mark.parametrize("role", FIRST_TIER)
def test_roles_of_the_first_tier_have_refs(role: str) -> None:
    assert lines(document(el("div", role=role, name="x")))[1] == f'  - {role} "x" [ref=e2]'


@pytest.mark.req("V-TIER-03", "V-TIER-04")
def test_roles_of_the_second_tier_have_refs_only_inside_interactive_containers() -> None:
    second, third = (
        [el("div", role=role, name="x") for role in tier] for tier in (SECOND_TIER, THIRD_TIER)
    )
    boxes = [el("div", *third, *second, role=role, name="y") for role in CONTAINERS]
    shown = [line for line in lines(document(*boxes, *second, *third)) if '"x" [ref=' in line]
    assert [line.split()[1] for line in shown] == SECOND_TIER * len(CONTAINERS)


OPTION = el("div", "One", role="option", name="One")
LISTBOX = el("div", OPTION, role="listbox", name="Sizes")


@pytest.mark.req("V-TIER-05", "V-TIER-06", "V-TIER-07")
def test_a_page_with_many_elements_has_only_refs_of_the_first_tier() -> None:
    page = document(*[button("b")] * 100, LISTBOX)
    compact = lines(page)

    for full in (lines(document(*[button("b")] * 99, LISTBOX)), shown(tree(page, all_refs=True))):
        assert full[-1].startswith('    - option "One" [ref=')
    assert compact[-2] == '    - option "One"'
    assert compact[-1].startswith("[Note: Page has many interactive elements.")


def test_clickable_elements_without_a_role_need_all_refs() -> None:
    page = document(el("div", "12"))

    assert lines(page)[1] == '  - text "12"'
    assert shown(tree(page, clickable=frozenset({2})))[1] == '  - generic "12" [ref=e2]'


def test_states_follow_the_name() -> None:
    box = el("input", role="checkbox", name="All", checked="mixed", required=1, disabled=1)
    menu = el("button", "Menu", role="button", name="Menu", expanded=False, pressed=True)
    name = el("input", role="textbox", name="Name", value="Ada")

    assert lines(document(box, menu, name))[1:] == [
        '  - checkbox "All" (required) (disabled) (mixed) [ref=e2]',
        '  - button "Menu" (collapsed) (pressed) [ref=e3]',
        '  - textbox "Name" (value: "Ada") [ref=e4]',
    ]


def test_text_is_returned_once_and_in_order() -> None:
    page = document(
        "Bare ",
        el("b", "words"),
        el("p", "Read ", link("this"), " now"),
        el("ul", el("li", "one"), el("li", " "), el("li", link("two"))),
        el("label", "Email ", el("input", role="textbox", name="Email")),
    )

    assert lines(page)[1:] == [
        '  - text "Bare words"',
        '  - paragraph "Read"',
        '    - link "this" [ref=e4]',
        '    - text "now"',
        '  - listitem "one"',
        "  - listitem",
        '    - link "two" [ref=e9]',
        '  - textbox "Email" [ref=e11]',
    ]


def test_the_tree_of_a_part_begins_with_it() -> None:
    part = part_of(el("nav", link("Home"), role="navigation", name="Main"))

    assert lines(part) == ["- document:", '  - navigation "Main"', '    - link "Home" [ref=e2]']


def test_page_text_cannot_end_its_line() -> None:
    assert lines(document(button('a "b"\n- c\\')))[1] == '  - button "a \\"b\\" - c\\\\" [ref=e2]'


def test_grep_keeps_the_ancestors_of_a_match() -> None:
    page = document(
        el("nav", link("Home"), link("Docs"), role="navigation", name="Main"),
        el("main", heading(2, "Welcome"), role="main"),
    )

    assert shown(tree(page, grep=Grep(pattern="Docs"))) == [
        "- document:",
        '  - navigation "Main"',
        '    - link "Docs" [ref=e4]',
    ]


def test_grep_searches_full_names() -> None:
    page = document(button("x" * 200 + " needle"), button("other"))

    assert len(tree(page, grep=Grep(pattern="needle")).lines) == len(["document", "x"])


@pytest.mark.req("V-CAP-02")
def test_a_blank_page_has_only_the_document_line() -> None:
    assert lines(document(url="about:blank")) == ["- document:"]


@pytest.mark.req("V-FMT-04")
def test_a_name_of_more_than_100_characters_is_cut() -> None:
    fits, long = lines(document(button("ü" * 100), button("ü" * 101)))[1:]

    assert f'"{"ü" * 100}"' in fits
    assert f'"{"ü" * 97}..."' in long
