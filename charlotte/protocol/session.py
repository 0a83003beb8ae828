"""A flat CDP session: typed commands, and bounded subscriptions to its events."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import structlog
import trio

from charlotte.errors import ConnectionLost
from charlotte.protocol.errors import ProtocolError, SessionGone
from charlotte.protocol.target import AttachToTarget, DetachFromTarget
from charlotte.protocol.wire import Command, Event, wire

if TYPE_CHECKING:
    from charlotte.protocol.connection import Connection, Pending

R = TypeVar("R")
E = TypeVar("E", bound=Event)
log = structlog.get_logger(__name__)

_BACKLOG = 10_000
_DETACH_WAIT = 0.2


class Subscription(Generic[E]):
    """Events of chosen types in order of arrival; ``lost`` counts events that were dropped."""

    def __init__(self, types: tuple[type[E], ...], backlog: float) -> None:
        self._types = {kind.method: kind for kind in types}
        self._send, self._receive = trio.open_memory_channel[E](backlog)
        self.lost = 0

    @property
    def methods(self) -> Iterator[str]:
        """CDP names of the subscribed events."""
        return iter(self._types)

    def deliver(self, method: str, params: dict[str, Any]) -> None:
        """Queue an event without blocking; an event that cannot be parsed is logged and dropped."""
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


class Session:
    """A CDP session on a target, or on the browser itself if it has no id.

    Once the session has ended, calls and subscriptions raise `SessionGone`.
    """

    def __init__(
        self, connection: "Connection", session_id: str | None, *, ended: bool = False
    ) -> None:
        self._connection = connection
        self.id = session_id
        self._ended = ended
        self._subscriptions: dict[str, list[Subscription[Any]]] = {}

    async def call(self, command: Command[R]) -> R:
        """Send a command and wait for its result.

        Raises `ProtocolError` if the browser refuses it, `ConnectionLost` if the browser is gone.
        """
        return await self._connection.call(command, self.id)

    async def call_all(
        self, *commands: Command[Any], then: Callable[[], Awaitable[object]] | None = None
    ) -> list[Any]:
        """Send all commands, run ``then``, and wait for the results, in order of the commands."""
        return await self._connection.call_all(commands, self.id, then)

    async def begin(self, command: Command[R]) -> "Pending[R]":
        """Send a command without waiting for its reply."""
        return await self._connection.begin(command, self.id)

    async def caught_up(self, domain: str) -> None:
        """Wait for the replies to all commands of a domain that `begin` has sent."""
        await self._connection.caught_up(domain, self.id)

    @contextmanager
    def events(self, *types: type[E], backlog: float = _BACKLOG) -> Generator[Subscription[E]]:
        """Subscribe to events; events beyond ``backlog`` unread events are counted and dropped."""
        subscription = Subscription(types, backlog)
        for method in subscription.methods:
            self._subscriptions.setdefault(method, []).append(subscription)
        if self._ended:
            subscription.end()
        try:
            yield subscription
        finally:
            for method in subscription.methods:
                self._subscriptions[method].remove(subscription)

    @property
    def is_open(self) -> bool:
        """Whether the session is still attached."""
        return not self._ended

    @property
    def subscribed(self) -> int:
        """Number of subscriptions."""
        return len({id(each) for group in self._subscriptions.values() for each in group})

    def deliver(self, method: str, params: dict[str, Any]) -> None:
        """Pass an event to its subscriptions."""
        for subscription in self._subscriptions.get(method, ()):
            subscription.deliver(method, params)

    def end(self) -> None:
        """End every subscription because the browser detached the session."""
        self._ended = True
        for subscriptions in self._subscriptions.values():
            for subscription in subscriptions:
                subscription.end()


@asynccontextmanager
async def open_session(connection: "Connection", target_id: str) -> AsyncGenerator[Session]:
    """Attach to a target and detach at the end, waiting at most 0.2 s."""
    attached = await connection.root.call(AttachToTarget(target_id=target_id))
    try:
        yield connection.session(attached.session_id)
    finally:
        with trio.move_on_after(_DETACH_WAIT, shield=True):
            with suppress(ProtocolError, ConnectionLost):
                await connection.root.call(DetachFromTarget(session_id=attached.session_id))
