"""An agent among many tabs of an owner, of which most are asleep, some hang and some ask something.

`make test-owner` runs it with 200 tabs; CROWD=200 does the same.
"""

import os
import signal
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack

import attrs
import pytest

from tests.owner.agents import Agent, open_agent
from tests.owner.browser import Watcher, open_owner_browser, watching
from tests.owner.crowd import SAMPLE, Crowd, CrowdPages, Sizes, build_crowd
from tests.site.server import open_site

FULL = os.environ.get("CROWD") == "200"

pytestmark = [pytest.mark.chromium, pytest.mark.extended, pytest.mark.timeout(600)]


@attrs.frozen(eq=False)
class Scene:
    """A crowd, an agent to whom all of its tabs are granted, and a client that watches."""

    crowd: Crowd
    agent: Agent
    watcher: Watcher
    ids: dict[str, str]
    """Ids of the owner's tabs by the kind and number of their pages: ``asleep 3``."""

    async def assert_undisturbed(self, *touched: str) -> None:
        """Check that no tab but the named ones was woken, attached, changed or closed."""
        left_alone = {
            target: url for target, url in self.crowd.targets.items() if _name(url) not in touched
        }
        pages = await self.watcher.pages()
        assert {target: pages.get(target) for target in left_alone} == left_alone
        assert self.watcher.ever_attached() & left_alone.keys() == set()
        assert [name for name in self.crowd.woken() if name not in touched] == []
        assert self.crowd.pages.total("answered") == 0


def _name(url: str) -> str:
    return url.rpartition("/")[2].replace("?n=", " ")


@pytest.fixture
async def scene() -> AsyncGenerator[Scene]:
    pages = CrowdPages()
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(open_site(routes=pages.routes))
        browser = await stack.enter_async_context(open_owner_browser())
        crowd = await build_crowd(browser, site, pages, Sizes() if FULL else SAMPLE)
        watcher = await stack.enter_async_context(watching(browser))
        agent = await stack.enter_async_context(open_agent(browser, site, "http://*.localhost/*"))
        rows = await agent.call("tabs")
        ids = {_name(row["url"]): row["id"] for row in rows if row.get("adoptable")}
        yield Scene(crowd, agent, watcher, ids)


async def test_listing_and_working_wakes_and_attaches_no_other_tab(scene: Scene) -> None:
    assert scene.ids.keys() == {_name(url) for url in scene.crowd.targets.values()}

    await scene.agent.call("tabs", adopt=scene.ids["ordinary 0"])
    await scene.agent.call("observe")
    await scene.agent.call("screenshot")
    await scene.agent.call("tab_open", url=scene.agent.site.url("/form.html"))

    await scene.assert_undisturbed("ordinary 0")
    assert await scene.crowd.states_now() == scene.crowd.states


async def test_a_tab_that_cannot_answer_is_refused_and_not_touched(scene: Scene) -> None:
    errors = {
        name: await scene.agent.refused("tabs", adopt=scene.ids[name])
        for name in ("asleep 0", "loop 0", "dialog 0")
    }

    assert "is asleep" in errors["asleep 0"]["message"]
    assert "does not answer" in errors["loop 0"]["message"]
    assert "does not answer" in errors["dialog 0"]["message"]
    await scene.assert_undisturbed("asleep 0", "loop 0", "dialog 0")
    assert "asleep 0" not in scene.crowd.woken()
    assert await scene.crowd.states_now() == scene.crowd.states


async def test_an_asleep_tab_is_woken_on_request_in_the_background(scene: Scene) -> None:
    strip = await scene.watcher.strip()

    await scene.agent.call("tabs", adopt=scene.ids["asleep 0"], wake=True)

    assert (await scene.agent.call("observe"))["title"] == "asleep 0"
    await scene.assert_undisturbed("asleep 0")
    assert await scene.watcher.strip() == strip


async def test_a_killed_server_leaves_all_tabs_undisturbed(scene: Scene) -> None:
    await scene.agent.call("tabs", adopt=scene.ids["ordinary 0"])
    await scene.agent.call("observe")

    os.kill(scene.agent.client.pid, signal.SIGKILL)

    await scene.assert_undisturbed("ordinary 0")
    assert await scene.crowd.states_now() == scene.crowd.states
