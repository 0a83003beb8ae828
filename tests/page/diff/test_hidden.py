"""Changes of content behind a dialog."""

from typing import Any

import attrs

from charlotte.page.diff.views import diff_views
from charlotte.page.identity.id_book import IdBook
from charlotte.page.model import PageView
from charlotte.page.view import find_unreachable, iter_ids
from tests.page.differing import row, shop
from tests.page.pages import Page, view_of

FRONT = 'dialog "Sure?"'


def dialog() -> Page:
    page = Page()
    page.add("g", "dialog", "Sure?", nid=70)
    page.text("This cannot be undone.", parent=0)
    page.button("OK", parent=0, nid=71)
    return page


def changes(old: PageView, new: PageView) -> list[dict[str, Any]]:
    diff = diff_views(old, new, from_snapshot=1, to_snapshot=2, scope="delta")
    return [change.as_json() for change in diff.changes]


def behind(old: PageView, new: PageView, front: str = FRONT) -> PageView:
    """Return the new view with all of the old one behind it."""
    there = {*iter_ids(old), *(iter_ids(old.unreachable) if old.unreachable else ())} - {
        *iter_ids(new)
    }
    return attrs.evolve(new, unreachable=find_unreachable(old, new, there, front))


def test_content_behind_a_new_dialog_is_one_change() -> None:
    book = IdBook()
    page = view_of(shop().capture(), book)
    opened = behind(page, view_of(dialog().capture(), book))
    reach, added, text = changes(page, opened)
    assert reach == {
        "type": "changed",
        "property": "reachable",
        "detail": '5 elements still there, but behind dialog "Sure?"',
        "to": False,
    }
    assert (added["type"], added["to"]["label"]) == ("added", "OK")
    assert text["to"] == "This cannot be undone."


def test_content_behind_a_dialog_has_no_focus() -> None:
    book, page, typed = IdBook(), shop(), dialog()
    row(page, "Search")[5]["focused"] = 1
    typed.field("City", parent=0, nid=72, value="Rome")
    opened = behind(view_of(page.capture(), book), view_of(dialog().capture(), book))
    found = changes(opened, behind(opened, view_of(typed.capture(), book)))
    assert [change["to"]["label"] for change in found] == ["City"]


def test_closing_a_dialog_is_one_change_plus_changes_behind_it() -> None:
    book = IdBook()
    opened = behind(view_of(shop().capture(), book), view_of(dialog().capture(), book))
    after = shop()
    row(after, "Search")[5]["value"] = "tea"
    row(after, "12 products")[3] = "1 product"
    found = changes(opened, view_of(after.capture(), book))
    assert [(each["type"], each.get("property")) for each in found] == [
        ("changed", "reachable"),
        ("changed", "value"),
        ("removed", None),
        ("changed", "text"),
        ("changed", "text"),
    ]
    assert found[0]["detail"] == "5 elements can be reached again"
    assert (found[-1]["from"], found[-1]["to"]) == ("12 products", "1 product")


def test_content_that_stays_behind_a_dialog_is_not_reported_again() -> None:
    book = IdBook()
    opened = behind(view_of(shop().capture(), book), view_of(dialog().capture(), book))
    later = dialog()
    row(later, "OK")[3] = "Really?"
    (change,) = changes(opened, behind(opened, view_of(later.capture(), book)))
    assert (change["property"], change["to"]) == ("label", "Really?")


def test_text_of_inert_content_without_a_dialog_is_reported() -> None:
    book = IdBook()
    before, after = Page(), Page()
    slide = before.landmark("region", "Slide 1")
    before.link("Tea", parent=slide)
    before.text("Tea for two", parent=slide)
    after.text("Another slide")
    old = view_of(before.capture(), book)
    found = changes(old, behind(old, view_of(after.capture(), book), ""))
    assert found[0]["detail"] == "1 element still there, but inert or aria-hidden"
    assert found[1]["to"] == "Another slide"


def test_elements_deleted_behind_a_dialog_are_removed() -> None:
    book = IdBook()
    opened = behind(view_of(shop().capture(), book), view_of(dialog().capture(), book))
    after = shop()
    del after.rows[2:4]
    for each in after.rows[2:]:
        each[1] = max(each[1] - 2, -1) if each[1] else 0
    removed = [
        each["detail"]
        for each in changes(opened, view_of(after.capture(), book))
        if each["type"] == "removed"
    ]
    assert set(removed) == {'link "Home"', 'link "Cart (1)"', 'button "OK"'}
