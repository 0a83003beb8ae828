"""Installation in a document."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_the_probe_cannot_be_replaced(page: RawPage) -> None:
    await page.load("<p>Text</p>")
    script = "const before = charlotte; charlotte = 1; charlotte === before"
    assert await page.run_beside(script) is True
