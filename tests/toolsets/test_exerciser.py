"""The exerciser of browser toolsets: one page, one button, a policy, and a limit."""

from typing import Any

import pytest

pytest.importorskip("anthropic", reason="an SDK of the extras")

from anthropic.tools import ToolError

from charlotte.toolsets.browser import AnySession
from tests.site.server import Site
from tests.toolsets.running import LOOPS, in_loop, ref_of
from tests.toolsets.test_anthropic import everything, model_of, on

pytestmark = [pytest.mark.chromium, pytest.mark.usefixtures("short_logs")]


@pytest.mark.parametrize("loop", LOOPS)
def test_the_published_exerciser_passes(loop: str) -> None:
    async def test(session: AnySession, site: Site) -> None:
        def policy(_: Any, url: str) -> None:
            if not url.startswith(f"http://localhost:{site.port}"):
                raise ToolError("blocked: only the page of the test is allowed")

        model = model_of(everything(session, url_policy=policy))
        await model.ok("navigate", url=site.url("/shop", host="localhost"))
        ref = ref_of(await model.ok("read_page"), "Click me")
        await model.ok("left_click", target=on(ref))
        assert "The button was clicked." in await model.ok("get_page_text")
        assert (await model.refused("navigate", url=site.url("/shop"))).startswith("blocked:")
        assert "between 0 and 30" in await model.refused("wait", duration=31)

    in_loop(loop, test)
