"""Texts that distinguish rows of a list."""

import pytest

from tests.browser.probe.rows import rows_in
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_a_button_has_the_text_of_its_table_row(page: RawPage) -> None:
    rows = "".join(f"<tr><td>{name}<td><button>Buy</button>" for name in ("Tea", "Oil"))
    buttons = [row for row in await rows_in(page, f"<table>{rows}</table>") if row.kind == "i"]
    assert ["Tea" in row.extra["near"] for row in buttons] == [True, False]
    assert ["Oil" in row.extra["near"] for row in buttons] == [False, True]
