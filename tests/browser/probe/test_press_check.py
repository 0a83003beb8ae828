"""A press that meets another element than it was aimed at is kept from the page."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium

HTML = """<body style="margin:0"><button id=aimed>aimed</button><button id=other>other</button>
  <script>globalThis.heard = [];
  addEventListener('click', ({ target }) => heard.push(target.id))</script>"""
BUTTON = {"button": "left", "clickCount": 1}
ENTER = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13}


async def stray(page: RawPage) -> None:
    """Aim at a button, and have the press meet another, which has come in its place."""
    await page.load(HTML)
    point = await page.ask("target", await page.nid("#aimed"), {"press": True})
    await page.run("aimed.before(other)")
    await page.run("other.style.width = '200px'")
    for kind in ("mousePressed", "mouseReleased"):
        at = {"x": point["x"], "y": point["y"]}
        await page.call("Input.dispatchMouseEvent", type=kind, **at, **BUTTON)


async def test_a_press_that_strays_is_withheld_from_the_page_and_reported(page: RawPage) -> None:
    await stray(page)
    assert await page.run("heard") == []
    assert await page.ask("pressOutcome") == {"outcome": "missed"}


async def test_a_key_presses_what_has_the_focus_whatever_became_of_a_press(page: RawPage) -> None:
    await stray(page)
    await page.run("other.focus()")
    await page.call("Input.dispatchKeyEvent", type="keyDown", text="\r", **ENTER)
    await page.call("Input.dispatchKeyEvent", type="keyUp", **ENTER)
    assert await page.run("heard") == ["other"]


async def press(page: RawPage, point: dict[str, float]) -> None:
    """Click with the left button."""
    at = {"x": point["x"], "y": point["y"]}
    for kind in ("mousePressed", "mouseReleased"):
        await page.call("Input.dispatchMouseEvent", type=kind, **at, **BUTTON)


async def test_a_press_of_which_no_event_arrives_is_lost(page: RawPage) -> None:
    for aim in ["element", "point"]:
        await page.load(HTML)
        if aim == "element":
            await page.ask("target", await page.nid("#aimed"), {"press": True})
        else:
            await page.ask("expectPressAt", 20, 10)
        assert await page.ask("pressOutcome") == {"outcome": "lost"}, aim


async def test_a_press_that_arrives_is_not_lost_whatever_the_page_does(page: RawPage) -> None:
    for before in [
        "addEventListener('pointerdown', (event) => event.stopImmediatePropagation(), true)",
        "addEventListener('pointerdown', () => aimed.remove())",
        "document.open(), document.write('<button id=aimed>aimed</button>'), document.close()",
        "aimed.disabled = true",
        "aimed.onpointerdown = (event) => other.setPointerCapture(event.pointerId)",
    ]:
        await page.load(HTML)
        await page.run(before)
        options = {"press": True, "need": "visible"}
        await press(page, await page.ask("target", await page.nid("#aimed"), options))
        assert await page.ask("pressOutcome") == {"outcome": "hit"}, before


async def test_a_press_into_a_frame_is_not_lost_in_the_document_around_it(page: RawPage) -> None:
    await page.load("<iframe id=aimed srcdoc='<p>Inside'></iframe>")
    await press(page, await page.ask("target", await page.nid("#aimed"), {"press": True}))
    assert await page.ask("pressOutcome") == {"outcome": "hit"}
