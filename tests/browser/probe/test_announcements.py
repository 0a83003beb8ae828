"""Announcements of live regions."""

import pytest

from tests.browser.raw_cdp import Json, RawPage

pytestmark = pytest.mark.chromium

_REGION = "<p id=live role=status></p>"


async def _settled(page: RawPage, script: str) -> Json:
    await page.load(_REGION)
    await page.ask("capture")
    return await page.settle_after(script, age=100)


async def test_present_texts_are_part_of_a_capture(page: RawPage) -> None:
    await page.load("<p role=alert>Full</p><p role=status hidden>Old</p>")
    assert (await page.ask("capture"))["alerts"] == ["Full"]


async def test_an_announcement_that_disappears_is_reported(page: RawPage) -> None:
    script = """live.textContent = 'Saved'; setTimeout(() => { live.textContent = '' }, 300); 1"""
    assert (await _settled(page, script))["vanished"] == ["Saved"]


async def test_an_announcement_that_stays_is_reported_as_given(page: RawPage) -> None:
    answer = await _settled(page, "live.textContent = 'Saved'")
    assert ("vanished" in answer, answer["updated"]) == (False, ["Saved"])


async def test_the_same_text_is_an_announcement_again(page: RawPage) -> None:
    await _settled(page, "live.textContent = 'Saved'")
    await page.run("new Promise((resolve) => setTimeout(resolve, 200))")
    answer = await page.settle_after("live.textContent = 'Saved'", age=100)
    assert answer["updated"] == ["Saved"]
