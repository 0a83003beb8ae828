"""Owns the fixture web server: files and routes over HTTP/1.1 on a free port of 127.0.0.1."""

import mimetypes
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

import attrs
import h11
import trio

from charlotte.demo.routes import ROUTES, Handler, Request, Response, problem

SITE: Final = Path(__file__).with_name("site")
"""The demo site."""

_REMEMBERED: Final = 1000
_BODILESS: Final = {HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED}


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


@attrs.frozen
class _Connection:
    """One client's connection: h11 keeps the protocol, the stream carries the bytes."""

    stream: trio.SocketStream
    http: h11.Connection = attrs.field(factory=lambda: h11.Connection(h11.SERVER), init=False)

    async def serve(self, site: Site) -> None:
        """Answer requests in turn until the client leaves or stops making sense."""
        with suppress(trio.BrokenResourceError, h11.RemoteProtocolError):
            while (request := await self._receive()) is not None:
                await self._send(await site.answer(request), with_body=request.method != "HEAD")
                if self.http.our_state is not h11.DONE:
                    return
                self.http.start_next_cycle()

    async def _receive(self) -> Request | None:
        head = await self._next_event()
        if not isinstance(head, h11.Request):
            return None
        body = bytearray()
        while isinstance(event := await self._next_event(), h11.Data):
            body += event.data
        target = urlsplit(head.target.decode())
        return Request(
            method=head.method.decode(),
            path=unquote(target.path),
            query=dict(parse_qsl(target.query, keep_blank_values=True)),
            headers={name.decode(): value.decode("latin-1") for name, value in head.headers},
            body=bytes(body),
        )

    async def _next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        while (event := self.http.next_event()) is h11.NEED_DATA:
            self.http.receive_data(await self.stream.receive_some())
        return event

    async def _send(self, response: Response, *, with_body: bool) -> None:
        headers = {"Content-Type": response.content_type, **response.headers}
        if isinstance(response.body, bytes) and response.status not in _BODILESS:
            headers["Content-Length"] = str(len(response.body))
        await self._send_event(
            h11.Response(status_code=response.status, headers=[*headers.items()])
        )
        if with_body and response.status not in _BODILESS:
            await self._send_body(response.body)
        await self._send_event(h11.EndOfMessage())

    async def _send_body(self, body: bytes | AsyncGenerator[bytes]) -> None:
        if isinstance(body, bytes):
            await self._send_event(h11.Data(data=body))
            return
        async with aclosing(body):
            async for piece in body:
                await self._send_event(h11.Data(data=piece))

    async def _send_event(self, event: h11.Event) -> None:
        await self.stream.send_all(self.http.send(event) or b"")


@asynccontextmanager
async def open_site(
    root: Path | None = None, *, routes: Mapping[str, Handler] | None = None
) -> AsyncGenerator[Site]:
    """Serve the files below ``root`` (the demo site) and ``ROUTES`` until the block ends.

    ``routes`` adds to those and wins over files; a key like ``/status/*`` answers all below it.
    """
    site = Site((root or SITE).resolve(), {**ROUTES, **(routes or {})})
    serve = partial(trio.serve_tcp, lambda stream: _Connection(stream).serve(site), 0)
    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(partial(serve, host="127.0.0.1"))
        site.port = listeners[0].socket.getsockname()[1]
        yield site
        nursery.cancel_scope.cancel("site closed")
