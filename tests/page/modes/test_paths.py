"""Short paths of elements."""

import pytest

from charlotte.page.modes.survey import find_paths
from tests.page.modes.documents import Element, document, el


def path(element: Element) -> str:
    """Return the path of the innermost element."""
    page = document(element)
    [*_, last] = page.elements()
    return find_paths(page)[last.nid]


@pytest.mark.req("B-OUT-08")
def test_an_id_marks_a_step() -> None:
    assert path(el("main", el("section", el("h2"), id_="intro"))) == "/main/section#intro/h2"


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
