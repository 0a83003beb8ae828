"""The test site: files and routes on a free port of 127.0.0.1, served on trio."""

import mimetypes
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import attrs
import starlette.requests
import trio
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from charlotte.actors.dev_server import bind, port_of
from charlotte.base.asgi_server import host
from tests.site.routes import ROUTES, Handler, Request, problem

PAGES: Final = Path(__file__).with_name("pages")
"""The pages of the test site."""

_MAX_REQUESTS: Final = 1000


@attrs.define(eq=False)
class Site:
    """A web site: its files and routes, and the newest 1,000 requests that it has received."""

    root: Path
    routes: Mapping[str, Handler]
    port: int = 0
    requests: deque[Request] = attrs.field(factory=lambda: deque(maxlen=_MAX_REQUESTS), init=False)
    _arrival: trio.Event = attrs.field(factory=trio.Event, init=False)

    def url(self, path: str = "/", *, host: str = "127.0.0.1") -> str:
        """Return the URL of a page; another ``host`` (``a.localhost``) is another site."""
        return f"http://{host}:{self.port}{path}"

    async def requested(self, path: str) -> Request:
        """Wait until that path has been requested; return the newest such request."""
        while True:
            for request in reversed(self.requests):
                if request.path == path:
                    return request
            await self._arrival.wait()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request as an ASGI application; the opening of a websocket has no body."""
        connection = starlette.requests.HTTPConnection(scope)
        body = b""
        if scope["type"] == "http":
            body = await starlette.requests.Request(scope, receive).body()
        raw_path: bytes = scope["raw_path"]
        request = Request(
            method=scope.get("method", "GET"),
            # requests to a proxy have a whole URL in place of the path
            path=unquote(urlsplit(raw_path.decode()).path),
            query=dict(connection.query_params),
            headers=dict(connection.headers.items()),
            body=body,
        )
        response = await self._answer(request)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        """Store a request and answer it: with a route if one matches, else with a file."""
        self.requests.append(request)
        self._arrival.set()
        self._arrival = trio.Event()
        handler = self._route(request.path)
        try:
            return await handler(request) if handler else _file(self.root, request.path)
        except ValueError as error:
            return problem(HTTPStatus.BAD_REQUEST, str(error))

    def _route(self, path: str) -> Handler | None:
        if path in self.routes:
            return self.routes[path]
        below = (key for key in self.routes if key.endswith("/*") and path.startswith(key[:-1]))
        return self.routes.get(max(below, key=len, default=""))


def _file(root: Path, path: str) -> Response:
    """Return a file without the validators of `FileResponse`, so that browsers never cache it."""
    file = (root / path.lstrip("/")).resolve()
    if file.is_dir():
        file /= "index.html"
    if not file.is_relative_to(root) or not file.is_file():
        return problem(HTTPStatus.NOT_FOUND, f"There is no {path} here.")
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return Response(file.read_bytes(), media_type=kind)


@asynccontextmanager
async def open_site(
    root: Path | None = None, *, routes: Mapping[str, Handler] | None = None
) -> AsyncGenerator[Site]:
    """Serve the files below ``root`` (default: `PAGES`) and `ROUTES` until the block ends.

    ``routes`` adds to those and wins over files; a key like ``/status/*`` matches all paths below.
    """
    listener = bind()
    site = Site((root or PAGES).resolve(), {**ROUTES, **(routes or {})}, port_of(listener))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host, site, listener)
        yield site
        nursery.cancel_scope.cancel("site closed")
