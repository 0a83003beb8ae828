"""Serves one client over stdio, in the protocol era of each of its requests.

Clients send ``server/discover`` (2026-07-28) and then ``initialize`` on the same pipe. The SDK's
own loop would fix the era with the first request, so the era is decided per request here, as the
SDK does over HTTP.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import unquote, urlsplit

import anyio
import attrs
import structlog
import trio
from mcp.server.subscriptions import InMemorySubscriptionBus, ToolsListChanged
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    ClientCapabilities,
    JSONRPCError,
    ListRootsRequest,
    ListRootsResult,
    RequestId,
    RootsCapability,
)

from charlotte.base.blocks import cancel_once
from charlotte.config.config import Config
from charlotte.server.mcp_server import SessionCall, SessionProvider, build_server
from charlotte.server.sdk import Context, Incoming, StdioConnection
from charlotte.server.stdio import MalformedMessage, Reader, Writer, is_enveloped, open_stdio

if TYPE_CHECKING:
    from charlotte.api.session import Session

_ROOTS_TIMEOUT = 2.0
_NEED_SERVICE = frozenset({"tools/list", "tools/call", "resources/list", "resources/read"})
_UNLIMITED = frozenset({"initialize", "ping", "subscriptions/listen"})
"""The task that reads answers the first; clients end a server that does not answer the second; the
third is answered when the subscription ends."""

_NO_HANDSHAKE = (
    "The connection is not initialized: send initialize first, "
    "or the _meta envelope of protocol 2026-07-28 with every request."
)

log = structlog.get_logger(__name__)


@attrs.define(eq=False)
class LazyService(SessionProvider):
    """A session that opens on its first use, because loading it would delay the handshake.

    It is the only session of the only client, so it ignores session names in requests.
    """

    _open: Callable[[], AbstractAsyncContextManager["Session"]]
    on_answer: Callable[[RequestId | None, Callable[[], None]], None] = lambda _, delivered: (
        delivered()
    )
    """Registers a callback for the moment at which an answer was written."""
    session: "Session" = attrs.field(init=False)
    requested: trio.Event = attrs.field(factory=trio.Event)
    bus: InMemorySubscriptionBus = attrs.field(factory=InMemorySubscriptionBus)
    _nursery: trio.Nursery = attrs.field(init=False)
    roots_known: bool = False
    """Whether the client has been asked for its roots since they changed."""
    _asking: trio.Event | None = None
    """Set when the client has answered, while it is asked."""
    _opened: trio.Event = attrs.field(factory=trio.Event)
    _waiting: trio.StrictFIFOLock = attrs.field(factory=trio.StrictFIFOLock)
    _roots_used: bool = False
    _order: trio.StrictFIFOLock = attrs.field(factory=trio.StrictFIFOLock)

    async def run(self, on_change: Callable[[], None]) -> NoReturn:
        """Wait for the first use, then keep the session open; raise what opening it raises."""
        await self.requested.wait()
        async with self._open() as self.session, trio.open_nursery() as self._nursery:
            unregister = self.session.on_change(on_change)
            self._opened.set()
            try:
                await trio.sleep_forever()
            finally:
                unregister()

    async def wait_open(self) -> None:
        """Open the session if it is not open; callers continue in the order of their calls."""
        if not self._opened.is_set() or self._waiting.locked():
            self.requested.set()
            async with self._waiting:
                await self._opened.wait()

    def find_service(self, _: Context, _session: str | None = None) -> "Session":
        """Return the open session."""
        return self.session

    def start_soon(self, work: Callable[..., Awaitable[object]], /, *arguments: Any) -> None:
        """Start work that ends with the session."""
        self._nursery.start_soon(work, *arguments)

    def get_bus(self, _: Context) -> InMemorySubscriptionBus:
        """Return the bus of the client, which exists before the session is open."""
        return self.bus

    @asynccontextmanager
    async def open_call(self, context: Context, _: dict[str, Any]) -> AsyncGenerator[SessionCall]:
        """Yield the open session, after asking the client for its roots if they are not known.

        Calls that arrive while the client is asked continue in the order of their arrival.
        """
        if not self.roots_known or self._asking is not None or self._order.locked():
            async with self._order:
                if not self.roots_known:
                    self.roots_known = True
                    roots = ClientCapabilities(roots=RootsCapability())
                    client = context.session
                    if client.can_send_request and client.check_client_capability(roots):
                        self._asking = trio.Event()
                        self._nursery.start_soon(self._ask_roots, context, self._asking)
                if self._asking is not None:
                    await self._asking.wait()
        yield SessionCall(self.session)

    async def _ask_roots(self, context: Context, answered: trio.Event) -> None:
        """Use the client's roots; not a part of the first call, which may be cancelled."""
        roots = await _request_roots(context)
        if roots or (self._roots_used and roots is not None):
            self._roots_used = True
            self.session.use_roots(roots)
        answered.set()
        if self._asking is answered:
            self._asking = None

    def call_when_sent(self, context: Context, delivered: Callable[[], None]) -> None:
        """Call ``delivered`` once the answer to a request was written."""
        self.on_answer(context.request_id, delivered)


async def _request_roots(context: Context) -> list[Path] | None:
    """Return the client's roots that are local directories; None if the client has no answer."""
    with trio.move_on_after(_ROOTS_TIMEOUT):
        try:
            result = await context.session.send_request(ListRootsRequest(), ListRootsResult)
        except MCPError as error:
            log.warning("the client returned an error for roots/list", error=str(error))
            return None
        return local_directories(str(root.uri) for root in result.roots)
    log.warning("the client did not answer roots/list in time", seconds=_ROOTS_TIMEOUT)
    return None


def local_directories(uris: Iterable[str]) -> list[Path]:
    """Return the addresses that name a directory of this machine, as paths."""
    parts = [urlsplit(uri) for uri in uris]
    paths = [Path(unquote(part.path)) for part in parts if part.scheme == "file"]
    return [path.resolve() for path in paths if path.is_dir()]


async def serve_stdio(service: LazyService, config: Config) -> None:
    """Serve on stdin and stdout until stdin ends or this is cancelled.

    The session opens after the first answer, or with the first request that needs it.
    At the end of stdin, running calls have `stdio.DRAIN_TIMEOUT` seconds to finish before they are
    cancelled. A client that does not read delays the end by `stdio.WRITE_TIMEOUT` seconds.
    """
    async with open_stdio() as (reader, writer):
        await serve(service, config, reader, writer)


async def serve(service: LazyService, config: Config, reader: Reader, writer: Writer) -> None:
    """Serve the client behind ``reader`` and ``writer``; one task per request."""
    service.on_answer, service.requested = writer.pending.call_when_sent, writer.answered
    async with trio.open_nursery() as nursery:
        client = _StdioClient(service, config, reader, writer, nursery)
        nursery.start_soon(service.run, client.announce_change)
        # everything ends at once: the browser does not wait for calls that clean up
        scope, reason = nursery.cancel_scope, "the client is done"
        nursery.start_soon(cancel_once, reader.closed, scope, reason)
        await client.run()


class _StdioClient(StdioConnection):
    """The client: routes its messages by protocol era."""

    def __init__(
        self,
        service: LazyService,
        config: Config,
        reader: Reader,
        writer: Writer,
        nursery: trio.Nursery,
    ) -> None:
        super().__init__(build_server(service, config), reader, writer)
        self._service = service
        self._writer = writer
        self._nursery = nursery

    async def on_request(
        self, incoming: Incoming, method: str, params: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """Answer one request. Raises `MCPError` for a JSON-RPC error."""
        if method not in _UNLIMITED:
            await self._writer.pending.wait_turn(incoming.request_id)
        if method in _NEED_SERVICE:
            await self._service.wait_open()
        if method != "initialize" and is_enveloped(params):
            return await self.answer_enveloped(incoming, method, params)
        if method in _NEED_SERVICE and not self.handshake.initialize_accepted:
            raise MCPError(INVALID_REQUEST, _NO_HANDSHAKE)
        return await super().on_request(incoming, method, params)

    async def on_notify(
        self, incoming: Incoming, method: str, params: Mapping[str, Any] | None
    ) -> None:
        """Handle a notification."""
        if method == "notifications/roots/list_changed":
            self._service.roots_known = False
        await super().on_notify(incoming, method, params)

    async def on_malformed(self, error: Exception) -> None:
        """Refuse a line without waiting, because the client may not read."""
        if isinstance(error, MalformedMessage) and error.reply is not None:
            self._nursery.start_soon(self._send_refusal, error.reply)

    async def _send_refusal(self, reply: JSONRPCError) -> None:
        with suppress(anyio.BrokenResourceError):
            await self._writer.send(SessionMessage(reply))

    def announce_change(self) -> None:
        """Notify the client of a changed list of tools, in each era that it has used."""
        if self.handshake.initialize_accepted:
            self._nursery.start_soon(self.handshake.send_tool_list_changed)
        self._nursery.start_soon(self._service.bus.publish, ToolsListChanged())
