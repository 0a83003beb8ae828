"""The text that Prometheus reads."""

from collections import Counter
from typing import Any, cast

from prometheus_client import generate_latest
from trio.testing import MockClock

from charlotte.api.call_watch import RunningCall
from charlotte.api.session import Metrics
from charlotte.server.http.budget import Admission, Subject
from charlotte.server.http.serve import ServerMetrics
from tests.server.http.stage import FakeApplication


def text_of(application: FakeApplication, *arguments: Any) -> str:
    return generate_latest(ServerMetrics(cast("Any", application), *arguments)).decode()


async def test_calls_are_reported_by_tool_and_outcome_with_their_durations(
    autojump_clock: MockClock,
) -> None:
    metrics = Metrics()
    for failed in (True, False):
        with metrics.track(RunningCall("session-1", "click", "tab-1")) as call:
            call.failed = failed
            autojump_clock.jump(0.5)
    admission = Admission(2, 3)
    with metrics.track(RunningCall("session-1", "type", None)):
        text = text_of(FakeApplication(metrics), admission, [("ada",)])
    lines = text.splitlines()
    for line in (
        "# TYPE charlotte_sessions gauge",
        "charlotte_sessions 1.0",
        "# TYPE charlotte_sessions_limit gauge",
        "charlotte_sessions_limit 2.0",
        "# TYPE charlotte_sessions_waiting gauge",
        "charlotte_sessions_waiting 0.0",
        "# TYPE charlotte_tabs gauge",
        "charlotte_tabs 3.0",
        "# TYPE charlotte_calls_running gauge",
        "charlotte_calls_running 1.0",
        "# TYPE charlotte_calls_total counter",
        'charlotte_calls_total{outcome="failed",tool="click"} 1.0',
        'charlotte_calls_total{outcome="ok",tool="click"} 1.0',
        "# TYPE charlotte_call_seconds histogram",
        'charlotte_call_seconds_bucket{le="0.25",tool="click"} 0.0',
        'charlotte_call_seconds_bucket{le="0.5",tool="click"} 2.0',
        'charlotte_call_seconds_bucket{le="+Inf",tool="click"} 2.0',
        'charlotte_call_seconds_sum{tool="click"} 1.0',
        'charlotte_call_seconds_count{tool="click"} 2.0',
    ):
        assert line in lines
    assert "_created" not in text
    assert text.endswith("\n")


async def test_restarts_are_reported_by_the_kind_of_actor() -> None:
    restarts = Counter({"tab-1": 1, "tab-22": 2, "tab-1 console": 4, "browser": 8})
    text = text_of(FakeApplication(restarts=restarts), Admission(1, 0), [])
    reported = [line for line in text.splitlines() if line.startswith("charlotte_restarts_total")]
    assert reported == [
        'charlotte_restarts_total{actor="tab"} 3.0',
        'charlotte_restarts_total{actor="console"} 4.0',
        'charlotte_restarts_total{actor="browser"} 8.0',
    ]


async def test_metrics_count_refusals_without_names_of_subjects() -> None:
    admission = Admission(9, 0, subject_sessions=4, subject_tabs=20)
    admission.refusals["sessions"] = 2
    subjects: list[Subject] = [("ada",), ("ada",), ("ada",), ("eve",)]
    text = text_of(FakeApplication(), admission, subjects)
    lines = text.splitlines()
    for line in (
        "charlotte_sessions 4.0",
        "charlotte_subjects 2.0",
        'charlotte_refusals_total{reason="sessions"} 2.0',
        'charlotte_refusals_total{reason="full"} 0.0',
    ):
        assert line in lines
    assert "ada" not in text
