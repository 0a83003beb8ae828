"""A long page in which nothing has stirred is not read again by who is content with that."""

import pytest

from tests.browser.raw_cdp import Json, RawPage

pytestmark = pytest.mark.chromium

_SAME = {"same": True}
_STYLE = "<style>p { color: black } button { position: relative } b { color: red }</style>"
_UNNOTICED = "document.styleSheets[0].cssRules[1].style.top = '-1px'"
"""Buttons move up, which is seen only by who measures them."""
_FIELDS = """<input id=text><input id=box type=checkbox><select id=one><option>A<option>B</select>
  <select id=many multiple><option>A<option>B</select><div id=pop popover>Pop</div>
  <div id=host></div>
  <div id=inner style="height: 20px; overflow: auto"><p>1<p>2<p>3</div><p id=p>Text</p>"""

STIRRING = [
    "p.textContent = 'Other'",
    "p.setAttribute('aria-label', 'Other')",
    "text.value = 'typed'",
    "box.checked = true",
    "box.indeterminate = true",
    "one.selectedIndex = 1",
    "many.options[1].selected = true",
    "pop.showPopover()",
    "text.focus()",
    "scrollTo(0, 100)",
    "document.styleSheets[0].insertRule('p { display: none }', 3)",
    "const sheet = new CSSStyleSheet(); document.adoptedStyleSheets = [sheet]",
    "host.attachShadow({mode: 'open'}).innerHTML = '<button>In it</button>'",
    "document.title = 'Other'",
    "p.animate({opacity: [1, 0]}, 60000)",
    "p.remove()",
]


async def _again(page: RawPage, *scripts: str, buttons: int = 1000, lazy: bool = True) -> Json:
    """What a second capture says, when the scripts were run after the first one."""
    await page.load(_STYLE + _FIELDS + "<button>Press</button>" * buttons)
    known = (await page.ask("capture"))["answer"]
    for script in scripts:
        await page.run(script)
    return await page.ask("capture", {"known": known, "lazy": lazy})


async def test_what_stirs_a_long_page_has_it_read_again(page: RawPage) -> None:
    await page.load(_STYLE + _FIELDS + "<button>Press</button>" * 1000)
    for turn, script in enumerate(STIRRING):
        known = (await page.ask("capture"))["answer"]
        await page.run(script)
        await page.run(_UNNOTICED.replace("-1", f"-{turn + 2}"))
        assert await page.ask("capture", {"known": known, "lazy": True}) != _SAME, script


async def test_a_long_page_at_rest_is_not_read_again(page: RawPage) -> None:
    assert await _again(page, _UNNOTICED) == _SAME


async def test_a_page_is_read_again_by_who_has_not_said_that_it_need_not(page: RawPage) -> None:
    assert await _again(page, _UNNOTICED, lazy=False) != _SAME


async def test_a_short_page_is_always_read_again(page: RawPage) -> None:
    assert await _again(page, _UNNOTICED, buttons=100) != _SAME


async def test_a_caller_with_another_state_receives_everything(page: RawPage) -> None:
    await _again(page)
    assert (await page.ask("capture", {"known": "", "lazy": True}))["nodes"]
