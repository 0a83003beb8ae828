"""Ids of recreated nodes."""

import pytest

from charlotte.page.identity.id_book import IdBook
from tests.page.identity.test_id_book import ids_of
from tests.page.pages import Page


def shopping(*items: str, document: str = "doc1", first: int = 1) -> Page:
    """Build a list whose rows all have a button with the same name."""
    page = Page(document=document, last=first - 1)
    for item in items:
        page.text(item)
        page.button("Delete")
    page.text("Footer")
    return page


def ids_by_item(page: Page, book: IdBook, items: str) -> dict[str, str]:
    return dict(zip(items.split(), ids_of(page.capture(), book), strict=True))


@pytest.mark.req("C-ID-07")
def test_a_recreated_list_keeps_its_ids() -> None:
    book = IdBook()
    before = ids_by_item(shopping("Milk", "Bread", "Salt"), book, "Milk Bread Salt")
    again = shopping("Milk", "Bread", "Salt", first=11)
    assert ids_by_item(again, book, "Milk Bread Salt") == before


def test_an_id_never_moves_to_another_row() -> None:
    book = IdBook()
    before = ids_by_item(
        shopping("Milk", "Bread", "Salt", "Tea", "Oil"), book, "Milk Bread Salt Tea Oil"
    )
    again = shopping("Milk", "Salt", "Tea", "Oil", first=11)
    after = ids_by_item(again, book, "Milk Salt Tea Oil")
    assert {item: after[item] for item in ("Tea", "Oil")} == {
        item: before[item] for item in ("Tea", "Oil")
    }
    assert before["Bread"] not in after.values()
    assert all(after[item] == before[item] or after[item] not in before.values() for item in after)


def test_a_new_node_does_not_get_the_id_of_a_hidden_node() -> None:
    book, page = IdBook(), Page()
    page.button("Save")
    (hidden,) = ids_of(page.capture(), book)
    page.rows.clear()
    page.button("Save")
    capture = page.capture()
    assert book.find_contested(capture) == [1]
    ids = book.identify(capture, alive=[1])
    assert ids[2] == f"{hidden}-2"
    assert book.find_hidden(hidden) == 1


def test_only_claimed_kin_is_contested() -> None:
    book, page = IdBook(), Page()
    page.button("Save")
    page.button("Close")
    book.identify(page.capture())
    page.rows.pop(0)
    page.button("Other")
    assert book.find_contested(page.capture()) == []
    page.add("i", "button", "Save", nid=1, tag="button")
    book.identify(page.capture())
    assert book.find_contested(page.capture()) == []


def test_the_last_key_of_a_node_counts() -> None:
    book, page = IdBook(), Page()
    page.button("Save")
    (first,) = ids_of(page.capture(), book)
    page.rows[0][3] = "Saved"
    ids_of(page.capture(), book)
    page.rows[0][0] = 77
    assert ids_of(page.capture(), book) == [first]
    fresh = Page(document="doc2")
    fresh.button("Save")
    assert ids_of(fresh.capture(), book) == [first]


def stocked(*rows: tuple[str, int], first: int = 1) -> Page:
    """Build a table whose rows have buttons and digests of their texts."""
    page = Page(last=first - 1)
    for item, digest in rows:
        page.button("Delete", place=digest)
        page.text(item)
    return page


def test_the_successor_of_a_deleted_node_is_known() -> None:
    book = IdBook()
    ids_of(stocked(("Milk", 1), ("Salt", 3)).capture(), book)
    ids_of(stocked(("Salt", 3), ("Oil", 4), first=11).capture(), book)
    assert (book.find_successor(1), book.find_successor(2)) == (None, 11)
    ids_of(Page(document="doc2").capture(), book)
    assert book.find_successor(2) is None


def flat(*items: str, document: str = "doc1", first: int = 1) -> Page:
    page = Page(document=document, last=first - 1)
    for index, item in enumerate(items):
        page.text(item)
        page.text("OK")
        page.button("OK", sib=index)
    return page


@pytest.mark.parametrize("document", ["doc1", "doc2"])
def test_swapped_siblings_keep_their_ids(document: str) -> None:
    book = IdBook()
    before = ids_by_item(flat("Safe", "Danger"), book, "Safe Danger")
    again = flat("Danger", "Safe", document=document, first=11)
    after = ids_by_item(again, book, "Danger Safe")
    assert after["Safe"] != before["Danger"]
    assert after["Danger"] != before["Safe"]


def test_a_recreated_sibling_has_its_id_next_to_its_twin() -> None:
    book, page = IdBook(), flat("Safe", "Danger")
    before = ids_by_item(page, book, "Safe Danger")
    page.rows[2][0] = 77
    assert ids_by_item(page, book, "Safe Danger") == before


def pens(*keys: str, text: str = "Pen", first: int = 1) -> Page:
    page = Page(last=first - 1)
    page.text("Stock")
    for key in keys:
        page.text(text)
        keyed = {"data-id": key} if key else {}
        page.button("Remove", record={"list": 100, "keys": keyed, "cells": [text]})
    return page


def test_numbered_records_with_equal_text_keep_their_ids_when_the_first_leaves() -> None:
    book = IdBook()
    before = ids_of(pens("101", "102", "103").capture(), book)
    after = ids_of(pens("102", "103", first=11).capture(), book)
    assert after == before[1:]


def test_indistinguishable_records_get_new_ids_when_one_leaves() -> None:
    book = IdBook()
    before = ids_of(pens("", "", "", text="Disk full").capture(), book)
    after = ids_of(pens("", "", text="Disk full", first=11).capture(), book)
    assert not {*before} & {*after}
