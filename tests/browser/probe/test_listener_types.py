"""Types of listeners, and the reports that they cause."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


@pytest.mark.parametrize(
    ("listened", "report"),
    [
        ("click", "listens"),
        ("mousedown", "presses"),
        ("pointerdown", "presses"),
        ("contextmenu", "menus"),
        ("drop", "drops"),
    ],
)
async def test_a_type_has_a_report(page: RawPage, listened: str, report: str) -> None:
    await page.load("<div id=d>Go</div>")
    await page.run_beside(
        f"window.addEventListener('charlotte:{report}', () => {{ window.reported = true }}, true)"
    )
    await page.run(f"d.addEventListener('{listened}', () => {{}}); 0")
    await page.run_beside("document.dispatchEvent(new Event('charlotte:listeners')); 0")
    assert await page.run_beside("window.reported") is True
