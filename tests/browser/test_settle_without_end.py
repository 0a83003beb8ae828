"""Settling on a page that navigates endlessly."""

import itertools

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.base.errors import DeadlineExceeded
from charlotte.browser.world.settle import SettleResult, checkpoint, settle
from tests.browser.stage import open_stage


async def none_stays(*_: object) -> str:
    raise DeadlineExceeded("The page goes to another document again and again.", "Wait.")


@pytest.mark.parametrize(("every", "within"), [(0.1, 2.0), (0.9, 7.0), (3.0, 20.0)])
async def test_a_page_that_navigates_endlessly_is_reported(
    autojump_clock: MockClock, every: float, within: float
) -> None:
    async with open_stage() as stage:
        since, results = checkpoint(stage.activity), list[SettleResult]()

        async def run() -> None:
            results.append(await settle(stage.activity, none_stays, since))

        async with trio.open_nursery() as nursery:
            stage.starts_navigating("http://a.test/0")
            await wait_all_tasks_blocked()
            nursery.start_soon(run)
            begun = trio.current_time()
            for number in itertools.count():
                stage.commits(f"http://a.test/{number}")
                await trio.sleep(every)
                if results:
                    break
    assert results == [SettleResult(["navigation"], "the page kept navigating")]
    assert trio.current_time() - begun < within
