"""Controls that take text."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium

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
