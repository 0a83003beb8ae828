"""The text of an element in which each character has a place."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_blocks_and_line_breaks_end_lines(page: RawPage) -> None:
    for html, text in [
        ("<p>One <b>two</b></p>\n  <p>three</p>", "One two\nthree"),
        ("<p>One<br>two<br></p><p>three</p>", "One\ntwo\nthree"),
        ("<p>One</p><p><br></p><p>two</p>", "One\n\ntwo"),
        ("<p>One\ntwo</p>", "One two"),
        ("<pre>One\n  two</pre>", "One\n  two"),
        ("<p>One <span style='display: none'>hidden</span>two</p>", "One two"),
        ("<p>One <span style='visibility: hidden'>hidden</span>two</p>", "One two"),
        ("<p>One</p><script>two</script><style>three</style>", "One"),
        ("<details><summary>One</summary>two</details>", "One"),
    ]:
        await page.load(f"<div id=d>{html}</div>")
        assert await page.ask("selectable", await page.nid("#d")) == {"text": text}, html


async def test_each_character_has_its_place(page: RawPage) -> None:
    await page.load("<div id=d><p>ab<i>cd</i></p> <p><br></p> <p>ef</p></div>")
    number = await page.nid("#d")
    text = (await page.ask("selectable", number))["text"]
    assert text == "abcd\n\nef"
    for start in range(len(text)):
        answer = await page.ask("selectPart", number, start, start + 1, False)  # noqa: FBT003
        assert answer["text"].strip("\n") == text[start].strip("\n")
