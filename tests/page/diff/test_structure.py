"""Differences of landmarks and headings."""

import pytest

from tests.page.differing import changes, row, shop
from tests.page.pages import Page


@pytest.mark.req("C-SDIFF-05")
def test_landmarks_are_the_same_by_role_and_label_and_others_by_id() -> None:
    before, after = shop(), shop()
    row(after, "Main")[0] = 999
    row(after, "Main")[4] = [0, 500, 1280, 50]
    row(after, "Main")[5]["sib"] = 4
    row(after, "Cart (1)")[2:4] = "link", "Basket"
    next(each for each in after.rows if each[2] == "heading")[3] = "Goods"
    found = [(each["type"], each.get("property")) for each in changes(before, after, "all")]
    assert found == [("changed", "text"), ("changed", "label"), ("moved", None)]


def test_a_new_landmark_is_reported_with_its_text() -> None:
    after = shop()
    notice = after.landmark("region", "Notice")
    after.text("Your cart was saved.", parent=notice)
    added, text = changes(shop(), after)
    assert added["to"]["label"] == "Notice"
    assert (text["element"], text["to"]) == (added["element"], "Your cart was saved.")
    (removed,) = changes(after, shop())
    assert (removed["type"], removed["detail"]) == ("removed", 'region "Notice"')


def test_a_recreated_landmark_reports_only_new_text() -> None:
    before, after = Page(), Page()
    results = before.landmark("region", "Results (2)")
    again = after.landmark("region", "Results (3)", nid=99)
    for line in ("Tea", "Coffee"):
        before.text(line, parent=results)
        after.text(line, parent=again)
    after.text("Milk", parent=again)
    kinds = [(each["type"], each.get("property")) for each in changes(before, after)]
    assert kinds == [("added", None), ("removed", None), ("changed", "text")]


@pytest.mark.parametrize(
    ("kind", "role", "type_"), [("c", "clickable", "clickable"), ("i", "option", "button")]
)
def test_the_first_of_many_similar_elements_are_listed_and_the_rest_counted(
    kind: str, role: str, type_: str
) -> None:
    page = shop()
    with_days = page.copy()
    for day in range(1, 32):
        with_days.add(kind, role, f"{day}.")
    with_days.button("Today")

    found = changes(page, with_days)

    assert [each["to"]["label"] for each in found if "to" in each] == [
        *[f"{day}." for day in range(1, 13)],
        "Today",
    ]
    assert [each["detail"] for each in found if "to" not in each] == [
        f'19 more, from {type_} "13." to {type_} "31.": find lists them'
    ]


def test_a_diff_lists_all_clickables() -> None:
    page = shop()
    with_days = page.copy()
    for day in range(1, 32):
        with_days.add("c", "clickable", f"{day}.")

    assert all("to" in each for each in changes(page, with_days, "interactive"))
