"""Focus, caret and paste."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


@pytest.mark.parametrize(("clear", "selected"), [(True, [0, 4]), (False, [4, 4])])
async def test_the_text_is_selected_or_the_caret_is_at_its_end(
    page: RawPage, selected: list[int], *, clear: bool
) -> None:
    await page.load("<input id=f value=Text>")
    assert await page.ask("focusText", await page.nid("#f"), clear) == {}
    assert await page.run("[f.selectionStart, f.selectionEnd]") == selected


@pytest.mark.parametrize(
    ("html", "error"),
    [
        ("<input id=f disabled>", "disabled"),
        ("<input id=f readonly>", "readonly"),
        ("<p id=f>Text</p>", "not editable"),
    ],
)
async def test_text_that_cannot_be_edited_is_an_error(page: RawPage, html: str, error: str) -> None:
    await page.load(html)
    assert await page.ask("focusText", await page.nid("#f")) == {"error": error}


async def test_an_element_without_focus_is_an_error(page: RawPage) -> None:
    await page.load("<p id=f>Text</p>")
    assert await page.ask("focus", await page.nid("#f")) == {"error": "not focusable"}


async def test_a_paste_is_one_change(page: RawPage) -> None:
    await page.load("<textarea id=f></textarea>")
    await page.run("f.focus(); self.seen = []; f.oninput = ({inputType}) => seen.push(inputType)")
    assert await page.ask("paste", "a\nb") == {"pasted": True}
    assert await page.run("[f.value, ...seen]") == ["a\nb", "insertFromPaste"]
