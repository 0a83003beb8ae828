"""Settling after an action: evidence and limits."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.browser.world.settle import (
    ANSWER_WAIT,
    REQUEST_CAP,
    STREAM_QUIET,
    SettleResult,
    checkpoint,
    settle,
)
from tests.browser.stage import Stage, in_json, open_stage

QUIET: dict[str, Any] = {"settled": True, "waited": []}


@asynccontextmanager
async def settling(stage: Stage) -> AsyncGenerator[list[SettleResult]]:
    """Settle while the block runs; the result is there when it is over."""
    results: list[SettleResult] = []
    since = checkpoint(stage.activity)

    async def run() -> None:
        results.append(await settle(stage.activity, stage.frames.ask, since))

    async with trio.open_nursery() as nursery:
        yield results
        await wait_all_tasks_blocked()
        nursery.start_soon(run)


async def still_waits(stage: Stage, results: list[SettleResult]) -> None:
    await wait_all_tasks_blocked()
    assert results == []
    assert not stage.browser.received("Runtime.evaluate", having="settle")


async def settled(stage: Stage) -> SettleResult:
    return await settle(stage.activity, stage.frames.ask, checkpoint(stage.activity))


async def test_a_page_that_draws_no_frame_is_checked_a_limited_number_of_times() -> None:
    async with open_stage() as stage:
        stage.probe_answers({"settled": False, "waited": [], "more": True, "why": "no frames"})
        assert (await settled(stage)).unsettled == "no frames"
        assert len(stage.browser.received("Runtime.evaluate", having="settle")) == 5


async def test_requests_since_the_checkpoint_are_awaited_and_older_ones_are_not() -> None:
    async with open_stage() as stage:
        stage.requests("old")
        await wait_all_tasks_blocked()
        since, results = checkpoint(stage.activity), list[SettleResult]()

        async def run() -> None:
            results.append(await settle(stage.activity, stage.frames.ask, since))

        async with trio.open_nursery() as nursery:
            stage.requests("new")
            stage.requests("newer")
            await wait_all_tasks_blocked()
            nursery.start_soon(run)
            await still_waits(stage, results)
            stage.finishes("new")
            await still_waits(stage, results)
            stage.finishes("newer")
    assert results == [SettleResult(["GET http://a.test/new", "GET http://a.test/newer"])]


async def test_an_endless_request_is_awaited_a_while_and_named(autojump_clock: MockClock) -> None:
    async with open_stage() as stage, settling(stage) as results:
        stage.requests("slow")
        before = trio.current_time()
    assert trio.current_time() - before == pytest.approx(REQUEST_CAP)
    assert results[0].unsettled == "request GET http://a.test/slow still open"


async def test_a_stream_is_awaited_until_quiet_and_reported(autojump_clock: MockClock) -> None:
    async def stream() -> None:
        for _ in range(3):
            await trio.sleep(0.8 * STREAM_QUIET)
            stage.hears("stream")

    async with open_stage() as stage, trio.open_nursery() as nursery, settling(stage) as results:
        stage.requests("stream")
        before = trio.current_time()
        nursery.start_soon(stream)
    assert trio.current_time() - before == pytest.approx((3 * 0.8 + 1) * STREAM_QUIET)
    assert results[0].unsettled == "request GET http://a.test/stream still open"


async def test_a_navigation_without_answer_is_awaited_a_while(autojump_clock: MockClock) -> None:
    async with open_stage() as stage, settling(stage) as results:
        stage.requests("open")
        stage.starts_navigating("http://slow.test/")
    assert trio.current_time() == pytest.approx(ANSWER_WAIT, abs=0.5)
    assert results == [SettleResult(["navigation"])]


async def test_a_document_that_leads_to_one_without_an_answer_is_not_awaited_longer(
    autojump_clock: MockClock,
) -> None:
    async with open_stage() as stage, settling(stage) as results:
        stage.commits("http://b.test/")
        await wait_all_tasks_blocked()
        stage.starts_navigating("http://slow.test/")
    assert trio.current_time() == pytest.approx(ANSWER_WAIT, abs=0.5)
    assert results == [SettleResult(["navigation"])]


@pytest.mark.req("C-CLK-02")
async def test_a_document_without_load_is_awaited_and_reported(autojump_clock: MockClock) -> None:
    async with open_stage() as stage, settling(stage) as results:
        stage.probe_answers(QUIET)
        stage.commits("http://slow.test/")
        stage.requests("slow")
    assert trio.current_time() == pytest.approx(10, abs=0.5)
    assert results[0].unsettled == "request GET http://a.test/slow still open"


async def test_activity_that_begins_during_the_quiet_frames_is_awaited() -> None:
    async with open_stage() as stage:
        since, results = checkpoint(stage.activity), list[SettleResult]()

        async def run() -> None:
            results.append(await settle(stage.activity, stage.frames.ask, since))

        stage.browser.hold("Runtime.evaluate")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run)
            asked = await stage.browser.until_sent("Runtime.evaluate")
            stage.requests("late")
            await wait_all_tasks_blocked()
            stage.probe_answers(QUIET)
            stage.browser.answer(asked, **in_json(QUIET))
            await wait_all_tasks_blocked()
            assert results == []
            stage.finishes("late")
    assert results == [SettleResult(["GET http://a.test/late"])]


async def test_an_endlessly_polling_page_does_not_block_a_call(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        stage.probe_answers(QUIET)

        async def poll(task_status: trio.TaskStatus[None]) -> None:
            task_status.started()
            for number in range(1_000_000):
                stage.requests(f"poll-{number}")
                await trio.sleep(0.1)
                stage.finishes(f"poll-{number}")

        async with trio.open_nursery() as nursery:
            since = checkpoint(stage.activity)
            await nursery.start(poll)
            await wait_all_tasks_blocked()
            before = trio.current_time()
            await settle(stage.activity, stage.frames.ask, since)
            assert trio.current_time() - before < 1.5
            nursery.cancel_scope.cancel()


async def test_a_repeated_request_is_reported_as_open(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        stage.probe_answers(QUIET)

        async def poll(task_status: trio.TaskStatus[None]) -> None:
            stage.requests("0", request={"url": "http://a.test/poll?0", "method": "GET"})
            task_status.started()
            for number in range(1_000_000):
                await trio.sleep(0.3)
                about = {"url": f"http://a.test/poll?{number + 1}", "method": "GET"}
                stage.requests(f"{number + 1}", request=about)
                stage.finishes(f"{number}")

        async with trio.open_nursery() as nursery:
            since = checkpoint(stage.activity)
            await nursery.start(poll)
            await wait_all_tasks_blocked()
            result = await settle(stage.activity, stage.frames.ask, since)
            assert result.unsettled is not None
            assert "request GET http://a.test/poll?" in result.unsettled
            nursery.cancel_scope.cancel()
