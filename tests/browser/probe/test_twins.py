"""Elements with equal role and name."""

import pytest

from tests.browser.probe.rows import rows_in
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


_ROWS = "<div><h3>Tea</h3><button>Buy</button></div><div><h3>Oil</h3><button>Buy</button></div>"


async def test_twins_have_the_text_near_them(page: RawPage) -> None:
    buttons = [row for row in await rows_in(page, _ROWS) if row.role == "button"]
    assert ["Tea" in row.extra["near"] for row in buttons] == [True, False]


async def test_an_only_one_has_no_text_near_it(page: RawPage) -> None:
    (button,) = [
        row
        for row in await rows_in(page, "<h3>Tea</h3><button>Buy</button>")
        if row.role == "button"
    ]
    assert "near" not in button.extra
