"""What an e-ref was given to is remembered, and for how long it is described."""

import pytest

from charlotte.page.identity.dom_book import DocumentNode
from charlotte.page.identity.references import RefBook
from charlotte.page.modes.lines import ReferenceTarget

BUY = ReferenceTarget(nid=1, role="button", name="Buy")
SELL = ReferenceTarget(nid=2, role="button", name="Sell")


def told(book: RefBook, given: ReferenceTarget, number: int, context: str = "main") -> str:
    """The e-ref that another answer tells."""
    book.begin_answer()
    return book.name(DocumentNode(context, given.nid), number, given)


@pytest.mark.req("V-REF-02", "V-REF-01")
def test_references_of_a_named_context_have_its_name_before_them() -> None:
    book = RefBook(prefix="clean")
    assert told(book, BUY, 7) == "clean:e7"
    assert book.find("clean:e7") is book.find("e7") is not None


@pytest.mark.req("V-STALE-06")
def test_only_what_the_last_two_answers_told_is_described() -> None:
    book = RefBook()
    buy = told(book, BUY, 7)
    sell = told(book, SELL, 8)
    assert [book.find_recent(ref) is not None for ref in (buy, sell)] == [True, True]

    book.begin_answer()
    assert [book.find_recent(ref) is not None for ref in (buy, sell)] == [False, True]
    assert book.find(buy) is not None


def test_a_node_keeps_its_reference_and_is_what_was_told_last() -> None:
    book = RefBook()
    first = told(book, BUY, 7)
    again = told(book, ReferenceTarget(nid=1, role="button", name="Bought"), 9)
    found = book.find(again)
    assert first == again == "e7"
    assert found is not None
    assert found.name == "Bought"


def test_nodes_of_two_processes_with_one_number_have_references_of_their_own() -> None:
    book = RefBook()
    buy, sell = told(book, BUY, 7), told(book, SELL, 7)
    places = [found.place.nid for ref in (buy, sell) if (found := book.find(ref))]
    assert buy != sell
    assert places == [1, 2]


def test_a_reference_with_the_name_of_its_context_is_the_same_in_that_alone() -> None:
    book = RefBook("clean")
    assert told(book, BUY, 7) == "clean:e7"
    assert book.find("clean:e7") == book.find("e7")
    assert book.find("other:e7") is None


def test_a_table_has_what_it_was_given_and_no_more() -> None:
    book = RefBook()
    book.replace_table("main", [BUY, SELL])
    found = book.find("@ref:1")
    assert found is not None
    assert found.name == "Sell"
    assert book.find("@ref:2") is None

    book.replace_table("main", [BUY])
    assert book.find("@ref:1") is None


def test_a_number_that_a_later_document_uses_again_leaves_nothing_of_the_earlier_one() -> None:
    book = RefBook()
    places = [DocumentNode(f"document {number}", 1) for number in range(3)]
    for place in places:
        assert book.name(place, 7, BUY) == "e7"
    assert [book.has_reference(place) for place in places] == [False, False, True]
    assert book.name(places[0], 7, BUY) == "e7"
    named = book.find("e7")
    assert named is not None
    assert named.place == places[0]
