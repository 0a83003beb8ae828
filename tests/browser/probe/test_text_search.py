"""The innermost elements that contain a text."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium

_PAGE = """<main aria-label=Shop><h2>Prices</h2><div><p id=p>Tea costs <b>three</b> euros</p></div>
  <p hidden>Tea is out</p><button id=b>Tea</button><script>const tea = 1</script></main>"""


async def test_the_innermost_element_is_returned_with_heading_and_landmark(page: RawPage) -> None:
    await page.load(_PAGE)
    (row,) = (await page.ask("searchText", "TEA costs", 10, []))["rows"]
    assert (row[0], row[1], row[6], row[7]) == (
        await page.nid("#p"),
        "p",
        "Prices",
        'main "Shop"',
    )


async def test_listed_elements_are_omitted(page: RawPage) -> None:
    await page.load(_PAGE)
    button = await page.nid("#b")
    found = [(await page.ask("searchText", "tea", 10, listed))["rows"] for listed in ([], [button])]
    assert [[row[1] for row in rows] for rows in found] == [["p", "button"], ["p"]]


async def test_the_text_around_an_occurrence_is_returned(page: RawPage) -> None:
    await page.load(_PAGE)
    (row,) = (await page.ask("searchText", "costs", 10, [], 4))["rows"]
    assert row[8] == [["Tea ", "costs", " thr"]]
