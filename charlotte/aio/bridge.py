"""A trio event loop in its own thread, which runs work for asyncio.

Cancelling the asyncio task that waits for work cancels the work, and the task continues when the
work has ended. trio ends when the asyncio loop is closed.
"""

import asyncio
import atexit
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent import futures
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any, TypeVar

import attrs
import outcome
import trio

from charlotte.errors import SessionProblem

T = TypeVar("T")

_CANCEL_WAIT = 5.0
"""Seconds in which cancelled work has to end."""

_EXIT_WAIT = 5.0


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
