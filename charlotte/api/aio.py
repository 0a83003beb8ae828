"""Charlotte for asyncio programs: the same sessions, tabs, methods, objects and errors.

    async with open_charlotte(Config()) as charlotte, charlotte.open_session() as session:
        tab = await session.open_tab("https://example.org")
        page = await tab.observe()

trio runs in its own thread, and ends when the asyncio loop is closed. Cancelling the asyncio task
that waits for a call cancels the call in trio, and the task continues when the call has ended.
"""

import asyncio
import atexit
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping
from concurrent import futures
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from typing import Any, Generic, Protocol, Self

import attrs
import outcome
import trio
from typing_extensions import TypeVar

from charlotte.actors.kernel import mailbox
from charlotte.actors.kernel.mailbox import STREAM_CAPACITY, Event, Restarted
from charlotte.actors.state.session_settings import UrlPolicy
from charlotte.answers.answer import Answer
from charlotte.api import app, session
from charlotte.base.errors import SessionProblem
from charlotte.config.config import Config
from charlotte.tools.schema.tool import Tool
from charlotte.tools.toolkit import SessionMethods

__all__ = ["AsyncioCharlotte", "AsyncioEventStream", "AsyncioSession", "open_charlotte"]

T = TypeVar("T")
E = TypeVar("E", bound=Event, default=Event)


class Reporting(Protocol):
    """What sessions and servers have in common, on this machine or on a cluster."""

    def status(self) -> dict[str, Any]:
        """Return the status."""
        ...

    def events(self, *kinds: type[E], capacity: int = ...) -> mailbox.EventStream[E]:
        """Return the events from now on."""
        ...


InnerT = TypeVar("InnerT", bound=Reporting)

_CANCEL_WAIT = 5.0
"""Seconds in which cancelled work has to end."""

_EXIT_WAIT = 5.0


@asynccontextmanager
async def open_charlotte(
    config: Config | None = None, *, on_restart: Callable[[Restarted], None] | None = None
) -> AsyncGenerator["AsyncioCharlotte"]:
    """Start the browser and the actors; returns at once, and the first calls wait for them.

    ``on_restart`` is called in the program's event loop when an actor has crashed. Raises
    `RuntimeError` outside asyncio.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        text = "call this in asyncio; in trio, call charlotte.open_charlotte"
        raise RuntimeError(text) from None

    hook = call_in_loop(loop, on_restart)
    opened = partial(app.open_charlotte, config, on_restart=hook)
    async with open_bridge() as bridge, bridge.entered(opened) as running:
        yield AsyncioCharlotte(running, bridge)


def call_in_loop(
    loop: asyncio.AbstractEventLoop, function: Callable[[T], object] | None
) -> Callable[[T], None]:
    """Return a function for other threads that calls ``function`` in the loop, if there is one."""

    def call(value: T) -> None:
        if function is not None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(function, value)

    return call


class AsyncioEventStream(Generic[E]):
    """The events since the stream was created (see `charlotte.actors.kernel.mailbox`)."""

    def __init__(self, bridge: "Bridge", listen: Callable[[], mailbox.EventStream[E]]) -> None:
        self._bridge = bridge
        self._stream: mailbox.EventStream[E] | None = None

        def begin() -> None:
            self._stream = listen()

        bridge.post(begin)  # calls made later are executed later

    @property
    def lost(self) -> int:
        """The number of events that were dropped because the stream was full."""
        return self._stream.lost if self._stream else 0

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> E:
        return await self._bridge.run(self._next)

    async def _next(self) -> E:
        if self._stream is None:
            raise StopAsyncIteration
        return await anext(self._stream)


class Bridged(Generic[InnerT]):
    """The common part of sessions and servers for asyncio."""

    def __init__(self, inner: InnerT, bridge: "Bridge") -> None:
        self._inner = inner
        self._bridge = bridge

    async def status(self) -> dict[str, Any]:
        """Return the server's status (see `charlotte.actors.introspection`)."""
        return await self._bridge.call(self._inner.status)

    def events(self, *kinds: type[E], capacity: int = STREAM_CAPACITY) -> AsyncioEventStream[E]:
        """Return the events of these tabs (and actors) from now on, of these kinds or all."""
        listen = partial(self._inner.events, *kinds, capacity=capacity)
        return AsyncioEventStream(self._bridge, listen)


class AsyncioSession(Bridged[session.Session], SessionMethods):
    """One session: its own cookies and storage, its own tabs; calls run in trio's thread."""

    async def run_tool(self, tool: Tool[..., T], arguments: Mapping[str, Any]) -> T:
        """Run a tool."""
        return await self._bridge.run(partial(self._inner.run_tool, tool, arguments))

    async def run_in_trio(self, function: Callable[[session.Session], Awaitable[T]]) -> T:
        """Run an async function with the session itself in trio's thread; return its result.

        Several calls in the function cross the threads once.
        """
        return await self._bridge.run(partial(function, self._inner))

    async def use_url_policy(self, policy: UrlPolicy) -> None:
        """Do the same as `Session.use_url_policy`; the function runs in the program's loop."""
        loop = asyncio.get_running_loop()

        async def ask(url: str) -> str | None:
            return await _run_in_loop(loop, partial(policy, url))

        await self._bridge.run(partial(self._inner.use_url_policy, ask))

    async def call(self, name: str, arguments: dict[str, Any] | None = None) -> Answer:
        """Run a tool under any spelling of its name.

        Raises `UnknownTool`, or the `CharlotteError` that is the answer.
        """
        return await self._bridge.run(partial(self._inner.call, name, arguments))


class AsyncioCharlotte(Bridged[app.Charlotte]):
    """One browser and its supervisor, serving many sessions."""

    @asynccontextmanager
    async def open_session(self) -> AsyncGenerator[AsyncioSession]:
        """Open a session with an isolated browser context; its tabs close at the end.

        If ``user_data_dir`` is configured, all sessions share the context of that profile instead.
        """
        async with self._bridge.entered(self._inner.open_session) as opened:
            yield AsyncioSession(opened, self._bridge)


def _ended() -> SessionProblem:
    return SessionProblem("Charlotte has ended.", "Call open_charlotte again.")


@attrs.define(eq=False)
class Reply:
    """The outcome of work, which asyncio awaits; without a loop, ``on_closed`` is called."""

    loop: asyncio.AbstractEventLoop
    on_closed: Callable[[], None]
    future: asyncio.Future[outcome.Outcome[Any]] = attrs.field(
        default=attrs.Factory(lambda self: self.loop.create_future(), takes_self=True)
    )

    def give(self, result: outcome.Outcome[Any]) -> None:
        """Set the outcome; called in trio's thread."""
        try:
            self.loop.call_soon_threadsafe(self._set, result)
        except RuntimeError:  # the loop is closed
            self.on_closed()

    def _set(self, result: outcome.Outcome[Any]) -> None:
        if not self.future.done():
            self.future.set_result(result)


@attrs.define(eq=False)
class Bridge:
    """Access from asyncio to the trio loop in another thread."""

    _token: trio.lowlevel.TrioToken
    _nursery: trio.Nursery

    def post(self, function: Callable[[], object]) -> None:
        """Call a function in trio's thread, in order of the posts; raises `SessionProblem`."""
        try:
            self._token.run_sync_soon(function)
        except trio.RunFinishedError:
            raise _ended() from None

    def end(self) -> None:
        """Cancel all work; called in trio's thread."""
        self._nursery.cancel_scope.cancel("the asyncio program has gone")

    async def call(self, function: Callable[[], T]) -> T:
        """Call a function in trio's thread; return its result, or raise its error."""

        async def work() -> T:
            await trio.lowlevel.checkpoint()
            return function()

        return await self.run(work)

    async def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run work in trio's thread; return its result, or raise its error.

        Raises:
            SessionProblem: trio has ended, or ends before the work does.
        """
        reply = Reply(asyncio.get_running_loop(), self.end)
        scope = trio.CancelScope()

        def begin() -> None:
            try:
                self._nursery.start_soon(_do, work, scope, reply)
            except RuntimeError:  # the nursery is closed
                reply.give(outcome.Error(_ended()))

        self.post(begin)
        try:
            result = await asyncio.shield(reply.future)
        except asyncio.CancelledError:
            with suppress(SessionProblem):
                self.post(lambda: scope.cancel("the asyncio task was cancelled"))
            await asyncio.wait([reply.future], timeout=_CANCEL_WAIT)  # noqa: ASYNC102 - it has a timeout
            raise
        value: T = result.unwrap()
        return value

    @asynccontextmanager
    async def entered(
        self, manager: Callable[[], AbstractAsyncContextManager[T]]
    ) -> AsyncGenerator[T]:
        """Enter and exit a trio context manager, both in the same trio task."""
        reply, leave = Reply(asyncio.get_running_loop(), self.end), trio.Event()

        async def hold() -> None:
            async with manager() as value:
                reply.give(outcome.Value(value))
                await leave.wait()

        holding = asyncio.create_task(self.run(hold))
        first: list[asyncio.Future[Any]] = [holding, reply.future]
        try:
            await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
            if reply.future.done():
                yield reply.future.result().unwrap()
        finally:
            if not reply.future.done():
                holding.cancel()
            with suppress(SessionProblem):
                self.post(leave.set)
            await asyncio.shield(holding)  # noqa: ASYNC102 - asyncio: it is shielded


async def _run_in_loop(
    loop: asyncio.AbstractEventLoop, work: Callable[[], Coroutine[Any, Any, T]]
) -> T:
    """Run work of asyncio for a task of trio; cancelling the task cancels the work."""
    token, ended = trio.lowlevel.current_trio_token(), trio.Event()

    def note_end(_: object) -> None:
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(ended.set)

    future = asyncio.run_coroutine_threadsafe(work(), loop)
    future.add_done_callback(note_end)
    try:
        await ended.wait()
    finally:
        future.cancel()
    return future.result()


async def _do(work: Callable[[], Awaitable[Any]], scope: trio.CancelScope, reply: Reply) -> None:
    """Run posted work and report its outcome."""
    result: outcome.Outcome[Any] = outcome.Error(_ended())
    try:
        with scope:
            result = outcome.Value(await work())
    except Exception as error:  # noqa: BLE001 - `run` raises it
        result = outcome.Error(error)
    finally:
        reply.give(result)


@asynccontextmanager
async def open_bridge() -> AsyncGenerator[Bridge]:
    """Run trio in a thread until the block ends."""
    loop = asyncio.get_running_loop()
    started, ended = futures.Future[Bridge](), Reply(loop, lambda: None)

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            started.set_result(Bridge(trio.lowlevel.current_trio_token(), nursery))
            await trio.sleep_forever()

    def run() -> None:
        result = outcome.capture(trio.run, main)
        if not started.done():  # trio could not start, perhaps for lack of descriptors
            problem = SessionProblem(
                f"Charlotte could not start its event loop: {result!r:.300}.",
                "Check the limits of this process, such as open files.",
            )
            problem.__cause__ = result.error if isinstance(result, outcome.Error) else None
            started.set_exception(problem)
        ended.give(result)

    thread = threading.Thread(target=run, name="charlotte", daemon=True)
    thread.start()
    bridge = started.result()  # takes milliseconds; an await could be cancelled

    def stop() -> None:
        with suppress(SessionProblem):
            bridge.post(bridge.end)

    def stop_at_exit() -> None:
        stop()
        thread.join(_EXIT_WAIT)

    atexit.register(stop_at_exit)
    try:
        yield bridge
    finally:
        stop()
        await asyncio.shield(ended.future)  # noqa: ASYNC102 - asyncio: it is shielded
        thread.join()  # ends at once
        atexit.unregister(stop_at_exit)
    ended.future.result().unwrap()
