"""Ids of elements in the next document of a tab."""

import pytest

from charlotte.base.errors import ElementChanged
from charlotte.page.identity.degrees import remove_page_parameters
from charlotte.page.identity.id_book import IdBook
from charlotte.page.identity.references import find_shown_node
from tests.page.identity.test_id_book import ids_of
from tests.page.pages import Page

SITE = "http://ports.test/"


def linked(document: str, path: str, *hrefs: str, heading: str = "Ships") -> Page:
    page = Page(document=document, url=SITE + path)
    page.heading(heading)
    for href in hrefs:
        page.link("Open", SITE + href)
    return page


def is_kept(before: tuple[str, str], now: tuple[str, str]) -> bool:
    """Return whether a link keeps its id; each page has a path, and the path of the link."""
    book = IdBook()
    known = ids_of(linked("doc1", *before).capture(), book)
    return ids_of(linked("doc2", *now).capture(), book)[1] == known[1]


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (("ships", "ships.json"), ("ships?port=Oslo", "ships.json?port=Oslo")),
        (("ships", "ships?sort=crew"), ("ships?port=Oslo", "ships?port=Oslo&sort=crew")),
        (("ships?port=Oslo", "ships?port=Oslo#"), ("ships?port=New+York", "ships?port=New%20York")),
        (("ship?id=3", "edit?id=3"), ("ship?id=4", "edit?id=4")),
        (("ships", "ships#"), ("crew?id=4", "crew?id=4#")),
        (("ships", "ships#main"), ("crew#list", "crew#main")),
    ],
)
def test_a_relative_link_keeps_its_id(before: tuple[str, str], now: tuple[str, str]) -> None:
    assert is_kept(before, now)


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (("ships?page=1", "ship?id=3"), ("ships?page=2", "ship?id=9")),
        (("ships", "ships?port=Oslo"), ("ships?port=Oslo", "ships")),
        (("ships?port=Oslo", "old?port=Oslo"), ("ships?port=Rome", "new?port=Rome")),
        (("ships", "ships"), ("crew", "crew")),
        (("ships", "ships#first"), ("crew", "crew#last")),
        (("ships", "crew"), ("boats?port=Oslo", "crew?port=Oslo")),
    ],
)
def test_a_link_to_elsewhere_gets_a_new_id(before: tuple[str, str], now: tuple[str, str]) -> None:
    assert not is_kept(before, now)


def test_an_invalid_address_has_no_parameters() -> None:
    assert (
        remove_page_parameters("http://[?port=Oslo", "http://[?port=Oslo") == "http://[?port=Oslo"
    )


def test_a_kept_link_is_another_element_until_the_new_page_is_shown() -> None:
    book = IdBook()
    _, link = ids_of(linked("doc1", "ships", "ships.json", heading="All ships").capture(), book)
    book.note_shown([link])
    book.note_page_shown()
    page = linked("doc2", "ships?port=Oslo", "ships.json?port=Oslo", heading="Ships in Oslo")
    assert ids_of(page.capture(), book)[1] == link
    with pytest.raises(ElementChanged):
        find_shown_node(book, link)
    book.note_page_shown()
    assert find_shown_node(book, link) == (2, False)


def filters(document: str, *rows: str) -> Page:
    """Build a form with a nameless field per row, and a form for the export."""
    page = Page(document=document, url=f"{SITE}ships?rows={len(rows)}")
    page.heading(f"{len(rows)} filters")
    form = page.add("f", "form", action=page.url)
    for row in rows:
        page.field("", parent=form, form=page.rows[form][0], own=f"filter_{row}")
    page.add("f", "form", action=f"{SITE}ships.csv")
    return page


def test_fields_without_a_name_keep_their_ids_when_another_row_is_added() -> None:
    book = IdBook()
    empty = ids_of(filters("doc1", "").capture(), book)[2]
    _, _, first, last, _ = ids_of(filters("doc2", "1", "").capture(), book)
    assert (first != empty, last) == (True, empty)
    fields = ids_of(filters("doc3", "1", "2", "").capture(), book)[2:5]
    assert (fields[0], fields[2]) == (first, last)
    assert fields[1] not in {first, last}


def test_a_numbered_field_next_to_another_text_is_another_field() -> None:
    def amounts(document: str, *items: str) -> Page:
        page = Page(document=document)
        for number, item in enumerate(items):
            page.text(item)
            page.field("", own=f"amount{number}", near=item)
        return page

    book = IdBook()
    milk, _ = ids_of(amounts("doc1", "Milk", "Bread").capture(), book)
    (now,) = ids_of(amounts("doc2", "Bread").capture(), book)
    assert now != milk
    assert ids_of(amounts("doc3", "Milk", "Bread").capture(), book)[0] == milk


def exporting(document: str, *rows: str) -> Page:
    """Build a page with a checkbox, alone or in one of the records of a list."""
    page = Page(document=document)
    for row in rows:
        page.add("i", "checkbox", "Download")
        if row:
            page.rows[-1][5]["record"] = {"list": 100, "keys": {}, "cells": [row, "Download"]}
    return page


def test_an_element_keeps_its_id_although_an_earlier_document_had_a_similar_one() -> None:
    book = IdBook()
    (listed,) = ids_of(exporting("doc1", "CSV").capture(), book)
    (alone,) = ids_of(exporting("doc2", "").capture(), book)
    assert alone != listed
    assert ids_of(exporting("doc3", "").capture(), book) == [alone]
    assert ids_of(exporting("doc4", "CSV").capture(), book) == [listed]


def test_twins_keep_their_ids_although_an_earlier_document_had_more_of_them() -> None:
    def jobs(document: str, heading: str, *names: str) -> Page:
        page = Page(document=document)
        for name in names:
            page.text(name)
            page.button("Start", section=heading)
        return page

    book = IdBook()
    earlier = ids_of(jobs("doc1", "Monday", "Wash", "Dry").capture(), book)
    before = ids_of(jobs("doc2", "Tuesday", "Wash", "Dry").capture(), book)
    assert not {*earlier} & {*before}
    assert ids_of(jobs("doc3", "Tuesday", "Wash", "Dry").capture(), book) == before
    assert ids_of(jobs("doc4", "Monday", "Wash", "Dry").capture(), book) == earlier
