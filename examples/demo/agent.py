"""The agent of the demo: an MCP client that works in many tabs at once."""

import json
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import attrs
import trio
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import TextContent

from examples.demo.report import Report

Job = Callable[[], Awaitable[None]]

PATIENCE = 30.0
"""Seconds that a call may take; the calls of the demo need a small part of that."""


class Failed(Exception):
    """Checks of the demo that failed, one sentence per argument."""


class ToolFailed(Failed):
    """A tool returned an error with this ``code``."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


def connect(flags: Sequence[str]) -> Client:
    """Return a client that starts a server with these flags when it is entered."""
    # A crashed tab is logged as a warning, but the demo crashes one on purpose.
    arguments = ["-m", "charlotte", "--log-level=error", "--answers=json", *flags]
    server = StdioServerParameters(command=sys.executable, args=arguments, env={**os.environ})
    return Client(server, read_timeout_seconds=PATIENCE)


async def call_tool(client: Client, tool: str, /, **arguments: Any) -> str:
    """Return the text of a tool's answer; raise `Failed` if the tool fails."""
    try:
        result = await client.call_tool(f"charlotte_{tool}", arguments)
    except MCPError as error:
        raise Failed(f"{tool}: {error.message}") from error
    text = next(block.text for block in result.content if isinstance(block, TextContent))
    if result.is_error:
        reason = json.loads(text)["error"]
        raise ToolFailed(f"{tool}: {reason['message']} ({reason['code']})", reason["code"])
    return text


@attrs.frozen
class Tab:
    """One tab, driven by tool calls."""

    client: Client
    id: str

    async def call(self, tool: str, /, **arguments: Any) -> str:
        """Return the text of a tool's answer; raise `Failed` if the tool fails."""
        return await call_tool(self.client, tool, tab_id=self.id, **arguments)

    async def click(self, text: str, role: str = "button") -> str:
        """Click the first element with that text and role."""
        return await self.call("click", element_id=await self._find(text, role))

    async def type(self, label: str, text: str, role: str = "textbox", **more: Any) -> str:
        """Type into the first field with that label."""
        return await self.call("type", element_id=await self._find(label, role), text=text, **more)

    async def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page."""
        return json.loads(await self.call("evaluate", expression=expression))["value"]

    async def _find(self, text: str, role: str) -> str:
        found = json.loads(await self.call("find", text=text, role=role))
        if not found:
            raise Failed(f"{self.id} has no {role} {text!r}")
        first: str = found[0]["id"]
        return first


async def run_all(report: Report, doing: str, jobs: Sequence[Job]) -> float:
    """Run all jobs at the same time; return seconds, or raise `Failed` with all failures."""
    started = trio.current_time()
    failures: list[str] = []
    done = 0

    async def run(job: Job) -> None:
        nonlocal done
        try:
            await job()
        except Failed as failure:
            failures.extend(failure.args)
        done += 1
        report.show_progress(f"{doing} … {done} of {len(jobs)}")

    report.show_progress(f"{doing} …")
    async with trio.open_nursery() as nursery:
        for job in jobs:
            nursery.start_soon(run, job)
    if failures:
        raise Failed(*failures)
    return trio.current_time() - started
