"""From some number of rows on, interactive elements are only counted."""

import pytest

from tests.browser.probe.rows import rows_of
from tests.browser.raw_cdp import Json, RawPage

pytestmark = pytest.mark.chromium

PAGE = """<a href=1>One</a><a href=2>Two</a><main><a href=3>Three</a><a href=4 hidden>Not shown</a>
<h2>Heading</h2><input type=date><input>
<div contenteditable>Text</div><nav><button>Go</button></nav>
<a href=5 id=last>Last</a></main>"""


async def captured(page: RawPage, most: int) -> Json:
    await page.load(PAGE)
    return await page.ask("capture", {"most": most})


async def test_what_is_beyond_is_counted_by_landmark_and_type(page: RawPage) -> None:
    capture = await captured(page, 2)
    rows = [row for row in rows_of(capture) if row.kind != "t"]
    main, nav = (row.nid for row in rows if row.kind == "l")
    assert [(row.role, row.name) for row in rows if row.kind != "l"] == [
        ("link", "One"),
        ("link", "Two"),
        ("heading", "Heading"),
    ]
    assert sorted(capture["beyond"]) == sorted(
        [
            [main, "link", "", "", False, 2],
            [main, "textbox", "input", "date", False, 1],
            [main, "textbox", "input", "text", False, 1],
            [main, "textbox", "", "", True, 1],
            [nav, "button", "", "", False, 1],
        ]
    )


async def test_its_text_is_read_all_the_same(page: RawPage) -> None:
    few, all_ = await captured(page, 1), await captured(page, 1000)
    lines = [[row.name for row in rows_of(each) if row.kind == "t"] for each in (few, all_)]
    assert lines[0] == lines[1]
    assert "beyond" not in all_


async def test_what_has_the_focus_has_a_row_wherever_it_is(page: RawPage) -> None:
    await page.load(PAGE)
    await page.run("document.querySelector('#last').focus()")
    rows = rows_of(await page.ask("capture", {"most": 2}))
    assert [row.name for row in rows if "focused" in row.extra] == ["Last"]
