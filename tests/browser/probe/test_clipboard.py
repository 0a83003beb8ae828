"""Copies and pastes."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_a_selection_is_copied_with_its_html(page: RawPage) -> None:
    await page.load("<p id=p>One <b>two</b></p>")
    await page.run("getSelection().selectAllChildren(p)")
    assert await page.ask("copySelection", False) == {  # noqa: FBT003 - to JavaScript
        "text": "One two",
        "html": "One <b>two</b>",
    }


async def test_events_of_scripts_are_no_copies_of_the_page(page: RawPage) -> None:
    await page.load("<p id=p>One</p>")
    await page.run("getSelection().selectAllChildren(p)")
    await page.run("document.dispatchEvent(new ClipboardEvent('copy', {bubbles: true})); 0")
    assert "copied" not in await page.ask("settle")


async def test_a_copy_is_reported_once(page: RawPage) -> None:
    await page.load("<p id=p>One</p>")
    await page.run("getSelection().selectAllChildren(p); document.execCommand('copy')")
    assert (await page.ask("settle"))["copied"] == [{"text": "One", "html": ""}]
    assert "copied" not in await page.ask("settle")


async def test_nothing_but_a_field_takes_an_unhandled_paste(page: RawPage) -> None:
    await page.load("<input id=i>")
    assert await page.ask("pasteClip", "text", "") == {"pasted": False}
    await page.run("i.focus()")
    assert await page.ask("pasteClip", "text", "") == {"pasted": True}
    assert await page.run("i.value") == "text"


async def test_a_paste_is_one_change(page: RawPage) -> None:
    await page.load("<textarea id=f></textarea>")
    await page.run("f.focus(); self.seen = []; f.oninput = ({inputType}) => seen.push(inputType)")
    assert await page.ask("paste", "a\nb") == {"pasted": True}
    assert await page.run("[f.value, ...seen]") == ["a\nb", "insertFromPaste"]
