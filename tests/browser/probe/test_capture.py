"""Options of a capture."""

import pytest

from tests.browser.probe.rows import rows_of
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_a_capture_can_leave_out_the_text(page: RawPage) -> None:
    await page.load("<p>Text</p><button>Go</button>")
    rows = rows_of(await page.ask("capture", {"text": False}))
    assert [(row.role, row.name) for row in rows] == [("button", "Go")]


async def test_live_regions_with_text_are_alerts(page: RawPage) -> None:
    await page.load("<p role=alert>Wrong</p><p role=status></p>")
    assert (await page.ask("capture"))["alerts"] == ["Wrong"]


async def test_there_are_no_alerts_without_live_regions(page: RawPage) -> None:
    await page.load("<p>Text</p>")
    assert "alerts" not in await page.ask("capture")
