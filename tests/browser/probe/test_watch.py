"""Waiting for conditions and states."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_a_condition_is_checked_at_once(page: RawPage) -> None:
    await page.load("<p>Saved</p>")
    answer = await page.ask("watch", {"text": "Saved", "gone": "Saving", "selector": "p"})
    assert (bool(answer["text"]), bool(answer["gone"]), answer["selector"]) == (True, False, True)


async def test_a_wait_ends_with_the_change(page: RawPage) -> None:
    await page.load("<button id=b>Go</button>")
    number = await page.nid("#b")
    known = await page.run_beside(f"charlotte.elementState({number})")
    await page.run("setTimeout(() => { b.disabled = true }, 50); 0")
    script = f"charlotte.elementState({number}, {known!r}, 5000).then(JSON.parse)"
    assert await page.run_beside(script) == {"shown": True, "enabled": False}


async def test_a_wait_ends_without_a_change(page: RawPage) -> None:
    await page.load("<p>Text</p>")
    assert await page.ask("changed", 20) == {}
