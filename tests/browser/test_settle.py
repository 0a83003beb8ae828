"""Settling after an action: evidence and limits."""

import itertools
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import attrs
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.base.errors import DeadlineExceeded
from charlotte.browser.world.settle import (
    ANSWER_WAIT,
    REQUEST_CAP,
    STREAM_QUIET,
    Ask,
    Checkpoint,
    SettleResult,
    checkpoint,
    settle,
)
from tests.browser.stage import Stage, in_json, open_stage

QUIET: dict[str, Any] = {"settled": True, "waited": []}


@attrs.define(eq=False)
class Settling:
    """Settles since its creation; that runs ``begin`` or the end of the block on."""

    stage: Stage
    nursery: trio.Nursery
    ask: Ask
    since: Checkpoint
    results: list[SettleResult] = attrs.field(factory=list[SettleResult])
    has_begun: bool = False

    async def begin(self) -> None:
        await wait_all_tasks_blocked()
        self.has_begun = True
        self.nursery.start_soon(self._run)

    async def _run(self) -> None:
        self.results.append(await settle(self.stage.activity, self.ask, self.since))

    async def still_waits(self) -> None:
        await wait_all_tasks_blocked()
        assert self.results == []
        assert not self.stage.browser.received("Runtime.evaluate", having="settle")


@asynccontextmanager
async def settling(stage: Stage, ask: Ask | None = None) -> AsyncGenerator[Settling]:
    """Settle while the block runs; the result is there when it is over."""
    async with trio.open_nursery() as nursery:
        run = Settling(stage, nursery, ask or stage.frames.ask, checkpoint(stage.activity))
        yield run
        if not run.has_begun:
            await run.begin()


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
        async with settling(stage) as run:
            stage.requests("new")
            stage.requests("newer")
            await run.begin()
            await run.still_waits()
            stage.finishes("new")
            await run.still_waits()
            stage.finishes("newer")
    assert run.results == [SettleResult(["GET http://a.test/new", "GET http://a.test/newer"])]


async def test_an_endless_request_is_awaited_a_while_and_named(autojump_clock: MockClock) -> None:
    async with open_stage() as stage, settling(stage) as run:
        stage.requests("slow")
        before = trio.current_time()
    assert trio.current_time() - before == pytest.approx(REQUEST_CAP)
    assert run.results[0].unsettled == "request GET http://a.test/slow still open"


async def test_a_stream_is_awaited_until_quiet_and_reported(autojump_clock: MockClock) -> None:
    async def stream() -> None:
        for _ in range(3):
            await trio.sleep(0.8 * STREAM_QUIET)
            stage.hears("stream")

    async with open_stage() as stage, trio.open_nursery() as nursery, settling(stage) as run:
        stage.requests("stream")
        before = trio.current_time()
        nursery.start_soon(stream)
    assert trio.current_time() - before == pytest.approx((3 * 0.8 + 1) * STREAM_QUIET)
    assert run.results[0].unsettled == "request GET http://a.test/stream still open"


async def test_a_navigation_without_answer_is_awaited_a_while(autojump_clock: MockClock) -> None:
    async with open_stage() as stage, settling(stage) as run:
        stage.requests("open")
        stage.starts_navigating("http://slow.test/")
    assert trio.current_time() == pytest.approx(ANSWER_WAIT, abs=0.5)
    assert run.results == [SettleResult(["navigation"])]


async def test_a_document_that_leads_to_one_without_an_answer_is_not_awaited_longer(
    autojump_clock: MockClock,
) -> None:
    async with open_stage() as stage, settling(stage) as run:
        stage.commits("http://b.test/")
        await wait_all_tasks_blocked()
        stage.starts_navigating("http://slow.test/")
    assert trio.current_time() == pytest.approx(ANSWER_WAIT, abs=0.5)
    assert run.results == [SettleResult(["navigation"])]


@pytest.mark.req("C-CLK-02")
async def test_a_document_without_load_is_awaited_and_reported(autojump_clock: MockClock) -> None:
    async with open_stage() as stage, settling(stage) as run:
        stage.probe_answers(QUIET)
        stage.commits("http://slow.test/")
        stage.requests("slow")
    assert trio.current_time() == pytest.approx(10, abs=0.5)
    assert run.results[0].unsettled == "request GET http://a.test/slow still open"


async def test_activity_that_begins_during_the_quiet_frames_is_awaited() -> None:
    async with open_stage() as stage, settling(stage) as run:
        stage.browser.hold("Runtime.evaluate")
        await run.begin()
        asked = await stage.browser.until_sent("Runtime.evaluate")
        stage.requests("late")
        await wait_all_tasks_blocked()
        stage.probe_answers(QUIET)
        stage.browser.answer(asked, **in_json(QUIET))
        await wait_all_tasks_blocked()
        assert run.results == []
        stage.finishes("late")
    assert run.results == [SettleResult(["GET http://a.test/late"])]


@pytest.mark.parametrize("overlapping", [False, True])
async def test_an_endlessly_polling_page_is_reported_and_does_not_block_a_call(
    autojump_clock: MockClock, *, overlapping: bool
) -> None:
    def poll(stage: Stage, number: int) -> None:
        stage.requests(
            f"{number}", request={"url": f"http://a.test/poll?{number}", "method": "GET"}
        )

    async with open_stage() as stage, settling(stage) as run:
        stage.probe_answers(QUIET)
        poll(stage, 0)
        await run.begin()
        before = trio.current_time()
        for number in itertools.count():
            await trio.sleep(0.3 if overlapping else 0.1)
            if overlapping:
                poll(stage, number + 1)
            stage.finishes(f"{number}")
            if not overlapping:
                poll(stage, number + 1)
            if run.results:
                break
        assert trio.current_time() - before < 1.6
    assert "request GET http://a.test/poll?" in (run.results[0].unsettled or "")


async def none_stays(*_: object) -> str:
    raise DeadlineExceeded("The page goes to another document again and again.", "Wait.")


@pytest.mark.parametrize(("every", "within"), [(0.1, 2.0), (0.9, 7.0), (3.0, 20.0)])
async def test_a_page_that_navigates_endlessly_is_reported(
    autojump_clock: MockClock, every: float, within: float
) -> None:
    async with open_stage() as stage, settling(stage, none_stays) as run:
        stage.starts_navigating("http://a.test/0")
        await run.begin()
        begun = trio.current_time()
        for number in itertools.count():
            stage.commits(f"http://a.test/{number}")
            await trio.sleep(every)
            if run.results:
                break
    assert run.results == [SettleResult(["navigation"], "the page kept navigating")]
    assert trio.current_time() - begun < within
