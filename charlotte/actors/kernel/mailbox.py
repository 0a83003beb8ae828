"""Mailboxes and event feeds: how work reaches the task of an actor, and how events reach readers.

A message is "run this on your state". A mailbox outlives the incarnations of its actor. Queued
messages wait through a restart; messages in flight are answered with the reason of the
interruption. No caller waits forever: the code that ends an incarnation calls `Mailbox.interrupt`,
and the code that ends the actor calls `Mailbox.close`.
"""

from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from contextvars import ContextVar
from typing import Any, Concatenate, Generic, NoReturn, ParamSpec, Self, TypeVar, cast
from weakref import WeakSet

import attrs
import structlog
import trio
from typing_extensions import TypeVar as TypeVarWithDefault

from charlotte.base.errors import CharlotteError, Fatal
from charlotte.base.log import now
from charlotte.base.progress import progress_variable

S = TypeVar("S")
R = TypeVar("R")
P = ParamSpec("P")

log = structlog.get_logger(__name__)

CAPACITY = 16
STREAM_CAPACITY = 1000

carried_variables: list[ContextVar[Any]] = [progress_variable]
"""Context variables that messages carry from caller to actor."""


def carry(variable: ContextVar[R]) -> ContextVar[R]:
    """Have messages carry a context variable, which needs a default, from caller to actor."""
    if variable not in carried_variables:
        carried_variables.append(variable)
    return variable


@attrs.define(eq=False)
class Message:
    """Work for an actor, and the slot in which its caller waits for the answer.

    An actor that takes the message first enters ``turn``, which may wait; ``begun`` is set when the
    work begins. ``taken_at`` is the trio time at which the actor took it. ``value`` is the result.
    ``is_holders`` is set for a message that is not refused for the sake of its own sender.
    """

    work: Callable[[Any], Awaitable[Any]]
    label: str
    turn: AbstractAsyncContextManager[object] = attrs.field(factory=nullcontext[None])
    scope: trio.CancelScope = attrs.field(factory=trio.CancelScope)
    begun: trio.Event = attrs.field(factory=trio.Event)
    taken_at: float | None = None
    value: Any = None
    is_holders: bool = False
    _variables: list[tuple[ContextVar[Any], Any]] = attrs.field(
        factory=lambda: [(variable, variable.get()) for variable in carried_variables]
    )
    _answered: trio.Event = attrs.field(factory=trio.Event)
    _error: CharlotteError | None = None

    def answer(self, value: Any = None, error: CharlotteError | None = None) -> None:
        """Wake the caller; only the first answer counts."""
        if not self._answered.is_set():
            self.value, self._error = value, error
            self.begun.set()
            self._answered.set()

    async def result(self) -> Any:
        """Wait for the answer; raises an error only once."""
        await self._answered.wait()
        error, self._error = self._error, None
        if error is None:
            return self.value
        try:
            raise error
        finally:
            del error  # its traceback refers to this frame and to the caller's with the message

    async def run(self, state: Any) -> None:
        """Run the work on the state of an actor, with the caller's context variables."""
        tokens = [(variable, variable.set(value)) for variable, value in self._variables]
        try:
            with self.scope:
                async with self.turn:
                    self.begun.set()
                    self.answer(await self.work(state))
        finally:
            for variable, token in tokens:
                variable.reset(token)


@attrs.frozen
class MailboxStatistics:
    """Load of an actor: labels in flight, and the trio time since which the oldest is."""

    queued: int
    capacity: int
    doing: tuple[str, ...]
    since: float | None


class Mailbox(Generic[S]):
    """The address of an actor with a state of type ``S``.

    ``workers`` is the number of messages served at once; with None, each message gets a task of its
    own. Errors of the type ``fatal`` end the incarnation. While ``closed`` is set, all messages are
    refused with that error. New messages are also refused with the error that ``refusal`` returns,
    except those of the holder. A ``dormant`` actor is not open, and is opened by the next message.
    """

    def __init__(
        self,
        name: str,
        *,
        capacity: int = CAPACITY,
        workers: int | None = 1,
        fatal: type[CharlotteError] = Fatal,
        refusal: Callable[[], CharlotteError | None] = lambda: None,
    ) -> None:
        self.name = name
        self.workers = workers
        self.fatal = fatal
        self._send, self._receive = trio.open_memory_channel[Message](capacity)
        self._in_flight: set[Message] = set()
        self._held: Message | None = None
        self.closed: CharlotteError | None = None
        self._refusal = refusal
        self.dormant = False

    def __repr__(self) -> str:
        return f"<Mailbox {self.name}: {len(self._in_flight)} in flight>"

    async def ask(
        self, method: Callable[Concatenate[S, P], Awaitable[R]], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Run ``method`` in the actor's task; return its result or raise its error."""

        async def work(state: S) -> R:
            return await method(state, *args, **kwargs)

        message = Message(work, method.__name__)
        async with self.post(message):
            result: R = await message.result()
            return result

    def post_work(
        self,
        method: Callable[Concatenate[S, P], Awaitable[object]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        """Queue work without a caller; it is lost if the queue is full or the actor ends."""
        message = Message(lambda state: method(state, *args, **kwargs), method.__name__)
        with suppress(trio.WouldBlock, trio.BrokenResourceError):
            self._send.send_nowait(message)

    @asynccontextmanager
    async def post(self, message: Message) -> AsyncGenerator[None]:
        """Queue a message; at the end of the block its work is cancelled if it still runs."""
        try:
            if self.closed is not None:
                raise self.closed.again()
            if not message.is_holders:
                self.check_free()
            await self._send.send(message)
            yield
        finally:
            message.scope.cancel("the caller left")

    def check_free(self) -> None:
        """Raise the error with which new messages are refused, if any."""
        if (error := self._refusal()) is not None:
            raise error

    async def serve(self, state: S) -> None:
        """Answer messages until cancelled, or until a message raises a bug or a fatal error."""
        self.dormant = False
        async with trio.open_nursery() as nursery:
            if self.workers is None:
                while True:
                    message = await self._take()
                    self._in_flight.add(message)  # before its task starts, which may be prevented
                    nursery.start_soon(self._serve_taken, message, state)
                    del message
            for _ in range(self.workers):
                nursery.start_soon(self._work, state)

    async def _work(self, state: S) -> NoReturn:
        while True:
            await self._serve_next(state)  # separate frame: locals would keep a tab record alive

    async def _serve_next(self, state: S) -> None:
        message = await self._take()
        self._in_flight.add(message)
        await self._serve_taken(message, state)

    async def _take(self) -> Message:
        message, self._held = self._held, None
        return message or await self._receive.receive()

    async def _serve_taken(self, message: Message, state: S) -> None:
        if not message.scope.cancel_called:
            message.taken_at = trio.current_time()
            try:
                await message.run(state)
            except CharlotteError as error:
                if isinstance(error, self.fatal):
                    if not isinstance(error, Fatal) or error.is_answer:
                        message.answer(error=error.again())
                    raise
                message.answer(error=error)
        self._in_flight.discard(message)

    async def wait_for_message(self) -> None:
        """Wait for a message and keep it first in line."""
        self.dormant = True
        self._held = self._held or await self._receive.receive()

    def interrupt(self, reason: CharlotteError) -> None:
        """Answer the messages in flight, because their incarnation has ended."""
        while self._in_flight:
            self._in_flight.pop().answer(error=reason.again())

    def refuse(self, reason: CharlotteError) -> None:
        """Answer the queued messages with ``reason``; later messages are served."""
        if self._held:
            self._held.answer(error=reason.again())
            self._held = None
        with suppress(trio.WouldBlock):
            while True:
                self._receive.receive_nowait().answer(error=reason.again())

    def close(self, reason: CharlotteError) -> None:
        """Answer all messages until `reopen` with ``reason``, or with that of an earlier close."""
        self.closed = self.closed or reason
        self.interrupt(self.closed)
        self.refuse(self.closed)

    def reopen(self) -> None:
        """Take messages again."""
        self.closed = None

    def statistics(self) -> MailboxStatistics:
        """Return the load of the actor."""
        queue = self._receive.statistics()
        taken = [message.taken_at for message in self._in_flight if message.taken_at is not None]
        return MailboxStatistics(
            queued=queue.current_buffer_used,
            capacity=int(queue.max_buffer_size),
            doing=tuple(message.label for message in self._in_flight),
            since=min(taken, default=None),
        )


@attrs.frozen(kw_only=True)
class Event:
    """An event; ``time`` is ISO 8601 in UTC."""

    time: str = attrs.field(factory=now, eq=False)


@attrs.frozen(kw_only=True)
class Restarted(Event):
    """An actor crashed because of ``cause``.

    The supervisor starts the actor again after ``wait`` seconds, for the ``restarts``th time; None
    means that the supervisor gave up.
    """

    actor: str
    cause: CharlotteError
    restarts: int
    wait: float | None


E = TypeVarWithDefault("E", bound=Event, default=Event)


class EventStream(Generic[E]):
    """Async iterator of the events since its creation; ends with its feed.

    ``lost`` counts the events that exceeded the capacity; the newest are kept.
    """

    def __init__(self, kinds: tuple[type[E], ...], capacity: int) -> None:
        self._kinds = kinds
        self._waiting = deque[E](maxlen=capacity)
        self._changed = trio.Event()
        self._closed = False
        self.lost = 0

    def put(self, event: Event) -> None:
        """Append an event if it is of a requested kind."""
        if isinstance(event, self._kinds) and not self._closed:
            self.lost += len(self._waiting) == self._waiting.maxlen
            self._waiting.append(event)
            self._wake()

    def close(self) -> None:
        """End the stream; waiting events can still be read."""
        self._closed = True
        self._wake()

    def drain(self) -> list[E]:
        """Return the events that wait, without waiting for more."""
        events = [*self._waiting]
        self._waiting.clear()
        return events

    def _wake(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> E:
        await trio.lowlevel.checkpoint()
        while not self._waiting:
            if self._closed:
                raise StopAsyncIteration
            await self._changed.wait()
        return self._waiting.popleft()


class Feed:
    """Publisher of events to its streams and hooks, and to a ``wider`` feed.

    The feed holds only weak references to its streams.
    """

    def __init__(self, wider: "Feed | None" = None) -> None:
        self._wider = wider
        self._streams = WeakSet[EventStream[Any]]()
        self._hooks: list[tuple[type[Event], Callable[[Any], None]]] = []

    def publish(self, event: Event) -> None:
        """Pass an event to all streams and hooks; exceptions of hooks are logged."""
        for stream in tuple(self._streams):
            stream.put(event)
        for kind, hook in self._hooks:
            try:
                if isinstance(event, kind):
                    hook(event)
            except Exception:
                log.exception("an event hook failed", event_type=type(event).__name__)
        if self._wider is not None:
            self._wider.publish(event)

    def add_hook(self, kind: type[E], hook: Callable[[E], None]) -> None:
        """Call a function, which must not take long, with every event of a kind."""
        self._hooks.append((kind, hook))

    def subscribe(self, *kinds: type[E], capacity: int = STREAM_CAPACITY) -> EventStream[E]:
        """Return a stream of the events of these kinds; without kinds, of all events."""
        stream = EventStream(kinds or cast("tuple[type[E]]", (Event,)), capacity)
        self._streams.add(stream)
        return stream

    def close(self) -> None:
        """End all streams and drop the hooks, which would form reference cycles."""
        self._hooks.clear()
        for stream in tuple(self._streams):
            stream.close()
