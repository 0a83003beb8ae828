"""The selected text, and the selection of a part of a text."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium

_ALL, _PART = True, False


async def test_a_removed_element_is_gone(page: RawPage) -> None:
    await page.load("<input id=i>")
    number = await page.nid("#i")
    await page.run("i.remove()")
    assert await page.ask("selectable", number) == {"error": "gone"}
    assert await page.ask("selectPart", number, 0, 1, _PART) == {"error": "gone"}


async def test_a_disabled_field_cannot_be_selected_in(page: RawPage) -> None:
    await page.load("<input id=i value=text disabled>")
    number = await page.nid("#i")
    assert await page.ask("selectPart", number, 0, 1, _PART) == {"error": "not focusable"}


async def test_the_selected_text_of_a_secret_is_masked(page: RawPage) -> None:
    await page.load("<input id=i type=password value=hunter2>")
    number = await page.nid("#i")
    assert await page.ask("selectable", number) == {"text": "••••"}
    assert await page.ask("selectPart", number, 0, 0, _ALL) == {"text": "••••"}


async def test_a_form_with_a_field_named_like_a_property_is_no_editor(page: RawPage) -> None:
    await page.load("<form id=f><input name=editContext>Words</form>")
    assert await page.ask("selectable", await page.nid("#f")) == {"text": "Words"}
