"""Serves one client over stdio, in whichever protocol era each of its requests speaks.

Real clients send ``server/discover`` (2026-07-28) and then ``initialize`` on the same pipe. The
SDK's own loop would lock the era with the first request; here it is decided per request, as the SDK
itself does over HTTP.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import anyio
import attrs
import trio
from mcp.server.connection import Connection, NotifyOnlyOutbound
from mcp.server.lowlevel import Server
from mcp.server.runner import ServerRunner
from mcp.shared.dispatcher import DispatchContext
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import InboundLadderRejection, classify_inbound_request
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.message import SessionMessage
from mcp.shared.transport_context import TransportContext
from mcp_types import INVALID_REQUEST, JSONRPCError

from charlotte.server.framing import Malformed
from charlotte.server.late import LateService
from charlotte.server.mcp_server import build_server
from charlotte.server.stdio import Reader, Unanswered, Writer, is_enveloped, open_stdio
from charlotte.server.visits import send_list_changed
from charlotte.tools.answer import Changed

_SERVED = frozenset({"tools/list", "tools/call", "resources/list", "resources/read"})
_AT_ONCE = frozenset({"initialize", "subscriptions/listen"})
"""The one is answered by the task that reads, the other when the subscription ends."""

_ROOTS_CHANGED = "notifications/roots/list_changed"
_NO_HANDSHAKE = (
    "The connection is not initialized: send initialize first, "
    "or the _meta envelope of protocol 2026-07-28 with every request."
)

Incoming = DispatchContext[TransportContext]


@attrs.define(eq=False)
class Peer:
    """The client: one connection for the handshake era, a fresh one per enveloped request."""

    _server: Server[dict[str, Any]]
    _service: LateService
    handshake: ServerRunner[dict[str, Any]]
    _outbound: NotifyOnlyOutbound
    _unanswered: Unanswered

    async def on_request(
        self, incoming: Incoming, method: str, params: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """Answer one request. Raises `MCPError` for what becomes a JSON-RPC error."""
        if method not in _AT_ONCE:
            await self._unanswered.begin(incoming.request_id)
        if method in _SERVED:
            await self._service.opened()  # the SDK looks a tool's schema up before it calls
        if method == "initialize" or not is_enveloped(params):
            if method in _SERVED and not self.handshake.connection.initialize_accepted:
                raise MCPError(INVALID_REQUEST, _NO_HANDSHAKE)
            return await self.handshake.on_request(incoming, method, params)
        route = classify_inbound_request({"method": method, "params": params})
        if isinstance(route, InboundLadderRejection):
            raise MCPError(route.code, route.message, route.data)
        connection = Connection.from_envelope(
            route.protocol_version,
            route.client_info,
            route.client_capabilities,
            outbound=self._outbound,
        )
        return await ServerRunner(self._server, connection, {}).on_request(incoming, method, params)

    async def on_notify(
        self, incoming: Incoming, method: str, params: Mapping[str, Any] | None
    ) -> None:
        """Take in a notification."""
        if method == _ROOTS_CHANGED:
            self._service.roots_changed()
        await self.handshake.on_notify(incoming, method, params)

    async def changed(self, changed: Changed) -> None:
        """Notify the client of a changed list, in the way of each era that it has used."""
        if self.handshake.connection.initialize_accepted:
            await send_list_changed(self.handshake.connection, changed)
        await self._service.publish(changed)


async def serve_stdio(service: LateService) -> None:
    """Serve on stdin and stdout until stdin ends or this is cancelled.

    The service is opened when the client has been greeted, or asks for more than that.
    At the end of stdin, calls in flight have `stdio.DRAIN` seconds to be answered; what is not
    finished then is cancelled. A client that does not read its answers delays the end by
    `stdio.LAST_WORDS` seconds.
    """
    async with open_stdio() as (reader, writer):
        await serve(service, reader, writer)


async def serve(service: LateService, reader: Reader, writer: Writer) -> None:
    """Serve the client behind ``reader`` and ``writer``; one task per request."""
    dispatcher: JSONRPCDispatcher[TransportContext] = JSONRPCDispatcher(
        reader, writer, inline_methods=frozenset({"initialize"})
    )
    peer = _peer(service, dispatcher, writer.unanswered)
    service.on_answer = writer.unanswered.when_sent
    async with trio.open_nursery() as nursery:

        async def refuse(item: Exception) -> None:
            # Not awaited here: a client that does not read would stop the reading of what it sends.
            if isinstance(item, Malformed) and item.reply is not None:
                nursery.start_soon(_refuse, writer, item.reply)

        def notify(changed: Changed) -> None:
            nursery.start_soon(peer.changed, changed)

        dispatcher.on_stream_exception = refuse
        nursery.start_soon(service.run, notify)
        nursery.start_soon(_open_after_greeting, service, writer)
        nursery.start_soon(_end_after_reading, reader, nursery.cancel_scope)
        await dispatcher.run(peer.on_request, peer.on_notify)


async def _open_after_greeting(service: LateService, writer: Writer) -> None:
    await writer.answered.wait()
    service.want()


async def _end_after_reading(reader: Reader, scope: trio.CancelScope) -> None:
    """End all at once: the browser need not wait for calls that clean up."""
    await reader.closed.wait()
    scope.cancel("the client is done")


async def _refuse(writer: Writer, reply: JSONRPCError) -> None:
    with suppress(anyio.BrokenResourceError):
        await writer.send(SessionMessage(reply))


def _peer(
    service: LateService,
    dispatcher: JSONRPCDispatcher[TransportContext],
    unanswered: Unanswered,
) -> Peer:
    server = build_server(service)
    connection = Connection.for_loop(dispatcher)
    handshake = ServerRunner(server, connection, {})
    return Peer(server, service, handshake, NotifyOnlyOutbound(dispatcher), unanswered)
