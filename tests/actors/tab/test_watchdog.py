"""Deadlines of waits for a page."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.tab.page.page_connection import Deadlines


@pytest.mark.parametrize("seconds", [0, 2, 15])
async def test_a_wait_that_is_too_long_is_ended(autojump_clock: MockClock, seconds: float) -> None:
    deadlines, begun = Deadlines(), trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(deadlines.count)
        with deadlines.move_on_after(seconds) as scope:
            await trio.sleep_forever()
        nursery.cancel_scope.cancel()
    assert scope.cancelled_caught
    assert trio.current_time() - begun == pytest.approx(seconds)


async def test_a_suspended_machine_uses_up_no_waiting_time(mock_clock: MockClock) -> None:
    deadlines, answered = Deadlines(), trio.Event()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(deadlines.count)

        async def wait() -> None:
            with deadlines.move_on_after(2) as scope:
                await answered.wait()
            assert not scope.cancelled_caught

        nursery.start_soon(wait)
        await wait_all_tasks_blocked()
        mock_clock.jump(60)
        await wait_all_tasks_blocked()
        answered.set()
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(("every", "ends"), [(1.0, 10.0), (3.0, 2.0)])
async def test_signs_of_life_extend_a_wait_up_to_a_limit(
    autojump_clock: MockClock, every: float, ends: float
) -> None:
    deadlines, begun = Deadlines(), trio.current_time()

    async def live() -> None:
        while True:
            await trio.sleep(every)
            deadlines.extend()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(deadlines.count)
        nursery.start_soon(live)
        with deadlines.move_on_after(2) as scope:
            await trio.sleep_forever()
        nursery.cancel_scope.cancel()
    assert scope.cancelled_caught
    assert trio.current_time() - begun == pytest.approx(ends, abs=0.11)


async def test_a_wait_in_clean_up_causes_no_busy_loop(autojump_clock: MockClock) -> None:
    deadlines, asked = Deadlines(), 0

    async def is_behind() -> bool:
        nonlocal asked
        asked += 1
        return False

    async with trio.open_nursery() as nursery:
        nursery.start_soon(deadlines.count, is_behind)
        with deadlines.move_on_after(1), trio.CancelScope(shield=True):
            await trio.sleep(3)
        nursery.cancel_scope.cancel()
    assert asked == 1
