"""Clients over HTTP that write their own requests, in either era of the protocol."""

import itertools
import json
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar, cast

import attrs
import httpx2
import trio

from charlotte.server.mcp_server import SESSION_KEY
from tests.server.clients import ENVELOPE, PATIENCE, cancel, request

Message = dict[str, Any]
C = TypeVar("C", bound="HttpClient")
_ACCEPT = {"accept": "application/json, text/event-stream"}


def messages_of(response: httpx2.Response) -> list[Message]:
    """Return the messages of a response, which is one message or a stream."""
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        lines = response.text.splitlines()
        return [json.loads(line[5:]) for line in lines if line.startswith("data: {")]
    return [response.json()] if response.content else []


@attrs.define(eq=False)
class HttpClient:
    """A client; ``headers`` go with every request, ``notifications`` are those received so far."""

    url: str
    http: httpx2.AsyncClient
    headers: dict[str, str] = attrs.field(factory=lambda: dict(_ACCEPT))
    notifications: list[Message] = attrs.field(factory=list[Message])
    session: str | None = None
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1))

    async def connect(self) -> None:
        """Initialize the connection if the protocol has one."""

    def framed(self, message: Message) -> tuple[Message, dict[str, str]]:
        """Return the message and the headers that the protocol requires."""
        raise NotImplementedError

    async def post(self, message: Message) -> httpx2.Response:
        framed, headers = self.framed(message)
        return await self.http.post(self.url, json=framed, headers=self.headers | headers)

    async def ask(self, method: str, **params: Any) -> Message:
        number = next(self._numbers)
        response = await self.post(request(number, method, **params))
        received = messages_of(response)
        self.notifications += [message for message in received if "method" in message]
        answers = [message for message in received if message.get("id") == number]
        assert len(answers) == 1, f"{response.status_code} {response.text}"
        return answers[0]

    async def call(self, tool: str, **arguments: Any) -> Message:
        """Call a tool and return its result."""
        answer = await self.ask("tools/call", name=tool, arguments=arguments)
        return cast("Message", answer["result"])

    async def tools(self) -> list[Message]:
        answer = await self.ask("tools/list")
        return cast("list[Message]", answer["result"]["tools"])


class Handshaking(HttpClient):
    """Speaks 2025-11-25, or ``version``: its connection is its session."""

    version = "2025-11-25"

    async def connect(self) -> None:
        info = {"name": "test", "version": "1"}
        hello = request(
            0, "initialize", protocolVersion=self.version, capabilities={}, clientInfo=info
        )
        response = await self.post(hello)
        response.raise_for_status()
        [answer] = messages_of(response)
        assert answer["result"]["protocolVersion"] == self.version
        self.session = response.headers["mcp-session-id"]
        self.headers |= {"mcp-session-id": self.session, "mcp-protocol-version": self.version}
        await self.post({"jsonrpc": "2.0", "method": "notifications/initialized", "params": {}})

    def framed(self, message: Message) -> tuple[Message, dict[str, str]]:
        """Return the message without changes."""
        return message, {}

    async def leave(self) -> httpx2.Response:
        return await self.http.delete(self.url, headers=self.headers)

    async def cancel(self, number: int) -> None:
        await self.post(cancel(number))

    async def listen(self, task_status: trio.TaskStatus[None]) -> None:
        """Receive the notifications outside of answers."""
        headers = self.headers | {"accept": "text/event-stream"}
        async with self.http.stream("GET", self.url, headers=headers) as response:
            task_status.started()
            with suppress(httpx2.RemoteProtocolError):  # the server hung up
                async for line in response.aiter_lines():
                    if line.startswith("data:"):
                        self.notifications.append(json.loads(line[5:]))


class Stateless(HttpClient):
    """Speaks 2026-07-28: names its session after the first answer."""

    def framed(self, message: Message) -> tuple[Message, dict[str, str]]:
        """Add the envelope and the headers that repeat it."""
        params = message["params"]
        named = {SESSION_KEY: self.session} if self.session else {}
        meta = ENVELOPE | named | params.get("_meta", {})
        routing = {"mcp-protocol-version": "2026-07-28", "mcp-method": message["method"]}
        if name := params.get("name") or params.get("uri"):
            routing["mcp-name"] = name
        return {**message, "params": {**params, "_meta": meta}}, routing

    async def call(self, tool: str, **arguments: Any) -> Message:
        """Call a tool, and store the session that it started."""
        result = await super().call(tool, **arguments)
        self.session = result["_meta"].get(SESSION_KEY, self.session)
        return result

    async def leave(self) -> httpx2.Response:
        return await self.http.delete(self.url, headers={"mcp-session-id": self.session or ""})


ERAS: list[type[Handshaking | Stateless]] = [Handshaking, Stateless]


@asynccontextmanager
async def connected(kind: type[C], url: str, **headers: str) -> AsyncGenerator[C]:
    """Connect a client with an HTTP connection of its own."""
    async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http:
        client = kind(url, http)
        await client.connect()
        yield client
