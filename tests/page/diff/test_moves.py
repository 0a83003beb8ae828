"""Changes of positions in the document."""

from typing import Any

import pytest

from charlotte.page.diff.views import diff_views
from charlotte.page.identity.id_book import IdBook
from tests.page.pages import Page, view_of


def moves(before: Page, after: Page) -> list[dict[str, Any]]:
    book = IdBook()
    old, new = view_of(before.capture(), book), view_of(after.capture(), book)
    diff = diff_views(old, new, from_snapshot=1, to_snapshot=2, scope="delta")
    return [change.as_json() for change in diff.changes if change.type == "moved"]


def column(*tops: int, height: int = 20) -> Page:
    page = Page()
    for index, top in enumerate(tops):
        page.button(f"Button {index}", box=(10, top, 80, height))
    return page


def scrolled(page: Page, distance: int) -> Page:
    after = page.copy()
    after.scroll = (0, distance, 0, 3000)
    for row in after.rows:
        if row[4]:
            row[4] = [row[4][0], row[4][1] - distance, *row[4][2:]]
    return after


def test_scrolling_is_not_a_move() -> None:
    page = column(*range(0, 2000, 40))
    assert moves(page, scrolled(page, 500)) == []
    assert moves(scrolled(page, 500), page) == []


def test_content_of_a_scrolled_container_does_not_move() -> None:
    page = column(0, 40, 80)
    after = scrolled(page, 30)
    after.scroll = page.scroll
    after.scrolls = [(9, 0, 30)]
    assert moves(page, after) == []
    assert moves(after, page) != []  # where it is scrolled to is not known then
    page.scrolls = [(9, 0, 0)]
    assert moves(after, page) == []


def test_content_of_nested_scrolled_containers_does_not_move() -> None:
    page = column(100, 140, 180)
    after = page.copy()
    after.scrolls = [(8, 0, 30), (9, 0, 50)]
    after.rows[1][4] = [10, 140 - 50, 80, 20]
    after.rows[2][4] = [10, 180 - 80, 80, 20]
    assert moves(page, after) == []
    after.rows[2][4] = [10, 180 - 120, 80, 20]
    assert len(moves(page, after)) == 1


@pytest.mark.req("C-SDIFF-06")
def test_a_single_moved_element_is_reported_with_both_boxes() -> None:
    page = column(0, 100, 200)
    after = scrolled(page, 50)
    after.rows[1][4] = [400, 50, 80, 20]
    (moved,) = moves(page, after)
    assert moved["from"] == {"x": 10, "y": 50, "w": 80, "h": 20}
    assert moved["to"] == {"x": 400, "y": 50, "w": 80, "h": 20}
    assert moved["element"].startswith("btn-")


def test_a_banner_that_pushes_everything_down_is_one_line() -> None:
    page = column(*range(0, 4000, 40))
    after = column(*(top + 60 + index % 2 for index, top in enumerate(range(0, 4000, 40))))
    (moved,) = moves(page, after)
    assert moved["detail"].endswith(" and 97 more moved together by 0, 60 px")
