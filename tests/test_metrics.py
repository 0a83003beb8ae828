"""Metrics of calls."""

import pytest
import trio
from trio.testing import MockClock

from charlotte.api.call_watch import RunningCall
from charlotte.api.session import BOUNDS, Metrics
from charlotte.base.errors import InvalidArgument, TabNotFound

OUTCOMES = "charlotte_calls_total"
SECONDS = "charlotte_call_seconds"


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


def values(metrics: Metrics, name: str) -> dict[tuple[str, ...], float]:
    """Values of one metric by its labels, in the order of their names."""
    return {
        tuple(value for _, value in sorted(sample.labels.items())): sample.value
        for family in metrics.registry.collect()
        for sample in family.samples
        if sample.name == name
    }


async def test_calls_are_counted_by_outcome(metrics: Metrics, autojump_clock: MockClock) -> None:
    with metrics.track(RunningCall("session-1", "click", None)) as call:
        call.failed = True
    for error in (TabNotFound("none"), KeyError("a bug")):
        with pytest.raises(type(error)), metrics.track(RunningCall("session-1", "click", None)):
            raise error
    with trio.move_on_after(1), metrics.track(RunningCall("session-1", "click", None)):
        await trio.sleep_forever()
    metrics.count_refusal("type", InvalidArgument("wrong"))
    assert values(metrics, OUTCOMES) == {
        ("failed", "click"): 1,
        ("TAB_NOT_FOUND", "click"): 1,
        ("crashed", "click"): 1,
        ("cancelled", "click"): 1,
        ("INVALID_ARGUMENT", "type"): 1,
    }
    assert not metrics.running
    assert values(metrics, f"{SECONDS}_count") == {("click",): 4}


async def test_durations_fall_between_the_bounds(
    metrics: Metrics, autojump_clock: MockClock
) -> None:
    for seconds in (0.0, 0.2, 0.25, 1000.0):
        with metrics.track(RunningCall("session-1", "click", None)):
            await trio.sleep(seconds)
    assert values(metrics, f"{SECONDS}_sum") == {("click",): pytest.approx(1000.45)}
    buckets = values(metrics, f"{SECONDS}_bucket")
    assert [*buckets.values()] == [1] * 4 + [3] * (len(BOUNDS) - 4) + [4]
    assert ("0.25", "click") in buckets
