"""The ASGI application: MCP, health, metrics and other routes, with their access checks."""

from collections import Counter
from collections.abc import Callable, Sequence
from http import HTTPStatus

import attrs
import structlog
import trio
from mcp.server.auth.provider import TokenVerifier
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from charlotte.server.http.auth import BearerAuth, Caller, get_caller
from charlotte.server.http.event_store import DELIVERY, Delivery, EventLog
from charlotte.server.http.host_guard import HostGuard, HostNames
from charlotte.server.http.metrics import CONTENT_TYPE
from charlotte.server.http.sessions import CONNECTION_HEADER
from charlotte.server.sdk import ConnectionManager

PATH = "/mcp"

log = structlog.get_logger(__name__)


@attrs.define(eq=False, kw_only=True)
class Site:
    """The served application: ``close`` ends a session, ``metrics`` returns Prometheus' text."""

    manager: ConnectionManager[EventLog]
    names: HostNames
    verifier: TokenVerifier | None
    challenge: str = ""
    is_closing: Callable[[], bool]
    close: Callable[[str, Caller], bool]
    metrics: Callable[[], bytes]
    operator: TokenVerifier | None = None
    """Verifies tokens for data about all sessions; None allows every client."""
    routes: Sequence[BaseRoute] = ()
    _running: Counter[str] = attrs.field(factory=Counter[str])
    _ended: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)

    async def wait_answered(self) -> None:
        """Wait until every message has been answered completely."""
        while self._running["POST"]:
            await self._ended.park()

    async def wait_ended(self) -> None:
        """Wait until all requests have ended, including streams of notifications."""
        while self._running.total():
            await self._ended.park()

    def build_app(self) -> ASGIApp:
        """Return the application behind the host guard; MCP and metrics require a token."""

        async def send_metrics(scope: Scope, receive: Receive, send: Send) -> None:
            await PlainTextResponse(self.metrics(), media_type=CONTENT_TYPE)(scope, receive, send)

        routes = [
            Route(PATH, BearerAuth(self._serve_mcp, self.verifier, self.challenge)),
            Route("/healthz", self._get_health),
            Route("/metrics", BearerAuth(send_metrics, self.operator)),
            *self.routes,
        ]
        return self._count_requests(HostGuard(Starlette(routes=routes), self.names))

    async def _serve_mcp(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        name = request.headers.get(CONNECTION_HEADER, "")
        if request.method == "DELETE" and self.close(name, get_caller(request)):
            await Response(status_code=204)(scope, receive, send)
            return
        scope[DELIVERY] = delivery = Delivery(self.manager.get_store(name))
        completing = delivery.wrap_send(_wrap_send(send, scope))
        await self.manager.handle_request(scope, receive, completing)

    def _count_requests(self, app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            method = scope.get("method", "")
            self._running[method] += 1
            try:
                await app(scope, receive, send)
            finally:
                self._running[method] -= 1
                self._ended.unpark_all()

        return serve

    async def _get_health(self, _: Request) -> Response:
        if self.is_closing():
            return JSONResponse({"status": "closing"}, 503)
        return JSONResponse({"status": "ok"})


def _wrap_send(send: Send, scope: Scope) -> Send:
    """Return a ``send`` that adds Retry-After to a 503 and logs a 404, an unknown session."""

    async def send_and_log(message: Message) -> None:
        if message["type"] == "http.response.start":
            if message["status"] == HTTPStatus.SERVICE_UNAVAILABLE:
                message["headers"] = [*message["headers"], (b"retry-after", b"10")]
            elif message["status"] == HTTPStatus.NOT_FOUND:
                log.warning("request refused", reason="no such session", client=scope["client"])
        await send(message)

    return send_and_log
