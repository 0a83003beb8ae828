"""Listeners that the page adds to its elements."""

import pytest

from tests.browser.probe.rows import named
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


@pytest.mark.parametrize(
    "script",
    ["d.addEventListener('click', () => {})", "d.onclick = () => {}"],
)
async def test_a_listener_for_clicks_is_reported(page: RawPage, script: str) -> None:
    html = f"<div id=d>Go</div><script>{script}</script>"
    assert await named(page, html) == [("clickable", "Go")]


@pytest.mark.parametrize("script", ["d.addEventListener('scroll', () => {})", "d.onclick = null"])
async def test_no_other_listener_is_reported(page: RawPage, script: str) -> None:
    assert await named(page, f"<div id=d>Go</div><script>{script}</script>") == []


async def test_the_marks_of_an_element_are_invisible(page: RawPage) -> None:
    await page.load("<div id=d>Go</div><script>d.onclick = () => {}</script>")
    assert await page.run("Reflect.ownKeys(d).length") == 0
