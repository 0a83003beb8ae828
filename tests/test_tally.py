"""What is counted of the calls."""

import pytest
import trio
from trio.testing import MockClock

from charlotte.errors import InvalidArgument, TabNotFound
from charlotte.tally import BOUNDS, Running, Tally


@pytest.fixture
def tally() -> Tally:
    return Tally()


async def test_a_call_is_known_while_it_runs(tally: Tally) -> None:
    with tally.following(Running("session-1", "click", "tab-1")) as call:
        assert tally.running == {call}
    assert not tally.running
    assert tally.outcomes == {("click", "ok"): 1}


async def test_calls_are_counted_by_how_they_ended(tally: Tally, autojump_clock: MockClock) -> None:
    with tally.following(Running("session-1", "click", None)) as call:
        call.failed = True
    for error in (TabNotFound("none"), KeyError("a bug")):
        with pytest.raises(type(error)), tally.following(Running("session-1", "click", None)):
            raise error
    with trio.move_on_after(1), tally.following(Running("session-1", "click", None)):
        await trio.sleep_forever()
    tally.refused("type", InvalidArgument("wrong"))
    assert tally.outcomes == {
        ("click", "failed"): 1,
        ("click", "TAB_NOT_FOUND"): 1,
        ("click", "crashed"): 1,
        ("click", "cancelled"): 1,
        ("type", "INVALID_ARGUMENT"): 1,
    }
    assert not tally.running


async def test_durations_fall_between_the_bounds(tally: Tally, autojump_clock: MockClock) -> None:
    for seconds in (0.0, 0.2, 0.25, 1000.0):
        with tally.following(Running("session-1", "click", None)):
            await trio.sleep(seconds)
    durations = tally.durations["click"]
    assert durations.total == pytest.approx(1000.45)
    assert [durations.counts[0], durations.counts[4], durations.counts[-1]] == [1, 2, 1]
    assert len(durations.counts) == len(BOUNDS) + 1
