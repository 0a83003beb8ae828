"""What the measurements say of their bounds."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from bench.barriers import Cost, Times
from bench.report import Failed, Measured, Series, missed
from bench.row import Bound, Pair, Row, Sample
from tests.site.server import Site

FIVE = Bound(ms=5)


@asynccontextmanager
async def nothing(_: Site) -> AsyncGenerator[Pair]:
    raise NotImplementedError
    yield


def row(bound: Bound, name: str = "tabs") -> Row:
    return Row(name, bound, nothing)


def series(*times: float) -> Series:
    return Series([[Sample(ms, 1)] for ms in times])


@pytest.mark.parametrize(
    ("bound", "ours", "met"),
    [
        (Bound(ms=1.5), 1.5, True),
        (Bound(ms=1.5), 1.6, False),
        (Bound(ratio=1.5, plus=5), 20.0, True),
        (Bound(ratio=1.5, plus=5), 20.1, False),
        (Bound(ms=80, ratio=1.5), 80.0, True),  # whichever is larger
        (Bound(ms=1, ratio=1.5), 15.0, True),
    ],
)
def test_a_bound_is_met_in_ms_or_as_floor_ratio(bound: Bound, ours: float, *, met: bool) -> None:
    assert met is Measured(row(bound), floor=series(10), ours=series(ours)).met


def test_the_median_of_the_runs_counts() -> None:
    measured = Measured(row(FIVE), floor=series(1), ours=series(2, 100, 4, 90, 5))
    assert (5, True) == (measured.ours.median, measured.met)
    assert "yes" in measured.line()


def test_rows_that_are_over_their_bound_or_failed_are_named() -> None:
    within = Measured(row(FIVE), floor=series(1), ours=series(2))
    over = Measured(row(FIVE, "click"), floor=series(1), ours=series(6))
    failed = Failed(row(FIVE, "observe"), "took more than 120 s")

    assert missed([within]) is None
    assert "Not within its bound: click, observe." == missed([over, within, failed])
    assert "over" in over.line()


def test_the_cost_of_a_run_is_the_geometric_mean_of_its_rows() -> None:
    off = Times({"click": [10.0, 10.0, 10.0], "type": [100.0, 100.0, 100.0]})
    on = Times({"click": [40.0, 10.0, 20.0], "type": [100.0, 100.0, 200.0]})

    cost = on.cost(off)
    assert cost is not None
    assert cost.median == pytest.approx(1.0)
    assert (cost.low, cost.high) == pytest.approx((0.0, 1.0))


def test_a_run_with_a_failed_call_is_left_out() -> None:
    off = Times({"click": [10.0, 10.0], "type": [10.0, 10.0]})
    on = Times({"click": [None, 11.0], "type": [99.0, 11.0]})

    cost = on.cost(off)
    assert cost is not None
    assert cost.median == pytest.approx(0.1)
    assert (
        Times({"click": [None], "type": [1.0]}).cost(Times({"click": [1.0], "type": [1.0]})) is None
    )


def test_the_interval_leaves_out_as_many_runs_as_chance_allows() -> None:
    cost = Cost.of([float(number) for number in range(30)])
    assert (cost.median, cost.low, cost.high) == (14.5, 9.0, 20.0)  # the 10th and the 21st
