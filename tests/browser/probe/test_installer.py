"""Installation in a document."""

import pytest

from charlotte.browser.probe import probe_source
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_the_probe_cannot_be_replaced(page: RawPage) -> None:
    await page.load("<p>Text</p>")
    script = "const before = charlotte; charlotte = 1; charlotte === before"
    assert await page.run_beside(script) is True


async def test_a_second_installation_keeps_the_probe(page: RawPage) -> None:
    await page.load("<p>Text</p>")
    await page.run_beside("globalThis.before = charlotte; 0")
    await page.run_beside(probe_source())
    assert await page.run_beside("charlotte === before") is True
