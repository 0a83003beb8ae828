"""Degrees of change of roles and names, of headings and of forms."""

from typing import Any

import pytest

from charlotte.base.errors import ElementChanged
from charlotte.page.identity.degrees import ChangeDegree, compare_labels
from charlotte.page.identity.id_book import IdBook
from charlotte.page.identity.records import RecordIndex
from charlotte.page.identity.references import are_rewritten, compare_headings, find_shown_node
from tests.page.identity.test_id_book import ids_of
from tests.page.pages import Page


@pytest.mark.req("V-STALE-02", "V-STALE-04")
@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ("Submit", "Submit", "same"),
        ("", "", "same"),
        ("Cart (2)", "Cart (3)", "minor"),
        ("Save…", "save", "minor"),
        ("Add to cart", "Add to cart now", "minor"),
        ("Please add to cart", "Add to cart", "minor"),
        ("Submit", "Loading...", "changed"),
        ("Subscribe", "Do not subscribe", "changed"),
        ("I agree", "I don't agree", "changed"),
        ("Track", "Don\u2019t track", "changed"),
        ("Play", "Playlist", "changed"),
        ("Follow", "Unfollow", "changed"),
        ("Save", "Saved", "changed"),
        ("Add cart", "Add to cart", "changed"),
        ("Submit", "", "changed"),
        ("", "Submit", "changed"),
        ("1", "2", "changed"),
    ],
)
def test_a_similar_name_is_a_minor_change(before: str, after: str, verdict: ChangeDegree) -> None:
    assert compare_labels("button", before, "button", after) == verdict


def pager(*names: str) -> Page:
    page = Page()
    for name in names:
        page.button(name)
    return page


@pytest.mark.req("V-STALE-02")
def test_a_number_that_distinguishes_an_element_from_others_is_no_minor_change() -> None:
    book = IdBook()
    first, _ = ids_of(pager("Page 1", "Page 2").capture(), book)
    book.note_shown([first])
    book.note_page_shown()
    ids_of(pager("Page 2", "Page 3").capture(), book)
    with pytest.raises(ElementChanged, match="Page 2"):
        find_shown_node(book, first)


@pytest.mark.req("V-STALE-04")
def test_a_number_of_the_only_element_with_it_is_a_minor_change() -> None:
    book = IdBook()
    (cart,) = ids_of(pager("Cart (2)").capture(), book)
    book.note_shown([cart])
    book.note_page_shown()
    ids_of(pager("Cart (3)").capture(), book)
    _, is_noted = find_shown_node(book, cart)
    assert is_noted


def table(*rows: str) -> Page:
    page = Page()
    for row in rows:
        cells = [*row.split("|"), "Edit", "Delete"]
        page.button("Delete", record={"list": 100, "keys": {}, "cells": cells})
        for text in row.split("|"):
            page.text(text)
    return page


@pytest.mark.req("V-STALE-02")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            ("Anna|Meier", "Anna|Huber", "Bert|Meier", "Bert|Huber"),
            ("Carl|Lang", "Carl|Kurz", "Dora|Lang", "Dora|Kurz"),
            id="the next page is shown in the same nodes",
        ),
        pytest.param(
            ("Fix login bug page", "Fix login bug mobile", "Other"),
            ("Fix login bug mobile", "Other"),
            id="the first row was deleted",
        ),
        pytest.param(
            ("Weekly report team north March", "Weekly report team south March", "Budget"),
            ("Weekly report team south March", "Budget", "Plan"),
            id="the list moved up by one row",
        ),
    ],
)
def test_a_button_of_a_row_with_similar_texts_is_another_button(
    before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    book = IdBook()
    first, *_ = ids_of(table(*before).capture(), book)
    book.note_shown([first])
    book.note_page_shown()
    ids_of(table(*after).capture(), book)
    with pytest.raises(ElementChanged):
        find_shown_node(book, first)


@pytest.mark.parametrize(
    ("before", "now", "degree"),
    [
        ("Inbox (3)", "Inbox (4)", "same"),
        ("12 results", "1,200 results", "same"),
        ("Order 17", "Order 18", "changed"),
        ("Ada", "Bob", "changed"),
        ("", "Bob", "same"),
    ],
)
def test_headings_are_compared_without_counts(before: str, now: str, degree: ChangeDegree) -> None:
    assert compare_headings(before, now) == degree


def index(*rows: str) -> RecordIndex:
    """Return the records of a list; bars separate the cells of a row."""
    records: list[dict[str, Any]] = [
        {"list": 100, "keys": {}, "cells": row.split("|")} for row in rows
    ]
    return RecordIndex((nid, {"record": record}) for nid, record in enumerate(records, 1))


@pytest.mark.parametrize(
    ("rows", "is_rewritten"),
    [
        (("Name|Ada", "City|Bonn", "Country|Peru"), False),
        (("Name|Bob", "City|Bonn", "Country|Peru"), False),
        (("Name|Bob", "City|Rome", "Country|Peru"), True),
    ],
)
def test_a_form_is_rewritten_if_most_of_its_values_are_new(
    rows: tuple[str, ...], *, is_rewritten: bool
) -> None:
    before = index("Name|Ada", "City|Bonn", "Country|Peru")
    assert are_rewritten(before, index(*rows)) is is_rewritten
