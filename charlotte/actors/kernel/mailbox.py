"""The mailbox: how work reaches an actor's task, and how every caller gets an answer.

A request is "run this on your state". The mailbox outlives the actor's incarnations: what is
queued waits through a restart, what is in flight is answered with the reason of the
interruption, and nobody waits for ever, because whoever ends an incarnation calls `interrupt`,
and whoever ends the actor calls `close`.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from typing import Any, Concatenate, Generic, NoReturn, ParamSpec, TypeVar

import attrs
import trio

from charlotte.actors.state.news import Ledger, current_ledger
from charlotte.errors import CharlotteError, Fatal
from charlotte.progress import with_current_progress

S = TypeVar("S")
R = TypeVar("R")
P = ParamSpec("P")

CAPACITY = 16


@attrs.define(eq=False)
class Request:
    """Work for an actor, and the slot in which its caller waits for the answer, the ``value``.

    ``place`` is what it waits for, and holds, when it has been taken up; then it has ``begun``.
    ``ledger`` is that of the batch its caller is a step of.
    """

    work: Callable[[Any], Awaitable[Any]]
    label: str
    place: AbstractAsyncContextManager[object] = attrs.field(factory=nullcontext[None])
    scope: trio.CancelScope = attrs.field(factory=trio.CancelScope)
    begun: trio.Event = attrs.field(factory=trio.Event)
    taken_at: float | None = None
    ledger: Ledger | None = attrs.field(factory=current_ledger.get)
    _answered: trio.Event = attrs.field(factory=trio.Event)
    value: Any = None
    _error: CharlotteError | None = None

    def answer(self, value: Any = None, error: CharlotteError | None = None) -> None:
        """Wake the caller; only the first answer counts."""
        if not self._answered.is_set():
            self.value, self._error = value, error
            self.begun.set()
            self._answered.set()

    async def result(self) -> Any:
        """Wait for the answer; raises it, once, if it is an error."""
        await self._answered.wait()
        error, self._error = self._error, None
        if error is None:
            return self.value
        try:
            raise error
        finally:
            del error  # its traceback has this frame, and the caller's, which has the request


@attrs.frozen
class MailboxStatistics:
    """``doing`` names what is in flight, ``since`` the trio time its oldest was taken up."""

    queued: int
    capacity: int
    doing: tuple[str, ...]
    since: float | None


class Mailbox(Generic[S]):
    """The address of an actor whose state is an ``S``.

    One request at a time, or as many as there are ``workers``; None: each in a task of its own, so
    that none waits for another. ``fatal`` are the errors that end the incarnation. ``closed``: why
    it refuses everything. ``dormant``: it could not be started, and only a request of its own makes
    it try again.
    """

    def __init__(
        self,
        name: str,
        *,
        capacity: int = CAPACITY,
        workers: int | None = 1,
        fatal: type[CharlotteError] = Fatal,
    ) -> None:
        self.name = name
        self.workers = workers
        self.fatal = fatal
        self._send, self._receive = trio.open_memory_channel[Request](capacity)
        self._in_flight: set[Request] = set()
        self._held: Request | None = None
        self.closed: CharlotteError | None = None
        self.dormant = False

    def __repr__(self) -> str:
        return f"<Mailbox {self.name}: {len(self._in_flight)} in flight>"

    async def ask(
        self, method: Callable[Concatenate[S, P], Awaitable[R]], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Run ``method`` in the actor's task; return what it returns, raise what it raises."""

        async def work(state: S) -> R:
            return await method(state, *args, **kwargs)

        request = Request(with_current_progress(work), method.__name__)
        async with self.posted(request):
            result: R = await request.result()
            return result

    @asynccontextmanager
    async def posted(self, request: Request) -> AsyncGenerator[None]:
        """Queue a request; whoever leaves the block wants nothing done any more."""
        try:
            await self._post(request)
            yield
        finally:
            request.scope.cancel("the caller left")

    async def _post(self, request: Request) -> None:
        if self.closed is not None:
            raise self.closed.again()
        await self._send.send(request)

    async def serve(self, state: S) -> None:
        """Answer requests until cancelled, or until one of them is a bug or fatal."""
        self.dormant = False
        async with trio.open_nursery() as nursery:
            if self.workers is None:
                await self._spread(state, nursery)
            for _ in range(self.workers):
                nursery.start_soon(self._work, state)

    async def _spread(self, state: S, nursery: trio.Nursery) -> NoReturn:
        while True:
            request = await self._take()
            self._in_flight.add(request)  # before its task begins, which an end may prevent
            nursery.start_soon(self._serve_taken, request, state)
            del request

    async def _work(self, state: S) -> NoReturn:
        while True:
            await self._serve_next(state)  # whose names are gone with it: they hold a tab's record

    async def _serve_next(self, state: S) -> None:
        request = await self._take()
        self._in_flight.add(request)
        await self._serve_taken(request, state)

    async def _serve_taken(self, request: Request, state: S) -> None:
        if not request.scope.cancel_called:
            await self._answer(request, state)
        self._in_flight.discard(request)

    async def _take(self) -> Request:
        request, self._held = self._held, None
        return request or await self._receive.receive()

    async def _answer(self, request: Request, state: S) -> None:
        request.taken_at = trio.current_time()
        token = current_ledger.set(request.ledger)
        try:
            with request.scope:
                async with request.place:
                    request.begun.set()
                    request.answer(await request.work(state))
        except CharlotteError as error:
            if not isinstance(error, self.fatal):
                request.answer(error=error)
            else:
                if not isinstance(error, Fatal) or error.is_answer:
                    request.answer(error=error.again())
                raise
        finally:
            current_ledger.reset(token)

    async def wait_for_request(self) -> None:
        """Return once there is something to do; it stays first in line."""
        self.dormant = True
        self._held = self._held or await self._receive.receive()

    def interrupt(self, reason: CharlotteError) -> None:
        """Answer what is in flight: the incarnation that worked on it is gone."""
        while self._in_flight:
            self._in_flight.pop().answer(error=reason.again())

    def refuse(self, reason: CharlotteError) -> None:
        """Answer what is queued now; later requests are served again."""
        if self._held:
            self._held.answer(error=reason.again())
            self._held = None
        with suppress(trio.WouldBlock):
            while True:
                self._receive.receive_nowait().answer(error=reason.again())

    def close(self, reason: CharlotteError) -> None:
        """Answer everything with ``reason``, now and until it is reopened. The first stays.

        Each caller gets an instance of its own.
        """
        self.closed = self.closed or reason
        self.interrupt(self.closed)
        self.refuse(self.closed)

    def reopen(self) -> None:
        """Take requests again."""
        self.closed = None

    def statistics(self) -> MailboxStatistics:
        """What a debugger wants to know."""
        queue = self._receive.statistics()
        taken = [request.taken_at for request in self._in_flight if request.taken_at is not None]
        return MailboxStatistics(
            queued=queue.current_buffer_used,
            capacity=int(queue.max_buffer_size),
            doing=tuple(request.label for request in self._in_flight),
            since=min(taken, default=None),
        )
