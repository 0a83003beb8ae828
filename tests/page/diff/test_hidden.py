"""What is behind a dialog is still on the page."""

from typing import Any

import attrs

from charlotte.page.diff.hidden import find_unreachable, iter_ids
from charlotte.page.diff.views import diff_views
from charlotte.page.identity.id_book import IdBook
from charlotte.page.model import PageView
from tests.page.differing import row, shop
from tests.page.pages import Page, view_of

FRONT = 'dialog "Sure?"'


def dialog() -> Page:
    """What a walk meets while a modal dialog is open."""
    page = Page()
    page.add("g", "dialog", "Sure?", nid=70)
    page.text("This cannot be undone.", parent=0)
    page.button("OK", parent=0, nid=71)
    return page


def changes(old: PageView, new: PageView) -> list[dict[str, Any]]:
    diff = diff_views(old, new, from_snapshot=1, to_snapshot=2, scope="delta")
    return [change.as_json() for change in diff.changes]


def behind(old: PageView, new: PageView, front: str = FRONT) -> PageView:
    """The new view while all of the old one is behind it."""
    there = {*iter_ids(old), *(iter_ids(old.unreachable) if old.unreachable else ())} - {
        *iter_ids(new)
    }
    return attrs.evolve(new, unreachable=find_unreachable(old, new, there, front))


def test_a_dialog_is_told_with_one_line_for_all_that_is_behind_it() -> None:
    """And with its own elements and text."""
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


def test_nothing_behind_a_dialog_has_the_focus() -> None:
    """Typing in the dialog is no reason to report the field that had the focus before."""
    book, page, typed = IdBook(), shop(), dialog()
    row(page, "Search")[5]["focused"] = 1
    typed.field("City", parent=0, nid=72, value="Rome")
    opened = behind(view_of(page.capture(), book), view_of(dialog().capture(), book))
    told = changes(opened, behind(opened, view_of(typed.capture(), book)))
    assert [change["to"]["label"] for change in told] == ["City"]


def test_closing_it_tells_one_line_and_what_is_not_as_it_was() -> None:
    """Values and texts that changed meanwhile are told as what they were and are."""
    book = IdBook()
    opened = behind(view_of(shop().capture(), book), view_of(dialog().capture(), book))
    after = shop()
    row(after, "Search")[5]["value"] = "tea"
    row(after, "12 products")[3] = "1 product"
    told = changes(opened, view_of(after.capture(), book))
    assert [(each["type"], each.get("property")) for each in told] == [
        ("changed", "reachable"),
        ("changed", "value"),
        ("removed", None),
        ("changed", "text"),
        ("changed", "text"),
    ]
    assert told[0]["detail"] == "5 elements can be reached again"
    assert (told[-1]["from"], told[-1]["to"]) == ("12 products", "1 product")


def test_what_stays_behind_is_not_told_again() -> None:
    """The dialog is used for a while."""
    book = IdBook()
    opened = behind(view_of(shop().capture(), book), view_of(dialog().capture(), book))
    later = dialog()
    row(later, "OK")[3] = "Really?"
    (change,) = changes(opened, behind(opened, view_of(later.capture(), book)))
    assert (change["property"], change["to"]) == ("label", "Really?")


def test_a_second_dialog_puts_the_first_one_behind() -> None:
    """And what was behind that stays there."""
    book = IdBook()
    opened = behind(view_of(shop().capture(), book), view_of(dialog().capture(), book))
    second = Page()
    second.button("Back", nid=90)
    both = behind(opened, view_of(second.capture(), book), 'dialog "Why?"')
    reach, *_ = changes(opened, both)
    assert reach["detail"] == '1 element still there, but behind dialog "Why?"'
    first = view_of(dialog().capture(), book)
    still = find_unreachable(
        both, first, {*iter_ids(opened.unreachable)} if opened.unreachable else (), FRONT
    )
    reach, *_ = changes(both, attrs.evolve(first, unreachable=still))
    assert reach["detail"] == "1 element can be reached again"


def test_without_anything_in_front_text_is_told_as_ever() -> None:
    """A part that becomes inert, like the slide that a carousel leaves."""
    book = IdBook()
    before, after = Page(), Page()
    slide = before.landmark("region", "Slide 1")
    before.link("Tea", parent=slide)
    before.text("Tea for two", parent=slide)
    after.text("Another slide")
    old = view_of(before.capture(), book)
    told = changes(old, behind(old, view_of(after.capture(), book), ""))
    assert told[0]["detail"] == "1 element still there, but inert or aria-hidden"
    assert told[1]["to"] == "Another slide"


def test_what_has_really_gone_from_behind_is_removed() -> None:
    """The row that the dialog deleted."""
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
