"""Counts of one reading."""

import pytest

from tests.browser.probe.rows import rows_in
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_a_landmark_counts_what_is_in_it(page: RawPage) -> None:
    rows = await rows_in(page, "<main><p>a<p>b<ul><li>c</ul><img alt=d src=e></main>")
    (main,) = [row for row in rows if row.role == "main"]
    assert main.extra["counts"] == {"paragraphs": 2, "lists": 1, "images": 1, "tables": 0}


async def test_rows_are_in_document_order(page: RawPage) -> None:
    rows = await rows_in(page, "<p>a<button>b</button>c<h2>d</h2>")
    assert [row.name for row in rows if row.kind in "ih"] == ["b", "d"]
