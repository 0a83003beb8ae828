"""Where closed shadow roots may be, for the browser to be asked."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium

ATTACH = (
    "document.querySelector('#host').attachShadow({mode: '%s'}).innerHTML = '<button>In</button>'"
)


async def test_an_element_with_a_closed_root_is_reported_once(page: RawPage) -> None:
    for host in [
        "<div id=host style='height: 60px'></div>",
        "<p id=host>Light</p>",
        "<x-late id=host></x-late>",
        "<body id=host>",
    ]:
        await page.load(f"{host}<div style='height: 40px'></div>")
        await page.ask("capture")
        await page.run(ATTACH % "closed")

        nid = await page.nid("#host")
        assert (await page.ask("capture"))["suspects"] == [nid], host
        assert "suspects" not in await page.ask("capture"), host


async def test_a_page_that_says_it_again_and_again_is_asked_once(page: RawPage) -> None:
    await page.load("<p id=host>Light</p>")
    await page.run(ATTACH % "closed")
    assert len((await page.ask("capture"))["suspects"]) == 1

    host = "{relatedTarget: document.querySelector('#host')}"
    await page.run(f"document.dispatchEvent(new MouseEvent('charlotte:hides', {host}))")
    assert "suspects" not in await page.ask("capture")


async def test_an_open_root_is_read_without_asking(page: RawPage) -> None:
    await page.load("<p id=host>Light</p>")
    await page.run(ATTACH % "open")

    capture = await page.ask("capture")
    assert "suspects" not in capture
    assert [row[3] for row in capture["nodes"] if len(row) > 3] == ["In"]


async def test_the_page_sees_the_function_as_it_was(page: RawPage) -> None:
    await page.load("<p id=host>")

    seen = await page.run("""(() => {
      const {attachShadow} = Element.prototype;
      const {name, length} = attachShadow;
      try { attachShadow.call(1, {mode: 'open'}); } catch (error) {
        return [name, length, String(attachShadow).includes('[native'), error.name];
      }
    })()""")
    assert seen == ["attachShadow", 1, True, "TypeError"]
