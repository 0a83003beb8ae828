"""Pending work that `settle` waits for."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_a_short_timer_is_waited_for(page: RawPage) -> None:
    await page.load("<p id=p>One</p>")
    await page.run("setTimeout(() => { p.textContent = 'Two' }, 200); 0")
    assert "timers" in (await page.ask("settle", {"age": 500}))["waited"]
    assert await page.run("p.textContent") == "Two"


async def test_a_long_timer_is_only_reported(page: RawPage) -> None:
    await page.load("<p>One</p>")
    await page.run("setTimeout(() => {}, 3000); 0")
    answer = await page.ask("settle", {"age": 500})
    assert (answer["settled"], answer["later"]) == (True, 3000)
