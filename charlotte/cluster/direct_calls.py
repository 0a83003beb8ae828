"""Calls of browser hosts over WebSockets: Ray takes 2 to 3 ms longer for a call and its answer.

Ray starts the hosts and carries the greeting, which contains the host's address and token. If the
gateway cannot connect, Ray carries all calls. A message is the pickled pair of the id of a call and
its pickled method and arguments, or outcome.
"""

import math
import secrets
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Protocol, cast

import attrs
import outcome
import structlog
import trio
from trio_websocket import ConnectionClosed, WebSocketConnection, wrap_server_stream

from charlotte.cluster.host_calls import pack, unpack
from charlotte.cluster.host_sessions import GATEWAY_LOST
from charlotte.cluster.messages import DirectAddress
from charlotte.cluster.ray_calls import ActorGone
from charlotte.errors import SessionProblem
from charlotte.protocol.transport import (
    MAX_MESSAGE,
    RECEIVE_BUFFER,
    Transport,
    TransportClosed,
    open_websocket,
)

_HANDSHAKE_WAIT = 5.0
_CANCEL = b""
"""The content of a message that cancels the call with its id."""
_ENVELOPE = 100
"""Bytes of a message without its content, at most."""

log = structlog.get_logger(__name__)


class Answerer(Protocol):
    """A host: see `charlotte.cluster.host.HostService`."""

    async def answer(
        self, call_id: str, method: str, arguments: tuple[Any, ...], /
    ) -> outcome.Outcome[Any]:
        """Return the outcome of a method."""
        ...

    def cancel(self, call_id: str, /) -> None:
        """Cancel a call."""
        ...


def _authorization(token: str) -> tuple[str, str]:
    return "Authorization", f"Bearer {token}"


async def serve_direct_calls(
    answerer: Answerer, ip: str, *, task_status: trio.TaskStatus[DirectAddress]
) -> None:
    """Answer the calls of all gateways that know the token; raises `OSError`."""
    token = secrets.token_urlsafe(32)
    listeners = await trio.open_tcp_listeners(0, host=ip)
    host, port, *_ = listeners[0].socket.getsockname()
    where = f"[{host}]" if ":" in host else host
    task_status.started(DirectAddress(f"ws://{where}:{port}/", token))
    await trio.serve_listeners(partial(_admit, answerer, token), listeners)


async def _admit(answerer: Answerer, token: str, stream: trio.SocketStream) -> None:
    """Serve a gateway with the token; errors of a connection end that connection only."""
    try:
        async with trio.open_nursery() as nursery:
            with trio.fail_after(_HANDSHAKE_WAIT):
                socket = await _accept(nursery, stream, token)
            if socket is not None:
                await _serve(answerer, socket)
            nursery.cancel_scope.cancel("the connection ends")
    except Exception as error:  # noqa: BLE001 - peers can cause errors of many types
        log.info("a connection to the browser host failed", error=repr(error)[:300])
    finally:
        await trio.aclose_forcefully(stream)


async def _accept(
    nursery: trio.Nursery, stream: trio.SocketStream, token: str
) -> WebSocketConnection | None:
    """Return the connection of a gateway; None if it has not sent the token."""
    request = await wrap_server_stream(
        nursery, stream, max_message_size=MAX_MESSAGE, receive_buffer_size=RECEIVE_BUFFER
    )
    name, value = _authorization(token)
    sent = dict(request.headers).get(name.lower().encode(), b"")
    if secrets.compare_digest(sent, value.encode()):
        return await request.accept()
    await request.reject(403)
    return None


async def _serve(answerer: Answerer, socket: WebSocketConnection) -> None:
    """Answer the calls of a gateway until it closes the connection, which cancels those that run.

    A gateway that sends no message for a while is lost, because gateways poll continuously.
    """
    answers = Outbox()

    async def run(call_id: str, call: bytes) -> None:
        try:
            packed = pack(await answerer.answer(call_id, *unpack(call)))
        except Exception as error:
            log.exception("a call of a browser host failed")
            packed = pack(outcome.Error(RuntimeError(repr(error))))
        if len(packed) > MAX_MESSAGE - _ENVELOPE:
            packed = pack(_too_large("answer of this call", len(packed)))
        answers.put(pack((call_id, packed)))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answers.send_all, socket.send_message)
        try:
            while True:
                with trio.fail_after(GATEWAY_LOST):
                    call_id, call = _parts(await socket.get_message())
                if call == _CANCEL:
                    answerer.cancel(call_id)
                else:
                    nursery.start_soon(run, call_id, call)
        except (ConnectionClosed, trio.TooSlowError):
            nursery.cancel_scope.cancel("the gateway has closed the connection")


def _parts(message: str | bytes) -> tuple[str, bytes]:
    """Return the id of the call, and the packed call or outcome."""
    parts: tuple[str, bytes] = unpack(cast("bytes", message))
    return parts


def _too_large(what: str, size: int) -> outcome.Error:
    problem = f"The {what} has {size} bytes. A browser host can receive and send {MAX_MESSAGE}."
    return outcome.Error(SessionProblem(problem, "Use smaller files or values."))


class Outbox:
    """Messages to send, one after the other: a cancelled call must not cut a message."""

    def __init__(self) -> None:
        self._put, self._take = trio.open_memory_channel[bytes](math.inf)

    def put(self, message: bytes) -> None:
        """Add a message."""
        self._put.send_nowait(message)

    async def send_all(self, send: Callable[[bytes], Awaitable[None]]) -> None:
        """Send all messages until the connection closes."""
        try:
            async for message in self._take:
                await send(message)
        except (ConnectionClosed, TransportClosed):
            log.debug("connection closed before all messages were sent")


@attrs.define(eq=False)
class _Call:
    """A call that waits for its packed outcome, which is None if the connection was closed."""

    ended: trio.Event = attrs.field(factory=trio.Event)
    packed: bytes | None = None


@attrs.define(eq=False)
class DirectCalls:
    """A gateway's connection to a host."""

    _calls: dict[str, _Call] = attrs.field(factory=dict[str, _Call], init=False)
    _outbox: Outbox = attrs.field(factory=Outbox, init=False)
    _scope: trio.CancelScope = attrs.field(factory=trio.CancelScope, init=False)
    is_open: bool = attrs.field(default=False, init=False)

    async def run(self, address: DirectAddress, *, task_status: trio.TaskStatus[None]) -> None:
        """Connect, and serve `ask` until either side closes the connection; raises `Unreachable`.

        Only `close` cancels an open connection, because a gateway that ends still calls its hosts.
        """
        headers = [_authorization(address.token)]
        with self._scope:
            async with open_websocket(address.url, headers=headers) as transport:
                # `Nursery.start` of a cancelled caller would wait for a shielded task
                await trio.lowlevel.checkpoint_if_cancelled()
                self.is_open = self._scope.shield = True
                task_status.started()
                try:
                    await self._exchange(transport)
                except Exception:
                    log.exception("a connection to a browser host failed")
                finally:
                    self.is_open = False
                    for call in self._calls.values():
                        call.ended.set()

    async def _exchange(self, transport: Transport) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._outbox.send_all, transport.send_message)
            try:
                while True:
                    call_id, packed = _parts(await transport.get_message())
                    if call := self._calls.get(call_id):
                        call.packed = packed
                        call.ended.set()
            except TransportClosed:
                nursery.cancel_scope.cancel("the host has closed the connection")

    async def ask(self, method: str, *arguments: Any) -> outcome.Outcome[Any]:
        """Return the outcome of a method of the host; a cancelled call is cancelled there too.

        Raises `ActorGone`.
        """
        if not self.is_open:
            raise ActorGone("The connection to the host is closed.")
        packed = pack((method, arguments))
        if len(packed) > MAX_MESSAGE - _ENVELOPE:
            return _too_large("call", len(packed))
        call_id, call = secrets.token_hex(8), _Call()
        self._calls[call_id] = call
        self._outbox.put(pack((call_id, packed)))
        try:
            await call.ended.wait()
        finally:
            del self._calls[call_id]
            if not call.ended.is_set():
                self._outbox.put(pack((call_id, _CANCEL)))
        if call.packed is None:
            raise ActorGone("The host has closed the connection.")
        result: outcome.Outcome[Any] = unpack(call.packed)
        return result

    def close(self) -> None:
        """Close the connection; later calls fail at once."""
        self.is_open = False
        self._scope.cancel("the connection is not needed any more")
