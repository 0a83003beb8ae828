"""Serves one client over stdio, in the protocol era of each of its requests.

Clients send ``server/discover`` (2026-07-28) and then ``initialize`` on the same pipe. The SDK's
own loop would fix the era with the first request, so the era is decided per request here, as the
SDK does over HTTP.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import anyio
import attrs
import trio
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, JSONRPCError

from charlotte.server.framing import MalformedLine
from charlotte.server.mcp_server import Greeting, build_server
from charlotte.server.sdk import Incoming, StdioConnection
from charlotte.server.service import send_list_changed
from charlotte.server.stdio import PendingRequests, Reader, Writer, is_enveloped, open_stdio
from charlotte.server.stdio_service import LazyService
from charlotte.tools.answer import Changed

_NEED_SERVICE = frozenset({"tools/list", "tools/call", "resources/list", "resources/read"})
_UNLIMITED = frozenset({"initialize", "subscriptions/listen"})
"""The task that reads answers the first; the second is answered when the subscription ends."""

_NO_HANDSHAKE = (
    "The connection is not initialized: send initialize first, "
    "or the _meta envelope of protocol 2026-07-28 with every request."
)


async def serve_stdio(service: LazyService, greeting: Greeting) -> None:
    """Serve on stdin and stdout until stdin ends or this is cancelled.

    The service opens after the first answer, or with the first request that needs it.
    At the end of stdin, running calls have `stdio.DRAIN_TIMEOUT` seconds to finish before they are
    cancelled. A client that does not read delays the end by `stdio.WRITE_TIMEOUT` seconds.
    """
    async with open_stdio() as (reader, writer):
        await serve(service, greeting, reader, writer)


async def serve(service: LazyService, greeting: Greeting, reader: Reader, writer: Writer) -> None:
    """Serve the client behind ``reader`` and ``writer``; one task per request."""
    service.on_answer = writer.pending.call_when_sent
    async with trio.open_nursery() as nursery:

        async def refuse(item: Exception) -> None:
            # Awaiting the write here would stop reading while the client does not read.
            if isinstance(item, MalformedLine) and item.reply is not None:
                nursery.start_soon(_send_refusal, writer, item.reply)

        connection = StdioConnection(build_server(service, greeting), reader, writer, refuse)
        client = _Client(connection, service, writer.pending)

        def on_change(changed: Changed) -> None:
            nursery.start_soon(client.send_changed, changed)

        nursery.start_soon(service.run, on_change)
        nursery.start_soon(_open_after_greeting, service, writer)
        nursery.start_soon(_end_after_reading, reader, nursery.cancel_scope)
        await connection.run(client.on_request, client.on_notify)


@attrs.define(eq=False)
class _Client:
    """The client: routes its messages by protocol era."""

    _connection: StdioConnection
    _service: LazyService
    _pending: PendingRequests

    async def on_request(
        self, incoming: Incoming, method: str, params: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """Answer one request. Raises `MCPError` for a JSON-RPC error."""
        if method not in _UNLIMITED:
            await self._pending.wait_turn(incoming.request_id)
        if method in _NEED_SERVICE:
            await self._service.wait_open()  # the SDK reads the schema of a tool before the call
        if method != "initialize" and is_enveloped(params):
            return await self._connection.answer_enveloped(incoming, method, params)
        if method in _NEED_SERVICE and not self._connection.is_initialized:
            raise MCPError(INVALID_REQUEST, _NO_HANDSHAKE)
        return await self._connection.answer(incoming, method, params)

    async def on_notify(
        self, incoming: Incoming, method: str, params: Mapping[str, Any] | None
    ) -> None:
        """Handle a notification."""
        if method == "notifications/roots/list_changed":
            self._service.forget_roots()
        await self._connection.notify(incoming, method, params)

    async def send_changed(self, changed: Changed) -> None:
        """Notify the client of a changed list, in each era that it has used."""
        if self._connection.is_initialized:
            await send_list_changed(self._connection.handshake, changed)
        await self._service.publish(changed)


async def _send_refusal(writer: Writer, reply: JSONRPCError) -> None:
    with suppress(anyio.BrokenResourceError):
        await writer.send(SessionMessage(reply))


async def _open_after_greeting(service: LazyService, writer: Writer) -> None:
    await writer.answered.wait()
    service.request_open()


async def _end_after_reading(reader: Reader, scope: trio.CancelScope) -> None:
    """End everything at once: the browser does not wait for calls that clean up."""
    await reader.closed.wait()
    scope.cancel("the client is done")
