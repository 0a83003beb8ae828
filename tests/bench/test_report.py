"""What the measurements say of their bounds."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

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
