"""Servers whose sessions live on the nodes of a cluster."""

import json
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import httpx2
import trio

from bench.agents import open_http_server
from tests.server.http import clients

C = TypeVar("C", clients.Handshaking, clients.Stateless)

NO_HEADERS: Mapping[str, str] = {}
_READY_WAIT = 120.0


@asynccontextmanager
async def open_gateway(
    *flags: str, places: int = 40, headers: Mapping[str, str] = NO_HEADERS
) -> AsyncGenerator[tuple[str, trio.Process]]:
    """Start a server; yield its URL and process once it has room for that many sessions."""
    async with open_http_server("--answers", "json", *flags) as (url, process):
        with trio.fail_after(_READY_WAIT):
            while await read_metric(url, "charlotte_sessions_limit", headers) < places:  # noqa: ASYNC110 - no event to wait for
                await trio.sleep(0.2)
        yield url, process


@asynccontextmanager
async def connected(kind: type[C], url: str, **headers: str) -> AsyncGenerator[C]:
    """Connect a client, whose session ends with it: one that goes on would keep its slot."""
    async with clients.connected(kind, url, **headers) as client:
        yield client
        with suppress(httpx2.TransportError):  # its gateway was killed
            await client.leave()


async def read_metric(url: str, name: str, headers: Mapping[str, str] = NO_HEADERS) -> float:
    """Return a metric of a server without labels."""
    async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
        text = (await http.get(url.replace("/mcp", "/metrics"))).text
    found = re.search(rf"^{name} (\S+)$", text, re.MULTILINE)
    assert found, text
    return float(found[1])


async def status_of(client: clients.HttpClient) -> dict[str, Any]:
    """Return the status of the client's session, or of the gateway without one."""
    answer = await client.ask("resources/read", uri="charlotte://status")
    status: dict[str, Any] = json.loads(answer["result"]["contents"][0]["text"])
    return status
