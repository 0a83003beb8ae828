"""Actors are kept alive one for one: restarted or given up, and nobody waits for ever."""

import itertools
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import attrs
import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.mailbox import Mailbox
from charlotte.actors.supervisor import RestartPolicy, Supervisor, open_supervisor
from charlotte.errors import (
    CharlotteError,
    ConnectionLost,
    ElementNotFound,
    SessionProblem,
    TabCrashed,
    TabNotFound,
)
from tests.actors.workers import Answers, Worker, open_callers

CLOSING = SessionProblem("shutting down")
CLOSED = TabNotFound("closed")
BUG = ZeroDivisionError("a bug")


@attrs.define(eq=False)
class Opener:
    """Opens a new worker each time; ``failures`` are raised instead, one per opening.

    ``opened`` has the times of all openings, ``closed`` counts the orderly ends of incarnations.
    """

    failures: list[Exception | None] = attrs.field(factory=list[Exception | None])
    opened: list[float] = attrs.field(factory=list[float])
    workers: list[Worker] = attrs.field(factory=list[Worker])
    closed: int = 0
    gate: trio.Event = attrs.field(factory=trio.Event)

    def __attrs_post_init__(self) -> None:
        self.gate.set()

    @asynccontextmanager
    async def __call__(self) -> AsyncGenerator[Worker]:
        self.opened.append(trio.current_time())
        await self.gate.wait()
        if self.failures and (failure := self.failures.pop(0)):
            raise failure
        self.workers.append(Worker())
        try:
            yield self.workers[-1]
        finally:
            self.closed += 1

    def waits(self) -> list[float]:
        """The seconds between openings."""
        return [later - earlier for earlier, later in itertools.pairwise(self.opened)]


@pytest.fixture
def mailbox() -> Mailbox[Worker]:
    return Mailbox("worker")


@pytest.fixture
def opener() -> Opener:
    return Opener()


@pytest.fixture
def answers() -> Answers:
    return Answers()


@asynccontextmanager
async def supervising(
    policy: RestartPolicy | None = None,
) -> AsyncGenerator[Supervisor]:
    with trio.fail_after(1000):
        async with open_supervisor(policy or RestartPolicy(), lambda: CLOSING) as supervisor:
            yield supervisor


async def crash(mailbox: Mailbox[Worker], error: Exception = BUG) -> CharlotteError:
    with pytest.raises(CharlotteError) as raised:
        await mailbox.ask(Worker.fail, error)
    return raised.value


async def test_an_actor_is_ready_when_start_returns(
    mailbox: Mailbox[Worker], opener: Opener
) -> None:
    async with supervising() as supervisor:
        await supervisor.start(mailbox, opener)
        assert len(opener.workers) == 1
        assert await mailbox.ask(Worker.note, "a") == "A"
    assert opener.closed == 1


async def test_requests_queue_while_an_actor_that_nobody_waits_for_is_opened(
    mailbox: Mailbox[Worker], opener: Opener
) -> None:
    async with supervising() as supervisor:
        supervisor.start_soon(mailbox, opener)
        assert await mailbox.ask(Worker.note, "a") == "A"


@pytest.mark.parametrize("error", [ElementNotFound("x"), TabCrashed("x"), ConnectionLost("x")])
async def test_a_failure_of_the_first_opening_is_raised_to_whoever_starts_it(
    mailbox: Mailbox[Worker], error: CharlotteError
) -> None:
    async with supervising() as supervisor:
        with pytest.raises(type(error)) as raised:
            await supervisor.start(mailbox, Opener([error]))
        assert raised.value is error
        assert not supervisor.children


async def test_a_bug_in_the_first_opening_is_raised_as_an_internal_error(
    mailbox: Mailbox[Worker],
) -> None:
    async with supervising() as supervisor:
        with pytest.raises(SessionProblem, match="Internal error in worker: ZeroDiv") as raised:
            await supervisor.start(mailbox, Opener([BUG]))
        assert raised.value.__cause__ is BUG


async def test_an_actor_that_is_stopped_while_it_opens_is_told_to_whoever_starts_it(
    mailbox: Mailbox[Worker], opener: Opener
) -> None:
    async def start() -> None:
        with pytest.raises(TabNotFound):
            await supervisor.start(mailbox, opener)

    opener.gate = trio.Event()
    async with supervising() as supervisor, trio.open_nursery() as nursery:
        nursery.start_soon(start)
        await wait_all_tasks_blocked()
        await supervisor.stop(mailbox, CLOSED)


async def test_a_bug_answers_its_caller_and_a_clean_incarnation_follows(
    mailbox: Mailbox[Worker], opener: Opener, autojump_clock: MockClock
) -> None:
    async with supervising() as supervisor:
        await supervisor.start(mailbox, opener)
        told = await crash(mailbox)
        assert told.code == "SESSION_ERROR"
        assert told.__cause__ is not None
        assert "Internal error in worker: ZeroDivisionError('a bug')" in told.message
        assert "may or may not have happened" in told.message
        assert await mailbox.ask(Worker.note, "a") == "A"
    first, second = opener.workers
    assert (first.done, second.done) == (["ZeroDivisionError"], ["a"])
    assert opener.closed == 2


async def test_a_bug_inside_groups_is_told_without_them(
    mailbox: Mailbox[Worker], opener: Opener, autojump_clock: MockClock
) -> None:
    async with supervising() as supervisor:
        await supervisor.start(mailbox, opener)
        told = await crash(mailbox, ExceptionGroup("outer", [ExceptionGroup("inner", [BUG])]))
        assert "ZeroDivisionError('a bug')" in told.message
        assert "Group" not in told.message


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
    assert answers.got == {"neighbour": error, "fatal": error}
    assert len(opener.workers) == 2


async def test_what_is_queued_waits_through_the_restart_and_what_was_in_flight_is_not_repeated(
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
        assert answers.got == {"a": error}
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


def test_no_wait_is_longer_than_the_longest() -> None:
    async def waits() -> list[float | None]:
        policy, crashes = RestartPolicy(limit=8), deque[float]()
        return [policy.wait_after(crashes) for _ in range(9)]

    expected = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0, None]
    assert trio.run(waits) == pytest.approx(expected)


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
    assert answers.got["queued"] is given_up
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
        assert (answers.got["a"], answers.got["b"]) == (missing, missing)
        assert len(opener.opened) == 2

        await answers.note(mailbox, "c")
        assert answers.got["c"] is still_missing
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
        assert answers.got == {"a": CLOSING}
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
            await supervisor.stop(mailbox, CLOSED)
        assert opener.closed == 1
        assert not supervisor.children
        assert not logs
        await answers.note(mailbox, "later")
        await supervisor.stop(mailbox, SessionProblem("twice"))
    assert answers.got == {"in flight": CLOSED, "queued": CLOSED, "later": CLOSED}


@pytest.mark.parametrize("way", ["stopped", "left", "stopped while it opens"])
async def test_an_actor_that_fails_while_it_is_ended_harms_nobody(
    mailbox: Mailbox[Worker], opener: Opener, answers: Answers, way: str
) -> None:
    neighbour, opens = Mailbox[Worker]("neighbour"), way == "stopped while it opens"

    async def fail_at_the_end() -> None:
        try:
            await trio.sleep_forever()
        finally:
            raise BUG

    @asynccontextmanager
    async def fragile() -> AsyncGenerator[Worker]:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(fail_at_the_end)
            if opens:
                await trio.sleep_forever()
            yield Worker()

    async with open_callers() as callers:
        async with supervising() as supervisor:
            await supervisor.start(neighbour, opener)
            supervisor.start_soon(mailbox, fragile)
            callers.start_soon(answers.work, mailbox, "a", trio.Event())
            await wait_all_tasks_blocked()
            if way != "left":
                await supervisor.stop(mailbox, CLOSED)
                assert await neighbour.ask(Worker.note, "b") == "B"
        await wait_all_tasks_blocked()
        assert answers.got == {"a": CLOSING if way == "left" else CLOSED}


@pytest.mark.parametrize("stopped", ["while it waits", "while it opens", "before it starts"])
async def test_an_actor_can_be_stopped_in_every_state(
    mailbox: Mailbox[Worker], stopped: str, answers: Answers, autojump_clock: MockClock
) -> None:
    opener = Opener([SessionProblem("not yet")])
    if stopped == "while it opens":
        opener.gate = trio.Event()
    async with supervising() as supervisor:
        if stopped == "before it starts":
            await supervisor.stop(mailbox, CLOSED)
        supervisor.start_soon(mailbox, opener)
        await wait_all_tasks_blocked()
        await supervisor.stop(mailbox, CLOSED)
        await answers.note(mailbox, "later")
        await wait_all_tasks_blocked()
        assert not supervisor.children
    assert answers.got == {"later": CLOSED}
    assert len(opener.opened) == (0 if stopped == "before it starts" else 1)
