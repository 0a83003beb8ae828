"""Pages with two states for tests of differences."""

from typing import Any

from charlotte.page.diff.views import DiffScope, diff_views
from charlotte.page.identity.id_book import IdBook
from tests.page.pages import Page, view_of


def changes(
    before: Page, after: Page, scope: DiffScope = "delta", **more: Any
) -> list[dict[str, Any]]:
    """Return the JSON objects of the changes between two states of a tab."""
    book = IdBook()
    old, new = view_of(before.capture(), book), view_of(after.capture(), book)
    diff = diff_views(old, new, from_snapshot=1, to_snapshot=2, scope=scope, **more)
    return [change.as_json() for change in diff.changes]


def summary(before: Page, after: Page) -> str:
    book = IdBook()
    old, new = view_of(before.capture(), book), view_of(after.capture(), book)
    return diff_views(old, new, from_snapshot=1, to_snapshot=2).summary


def shop() -> Page:
    """Build a page with a navigation, a main part and a form."""
    page = Page()
    navigation = page.landmark("navigation", "Main", box=(0, 0, 1280, 50))
    page.text("Home | Cart (1)", parent=navigation)
    page.link("Home", parent=navigation, box=(10, 10, 50, 20))
    page.link("Cart (1)", parent=navigation, box=(70, 10, 60, 20))
    main = page.landmark("main", box=(0, 50, 1280, 900))
    page.heading("Products", 1, parent=main)
    form = page.add("f", "form", parent=main, nid=50)
    page.field("Search", parent=form, form=50, box=(10, 100, 200, 24))
    page.button("Go", parent=form, form=50, submits=1, box=(220, 100, 40, 24))
    page.text("12 products", parent=main)
    return page


def row(page: Page, name: str) -> list[Any]:
    return next(each for each in page.rows if each[3] == name)
