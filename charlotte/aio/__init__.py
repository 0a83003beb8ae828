"""Charlotte for asyncio programs: the same sessions, tabs, methods, objects and errors.

    async with open_charlotte(Config()) as charlotte, charlotte.open_session() as session:
        tab = await session.open_tab("https://example.org")
        page = await tab.observe()

trio runs in its own thread until the block ends, or the process. Cancelling the asyncio task
that waits for a call cancels the call in trio, and the task continues when the call has ended.
"""

import asyncio
import atexit
import threading
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from concurrent import futures
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from typing import Any, Generic, Self

import attrs
import trio
from typing_extensions import TypeVar

from charlotte.actors.kernel import mailbox
from charlotte.actors.kernel.mailbox import STREAM_CAPACITY, Event, Restarted
from charlotte.actors.state.session_settings import UrlPolicy
from charlotte.answers.answer import Answer
from charlotte.api import app, session
from charlotte.base.errors import CharlotteError, SessionProblem, ellipsize
from charlotte.config.config import Config
from charlotte.tools.schema.tool import Tool
from charlotte.tools.toolkit import SessionMethods

__all__ = ["AsyncioCharlotte", "AsyncioEventStream", "AsyncioSession", "open_charlotte"]

T = TypeVar("T")
E = TypeVar("E", bound=Event, default=Event)
InnerT = TypeVar("InnerT", bound=session.Session | app.Charlotte)

_CANCEL_WAIT = 5.0
"""Seconds in which cancelled work has to end."""

_EXIT_WAIT = 5.0


@asynccontextmanager
async def open_charlotte(
    config: Config | None = None, *, on_restart: Callable[[Restarted], None] | None = None
) -> AsyncGenerator["AsyncioCharlotte"]:
    """Do the same as `charlotte.open_charlotte`, in another thread.

    ``on_restart`` is called in the program's event loop. Raises `RuntimeError` outside asyncio.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        text = "call this in asyncio; in trio, call charlotte.open_charlotte"
        raise RuntimeError(text) from None

    def note_restart(event: Restarted) -> None:
        if on_restart is not None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(on_restart, event)

    opened = partial(app.open_charlotte, config, on_restart=note_restart)
    async with open_bridge() as bridge, bridge.entered(opened) as running:
        yield AsyncioCharlotte(running, bridge)


class AsyncioEventStream(Generic[E]):
    """The events since the stream was created (see `charlotte.actors.kernel.mailbox`)."""

    def __init__(self, bridge: "Bridge", listen: Callable[[], mailbox.EventStream[E]]) -> None:
        self._bridge = bridge
        self._stream: mailbox.EventStream[E] | None = None
        self._taken = deque[E]()
        """Events that trio's stream has given, also to a task that was cancelled meanwhile."""

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
        if not self._taken:
            await self._bridge.run(self._take)
        return self._taken.popleft()

    async def _take(self) -> None:
        if self._stream is None:
            raise StopAsyncIteration
        self._taken.append(await anext(self._stream))


class Bridged(Generic[InnerT]):
    """The common part of sessions and servers for asyncio."""

    def __init__(self, inner: InnerT, bridge: "Bridge") -> None:
        self._inner = inner
        self._bridge = bridge

    def events(self, *kinds: type[E], capacity: int = STREAM_CAPACITY) -> AsyncioEventStream[E]:
        """Return the events of these tabs (and actors) from now on, of these kinds or all."""
        listen = partial(self._inner.events, *kinds, capacity=capacity)
        return AsyncioEventStream(self._bridge, listen)


class AsyncioSession(Bridged[session.Session], SessionMethods):
    """One session: its own cookies and storage, its own tabs; calls run in trio's thread."""

    async def status(self) -> dict[str, Any]:
        """Return the server's status (see `charlotte.actors.introspection`)."""
        return await self._bridge.run(self._inner.read_status)

    async def run_tool(self, tool: Tool[..., T], arguments: Mapping[str, Any]) -> T:
        """Run a tool; a tab that was opened when the task was cancelled is closed again."""
        undo = self._close if tool.name == "tab_open" else None
        return await self._bridge.run(partial(self._inner.run_tool, tool, arguments), undo)

    async def _close(self, opened: Any) -> None:
        with suppress(CharlotteError):
            await self._inner.call("tab_close", {"tab_id": opened.tab_id})

    async def call(self, name: str, arguments: dict[str, Any] | None = None) -> Answer:
        """Run a tool under any spelling of its name.

        Raises `UnknownTool`, or the `CharlotteError` that is the answer.
        """
        return await self._bridge.run(partial(self._inner.call, name, arguments))

    async def run_in_trio(self, function: Callable[[session.Session], Awaitable[T]]) -> T:
        """Run an async function with the session itself in trio's thread; return its result.

        Several calls in the function cross the threads once. Not for sessions on a cluster.
        """
        return await self._bridge.run(partial(function, self._inner))

    async def use_url_policy(self, policy: UrlPolicy) -> None:
        """Do the same as `Session.use_url_policy`; the function runs in the program's loop.

        Not for sessions on a cluster.
        """
        loop = asyncio.get_running_loop()

        async def ask(url: str) -> str | None:
            future = asyncio.run_coroutine_threadsafe(policy(url), loop)
            try:
                return await trio.to_thread.run_sync(future.result, abandon_on_cancel=True)
            finally:
                future.cancel()

        await self._bridge.run(partial(self._inner.use_url_policy, ask))


class AsyncioCharlotte(Bridged[app.Charlotte]):
    """One browser and its supervisor, serving many sessions."""

    async def status(self) -> dict[str, Any]:
        """Return the server's status (see `charlotte.actors.introspection`)."""

        async def read() -> dict[str, Any]:
            return self._inner.status()

        return await self._bridge.run(read)

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

    async def run(
        self, work: Callable[[], Awaitable[T]], undo: Callable[[T], Awaitable[object]] | None = None
    ) -> T:
        """Run work in trio's thread; return its result, or raise its error.

        ``undo`` gets the result of work that was done just before the task was cancelled.

        Raises:
            SessionProblem: trio has ended, or ends before the work does.
        """
        future, scope = futures.Future[T](), trio.CancelScope()

        def begin() -> None:
            try:
                self._nursery.start_soon(_do, work, scope, future)
            except RuntimeError:  # the nursery is closed
                future.set_exception(_ended())

        self.post(begin)
        waiting = asyncio.wrap_future(future)
        try:
            return await asyncio.shield(waiting)
        except asyncio.CancelledError:
            with suppress(SessionProblem):
                self.post(lambda: scope.cancel("the asyncio task was cancelled"))
            await asyncio.wait([waiting], timeout=_CANCEL_WAIT)  # noqa: ASYNC102 - it has a timeout
            # asyncio would log an exception that is not taken
            if waiting.done() and waiting.exception() is None and undo is not None:
                with suppress(SessionProblem):
                    result = waiting.result()
                    self.post(lambda: self._nursery.start_soon(undo, result))
            raise

    @asynccontextmanager
    async def entered(
        self, manager: Callable[[], AbstractAsyncContextManager[T]]
    ) -> AsyncGenerator[T]:
        """Enter and exit a trio context manager, both in the same trio task."""
        opened, leave = futures.Future[T](), trio.Event()

        async def hold() -> None:
            async with manager() as value:
                opened.set_result(value)
                await leave.wait()

        holding, opening = asyncio.create_task(self.run(hold)), asyncio.wrap_future(opened)
        first: list[asyncio.Future[Any]] = [holding, opening]
        try:
            await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
            if opening.done():
                yield opening.result()
        finally:
            if not opening.done():
                holding.cancel()
            with suppress(SessionProblem):
                self.post(leave.set)
            await asyncio.shield(holding)  # noqa: ASYNC102 - asyncio: it is shielded


async def _do(
    work: Callable[[], Awaitable[T]], scope: trio.CancelScope, future: futures.Future[T]
) -> None:
    """Run posted work and report its outcome."""
    try:
        with scope:
            future.set_result(await work())
    except Exception as error:  # noqa: BLE001 - `run` raises it
        future.set_exception(error)
    finally:
        if not future.done():
            future.set_exception(_ended())


@asynccontextmanager
async def open_bridge() -> AsyncGenerator[Bridge]:
    """Run trio in a thread until the block ends."""
    started, ended = futures.Future[Bridge](), futures.Future[None]()

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            started.set_result(Bridge(trio.lowlevel.current_trio_token(), nursery))
            await trio.sleep_forever()

    def run() -> None:
        try:
            trio.run(main)
            ended.set_result(None)
        except BaseException as error:  # noqa: ASYNC103, BLE001 - `open_bridge` raises it
            if not started.done():  # trio could not start, perhaps for lack of descriptors
                problem = SessionProblem(
                    f"Charlotte could not start its event loop: {ellipsize(repr(error), 300)}.",
                    "Check the limits of this process, such as open files.",
                )
                problem.__cause__ = error
                started.set_exception(problem)
            ended.set_exception(error)

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
        await asyncio.shield(asyncio.wrap_future(ended))  # noqa: ASYNC102 - asyncio: it is shielded
        thread.join()  # ends at once
        atexit.unregister(stop_at_exit)
