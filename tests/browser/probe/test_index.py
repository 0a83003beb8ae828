"""The functions of the probe."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_the_functions_are_the_same_objects_every_time(page: RawPage) -> None:
    await page.load("<p>Text</p>")
    assert await page.run_beside("charlotte === charlotte") is True
    assert await page.run_beside("Object.isFrozen(charlotte)") is True


async def test_all_but_the_parts_are_functions(page: RawPage) -> None:
    await page.load("<p>Text</p>")
    script = "Object.keys(charlotte).filter((name) => typeof charlotte[name] !== 'function')"
    assert await page.run_beside(script) == ["parts"]
