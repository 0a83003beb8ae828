"""The sessions of all HTTP clients: who owns them, when they end, and how many are allowed.

In the handshake era, a client has one session per connection, which ends with the connection. In
protocol 2026-07-28, each call names its session, and a call without a name starts one. In both, a
client that sends `SESSION_HEADER` with each request keeps the session of that header, which its
next call starts again if it has ended. A session without calls ends after a timeout. The name of a
session is valid only for the caller who owns it.
"""

import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, cast
from weakref import WeakValueDictionary

import attrs
import structlog
import trio
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ToolsListChanged
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.types import Message, Send

from charlotte.actors.state.session_settings import TabBudget
from charlotte.base.errors import InvalidArgument, SessionProblem, ellipsize
from charlotte.server.http.access import Caller, get_caller
from charlotte.server.http.budget import Admission, SessionPlace, Subject, get_subject
from charlotte.server.mcp_server import SESSION_KEY, SessionCall, SessionProvider
from charlotte.server.sdk import Context, call_when_disconnected

if TYPE_CHECKING:
    from charlotte.server.mcp_server import Engine, EngineSession

DELIVERY: Final = "charlotte.delivery"
"""Key of the `Delivery` in the scope of a request."""

_RESULT = b'"result":'
"""Present in answers but not in notifications; inside a string, the quotes are escaped."""

CONNECTION_HEADER = "mcp-session-id"
SESSION_HEADER = "charlotte-session"
MAX_CALLS = 256
"""Limit of the running calls of a session; most of them wait for their tabs."""
_PARAMETER = "session"
_PARAMETER_SCHEMA = {
    "type": "string",
    "description": "Session to continue, from the first answer; default: a new session",
}
_UNNAMED = "it names none, neither with session nor with the header Charlotte-Session"
_KEPT_ENDED = "the one that its header or token keeps had ended or had not begun"

log = structlog.get_logger(__name__)


@attrs.define(eq=False)
class Delivery:
    """A callback for the write of an answer; called once."""

    delivered: Callable[[], None] | None = None

    def wrap_send(self, send: Send) -> Send:
        """Return a ``send`` that calls ``delivered`` when it has sent the answer.

        It sends the end of the body separately: after the end, the SDK treats the client as
        disconnected and cancels the task that sends.
        """

        async def send_and_complete(message: Message) -> None:
            if self.delivered is None or _RESULT not in message.get("body", b""):
                await send(message)
                return
            await send({**message, "more_body": True})
            delivered, self.delivered = self.delivered, None
            delivered()
            if not message.get("more_body", False):
                await send({**message, "body": b""})

        return send_and_complete


@attrs.define(eq=False)
class HttpSession:
    """A session and its owner; ``peer`` is the client of the handshake era that is notified."""

    name: str
    caller: Caller
    service: "EngineSession"
    idle: float
    peer: ServerSession | None
    bus: InMemorySubscriptionBus
    scope: trio.CancelScope = attrs.field(factory=trio.CancelScope)
    calls: int = 0
    is_named: bool = False
    """Whether a call has named it: a client that never does cannot use it again."""

    def start_idle_timeout(self) -> None:
        """End the session after ``idle`` seconds without a call."""
        self.scope.deadline = trio.current_time() + self.idle

    @property
    def subject(self) -> Subject:
        """The subject whose budgets the session uses."""
        return get_subject(self.caller)

    @contextmanager
    def in_use(self) -> Generator[None]:
        """Suspend the idle timeout during a call."""
        self.calls += 1
        self.scope.deadline = float("inf")
        try:
            yield
        finally:
            self.calls -= 1
            if not self.calls:
                self.start_idle_timeout()

    @property
    def has_ended(self) -> bool:
        """Whether the session has ended or is ending."""
        return self.scope.cancel_called

    async def send_changed(self) -> None:
        """Notify the client of a changed list of tools, in the form of its protocol era."""
        await self.bus.publish(ToolsListChanged())
        if self.peer is not None:
            await self.peer.send_tool_list_changed()


@attrs.define(eq=False)
class _HandshakeConnection:
    """A connection of the handshake era; ``order`` serializes the start of its session."""

    session: HttpSession | None = None
    order: trio.StrictFIFOLock = attrs.field(factory=trio.StrictFIFOLock)


@attrs.define(eq=False)
class Sessions(SessionProvider):
    """The sessions of all clients; the lobby answers requests of clients without a session."""

    admission: Admission
    idle: float
    _engine: "Engine"
    _lobby: "EngineSession"
    _nursery: trio.Nursery
    per_token: bool = False
    """Whether the calls with a token that name no session share one."""
    is_closing: bool = False
    _sessions: dict[str, HttpSession] = attrs.field(factory=dict[str, HttpSession])
    _connections: dict[str, _HandshakeConnection] = attrs.field(
        factory=dict[str, _HandshakeConnection]
    )
    _starting: WeakValueDictionary[str, trio.StrictFIFOLock] = attrs.field(
        factory=WeakValueDictionary[str, trio.StrictFIFOLock]
    )
    _calls: int = 0
    _call_ended: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)
    _buses: WeakValueDictionary[Caller, InMemorySubscriptionBus] = attrs.field(
        factory=WeakValueDictionary[Caller, InMemorySubscriptionBus]
    )

    def __len__(self) -> int:
        return len(self._sessions)

    def find_service(self, context: Context, session: str | None = None) -> "EngineSession":
        """Return the session of a request that only reads; the lobby if it has none."""
        found = self._find(context, session)
        return found.service if found else self._lobby

    def find_name(self, context: Context) -> str | None:
        """Return the name of a session of protocol 2026-07-28; None if the request has none."""
        found = self._find(context)
        return found.name if found and found.peer is None else None

    def get_bus(self, context: Context) -> InMemorySubscriptionBus:
        """Return the bus of all sessions of the caller."""
        return self._bus_of(get_caller(context.request))

    def call_when_sent(self, context: Context, delivered: Callable[[], None]) -> None:
        """Call ``delivered`` once the answer was written."""
        if context.request is not None:
            delivery: Delivery = context.request.scope[DELIVERY]
            delivery.delivered = delivered

    def start_soon(self, work: Callable[..., Awaitable[object]], /, *arguments: Any) -> None:
        """Start work that ends with the server."""
        self._nursery.start_soon(work, *arguments)

    def extra_parameters(self, context: Context) -> dict[str, Any]:
        """Return the parameter that names the session, for clients that have to name it."""
        return {_PARAMETER: _PARAMETER_SCHEMA} if _is_stateless(context) else {}

    @property
    def subjects(self) -> list[Subject]:
        """The subject of each session."""
        return [session.subject for session in self._sessions.values()]

    @asynccontextmanager
    async def open_call(
        self, context: Context, arguments: dict[str, Any]
    ) -> AsyncGenerator[SessionCall]:
        """Yield the session of a call, started if necessary. Raises `SessionProblem`."""
        if self.is_closing:
            raise SessionProblem("Charlotte is shutting down.", "Reconnect in a few seconds.")
        self._calls += 1
        try:
            session, issued, began = await self._get_or_start(context, arguments)
            if session.calls >= MAX_CALLS:
                raise SessionProblem(
                    f"{session.calls} calls of this session are already running.",
                    "Wait until some of them have finished.",
                )
            try:
                with session.in_use():
                    name = session.name if session.peer is None else None
                    yield SessionCall(session.service, issued, name, began)
            except BaseException:
                if issued:  # the client will not receive the name
                    session.scope.cancel("the call that started it was not answered")
                raise
        finally:
            self._calls -= 1
            self._call_ended.unpark_all()

    def close(self, name: str, caller: Caller) -> bool:
        """End a session of a caller; return whether it existed."""
        session = self._sessions.get(name)
        if session is None or session.caller != caller or session.peer is not None:
            return False
        session.scope.cancel("its client closed it")
        return True

    async def wait_idle(self) -> None:
        """Wait until no call is running."""
        while self._calls:
            await self._call_ended.park()

    def _bus_of(self, caller: Caller) -> InMemorySubscriptionBus:
        return self._buses.setdefault(caller, InMemorySubscriptionBus())

    def _find(self, context: Context, name: str | None = None) -> HttpSession | None:
        if not name:
            name = _pop_name(context, {}) if _is_stateless(context) else None
            name = name or self._kept_name(context) or _connection_id(context)
        session = self._sessions.get(name or "")
        return session if session and session.caller == get_caller(context.request) else None

    def _kept_name(self, context: Context) -> str | None:
        """Return the name of the session that the client's header or its token keeps."""
        caller = get_caller(context.request)
        header = context.request.headers.get(SESSION_HEADER) if context.request else None
        if not header and not (self.per_token and caller):
            return None
        return sha256(repr((caller, header)).encode()).hexdigest()

    async def _get_or_start(
        self, context: Context, arguments: dict[str, Any]
    ) -> tuple[HttpSession, str | None, str | None]:
        """Return the session of a call, and with a new one its name, unless that is kept, and why.

        The last is None if the client knows that the session is new.
        """
        caller = get_caller(context.request)
        name = _pop_name(context, arguments) if _is_stateless(context) else None
        if name is None and (kept := self._kept_name(context)):
            keeping, has_begun = await self._keep(kept, caller)
            return keeping, None, _KEPT_ENDED if has_begun else None
        if not _is_stateless(context):
            return await self._session_of_connection(context, caller), None, None
        if name is None:
            name = secrets.token_hex(12)
            return await self._start(name, caller, None), name, _UNNAMED
        session = self._sessions.get(name)
        if session is None or session.has_ended or session.caller != caller:
            foreign = session is not None and session.caller != caller
            log.warning("session refused", reason="foreign" if foreign else "not found")
            raise SessionProblem(
                f"Session {ellipsize(name, 100)!r} not found: it was closed, it ended after "
                f"{self.idle:.0f} s without a call, or it ended because the server was full and "
                "no second call had named it.",
                "Omit session to start a new one, and open its tabs again.",
            )
        session.is_named = True
        return session, None, None

    async def _keep(self, name: str, caller: Caller) -> tuple[HttpSession, bool]:
        """Return the session of a header or token, and whether it has just begun."""
        async with self._starting.setdefault(name, trio.StrictFIFOLock()):
            session = self._sessions.get(name)
            has_begun = session is None or session.has_ended
            if session is None or session.has_ended:
                session = await self._start(name, caller, None)
                session.is_named = True
            return session, has_begun

    async def _session_of_connection(self, context: Context, caller: Caller) -> HttpSession:
        name = _connection_id(context)
        connection = self._connections.get(name)
        if connection is None:
            connection = self._connections[name] = _HandshakeConnection()
            call_when_disconnected(context.session, partial(self._disconnect, name))
        async with connection.order:
            if connection.session is None:
                connection.session = await self._start(name, caller, context.session)
            elif connection.session.has_ended:
                connection.session = None
                raise SessionProblem(
                    f"The session ended after {self.idle:.0f} s without a call; "
                    "its tabs are closed, and this call did nothing.",
                    "Call again to start a new session.",
                )
            return connection.session

    def _disconnect(self, name: str) -> None:
        connection = self._connections.pop(name)
        if connection.session is not None:
            connection.session.scope.cancel("its client has disconnected")

    async def _start(self, name: str, caller: Caller, peer: ServerSession | None) -> HttpSession:
        subject = get_subject(caller)
        used_up = self.admission.has_used_up(subject)
        leaving = (used_up or self.admission.is_full) and self._end_unnamed(caller, is_own=used_up)
        ends = [
            session.scope.deadline
            for session in self._sessions.values()
            if session.subject == subject or not used_up
        ]
        next_end = min(ends, default=0.0) - trio.current_time()
        place = await self.admission.enter(subject, min(next_end, self.idle), leaving=leaving)
        session = await self._nursery.start(
            partial(self._keep_open, name, caller, peer, place=place)
        )
        return cast("HttpSession", session)

    def _find_tab_budget(self, service: "EngineSession", subject: Subject) -> TabBudget:
        """Return the budget of open tabs for one of the sessions of a subject."""
        others = sum(
            session.service.tab_count
            for session in self._sessions.values()
            if session.subject == subject and session.service is not service
        )
        return TabBudget(self.admission.subject_tabs, others)

    def _end_unnamed(self, caller: Caller, *, is_own: bool) -> bool:
        """End the longest idle session that no second call has named, preferably of the caller.

        With ``is_own``, only a session of the caller's subject makes room.

        A client of protocol 2026-07-28 that does not repeat the name starts a session with each
        call. Such sessions would keep all other clients out until they expire.
        """
        candidates = [
            session
            for session in self._sessions.values()
            if session.peer is None and not (session.is_named or session.calls or session.has_ended)
            if session.subject == get_subject(caller) or not is_own
        ]
        if not candidates:
            return False
        oldest = min(candidates, key=lambda each: (each.caller != caller, each.scope.deadline))
        oldest.scope.cancel("the server is full, and no second call has named it")
        return True

    async def _keep_open(
        self,
        name: str,
        caller: Caller,
        peer: ServerSession | None,
        *,
        place: SessionPlace,
        task_status: trio.TaskStatus[HttpSession],
    ) -> None:
        """Keep a session open until it is ended; its place is free once it is closed."""
        try:
            async with self._engine.open_private_session() as service:
                if self.admission.subject_tabs:
                    service.limit_tabs(partial(self._find_tab_budget, service, place.subject))
                bus = self._bus_of(caller)
                session = HttpSession(name, caller, service, self.idle, peer, bus)
                session.start_idle_timeout()
                notify = partial(self._nursery.start_soon, session.send_changed)
                unregister = service.on_change(notify)
                self._sessions[name] = session
                task_status.started(session)
                with session.scope:
                    await trio.sleep_forever()
                place.is_closing = True
                if self._sessions[name] is session:
                    del self._sessions[name]
                unregister()  # breaks the reference cycle of session and callback
        finally:
            self.admission.leave(place)


def _is_stateless(context: Context) -> bool:
    """Return whether the client speaks the protocol without connections, which names sessions."""
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS


def _connection_id(context: Context) -> str:
    headers: Mapping[str, str] = context.request.headers if context.request else {}
    return headers.get(CONNECTION_HEADER, "")


def _pop_name(context: Context, arguments: dict[str, Any]) -> str | None:
    """Return the session that a call names; remove it from the arguments.

    Raises:
        InvalidArgument: the name is not a string.
    """
    name = arguments.pop(_PARAMETER, None)
    if name is None and context.meta is not None:
        name = context.meta.get(SESSION_KEY)
    if name is not None and not isinstance(name, str):
        kind = type(name).__name__
        raise InvalidArgument(
            f"session must be a string, got {kind}.", "Pass it exactly as it was returned."
        )
    return name or None
