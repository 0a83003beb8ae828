"""Fields of forms: values, validation, drawn text, files."""

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


_REPLACED = True


async def test_a_plain_control_has_no_editor(page: RawPage) -> None:
    await page.load("<input id=i value=a>")
    assert await page.ask("typedText", await page.nid("#i"), "a", _REPLACED, 0) == {}


async def test_an_editor_shows_the_typed_text(page: RawPage) -> None:
    for text, verdict in [("abc", "same"), ("xyz", "other")]:
        await page.load("<div id=e contenteditable>abc</div>")
        answer = await page.ask("typedText", await page.nid("#e"), text, _REPLACED, 0)
        assert answer["verdict"] == verdict, text


async def test_a_removed_control_is_gone(page: RawPage) -> None:
    await page.load("<input id=i>")
    number = await page.nid("#i")
    await page.run("i.remove()")
    assert await page.ask("typedText", number, "a", _REPLACED, 0) == {"error": "gone"}


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
