"""A CDP websocket with the methods that the connection needs."""

import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, suppress
from typing import Protocol
from urllib.parse import SplitResult, urlsplit

import trio
import trio_websocket

from charlotte.errors import SessionProblem

_MAX_MESSAGE = 2**28
_TOO_BIG = 1009
_TOO_BIG_REASON = (
    f"The browser sent a message of more than {_MAX_MESSAGE >> 20} MiB: "
    "a value or a console message was too long."
)
_RECEIVE_BUFFER = 65_536
_CONNECT_WAIT = 10.0
_SEND_WAIT = 5.0

Stream = trio.SocketStream | trio.SSLStream[trio.SocketStream]


class TransportClosed(Exception):
    """The connection is closed; the text has the reason if it is known."""


class Transport(Protocol):
    """Text messages in both directions; raises `TransportClosed` once either side has closed."""

    async def send_message(self, message: str) -> None:
        """Send one message."""
        ...

    async def get_message(self) -> str | bytes:
        """Wait for the next message."""
        ...

    def gathered(self) -> AbstractContextManager[None]:
        """Batch messages sent in the block: every separate packet wakes the browser."""
        ...


class _WebSocket:
    def __init__(self, websocket: trio_websocket.WebSocketConnection, stream: Stream) -> None:
        self._websocket = websocket
        self._stream = stream
        inner = stream.transport_stream if isinstance(stream, trio.SSLStream) else stream
        self._wire = inner.socket

    async def send_message(self, message: str) -> None:
        try:
            with trio.fail_after(_SEND_WAIT):
                await self._websocket.send_message(message)
        except trio_websocket.ConnectionClosed as closed:
            raise TransportClosed from closed
        except trio.TooSlowError as stuck:
            # Part of the message may be sent, so the stream is not usable any more.
            await trio.aclose_forcefully(self._stream)
            raise TransportClosed from stuck

    @contextmanager
    def gathered(self) -> Generator[None]:
        self._cork(corked=True)
        try:
            yield
        finally:
            self._cork(corked=False)

    def _cork(self, *, corked: bool) -> None:
        """Let the kernel delay written data where it supports that (not on macOS)."""
        if hasattr(socket, "TCP_CORK"):
            with suppress(OSError):  # a closed socket raises again when something is sent
                self._wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, corked)

    async def get_message(self) -> str | bytes:
        try:
            return await self._websocket.get_message()
        except trio_websocket.ConnectionClosed as closed:
            is_too_big = closed.reason is not None and closed.reason.code == _TOO_BIG
            raise TransportClosed(_TOO_BIG_REASON if is_too_big else "") from closed


@asynccontextmanager
async def open_websocket(endpoint: str) -> AsyncGenerator[Transport]:
    """Connect to ``ws://…``; raises `SessionProblem` if no browser answers."""
    address = urlsplit(endpoint)
    with _reaching(endpoint):
        stream = await dial(address)
    try:
        async with trio.open_nursery() as nursery:
            with _reaching(endpoint):
                websocket = await trio_websocket.wrap_client_stream(
                    nursery,
                    stream,
                    address.netloc,
                    address.path + (f"?{address.query}" if address.query else ""),
                    max_message_size=_MAX_MESSAGE,
                    receive_buffer_size=_RECEIVE_BUFFER,
                )
            yield _WebSocket(websocket, stream)
            nursery.cancel_scope.cancel("websocket closed")
    except* trio_websocket.HandshakeError as rejected:
        raise _unreachable(endpoint, rejected.exceptions[0]) from rejected
    finally:
        await trio.aclose_forcefully(stream)


@contextmanager
def _reaching(endpoint: str) -> Generator[None]:
    try:
        with trio.fail_after(_CONNECT_WAIT):
            yield
    except (OSError, trio.TooSlowError) as error:
        raise _unreachable(endpoint, error) from error


def _unreachable(endpoint: str, error: Exception) -> SessionProblem:
    reason = repr(error)
    if isinstance(error, trio_websocket.ConnectionRejected):
        reason = f"HTTP status {error.status_code}"
    return SessionProblem(f"No browser answers at {endpoint}: {reason}.")


async def dial(address: SplitResult) -> Stream:
    """Connect to a host, with TLS for ``wss`` and ``https``; raises `OSError`."""
    secure = address.scheme in {"wss", "https"}
    host, port = address.hostname or "", address.port or (443 if secure else 80)
    if secure:
        return await trio.open_ssl_over_tcp_stream(host, port, https_compatible=True)
    return await trio.open_tcp_stream(host, port)
