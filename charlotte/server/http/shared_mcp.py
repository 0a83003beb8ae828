"""MCP for the shared sessions of the background server.

A client names its session, itself and its working directory in headers of each request.
"""

from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import attrs
import trio
from mcp.server.session import ServerSession
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.subscriptions import InMemorySubscriptionBus
from prometheus_client import generate_latest
from starlette.types import ASGIApp

from charlotte.actors.state.baselines import acting_as
from charlotte.app import Charlotte
from charlotte.config import Config
from charlotte.errors import SessionProblem
from charlotte.server.http.delivery import DELIVERY, Delivery
from charlotte.server.http.serve import Site
from charlotte.server.http.sessions import CONNECTION_HEADER
from charlotte.server.mcp_server import (
    SessionCall,
    SessionProvider,
    build_greeting,
    build_server,
    list_changed,
    send_list_changed,
)
from charlotte.server.sdk import Context, call_when_disconnected
from charlotte.server.stdio import MAX_LINE
from charlotte.session import Session
from charlotte.shared_sessions import SharedSessions
from charlotte.tools.answer import Changed

SESSION, CLIENT, DIRECTORY = "charlotte-session", "charlotte-client", "charlotte-directory"
"""Headers of requests; their values are percent-encoded."""


async def keep_mcp(
    charlotte: Charlotte,
    config: Config,
    sessions: SharedSessions,
    *,
    task_status: trio.TaskStatus[ASGIApp],
) -> None:
    """Serve MCP for the sessions until cancelled; ``task_status`` receives the application."""
    async with charlotte.open_lobby() as lobby, trio.open_nursery() as nursery:
        server = build_server(_Sessions(sessions, lobby, nursery), build_greeting(config))
        site = Site(
            config=attrs.evolve(config, auth_token=None, oauth_issuer=None, oauth_audience=None),
            manager=StreamableHTTPSessionManager(server, max_request_body_size=MAX_LINE),
            is_closing=lambda: False,
            close=lambda _name, _caller: False,
            metrics=lambda: generate_latest(charlotte.metrics.registry),
        )
        async with site.manager.run():
            task_status.started(site.build_app())
            await trio.sleep_forever()


@attrs.define(eq=False)
class _Sessions(SessionProvider):
    """The sessions as MCP uses them; the lobby answers requests for sessions that are not open.

    ``_connections`` has the session and the peer of each connection of the handshake era.
    """

    _sessions: SharedSessions
    _lobby: Session
    _nursery: trio.Nursery
    _buses: dict[str, InMemorySubscriptionBus] = attrs.field(
        factory=lambda: defaultdict[str, InMemorySubscriptionBus](InMemorySubscriptionBus)
    )
    _connections: dict[str, tuple[str, ServerSession]] = attrs.field(
        factory=dict[str, tuple[str, ServerSession]]
    )

    def __attrs_post_init__(self) -> None:
        self._sessions.on_change = partial(self.start_soon, self._announce)

    def find_service(self, context: Context, _session: str | None = None) -> Session:
        """Return the session that a request names; the lobby if it is not open."""
        shared = self._sessions.shared.get(_header(context, SESSION))
        return shared.session if shared else self._lobby

    async def join(self, _: Context, _session: str | None = None) -> None:
        """Do nothing: no other server has these sessions."""

    def get_bus(self, context: Context) -> InMemorySubscriptionBus:
        """Return the bus of the session that a request names."""
        return self._buses[_header(context, SESSION)]

    def call_when_sent(self, context: Context, delivered: Callable[[], None]) -> None:
        """Call ``delivered`` in the name of the client once the answer was written."""
        client = self._sessions.client(_header(context, SESSION), _header(context, CLIENT))

        def note() -> None:
            with acting_as(client):
                delivered()

        if context.request is not None:
            delivery: Delivery = context.request.scope[DELIVERY]
            delivery.delivered = note

    def start_soon(self, work: Callable[..., Awaitable[object]], /, *arguments: Any) -> None:
        """Start work that ends with the server."""
        self._nursery.start_soon(work, *arguments)

    @asynccontextmanager
    async def open_call(self, context: Context, _: dict[str, Any]) -> AsyncGenerator[SessionCall]:
        """Yield the session that a request names. Raises `SessionProblem`."""
        name, identity = _header(context, SESSION), _header(context, CLIENT)
        if not (name and identity):
            raise SessionProblem(
                f"The request has no headers {SESSION} and {CLIENT}.",
                "Connect with 'charlotte serve --join NAME'.",
            )
        connection = context.request.headers.get(CONNECTION_HEADER) if context.request else None
        if connection is not None and connection not in self._connections:
            self._connections[connection] = name, context.session
            call_when_disconnected(
                context.session, partial(self._connections.pop, connection, None)
            )
        async with self._sessions.use(name, identity, Path(_header(context, DIRECTORY))) as shared:
            yield SessionCall(shared.session)

    async def _announce(self, name: str, changed: Changed) -> None:
        """Notify the clients of a session of a changed list."""
        await self._buses[name].publish(list_changed(changed))
        for session, peer in tuple(self._connections.values()):
            if session == name:
                await send_list_changed(peer, changed)


def _header(context: Context, name: str) -> str:
    return unquote(context.request.headers.get(name, "")) if context.request else ""
