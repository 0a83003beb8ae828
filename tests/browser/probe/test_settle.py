"""Waiting until a page is quiet."""

import pytest

from tests.browser.raw_cdp import Json, RawPage

pytestmark = pytest.mark.chromium


async def _settle(page: RawPage, script: str) -> Json:
    """Run a script as an action and settle."""
    await page.load("<p id=p>Text</p>")
    await page.ask("capture")
    return await page.settle_after(script, age=50)


async def test_a_quiet_page_is_settled_without_waiting(page: RawPage) -> None:
    answer = await _settle(page, "1")
    assert (answer["settled"], answer["waited"]) == (True, [])


async def test_a_short_timer_is_waited_for(page: RawPage) -> None:
    answer = await _settle(page, "setTimeout(() => { p.textContent = 'Late' }, 200); 1")
    assert answer["settled"]
    assert {"timers", "mutations"} <= set(answer["waited"])
    assert await page.run("p.textContent") == "Late"


async def test_a_long_timer_is_reported_instead(page: RawPage) -> None:
    answer = await _settle(page, "setTimeout(() => 0, 3000); 1")
    assert (answer["settled"], answer["later"]) == (True, 3000)


async def test_a_visual_change_is_described(page: RawPage) -> None:
    answer = await _settle(page, "p.className = 'on'")
    assert answer["visual"] == ['class of p#p "Text"']


async def test_a_changed_element_is_described_by_its_visible_text(page: RawPage) -> None:
    parts = "<div>One</div><div style='display: none'>Two</div><div>Three</div>"
    answer = await _settle(page, f"p.outerHTML = `<div id=p>{parts}</div>`; p.className = 'on'")
    assert 'class of div#p "One Three"' in answer["visual"]
