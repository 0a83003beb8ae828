"""Requests wait their turn and are answered exactly once, whatever becomes of caller or actor."""

import gc
import weakref
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.kernel.mailbox import CAPACITY, Mailbox, Message
from charlotte.base.errors import ElementNotFound, SessionProblem
from tests.actors.workers import Answers, Like, Worker, open_callers

REASON = SessionProblem("it was for the best")


@asynccontextmanager
async def serving(mailbox: Mailbox[Worker], worker: Worker) -> AsyncGenerator[trio.Nursery]:
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(mailbox.serve, worker)  # noqa: ASYNC113 - requests queue till then
            yield nursery
            nursery.cancel_scope.cancel()


async def test_a_method_runs_in_the_actor_and_its_result_comes_back(
    mailbox: Mailbox[Worker], worker: Worker
) -> None:
    async with serving(mailbox, worker):
        assert await mailbox.ask(Worker.note, "a") == "A"
        assert await mailbox.ask(Worker.note, name="b") == "B"
    assert worker.done == ["a", "b"]


async def test_a_mailbox_refuses_new_messages_of_all_but_the_holder(worker: Worker) -> None:
    refusals: list[SessionProblem] = []
    mailbox = Mailbox[Worker]("shared", refusal=lambda: refusals[0] if refusals else None)
    async with serving(mailbox, worker):
        refusals.append(SessionProblem("taken"))
        with pytest.raises(SessionProblem, match="taken"):
            await mailbox.ask(Worker.note, "a")
        message = Message(lambda state: state.note("mine"), "note", is_holders=True)
        async with mailbox.post(message):
            assert "MINE" == await message.result()
        refusals.clear()
        assert "B" == await mailbox.ask(Worker.note, "b")
    assert worker.done == ["mine", "b"]


async def test_requests_are_served_one_at_a_time_in_order_of_arrival(
    mailbox: Mailbox[Worker], worker: Worker, answers: Answers
) -> None:
    finish = trio.Event()
    async with serving(mailbox, worker), open_callers() as callers:
        for name in "abc":
            callers.start_soon(answers.work, mailbox, name, finish)
            await wait_all_tasks_blocked()
        assert worker.done == ["a"]
        finish.set()
    assert worker.done == ["a", "a!", "b", "b!", "c", "c!"]
    assert worker.most_at_once == 1


async def test_several_workers_serve_concurrently_and_no_more_than_there_are(
    worker: Worker, answers: Answers
) -> None:
    mailbox, finish = Mailbox[Worker]("many", workers=3), trio.Event()
    async with serving(mailbox, worker), open_callers() as callers:
        for name in "abcde":
            callers.start_soon(answers.work, mailbox, name, finish)
        await wait_all_tasks_blocked()
        assert worker.doing == 3
        finish.set()
    assert worker.most_at_once == 3
    assert len(worker.done) == 10


async def test_a_domain_error_is_an_answer_and_the_actor_lives(
    mailbox: Mailbox[Worker], worker: Worker
) -> None:
    error = ElementNotFound("no btn-1")
    async with serving(mailbox, worker):
        with pytest.raises(ElementNotFound) as raised:
            await mailbox.ask(Worker.fail, error)
        assert raised.value is error
        assert await mailbox.ask(Worker.note, "a") == "A"


async def test_a_caller_that_leaves_before_its_turn_has_nothing_done(
    mailbox: Mailbox[Worker], worker: Worker, answers: Answers
) -> None:
    finish = trio.Event()
    async with serving(mailbox, worker), open_callers() as callers:
        callers.start_soon(answers.work, mailbox, "first", finish)
        await wait_all_tasks_blocked()
        async with trio.open_nursery() as leaving:
            leaving.start_soon(answers.note, mailbox, "second")
            await wait_all_tasks_blocked()
            leaving.cancel_scope.cancel()
        callers.start_soon(answers.note, mailbox, "third")
        finish.set()
    assert worker.done == ["first", "first!", "third"]


async def test_a_caller_that_leaves_takes_its_work_with_it(
    mailbox: Mailbox[Worker], worker: Worker, answers: Answers
) -> None:
    async with serving(mailbox, worker):
        async with trio.open_nursery() as leaving:
            leaving.start_soon(answers.work, mailbox, "endless", trio.Event())
            await wait_all_tasks_blocked()
            assert worker.doing == 1
            leaving.cancel_scope.cancel()
        assert await mailbox.ask(Worker.note, "next") == "NEXT"
        assert worker.doing == 0
    assert worker.done == ["endless", "next"]


async def test_a_deadline_around_a_request_ends_it(
    mailbox: Mailbox[Worker], worker: Worker, autojump_clock: MockClock
) -> None:
    async with serving(mailbox, worker):
        with pytest.raises(trio.TooSlowError), trio.fail_after(2.5):
            await mailbox.ask(Worker.work, "slow", trio.Event())
        assert trio.current_time() == 2.5
        assert await mailbox.ask(Worker.note, "next") == "NEXT"
        assert worker.doing == 0


async def test_a_full_mailbox_lets_callers_wait_for_room(
    mailbox: Mailbox[Worker], worker: Worker, answers: Answers
) -> None:
    names = [f"{number:02}" for number in range(CAPACITY + 3)]
    async with open_callers() as callers:
        for name in names:
            callers.start_soon(answers.note, mailbox, name)
            await wait_all_tasks_blocked()
        assert mailbox.statistics().queued == CAPACITY
        async with serving(mailbox, worker):
            await wait_all_tasks_blocked()
    assert worker.done == names
    assert set(answers.got) == set(names)


async def test_an_interruption_answers_what_is_in_flight_and_leaves_what_is_queued(
    mailbox: Mailbox[Worker], worker: Worker, answers: Answers
) -> None:
    async with open_callers() as callers:
        async with serving(mailbox, worker) as incarnation:
            callers.start_soon(answers.work, mailbox, "first", trio.Event())
            await wait_all_tasks_blocked()
            callers.start_soon(answers.note, mailbox, "second")
            await wait_all_tasks_blocked()
            incarnation.cancel_scope.cancel()
        mailbox.interrupt(REASON)
        await wait_all_tasks_blocked()
        assert answers.got == {"first": Like(REASON)}
        async with serving(mailbox, worker):
            await wait_all_tasks_blocked()
    assert answers.got == {"first": Like(REASON), "second": "SECOND"}
    assert worker.done == ["first", "second"]


async def test_refusing_answers_queued_messages_but_not_later_messages(
    worker: Worker, answers: Answers
) -> None:
    mailbox = Mailbox[Worker]("small", capacity=1)
    async with open_callers() as callers:
        for name in ("held", "queued", "no room", "no room either"):
            callers.start_soon(answers.note, mailbox, name)
            await wait_all_tasks_blocked()
        await mailbox.wait_for_message()
        mailbox.refuse(REASON)
        await wait_all_tasks_blocked()
        assert all(one == Like(REASON) for one in answers.got.values())
        assert len(answers.got) == 4
        callers.start_soon(answers.note, mailbox, "later")
        async with serving(mailbox, worker):
            await wait_all_tasks_blocked()
    assert answers.got["later"] == "LATER"


async def test_closing_answers_everybody_now_and_for_ever_with_the_first_reason(
    worker: Worker, answers: Answers
) -> None:
    mailbox = Mailbox[Worker]("small", capacity=1)
    async with serving(mailbox, worker), open_callers() as callers:
        callers.start_soon(answers.work, mailbox, "in flight", trio.Event())
        await wait_all_tasks_blocked()
        for name in ("queued", "no room", "no room either"):
            callers.start_soon(answers.note, mailbox, name)
        await wait_all_tasks_blocked()
        mailbox.close(REASON)
        mailbox.close(SessionProblem("another reason"))
        await answers.note(mailbox, "later")
    assert len(answers.got) == 5
    assert all(one == Like(REASON) for one in answers.got.values())


async def test_statistics_say_what_is_queued_and_what_is_done_since_when(
    mailbox: Mailbox[Worker], worker: Worker, answers: Answers, autojump_clock: MockClock
) -> None:
    idle = mailbox.statistics()
    assert (idle.queued, idle.capacity, idle.doing, idle.since) == (0, CAPACITY, (), None)
    await trio.sleep(3)
    async with serving(mailbox, worker), open_callers() as callers:
        callers.start_soon(answers.work, mailbox, "a", trio.Event())
        await wait_all_tasks_blocked()
        callers.start_soon(answers.note, mailbox, "b")
        await trio.sleep(1)
        busy = mailbox.statistics()
        assert (busy.queued, busy.doing, busy.since) == (1, ("work",), 3.0)
        assert repr(mailbox) == "<Mailbox worker: 1 in flight>"
        callers.cancel_scope.cancel()


async def test_an_error_that_was_raised_is_freed_without_a_collection(
    mailbox: Mailbox[Worker], worker: Worker
) -> None:
    async def fail(_: Worker) -> None:
        raise ElementNotFound("no btn-1")

    left = list[weakref.ref[ElementNotFound]]()
    gc.disable()
    try:
        async with serving(mailbox, worker):
            try:
                await mailbox.ask(fail)
            except ElementNotFound as error:
                left.append(weakref.ref(error))
            await wait_all_tasks_blocked()
            assert [one() for one in left] == [None]
    finally:
        gc.enable()
