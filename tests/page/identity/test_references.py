"""Nodes behind e-refs and @refs."""

import pytest

from charlotte.page.identity.references import DocumentNode, RefBook
from charlotte.page.model import ReferenceTarget

BUY = ReferenceTarget(nid=1, role="button", name="Buy")
SELL = ReferenceTarget(nid=2, role="button", name="Sell")


def name_node(book: RefBook, given: ReferenceTarget, number: int, context: str = "main") -> str:
    book.begin_answer()
    return book.name(DocumentNode(context, given.nid), number, given)


@pytest.mark.req("V-REF-02", "V-REF-01")
def test_references_of_a_named_context_have_its_name_as_prefix() -> None:
    book = RefBook(prefix="clean")
    assert name_node(book, BUY, 7) == "clean:e7"
    assert book.find("clean:e7") is book.find("e7") is not None


@pytest.mark.req("V-STALE-06")
def test_only_references_of_the_last_two_answers_are_recent() -> None:
    book = RefBook()
    buy = name_node(book, BUY, 7)
    sell = name_node(book, SELL, 8)
    assert [book.find_recent(ref) is not None for ref in (buy, sell)] == [True, True]

    book.begin_answer()
    assert [book.find_recent(ref) is not None for ref in (buy, sell)] == [False, True]
    assert book.find(buy) is not None


@pytest.mark.req("B-REF-07")
def test_a_node_keeps_its_reference_with_the_last_name() -> None:
    book = RefBook()
    first = name_node(book, BUY, 7)
    again = name_node(book, ReferenceTarget(nid=1, role="button", name="Bought"), 9)
    found = book.find(again)
    assert first == again == "e7"
    assert found is not None
    assert found.name == "Bought"


def test_nodes_of_two_processes_with_one_number_have_different_references() -> None:
    book = RefBook()
    buy, sell = name_node(book, BUY, 7), name_node(book, SELL, 7)
    places = [found.place.nid for ref in (buy, sell) if (found := book.find(ref))]
    assert buy != sell
    assert places == [1, 2]


@pytest.mark.req("B-REF-04", "B-REF-07")
def test_a_table_contains_only_its_own_references() -> None:
    book = RefBook()
    book.replace_table("main", [BUY, SELL])
    found = book.find("@ref:1")
    assert found is not None
    assert found.name == "Sell"
    assert book.find("@ref:2") is None

    book.replace_table("main", [BUY])
    assert book.find("@ref:1") is None


def test_node_numbers_of_an_earlier_document_are_forgotten() -> None:
    book = RefBook()
    places = [DocumentNode(f"document {number}", 1) for number in range(3)]
    for place in places:
        assert book.name(place, 7, BUY) == "e7"
    assert [book.has_reference(place) for place in places] == [False, False, True]
    assert book.name(places[0], 7, BUY) == "e7"
    named = book.find("e7")
    assert named is not None
    assert named.place == places[0]
