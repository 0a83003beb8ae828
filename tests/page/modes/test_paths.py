"""Paths: which elements are steps, and what the steps are called."""

import pytest

from charlotte.page.modes.survey import ElementPaths
from tests.page.modes.documents import Element, document, el


def path(element: Element) -> str:
    """The path of the innermost element."""
    page = document(element)
    [*_, last] = page.elements()
    return ElementPaths(page.steps).of(last)


@pytest.mark.req("B-OUT-08")
def test_an_id_marks_a_step() -> None:
    assert path(el("main", el("section", el("h2"), id_="intro"))) == "/main/section#intro/h2"


@pytest.mark.parametrize("given", ["1st", "a b", "x" * 30, "ü"])
def test_an_odd_id_does_not(given: str) -> None:
    assert path(el("main", id_=given)) == "/main"


def test_a_class_that_means_something_marks_a_step_without_id() -> None:
    assert path(el("div", el("a"), cls="sidebar")) == "/div.sidebar/a"


def test_what_only_holds_others_is_no_step() -> None:
    assert path(el("div", el("span", el("main", el("div", el("a")))))) == "/main/a"


def test_where_nothing_is_a_step_the_tag_stands() -> None:
    assert path(el("div", el("span"))) == "/span"


def test_at_most_six_steps_are_told() -> None:
    element = el("a")
    for tag in ["li", "ul", "nav", "header", "section", "main"]:
        element = el(tag, element)

    assert path(element) == "/section/header/nav/ul/li/a"


def test_the_path_of_a_part_begins_outside_of_it() -> None:
    page = document(el("a"), steps=[{"tag": "main"}, {"tag": "div"}, {"tag": "ul", "nth": 2}])
    [*_, last] = page.elements()

    assert ElementPaths(page.steps).of(last) == "/main/ul[2]/a"
