"""Lists beside their visible rows, and lists that draw options as they are scrolled."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium

_DRAWN = """<div id=s role=combobox tabindex=0 aria-controls=l aria-expanded=true>Fruit</div>
  <div><div id=l role=listbox style="width: 0; height: 0; overflow: hidden">
  <div role=option aria-label=Apple></div><div role=option aria-label=Pear></div></div>
  <div><div class=row>Apple</div><div class=row>Pear</div></div></div>"""
_PAGED = """<div id=s role=combobox tabindex=0 aria-controls=l aria-expanded=true>Number</div>
  <div id=box style="height: 100px; overflow: auto"><div style="height: 2000px">
  <div id=l role=listbox style="position: sticky; top: 0"></div></div></div><script>
  const draw = () => { const first = Math.floor(box.scrollTop / 20); l.innerHTML = [0, 1, 2, 3, 4]
    .map((n) => `<div role=option style="height: 20px">No. ${first + n}</div>`).join('') };
  box.onscroll = draw; draw()</script>"""


async def test_the_visible_row_is_picked_for_an_option_without_size(page: RawPage) -> None:
    await page.load(_DRAWN)
    answer = await page.ask("pickWithin", await page.nid("#s"), "Pear", 0)
    assert answer["nid"] == await page.nid(".row:last-child")


async def test_an_option_is_found_by_scrolling(page: RawPage) -> None:
    await page.load(_PAGED)
    number = await page.nid("#s")
    assert (await page.ask("pickWithin", number, "No. 40", 0))["error"] == "no option"
    assert "nid" in await page.ask("pickWithin", number, "No. 40", 0, "top")
    assert await page.run("box.scrollTop > 600")
