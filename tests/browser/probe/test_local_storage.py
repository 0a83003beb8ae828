"""The localStorage that is kept for a restart of the browser."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_an_opaque_origin_has_no_storage(page: RawPage) -> None:
    await page.load("<p>Text</p>")
    assert await page.run_beside("charlotte.stored(0)") == ""
