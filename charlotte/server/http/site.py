"""Puts an MCP server, and what is beside it, at their addresses."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

import attrs
import trio
from mcp.server.auth.provider import TokenVerifier
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from charlotte.server.http.bearer import Bearer
from charlotte.server.http.callers import CONNECTION_HEADER, Caller, caller_of
from charlotte.server.http.gate import Gate, Names
from charlotte.server.http.metrics import CONTENT_TYPE

PATH = "/mcp"


@attrs.define(eq=False, kw_only=True)
class Site:
    """What is served: ``close`` ends a session that its caller names, ``metrics`` are a text."""

    manager: StreamableHTTPSessionManager
    names: Names
    verifier: TokenVerifier | None
    challenge: str = ""
    is_closing: Callable[[], bool]
    close: Callable[[str, Caller], bool]
    metrics: Callable[[], str]
    routes: Sequence[BaseRoute] = ()
    _posts: int = 0
    _answered: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)

    async def all_answered(self) -> None:
        """Wait until every message that came in has been answered to the last byte."""
        while self._posts:
            await self._answered.park()

    def app(self) -> ASGIApp:
        """All of it, behind the gate; all but `health` and the extra routes behind the token."""

        def protected(app: ASGIApp) -> Bearer:
            return Bearer(app, self.verifier, self.challenge)

        async def show_metrics(scope: Scope, receive: Receive, send: Send) -> None:
            await PlainTextResponse(self.metrics(), media_type=CONTENT_TYPE)(scope, receive, send)

        routes = [
            Route(PATH, protected(self._mcp)),
            Route("/healthz", self._health),
            Route("/metrics", protected(show_metrics)),
            *self.routes,
        ]
        return Gate(Starlette(routes=routes), self.names)

    async def _mcp(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        name = request.headers.get(CONNECTION_HEADER, "")
        if request.method == "DELETE" and self.close(name, caller_of(request)):
            await Response(status_code=204)(scope, receive, send)
            return
        with self._counted(is_post=request.method == "POST"):
            await self.manager.asgi_app(scope, receive, _with_retry(send))

    @contextmanager
    def _counted(self, *, is_post: bool) -> Generator[None]:
        self._posts += is_post
        try:
            yield
        finally:
            self._posts -= is_post
            self._answered.unpark_all()

    async def _health(self, _: Request) -> Response:
        if self.is_closing():
            return JSONResponse({"status": "closing"}, 503)
        return JSONResponse({"status": "ok"})


def _with_retry(send: Send) -> Send:
    """Say with a 503 when to try again: the SDK does not."""

    async def send_it(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 503:  # noqa: PLR2004
            message["headers"] = [*message["headers"], (b"retry-after", b"10")]
        await send(message)

    return send_it
