"""Puts an MCP server, and what is beside it, at their addresses."""

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

from charlotte.server.http.bearer import Bearer
from charlotte.server.http.callers import CONNECTION_HEADER, Caller, caller_of
from charlotte.server.http.gate import Gate, Names
from charlotte.server.http.metrics import CONTENT_TYPE
from charlotte.server.http.resuming import DELIVERY, Connections

PATH = "/mcp"

log = structlog.get_logger(__name__)


@attrs.define(eq=False, kw_only=True)
class Site:
    """The served application: ``close`` ends a session, ``metrics`` returns Prometheus' text."""

    manager: Connections
    names: Names
    verifier: TokenVerifier | None
    challenge: str = ""
    is_closing: Callable[[], bool]
    close: Callable[[str, Caller], bool]
    metrics: Callable[[], bytes]
    operator: TokenVerifier | None = None
    """Decides who may see what concerns all sessions; None lets everybody in."""
    routes: Sequence[BaseRoute] = ()
    _running: Counter[str] = attrs.field(factory=Counter[str])
    _over: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)

    async def all_answered(self) -> None:
        """Wait until every message that came in has been answered to the last byte."""
        while self._running["POST"]:
            await self._over.park()

    async def all_over(self) -> None:
        """Wait until the streams of those who listen have ended too."""
        while self._running.total():
            await self._over.park()

    def app(self) -> ASGIApp:
        """All of it, behind the gate; all but `health` and the extra routes behind the token."""

        def protected(app: ASGIApp) -> Bearer:
            return Bearer(app, self.verifier, self.challenge)

        async def show_metrics(scope: Scope, receive: Receive, send: Send) -> None:
            await PlainTextResponse(self.metrics(), media_type=CONTENT_TYPE)(scope, receive, send)

        routes = [
            Route(PATH, protected(self._mcp)),
            Route("/healthz", self._health),
            Route("/metrics", Bearer(show_metrics, self.operator)),
            *self.routes,
        ]
        return self._counted(Gate(Starlette(routes=routes), self.names))

    async def _mcp(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        name = request.headers.get(CONNECTION_HEADER, "")
        if request.method == "DELETE" and self.close(name, caller_of(request)):
            await Response(status_code=204)(scope, receive, send)
            return
        scope[DELIVERY] = delivery = self.manager.delivery(name)
        await self.manager.asgi_app(scope, receive, delivery.following(_completing(send, scope)))

    def _counted(self, app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            method = scope.get("method", "")
            self._running[method] += 1
            try:
                await app(scope, receive, send)
            finally:
                self._running[method] -= 1
                self._over.unpark_all()

        return serve

    async def _health(self, _: Request) -> Response:
        if self.is_closing():
            return JSONResponse({"status": "closing"}, 503)
        return JSONResponse({"status": "ok"})


def _completing(send: Send, scope: Scope) -> Send:
    """Say with a 503 when to try again, and log who names no session of theirs."""

    async def send_it(message: Message) -> None:
        if message["type"] == "http.response.start":
            if message["status"] == HTTPStatus.SERVICE_UNAVAILABLE:
                message["headers"] = [*message["headers"], (b"retry-after", b"10")]
            elif message["status"] == HTTPStatus.NOT_FOUND:
                log.warning("request refused", reason="no such session", client=scope["client"])
        await send(message)

    return send_it
