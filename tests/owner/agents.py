"""Agents that work in an owner's browser while the owner does: companies of a scenario."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import attrs
import trio

from tests.owner.browser import OwnerBrowser
from tests.owner.scenario import Owner
from tests.site.server import Site
from tests.stdio_client import Client, RequestFailed, open_client

_ADOPTED = "http://adopted.localhost/*"
_NEVER = "This text never appears."


@attrs.frozen(eq=False)
class Agent:
    """An agent in a granted tab of the owner, and in a tab of its own."""

    client: Client
    site: Site

    async def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool; return its parsed answer, and raise an error if it failed."""
        result = await self.client.call(tool, **arguments)
        blocks = [block["text"] for block in result["content"] if block["type"] == "text"]
        assert not result.get("isError"), blocks
        return json.loads(blocks[0]) if blocks and blocks[0][:1] in "[{" else None

    async def refused(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must fail; return its error."""
        result = await self.client.call(tool, **arguments)
        assert result.get("isError"), result
        error: dict[str, Any] = json.loads(result["content"][0]["text"])["error"]
        return error

    async def adopt(self) -> str:
        rows = await self.call("tabs")
        [row] = [row for row in rows if row.get("adoptable")]
        rows = await self.call("tabs", adopt=row["id"])
        return next(str(row["id"]) for row in rows if row["active"])

    async def work(self, adopted: str) -> None:
        """Use the adopted tab like a page of one's own, open and close a tab, list all tabs."""
        [field] = await self.call("find", tab_id=adopted, selector="#field")
        await self.call("type", tab_id=adopted, element_id=field["id"], text="by the agent")
        await self.call("scroll", tab_id=adopted, direction="down")
        await self.call("screenshot", tab_id=adopted)
        await self.call("reload", tab_id=adopted, detail="minimal")
        await self.call("evaluate", tab_id=adopted, expression="document.title")
        opened = await self.call("tab_open", url=self.site.url("/owner/popup"))
        await self.call("screenshot", tab_id=opened["tab_id"])
        await self.call("tab_close", tab_id=opened["tab_id"])

    async def wait_in(self, adopted: str) -> None:
        """Make a call that works in the adopted tab until it is ended from outside."""
        with suppress(RequestFailed, AssertionError):
            await self.call("wait_for", tab_id=adopted, text=_NEVER, timeout=60_000)


@asynccontextmanager
async def open_agent(browser: OwnerBrowser, site: Site, granted: str) -> AsyncGenerator[Agent]:
    """Start a server that is attached to the owner's browser."""
    command = [sys.executable, "-m", "charlotte", "--log-level", "error"]
    command += ["--attach", str(browser.profile), "--adopt", granted]
    async with open_client(command, stderr=subprocess.DEVNULL) as client:
        await client.initialize()
        yield Agent(client, site)


@asynccontextmanager
async def _acting(
    owner: Owner, act: Callable[[Agent, str], Awaitable[None]]
) -> AsyncGenerator[Agent]:
    """Have an agent that has worked, and goes on to ``act`` in the tab that it has adopted."""
    async with (
        open_agent(owner.browser, owner.site, _ADOPTED) as agent,
        trio.open_nursery() as nursery,
    ):
        adopted = await agent.adopt()
        await agent.work(adopted)
        nursery.start_soon(act, agent, adopted)
        yield agent
        nursery.cancel_scope.cancel("observed")


async def _work_on(agent: Agent, adopted: str) -> None:
    while True:
        await agent.work(adopted)


@asynccontextmanager
async def working(owner: Owner) -> AsyncGenerator[None]:
    async with _acting(owner, _work_on):
        yield


@asynccontextmanager
async def _in_a_call(owner: Owner) -> AsyncGenerator[Agent]:
    """Have an agent that is in the middle of a call in the adopted tab."""
    async with _acting(owner, Agent.wait_in) as agent:
        await agent.call("observe", tab_id=(await agent.call("tab_open"))["tab_id"])
        yield agent


@asynccontextmanager
async def stopped(owner: Owner) -> AsyncGenerator[None]:
    """Have a server whose process is stopped during a call."""
    async with _in_a_call(owner) as agent:
        os.kill(agent.client.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(agent.client.pid, signal.SIGCONT)


@asynccontextmanager
async def killed(owner: Owner) -> AsyncGenerator[None]:
    async with _in_a_call(owner) as agent:
        os.kill(agent.client.pid, signal.SIGKILL)
        yield
