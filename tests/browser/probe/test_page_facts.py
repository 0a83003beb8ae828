"""Facts about the document."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_a_capture_has_the_facts_of_its_document(page: RawPage) -> None:
    await page.load("<html lang=fr><title>Shop</title><div style='height: 2000px'></div>")
    await page.run("scrollTo(0, 100); 0")
    facts = await page.ask("capture")
    assert (facts["lang"], facts["title"], facts["ready"]) == ("fr", "Shop", "complete")
    assert (facts["viewport"], facts["scroll"][:2]) == ([1280, 720], [0, 100])
