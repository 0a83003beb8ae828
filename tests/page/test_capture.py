"""Parsing of the probe's rows."""

import pytest

from charlotte.page.capture import element_type
from tests.page.pages import Page, stored


@pytest.mark.req("C-ID-03")
def test_a_node_has_its_nearest_landmark_and_labelled_group() -> None:
    page = Page()
    main = page.landmark("main")
    address = page.add("g", "group", "Address", parent=main)
    unnamed = page.add("g", "group", "", parent=address)
    page.field("Street", parent=unnamed)
    page.field("Elsewhere")
    nodes = page.capture().nodes
    assert (nodes[3].landmark, nodes[3].container) == (nodes[main].nid, "Address")
    assert nodes[main].landmark == 0
    assert (nodes[4].landmark, nodes[4].container) == (0, "")


@pytest.mark.req("C-PR-09")
def test_a_named_form_is_the_landmark_of_its_controls() -> None:
    page = Page()
    form = page.add("f", "form", "Join", landmark=1)
    page.field("Email", parent=form)
    nodes = page.capture().nodes
    assert nodes[1].landmark == nodes[form].nid


@pytest.mark.req("C-PR-15")
@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Save", "button"),
        ("Help", "link"),
        ("Email", "text_input"),
        ("Comment", "textarea"),
        ("Country", "select"),
        ("I agree", "checkbox"),
        ("By post", "radio"),
        ("Dark mode", "toggle"),
        ("Avatar", "file_input"),
        ("Volume", "range"),
        ("Birthday", "date_input"),
        ("Colour", "color_input"),
        ("Guests", "text_input"),
        ("Details", "button"),
        ("More", "button"),
        ("Wrap lines", "checkbox"),
        ("Small", "radio"),
        ("Toppings", "select"),
        ("Notes", "textarea"),
        ("Breakpoint", "clickable"),
        ("Chapter", "button"),
        ("Search", "text_input"),
    ],
)
def test_controls_are_classified(label: str, expected: str) -> None:
    (node,) = (node for node in stored("controls").nodes if node.name == label)
    assert element_type(node) == expected


_NODES = Page()
for _letter in "abcd":
    _NODES.button(_letter)
