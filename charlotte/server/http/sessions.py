"""Owns the clients' sessions: which there are, whose they are, and when they end.

A client of the handshake era has one per connection, which is the SDK's session and ends with it.
In protocol 2026-07-28 each call names its session; a call that names none begins one. A session
ends by itself when nothing was asked of it for long enough. Its name is of no use to others.
"""

import secrets
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import Any, cast
from weakref import WeakValueDictionary

import attrs
import structlog
import trio
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus

from charlotte.errors import SessionProblem
from charlotte.server.greeting import Greeting
from charlotte.server.http.admission import Admission
from charlotte.server.http.callers import (
    PARAMETER,
    Caller,
    caller_of,
    connection_of,
    is_stateless,
    named,
)
from charlotte.server.http.resuming import delivery_of
from charlotte.server.service import Service
from charlotte.server.visits import Context, Visit, list_changed, send_list_changed
from charlotte.tools.answer import Changed

_NAME = {
    "type": "string",
    "description": "The session to go on in, from the first answer; without it another begins",
}

MOST_CALLS = 256
"""Of one session, at the same time; most of them wait for their tabs."""

OpenSession = Callable[[], AbstractAsyncContextManager[Service]]

log = structlog.get_logger(__name__)


@attrs.define(eq=False)
class Held:
    """A session and whose it is; ``peer`` is told of changes, if there is a way to tell it."""

    name: str
    caller: Caller
    service: Service
    idle: float
    peer: ServerSession | None
    caller_bus: InMemorySubscriptionBus
    bus: InMemorySubscriptionBus = attrs.field(factory=InMemorySubscriptionBus)
    scope: trio.CancelScope = attrs.field(factory=trio.CancelScope)
    calls: int = 0
    is_named: bool = False
    """Whether its client has named it: one that never does cannot come back to it."""

    def rest(self) -> None:
        """Begin to count the seconds after which it ends."""
        self.scope.deadline = trio.current_time() + self.idle

    @contextmanager
    def in_use(self) -> Generator[None]:
        """It does not end by itself meanwhile."""
        self.calls += 1
        self.scope.deadline = float("inf")
        try:
            yield
        finally:
            self.calls -= 1
            if not self.calls:
                self.rest()

    @property
    def has_ended(self) -> bool:
        """Whether it is over, or about to be."""
        return self.scope.cancel_called

    async def changed(self, changed: Changed) -> None:
        """Notify the client of a changed list, in the way of its protocol era."""
        for bus in (self.bus, self.caller_bus):
            await bus.publish(list_changed(changed))
        if self.peer is not None:
            await send_list_changed(self.peer, changed)


@attrs.define(eq=False)
class Connection:
    """A client of the handshake era; its first calls come one after the other."""

    held: Held | None = None
    order: trio.StrictFIFOLock = attrs.field(factory=trio.StrictFIFOLock)


@attrs.define(eq=False)
class Sessions:
    """The sessions of all clients over HTTP; ``lobby`` answers for those who have none yet."""

    greeting: Greeting
    admission: Admission
    idle: float
    _open: OpenSession
    _lobby: Service
    _nursery: trio.Nursery
    is_closing: bool = False
    _held: dict[str, Held] = attrs.field(factory=dict[str, Held])
    _connections: dict[str, Connection] = attrs.field(factory=dict[str, Connection])
    _visits: int = 0
    _left: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)
    _buses: WeakValueDictionary[Caller, InMemorySubscriptionBus] = attrs.field(
        factory=WeakValueDictionary[Caller, InMemorySubscriptionBus]
    )

    def __len__(self) -> int:
        return len(self._held)

    def glance(self, context: Context, session: str | None = None) -> Service:
        """The session of a request that only looks; the lobby if it has none."""
        held = self._known(context, session)
        return held.service if held else self._lobby

    def name(self, context: Context) -> str | None:
        """Return the name of a session of protocol 2026-07-28; None if it has none yet."""
        held = self._known(context)
        return held.name if held and held.peer is None else None

    def bus(self, context: Context) -> InMemorySubscriptionBus:
        """Return where changes are published: of the named session, else of all of the caller."""
        held = self._known(context)
        return held.bus if held else self._bus_of(caller_of(context.request))

    def _bus_of(self, caller: Caller) -> InMemorySubscriptionBus:
        """Return the bus of a caller, for subscribers that name no session."""
        return self._buses.setdefault(caller, InMemorySubscriptionBus())

    def when_sent(self, context: Context, delivered: Callable[[], None]) -> None:
        """Have a callback called once the answer is written, or replayed to who resumes."""
        delivery_of(context.request).expect(context.request_id, delivered)

    def parameters(self, context: Context) -> dict[str, Any]:
        """What names the session, for clients that have to."""
        return {PARAMETER: _NAME} if is_stateless(context) else {}

    def input_schema(self, _: str) -> None:
        """Nothing: the SDK wants it only to compare headers with arguments that have some."""

    @asynccontextmanager
    async def visit(self, context: Context, arguments: dict[str, Any]) -> AsyncGenerator[Visit]:
        """The session of a call, begun if need be; raises `SessionProblem`."""
        if self.is_closing:
            raise SessionProblem("Charlotte is shutting down.", "Connect again in some seconds.")
        with self._counted():
            held, issued = await self._session_of(context, arguments)
            if held.calls >= MOST_CALLS:
                raise SessionProblem(
                    f"{held.calls} calls of this session are being answered already.",
                    "Wait for some of them.",
                )
            try:
                with held.in_use():
                    yield Visit(held.service, issued, held.name if held.peer is None else None)
            except BaseException:
                if issued:  # its name will not reach the client
                    held.scope.cancel("the call that began it was not answered")
                raise

    def close(self, name: str, caller: Caller) -> bool:
        """End a session that its caller names; whether there was one."""
        held = self._held.get(name)
        if held is None or held.caller != caller or held.peer is not None:
            return False
        held.scope.cancel("its client closed it")
        return True

    async def none_visited(self) -> None:
        """Wait until no call is being answered."""
        while self._visits:
            await self._left.park()

    @contextmanager
    def _counted(self) -> Generator[None]:
        self._visits += 1
        try:
            yield
        finally:
            self._visits -= 1
            self._left.unpark_all()

    def _known(self, context: Context, session: str | None = None) -> Held | None:
        known = named(context, {}) if is_stateless(context) else connection_of(context)
        name = session or known
        held = self._held.get(name or "")
        return held if held and held.caller == caller_of(context.request) else None

    async def _session_of(
        self, context: Context, arguments: dict[str, Any]
    ) -> tuple[Held, str | None]:
        caller = caller_of(context.request)
        if not is_stateless(context):
            return await self._of_connection(context, caller), None
        if name := named(context, arguments):
            held = self._found(name, caller)
            held.is_named = True
            return held, None
        name = secrets.token_hex(12)
        return await self._begin(name, caller, None), name

    def _found(self, name: str, caller: Caller) -> Held:
        held = self._held.get(name)
        if held is None or held.has_ended or held.caller != caller:
            foreign = held is not None and held.caller != caller
            log.warning("session refused", reason="foreign" if foreign else "not there")
            raise SessionProblem(
                f"There is no session {name[:100]!r} of yours: it was closed, ended after "
                f"{self.idle:.0f} s without a call, or ended because the server was full and "
                "no second call had named it.",
                "Leave session out to begin another one; its tabs have to be opened anew.",
            )
        return held

    async def _of_connection(self, context: Context, caller: Caller) -> Held:
        connection = self._connection(context)
        async with connection.order:
            if connection.held is None:
                name = connection_of(context)
                connection.held = await self._begin(name, caller, context.session)
            elif connection.held.has_ended:
                connection.held = None
                raise SessionProblem(
                    f"Your session ended after {self.idle:.0f} s without a call; "
                    "its tabs are closed, and nothing was done now.",
                    "Call again to begin another session.",
                )
            return connection.held

    def _connection(self, context: Context) -> Connection:
        name = connection_of(context)
        if name not in self._connections:
            self._connections[name] = Connection()
            # The SDK has no other way to say that a client's connection is over.
            ended = context.session._connection.exit_stack  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
            ended.callback(self._disconnected, name)
        return self._connections[name]

    def _disconnected(self, name: str) -> None:
        connection = self._connections.pop(name)
        if connection.held is not None:
            connection.held.scope.cancel("its client has gone")

    async def _begin(self, name: str, caller: Caller, peer: ServerSession | None) -> Held:
        leaving = self.admission.is_full and self._end_one_never_named(caller)
        await self.admission.enter(self._next_end(), leaving=leaving)
        held = await self._nursery.start(self._keep, name, caller, peer)
        return cast("Held", held)

    def _end_one_never_named(self, caller: Caller) -> bool:
        """End the session that was idle longest of those never named again, the caller's first.

        A client of protocol 2026-07-28 that does not repeat the name begins a session with each
        call; together they would keep everybody else out until they expire.
        """
        idle = [
            held
            for held in self._held.values()
            if held.peer is None and not (held.is_named or held.calls or held.has_ended)
        ]
        if not idle:
            return False
        oldest = min(idle, key=lambda held: (held.caller != caller, held.scope.deadline))
        oldest.scope.cancel("the server is full, and no call has named it again")
        return True

    def _next_end(self) -> float:
        """Seconds until a place may be free: those in use are as good as never free."""
        ends = [held.scope.deadline for held in self._held.values()]
        return min(min(ends, default=0.0) - trio.current_time(), self.idle)

    async def _keep(
        self,
        name: str,
        caller: Caller,
        peer: ServerSession | None,
        task_status: trio.TaskStatus[Held],
    ) -> None:
        """Hold a session open until it is ended; its place is free once it is closed."""
        try:
            async with self._open() as service:
                held = Held(name, caller, service, self.idle, peer, self._bus_of(caller))
                held.rest()
                forget = service.on_change(
                    lambda change: self._nursery.start_soon(held.changed, change)
                )
                self._held[name] = held
                task_status.started(held)
                with held.scope:
                    await trio.sleep_forever()
                del self._held[name]
                forget()  # else session and callback are a cycle
        finally:
            self.admission.leave()
