"""Focus, caret and paste."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_a_paste_is_one_change(page: RawPage) -> None:
    await page.load("<textarea id=f></textarea>")
    await page.run("f.focus(); self.seen = []; f.oninput = ({inputType}) => seen.push(inputType)")
    assert await page.ask("paste", "a\nb") == {"pasted": True}
    assert await page.run("[f.value, ...seen]") == ["a\nb", "insertFromPaste"]
