"""Private and undocumented parts of the MCP SDK; no other module uses them.

`tests/server/test_sdk.py` fails if a release of the SDK changes one of these parts.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from typing import Any

from mcp.server.connection import Connection, NotifyOnlyOutbound
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.runner import ServerRunner
from mcp.server.session import ServerSession
from mcp.shared.dispatcher import DispatchContext, as_request_id
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import InboundLadderRejection, classify_inbound_request
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp.shared.transport_context import TransportContext
from mcp_types import JSONRPCRequest

__all__ = [
    "Connection",
    "Context",
    "Incoming",
    "StdioConnection",
    "as_request_id",
    "call_when_disconnected",
    "request_message",
    "set_up_server",
]

Incoming = DispatchContext[TransportContext]
Context = ServerRequestContext[dict[str, Any]]


# `ServerRunner` caches its bound methods. That reference cycle would keep the runner of every
# connection, and of every request of protocol 2026-07-28, until the garbage collector runs.
for _name, _member in tuple(vars(ServerRunner).items()):
    if isinstance(_member, cached_property):
        setattr(ServerRunner, _name, property(_member.func))


def set_up_server(server: Server[Any], *, is_traced: bool) -> None:
    """Remove the lookup of tool schemas, and the default middleware unless requests are traced.

    The middleware creates OpenTelemetry spans, which cost 50 µs per call. The SDK uses schemas only
    to compare HTTP headers with certain arguments; without this lookup, it lists all tools before
    each call over HTTP; version 2.2 always does.
    """
    if not is_traced:
        server.middleware.clear()
    server.get_tool_input_schema = dict[str, Any]().get


def call_when_disconnected(session: ServerSession, callback: Callable[[], object]) -> None:
    """Call ``callback`` when the connection of a session of the handshake era has ended."""
    session._connection.exit_stack.callback(callback)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]


def request_message(
    request: JSONRPCRequest, on_unanswered: Callable[[], Awaitable[None]], *, can_send_request: bool
) -> SessionMessage:
    """Return a request for the SDK, which calls ``on_unanswered`` if it will not answer it."""
    metadata = ServerMessageMetadata(
        on_request_unanswered=on_unanswered, can_send_request=can_send_request
    )
    return SessionMessage(request, metadata)


class StdioConnection:
    """The SDK's side of a pipe on which each request chooses its protocol era.

    The requests of the handshake era share one connection. Each request of protocol 2026-07-28,
    which carries its version in an envelope, gets a connection of its own.
    """

    def __init__(self, server: Server[dict[str, Any]], reader: Any, writer: Any) -> None:
        self._server = server
        self._dispatcher = JSONRPCDispatcher[TransportContext](
            reader,
            writer,
            inline_methods=frozenset({"initialize"}),
            on_stream_exception=self.on_malformed,
        )
        self.handshake = Connection.for_loop(self._dispatcher)
        self._runner = ServerRunner(server, self.handshake, {})
        self._outbound = NotifyOnlyOutbound(self._dispatcher)

    async def run(self) -> None:
        """Read messages until the end of the stream; one task per request."""
        await self._dispatcher.run(self.on_request, self.on_notify)

    async def on_request(
        self, incoming: Incoming, method: str, params: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """Answer a request of the handshake era."""
        return await self._runner.on_request(incoming, method, params)

    async def answer_enveloped(
        self, incoming: Incoming, method: str, params: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """Answer a request of protocol 2026-07-28. Raises `MCPError` for an invalid envelope."""
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
        """Handle a notification of the client."""
        await self._runner.on_notify(incoming, method, params)

    async def on_malformed(self, error: Exception) -> None:
        """Handle an exception that the reader returned instead of a message."""
