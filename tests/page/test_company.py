"""A node shows another record when what stood beside it alone does not stand there any more."""

import pytest

from charlotte.page.capture import Capture
from charlotte.page.company import companies, compare_rows
from charlotte.page.likeness import Verdict
from tests.page.pages import Page


def rows(*texts: str) -> Capture:
    page = Page()
    for number, text in enumerate(texts):
        page.button("Delete", near=text, place=number)
    return page.capture()


def first_of(capture: Capture) -> int:
    return capture.nodes[0].nid


@pytest.mark.parametrize(
    ("before", "now", "others", "verdict"),
    [
        ("Milk", "Milk", ["Bread"], "same"),
        ("Milk", "Bread", ["Milk"], "changed"),
        ("Order 17", "Order 18", ["Order 17"], "changed"),
        ("Order 17", "Order 16", ["Order 18"], "same"),
        ("Milk", "Bread", ["Salt"], "changed"),
        ("Milk 2 left Edit", "Bread 1 left Edit", ["Salt 5 left Edit"], "changed"),
        ("Item Milk", "Item Bread", ["Item Salt"], "changed"),
        ("Milk pending", "Milk done", ["Bread pending"], "minor"),
        ("Milkpending", "Milkdone", ["Breadpending"], "minor"),
        ("Milk 12:03", "Milk 12:04", ["Bread 12:04"], "same"),
        ("Milk", "", ["Bread"], "same"),
        ("", "Milk", ["Bread"], "same"),
        ("Milk", "Bread", [], "changed"),
    ],
)
def test_another_row_has_little_in_common(
    before: str, now: str, others: list[str], verdict: Verdict
) -> None:
    capture = rows(now, *others)
    assert compare_rows(before, capture, first_of(capture)) == verdict


@pytest.mark.parametrize(
    ("texts", "company"),
    [
        (["Milk", "Bread"], "Milk"),
        (["Pending", "Pending"], ""),
        (["12:03", "12:04"], ""),
    ],
)
def test_only_words_that_stand_beside_no_other_are_company(texts: list[str], company: str) -> None:
    capture = rows(*texts)
    assert companies(capture).get(first_of(capture), "") == company
