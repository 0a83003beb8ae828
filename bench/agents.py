"""Many agents at once, each on its own pages; an agent that sees another's data reports it."""

import itertools
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any, Protocol, cast

import attrs
import httpx2
import trio

from tests.site.server import Site
from tests.stdio_client import Message, open_client

PROGRAM = (sys.executable, "-m", "charlotte")
_VERSION = "2025-11-25"
_PATIENCE = 120.0
_CANCEL_WAIT = 2.0
_MARK = "document.cookie = 'agent={0}'; localStorage.agent = '{0}'; 0"
_MARKS = "[document.cookie, localStorage.agent].join(' ')"


class Caller(Protocol):
    """A caller of tools."""

    async def call(self, tool: str, /, **arguments: Any) -> Message:
        """Return the tool's result."""
        ...


class WrongAnswer(Exception):
    """An agent received a page or cookies of another agent."""


@attrs.frozen
class Agent:
    """An agent that loads one page after the other; ``marks`` its storage if it is private."""

    name: str
    caller: Caller
    site: Site
    marks: bool

    async def look_at(self, pages: int, page_ms: int) -> None:
        """Load every page and check its title; raise `WrongAnswer` on a mismatch."""
        tab = (await self._ask("tab_open"))["tab_id"]
        for number in range(pages):
            title = f"{self.name} page {number}"
            url = self.site.url(f"/slow?ms={page_ms}&name={title.replace(' ', '+')}")
            shown = await self._ask("navigate", tab_id=tab, url=url)
            self._expect(shown["title"], title)
            if self.marks:
                await self._compare_marks(tab, is_first=number == 0)

    async def _compare_marks(self, tab: str, *, is_first: bool) -> None:
        wanted = f"agent={self.name} {self.name}"
        if is_first:
            found = await self._ask("evaluate", tab_id=tab, expression=_MARKS)
            self._expect(found["value"].strip(), "")
            await self._ask("evaluate", tab_id=tab, expression=_MARK.format(self.name))
        found = await self._ask("evaluate", tab_id=tab, expression=_MARKS)
        self._expect(found["value"], wanted)

    async def _ask(self, tool: str, **arguments: Any) -> Message:
        result = await self.caller.call(tool, **arguments)
        text = result["content"][0]["text"]
        if result.get("isError"):
            raise WrongAnswer(f"{self.name}: {text}")
        return cast("Message", json.loads(text))

    def _expect(self, found: object, wanted: object) -> None:
        if found != wanted:
            raise WrongAnswer(f"{self.name} got {found!r} instead of {wanted!r}.")


async def work(agents: list[Agent], pages: int, page_ms: int) -> float:
    """Let all agents load their pages at once; return the seconds that it took."""
    begun = trio.current_time()
    async with trio.open_nursery() as nursery:
        for agent in agents:
            nursery.start_soon(agent.look_at, pages, page_ms)
    return trio.current_time() - begun


@asynccontextmanager
async def on_one_pipe(site: Site, count: int) -> AsyncGenerator[list[Agent]]:
    """Yield agents that share one stdio connection, which is one session."""
    async with open_client(PROGRAM, stderr=subprocess.DEVNULL) as client:
        await client.initialize()
        yield [Agent(f"agent-{number}", client, site, marks=False) for number in range(count)]


@attrs.define(eq=False)
class HttpCaller:
    """A client over HTTP; its connection is its session."""

    url: str
    http: httpx2.AsyncClient
    _numbers: "itertools.count[int]" = attrs.field(factory=lambda: itertools.count(1))

    async def connect(self) -> None:
        """Initialize the session."""
        info = {"name": "charlotte-bench", "version": "1"}
        params = {"protocolVersion": _VERSION, "capabilities": {}, "clientInfo": info}
        response = await self._post("initialize", params, id=0)
        self.http.headers["mcp-session-id"] = response.headers["mcp-session-id"]
        self.http.headers["mcp-protocol-version"] = _VERSION
        await self._post("notifications/initialized", {})

    async def close(self) -> None:
        """End the session, unless its server has ended."""
        with suppress(httpx2.TransportError):
            await self.http.delete(self.url)

    async def call(self, tool: str, /, **arguments: Any) -> Message:
        """Return the tool's result; cancelling the caller cancels the call."""
        number, params = next(self._numbers), {"name": tool, "arguments": arguments}
        try:
            response = await self._post("tools/call", params, id=number)
        except trio.Cancelled:
            with trio.move_on_after(_CANCEL_WAIT, shield=True):
                await self._post("notifications/cancelled", {"requestId": number})
            raise
        line = next(line for line in response.text.splitlines() if line.startswith("data: {"))
        return cast("Message", json.loads(line[5:])["result"])

    async def read(self, uri: str) -> Message:
        """Return the JSON of a resource."""
        response = await self._post("resources/read", {"uri": uri}, id=next(self._numbers))
        line = next(line for line in response.text.splitlines() if line.startswith("data: {"))
        contents = json.loads(line[5:])["result"]["contents"]
        return cast("Message", json.loads(contents[0]["text"]))

    async def _post(self, method: str, params: Message, **head: int) -> httpx2.Response:
        message = {"jsonrpc": "2.0", **head, "method": method, "params": params}
        response = await self.http.post(self.url, json=message)
        return response.raise_for_status()


async def ask(caller: Caller, tool: str, /, **arguments: Any) -> Any:
    """Return the JSON of a tool's answer; raises `RuntimeError` if the answer is an error."""
    result = await caller.call(tool, **arguments)
    text = result["content"][0]["text"]
    if result.get("isError"):
        raise RuntimeError(f"{tool}: {text}")
    return json.loads(text)


@asynccontextmanager
async def open_callers(url: str, count: int) -> AsyncGenerator[list[HttpCaller]]:
    """Yield clients with a session each, on one server."""
    headers = {"accept": "application/json, text/event-stream"}
    limits = httpx2.Limits(max_connections=None)
    async with AsyncExitStack() as stack:
        callers: list[HttpCaller] = []
        for _ in range(count):
            client = httpx2.AsyncClient(headers=headers, timeout=_PATIENCE, limits=limits)
            caller = HttpCaller(url, await stack.enter_async_context(client))
            await caller.connect()
            stack.push_async_callback(caller.close)
            callers.append(caller)
        yield callers


@asynccontextmanager
async def over_http(site: Site, count: int) -> AsyncGenerator[list[Agent]]:
    """Yield agents with a session each, on one server."""
    async with open_http_server() as (url, _), open_callers(url, count) as callers:
        yield [
            Agent(f"agent-{number}", caller, site, marks=True)
            for number, caller in enumerate(callers)
        ]


async def _read_url(stdout: trio.abc.ReceiveStream) -> str:
    """Return the URL that a server prints when it is ready; other libraries may print before."""
    printed = b""
    async for chunk in stdout:
        printed += chunk
        if found := re.search(rb"listens on (\S+)\s", printed):
            return found[1].decode()
    raise RuntimeError(f"The server has ended: {printed.decode()}")


@asynccontextmanager
async def open_http_server(
    *flags: str, stderr: int | None = subprocess.DEVNULL
) -> AsyncGenerator[tuple[str, trio.Process]]:
    """Start a server on a free port; yield its URL and its process."""
    command = [*PROGRAM, "serve", "--http", "--port", "0", "--no-auth", *flags]
    process = await trio.lowlevel.open_process(
        command, stdout=subprocess.PIPE, stderr=stderr, env=os.environ
    )
    try:
        stdout = cast("trio.abc.ReceiveStream", process.stdout)
        with trio.fail_after(_PATIENCE):
            url = await _read_url(stdout)
        yield url, process
    finally:
        with trio.move_on_after(_PATIENCE, shield=True):
            process.terminate()
            await process.wait()
