"""What monitors read."""

from collections import Counter

from trio.testing import MockClock

from charlotte.server.http.metrics import Occupancy, render
from charlotte.tally import Running, Tally
from tests.server.http.stage import FakeApplication


async def test_calls_are_told_by_tool_and_outcome_with_how_long_they_took(
    autojump_clock: MockClock,
) -> None:
    tally = Tally()
    for failed in (True, False):
        with tally.following(Running("session-1", "click", "tab-1")) as call:
            call.failed = failed
            autojump_clock.jump(0.3)
    with tally.following(Running("session-1", "type", None)):
        text = render(FakeApplication(tally), Occupancy(1, 2, 3))
    lines = text.splitlines()
    for line in (
        "charlotte_sessions 1",
        "charlotte_sessions_limit 2",
        "charlotte_sessions_waiting 3",
        "charlotte_tabs 3",
        "charlotte_calls_running 1",
        'charlotte_calls_total{tool="click",outcome="failed"} 1',
        'charlotte_calls_total{tool="click",outcome="ok"} 1',
        'charlotte_call_seconds_bucket{tool="click",le="0.25"} 0',
        'charlotte_call_seconds_bucket{tool="click",le="0.5"} 2',
        'charlotte_call_seconds_bucket{tool="click",le="+Inf"} 2',
        'charlotte_call_seconds_sum{tool="click"} 0.600000',
        'charlotte_call_seconds_count{tool="click"} 2',
    ):
        assert line in lines
    assert text.endswith("\n")


async def test_restarts_are_told_by_the_kind_of_actor() -> None:
    restarts = Counter({"tab-1": 1, "tab-22": 2, "tab-1 console": 4, "browser": 8})
    text = render(FakeApplication(restarts=restarts), Occupancy(0, 0, 0))
    told = [line for line in text.splitlines() if line.startswith("charlotte_restarts_total")]
    assert told == [
        'charlotte_restarts_total{actor="tab"} 3',
        'charlotte_restarts_total{actor="console"} 4',
        'charlotte_restarts_total{actor="browser"} 8',
    ]
