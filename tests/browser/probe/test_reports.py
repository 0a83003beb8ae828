"""Reports of listeners from the world of the page."""

import pytest

from tests.browser.probe.rows import named, rows_of
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_an_element_that_gets_a_listener_is_clickable_from_then_on(page: RawPage) -> None:
    assert await named(page, "<div id=d>Go</div>") == []
    await page.run("d.addEventListener('click', () => {}); 0")
    rows = rows_of(await page.ask("capture"))
    assert [(row.role, row.name) for row in rows if row.kind == "c"] == [("clickable", "Go")]
