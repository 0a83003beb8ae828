"""Comparison of records by keys and texts."""

import pytest

from charlotte.page.identity.degrees import ChangeDegree
from charlotte.page.identity.records import Membership, RecordIndex, are_recounted, compare_records


def membership(
    *rows: str, at: int = 0, keys: tuple[str, ...] = (), name: str = "data-id"
) -> Membership:
    """Return the membership of the row at an index; bars separate its cells."""
    extras = [
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
    found = RecordIndex(extras).find(at + 1)
    assert found
    return found


@pytest.mark.parametrize(
    ("before", "now", "others", "degree"),
    [
        ("Milk|new", "Milk|new", ["Bread|new"], "same"),
        ("Milk|new", "Bread|new", ["Salt|new"], "changed"),
        ("Milk|new", "Milk|sold", ["Bread|new"], "minor"),
        ("Order 17", "Order 16", ["Order 18"], "changed"),
        ("Milk pending", "Milk done", ["Bread pending"], "minor"),
        ("Milk 12:03", "Milk 12:04", ["Bread 12:03"], "minor"),
        ("Milk 3 left", "Milk 9 left", ["Bread 5 left"], "minor"),
        ("Milk|2 left|Edit", "Bread|1 left|Edit", ["Salt|5 left|Edit"], "changed"),
        ("Milk|4|Lima|9", "Rolls|4|Lima|9", ["Bread|5|Oslo|9"], "changed"),
        ("Milk|new", "Bread|new", [], "changed"),
    ],
)
def test_records_are_distinguished_by_their_own_texts(
    before: str, now: str, others: list[str], degree: ChangeDegree
) -> None:
    assert compare_records(membership(before, *others), membership(now, *others)) == degree


def test_a_key_counts_more_than_texts() -> None:
    rows, keys = ("Untitled", "Untitled", "Other"), ("71", "35", "90")

    before = membership(*rows, keys=keys)

    assert compare_records(before, membership(*rows, keys=("18", "35", "90"))) == "changed"
    assert compare_records(before, membership("Named", *rows[1:], keys=keys)) == "minor"


def test_numbers_that_start_elsewhere_are_keys() -> None:
    before = membership("Pen", "Pen", "Pen", keys=("101", "102", "103"))

    assert compare_records(before, membership("Pen", "Pen", keys=("102", "103"))) == "changed"


@pytest.mark.parametrize(
    ("rows", "keys", "degree"),
    [
        (("Pen", "Ink"), ("item-90", "item-77"), "changed"),  # another one with the same text
        (("Pen", "Ink"), ("view8", "view9"), "same"),  # all nodes were recreated
    ],
)
def test_an_id_distinguishes_records_unless_other_ids_change_too(
    rows: tuple[str, ...], keys: tuple[str, ...], degree: ChangeDegree
) -> None:
    before = membership("Pen", "Ink", "Pot", keys=("item-42", "item-77", "item-15"), name="id")

    assert compare_records(before, membership(*rows, keys=keys, name="id")) == degree


def test_a_record_with_another_id_is_another_record() -> None:
    before = membership("Ann|open", "Bob|open", keys=("row1042", "row1077"), name="id")

    now = membership("Ann|open", keys=("row1090",), name="id")
    assert compare_records(before, now) == "changed"


def test_a_single_record_is_compared_by_the_keys_of_the_other_list() -> None:
    before = membership("Pen", keys=("1",))

    assert compare_records(before, membership("Pen", "Pen", keys=("2", "4"))) == "changed"


def test_equal_records_without_keys_are_not_recognised_after_their_number_changes() -> None:
    before = membership("Disk full", "Disk full", "Disk full")

    assert are_recounted(before, membership("Disk full", "Disk full"))
    assert not are_recounted(before, membership("Disk full", "Disk full", "Disk full", at=1))
    assert not are_recounted(before, membership("Disk full", "Disk full", "Disk spared"))
    keyed = membership("Disk full", "Disk full", keys=("7a", "9b"))
    assert not are_recounted(keyed, membership("Disk full", keys=("9b",)))


def test_positions_in_a_virtual_list_are_not_keys() -> None:
    rows = ("Milk", "Bread", "Salt")
    before = membership(*rows, keys=("10", "11", "12"), name="aria-rowindex")

    now = membership(*rows, keys=("15", "16", "17"), name="aria-rowindex")
    assert compare_records(before, now) == "same"


def test_a_text_in_another_column_does_not_identify_a_record() -> None:
    before = membership("5|Nora|9|Graz", "4|Pia|8|Graz")

    assert compare_records(before, membership("7|Tess|5|Graz", "8|Finn|4|Graz")) == "changed"
