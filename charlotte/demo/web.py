"""Owns the fixture web server: files and routes on a free port of 127.0.0.1."""

import mimetypes
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Final

import attrs
import trio

from charlotte.demo.http import Request, Response, serve
from charlotte.demo.routes import ROUTES, Handler, problem
from charlotte.dev.port import bind, port_of

SITE: Final = Path(__file__).with_name("site")
"""The demo site."""

_REMEMBERED: Final = 1000


@attrs.define(eq=False)
class Site:
    """A web site: what it answers, and what it was asked for (the newest 1,000 requests)."""

    root: Path
    routes: Mapping[str, Handler]
    port: int = 0
    requests: deque[Request] = attrs.field(factory=lambda: deque(maxlen=_REMEMBERED), init=False)
    _arrival: trio.Event = attrs.field(factory=trio.Event, init=False)

    def url(self, path: str = "/", *, host: str = "127.0.0.1") -> str:
        """Return the address of a page; another ``host`` (``a.localhost``) is another site."""
        return f"http://{host}:{self.port}{path}"

    async def requested(self, path: str) -> Request:
        """Wait until that path has been asked for; return the newest such request."""
        while True:
            for request in reversed(self.requests):
                if request.path == path:
                    return request
            await self._arrival.wait()

    async def answer(self, request: Request) -> Response:
        """Note a request and answer it: with a route if there is one, else with a file."""
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
    file = (root / path.lstrip("/")).resolve()
    if file.is_dir():
        file /= "index.html"
    if not file.is_relative_to(root) or not file.is_file():
        return problem(HTTPStatus.NOT_FOUND, f"There is no {path} here.")
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    charset = "; charset=utf-8" if kind.startswith("text/") else ""
    return Response(file.read_bytes(), content_type=kind + charset)


@asynccontextmanager
async def open_site(
    root: Path | None = None, *, routes: Mapping[str, Handler] | None = None
) -> AsyncGenerator[Site]:
    """Serve the files below ``root`` (the demo site) and ``ROUTES`` until the block ends.

    ``routes`` adds to those and wins over files; a key like ``/status/*`` answers all below it.
    """
    site = Site((root or SITE).resolve(), {**ROUTES, **(routes or {})})
    listener = bind()
    site.port = port_of(listener)
    async with trio.open_nursery() as nursery:
        await nursery.start(serve, listener, site.answer)
        yield site
        nursery.cancel_scope.cancel("site closed")
