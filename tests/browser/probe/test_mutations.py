"""Changes of the DOM after which a page is read again."""

import pytest

from tests.browser.probe.rows import rows_in, rows_of
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("p.remove()", ["b"]),
        ("p.replaceWith('c')", ["c", "b"]),
        ("p.firstChild.data = 'd'", ["d", "b"]),
        ("p.hidden = true", ["b"]),
        ("document.body.prepend(q)", ["b", "a"]),
    ],
)
async def test_a_change_is_in_the_next_capture(
    page: RawPage, script: str, expected: list[str]
) -> None:
    await rows_in(page, "<p id=p>a</p><p id=q>b</p>")
    await page.run(f"{script}; 0")
    assert [row.name for row in rows_of(await page.ask("capture"))] == expected
