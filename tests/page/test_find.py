"""Search of elements in a view."""

from typing import Any

import attrs
import pytest

from charlotte.actors.state.logs import FoundLists
from charlotte.base.errors import SnapshotExpired
from charlotte.page.find import Anchor, Query, filter_matches, find_elements
from charlotte.page.identity.references import DocumentNode, Match
from charlotte.page.model import Bounds
from tests.page.pages import Page, view_of


def labels(page: Page, query: Query) -> list[str]:
    return [element.label for element in find_elements(view_of(page.capture()), query)]


@pytest.mark.req("C-FIND-01")
def test_text_is_searched_in_label_title_value_and_placeholder() -> None:
    page = Page()
    page.button("Straße")
    page.field("Name", value="STRASSE 5")
    page.field("Street", placeholder="strasse")
    page.button("S", title="Straße")
    page.button("Other")
    assert labels(page, Query(text="Strasse")) == ["Straße", "Name", "Street", "S"]


def test_elements_with_exactly_the_text_come_first() -> None:
    page = Page()
    for label in ("Book a room", "Look", "OK", "Cookies", "ok"):
        page.button(label)
    assert labels(page, Query(text="Ok")) == ["OK", "ok", "Book a room", "Look", "Cookies"]


def test_text_near_an_element_is_searched_only_if_it_has_no_label() -> None:
    page = Page()
    page.add("i", "checkbox", "", near="Ada 20 Oslo")
    page.add("i", "checkbox", "Select", near="Ada 21 Rome")
    assert labels(page, Query(text="ada")) == [""]


def test_matches_are_filtered_by_element_or_node() -> None:
    page = Page()
    page.button("Send", box=(0, 0, 10, 10))
    (element,) = view_of(page.capture()).interactive
    button = attrs.evolve(match(1, 0, role="button"), element=element)
    item, other = match(2, 100, role="listitem", has_text=True), match(3, 50, has_text=True)
    nodes = [button, item, other]
    origin = Anchor("main", Bounds(0, 0, 10, 10), other.place)

    assert filter_matches(nodes, Query(text="send")) == [button, item, other]
    assert filter_matches(nodes, Query(type="button")) == [button]
    assert filter_matches(nodes, Query(role="listitem")) == [item]
    assert filter_matches(nodes[::-1], Query(near=origin)) == [button, item]


def match(nid: int, x: int, **more: Any) -> Match:
    bounds = Bounds(x, 0, 10, 10)
    return Match(place=DocumentNode("", nid), selector="*", tag="p", text="", bounds=bounds, **more)


@pytest.mark.req("C-FIND-04")
def test_near_is_two_hundred_pixels_from_centre_to_centre() -> None:
    page = Page()
    for x in (201, 200, 199, 0):
        page.button(f"at {x}", box=(x, 0, 10, 10))
    page.button("nowhere", box=None)
    view = view_of(page.capture())
    origin = view.interactive[3]
    assert origin.bounds is not None
    found = find_elements(view, Query(near=Anchor(origin.id, origin.bounds)))
    assert [element.label for element in found] == ["at 199", "at 200"]


@pytest.mark.req("C-FIND-05")
def test_within_is_inside_the_bounds() -> None:
    page = Page()
    page.button("inside", box=(10, 10, 80, 20))
    page.button("all of it", box=(0, 0, 100, 50))
    page.button("half out", box=(60, 10, 80, 20))
    page.button("nowhere", box=None)
    query = Query(within=Anchor("rgn-0000", Bounds(0, 0, 100, 50)))
    assert labels(page, query) == ["inside", "all of it"]


@pytest.mark.req("C-FIND-01", "C-FIND-02", "C-FIND-03")
def test_all_given_conditions_must_hold() -> None:
    page = Page()
    page.button("Go")
    page.link("Go there")
    page.add("i", "tab", "Go back", tag="button")
    assert labels(page, Query(text="go", type="link")) == ["Go there"]
    assert labels(page, Query(text="go", role="tab")) == ["Go back"]
    assert labels(page, Query(text="back", type="button", role="button")) == []


def test_all_texts_of_elements_are_searched() -> None:
    page = Page()
    for index in range(70):
        page.add("c", "generic", f"Line {index}")
    assert labels(page, Query(text="line 69")) == ["Line 69"]


def test_only_the_last_lists_are_stored_for_cursors() -> None:
    findings = FoundLists[int]()
    first = findings.keep([1, 2, 3])
    assert findings.get(first) == [1, 2, 3]
    for _ in range(20):
        findings.keep([])
    with pytest.raises(SnapshotExpired, match="only the last 20"):
        findings.get(first)


def test_a_completely_sent_list_is_not_stored() -> None:
    findings = FoundLists[int]()
    number = findings.keep([1])
    findings.forget(number)
    with pytest.raises(SnapshotExpired):
        findings.get(number)
