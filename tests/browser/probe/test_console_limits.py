"""The number of lines that a page can log."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


_FLOOD = "for (let line = 0; line < 5000; line += 1) console.log(line); 0"


def _logged(page: RawPage, kind: str) -> int:
    return sum(
        event.get("method") == "Runtime.consoleAPICalled" and event["params"]["type"] == kind
        for event in page.events
    )


async def test_a_flood_is_cut_with_a_warning(page: RawPage) -> None:
    await page.load("<p>Text</p>")
    await page.run(_FLOOD)
    assert 1800 <= _logged(page, "log") < 5000
    assert _logged(page, "warning") >= 1


async def test_a_few_lines_are_all_logged(page: RawPage) -> None:
    await page.load("<p>Text</p>")
    await page.run("console.log(1); console.info(2); 0")
    assert (_logged(page, "log"), _logged(page, "info"), _logged(page, "warning")) == (1, 1, 0)
