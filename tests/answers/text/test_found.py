"""The lines of what `find` found."""

from typing import Any

from charlotte.page.identity.references import DocumentNode, Match
from charlotte.page.model import Element
from charlotte.tools.find import write_found
from tests.answers.text.outlines import control

PAGE = "http://a.test/page"
BUTTON = control("btn-1234", "Order")


def node(**values: Any) -> Match:
    known: dict[str, Any] = {"selector": "p", "tag": "p", "text": "All its text", "bounds": None}
    return Match(place=DocumentNode("context", 2), **{**known, **values})


def lines(*found: Element | Match) -> list[str]:
    return write_found(found, lambda _: "dom-00aa", PAGE)


def test_a_control_is_written_as_in_a_page() -> None:
    assert lines(control("btn-1234", "Order", state={"enabled": False})) == [
        'btn-1234 "Order" [disabled]'
    ]


def test_a_link_has_its_destination_relative_to_the_page() -> None:
    here, there = "http://a.test/b?page=2", "http://b.test/c"
    assert lines(*(control("lnk-1234", "Next", href=href) for href in (here, there))) == [
        'lnk-1234 "Next" [-> /b?page=2]',
        'lnk-1234 "Next" [-> http://b.test/c]',
    ]


def test_controls_of_the_same_name_have_the_text_near_them() -> None:
    first = control("btn-1234", "Order", near="Silent Tide 4")
    second = control("btn-5678", "Order", near="Low Water 0")
    assert lines(first, second) == [
        'btn-1234 "Order" [near "Silent Tide 4"]',
        'btn-5678 "Order" [near "Low Water 0"]',
    ]
    assert lines(first) == ['btn-1234 "Order" [near "Silent Tide 4"]']


def test_a_node_has_its_tag_and_place_or_is_written_as_its_control() -> None:
    assert lines(node(), node(excerpt="its", landmark="Main", heading='The "best"')) == [
        'dom-00aa "All its text" [p]',
        'dom-00aa "its" [p, in "Main", under "The \\"best\\""]',
    ]
    assert lines(node(element=BUTTON)) == ['btn-1234 "Order"']


def test_texts_of_the_page_cannot_start_another_line() -> None:
    found = lines(node(text='x"]\nbtn-0000 "y"'), control("btn-1234", "a\u2028b", href="c\nd"))
    assert [line.splitlines() for line in found] == [[line] for line in found]
    assert found[0] == 'dom-00aa "x\\"]\\nbtn-0000 \\"y\\"" [p]'
