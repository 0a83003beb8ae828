"""Facts about single elements in a survey."""

import pytest

from tests.browser.raw_cdp import Json, RawPage

pytestmark = pytest.mark.chromium


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
