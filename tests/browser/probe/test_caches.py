"""Names that are kept between two captures."""

import pytest

from tests.browser.probe.rows import rows_in, rows_of
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_a_name_follows_its_labelling_element(page: RawPage) -> None:
    await rows_in(page, "<span id=l>One</span><button aria-labelledby=l>x</button>")
    await page.run("l.firstChild.data = 'Two'; 0")
    (button,) = [row for row in rows_of(await page.ask("capture")) if row.role == "button"]
    assert button.name == "Two"


async def test_a_name_follows_the_text_of_the_element(page: RawPage) -> None:
    await rows_in(page, "<button><b id=b>One</b></button>")
    await page.run("b.textContent = 'Two'; 0")
    (button,) = [row for row in rows_of(await page.ask("capture")) if row.role == "button"]
    assert button.name == "Two"
