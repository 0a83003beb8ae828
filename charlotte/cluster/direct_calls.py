"""Calls of browser hosts over WebSockets: Ray takes 2 to 3 ms longer for a call and its answer.

Ray starts the hosts, and carries the greeting, which has the address and the token for a gateway.
If the address cannot be reached, Ray carries all calls.
"""

import math
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, cast

import attrs
import outcome
import structlog
import trio
from trio_websocket import (
    ConnectionClosed,
    WebSocketConnection,
    WebSocketRequest,
    WebSocketServer,
)

from charlotte.cluster.host_calls import pack, unpack
from charlotte.cluster.host_sessions import GATEWAY_LOST
from charlotte.cluster.messages import DirectAddress
from charlotte.cluster.ray_calls import ActorGone
from charlotte.protocol.transport import Transport, TransportClosed, open_websocket

_MOST_BYTES = 2**28
_BUFFER = 65_536
_CLOSE_WAIT = 1.0
_CANCEL = b""
"""The content of a message that cancels the call with its id."""

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
    name, value = _authorization(token)

    async def handle(request: WebSocketRequest) -> None:
        sent = dict(request.headers).get(name.lower().encode(), b"")
        if secrets.compare_digest(sent, value.encode()):
            await _serve(answerer, await request.accept())
        else:
            await request.reject(403)

    listeners = await trio.open_tcp_listeners(0, host=ip)
    host, port, *_ = listeners[0].socket.getsockname()
    where = f"[{host}]" if ":" in host else host
    task_status.started(DirectAddress(f"ws://{where}:{port}/", token))
    server = WebSocketServer(
        handle,
        listeners,
        max_message_size=_MOST_BYTES,
        receive_buffer_size=_BUFFER,
        disconnect_timeout=_CLOSE_WAIT,
    )
    await server.run()


async def _serve(answerer: Answerer, socket: WebSocketConnection) -> None:
    """Answer the calls of a gateway until it hangs up, which cancels those that run.

    A gateway that sends no message for a while is lost, because gateways poll all the time.
    """
    answers = Outbox()

    async def run(call_id: str, call: bytes) -> None:
        try:
            packed = pack(await answerer.answer(call_id, *unpack(call)))
        except Exception as error:
            log.exception("a call of a browser host failed")
            packed = pack(outcome.Error(RuntimeError(repr(error))))
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
            nursery.cancel_scope.cancel("the gateway has hung up")


def _parts(message: str | bytes) -> tuple[str, bytes]:
    """Return the id of the call, and the packed call or outcome."""
    parts: tuple[str, bytes] = unpack(cast("bytes", message))
    return parts


class Outbox:
    """Messages to send, one after the other: a cancelled call must not cut a message.

    There are as many as there are calls.
    """

    def __init__(self) -> None:
        self._put, self._take = trio.open_memory_channel[bytes](math.inf)

    def put(self, message: bytes) -> None:
        """Add a message."""
        self._put.send_nowait(message)

    async def send_all(self, send: Callable[[bytes], Awaitable[None]]) -> None:
        """Send messages as they come, until the connection closes."""
        try:
            async for message in self._take:
                await send(message)
        except (ConnectionClosed, TransportClosed):
            log.debug("connection closed before all messages were sent")


@attrs.define(eq=False)
class _Call:
    """A call that waits for its packed outcome, which is None if the host has hung up."""

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
        """Connect, and serve `ask` until either side hangs up; raises `Unreachable`.

        Once it is connected, only `close` cancels it: a gateway that ends has calls to make.
        """
        headers = [_authorization(address.token)]
        with self._scope:
            async with open_websocket(address.url, headers=headers) as transport:
                self.is_open = self._scope.shield = True
                task_status.started()
                try:
                    await self._exchange(transport)
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
                nursery.cancel_scope.cancel("the host has hung up")

    async def ask(self, method: str, *arguments: Any) -> outcome.Outcome[Any]:
        """Return the outcome of a method of the host; a cancelled call is cancelled there too.

        Raises `ActorGone`.
        """
        if not self.is_open:
            raise ActorGone("The connection to the host is closed.")
        call_id, call = secrets.token_hex(8), _Call()
        self._calls[call_id] = call
        self._outbox.put(pack((call_id, pack((method, arguments)))))
        try:
            await call.ended.wait()
        finally:
            del self._calls[call_id]
            if not call.ended.is_set():
                self._outbox.put(pack((call_id, _CANCEL)))
        if call.packed is None:
            raise ActorGone("The host has hung up.")
        result: outcome.Outcome[Any] = unpack(call.packed)
        return result

    def close(self) -> None:
        """Hang up, at once for later calls."""
        self.is_open = False
        self._scope.cancel("the connection is not needed any more")
