"""Waiting for frames and timers."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_a_change_in_the_next_frame_is_part_of_the_answer_of_settle(page: RawPage) -> None:
    await page.load("<p id=p>One</p>")
    await page.run("requestAnimationFrame(() => { p.textContent = 'Two' }); 0")
    assert (await page.ask("settle", {"age": 500}))["settled"] is True
    assert await page.run("p.textContent") == "Two"


async def test_the_clock_of_the_probe_is_not_that_of_the_page(page: RawPage) -> None:
    await page.load("<p>One</p>")
    await page.run("performance.now = () => 0; Date.now = () => 0; 0")
    assert (await page.ask("settle"))["settled"] is True
