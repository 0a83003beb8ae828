"""Actors that end permanently: given up, stopped or left by their callers."""

import math
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.kernel.mailbox import Event, Mailbox
from charlotte.actors.kernel.supervisor import RestartPolicy, open_supervisor
from charlotte.base.errors import SessionProblem, TabCrashed
from tests.actors.workers import (
    BUG,
    CLOSED,
    CLOSING,
    Answers,
    Like,
    Opener,
    Worker,
    crash,
    open_callers,
    supervising,
)


async def test_an_actor_that_crashes_too_often_is_given_up_and_its_neighbours_live(
    mailbox: Mailbox[Worker], opener: Opener, answers: Answers, autojump_clock: MockClock
) -> None:
    neighbour, other = Mailbox[Worker]("neighbour"), Opener()
    async with supervising() as supervisor, open_callers() as callers:
        await supervisor.start(neighbour, other)
        await supervisor.start(mailbox, opener)
        for _ in range(3):
            await crash(mailbox)
        callers.start_soon(answers.fail, mailbox, "last", BUG)
        await wait_all_tasks_blocked()
        for name in ("queued", "later"):
            await answers.note(mailbox, name)
        assert await neighbour.ask(Worker.note, "a") == "A"
        assert list(supervisor.children) == [neighbour]
    assert "Internal error" in answers.got["last"].message
    given_up = answers.got["later"]
    assert answers.got["queued"] == Like(given_up)
    assert given_up.code == "SESSION_ERROR"
    assert "worker was given up after 4 crashes in 30 s" in given_up.message
    assert "a bug" in given_up.message
    assert len(opener.opened) == 4
    assert len(other.opened) == 1


async def test_with_escalation_giving_up_fails_the_supervisor_with_the_cause(
    mailbox: Mailbox[Worker], opener: Opener, answers: Answers, autojump_clock: MockClock
) -> None:
    policy = RestartPolicy(limit=1, period=60.0, escalate=True)
    with pytest.RaisesGroup(pytest.RaisesGroup(ZeroDivisionError)):
        async with supervising(policy) as supervisor:
            supervisor.start_soon(mailbox, opener)
            await answers.fail(mailbox, "first", BUG)
            await answers.fail(mailbox, "second", BUG)
            await trio.sleep_forever()
    await answers.note(mailbox, "later")
    assert "given up after 2 crashes in 60 s" in answers.got["later"].message


async def test_an_actor_that_cannot_be_opened_is_tried_again_instead_of_escalating(
    mailbox: Mailbox[Worker], answers: Answers, autojump_clock: MockClock
) -> None:
    opener = Opener([BUG] * 20)
    async with supervising(RestartPolicy(limit=1, period=60.0, escalate=True)) as supervisor:
        supervisor.start_soon(mailbox, opener)
        await answers.note(mailbox, "first")
        await trio.sleep(200)
        await answers.note(mailbox, "later")
        await crash(mailbox)  # the failures of the start do not count
        assert await mailbox.ask(Worker.note, "a") == "A"
    assert "Internal error" in answers.got["first"].message
    assert answers.got["later"] == "LATER"


async def test_an_actor_can_have_a_policy_of_its_own(
    mailbox: Mailbox[Worker], opener: Opener, autojump_clock: MockClock
) -> None:
    async with supervising(RestartPolicy(limit=0, escalate=True)) as supervisor:
        supervisor.start_soon(mailbox, opener, policy=RestartPolicy(limit=math.inf))
        for _ in range(20):
            await crash(mailbox)
        assert await mailbox.ask(Worker.note, "a") == "A"


async def test_crashes_of_long_ago_do_not_count(
    mailbox: Mailbox[Worker], opener: Opener, autojump_clock: MockClock
) -> None:
    async with supervising() as supervisor:
        await supervisor.start(mailbox, opener)
        for _ in range(10):
            await crash(mailbox)
            await trio.sleep(10.5)
        before = trio.current_time()
        await trio.sleep(30)
        await crash(mailbox)
        await mailbox.ask(Worker.note, "a")
    assert opener.opened[-1] - before == pytest.approx(30.1)


@pytest.mark.parametrize("error", [BUG, TabCrashed("again")])
async def test_a_crash_while_reopening_is_a_crash_and_what_is_queued_waits_on(
    mailbox: Mailbox[Worker], error: Exception, autojump_clock: MockClock
) -> None:
    opener = Opener([None, error, error])
    async with supervising() as supervisor:
        await supervisor.start(mailbox, opener)
        await crash(mailbox)
        assert await mailbox.ask(Worker.note, "a") == "A"
    assert opener.waits() == pytest.approx([0.1, 0.2, 0.4])


async def test_what_cannot_be_reopened_refuses_what_is_queued_and_is_tried_again_on_request(
    mailbox: Mailbox[Worker], answers: Answers, autojump_clock: MockClock
) -> None:
    """As when Chromium is not installed, until it is."""
    missing, still_missing = SessionProblem("no Chromium"), SessionProblem("still none")
    opener = Opener([None, missing, still_missing])
    async with supervising() as supervisor, open_callers() as callers:
        await supervisor.start(mailbox, opener)
        callers.start_soon(answers.fail, mailbox, "bug", BUG)
        await wait_all_tasks_blocked()
        for name in ("a", "b"):
            callers.start_soon(answers.note, mailbox, name)
        await trio.sleep(20)
        assert (answers.got["a"], answers.got["b"]) == (Like(missing), Like(missing))
        assert len(opener.opened) == 2

        await answers.note(mailbox, "c")
        assert answers.got["c"] == Like(still_missing)
        assert await mailbox.ask(Worker.note, "d") == "D"
        assert len(supervisor.children[mailbox].crashes) == 1
    assert len(opener.opened) == 4


async def test_leaving_the_supervisor_answers_what_is_in_flight(
    mailbox: Mailbox[Worker], opener: Opener, answers: Answers
) -> None:
    async with open_callers() as callers:
        async with supervising() as supervisor:
            await supervisor.start(mailbox, opener)
            callers.start_soon(answers.work, mailbox, "a", trio.Event())
            await wait_all_tasks_blocked()
            callers.start_soon(answers.note, mailbox, "queued")
            await wait_all_tasks_blocked()
        await wait_all_tasks_blocked()
        assert answers.got == {"a": Like(CLOSING)}
        assert opener.closed == 1
        callers.cancel_scope.cancel()


async def test_stopping_answers_in_flight_queued_and_later_with_its_reason_and_waits_for_the_end(
    mailbox: Mailbox[Worker], opener: Opener, answers: Answers
) -> None:
    async with supervising() as supervisor, open_callers() as callers:
        await supervisor.start(mailbox, opener)
        callers.start_soon(answers.work, mailbox, "in flight", trio.Event())
        await wait_all_tasks_blocked()
        callers.start_soon(answers.note, mailbox, "queued")
        await wait_all_tasks_blocked()
        with capture_logs() as logs:
            await supervisor.stop(mailbox, reason=CLOSED)
        assert opener.closed == 1
        assert not supervisor.children
        assert not logs
        await answers.note(mailbox, "later")
        await supervisor.stop(mailbox, reason=SessionProblem("twice"))
    assert answers.got == dict.fromkeys(("in flight", "queued", "later"), Like(CLOSED))


@pytest.mark.parametrize("stopped", ["while it waits", "while it opens", "before it starts"])
async def test_an_actor_can_be_stopped_in_every_state(
    mailbox: Mailbox[Worker], stopped: str, answers: Answers, autojump_clock: MockClock
) -> None:
    opener = Opener([SessionProblem("not yet")])
    if stopped == "while it opens":
        opener.gate = trio.Event()
    async with supervising() as supervisor:
        if stopped == "before it starts":
            await supervisor.stop(mailbox, reason=CLOSED)
        supervisor.start_soon(mailbox, opener)
        await wait_all_tasks_blocked()
        await supervisor.stop(mailbox, reason=CLOSED)
        await answers.note(mailbox, "later")
        await wait_all_tasks_blocked()
        assert not supervisor.children
    assert answers.got == {"later": Like(CLOSED)}
    assert len(opener.opened) == (0 if stopped == "before it starts" else 1)


async def test_an_end_that_was_wanted_is_no_crash_even_if_the_actor_fails_first(
    mailbox: Mailbox[Worker], autojump_clock: MockClock
) -> None:
    """As when a page closes its window: the actor loses its session while it is being stopped."""
    published, gone, opened = list[Event](), trio.Event(), 0

    async def fail_once_gone() -> None:
        await gone.wait()
        raise BUG

    @asynccontextmanager
    async def losing() -> AsyncGenerator[Worker]:
        nonlocal opened
        opened += 1
        async with trio.open_nursery() as nursery:
            nursery.start_soon(fail_once_gone)
            yield Worker()

    with trio.fail_after(1000), capture_logs() as logs:
        async with open_supervisor(
            RestartPolicy(), lambda: CLOSING, published.append
        ) as supervisor:
            await supervisor.start(mailbox, losing)
            mailbox.close(CLOSED)
            gone.set()
            await trio.sleep(10)
            assert mailbox not in supervisor.children
    assert (published, logs, opened) == ([], [], 1)
