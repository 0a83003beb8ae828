"""Options of native selects and of ARIA lists."""

import pytest

from tests.browser.raw_cdp import Json, RawPage

pytestmark = pytest.mark.chromium

_SELECT = "<select id=s><option value=a>Apple<option>Pear<option disabled>Plum</select>"
_LIST = """<div id=s role=combobox tabindex=0 aria-controls=l aria-expanded={expanded}>Fruit</div>
  <div id=l role=listbox {hidden}><div role=option>Apple</div>
  <div role=option aria-selected=true>Pear</div></div>"""


async def _ask(page: RawPage, html: str, function: str, *arguments: object) -> Json:
    await page.load(html)
    return await page.ask(function, await page.nid("#s"), *arguments)


async def test_an_option_is_found_by_value_or_text(page: RawPage) -> None:
    for wanted in ["a", "Apple", "apple"]:
        assert await _ask(page, _SELECT, "choose", [wanted]) == {}, wanted
        assert await page.run("s.value") == "a", wanted


async def test_a_wrong_choice_is_an_error(page: RawPage) -> None:
    for wanted, error in [
        (["Fig"], "no option"),
        (["Plum"], "option disabled"),
        (["Apple", "Pear"], "single"),
    ]:
        answer = await _ask(page, _SELECT, "choose", wanted)
        assert answer["error"] == error, wanted


async def test_an_aria_list_is_open_or_closed(page: RawPage) -> None:
    for expanded, hidden, state in [("true", "", "open"), ("false", "hidden", "closed")]:
        html = _LIST.format(expanded=expanded, hidden=hidden)
        assert await _ask(page, html, "choose", ["Apple"]) == {"aria": state}, expanded


async def test_an_option_of_an_open_list_is_picked(page: RawPage) -> None:
    for wanted, chosen in [("Apple", False), ("Pear", True)]:
        answer = await _ask(page, _LIST.format(expanded="true", hidden=""), "pickWithin", wanted, 0)
        assert (answer["chosen"], answer["open"]) == (chosen, 1), wanted
