"""Comparison of headings and texts around an element."""

from typing import Any

import pytest

from charlotte.page.identity.degrees import ChangeDegree
from charlotte.page.identity.records import RecordIndex
from charlotte.page.identity.references import are_rewritten, compare_headings


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
