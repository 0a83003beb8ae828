"""Differences of two views."""

from typing import Any

import pytest

from charlotte.page.diff.views import DiffScope, diff_views
from charlotte.page.identity.id_book import IdBook
from tests.page.differing import changes, row, shop, summary
from tests.page.pages import Page, view_of


@pytest.mark.req("C-SDIFF-01", "C-SDIFF-02")
def test_the_shape_names_both_snapshots() -> None:
    after = shop()
    row(after, "12 products")[3] = "1 product"
    book = IdBook()
    old, new = view_of(shop().capture(), book), view_of(after.capture(), book)
    diff = diff_views(old, new, from_snapshot=7, to_snapshot=9)
    assert diff.as_json() == {
        "from_snapshot": 7,
        "to_snapshot": 9,
        "changes": [
            {
                "type": "changed",
                "element": new.landmarks[1].id,
                "property": "text",
                "from": "12 products",
                "to": "1 product",
            }
        ],
        "summary": "1 change: 1 changed.",
    }


@pytest.mark.req("C-SDIFF-02", "C-SDIFF-06")
def test_an_added_element_is_reported_with_its_record() -> None:
    after = shop()
    after.link("Help", "http://shop.test/help", parent=0, box=(140, 10, 40, 20))
    after.rows.insert(4, after.rows.pop())
    for each in after.rows[5:]:
        each[1] += each[1] >= 4
    row(after, "Home | Cart (1)")[3] = "Home | Cart (1) | Help"
    (added,) = changes(shop(), after)
    (removed,) = changes(after, shop())
    assert removed == {"type": "removed", "element": added["element"], "detail": 'link "Help"'}
    assert added == {
        "type": "added",
        "element": added["element"],
        "to": {
            "id": added["element"],
            "type": "link",
            "label": "Help",
            "bounds": {"x": 140, "y": 10, "w": 40, "h": 20},
            "state": {},
            "href": "http://shop.test/help",
        },
    }


@pytest.mark.req("C-SDIFF-06")
@pytest.mark.parametrize(
    ("name", "extra", "expected"),
    [
        ("Search", {"value": "tea"}, ("value", None, "tea")),
        ("Search", {"placeholder": "Tea?"}, ("placeholder", None, "Tea?")),
        ("Go", {"title": "Off you go"}, ("title", None, "Off you go")),
        ("Search", {"invalid": 1}, ("state.invalid", False, True)),
        ("Search", {"readonly": 1}, ("state.readonly", False, True)),
        ("Go", {"disabled": 1}, ("state.enabled", True, False)),
        ("Go", {"expanded": True}, ("state.expanded", None, True)),
        ("Home", {"href": "http://shop.test/new"}, ("href", "…", "http://shop.test/new")),
    ],
)
def test_properties_are_compared(
    name: str, extra: dict[str, Any], expected: tuple[str, Any, Any]
) -> None:
    before, after = shop(), shop()
    row(after, name)[5].update(extra)
    (change,) = changes(before, after)
    found, old, new = expected
    assert change["property"] == found
    assert change["to"] == new
    assert old == "…" or change.get("from") == old


def test_the_element_with_focus_is_reported() -> None:
    before, after = shop(), shop()
    row(before, "Search")[5]["focused"] = 1
    row(after, "Go")[5]["focused"] = 1
    (change,) = changes(before, after)
    assert change["property"] == "state.focused"
    assert change["to"] is True
    assert changes(before, after, acted_on=change["element"]) == []


def test_a_lost_focus_is_reported_if_no_element_has_focus() -> None:
    before = shop()
    row(before, "Search")[5]["focused"] = 1
    (change,) = changes(before, shop())
    assert (change["property"], change["to"]) == ("state.focused", False)


@pytest.mark.req("C-SDIFF-07")
def test_a_field_that_joins_a_form_changes_the_form() -> None:
    after = shop()
    after.field("Brand", parent=6, form=50)
    added, form = changes(shop(), after)
    assert form["property"] == "fields"
    assert form["to"] == [*form["from"], added["element"]]
    assert changes(after, shop())[0]["to"] == form["from"]


def test_a_removed_form_is_described() -> None:
    before = Page()
    before.add("f", "form", nid=50)
    (removed,) = changes(before, Page())
    assert removed["detail"] == "form with 0 fields"


def test_a_long_list_change_contains_only_what_left_and_joined() -> None:
    before, after = Page(), Page()
    options = [f"Option {index}" for index in range(50)]
    before.add("i", "combobox", "Country", tag="select", options=options)
    after.add("i", "combobox", "Country", tag="select", options=[*options[1:], "Peru"])
    (change,) = changes(before, after)
    assert (change["property"], change["from"], change["to"]) == ("options", ["Option 0"], ["Peru"])


def test_another_document_is_not_compared() -> None:
    after = Page(document="doc2", url="http://shop.test/cart", title="Cart")
    after.button("Pay")
    assert changes(shop(), after) == [
        {
            "type": "changed",
            "property": "url",
            "from": "http://shop.test/",
            "to": "http://shop.test/cart",
        },
        {"type": "changed", "property": "title", "from": "Shop", "to": "Cart"},
    ]
    assert summary(shop(), after).startswith("2 changes: 2 changed. Another document")


@pytest.mark.req("C-SDIFF-04")
@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ("structure", {"rgn", "hdg"}),
        ("interactive", {"inp", "form"}),
        ("content", {"url", "title", "text", "content_summary"}),
        ("all", {"rgn", "hdg", "inp", "form", "url", "title", "text", "content_summary"}),
        ("delta", {"rgn", "hdg", "inp", "form", "url", "title", "text"}),
    ],
)
def test_a_scope_limits_the_comparison(scope: DiffScope, expected: set[str]) -> None:
    after = shop()
    after.url, after.title = "http://shop.test/#tea", "Shop!"
    after.landmark("region", "News")
    after.heading("More", parent=4)
    after.field("Brand", parent=6, form=50)
    after.text("Two kinds of tea", parent=4)
    found = {_about(change) for change in changes(shop(), after, scope)}
    assert found == expected


def _about(change: dict[str, Any]) -> str:
    if change.get("property") == "fields":
        return "form"
    return change.get("property") or str(change["element"]).split("-", maxsplit=1)[0]


def test_content_summaries_are_compared_by_landmark() -> None:
    after = shop()
    after.button("New", parent=0)
    found = changes(shop(), after, "content")
    assert found[-1]["from"] == 'navigation "Main": 2 links'
    assert found[-1]["to"] == 'navigation "Main": 2 links, 1 button'


@pytest.mark.req("C-SDIFF-03")
def test_the_summary_counts_each_kind() -> None:
    after = shop()
    after.button("New", box=(500, 500, 40, 20))
    after.button("Newer", box=(560, 500, 40, 20))
    row(after, "Cart (1)")[3] = "Cart (2)"
    row(after, "Home | Cart (1)")[3] = "Home | Cart (2)"
    row(after, "12 products")[3] = "14 products"
    row(after, "Go")[4] = [220, 160, 40, 24]
    book = IdBook()
    old, new = view_of(shop().capture(), book), view_of(after.capture(), book)
    diff = diff_views(old, new, from_snapshot=1, to_snapshot=2, scope="delta")
    assert diff.summary == "5 changes: 2 added, 1 moved, 2 changed."
    back = diff_views(new, old, from_snapshot=2, to_snapshot=1, scope="delta")
    assert back.summary == "5 changes: 2 removed, 1 moved, 2 changed."
    same = diff_views(old, old, from_snapshot=1, to_snapshot=2, scope="delta")
    assert same.summary == "No changes."


def _sections(sizes: dict[str, int]) -> Page:
    page = Page()
    for name, size in sizes.items():
        section = page.landmark("region", name)
        for number in range(size):
            page.link(f"{name} {number}", parent=section)
    return page


def _without(page: Page, *names: str) -> Page:
    """Return the page without the rows of that name and the rows in them."""
    rest = page.copy()
    gone = {place for place, one in enumerate(rest.rows) if one[3].startswith(names)}
    kept = [place for place in range(len(rest.rows)) if place not in gone]
    for one in rest.rows:
        one[1] = kept.index(one[1]) if one[1] in kept else -1
    rest.rows = [rest.rows[place] for place in kept]
    return rest


def test_of_many_removals_the_first_are_listed_and_the_others_counted() -> None:
    page = _sections({"Results": 300, "Menu": 40})
    page.button("Search", parent=0)
    *listed, more = changes(page, _without(page, "Results ", "Search"))
    assert [change["detail"] for change in listed] == [f'link "Results {n}"' for n in range(10)]
    assert more["detail"] == "290 links, 1 button more"
    assert summary(page, _without(page, "Results ", "Search")) == (
        "302 changes: 301 removed, 1 changed."
    )


def test_a_comparison_that_was_asked_for_lists_all_removals() -> None:
    page = _sections({"Results": 300})
    removed = changes(page, _without(page, "Results "), scope="interactive")
    assert [change["type"] for change in removed] == ["removed"] * 300
    assert all(change["element"] for change in removed)


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
