"""Actors are supervised one for one: a crashed actor is opened again after a wait."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.kernel.supervisor import RestartPolicy
from charlotte.base.errors import CharlotteError, ConnectionLost, ElementNotFound, TabCrashed
from tests.actors.workers import (
    BUG,
    Answers,
    Like,
    Opener,
    Worker,
    crash,
    open_callers,
    supervising,
)


@pytest.mark.parametrize("error", [ElementNotFound("x"), TabCrashed("x"), ConnectionLost("x")])
async def test_a_failure_of_the_first_opening_is_raised_to_the_starter(
    mailbox: Mailbox[Worker], error: CharlotteError
) -> None:
    async with supervising() as supervisor:
        with pytest.raises(type(error)) as raised:
            await supervisor.start(mailbox, Opener([error]))
        assert raised.value is error
        assert not supervisor.children


async def test_a_bug_answers_its_caller_and_a_clean_incarnation_follows(
    mailbox: Mailbox[Worker], opener: Opener, autojump_clock: MockClock
) -> None:
    async with supervising() as supervisor:
        await supervisor.start(mailbox, opener)
        error = await crash(mailbox)
        assert error.code == "SESSION_ERROR"
        assert error.__cause__ is not None
        assert "Internal error in worker: ZeroDivisionError('a bug')" in error.message
        assert "may or may not have happened" in error.message
        assert await mailbox.ask(Worker.note, "a") == "A"
    first, second = opener.workers
    assert (first.done, second.done) == (["ZeroDivisionError"], ["a"])
    assert opener.closed == 2


async def test_a_bug_inside_groups_is_reported_without_the_groups(
    mailbox: Mailbox[Worker], opener: Opener, autojump_clock: MockClock
) -> None:
    async with supervising() as supervisor:
        await supervisor.start(mailbox, opener)
        error = await crash(mailbox, ExceptionGroup("outer", [ExceptionGroup("inner", [BUG])]))
        assert "ZeroDivisionError('a bug')" in error.message
        assert "Group" not in error.message


@pytest.mark.parametrize(
    ("error", "cause", "traceback_of"),
    [
        (TabCrashed("gone"), "gone", None),
        (ExceptionGroup("both", [TabCrashed("gone"), BUG]), "gone", BUG),
        (BUG, "Internal error in worker", BUG),
    ],
)
async def test_a_crash_is_logged_with_its_cause_and_a_traceback_of_bugs_only(
    opener: Opener,
    error: Exception,
    cause: str,
    traceback_of: Exception | None,
    autojump_clock: MockClock,
) -> None:
    mailbox = Mailbox[Worker]("worker")
    with capture_logs() as logs:
        async with supervising() as supervisor:
            await supervisor.start(mailbox, opener)
            await crash(mailbox, error)
    (crashed,) = [entry for entry in logs if entry["event"] == "actor crashed"]
    assert cause in crashed["cause"]
    assert repr(traceback_of) in repr(crashed["exc_info"])
    assert "TabCrashed" not in repr(crashed["exc_info"])


async def test_a_fatal_error_answers_all_in_flight_and_a_new_incarnation_follows(
    opener: Opener, answers: Answers, autojump_clock: MockClock
) -> None:
    mailbox, error = Mailbox[Worker]("worker", workers=2), TabCrashed("gone")
    async with supervising() as supervisor, open_callers() as callers:
        await supervisor.start(mailbox, opener)
        callers.start_soon(answers.work, mailbox, "neighbour", trio.Event())
        await wait_all_tasks_blocked()
        await answers.fail(mailbox, "fatal", error)
        assert await mailbox.ask(Worker.note, "next") == "NEXT"
    assert answers.got == {"neighbour": Like(error), "fatal": Like(error)}
    assert len(opener.workers) == 2


async def test_a_restart_keeps_queued_messages_and_repeats_none_in_flight(
    mailbox: Mailbox[Worker], opener: Opener, answers: Answers, autojump_clock: MockClock
) -> None:
    async with supervising() as supervisor, open_callers() as callers:
        supervisor.start_soon(mailbox, opener)
        callers.start_soon(answers.fail, mailbox, "bug", BUG)
        await wait_all_tasks_blocked()
        for name in ("a", "b"):
            callers.start_soon(answers.note, mailbox, name)
    first, second = opener.workers
    assert first.done == ["ZeroDivisionError"]
    assert sorted(second.done) == ["a", "b"]
    assert set(answers.got) == {"bug", "a", "b"}


@pytest.mark.parametrize("error", [TabCrashed("gone"), ElementNotFound("odd, but an end too")])
async def test_a_failure_beside_the_requests_interrupts_the_one_in_flight_and_is_a_crash(
    mailbox: Mailbox[Worker], answers: Answers, error: CharlotteError, autojump_clock: MockClock
) -> None:
    """As when a tab's event pump learns that the renderer has died."""
    dies = trio.Event()

    async def pump() -> None:
        await dies.wait()
        raise error

    @asynccontextmanager
    async def opener() -> AsyncGenerator[Worker]:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pump)
            yield Worker()
            nursery.cancel_scope.cancel()

    async with supervising() as supervisor, open_callers() as callers:
        await supervisor.start(mailbox, opener)
        callers.start_soon(answers.work, mailbox, "a", trio.Event())
        await wait_all_tasks_blocked()
        dies.set()
        await wait_all_tasks_blocked()
        assert answers.got == {"a": Like(error)}
        assert len(supervisor.children[mailbox].crashes) == 1


async def test_each_restart_waits_twice_as_long_as_the_one_before(
    mailbox: Mailbox[Worker], opener: Opener, autojump_clock: MockClock
) -> None:
    async with supervising() as supervisor:
        await supervisor.start(mailbox, opener)
        for _ in range(3):
            await crash(mailbox)
        await mailbox.ask(Worker.note, "a")
        assert supervisor.children[mailbox].restarts == 3
    assert opener.waits() == pytest.approx([0.1, 0.2, 0.4])


async def test_an_actor_on_demand_is_opened_by_the_first_message(
    mailbox: Mailbox[Worker], opener: Opener
) -> None:
    async with supervising() as supervisor:
        supervisor.start_soon(mailbox, opener, on_demand=True)
        assert mailbox.dormant
        await wait_all_tasks_blocked()
        assert not opener.opened
        assert await mailbox.ask(Worker.note, "a") == "A"
        assert not mailbox.dormant


@pytest.mark.parametrize("error", [BUG, ConnectionLost("gone")])
async def test_an_actor_on_demand_is_opened_again_only_by_a_message(
    mailbox: Mailbox[Worker], opener: Opener, autojump_clock: MockClock, error: Exception
) -> None:
    policy = RestartPolicy(limit=1, escalate=True)
    async with supervising(policy) as supervisor:
        supervisor.start_soon(mailbox, opener, on_demand=True)
        for ended in range(1, 5):
            await crash(mailbox, error)
            await trio.sleep(60)
            assert mailbox.dormant
            assert len(opener.opened) == ended


async def test_an_interrupt_leaves_the_block_without_the_error_of_the_call_that_it_ended(
    mailbox: Mailbox[Worker], opener: Opener
) -> None:
    async def interrupt(_: Worker) -> None:
        raise KeyboardInterrupt

    async def work() -> None:
        async with supervising() as supervisor:
            await supervisor.start(mailbox, opener)
            await mailbox.ask(interrupt)

    with pytest.raises(BaseExceptionGroup) as raised:
        await work()
    assert raised.value.split(KeyboardInterrupt)[1] is None
