"""HTTP/1.1 server on trio: connections of hypercorn, accepted with limits of our own."""

import errno
import logging
import resource
from contextlib import suppress
from math import inf
from socket import socket
from typing import Any, cast

import h11
import trio
from hypercorn.app_wrappers import ASGIWrapper
from hypercorn.config import Config as HypercornConfig
from hypercorn.config import Sockets
from hypercorn.events import Closed, RawData
from hypercorn.protocol import ProtocolWrapper
from hypercorn.protocol.h11 import H11Protocol
from hypercorn.trio.tcp_server import MAX_RECV, TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import ConnectionState
from starlette.types import ASGIApp

_IDLE = 75.0
HEAD = 5.0
"""Seconds for the head of a request, from the connection or from its first byte on."""
_GRACE = 0.2
"""Seconds for the first request of a connection that was accepted when serving ends."""
_BACKLOG = 1024
"""Connections that wait to be accepted: as many clients may connect in the same moment."""
_PAUSE = 0.1
"""Seconds after which it is tried again to accept, when there are no descriptors."""
_FULL = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS}


class Hosting(HypercornConfig):
    """Sockets that listen, and how hypercorn is to serve there."""

    def __init__(self, *listeners: socket) -> None:
        super().__init__()
        self._listeners = [*listeners]
        self.keep_alive_timeout = _IDLE
        self.backlog = _BACKLOG
        self.keep_alive_max_requests = 2**31
        self.include_server_header = False
        self.most_connections = most_connections()
        self.errorlog = logging.getLogger("hypercorn.error")

    def create_sockets(self) -> Sockets:
        """The sockets there are."""
        return Sockets([], self._listeners, [])


def most_connections() -> int:
    """Return how many connections may be open: half of the descriptors are for everything else."""
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(descriptors // 2, 16) if descriptors > 0 else _BACKLOG


async def host(
    app: ASGIApp,
    hosting: Hosting,
    stop: trio.Event | None = None,
    task_status: trio.TaskStatus[list[str]] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve until cancelled, or gently until ``stop``; starts with the addresses."""
    sockets = hosting.create_sockets().insecure_sockets
    for one in sockets:
        one.listen(hosting.backlog)
    listeners = [trio.SocketListener(trio.socket.from_stdlib_socket(one)) for one in sockets]
    connections = _Connections(app, hosting)
    async with trio.open_nursery() as serving:
        try:
            async with trio.open_nursery() as accepting:
                for listener in listeners:
                    accepting.start_soon(connections.accept, listener, serving)
                task_status.started([_url(one) for one in sockets])
                await (trio.Event() if stop is None else stop).wait()
                accepting.cancel_scope.cancel("nobody is let in any more")
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


class _Connections:
    """The open connections: at most ``most_connections``, those without a request go first."""

    def __init__(self, app: ASGIApp, hosting: Hosting) -> None:
        self._app = ASGIWrapper(cast("Any", app))
        self._hosting = hosting
        self.context = WorkerContext(None)
        self._open = dict[_Connection, None]()
        self._closed = trio.Event()

    async def accept(self, listener: trio.SocketListener, nursery: trio.Nursery) -> None:
        """Accept connections for ever."""
        while True:
            while len(self._open) >= self._hosting.most_connections:
                await self._make_room()
            try:
                stream = await listener.accept()
            except OSError as error:
                if error.errno not in _FULL:
                    raise
                await trio.sleep(_PAUSE)
                continue
            self._begin(stream, nursery)

    def accept_the_rest(self, listener: socket, nursery: trio.Nursery) -> None:
        """Accept the connections that the kernel has accepted, before the listener is closed."""
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
            del self._open[connection]
            self._closed.set()
            await trio.aclose_forcefully(connection.stream)  # noqa: ASYNC102 - does not wait
            vars(connection).clear()  # else its protocol and it are a cycle

    async def _make_room(self) -> None:
        """Close the connection that has waited longest for a request, and wait for one to end."""
        self._closed = trio.Event()
        waiting = next((one for one in self._open if one.is_waiting), None)
        if waiting is not None:
            waiting.hang_up()
        await self._closed.wait()


class _Http1(H11Protocol):
    """HTTP/1.1 and nothing else: a proxy could not look into HTTP/2 that it only forwards."""

    async def _check_protocol(self, event: h11.Request) -> None:
        """Ignore offers of HTTP/2."""


class _Connection(TCPServer):
    """A connection whose requests have to arrive in time."""

    def __init__(
        self, app: Any, hosting: Hosting, context: WorkerContext, stream: trio.SocketStream
    ) -> None:
        super().__init__(app, hosting, context, ConnectionState({}), cast("Any", stream))
        self._idle = trio.CancelScope(deadline=trio.current_time() + HEAD)
        self._is_new = True
        self._has_left = False
        self.is_waiting = True

    def hang_up(self) -> None:
        """Close the connection while it waits for a request."""
        self.is_waiting = False
        self._idle.deadline = -inf

    async def _read_data(self) -> None:
        self.protocol.protocol = _only_http1(self.protocol)
        while True:
            try:
                data = await self.stream.receive_some(MAX_RECV)
            except (trio.ClosedResourceError, trio.BrokenResourceError):
                break
            self._idle.deadline = min(self._idle.deadline, trio.current_time() + HEAD)
            await self.protocol.handle(RawData(bytes(data)))
            if data == b"":
                break
        self._has_left = True
        self.hang_up()
        await self.protocol.handle(Closed())

    async def _idle_timeout(self) -> None:
        """Close the connection if no request arrives in time; cancelled when one has arrived.

        After the client has closed its side, no request can arrive.
        """
        seconds, grace = self.config.keep_alive_timeout, 0.0
        if self._has_left:
            seconds = 0.0
        elif self._is_new:
            seconds, grace = HEAD, _GRACE
        self._is_new = False
        self.is_waiting = True
        self._idle = idle = trio.CancelScope(deadline=trio.current_time() + seconds)
        try:
            with idle:
                await self.context.terminated.wait()
                await trio.sleep(grace)
            with trio.CancelScope(shield=True):
                await self._initiate_server_close()
        finally:
            self.is_waiting = self.is_waiting and self._idle is not idle


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
