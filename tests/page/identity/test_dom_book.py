"""Ids of the nodes that selectors find."""

import re

import pytest

from charlotte.page.identity.references import DocumentNode, DomBook, Match


def match(nid: int, text: str = "Text", *, selector: str = "p", context: str = "c1") -> Match:
    place = DocumentNode(context, nid)
    return Match(place=place, selector=selector, tag="p", text=text, bounds=None)


@pytest.mark.req("P-16")
def test_equal_dom_ids_are_distinguished_by_a_suffix() -> None:
    book = DomBook()
    ids = [book.identify(match(nid)) for nid in (1, 2, 3)]
    assert re.fullmatch("dom-[0-9a-f]{4}", ids[0])
    assert ids[1:] == [f"{ids[0]}-2", f"{ids[0]}-3"]


@pytest.mark.req("P-15")
def test_a_match_without_a_box_has_null_bounds() -> None:
    said = match(1).as_json("dom-3fa2")
    assert said == {"id": "dom-3fa2", "tag": "p", "text": "Text", "bounds": None}


def test_a_node_has_one_id_for_all_texts_and_selectors() -> None:
    book = DomBook()
    first = book.identify(match(1))
    assert book.identify(match(1, "Other", selector=".b")) == first
    found = book.find(first)
    assert found is not None
    assert (found.selector, found.text) == (".b", "Other")


def test_only_nodes_with_the_same_text_are_similar_to_a_deleted_node() -> None:
    again = match(8, context="c2")
    assert DomBook().find_similar(match(1), [match(7, "Other", context="c2"), again]) == [again]


def test_an_id_can_be_bound_to_a_recreated_node() -> None:
    book = DomBook()
    lost, again = book.identify(match(1)), match(8, context="c2")
    book.rebind(lost, again)
    assert book.find(lost) is again
    assert book.identify(again) == lost


def test_a_similar_node_with_an_id_is_another_node() -> None:
    book = DomBook()
    twin = match(2)
    book.identify(twin)
    assert book.find_similar(match(1), [twin]) == []


def test_the_oldest_are_forgotten() -> None:
    book = DomBook()
    first = book.identify(match(1, "1"))
    for nid in range(2, 20_002):
        book.identify(match(nid, str(nid)))
    assert book.find(first) is None
