"""trio in a thread of its own, for asyncio: work goes over, its outcome comes back.

Work is cancelled with the asyncio task that waits for it, and that task goes on once the work has
ended. When the loop is closed without a word, trio ends too.
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
"""Seconds that work has to end in once it is cancelled."""

_EXIT_WAIT = 5.0


def _not_started(result: outcome.Outcome[None]) -> SessionProblem:
    problem = SessionProblem(
        f"Charlotte could not start its event loop: {result!r:.300}.",
        "Look at the limits of this process, such as its open files.",
    )
    problem.__cause__ = result.error if isinstance(result, outcome.Error) else None
    return problem


def _ended() -> SessionProblem:
    return SessionProblem("Charlotte has ended.", "Open it again.")


@attrs.define(eq=False)
class Reply:
    """Where asyncio waits for what trio comes to; ``nobody_there`` is called when it cannot."""

    loop: asyncio.AbstractEventLoop
    nobody_there: Callable[[], None]
    future: asyncio.Future[outcome.Outcome[Any]] = attrs.field(
        default=attrs.Factory(lambda self: self.loop.create_future(), takes_self=True)
    )

    def give(self, result: outcome.Outcome[Any]) -> None:
        """Wake who waits; called in trio's thread."""
        try:
            self.loop.call_soon_threadsafe(self._set, result)
        except RuntimeError:  # the loop is closed
            self.nobody_there()

    def _set(self, result: outcome.Outcome[Any]) -> None:
        if not self.future.done():
            self.future.set_result(result)


@attrs.define(eq=False)
class Bridge:
    """The way from asyncio to a trio that runs in another thread."""

    _token: trio.lowlevel.TrioToken
    _nursery: trio.Nursery

    def post(self, function: Callable[[], object]) -> None:
        """Have a function called in trio's thread, in order; raises `SessionProblem`."""
        try:
            self._token.run_sync_soon(function)
        except trio.RunFinishedError:
            raise _ended() from None

    def end(self) -> None:
        """Cancel all work; called in trio's thread."""
        self._nursery.cancel_scope.cancel("the asyncio program has gone")

    async def call(self, function: Callable[[], T]) -> T:
        """Call a function in trio's thread; return what it returns, raise what it raises."""

        async def work() -> T:
            await trio.lowlevel.checkpoint()
            return function()

        return await self.run(work)

    async def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do work in trio's thread; return what it returns, raise what it raises.

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
        """Keep a context manager of trio open; both its ends are in one task of trio."""
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
    """Do work that was handed over, and hand back what came of it."""
    result: outcome.Outcome[Any] = outcome.Error(_ended())
    try:
        with scope:
            result = outcome.Value(await work())
    except Exception as error:  # noqa: BLE001 - it is raised where the work was asked for
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
        if not started.done():  # trio could not start: there may be no descriptor left
            started.set_exception(_not_started(result))
        ended.give(result)

    thread = threading.Thread(target=run, name="charlotte", daemon=True)
    thread.start()
    bridge = started.result()  # there in a moment; waiting for it could be cancelled

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
        thread.join()  # it has nothing left to do
        atexit.unregister(stop_at_exit)
    ended.future.result().unwrap()
