"""A record is known by its keys, by the text that it alone has, and by enough of its others."""

import pytest

from charlotte.page.identity.comparison import ChangeDegree
from charlotte.page.identity.records import Membership, RecordIndex, are_recounted, compare_records


def standing(
    *rows: str, at: int = 0, keys: tuple[str, ...] = (), name: str = "data-id"
) -> Membership:
    """The record of the row at a place; a row is its cells, between bars."""
    told = [
        (
            nid,
            {
                "record": {
                    "list": 100,
                    "keys": {name: keys[nid - 1]} if keys else {},
                    "cells": row.split("|"),
                }
            },
        )
        for nid, row in enumerate(rows, 1)
    ]
    found = RecordIndex(told).find(at + 1)
    assert found
    return found


@pytest.mark.parametrize(
    ("before", "now", "others", "verdict"),
    [
        ("Milk|new", "Milk|new", ["Bread|new"], "same"),
        ("Milk|new", "Bread|new", ["Salt|new"], "changed"),
        ("Milk|new", "Milk|sold", ["Bread|new"], "minor"),
        ("Order 17", "Order 16", ["Order 18"], "changed"),
        ("Milk pending", "Milk done", ["Bread pending"], "minor"),
        ("Milk 12:03", "Milk 12:04", ["Bread 12:03"], "minor"),
        ("Milk|2 left|Edit", "Bread|1 left|Edit", ["Salt|5 left|Edit"], "changed"),
        ("Milk|4|Lima|9", "Rolls|4|Lima|9", ["Bread|5|Oslo|9"], "minor"),
        ("Milk|new", "Bread|new", [], "changed"),
    ],
)
def test_another_record_has_another_text_of_its_own(
    before: str, now: str, others: list[str], verdict: ChangeDegree
) -> None:
    assert compare_records(standing(before, *others), standing(now, *others)) == verdict


def test_a_key_says_more_than_texts() -> None:
    rows, keys = ("Untitled", "Untitled", "Other"), ("71", "35", "90")

    before = standing(*rows, keys=keys)

    assert compare_records(before, standing(*rows, keys=("18", "35", "90"))) == "changed"
    assert compare_records(before, standing("Named", *rows[1:], keys=keys)) == "minor"


def test_what_counts_the_rows_is_no_key() -> None:
    """Sorted, the record stands in another row."""
    before = standing("Milk", "Bread", keys=("1", "2"))

    assert compare_records(before, standing("Bread", "Milk", at=1, keys=("1", "2"))) == "same"


def test_numbers_that_begin_elsewhere_are_keys_of_a_list_that_lost_its_first_record() -> None:
    before = standing("Pen", "Pen", "Pen", keys=("101", "102", "103"))

    assert compare_records(before, standing("Pen", "Pen", keys=("102", "103"))) == "changed"


def test_a_list_that_is_turned_around_has_keys_and_no_positions() -> None:
    before = standing("Pen", "Pen", "Pen", keys=("101", "102", "103"))

    after = standing("Pen", "Pen", "Pen", keys=("103", "102", "101"))
    assert compare_records(before, after) == "changed"
    last = standing("Pen", "Pen", "Pen", at=2, keys=("103", "102", "101"))
    assert compare_records(before, last) == "same"


@pytest.mark.parametrize(
    ("rows", "keys", "verdict"),
    [
        (("Pen", "Ink"), ("item-90", "item-77"), "changed"),  # another one with the same text
        (("Pen", "Ink"), ("view8", "view9"), "same"),  # all nodes were made anew
    ],
)
def test_an_id_tells_records_apart_unless_others_get_another_one_too(
    rows: tuple[str, ...], keys: tuple[str, ...], verdict: ChangeDegree
) -> None:
    before = standing("Pen", "Ink", "Pot", keys=("item-42", "item-77", "item-15"), name="id")

    assert compare_records(before, standing(*rows, keys=keys, name="id")) == verdict


def test_a_filtered_record_with_another_id_is_another_one() -> None:
    before = standing("Ann|open", "Bob|open", keys=("row1042", "row1077"), name="id")

    now = standing("Ann|open", keys=("row1090",), name="id")
    assert compare_records(before, now) == "changed"


def test_a_single_record_is_told_from_others_by_what_tells_those_apart() -> None:
    before = standing("Pen", keys=("1",))

    assert compare_records(before, standing("Pen", "Pen", keys=("2", "4"))) == "changed"


def test_equal_records_without_keys_are_not_known_once_their_number_is_another() -> None:
    before = standing("Disk full", "Disk full", "Disk full")

    assert are_recounted(before, standing("Disk full", "Disk full"))
    assert not are_recounted(before, standing("Disk full", "Disk full", "Disk full", at=1))
    assert not are_recounted(before, standing("Disk full", "Disk full", "Disk spared"))
    keyed = standing("Disk full", "Disk full", keys=("7a", "9b"))
    assert not are_recounted(keyed, standing("Disk full", keys=("9b",)))


def test_positions_in_a_window_of_a_list_that_has_grown_above_it_are_no_keys() -> None:
    rows = ("Milk", "Bread", "Salt")
    before = standing(*rows, keys=("10", "11", "12"), name="aria-rowindex")

    now = standing(*rows, keys=("15", "16", "17"), name="aria-rowindex")
    assert compare_records(before, now) == "same"


def test_a_text_in_another_column_does_not_name_a_record() -> None:
    before = standing("5|Nora|9|Graz", "4|Pia|8|Graz")

    assert compare_records(before, standing("7|Tess|5|Graz", "8|Finn|4|Graz")) == "changed"
