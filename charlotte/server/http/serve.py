"""Serves over HTTP until a stop signal, then lets running calls finish."""

import re
import socket
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from secrets import token_urlsafe
from typing import TYPE_CHECKING, get_args

import attrs
import structlog
import trio
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import RequestBodyLimitMiddleware
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from charlotte.base.asgi_server import host
from charlotte.config.config import Config
from charlotte.server.http.access import (
    BearerAuth,
    HostGuard,
    SharedToken,
    build_host_names,
    build_metadata,
    build_verifiers,
    get_caller,
)
from charlotte.server.http.budget import Admission, Refusal, Subject
from charlotte.server.http.dashboard import PATH as DASHBOARD_PATH
from charlotte.server.http.dashboard import Dashboard
from charlotte.server.http.sessions import CONNECTION_HEADER, DELIVERY, Delivery, Sessions
from charlotte.server.mcp_server import build_server
from charlotte.server.stdio import MalformedMessage, decode

if TYPE_CHECKING:
    from charlotte.api.dashboard_state import DashboardState
    from charlotte.server.mcp_server import Engine

PATH = "/mcp"
WRITE_TIMEOUT = 1.5
"""Seconds for the remaining answers, including endless streams, after all calls have ended."""
_CONNECTIONS_PER_SESSION = 4
_MAX_BODY = 4 * 2**20
_MAX_DASHBOARD_BODY = 2**18
_LARGE_BODY = 100_000
"""Bytes of a message from which it is parsed in a thread."""
_STALLED_MS = 20_000
_TAB = re.compile(r"tab-\d+ ?")

_LOCAL = Config(port=0)
"""A free port of 127.0.0.1, for the dashboard of a server over stdio."""

log = structlog.get_logger(__name__)


def bind_port(config: Config) -> socket.socket:
    """Bind the configured port; raises ``OSError`` if it is taken.

    A client that does not read is disconnected, because others would wait for it.
    """
    bound = socket.socket(socket.AF_INET6 if ":" in config.host else socket.AF_INET)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # on Linux
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _STALLED_MS)
    bound.bind((config.host, config.port))
    return bound


async def serve_http(
    application: "Engine",
    config: Config,
    port: socket.socket,
    stop: trio.Event,
    announce: Callable[[str], None],
    *,
    dashboard_state: "DashboardState | None" = None,
) -> None:
    """Serve on the port until ``stop``, with a dashboard for a state; ``announce`` gets addresses.

    Then the port closes, running calls have ``config.drain`` seconds, and the sessions are closed.
    """
    async with application.open_lobby() as lobby, trio.open_nursery() as nursery:
        admission = Admission(
            config.max_sessions,
            config.session_queue,
            config.subject_sessions,
            config.subject_tabs,
            application.find_outage,
        )
        application.watch_places(admission.resize)
        sessions = Sessions(
            admission, config.session_idle, application, lobby, nursery, config.session_per_token
        )
        # Clients have the token of the server. They must not grant themselves the owner's tabs, nor
        # answer questions that are for people.
        is_for_clients = config.attach is None and not config.rules.may_ask
        shared = config.auth_token if is_for_clients else None
        token = shared or token_urlsafe()
        routes = list[BaseRoute]()
        if dashboard_state is not None:  # behind a token that no OAuth user and no tab has
            routes = _dashboard_routes(dashboard_state, port, token)
        manager = StreamableHTTPSessionManager(
            build_server(sessions, config),
            session_idle_timeout=config.session_idle,
            max_sessions=_CONNECTIONS_PER_SESSION * config.max_sessions,
        )
        site = Site(
            config=config,
            manager=manager,
            sessions=sessions,
            metrics=lambda: ServerMetrics(application, admission, sessions.subjects),
            routes=routes,
        )
        async with open_site(site, port) as (address, close_port):
            announce(address)
            if routes and not shared:
                announce(f"{address.removesuffix(PATH)}{DASHBOARD_PATH}/#token={token}")
            await stop.wait()
            sessions.is_closing = True
            close_port()
            with trio.move_on_after(config.drain):
                await sessions.wait_idle()
        nursery.cancel_scope.cancel("served")


def _dashboard_routes(state: "DashboardState", port: socket.socket, token: str) -> list[BaseRoute]:
    """Return the routes of the dashboard at a port; its data requires the token."""
    state.set_port(port.getsockname()[1])

    def protect(app: ASGIApp) -> ASGIApp:
        limited = RequestBodyLimitMiddleware(app, _MAX_DASHBOARD_BODY)
        return BearerAuth(limited, [SharedToken(token)])

    return [*Dashboard(state).routes(protect)]


async def serve_local_dashboard(state: "DashboardState") -> None:
    """Serve the dashboard until cancelled; log its address, which ends with a random token.

    If no port can be opened, a warning is logged: calls do not need the dashboard.
    """
    try:
        bound = bind_port(_LOCAL)
    except OSError as error:
        log.warning("the dashboard cannot be served", host=_LOCAL.host, error=error.strerror)
        return
    token = token_urlsafe()
    application = Starlette(routes=_dashboard_routes(state, bound, token))
    address = f"http://{_LOCAL.host}:{bound.getsockname()[1]}{DASHBOARD_PATH}/#token={token}"
    log.warning("the dashboard is served", address=address)
    await host(HostGuard(application, build_host_names(_LOCAL)), bound)


@asynccontextmanager
async def open_site(
    site: "Site", port: socket.socket
) -> AsyncGenerator[tuple[str, Callable[[], None]]]:
    """Serve the site; yield its address and a function that closes the port.

    At the end, answers that are being written have `WRITE_TIMEOUT` seconds.
    """
    closing = trio.Event()
    async with site.manager.run(), trio.open_nursery() as nursery:
        address: str = await nursery.start(
            partial(host, grace=site.config.drain + 2 * WRITE_TIMEOUT),
            site.build_app(),
            port,
            closing,
        )
        yield f"{address}{PATH}", closing.set
        closing.set()
        with trio.move_on_after(WRITE_TIMEOUT):
            await site.wait_ended("POST")
        with trio.move_on_after(0.5):  # seconds for streams that end when the server ends
            await site.wait_ended()
        nursery.cancel_scope.cancel("served")


@attrs.define(eq=False, kw_only=True)
class Site:
    """The ASGI application: MCP, health, metrics and other routes, with their access checks."""

    config: Config
    manager: StreamableHTTPSessionManager
    sessions: Sessions
    metrics: Callable[[], Collector]
    routes: Sequence[BaseRoute] = ()
    _running: Counter[str] = attrs.field(factory=Counter[str])
    _ended: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)
    _large: trio.CapacityLimiter = attrs.field(factory=lambda: trio.CapacityLimiter(1))
    """Large bodies are parsed one after the other: threads share the time of the event loop."""

    async def wait_ended(self, method: str | None = None) -> None:
        """Wait until all requests, or those with a method, have been answered completely."""
        while self._running[method] if method else self._running.total():
            await self._ended.park()

    def build_app(self) -> ASGIApp:
        """Return the application behind the host guard; MCP and metrics require a token."""
        config = self.config
        # A token of an OAuth server belongs to one user, who may not see all sessions.
        operators: list[SharedToken] | None = [] if config.oauth_issuer else None
        if config.auth_token:
            operators = [SharedToken(config.auth_token)]
        challenge, metadata_routes = build_metadata(config)
        limited = RequestBodyLimitMiddleware(self._serve_mcp, _MAX_BODY)
        mcp = BearerAuth(limited, build_verifiers(config), challenge)
        routes = [
            Route(PATH, mcp),
            Route("/healthz", self._get_health),
            Route("/metrics", BearerAuth(self._serve_metrics, operators)),
            *metadata_routes,
            *self.routes,
        ]
        handlers = {HTTPStatus.NOT_FOUND.value: _explain_not_found}
        application = Starlette(routes=routes, exception_handlers=handlers)
        guarded = HostGuard(application, build_host_names(config))

        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            method = scope.get("method", "")
            self._running[method] += 1
            try:
                await guarded(scope, receive, send)
            finally:
                self._running[method] -= 1
                self._ended.unpark_all()

        return serve

    async def _serve_mcp(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        name = request.headers.get(CONNECTION_HEADER, "")
        if request.method == "DELETE" and self.sessions.close(name, get_caller(request)):
            await Response(status_code=204)(scope, receive, send)
            return
        if request.method == "POST":
            try:
                body = await request.body()
                if len(body) < _LARGE_BODY:
                    message = decode(body)
                else:
                    message = await trio.to_thread.run_sync(decode, body, limiter=self._large)
            except ClientDisconnect:
                return
            except MalformedMessage as error:
                refused = error.reply and error.reply.model_dump(by_alias=True, exclude_unset=True)
                await JSONResponse(refused, 400)(scope, receive, send)
                return
            # The SDK does not accept everything that `decode` does.
            accepted = message.model_dump_json(by_alias=True, exclude_unset=True)
            receive = _replay(accepted.encode(), receive)
        scope[DELIVERY] = delivery = Delivery()
        completing = delivery.wrap_send(partial(_send_and_log, send, scope))
        await self.manager.handle_request(scope, receive, completing)

    async def _serve_metrics(self, scope: Scope, receive: Receive, send: Send) -> None:
        text = generate_latest(self.metrics())
        response = PlainTextResponse(text, media_type=CONTENT_TYPE_PLAIN_0_0_4)
        await response(scope, receive, send)

    async def _get_health(self, _: Request) -> Response:
        if self.sessions.is_closing:
            return JSONResponse({"status": "closing"}, 503)
        return JSONResponse({"status": "ok"})


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a ``receive`` that begins with a body that was read already."""
    parts = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive_again() -> Message:
        return next(parts, None) or await receive()

    return receive_again


def _explain_not_found(request: Request, _: Exception) -> Response:
    """Answer a request for an unknown path."""
    return PlainTextResponse(
        f"Nothing is served at {request.url.path}. MCP: {PATH}; health: /healthz; "
        f"metrics: /metrics; dashboard, with --dashboard: {DASHBOARD_PATH}.\n",
        HTTPStatus.NOT_FOUND,
    )


async def _send_and_log(send: Send, scope: Scope, message: Message) -> None:
    """Add Retry-After to a 503, and log a 404, an unknown session."""
    if message["type"] == "http.response.start":
        if message["status"] == HTTPStatus.SERVICE_UNAVAILABLE:
            message["headers"] = [*message["headers"], (b"retry-after", b"10")]
        elif message["status"] == HTTPStatus.NOT_FOUND:
            log.warning("request refused", reason="no such session", client=scope["client"])
    await send(message)


@attrs.frozen
class ServerMetrics(Collector):
    """All metrics of a server: of its sessions, tabs, actors and calls."""

    application: "Engine"
    admission: Admission
    subjects: Sequence[Subject]

    def collect(self) -> Iterator[Metric]:
        """Yield each metric with its value now."""
        admission = self.admission
        for name, description, value in (
            ("sessions", "Open sessions.", len(self.subjects)),
            ("sessions_limit", "Session limit.", admission.limit),
            ("sessions_waiting", "Calls that wait for a session.", admission.waiting),
            ("subjects", "Subjects with a session.", len({*self.subjects})),
            ("tabs", "Open tabs.", self.application.tabs),
        ):
            yield GaugeMetricFamily(f"charlotte_{name}", description, value)
        refusals = CounterMetricFamily(
            "charlotte_refusals",
            "Calls refused because the server was full or a budget was used up.",
            labels=["reason"],
        )
        for reason in get_args(Refusal):
            refusals.add_metric([reason], admission.refusals[reason])
        yield refusals
        counts = Counter[str]()
        for name, count in self.application.restarts.items():
            counts[_TAB.sub("", name) or "tab"] += count
        restarts = CounterMetricFamily(
            "charlotte_restarts", "Restarts by kind of actor.", labels=["actor"]
        )
        for actor, count in counts.items():
            restarts.add_metric([actor], count)
        yield restarts
        for family in self.application.metrics.registry.collect():
            family.samples = [
                sample for sample in family.samples if not sample.name.endswith("_created")
            ]
            yield family
