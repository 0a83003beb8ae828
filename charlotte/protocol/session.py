"""A flat CDP session: typed calls, and bounded subscriptions to its events."""

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
    """Events of the chosen types, in order of arrival; ``lost`` counts those that found no room."""

    def __init__(self, types: tuple[type[E], ...], backlog: float) -> None:
        self._types = {kind.method: kind for kind in types}
        self._send, self._receive = trio.open_memory_channel[E](backlog)
        self.lost = 0

    @property
    def methods(self) -> Iterator[str]:
        """The CDP names of the events wanted."""
        return iter(self._types)

    def deliver(self, method: str, params: dict[str, Any]) -> None:
        """Queue an event; never waits. One that we cannot read is lost too, and said so."""
        try:
            self._send.send_nowait(wire.structure(params, self._types[method]))
        except trio.WouldBlock:
            self.lost += 1
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            self.lost += 1
            log.warning("event not understood", method=method, error=repr(error))

    def take_lost(self) -> int:
        """How many found no room since this was asked last."""
        lost, self.lost = self.lost, 0
        return lost

    @property
    def waiting(self) -> int:
        """How many events are there already."""
        return self._receive.statistics().current_buffer_used

    def now(self) -> list[E]:
        """The events that are there already."""
        there: list[E] = []
        with suppress(trio.WouldBlock, trio.EndOfChannel):
            while True:
                there.append(self._receive.receive_nowait())
        return there

    def end(self) -> None:
        """No more events will come after those that are queued."""
        self._send.close()

    async def next(self) -> E:
        """Wait for the next event; raises `SessionGone` once the session is detached."""
        try:
            return await self._receive.receive()
        except trio.EndOfChannel:
            raise SessionGone("event", SessionGone.CODE, SessionGone.MESSAGE) from None


class Session:
    """One CDP session on one target (or on the browser itself, when it has no id).

    Once it has ended, calls and subscriptions raise `SessionGone`.
    """

    def __init__(
        self, connection: "Connection", session_id: str | None, *, ended: bool = False
    ) -> None:
        self._connection = connection
        self.id = session_id
        self._ended = ended
        self._subscriptions: dict[str, list[Subscription[Any]]] = {}

    async def call(self, command: Command[R]) -> R:
        """Send one command and wait for what it returns.

        Raises `ProtocolError` when the browser refuses, `ConnectionLost` when it is gone.
        """
        return await self._connection.call(command, self.id)

    async def call_all(
        self, *commands: Command[Any], then: Callable[[], Awaitable[object]] | None = None
    ) -> list[Any]:
        """Send all commands, do ``then``, and wait for the results, in the commands' order."""
        return await self._connection.call_all(commands, self.id, then)

    async def begin(self, command: Command[R]) -> "Pending[R]":
        """Send one command now, and wait for its reply later, or never."""
        return await self._connection.begin(command, self.id)

    async def caught_up(self, domain: str) -> None:
        """Wait for the replies to what was sent of a domain, also by callers that have left."""
        await self._connection.caught_up(domain, self.id)

    @contextmanager
    def events(self, *types: type[E], backlog: float = _BACKLOG) -> Generator[Subscription[E]]:
        """Subscribe to events from here on; what exceeds ``backlog`` is counted, not kept."""
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
        """Whether the browser has not detached it."""
        return not self._ended

    @property
    def subscribed(self) -> int:
        """How many subscriptions there are, each counted once."""
        return len({id(one) for several in self._subscriptions.values() for one in several})

    def deliver(self, method: str, params: dict[str, Any]) -> None:
        """Hand an event to whoever subscribed to it."""
        for subscription in self._subscriptions.get(method, ()):
            subscription.deliver(method, params)

    def end(self) -> None:
        """The browser detached this session: end every subscription."""
        self._ended = True
        for subscriptions in self._subscriptions.values():
            for subscription in subscriptions:
                subscription.end()


@asynccontextmanager
async def open_session(connection: "Connection", target_id: str) -> AsyncGenerator[Session]:
    """Attach to a target; detach again at the end, without waiting long for it."""
    attached = await connection.root.call(AttachToTarget(target_id=target_id))
    try:
        yield connection.session(attached.session_id)
    finally:
        with trio.move_on_after(_DETACH_WAIT, shield=True):
            await _detach(connection, attached.session_id)


async def _detach(connection: "Connection", session_id: str) -> None:
    try:
        await connection.root.call(DetachFromTarget(session_id=session_id))
    except (ProtocolError, ConnectionLost):
        return
