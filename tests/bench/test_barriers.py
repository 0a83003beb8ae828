"""The cost of a side from times that are measured in turn."""

import pytest

from bench.barriers import Cost, Times


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
