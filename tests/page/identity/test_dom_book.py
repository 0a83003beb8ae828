"""Ids of what selectors find: bound to a node, and to what finds it again."""

import re

import pytest

from charlotte.page.identity.dom_book import DocumentNode, DomBook, Match


def match(nid: int, text: str = "Text", *, selector: str = "p", context: str = "c1") -> Match:
    place = DocumentNode(context, nid)
    return Match(place=place, selector=selector, tag="p", text=text, bounds=None)


@pytest.mark.req("P-16")
def test_ids_have_their_prefix_and_are_told_apart_by_a_number() -> None:
    book = DomBook()
    ids = [book.identify(match(nid)) for nid in (1, 2, 3)]
    assert re.fullmatch("dom-[0-9a-f]{4}", ids[0])
    assert ids[1:] == [f"{ids[0]}-2", f"{ids[0]}-3"]


@pytest.mark.req("P-15")
def test_a_match_without_a_box_says_so() -> None:
    said = match(1).as_json("dom-3fa2")
    assert said == {"id": "dom-3fa2", "tag": "p", "text": "Text", "bounds": None}


def test_a_node_has_one_id_whatever_it_says_and_whoever_finds_it() -> None:
    book = DomBook()
    first = book.identify(match(1))
    assert book.identify(match(1, "Other", selector=".b")) == first
    found = book.find(first)
    assert found is not None
    assert (found.selector, found.text) == (".b", "Other")


def test_only_what_says_the_same_is_like_a_node_that_is_gone() -> None:
    again = match(8, context="c2")
    assert DomBook().find_similar(match(1), [match(7, "Other", context="c2"), again]) == [again]


def test_an_id_can_be_bound_to_what_was_made_anew() -> None:
    book = DomBook()
    lost, again = book.identify(match(1)), match(8, context="c2")
    book.rebind(lost, again)
    assert book.find(lost) is again
    assert book.identify(again) == lost


def test_a_twin_with_an_id_of_its_own_is_another_thing() -> None:
    book = DomBook()
    twin = match(2)
    book.identify(twin)
    assert book.find_similar(match(1), [twin]) == []


def test_an_id_that_was_never_given_is_unknown() -> None:
    assert DomBook().find("dom-0000") is None


def test_the_oldest_are_forgotten() -> None:
    book = DomBook()
    first = book.identify(match(1, "1"))
    for nid in range(2, 20_002):
        book.identify(match(nid, str(nid)))
    assert book.find(first) is None
