"""Flat CDP sessions on one connection: commands with typed replies, and subscriptions to events.

Each command registers a `Pending`. The caller waits for it and removes it in a ``finally``, so
a late reply is dropped. One task reads and never blocks on a consumer. When that task ends, all
pending and all later commands fail at once, so clean-up code does not wait. The task raises
`ConnectionLost` into the nursery of `open_connection`, which ends everything that uses the
connection.
"""

import itertools
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, Generic, NoReturn, TypeVar

import attrs
import structlog
import trio

from charlotte.base.errors import ConnectionLost
from charlotte.protocol.errors import ProtocolError, SessionGone, protocol_error
from charlotte.protocol.target import AttachToTarget, DetachFromTarget
from charlotte.protocol.transport import Transport, TransportClosed
from charlotte.protocol.wire import CdpEvent, Command, wire

R = TypeVar("R")
E = TypeVar("E", bound=CdpEvent)
Then = Callable[[], Awaitable[object]]

log = structlog.get_logger(__name__)

_ATTACHED = "Target.attachedToTarget"
_DETACHED = "Target.detachedFromTarget"
_LOST = "The connection to the browser ended."
_LOST_ADVICE = "Repeat the call: the tabs come back at their URLs."
_BACKLOG = 10_000
_DETACH_WAIT = 0.2


@attrs.define(eq=False)
class Pending(Generic[R]):
    """A sent command and its reply; ``lost`` is the reason if no reply will arrive."""

    call_id: int
    command: Command[R]
    session_id: str | None
    settled: trio.Event = attrs.field(factory=trio.Event)
    reply: dict[str, Any] | None = None
    lost: str = _LOST

    def settle(self, reply: dict[str, Any]) -> None:
        """Set the reply and wake the caller."""
        self.reply = reply
        self.settled.set()

    def lose(self, reason: str) -> None:
        """Fail the command: no reply will arrive."""
        self.lost = reason
        self.settled.set()

    async def result(self) -> R:
        """Wait for the reply; raises `ProtocolError` if refused, `ConnectionLost` without one."""
        await self.settled.wait()
        if self.reply is None:
            raise ConnectionLost(self.lost, _LOST_ADVICE)
        if refusal := self.reply.get("error"):
            raise protocol_error(self.command.method, refusal["code"], refusal["message"])
        reply, key = self.reply.get("result", {}), self.command.result
        result: R = wire.structure(reply[key] if key else reply, self.command.returns)
        return result


class Subscription(Generic[E]):
    """Events of chosen types in order of arrival; ``lost`` counts events that were dropped."""

    def __init__(self, types: tuple[type[E], ...], backlog: float) -> None:
        self._types = {kind.method: kind for kind in types}
        self._send, self._receive = trio.open_memory_channel[E](backlog)
        self.lost = 0

    def deliver(self, method: str, params: dict[str, Any]) -> None:
        """Queue a subscribed event without blocking; log and drop one that cannot be parsed."""
        if method not in self._types:
            return
        try:
            self._send.send_nowait(wire.structure(params, self._types[method]))
        except trio.WouldBlock:
            self.lost += 1
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            self.lost += 1
            log.warning("event could not be parsed", method=method, error=repr(error))

    def take_lost(self) -> int:
        """Return the number of dropped events since the previous call."""
        lost, self.lost = self.lost, 0
        return lost

    @property
    def waiting(self) -> int:
        """Number of queued events."""
        return self._receive.statistics().current_buffer_used

    def now(self) -> list[E]:
        """Return the queued events without blocking."""
        queued: list[E] = []
        with suppress(trio.WouldBlock, trio.EndOfChannel):
            while True:
                queued.append(self._receive.receive_nowait())
        return queued

    def end(self) -> None:
        """Accept no more events; queued events can still be read."""
        self._send.close()

    async def next(self) -> E:
        """Wait for the next event; raises `SessionGone` once the session is detached."""
        try:
            return await self._receive.receive()
        except trio.EndOfChannel:
            raise SessionGone("event", SessionGone.CODE, SessionGone.MESSAGE) from None


class CdpSession:
    """A CDP session on a target, or on the browser itself if it has no id.

    Once the session has ended, calls and subscriptions raise `SessionGone`.
    """

    def __init__(
        self, connection: "Connection", session_id: str | None, *, ended: bool = False
    ) -> None:
        self._connection = connection
        self.id = session_id
        self._ended = ended
        self.subscriptions: list[Subscription[Any]] = []

    async def call(self, command: Command[R]) -> R:
        """Send a command and wait for its result.

        Raises `ProtocolError` if the browser refuses it, `ConnectionLost` if the browser is gone.
        """
        posted: list[Pending[R]] = []
        with self._connection.forgetting(posted):
            await self._connection.post(command, self.id, posted)
            return await posted[0].result()

    async def call_all(self, *commands: Command[Any], then: Then | None = None) -> list[Any]:
        """Send all commands, run ``then``, and wait for all results: one round trip.

        Raises the first refusal.
        """
        posted: list[Pending[Any]] = []
        with self._connection.forgetting(posted):
            for command in commands:
                await self._connection.post(command, self.id, posted)
            if then is not None:
                await then()
            return [await pending.result() for pending in posted]

    async def begin(self, command: Command[R]) -> Pending[R]:
        """Send a command without waiting; the caller can wait on the returned `Pending`."""
        posted: list[Pending[R]] = []
        await self._connection.post(command, self.id, posted)
        return posted[0]

    async def caught_up(self, domain: str) -> None:
        """Wait for the replies to all commands of a domain that `begin` has sent."""
        unanswered = self._connection.unanswered(domain, self.id)
        with self._connection.forgetting(unanswered):
            for pending in unanswered:
                await pending.settled.wait()

    @contextmanager
    def events(self, *types: type[E], backlog: float = _BACKLOG) -> Generator[Subscription[E]]:
        """Subscribe to events; events beyond ``backlog`` unread events are counted and dropped."""
        subscription = Subscription(types, backlog)
        self.subscriptions.append(subscription)
        if self._ended:
            subscription.end()
        try:
            yield subscription
        finally:
            self.subscriptions.remove(subscription)

    @property
    def is_open(self) -> bool:
        """Whether the session is still attached."""
        return not self._ended

    def deliver(self, method: str, params: dict[str, Any]) -> None:
        """Pass an event to its subscriptions."""
        for subscription in self.subscriptions:
            subscription.deliver(method, params)

    def end(self) -> None:
        """End every subscription because the browser detached the session."""
        self._ended = True
        for subscription in self.subscriptions:
            subscription.end()


class Connection:
    """The connection to one browser, shared by all of its CDP sessions."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._lost = _LOST
        self._is_read = True
        self.received = 0
        """Number of messages received from the browser."""
        self._ids = itertools.count(1)
        self._pending: dict[int, Pending[Any]] = {}
        self.root = CdpSession(self, None)
        self._sessions: dict[str | None, CdpSession] = {None: self.root}
        self._parents: dict[str, str | None] = {}

    @property
    def in_flight(self) -> int:
        """Number of commands that wait for their reply."""
        return len(self._pending)

    @property
    def attached(self) -> int:
        """Number of attached sessions, without the root session."""
        return len(self._sessions) - 1

    @property
    def subscriptions(self) -> int:
        """Number of event subscriptions."""
        return sum(len(session.subscriptions) for session in self._sessions.values())

    def session(self, session_id: str) -> CdpSession:
        """Return an attached session, or an ended session if it is already detached."""
        return self._sessions.get(session_id) or CdpSession(self, session_id, ended=True)

    def unanswered(self, domain: str, session_id: str | None) -> list[Pending[Any]]:
        """Return the commands of a domain that wait for their reply in a session."""
        return [
            pending
            for pending in self._pending.values()
            if pending.session_id == session_id and pending.command.method.startswith(domain)
        ]

    @contextmanager
    def forgetting(self, posted: Sequence[Pending[Any]]) -> Generator[None]:
        """Drop late replies to the commands that were posted when the block ends."""
        try:
            yield
        finally:
            for pending in posted:
                self._pending.pop(pending.call_id, None)

    async def post(
        self, command: Command[R], session_id: str | None, posted: list[Pending[R]]
    ) -> None:
        """Add the command to ``posted``, then send it."""
        pending = Pending(next(self._ids), command, session_id)
        posted.append(pending)
        if self._is_read:
            self._pending[pending.call_id] = pending
        else:
            pending.lose(self._lost)
        params = wire.unstructure(command)
        message = {"id": pending.call_id, "method": command.method, "params": params}
        if session_id is not None:
            message["sessionId"] = session_id
        try:
            # A cancelled caller must not send half of a pair: a mouse button would stay down.
            with trio.CancelScope(shield=True):
                await self._transport.send_message(json.dumps(message))
        except TransportClosed as closed:
            raise ConnectionLost(self._lost, _LOST_ADVICE) from closed

    async def read(self) -> NoReturn:
        """Deliver messages of the browser until it disconnects; then raise `ConnectionLost`."""
        try:
            while True:
                self._deliver(json.loads(await self._transport.get_message()))
        except (TransportClosed, ValueError) as closed:
            self._lost = f"{_LOST} {closed}".rstrip()
            raise ConnectionLost(self._lost, _LOST_ADVICE) from closed
        finally:
            self._is_read = False
            for pending in self._pending.values():
                pending.lose(self._lost)

    def _deliver(self, message: dict[str, Any]) -> None:
        self.received += 1
        if "id" in message:
            self._settle(message["id"], message)
            return
        method, params = message.get("method", ""), message.get("params", {})
        if method == _ATTACHED:
            attached = params["sessionId"]
            self._sessions[attached] = CdpSession(self, attached)
            self._parents[attached] = message.get("sessionId")
        if session := self._sessions.get(message.get("sessionId")):
            session.deliver(method, params)
        if method == _DETACHED:
            self._forget(params["sessionId"])

    def _settle(self, call_id: int, reply: dict[str, Any]) -> None:
        if pending := self._pending.pop(call_id, None):
            pending.settle(reply)
        else:
            log.debug("late reply dropped", id=call_id)

    def _forget(self, session_id: str) -> None:
        """End a session and its child sessions, whose detachment the browser does not report."""
        self._parents.pop(session_id, None)
        for child in [child for child, parent in self._parents.items() if parent == session_id]:
            self._forget(child)
        if session := self._sessions.pop(session_id, None):
            session.end()
        gone = {"error": {"code": SessionGone.CODE, "message": SessionGone.MESSAGE}}
        for pending in tuple(self._pending.values()):
            if pending.session_id == session_id:
                self._settle(pending.call_id, gone)


@asynccontextmanager
async def open_connection(transport: Transport) -> AsyncGenerator[Connection]:
    """Serve ``transport``; the block is cancelled when the browser disconnects."""
    async with trio.open_nursery() as nursery:
        connection = Connection(transport)
        nursery.start_soon(connection.read)
        yield connection
        nursery.cancel_scope.cancel("connection closed")


@asynccontextmanager
async def open_session(connection: Connection, target_id: str) -> AsyncGenerator[CdpSession]:
    """Attach to a target and detach at the end, waiting at most 0.2 s."""
    session_id = await connection.root.call(AttachToTarget(target_id=target_id))
    try:
        yield connection.session(session_id)
    finally:
        with trio.move_on_after(_DETACH_WAIT, shield=True):
            with suppress(ProtocolError, ConnectionLost):
                await connection.root.call(DetachFromTarget(session_id=session_id))
