"""Types of listeners, and the reports that they cause."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_a_type_has_a_report(page: RawPage) -> None:
    for listened, report in [
        ("click", "listens"),
        ("mousedown", "presses"),
        ("pointerdown", "presses"),
        ("contextmenu", "menus"),
        ("drop", "drops"),
    ]:
        await page.load("<div id=d>Go</div>")
        heard = "() => { window.reported = true }"
        await page.run_beside(f"window.addEventListener('charlotte:{report}', {heard}, true)")
        await page.run(f"d.addEventListener('{listened}', () => {{}}); 0")
        await page.run_beside("document.dispatchEvent(new Event('charlotte:listeners')); 0")
        assert await page.run_beside("window.reported") is True, listened
