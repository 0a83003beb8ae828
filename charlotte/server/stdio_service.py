"""The session of the client over stdio, opened after the handshake, with the client's roots."""

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import unquote, urlsplit

import attrs
import structlog
import trio
from mcp.server.subscriptions import InMemorySubscriptionBus
from mcp.shared.exceptions import MCPError
from mcp_types import (
    ClientCapabilities,
    ListRootsRequest,
    ListRootsResult,
    RequestId,
    RootsCapability,
)

from charlotte.server.service import Context, Service, SessionCall, list_changed
from charlotte.tools.answer import Changed

_ROOTS_TIMEOUT = 2.0

log = structlog.get_logger(__name__)


@attrs.define(eq=False)
class LazyService:
    """A service that opens on its first use, because loading it would delay the handshake.

    It is the only session of the only client, so it ignores session names in requests.
    """

    _open: Callable[[], AbstractAsyncContextManager[Service]]
    on_answer: Callable[[RequestId | None, Callable[[], None]], None] = lambda _, delivered: (
        delivered()
    )
    """Registers a callback for the moment at which an answer was written."""
    _service: Service | None = None
    _requested: trio.Event = attrs.field(factory=trio.Event)
    _opened: trio.Event = attrs.field(factory=trio.Event)
    _waiting: trio.StrictFIFOLock = attrs.field(factory=trio.StrictFIFOLock)
    _roots_known: bool = False
    _roots_used: bool = False
    _asking_roots: trio.StrictFIFOLock = attrs.field(factory=trio.StrictFIFOLock)
    _bus: InMemorySubscriptionBus = attrs.field(factory=InMemorySubscriptionBus)

    async def run(self, on_change: Callable[[Changed], None]) -> NoReturn:
        """Wait for the first use, then keep the service open; raise what opening it raises."""
        await self._requested.wait()
        async with self._open() as self._service:
            unregister = self._service.on_change(on_change)
            self._opened.set()
            try:
                await trio.sleep_forever()
            finally:
                unregister()

    def request_open(self) -> None:
        """Start to open the service."""
        self._requested.set()

    async def wait_open(self) -> None:
        """Open the service if it is not open; callers continue in the order of their calls."""
        if self._service is None or self._waiting.locked():
            self.request_open()
            async with self._waiting:
                await self._opened.wait()

    @property
    def service(self) -> Service:
        """The open service."""
        if self._service is None:
            raise RuntimeError("the service is not open yet")
        return self._service

    def find_service(self, _: Context, _session: str | None = None) -> Service:
        """Return the open service."""
        return self.service

    def find_name(self, _: Context) -> None:
        """Return None: the session has no name."""

    def get_bus(self, _: Context) -> InMemorySubscriptionBus:
        """Return the bus of the client, which exists before the service is open."""
        return self._bus

    @asynccontextmanager
    async def open_call(self, context: Context, _: dict[str, Any]) -> AsyncGenerator[SessionCall]:
        """Yield the open service, after asking the client for its roots if they are not known.

        Calls that arrive while the client is asked continue in the order of their arrival.
        """
        if not self._roots_known or self._asking_roots.locked():
            async with self._asking_roots:
                if not self._roots_known:
                    self._roots_known = True
                    roots = await _request_roots(context)
                    if roots or (self._roots_used and roots is not None):
                        self._roots_used = True
                        self.service.use_roots(roots)
        yield SessionCall(self.service)

    def forget_roots(self) -> None:
        """Ask the client for its roots again, before its next call."""
        self._roots_known = False

    async def publish(self, changed: Changed) -> None:
        """Publish that one of the session's lists has changed."""
        await self._bus.publish(list_changed(changed))

    def call_when_sent(self, context: Context, delivered: Callable[[], None]) -> None:
        """Call ``delivered`` once the answer to a request was written."""
        self.on_answer(context.request_id, delivered)

    def extra_parameters(self, _: Context) -> dict[str, Any]:
        """Return no parameters: the client cannot name a session."""
        return {}

    def input_schema(self, name: str) -> dict[str, Any] | None:
        """Return the schema of a tool; None if there is no such tool."""
        return self.service.input_schema(name)


async def _request_roots(context: Context) -> list[Path] | None:
    """Return the client's roots that are local directories; None if the client has no answer."""
    session = context.session
    required = ClientCapabilities(roots=RootsCapability())
    if not (session.can_send_request and session.check_client_capability(required)):
        return None
    with trio.move_on_after(_ROOTS_TIMEOUT):
        try:
            result = await session.send_request(ListRootsRequest(), ListRootsResult)
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
