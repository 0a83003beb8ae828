"""Messages to and from a browser: over a pipe, or a websocket for one that runs already."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from typing import Protocol, cast
from urllib.parse import SplitResult, urlsplit

import trio
import trio_websocket

from charlotte.base.blocks import closing
from charlotte.base.errors import SessionProblem

_MAX_MESSAGE = 2**28
_TOO_BIG = 1009
_TOO_BIG_REASON = (
    f"The browser sent a message of more than {_MAX_MESSAGE >> 20} MiB: "
    "a value or a console message was too long."
)
_RECEIVE_BUFFER = 65_536
_END = b"\0"
_CONNECT_WAIT = 10.0
_SEND_WAIT = 5.0
_USUAL_WAIT = 1.0
"""Seconds in which a browser answers an upgrade, unless it asks its user first."""

Headers = Sequence[tuple[str, str]]
"""Names and values of HTTP headers."""

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


Connect = Callable[[], AbstractAsyncContextManager[Transport]]
"""Starts or finds a browser, which can be used during the block."""


class _Pipe:
    """Messages that end with a NUL byte; those that are queued are written together.

    No caller waits for a browser that does not read: its heartbeat fails.
    """

    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream
        self._received = bytearray()
        self._unsent, self._queued = bytearray(), trio.Event()

    async def write(self) -> None:
        """Write queued messages until the browser ends, which the reader reports."""
        with suppress(trio.BrokenResourceError):
            while True:
                await self._queued.wait()
                data, self._unsent, self._queued = self._unsent, bytearray(), trio.Event()
                await self._stream.send_all(data)

    async def send_message(self, message: str) -> None:
        if len(self._unsent) > _MAX_MESSAGE:
            raise TransportClosed("The browser does not read.")
        self._unsent += message.encode() + _END
        self._queued.set()

    async def get_message(self) -> bytes:
        searched = 0
        while (end := self._received.find(_END, searched)) < 0:
            searched = len(self._received)
            if searched > _MAX_MESSAGE:
                raise TransportClosed(_TOO_BIG_REASON)
            try:
                data = await self._stream.receive_some(_RECEIVE_BUFFER)
            except trio.BrokenResourceError as broken:
                raise TransportClosed from broken
            if not data:
                raise TransportClosed
            self._received += data
        message = bytes(self._received[:end])
        del self._received[: end + 1]
        await trio.lowlevel.checkpoint()  # those who handle events keep up with the reader
        return message


@asynccontextmanager
async def open_pipe(stream: trio.abc.Stream) -> AsyncGenerator[Transport]:
    """Use the stream to a browser that was started with ``--remote-debugging-pipe``."""
    async with trio.open_nursery() as nursery:
        pipe = _Pipe(stream)
        nursery.start_soon(pipe.write)
        yield pipe
        nursery.cancel_scope.cancel("pipe closed")


class _WebSocket:
    def __init__(self, websocket: trio_websocket.WebSocketConnection, stream: Stream) -> None:
        self._websocket = websocket
        self._stream = stream

    async def send_message(self, message: str) -> None:
        try:
            with trio.fail_after(_SEND_WAIT):
                await self._websocket.send_message(message)
        except trio_websocket.ConnectionClosed as closed:
            raise TransportClosed from closed
        except trio.TooSlowError as stuck:
            # Part of the message may be sent, so the stream is not usable any more.
            async with closing(self._stream):  # noqa: ASYNC120 - shielded there
                raise TransportClosed from stuck

    async def get_message(self) -> str | bytes:
        try:
            return await self._websocket.get_message()
        except trio_websocket.ConnectionClosed as closed:
            is_too_big = closed.reason is not None and closed.reason.code == _TOO_BIG
            raise TransportClosed(_TOO_BIG_REASON if is_too_big else "") from closed


class Unreachable(SessionProblem):
    """No browser answers at an address, for a ``reason``.

    ``dialed`` is False if no program listens there. ``status`` is that of an HTTP answer.
    ``silent`` is True if the upgrade was not answered in time.
    """

    def __init__(
        self,
        endpoint: str,
        reason: str,
        *,
        dialed: bool = True,
        status: int | None = None,
        silent: bool = False,
    ) -> None:
        super().__init__(f"No browser answers at {endpoint}: {reason}.")
        self.reason, self.dialed, self.status, self.silent = reason, dialed, status, silent


class _FrameReader:
    """The nursery of the websocket's reader; ends the handshake when the peer hangs up."""

    def __init__(self, nursery: trio.Nursery, handshake: trio.CancelScope) -> None:
        self._nursery = nursery
        self._handshake = handshake
        self.ended = False

    def start_soon(self, read: Callable[[], Awaitable[None]]) -> None:
        self._nursery.start_soon(self._read, read)

    async def _read(self, read: Callable[[], Awaitable[None]]) -> None:
        await read()
        self.ended = True
        self._handshake.cancel("the peer hung up")


@asynccontextmanager
async def open_websocket(
    endpoint: str,
    *,
    headers: Headers = (),
    upgrade_wait: float | None = None,
    on_hold: Callable[[], None] = lambda: None,
) -> AsyncGenerator[Transport]:
    """Connect to ``ws://…``; raises `Unreachable` if no browser answers.

    ``upgrade_wait`` is the time for the answer to the upgrade. ``on_hold`` is called if the answer
    takes longer than usual.
    """
    address = urlsplit(endpoint)
    try:
        with trio.fail_after(_CONNECT_WAIT):
            stream = await dial(address)
    except (OSError, trio.TooSlowError) as error:
        raise Unreachable(endpoint, repr(error), dialed=False) from error
    wait = _CONNECT_WAIT if upgrade_wait is None else upgrade_wait
    problem: Unreachable | None = None
    cause: BaseException | None = None
    try:
        async with closing(stream), trio.open_nursery() as nursery:
            handshake = trio.CancelScope(deadline=trio.current_time() + wait)
            reader = _FrameReader(nursery, handshake)
            websocket: trio_websocket.WebSocketConnection | None = None
            with _holding(nursery, on_hold), handshake:
                websocket = await trio_websocket.wrap_client_stream(
                    cast("trio.Nursery", reader),
                    stream,
                    address.netloc,
                    address.path + (f"?{address.query}" if address.query else ""),
                    extra_headers=[(name.encode(), value.encode()) for name, value in headers],
                    max_message_size=_MAX_MESSAGE,
                    receive_buffer_size=_RECEIVE_BUFFER,
                )
            if websocket is not None:
                yield _WebSocket(websocket, stream)
            elif reader.ended:
                problem = Unreachable(endpoint, "the connection was closed")
            else:
                problem = Unreachable(endpoint, f"no answer within {wait:g} s", silent=True)
            nursery.cancel_scope.cancel("websocket closed")
    except* trio_websocket.ConnectionRejected as rejected:
        cause = rejected.exceptions[0]
        status = getattr(cause, "status_code", None)
        problem = Unreachable(endpoint, f"HTTP status {status}", status=status)
    except* trio_websocket.HandshakeError as failed:
        cause = failed.exceptions[0]
        problem = Unreachable(endpoint, repr(cause))
    if problem is not None:
        raise problem from cause


@contextmanager
def _holding(nursery: trio.Nursery, on_hold: Callable[[], None]) -> Generator[None]:
    """Call ``on_hold`` if the block takes longer than the answer to an upgrade usually takes."""
    scope = trio.CancelScope()

    async def wait() -> None:
        with scope:
            await trio.sleep(_USUAL_WAIT)
            on_hold()

    nursery.start_soon(wait)
    try:
        yield
    finally:
        scope.cancel("answered")


async def dial(address: SplitResult) -> Stream:
    """Connect to a host, with TLS for ``wss`` and ``https``; raises `OSError`."""
    secure = address.scheme in {"wss", "https"}
    host, port = address.hostname or "", address.port or (443 if secure else 80)
    if secure:
        return await trio.open_ssl_over_tcp_stream(host, port, https_compatible=True)
    return await trio.open_tcp_stream(host, port)
