"""File inputs and drop targets."""

import pytest

from tests.browser.raw_cdp import Json, RawPage

pytestmark = pytest.mark.chromium


async def _file_input(page: RawPage, html: str) -> Json:
    await page.load(html)
    return await page.ask("fileInput", await page.nid("#f"))


async def test_the_file_input_of_an_element_is_found(page: RawPage) -> None:
    for html in [
        "<input id=f class=input type=file multiple>",
        "<label id=f>Choose<input class=input type=file multiple></label>",
        "<div id=f>Choose<input class=input type=file multiple></div>",
    ]:
        answer = await _file_input(page, html)
        assert answer == {"nid": await page.nid(".input"), "multiple": 1}, html


async def test_a_disabled_input_is_an_error(page: RawPage) -> None:
    answer = await _file_input(page, "<input id=f type=file disabled>")
    assert answer == {"error": "disabled"}


async def test_a_drop_target_listens_for_drops(page: RawPage) -> None:
    html = "<div id=f>Here</div><script>f.addEventListener('drop', () => 0)</script>"
    assert await _file_input(page, html) == {"drops": 1}
    assert await _file_input(page, "<div id=f>Here</div>") == {}
