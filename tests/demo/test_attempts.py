"""Trying things at the same time, and giving up on what takes too long."""

import io
from functools import partial

import pytest
import trio
from trio.testing import MockClock

from charlotte.demo.attempts import Failed, in_time, together
from charlotte.demo.client import RequestFailed
from charlotte.demo.report import Report

QUIET = Report(io.StringIO(), io.StringIO())


async def test_jobs_run_at_the_same_time(autojump_clock: MockClock) -> None:
    jobs = [partial(trio.sleep, seconds) for seconds in (1, 3, 2)]

    assert 3 == await together(QUIET, "sleeping", jobs)


async def test_every_failure_is_told_and_the_other_jobs_still_end(
    autojump_clock: MockClock,
) -> None:
    ended: list[int] = []

    async def job(number: int) -> None:
        await trio.sleep(number)
        if number == 1:
            raise Failed("one", "uno")
        if number == 2:
            raise RequestFailed("two")
        ended.append(number)

    with pytest.raises(Failed) as caught:
        await together(QUIET, "counting", [partial(job, number) for number in (3, 2, 1)])
    assert ("one", "uno", "two") == caught.value.args
    assert [3] == ended


async def test_an_answer_that_does_not_come_is_given_up(autojump_clock: MockClock) -> None:
    with pytest.raises(Failed, match="find did not answer within 10 s"):
        await in_time("find", trio.Event().wait())
