"""Formats of rich text, and its text in lines."""

import pytest

from tests.browser.probe.rows import rows_in
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def formats(page: RawPage, html: str, style: str = "") -> list[str]:
    html = f"<div id=e contenteditable aria-label=Editor style='{style}'>{html}</div>"
    editor = next(row for row in await rows_in(page, html) if row.role == "textbox")
    found: list[str] = editor.extra.get("formats", [])
    return found


async def test_formats_are_markdown(page: RawPage) -> None:
    for html, wanted in [
        ("plain", []),
        ("a <b>bold</b> b", ["**bold**"]),
        ("<b>bo</b><b>ld</b>", ["**bold**"]),
        ("<b>bold <i>both</i></b>", ["**bold**", "***both***"]),
        ("<span style='font-weight: 700'>bold</span>", ["**bold**"]),
        ("<h2>Title <i>one</i></h2>", ["## Title one", "*one*"]),
        ("<div role=heading aria-level=3>Title</div>", ["### Title"]),
        ("<ul><li>one<li>two</ul><ol><li>three</ol>", ["- one", "- two", "1. three"]),
        ("<a href='/a'>link</a>", ["[link](/a)"]),
        ("<u>under</u> <s>struck</s>", ["__under__", "~~struck~~"]),
        ("<p><code>f()</code></p><pre>code</pre>", ["`f()`", "``` code"]),
        ("<blockquote>quoted</blockquote>", ["> quoted"]),
        ("<p style='display: none'><b>hidden</b></p>", []),
    ]:
        assert await formats(page, html) == wanted, html


async def test_the_style_of_the_editor_is_no_format(page: RawPage) -> None:
    for style in ["font-weight: bold", "font-style: italic"]:
        assert await formats(page, "<p>text</p>", style) == [], style


async def test_a_long_format_is_cut(page: RawPage) -> None:
    assert await formats(page, f"<b>{'a' * 100}</b>") == [f"**{'a' * 60}…**"]


async def test_there_are_at_most_300_formats(page: RawPage) -> None:
    assert len(await formats(page, "<p><b>bold</b></p>" * 400)) == 300


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
