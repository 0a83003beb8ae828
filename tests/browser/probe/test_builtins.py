"""Builtins that were captured before the page could replace them."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


@pytest.mark.parametrize(
    ("text", "expected"), [("a  b", "a b"), ("  a&nbsp;b\n", "a b"), ("a&shy;b&#8203;c", "abc")]
)
async def test_a_text_is_collapsed(page: RawPage, text: str, expected: str) -> None:
    await page.load(f"<p>{text}</p>")
    assert (
        await page.run_beside("charlotte.parts.text(document.querySelector('p'), 99)") == expected
    )


async def test_an_attribute_is_read_although_a_field_shadows_the_method(page: RawPage) -> None:
    await page.load("<form class=a><input name=getAttribute></form>")
    script = "charlotte.parts.attribute(document.querySelector('form'), 'class')"
    assert await page.run_beside(script) == "a"
