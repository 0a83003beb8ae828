"""Timers and other work that a page has begun."""

import pytest

from tests.browser.raw_cdp import Json, RawPage

pytestmark = pytest.mark.chromium


async def _settled(page: RawPage, script: str) -> Json:
    await page.load("<p id=p>Text</p>")
    await page.run(f"{script}; 0")
    return await page.ask("settle", {"age": 500})


async def test_a_cleared_timer_is_not_pending(page: RawPage) -> None:
    answer = await _settled(page, "clearTimeout(setTimeout(() => {}, 3000))")
    assert answer["later"] == 0


async def test_the_shortest_of_the_long_timers_counts(page: RawPage) -> None:
    answer = await _settled(page, "setTimeout(() => {}, 4000); setTimeout(() => {}, 2000)")
    assert answer["later"] == 2000


async def test_a_very_long_timer_is_ignored(page: RawPage) -> None:
    assert (await _settled(page, "setTimeout(() => {}, 20000)"))["later"] == 0


async def test_timers_are_counted_although_the_page_replaced_array_iteration(page: RawPage) -> None:
    script = "Array.prototype[Symbol.iterator] = () => { throw 1 }; setTimeout(() => {}, 3000)"
    assert (await _settled(page, script))["later"] == 3000
