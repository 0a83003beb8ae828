"""Rules that follow from a tag alone."""

import pytest

from tests.browser.probe.rows import lines_in
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("a<b>b</b>c", ["abc"]),
        ("a<div>b</div>c", ["a", "b", "c"]),
        ("a<script>b</script>c", ["ac"]),
        ("a<x-y>b</x-y>c", ["abc"]),
    ],
)
async def test_a_tag_decides_where_lines_end(page: RawPage, html: str, lines: list[str]) -> None:
    assert await lines_in(page, html) == lines
