"""HTTP/1.1 on trio, on 127.0.0.1 alone: any function from request to response is a server."""

import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from http import HTTPStatus
from typing import NoReturn
from urllib.parse import parse_qsl, unquote, urlsplit

import attrs
import h11
import trio

from charlotte.dev.markup import document, problem_document

_BODILESS = {HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED}


@attrs.frozen
class Request:
    """One request as it came in: ``path`` without its query, header names in lower case."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes


@attrs.frozen(kw_only=True)
class Response:
    """What goes back; a body that comes in pieces is sent piece by piece."""

    body: bytes | AsyncGenerator[bytes] = attrs.field(default=b"", kw_only=False)
    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = attrs.field(factory=dict[str, str])


Handler = Callable[[Request], Awaitable[Response]]


def page(title: str, markup: str = "") -> Response:
    """Return a small HTML page with that title and heading; ``markup`` is used as it is."""
    return Response(document(title, markup).encode())


def problem(status: int, text: str) -> Response:
    """Return an error page headed like ``404 Not Found``."""
    return Response(problem_document(status, text).encode(), status=status)


@attrs.frozen
class Connection:
    """One client's connection: h11 keeps the protocol, the stream carries the bytes."""

    stream: trio.SocketStream
    http: h11.Connection = attrs.field(factory=lambda: h11.Connection(h11.SERVER), init=False)

    async def serve(self, answer: Handler) -> None:
        """Answer requests in turn until the client leaves or stops making sense."""
        with suppress(trio.BrokenResourceError, h11.RemoteProtocolError):
            while (request := await self._receive()) is not None:
                await self._send(await answer(request), with_body=request.method != "HEAD")
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


async def serve(
    listener: socket.socket,
    answer: Handler,
    *,
    task_status: trio.TaskStatus[list[trio.SocketListener]] = trio.TASK_STATUS_IGNORED,
) -> NoReturn:
    """Serve whoever connects, until cancelled."""

    async def connected(stream: trio.SocketStream) -> None:
        await Connection(stream).serve(answer)

    sockets = [trio.SocketListener(trio.socket.from_stdlib_socket(listener))]
    await trio.serve_listeners(connected, sockets, task_status=task_status)
