"""Elements that can be seen, and their boxes."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


@pytest.mark.parametrize(
    ("style", "seen"),
    [("", True), ("display: none", False), ("visibility: hidden", False), ("opacity: 1", True)],
)
async def test_an_element_is_seen_unless_it_is_hidden(
    page: RawPage, style: str, *, seen: bool
) -> None:
    await page.load(f"<p style='{style}'>Text</p>")
    assert await page.run_beside("charlotte.parts.isSeen(document.querySelector('p'))") is seen


async def test_a_box_is_rounded(page: RawPage) -> None:
    await page.load(
        "<p style='position: fixed; margin: 0; inset: 10.4px auto auto 5.6px; "
        "width: 30px; height: 20px'>a</p>"
    )
    assert await page.run_beside("charlotte.parts.box(document.querySelector('p'))") == [
        6,
        10,
        30,
        20,
    ]
