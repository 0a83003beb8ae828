"""Listeners that a page adds, the wrappers that report them, and the limit of console lines."""

import pytest

from charlotte.browser.probe import late_source
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_a_type_has_a_report(page: RawPage) -> None:
    for listened, report in [
        ("click", "listens"),
        ("mousedown", "presses"),
        ("pointerdown", "presses"),
        ("contextmenu", "menus"),
        ("drop", "drops"),
    ]:
        await page.load("<div id=d>Go</div>")
        heard = "() => { window.reported = true }"
        await page.run_beside(f"window.addEventListener('charlotte:{report}', {heard}, true)")
        await page.run(f"d.addEventListener('{listened}', () => {{}}); 0")
        await page.run_beside("document.dispatchEvent(new Event('charlotte:listeners')); 0")
        assert await page.run_beside("window.reported") is True, listened


async def test_the_listeners_of_each_element_are_reported(page: RawPage) -> None:
    await page.load("<p id=p>Go</p><p id=q>Text</p><script>p.onclick = () => {}</script>")
    await page.run_beside(
        """window.reported = [];
        const note = (event) => { reported.push(event.composedPath()[0].id) };
        window.addEventListener('charlotte:listens', note, true)"""
    )
    await page.call("Runtime.evaluate", expression=late_source(), includeCommandLineAPI=True)
    assert await page.run_beside("window.reported") == ["p"]


async def test_a_wrapper_prints_like_the_native_function(page: RawPage) -> None:
    for function in [
        "setTimeout",
        "requestAnimationFrame",
        "Element.prototype.attachShadow",
        "EventTarget.prototype.addEventListener",
        "IDBFactory.prototype.open",
        "Worker",
        "Function.prototype.toString",
    ]:
        await page.load("<p>Text</p>")
        name = function.rpartition(".")[2]
        text = await page.run(f"Function.prototype.toString.call({function})")
        assert text == f"function {name}() {{ [native code] }}", function
        assert await page.run(f"{function}.name") == name, function


_FLOOD = "for (let line = 0; line < 5000; line += 1) console.log(line); 0"


def _logged(page: RawPage, kind: str) -> int:
    return sum(
        event.get("method") == "Runtime.consoleAPICalled" and event["params"]["type"] == kind
        for event in page.cdp.events
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
