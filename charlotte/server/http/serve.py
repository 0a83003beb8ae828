"""Serves over HTTP until told to stop, and then lets what is being done come to its end."""

from collections.abc import Callable, Iterator
from functools import partial
from secrets import token_urlsafe
from typing import Protocol

import trio
from mcp.server.auth.provider import TokenVerifier
from starlette.routing import BaseRoute

from charlotte.config import Config
from charlotte.server.greeting import greeting_of
from charlotte.server.http.admission import Admission
from charlotte.server.http.bearer import Bearer, SharedToken
from charlotte.server.http.dashboard import PATH as DASHBOARD_PATH
from charlotte.server.http.dashboard import Dashboard, StateSource
from charlotte.server.http.gate import names_of
from charlotte.server.http.metrics import ServerMetrics, Vitals, render
from charlotte.server.http.oauth import AnyOf, challenge, metadata_routes, verifier_of
from charlotte.server.http.resuming import Connections
from charlotte.server.http.sessions import OpenSession, Sessions
from charlotte.server.http.site import PATH, Site
from charlotte.server.http.transport import Port, open_site
from charlotte.server.mcp_server import build_server

_CONNECTIONS_PER_SESSION = 4


class Application(Vitals, Protocol):
    """What is served."""

    @property
    def dashboard_state(self) -> StateSource:
        """What people are shown."""
        ...

    @property
    def open_private_session(self) -> OpenSession:
        """Begins a session that shares nothing with the others."""
        ...


async def serve_http(
    application: Application,
    config: Config,
    port: Port,
    stop: trio.Event,
    announce: Callable[[str], None],
) -> None:
    """Serve on the port until ``stop``; ``announce`` is given the address once that is done.

    Then nobody is let in any more, calls in flight have ``config.drain`` seconds, and the sessions
    are closed.
    """
    async with application.open_private_session() as lobby, trio.open_nursery() as nursery:
        sessions = Sessions(
            greeting_of(config),
            Admission(config.max_sessions, config.session_queue),
            config.session_idle,
            application.open_private_session,
            lobby,
            nursery,
        )
        dashboard = Dashboard(application.dashboard_state)
        token = config.auth_token or token_urlsafe()
        site = _site(application, config, sessions, _routes(dashboard, config, token))
        async with open_site(site, port) as (address, let_nobody_in):
            announce(address)
            if config.dashboard and not config.auth_token:
                announce(f"{address.removesuffix(PATH)}{DASHBOARD_PATH}/#token={token}")
            await stop.wait()
            sessions.is_closing = True
            dashboard.close()
            let_nobody_in()
            with trio.move_on_after(config.drain):
                await sessions.none_visited()
        nursery.cancel_scope.cancel("served")


def _site(
    application: Application, config: Config, sessions: Sessions, routes: Iterator[BaseRoute]
) -> Site:
    """All that is behind the port."""
    manager = Connections(
        build_server(sessions),
        session_idle_timeout=config.session_idle,
        max_sessions=_CONNECTIONS_PER_SESSION * config.max_sessions,
    )
    return Site(
        manager=manager,
        names=names_of(config),
        verifier=verifier_of(config),
        challenge=challenge(config),
        routes=[*metadata_routes(config), *routes],
        operator=_operator(config),
        is_closing=lambda: sessions.is_closing,
        close=sessions.close,
        metrics=partial(_metrics, application, sessions),
    )


def _routes(dashboard: Dashboard, config: Config, token: str) -> Iterator[BaseRoute]:
    """Yield the routes of the dashboard, behind a token that no OAuth user and no tab has."""
    if config.dashboard:
        yield from dashboard.routes(lambda app: Bearer(app, SharedToken(token)))


def _operator(config: Config) -> TokenVerifier | None:
    """Return what lets in whoever runs the server: a token of an issuer is that of one user."""
    if config.auth_token:
        return SharedToken(config.auth_token)
    return AnyOf([]) if config.oauth_issuer else None


def _metrics(application: Application, sessions: Sessions) -> bytes:
    admission = sessions.admission
    return render(ServerMetrics(application, len(sessions), admission.limit, admission.waiting))
