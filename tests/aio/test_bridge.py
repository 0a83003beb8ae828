"""trio in a thread of its own: passing of work and results, cancellation, and the end."""

import asyncio
import errno
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import attrs
import pytest
import trio

from charlotte.actors.kernel.mailbox import Feed, Restarted
from charlotte.aio import AsyncioEventStream, Bridge, open_bridge
from charlotte.base.errors import SessionProblem
from tests.programs import Ran, run_python

PROBLEM = SessionProblem("ended")


def bridged(test: Callable[[Bridge], Awaitable[None]]) -> Callable[[], None]:
    """Decorate a test to run in asyncio with a bridge, and to check that the thread ends."""

    async def main() -> None:
        async with asyncio.timeout(30), open_bridge() as bridge:
            await test(bridge)

    def run() -> None:
        asyncio.run(main())
        assert "charlotte" not in [thread.name for thread in threading.enumerate()]

    return run


@attrs.define(eq=False)
class Endless:
    """Work that runs until it is cancelled; events may be set only in trio's thread."""

    begun: threading.Event = attrs.field(factory=threading.Event)
    cancelled: bool = False

    async def __call__(self) -> None:
        self.begun.set()
        try:
            await trio.sleep_forever()
        except trio.Cancelled:
            self.cancelled = True
            raise

    async def has_begun(self) -> None:
        await asyncio.to_thread(self.begun.wait, 10)


@bridged
async def test_results_and_errors_of_trio_reach_asyncio(bridge: Bridge) -> None:
    error = ZeroDivisionError("mine")

    async def find_thread() -> str:
        return threading.current_thread().name

    async def fail() -> None:
        raise error

    assert "charlotte" == await bridge.run(find_thread)
    with pytest.raises(ZeroDivisionError) as raised:
        await bridge.run(fail)
    assert error is raised.value


@bridged
async def test_calls_run_concurrently(bridge: Bridge) -> None:
    met = trio.Event()

    async def meet() -> str:
        met.set()
        return "met"

    async def wait() -> str:
        await met.wait()
        return "waited"

    assert ["waited", "met"] == [*await asyncio.gather(bridge.run(wait), bridge.run(meet))]


@bridged
async def test_a_cancelled_task_continues_after_its_work_has_ended(bridge: Bridge) -> None:
    work = Endless()
    task = asyncio.create_task(bridge.run(work))
    await work.has_begun()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert work.cancelled


@bridged
async def test_an_asyncio_timeout_ends_the_work(bridge: Bridge) -> None:
    work = Endless()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await bridge.run(work)
    assert work.cancelled or not work.begun.is_set()


@bridged
async def test_work_that_was_done_as_its_task_was_cancelled_is_undone(bridge: Bridge) -> None:
    done, undone = threading.Event(), threading.Event()

    async def work() -> str:
        done.set()
        return "opened"

    async def undo(result: str) -> None:
        assert result == "opened"
        undone.set()

    task = asyncio.create_task(bridge.run(work, undo))
    await asyncio.sleep(0)  # the task posts its work
    done.wait(30)  # asyncio must not see the result yet
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(undone.wait, 30)


@bridged
async def test_an_event_that_arrives_as_its_task_is_cancelled_is_not_lost(bridge: Bridge) -> None:
    feed = Feed()
    stream = AsyncioEventStream(bridge, feed.subscribe)
    task = asyncio.create_task(anext(stream))
    await bridge.run(trio.lowlevel.checkpoint)
    first, second = (Restarted(actor=name, cause=PROBLEM, restarts=1, wait=0.1) for name in "ab")
    bridge.post(lambda: feed.publish(first))
    while not stream._taken:  # pyright: ignore[reportPrivateUsage] # asyncio must not see it
        pass
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    bridge.post(lambda: feed.publish(second))
    assert [await anext(stream), await anext(stream)] == [first, second]


def test_work_is_refused_after_trio_has_ended() -> None:
    kept: list[Bridge] = []

    async def test(bridge: Bridge) -> None:
        kept.append(bridge)
        work = Endless()
        task = asyncio.create_task(bridge.run(work))
        await work.has_begun()
        bridge.post(bridge.end)
        with pytest.raises(SessionProblem, match="has ended"):
            await task

    async def too_late() -> None:
        with pytest.raises(SessionProblem, match="has ended"):
            await kept[0].run(trio.lowlevel.checkpoint)

    bridged(test)()
    asyncio.run(too_late())


@attrs.define(eq=False)
class Managed:
    """A trio context manager that records the tasks of its entry and exit."""

    fails_at_first: bool = False
    fails_at_last: bool = False
    tasks: list[trio.lowlevel.Task] = attrs.field(factory=list["trio.lowlevel.Task"])

    @asynccontextmanager
    async def __call__(self) -> AsyncGenerator[str]:
        self.tasks.append(trio.lowlevel.current_task())
        if self.fails_at_first:
            raise ZeroDivisionError
        async with trio.open_nursery():  # must be left in the task that entered it
            yield "opened"
        self.tasks.append(trio.lowlevel.current_task())
        if self.fails_at_last:
            raise ZeroDivisionError


@bridged
async def test_a_context_manager_is_entered_and_left_in_one_trio_task(bridge: Bridge) -> None:
    managed = Managed()
    async with bridge.entered(managed) as value:
        assert "opened" == value
        assert 1 == len(managed.tasks)
    first, last = managed.tasks
    assert first is last


@bridged
async def test_an_error_at_either_end_of_a_context_manager_is_raised_there(bridge: Bridge) -> None:
    for managed in (Managed(fails_at_first=True), Managed(fails_at_last=True)):
        bodies: list[str] = []
        with pytest.raises(ZeroDivisionError):
            async with bridge.entered(managed) as value:
                bodies.append(value)
        assert (["opened"] if managed.fails_at_last else []) == bodies


@bridged
async def test_an_error_in_the_block_leaves_the_context_manager_and_propagates(
    bridge: Bridge,
) -> None:
    managed = Managed()
    with pytest.raises(KeyError):
        async with bridge.entered(managed):
            raise KeyError
    assert 2 == len(managed.tasks)


@bridged
async def test_a_cancelled_opening_is_ended(bridge: Bridge) -> None:
    work = Endless()

    @asynccontextmanager
    async def manager() -> AsyncGenerator[None]:
        await work()
        yield

    async def enter(bridge: Bridge) -> None:
        async with bridge.entered(manager):
            pass

    task = asyncio.create_task(enter(bridge))
    await work.has_begun()
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    assert work.cancelled


def test_a_program_that_abandons_its_loop_ends_immediately() -> None:
    assert Ran(0, "cancelled\n", "") == run_python("-c", LEAVING)


LEAVING = """
import asyncio, trio, trio.testing
from charlotte.aio import open_bridge

async def work():
    try:
        await trio.sleep_forever()
    finally:
        print("cancelled")

async def main():
    bridge = await opened.__aenter__()
    bridge.post(lambda: bridge._nursery.start_soon(work))
    await bridge.run(trio.testing.wait_all_tasks_blocked)

opened = open_bridge()
loop = asyncio.new_event_loop()
loop.run_until_complete(main())
loop.close()
"""


def test_a_trio_thread_that_cannot_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    async def test() -> None:
        async with asyncio.timeout(5), open_bridge():
            pass

    monkeypatch.setattr("charlotte.aio.trio.run", fails)
    with pytest.raises(SessionProblem, match="Too many open files"):
        asyncio.run(test())
