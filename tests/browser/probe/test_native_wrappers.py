"""Wrappers of native functions that a page cannot distinguish from them."""

import pytest

from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


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
