"""A record is known by its keys, by the text that it alone has, and by enough of its others."""

import pytest

from charlotte.page.likeness import Verdict
from charlotte.page.records import Records, Standing, compare_records


def standing(*rows: str, at: int = 0, keys: tuple[str, ...] = ()) -> Standing:
    """The record of the row at a place; a row is its cells, between bars."""
    told = [
        (
            nid,
            {
                "record": {
                    "list": 100,
                    "keys": {"data-id": keys[nid - 1]} if keys else {},
                    "cells": row.split("|"),
                }
            },
        )
        for nid, row in enumerate(rows, 1)
    ]
    found = Records(told).of(at + 1)
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
    before: str, now: str, others: list[str], verdict: Verdict
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
