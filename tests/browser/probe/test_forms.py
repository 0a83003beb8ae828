"""Fields of forms: kinds and values."""

import pytest

from tests.browser.raw_cdp import Json, RawPage

pytestmark = pytest.mark.chromium


async def _ask(page: RawPage, html: str, function: str, *arguments: object) -> Json:
    await page.load(html)
    return await page.ask(function, await page.nid("#f"), *arguments)


async def test_every_field_has_a_kind(page: RawPage) -> None:
    for html, kind in [
        ("<input id=f>", "text"),
        ("<input id=f type=date>", "set"),
        ("<select id=f><option>A</select>", "select"),
        ("<input id=f type=checkbox>", "check"),
        ("<input id=f type=file>", "file"),
        ("<button id=f>B</button>", "none"),
    ]:
        assert (await _ask(page, html, "field"))["kind"] == kind, html


async def test_a_date_is_set_and_another_format_is_an_error(page: RawPage) -> None:
    assert await _ask(page, "<input id=f type=date>", "setValue", "2026-01-31") == {}
    assert await page.run("f.value") == "2026-01-31"
    answer = await page.ask("setValue", await page.nid("#f"), "31.1.2026")
    assert answer == {"error": "format", "takes": "YYYY-MM-DD"}


async def test_a_range_is_put_one_step_beside_the_value_and_the_key_is_returned(
    page: RawPage,
) -> None:
    assert await _ask(page, "<input id=f type=range>", "setValue", "70") == {"key": "ArrowUp"}
    assert await page.run("f.value") == "69"


async def test_a_disabled_input_is_an_error(page: RawPage) -> None:
    answer = await _ask(page, "<input id=f type=file disabled>", "fileInput")
    assert answer == {"error": "disabled"}
