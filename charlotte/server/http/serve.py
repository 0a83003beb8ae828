"""Serves over HTTP until a stop signal, then lets running calls finish."""

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from secrets import token_urlsafe
from socket import (
    AF_INET,
    AF_INET6,
    IPPROTO_TCP,
    SO_REUSEADDR,
    SOL_SOCKET,
    TCP_USER_TIMEOUT,
    socket,
)
from typing import Protocol

import trio
from mcp.server.auth.provider import TokenVerifier
from starlette.routing import BaseRoute

from charlotte.asgi_server import host
from charlotte.config import Config
from charlotte.server.http.auth import (
    AnyVerifier,
    BearerAuth,
    SharedToken,
    build_challenge,
    build_metadata_routes,
    build_verifier,
)
from charlotte.server.http.dashboard import PATH as DASHBOARD_PATH
from charlotte.server.http.dashboard import Dashboard, StateSource
from charlotte.server.http.event_store import build_manager
from charlotte.server.http.host_guard import build_host_names
from charlotte.server.http.metrics import ServerMetrics, Vitals
from charlotte.server.http.sessions import Admission, OpenSession, Sessions
from charlotte.server.http.site import PATH, Site
from charlotte.server.mcp_server import build_greeting, build_server

_CONNECTIONS_PER_SESSION = 4
WRITE_TIMEOUT = 1.5
"""Seconds for the remaining answers, including endless streams, after all calls have ended."""
_STREAM_TIMEOUT = 0.5
"""Seconds for streams that end when the server ends."""
_STALLED_MS = 20_000


def bind_port(config: Config) -> socket:
    """Bind the configured port; raises ``OSError`` if it is taken.

    A client that does not read is disconnected, because others would wait for it.
    """
    bound = socket(AF_INET6 if ":" in config.host else AF_INET)
    bound.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
    bound.setsockopt(IPPROTO_TCP, TCP_USER_TIMEOUT, _STALLED_MS)
    bound.bind((config.host, config.port))
    return bound


class Application(Vitals, Protocol):
    """The application to serve."""

    @property
    def dashboard_state(self) -> StateSource:
        """The state that the dashboard shows."""
        ...

    @property
    def open_private_session(self) -> OpenSession:
        """Opens a session that shares nothing with other sessions."""
        ...


async def serve_http(
    application: Application,
    config: Config,
    port: socket,
    stop: trio.Event,
    announce: Callable[[str], None],
) -> None:
    """Serve on the port until ``stop``; ``announce`` receives the addresses.

    Then the port closes, running calls have ``config.drain`` seconds, and the sessions are closed.
    """
    async with application.open_private_session() as lobby, trio.open_nursery() as nursery:
        sessions = Sessions(
            Admission(config.max_sessions, config.session_queue),
            config.session_idle,
            application.open_private_session,
            lobby,
            nursery,
        )
        dashboard = Dashboard(application.dashboard_state)
        token = config.auth_token or token_urlsafe()
        routes: Iterator[BaseRoute] = iter(())
        if config.dashboard:  # behind a token that no OAuth user and no tab has
            routes = dashboard.routes(lambda app: BearerAuth(app, SharedToken(token)))
        site = _build_site(application, config, sessions, routes)
        async with open_site(site, port) as (address, close_port):
            announce(address)
            if config.dashboard and not config.auth_token:
                announce(f"{address.removesuffix(PATH)}{DASHBOARD_PATH}/#token={token}")
            await stop.wait()
            sessions.is_closing = True
            dashboard.close()
            close_port()
            with trio.move_on_after(config.drain):
                await sessions.wait_idle()
        nursery.cancel_scope.cancel("served")


@asynccontextmanager
async def open_site(site: Site, port: socket) -> AsyncGenerator[tuple[str, Callable[[], None]]]:
    """Serve the site; yield its address and a function that closes the port.

    At the end, answers that are being written have `WRITE_TIMEOUT` seconds.
    """
    closing = trio.Event()
    async with site.manager.run(), trio.open_nursery() as nursery:
        address: str = await nursery.start(host, site.build_app(), port, closing)
        yield f"{address}{PATH}", closing.set
        closing.set()
        with trio.move_on_after(WRITE_TIMEOUT):
            await site.wait_answered()
        with trio.move_on_after(_STREAM_TIMEOUT):
            await site.wait_ended()
        nursery.cancel_scope.cancel("served")


def _build_site(
    application: Application, config: Config, sessions: Sessions, routes: Iterator[BaseRoute]
) -> Site:
    manager = build_manager(
        build_server(sessions, build_greeting(config)),
        session_idle_timeout=config.session_idle,
        max_sessions=_CONNECTIONS_PER_SESSION * config.max_sessions,
    )
    return Site(
        manager=manager,
        names=build_host_names(config),
        verifier=build_verifier(config),
        challenge=build_challenge(config),
        routes=[*build_metadata_routes(config), *routes],
        operator=_operator_verifier(config),
        is_closing=lambda: sessions.is_closing,
        close=sessions.close,
        metrics=partial(_render_metrics, application, sessions),
    )


def _operator_verifier(config: Config) -> TokenVerifier | None:
    """Return the verifier for operators: a token of an OAuth server belongs to one user."""
    if config.auth_token:
        return SharedToken(config.auth_token)
    return AnyVerifier([]) if config.oauth_issuer else None


def _render_metrics(application: Application, sessions: Sessions) -> bytes:
    admission = sessions.admission
    metrics = ServerMetrics(application, len(sessions), admission.limit, admission.waiting)
    return metrics.render()
