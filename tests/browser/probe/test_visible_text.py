"""Visible text in and next to elements."""

import pytest

from tests.browser.probe.rows import only
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_a_name_has_only_the_visible_text(page: RawPage) -> None:
    html = "<button>Go <span hidden>away</span><span style='visibility: hidden'>now</span></button>"
    assert (await only(page, html, "i")).name == "Go"


async def test_occurrences_in_an_announcement_are_visible(page: RawPage) -> None:
    await page.load("<p role=status>Saved <i hidden>not</i></p>")
    assert (await page.ask("capture"))["alerts"] == ["Saved"]
