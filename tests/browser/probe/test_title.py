"""Reports of the title."""

import pytest

from charlotte.browser.probe import TITLE_BINDING
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_the_title_is_reported_whenever_it_changes(page: RawPage) -> None:
    await page.call("Runtime.addBinding", name=TITLE_BINDING, executionContextName="charlotte")
    await page.load("<title>One</title>")
    await page.run("document.title = 'Two'")
    await page.run("new Promise((resolve) => setTimeout(resolve, 300))")
    titles = [
        event["params"]["payload"]
        for event in page.events
        if event.get("method") == "Runtime.bindingCalled"
    ]
    assert titles[-2:] == ["One", "Two"]
