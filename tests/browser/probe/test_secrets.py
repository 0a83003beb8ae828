"""Passwords stay in the page; what of other fields can be selected."""

import json

import pytest

from tests.browser.probe.rows import only
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


@pytest.mark.req("C-PR-18")
async def test_a_password_is_not_listed(page: RawPage) -> None:
    for html in [
        "<input type=password value=hunter2>",
        "<input style=-webkit-text-security:disc value=hunter2>",
        "<input autocomplete='section-a current-password' value=hunter2>",
        "<input autocomplete=new-password value=hunter2>",
    ]:
        row = await only(page, html)
        assert row.says("value", "secret") == {"value": "••••", "secret": 1}, html


async def test_a_password_that_the_page_shows_is_still_one(page: RawPage) -> None:
    await page.load("<input type=password value=hunter2>")
    await page.ask("capture")
    await page.run("document.querySelector('input').type = 'text'")
    assert "hunter2" not in await page.run_beside("charlotte.capture()")


async def test_no_name_and_no_line_says_a_password(page: RawPage) -> None:
    await page.load("""<label>Secret <input type=password id=p value=hunter2> here</label>
      <input type=checkbox id=c><label for=c>Use <input type=password value=hunter2></label>
      <button aria-labelledby='b p' id=b>Go</button><div aria-describedby=p>x</div>""")
    texts = [await page.run_beside("charlotte.capture()")]
    texts += [
        await page.run_beside(f"charlotte.{question}")
        for question in ("query('*')", "describe(charlotte.nid(document.querySelector('#p')))")
    ]
    assert not any("hunter2" in text for text in texts)


async def test_no_markup_says_a_password(page: RawPage) -> None:
    await page.load("""<form id=f><input type=password value='hunter2 "$&amp;"' is=x-y id=p>
      <input type=text value=seen><input type=password></form>""")
    shown = await page.run("document.querySelector('#f').outerHTML")
    for scope in "0", "charlotte.nid(document.querySelector('#p'))":
        assert "hunter2" not in await page.run_beside(f"charlotte.html({scope})")

    [before, after] = shown.split("hunter2 &quot;$&amp;&quot;")
    answer = json.loads(
        await page.run_beside("charlotte.html(charlotte.nid(document.querySelector('#f')))")
    )
    assert answer["html"] == f"{before}••••{after}"


async def test_a_disabled_field_cannot_be_selected_in(page: RawPage) -> None:
    await page.load("<input id=i value=text disabled>")
    number = await page.nid("#i")
    assert await page.ask("selectPart", number, 0, 1) == {"error": "not focusable"}


async def test_a_form_with_a_field_named_like_a_property_is_no_editor(page: RawPage) -> None:
    await page.load("<form id=f><input name=editContext>Words</form>")
    assert await page.ask("selectable", await page.nid("#f")) == {"text": "Words"}
