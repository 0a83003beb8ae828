"""Listeners that the page adds to its elements."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_the_marks_of_an_element_are_invisible(page: RawPage) -> None:
    await page.load("<div id=d>Go</div><script>d.onclick = () => {}</script>")
    assert await page.run("Reflect.ownKeys(d).length") == 0
