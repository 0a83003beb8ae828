"""Surveys: all visible elements and the text between them."""

import pytest

from tests.browser.raw_cdp import Json, RawPage

pytestmark = pytest.mark.chromium


async def _rows(page: RawPage, html: str, **options: object) -> list[tuple[int, str]]:
    """Return the depth and the tag or text of each row below the body."""
    await page.load(html)
    cells = (await page.ask("survey", 0, options))["cells"]
    return [(cells[at], cells[at + 1]) for at in range(4, len(cells), 4)]


async def test_elements_and_text_are_listed_in_order(page: RawPage) -> None:
    assert await _rows(page, "<p>One <b>two</b>") == [(1, "p"), (2, "One "), (2, "b"), (3, "two")]


async def test_hidden_elements_are_listed_on_demand(page: RawPage) -> None:
    for hidden, expected in [(False, []), (True, [(1, "p"), (2, "x")])]:
        assert await _rows(page, "<p hidden>x</p>", hidden=hidden) == expected, hidden


async def test_a_survey_ends_at_its_depth(page: RawPage) -> None:
    assert await _rows(page, "<div><p>x</p></div>", depth=1) == [(1, "div")]


async def test_a_heading_stands_for_its_section(page: RawPage) -> None:
    await page.load("<h2 id=h>A</h2><p>in<h2>B</h2><p>out")
    answer = await page.ask("survey", await page.nid("#h"), {"section": True})
    texts = [cell for cell in answer["cells"] if isinstance(cell, str)]
    assert [text for text in texts if text in {"A", "in", "B", "out"}] == ["A", "in"]


async def _facts(page: RawPage, html: str) -> Json:
    """Return the facts of the first element below the body."""
    await page.load(html)
    cells = (await page.ask("survey", 0))["cells"]
    facts: Json = next(cell for cell in cells[4:] if hasattr(cell, "items"))
    return facts


async def test_an_element_has_facts(page: RawPage) -> None:
    for html, key, value in [
        ("<h2>a</h2>", "level", 2),
        ("<div role=heading aria-level=4>a</div>", "level", 4),
        ("<div role=heading>a</div>", "levelImplied", 1),
        ("<button aria-expanded=true>a</button>", "expanded", True),
    ]:
        assert (await _facts(page, html))[key] == value, html
