"""HTTP/1.1 server on trio: hypercorn with limits on connections and slow clients."""

import errno
import logging
import resource
from collections.abc import Awaitable, Callable
from contextlib import suppress
from math import inf
from socket import SHUT_WR, socket
from typing import Any, cast

import h11
import trio
from hypercorn.app_wrappers import ASGIWrapper
from hypercorn.config import Config as HypercornConfig
from hypercorn.config import Sockets
from hypercorn.events import Closed, Event, RawData, Updated
from hypercorn.protocol import ProtocolWrapper
from hypercorn.protocol.h11 import H11Protocol
from hypercorn.trio.tcp_server import MAX_RECV, TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import ConnectionState
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_IDLE = 75.0
HEAD = 5.0
"""Seconds for the head of a request, from the connection or from its first byte."""
BODY = 10.0
"""Seconds without a byte after which a request with an incomplete body is aborted."""
PATIENCE = 1.0
"""Seconds after which a client that does not send a body, or does not read, may be closed."""
_SLOW_AFTER: dict[object, float] = {h11.IDLE: 0.1, h11.SEND_BODY: PATIENCE}
"""Seconds after which a connection may be closed, by the state of its client."""
_PIECE = 2**16
"""Bytes of an answer that a client must read within `PATIENCE` when the server is full."""
_GRACE = 0.2
"""Seconds for the first request of a connection that was accepted when serving ends."""
_BACKLOG = 1024
"""Length of the accept queue, so that this many clients can connect at once."""
_PAUSE = 0.1
"""Seconds between attempts to close a connection when the server is full."""
_ENDLESS = 2**31
"""Maximum number of requests per connection."""
_FULL = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS}


class Hosting(HypercornConfig):
    """Listening sockets and the configuration of hypercorn."""

    def __init__(self, *listeners: socket) -> None:
        super().__init__()
        self._listeners = [*listeners]
        self.keep_alive_timeout = _IDLE
        self.backlog = _BACKLOG
        self.keep_alive_max_requests = _ENDLESS
        self.include_server_header = False
        self.most_connections = most_connections()
        self.errorlog = logging.getLogger("hypercorn.error")

    def create_sockets(self) -> Sockets:
        """Return the listening sockets."""
        return Sockets([], self._listeners, [])


def most_connections() -> int:
    """Return the limit of open connections: half of the file descriptors."""
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(descriptors // 2, 16) if descriptors > 0 else _BACKLOG


async def host(
    app: ASGIApp,
    hosting: Hosting,
    stop: trio.Event | None = None,
    task_status: trio.TaskStatus[list[str]] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve until cancelled, or until ``stop`` with a graceful end.

    Reports the URLs through ``task_status``.
    """
    sockets = hosting.create_sockets().insecure_sockets
    for one in sockets:
        one.listen(hosting.backlog)
    listeners = [trio.SocketListener(trio.socket.from_stdlib_socket(one)) for one in sockets]
    connections = Connections(app, hosting)
    async with trio.open_nursery() as serving:
        try:
            async with trio.open_nursery() as accepting:
                for listener in listeners:
                    accepting.start_soon(connections.accept, listener, serving)
                task_status.started([_url(one) for one in sockets])
                await (trio.Event() if stop is None else stop).wait()
                accepting.cancel_scope.cancel("stopped accepting")
            for one in sockets:
                connections.accept_the_rest(one, serving)
        finally:
            for listener in listeners:
                listener.socket.close()
        await connections.context.terminated.set()
        serving.cancel_scope.deadline = trio.current_time() + hosting.graceful_timeout


def _url(one: socket) -> str:
    name, port = one.getsockname()[:2]
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


class Connections:
    """The open connections, at most ``most_connections``.

    A full server closes the connection that has waited longest for its client to send a request
    or to read an answer. A connection with a running request is not closed. If all connections
    have one, the next answer ends its connection.
    """

    def __init__(self, app: ASGIApp, hosting: Hosting) -> None:
        self._app = ASGIWrapper(cast("Any", _disconnected_at_the_end(app)))
        self._hosting = hosting
        self.context = WorkerContext(None)
        self._open = dict[_Connection, None]()
        self._closed = trio.Event()

    async def accept(self, listener: trio.SocketListener, nursery: trio.Nursery) -> None:
        """Accept connections until cancelled."""
        while True:
            await trio.lowlevel.wait_readable(listener.socket)
            while len(self._open) >= self._hosting.most_connections:
                await self._make_room()
            try:
                stream = await listener.accept()
            except OSError as error:
                if error.errno not in _FULL:
                    raise
                await self._make_room()
                continue
            self._begin(stream, nursery)

    def accept_the_rest(self, listener: socket, nursery: trio.Nursery) -> None:
        """Accept the connections that are still in the accept queue."""
        with suppress(OSError):
            while True:
                accepted, _ = listener.accept()
                accepted.setblocking(False)  # noqa: FBT003
                stream = trio.SocketStream(trio.socket.from_stdlib_socket(accepted))
                self._begin(stream, nursery)

    def _begin(self, stream: trio.SocketStream, nursery: trio.Nursery) -> None:
        connection = _Connection(self._app, self._hosting, self.context, stream)
        self._open[connection] = None
        nursery.start_soon(self._serve, connection)

    async def _serve(self, connection: "_Connection") -> None:
        try:
            await connection.run()
        finally:
            self._open.pop(connection, None)
            self._closed.set()
            await trio.aclose_forcefully(connection.stream)  # noqa: ASYNC102 - does not wait
            vars(connection).clear()  # breaks the reference cycle with its protocol

    async def _make_room(self) -> None:
        """Close the connection that has waited longest for its client, or wait for one to end."""
        slowest = min(self._open, key=lambda each: each.closable_from, default=None)
        if slowest is not None and slowest.closable_from <= trio.current_time():
            del self._open[slowest]
            slowest.hang_up()
            return
        self._closed = trio.Event()
        self._hosting.keep_alive_max_requests = 0
        with trio.move_on_after(_PAUSE):
            await self._closed.wait()
        self._hosting.keep_alive_max_requests = _ENDLESS


class _Requests(h11.Connection):
    """Ignores data after the last request, for which h11 raises an error.

    Because of that error, hypercorn would close the connection before the answer is sent.
    """

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """Return the next event."""
        return h11.NEED_DATA if self.their_state is h11.MUST_CLOSE else super().next_event()


class _Applications:
    """Signals the end of a request by closing the channel of the application.

    A disconnect message would block while the queue is full.
    """

    def __init__(self, usual: Any) -> None:
        self._usual = usual

    async def spawn_app(self, *of_request: Any) -> Callable[[Message], Awaitable[None]]:
        """Start an application; return the function that sends it messages."""
        put: Any = await self._usual.spawn_app(*of_request)

        async def put_or_end(message: Message) -> None:
            if message["type"] == "http.disconnect":
                put.__self__.close()
            else:
                with suppress(trio.ClosedResourceError):
                    await put(message)

        return put_or_end


def _disconnected_at_the_end(app: ASGIApp) -> ASGIApp:
    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        async def receive_or_end() -> Message:
            try:
                return await receive()
            except trio.EndOfChannel:
                return {"type": "http.disconnect"}

        await app(scope, receive_or_end, send)

    return serve


class _Http1(H11Protocol):
    """HTTP/1.1 without upgrades: a proxy cannot inspect forwarded HTTP/2."""

    def __init__(self, *of_connection: Any) -> None:
        super().__init__(*of_connection)
        self.task_group = cast("Any", _Applications(self.task_group))
        longest = self.config.h11_max_incomplete_size
        self.connection = _Requests(h11.SERVER, max_incomplete_event_size=longest)

    async def _check_protocol(self, event: h11.Request) -> None:
        """Ignore offers of HTTP/2."""


class _Connection(TCPServer):
    """A connection with deadlines for its requests."""

    def __init__(
        self, app: Any, hosting: Hosting, context: WorkerContext, stream: trio.SocketStream
    ) -> None:
        super().__init__(app, hosting, context, ConnectionState({}), cast("Any", stream))
        self._http: H11Protocol | None = None
        self._reading = trio.CancelScope()
        self._idle = trio.CancelScope(deadline=trio.current_time() + HEAD)
        self._is_new = True
        self._has_left = False
        self._waiting = trio.current_time()
        self._handling = False
        self._sending = inf

    @property
    def closable_from(self) -> float:
        """Time from which a full server may close the connection; ``inf`` while it is served."""
        seconds = inf
        if not self._handling:  # otherwise the application delays the client
            state = h11.IDLE if self._http is None else self._http.connection.their_state
            seconds = _SLOW_AFTER.get(state, inf)
        return min(self._waiting + seconds, self._sending + PATIENCE)

    def hang_up(self) -> None:
        """Close the connection at once."""
        self.stream.socket.close()
        self._reading.cancel("hung up")

    async def protocol_send(self, event: Event) -> None:
        """Send data, close the connection, or update the idle timeout.

        The steps after an answer are shielded: a streaming application is cancelled when the
        channel of its request closes.
        """
        if isinstance(event, RawData):
            await self._send(event.data)
            return
        if isinstance(event, Updated):
            self._waiting = trio.current_time()
        with trio.CancelScope(shield=True):
            await super().protocol_send(event)

    async def _send(self, data: bytes) -> None:
        """Send all data, recording for each piece when the client accepted it."""
        async with self.send_lock:
            try:
                with trio.CancelScope(shield=True), memoryview(data) as whole:
                    for begin in range(0, len(data), _PIECE):
                        self._sending = trio.current_time()
                        await self.stream.send_all(whole[begin : begin + _PIECE])
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                await self.protocol.handle(Closed())
            finally:
                self._sending = inf

    async def _close(self) -> None:
        """Close both directions; a failing `SocketStream.send_eof` leaves a reference cycle."""
        async with self.send_lock:
            with suppress(OSError):
                self.stream.socket.shutdown(SHUT_WR)
            await self.stream.aclose()

    async def _read_data(self) -> None:
        self.protocol.protocol = self._http = _only_http1(self.protocol)
        with self._reading:
            while await self._read_some(self._http):
                pass
        self._has_left = True
        self._idle.deadline = -inf
        await self.protocol.handle(Closed())

    async def _read_some(self, http: H11Protocol) -> bool:
        """Receive and handle data; return whether more data can follow."""
        seconds = BODY if http.connection.their_state is h11.SEND_BODY else inf
        try:
            with trio.fail_after(seconds):
                data = await self.stream.receive_some(MAX_RECV)
        except trio.TooSlowError:
            self.hang_up()
            return False
        except (trio.ClosedResourceError, trio.BrokenResourceError):
            return False
        self._idle.deadline = min(self._idle.deadline, trio.current_time() + HEAD)
        if http.connection.their_state not in {h11.MUST_CLOSE, h11.ERROR}:
            await self._handle(http, bytes(data))
        return bool(data)

    async def _handle(self, http: H11Protocol, data: bytes) -> None:
        """Handle received data and restart the timeout for the next piece of a body.

        Pieces of a head do not restart it: a client could send a head one byte at a time.
        """
        self._handling = True
        await self.protocol.handle(RawData(data))
        self._handling = False
        if http.connection.their_state is h11.SEND_BODY:
            self._waiting = trio.current_time()

    async def _idle_timeout(self) -> None:
        """Close the connection if no request arrives in time; cancelled when one arrives.

        After the client has closed its side, no request can arrive.
        """
        seconds, grace = self.config.keep_alive_timeout, 0.0
        if self._has_left:
            seconds = 0.0
        elif self._is_new:
            seconds, grace = HEAD, _GRACE
        self._is_new = False
        self._idle = trio.CancelScope(deadline=trio.current_time() + seconds)
        with self._idle:
            await self.context.terminated.wait()
            await trio.sleep(grace)
        with trio.CancelScope(shield=True):
            await self._initiate_server_close()


def _only_http1(usual: ProtocolWrapper) -> H11Protocol:
    return _Http1(
        usual.app,
        usual.config,
        usual.context,
        usual.task_group,
        usual.state,
        usual.ssl,
        usual.client,
        usual.server,
        usual.send,
    )
