"""Listeners of a document that began before the probe was installed."""

import pytest

from charlotte.browser.probe import late_source
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_the_listeners_of_each_element_are_reported(page: RawPage) -> None:
    await page.load("<p id=p>Go</p><p id=q>Text</p><script>p.onclick = () => {}</script>")
    await page.run_beside(
        """window.reported = [];
        const note = (event) => { reported.push(event.composedPath()[0].id) };
        window.addEventListener('charlotte:listens', note, true)"""
    )
    await page.call("Runtime.evaluate", expression=late_source(), includeCommandLineAPI=True)
    assert await page.run_beside("window.reported") == ["p"]
