"""HTTP/1.1 server for ASGI applications: h11 on trio, with limits on slow clients."""

import errno
import resource
from contextlib import suppress
from email.utils import formatdate
from math import inf
from socket import SHUT_WR, socket
from urllib.parse import unquote

import h11
import structlog
import trio
from starlette.types import ASGIApp, Message, Scope

_IDLE = 75.0
HEAD = 5.0
"""Seconds for the head of a request, from the connection or from its first byte."""
BODY = 10.0
"""Seconds without a byte after which a request with an incomplete body is aborted."""
PATIENCE = 1.0
"""Seconds after which a client that does not send a body, or does not read, may be closed."""
_IDLE_PATIENCE = 0.1
"""Seconds after which a full server may close a connection without a request or a new event."""
_PIECE = 2**16
"""Bytes of an answer that a client must read within `PATIENCE` when the server is full."""
_MAX_HEAD = 2**16
_MAX_PIPELINED = 2**16
"""Bytes after a request that are read before the answer."""
_GRACE = 0.2
"""Seconds for the first request of a connection that was accepted when serving ends."""
_BACKLOG = 1024
"""Length of the accept queue, so that this many clients can connect at once."""
_PAUSE = 0.1
"""Seconds between attempts to close a connection when the server is full."""
_FULL = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS}
_EVENTS = b"text/event-stream"
_BODILESS = {204, 304}
_GONE = trio.BrokenResourceError, trio.ClosedResourceError

log = structlog.get_logger(__name__)


def most_connections() -> int:
    """Return the limit of open connections: half of the file descriptors."""
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(descriptors // 2, 16) if descriptors > 0 else _BACKLOG


async def host(
    app: ASGIApp,
    bound: socket,
    stop: trio.Event | None = None,
    *,
    limit: int | None = None,
    grace: float = 3.0,
    task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve on a bound socket until cancelled, with at most ``limit`` connections.

    After ``stop``, it ends when the running requests have ended, or after ``grace`` seconds.
    ``task_status`` receives the URL.
    """
    bound.listen(_BACKLOG)
    listener = trio.SocketListener(trio.socket.from_stdlib_socket(bound))
    connections = Connections(app, limit or most_connections())
    async with trio.open_nursery() as serving:
        try:
            async with trio.open_nursery() as accepting:
                accepting.start_soon(connections.accept, listener, serving)
                task_status.started(_url_of(bound))
                await (trio.Event() if stop is None else stop).wait()
                accepting.cancel_scope.cancel("stopped accepting")
            connections.accept_the_rest(bound, serving)
        finally:
            listener.socket.close()
        connections.stop()
        serving.cancel_scope.deadline = trio.current_time() + grace


def _url_of(bound: socket) -> str:
    name, port = bound.getsockname()[:2]
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


class Connections:
    """The open connections, at most ``limit``.

    A full server closes the connection that has waited longest for its client to send a request
    or to read an answer, or else the stream of events that has waited longest for an event: its
    client connects again. A connection with another running request is not closed. If all
    connections have one, the next answer ends its connection.
    """

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self.app = app
        self._limit = limit
        self.is_stopping = False
        self.is_full = False
        self._open = dict[_HttpConnection, None]()
        self._closed = trio.lowlevel.ParkingLot()

    async def accept(self, listener: trio.SocketListener, nursery: trio.Nursery) -> None:
        """Accept connections until cancelled."""
        while True:
            await trio.lowlevel.wait_readable(listener.socket)
            while len(self._open) >= self._limit:
                await self._make_room()
            try:
                stream = await listener.accept()
            except OSError as error:
                if error.errno not in _FULL:
                    raise
                await self._make_room()
                continue
            nursery.start_soon(self._serve, stream)

    def accept_the_rest(self, listener: socket, nursery: trio.Nursery) -> None:
        """Accept the connections that are still in the accept queue."""
        with suppress(OSError):
            while True:
                accepted, _ = listener.accept()
                stream = trio.SocketStream(trio.socket.from_stdlib_socket(accepted))
                nursery.start_soon(self._serve, stream)

    def stop(self) -> None:
        """Close the connections without a request, and each other one after its answer."""
        self.is_stopping = True
        for connection in self._open:
            connection.stop_waiting()

    async def _serve(self, stream: trio.SocketStream) -> None:
        connection = _HttpConnection(self, stream)
        self._open[connection] = None
        try:
            await connection.run()
        finally:
            self._open.pop(connection, None)
            self._closed.unpark_all()
            connection.hang_up()

    async def _make_room(self) -> None:
        """Close the connection that has waited longest for its client, or wait for one to end."""
        closable = [each for each in self._open if each.closable_from <= trio.current_time()]
        if closable:
            slowest = min(closable, key=lambda each: (each.is_stream, each.closable_from))
            del self._open[slowest]
            slowest.hang_up()
            return
        self.is_full = True
        with trio.move_on_after(_PAUSE):
            await self._closed.park()
        self.is_full = False


class _HttpConnection:
    """One connection and its present request.

    Data is read when the application asks for it. ``closable_from`` is the time from which a full
    server may close the connection; ``inf`` while the client does not keep the server waiting.
    """

    def __init__(self, server: Connections, stream: trio.SocketStream) -> None:
        self._server = server
        self._stream = stream
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_MAX_HEAD)
        self._waiting = trio.CancelScope()
        self._listening = trio.CancelScope()
        self._grace = _GRACE
        self._method = b""
        self._is_bodiless = self.is_stream = False
        self.closable_from = trio.current_time() + _IDLE_PATIENCE

    def hang_up(self) -> None:
        """Close the connection at once."""
        self._stream.socket.close()

    def stop_waiting(self) -> None:
        """Close the connection if no request arrives in the remaining time."""
        deadline = trio.current_time() + self._grace
        self._waiting.deadline = min(self._waiting.deadline, deadline)

    async def run(self) -> None:
        """Serve requests until the client or the server ends the connection."""
        with suppress(OSError, *_GONE):
            while (request := await self._next_request()) is not None:
                if not await self._serve(request):
                    return
                self._http.start_next_cycle()

    async def _next_request(self) -> h11.Request | None:
        """Return the next request; None if the connection ends without one.

        Pieces of a head do not restart its timeout: a client could send one byte at a time.
        """
        self.closable_from = trio.current_time() + _IDLE_PATIENCE
        seconds = HEAD if self._grace else _IDLE
        with trio.CancelScope(deadline=trio.current_time() + seconds) as self._waiting:
            if self._server.is_stopping:
                self.stop_waiting()
            try:
                while (event := self._http.next_event()) is h11.NEED_DATA:
                    self._http.receive_data(await self._stream.receive_some(_PIECE))
                    deadline = trio.current_time() + HEAD
                    self._waiting.deadline = min(self._waiting.deadline, deadline)
            except h11.RemoteProtocolError as error:
                await self._send_error(error.error_status_hint)
                await self._close()
                return None
            return event if isinstance(event, h11.Request) else None
        return None

    async def _serve(self, request: h11.Request) -> bool:
        """Answer a request; return whether another one may follow on the connection."""
        self.closable_from, self._grace = inf, 0.0
        self._method, self.is_stream = request.method, False
        scope = self._build_scope(request)
        try:
            await self._server.app(scope, self._receive, self._send)
        except* Exception:
            log.exception("request crashed", path=scope["path"])
        if self._http.our_state is h11.SEND_RESPONSE:
            await self._send_error(500)
        if self._http.our_state is h11.SEND_BODY:
            return False
        with suppress(h11.RemoteProtocolError), trio.move_on_after(PATIENCE):
            while self._http.their_state is h11.SEND_BODY:  # the application ignored the body
                await self._next_event()
        if {self._http.our_state, self._http.their_state} == {h11.DONE}:
            return True
        await self._close()
        return False

    def _build_scope(self, request: h11.Request) -> Scope:
        path, _, query = request.target.partition(b"?")
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.1"},
            "http_version": request.http_version.decode(),
            "method": request.method.decode().upper(),
            "scheme": "http",
            "path": unquote(path.decode()),
            "raw_path": path,
            "query_string": query,
            "root_path": "",
            "headers": [*request.headers],
            "client": self._stream.socket.getpeername()[:2],
            "server": self._stream.socket.getsockname()[:2],
            "state": {},
            "extensions": {},
        }

    async def _receive(self) -> Message:
        """Return the next part of the body, or that the client has left or has its answer."""
        with suppress(*_GONE), trio.CancelScope() as self._listening:
            try:
                while self._is_answering:
                    match await self._next_event():
                        case h11.Data(data=data):
                            return {"type": "http.request", "body": bytes(data), "more_body": True}
                        case h11.EndOfMessage():
                            return {"type": "http.request", "body": b"", "more_body": False}
                        case _:
                            break
            except h11.RemoteProtocolError as error:
                if self._http.our_state is h11.SEND_RESPONSE:
                    await self._send_error(error.error_status_hint)
        return {"type": "http.disconnect"}

    async def _next_event(self) -> object:
        """Return the next event of the body; after the body, wait for the client to leave."""
        while self._http.their_state is h11.SEND_BODY:
            if self._http.they_are_waiting_for_100_continue:
                await self._write(h11.InformationalResponse(status_code=100, headers=[]))
            if (event := self._http.next_event()) is not h11.NEED_DATA:
                return event
            self.closable_from = trio.current_time() + PATIENCE
            try:
                with trio.move_on_after(BODY) as scope:
                    self._http.receive_data(await self._stream.receive_some(_PIECE))
            finally:
                self.closable_from = inf
            if scope.cancelled_caught:
                self.hang_up()
        while True:
            if len(self._http.trailing_data[0]) > _MAX_PIPELINED:
                await trio.sleep_forever()
            if not (data := await self._stream.receive_some(_PIECE)):
                return h11.ConnectionClosed()
            self._http.receive_data(data)

    @property
    def _is_answering(self) -> bool:
        return self._http.our_state in {h11.SEND_RESPONSE, h11.SEND_BODY}

    async def _send(self, message: Message) -> None:
        """Send a part of the answer; ignored after its end, and after the client has left."""
        events: list[h11.Response | h11.Data | h11.EndOfMessage] = []
        if not self._is_answering:
            await trio.lowlevel.checkpoint()
        elif message["type"] == "http.response.start":
            headers = [*message.get("headers", ()), (b"date", formatdate(usegmt=True).encode())]
            if self._server.is_full or self._server.is_stopping:
                headers.append((b"connection", b"close"))
            self._is_bodiless = self._method == b"HEAD" or message["status"] in _BODILESS
            is_of_events = any(value.startswith(_EVENTS) for _, value in headers)
            self.is_stream = is_of_events and self._method == b"GET"
            events.append(h11.Response(status_code=message["status"], headers=headers))
        else:
            if (body := message.get("body", b"")) and not self._is_bodiless:
                events.append(h11.Data(data=body))
            if not message.get("more_body", False):
                events.append(h11.EndOfMessage())
        await self._write(*events)
        if not self._is_answering:
            self._listening.cancel("answered")

    async def _send_error(self, status: int) -> None:
        headers = [("content-length", "0"), ("connection", "close")]
        await self._write(h11.Response(status_code=status, headers=headers), h11.EndOfMessage())

    async def _write(self, *events: h11.Event) -> None:
        """Send all data, recording for each piece when the client accepted it.

        If cancelled, it sends the rest for at most `PATIENCE`. Closes the connection if data is
        incomplete: nothing can follow.
        """
        unsent = memoryview(b"".join(self._http.send(event) or b"" for event in events))
        piece_begins = len(unsent)
        try:
            while unsent:
                if len(unsent) <= piece_begins:
                    self.closable_from = trio.current_time() + PATIENCE
                    piece_begins = len(unsent) - _PIECE
                unsent = unsent[await self._stream.socket.send(unsent[:_PIECE]) :]
        except trio.Cancelled:
            with suppress(OSError, *_GONE), trio.move_on_after(PATIENCE, shield=True):
                while unsent:
                    unsent = unsent[await self._stream.socket.send(unsent) :]
            if unsent:
                self.hang_up()
            raise
        except (OSError, *_GONE):
            await trio.lowlevel.checkpoint()
        finally:
            self.closable_from = trio.current_time() + _IDLE_PATIENCE if self.is_stream else inf

    async def _close(self) -> None:
        """End the connection after an answer.

        Unread data would reset the connection before the client has read the answer.
        """
        self._stream.socket.shutdown(SHUT_WR)
        self.closable_from = -inf
        with trio.move_on_after(PATIENCE):
            while await self._stream.receive_some(_PIECE):
                pass
