"""Nodes that change continuously."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium

_CLOCK = """<p id=clock>0</p><p id=p>Text</p><script>
  setInterval(() => { clock.replaceChildren('0') }, 50)</script>"""


async def test_a_clock_that_ran_before_is_not_waited_for(page: RawPage) -> None:
    await page.load(_CLOCK)
    await page.ask("capture")
    await page.run("new Promise((resolve) => setTimeout(resolve, 900))")
    answer = await page.ask("settle", {"age": 20})
    assert (answer["settled"], answer["waited"]) == (True, [])


async def test_a_clock_that_the_action_started_is_waited_for(page: RawPage) -> None:
    await page.load("<p id=p>Text</p>")
    await page.ask("capture")
    await page.run("setInterval(() => { p.textContent = performance.now() }, 20); 1")
    assert "mutations" in (await page.ask("settle", {"age": 50}))["waited"]
