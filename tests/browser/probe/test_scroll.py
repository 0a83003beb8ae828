"""Scroll positions and scrolling."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium

_BOX = """<div id=box style="height: 100px; width: 300px; overflow: auto">
  <p id=p style="height: 1000px">Text</p></div>"""


async def test_the_page_scrolls_by_pages_and_px(page: RawPage) -> None:
    await page.load("<div style='height: 5000px'>Long</div>")
    answer = await page.ask("scrollBy", 0, "y", {"pages": 1, "px": 10})
    assert (answer["x"], answer["y"]) == (0, 730)


async def test_the_scroller_around_an_element_is_described(page: RawPage) -> None:
    await page.load(_BOX)
    answer = await page.ask("scrollBy", await page.nid("#p"), "y", {"px": 50})
    assert (answer["y"], answer["scroller"]) == (50, await page.nid("#box"))
    assert answer["around"].startswith("div#box")


async def test_an_element_that_cannot_scroll_is_an_error_only_without_a_scroller(
    page: RawPage,
) -> None:
    await page.load("<p id=p>Text</p>")
    answer = await page.ask("scrollBy", await page.nid("#p"), "y", {"px": 50})
    assert answer == {"error": "not scrollable"}


async def test_an_element_is_brought_into_view(page: RawPage) -> None:
    await page.load("<div style='height: 5000px'></div><p id=p>Text</p>")
    number = await page.nid("#p")
    assert await page.ask("reveal", number, "center", "nearest") == {"moved": True}
    assert await page.ask("reveal", number, "center", "nearest") == {"moved": False}


async def test_the_scrollers_at_a_point_are_listed(page: RawPage) -> None:
    await page.load(_BOX)
    assert await page.ask("scrollersAt", 50, 50) == {"around": [await page.nid("#box")]}
