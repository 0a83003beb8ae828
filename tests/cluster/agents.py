"""The work of an agent in a session of a cluster, and the checks that nothing of it is lost."""

import json
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import attrs
import trio

from tests.server.http.clients import HttpClient, Message

ENDLESS = "await new Promise(() => {})"


@attrs.define(eq=False)
class Timed:
    """The answer of a call that was running, and the time at which it arrived."""

    result: Message | None = None
    answered: float = 0.0


@asynccontextmanager
async def running_call(client: HttpClient) -> AsyncGenerator[Timed]:
    """Have a call in flight during the block, which loses its host."""
    timed = Timed()
    client.http.timeout = 60  # the processes that cause the loss take time to start

    async def call() -> None:
        timed.result = await client.call("evaluate", expression=ENDLESS, timeout=60_000)
        timed.answered = time.time()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(call)
        await trio.sleep(1)
        yield timed


async def text_of(client: HttpClient, tool: str, **arguments: Any) -> str:
    return str((await client.call(tool, **arguments))["content"][0]["text"])


async def log_in(client: HttpClient, url: str, name: str) -> None:
    """Open a second tab, and store a name that only this session has."""
    await client.call("navigate", url=url)
    await client.call("tab_open", url=url)
    stored = f"document.cookie = 'who={name}'; localStorage.setItem('who', '{name}')"
    await client.call("evaluate", expression=stored)
    await trio.sleep(2)  # the session is saved in the background


async def check_whole(client: HttpClient, name: str) -> None:
    """Check tabs, cookies and storage of a session that was restored."""
    rows = json.loads(await text_of(client, "tabs"))
    assert ["tab-1", "tab-2"] == [row["id"] for row in rows], rows
    assert [False, True] == [row["active"] for row in rows]
    read = "document.cookie + localStorage.getItem('who')"
    assert f"who={name}{name}" in await text_of(client, "evaluate", expression=read)


async def status_of(client: HttpClient) -> dict[str, Any]:
    answer = await client.ask("resources/read", uri="charlotte://status")
    status: dict[str, Any] = json.loads(answer["result"]["contents"][0]["text"])
    return status
