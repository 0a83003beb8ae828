"""Elements that a click would hit."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


_COVER = "<div id=cover style='position: fixed; inset: 0; {style}'></div>"


async def test_a_covered_element_is_refused_with_the_cover(page: RawPage) -> None:
    await page.load("<button id=b>Go</button>" + _COVER.format(style=""))
    answer = await page.ask("target", await page.nid("#b"), {"wait": 0})
    assert (answer["error"], answer["by"]) == ("covered", "div#cover")


async def test_an_element_below_a_layer_without_pointer_events_is_hit(page: RawPage) -> None:
    await page.load("<button id=b>Go</button>" + _COVER.format(style="pointer-events: none"))
    assert "error" not in await page.ask("target", await page.nid("#b"), {"wait": 0})
