"""``python -m bench``: measure every row, floor and ours in turn, and print the results."""

import argparse
import sys
from collections.abc import Sequence

import trio

from bench import report
from bench.cdp import FloorFailed
from bench.floor import open_floor
from bench.ours import CallFailed
from bench.report import Failed, Measured, Series
from bench.row import Measure, Row, Sample
from bench.rows import ROWS
from tests.site.server import Site, open_site
from tests.stdio_client import RequestFailed

_ROW_DEADLINE = 120.0


def main() -> None:
    """Run the selected rows; exit with 1 if a row failed or exceeds its bound."""
    names = [row.name for row in ROWS]
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--runs", type=int, default=7, metavar="N")
    parser.add_argument("--only", action="append", choices=names, metavar="ROW", help=str(names))
    options = parser.parse_args()
    rows = [row for row in ROWS if row.name in (options.only or names)]
    sys.exit(report.missed(trio.run(_bench, rows, options.runs)))


async def _bench(rows: Sequence[Row], runs: int) -> Sequence[Measured | Failed]:
    async with open_floor() as floor:
        chromium = await floor.version()
    print(report.header(), flush=True)
    results: list[Measured | Failed] = []
    async with open_site() as site:
        for row in rows:
            results.append(await _row(row, site, runs))
            print(results[-1].line(), flush=True)
    report.write(results, runs=runs, chromium=chromium)
    print(f"{runs} runs, {chromium}; raw samples in {report.RESULTS}")
    return results


async def _row(row: Row, site: Site, runs: int) -> Measured | Failed:
    result: Measured | Failed = Failed(row, f"took more than {_ROW_DEADLINE:g} s")
    try:
        with trio.move_on_after(_ROW_DEADLINE):
            result = await _measured(row, site, runs)
    except* (CallFailed, FloorFailed, RequestFailed) as failures:
        result = Failed(row, str(_first(failures)))
    return result


def _first(failures: BaseExceptionGroup[Exception]) -> Exception:
    first = failures.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first


async def _measured(row: Row, site: Site, runs: int) -> Measured:
    """Measure both sides in turns, so that other load affects both alike."""
    floor: list[list[Sample]] = []
    ours: list[list[Sample]] = []
    async with row.open_pair(site) as pair:
        for _ in range(runs):
            floor.append(await _samples(pair.floor, row.calls))
            ours.append(await _samples(pair.ours, row.calls))
    return Measured(row, Series(floor), Series(ours))


async def _samples(measure: Measure, count: int) -> list[Sample]:
    return [await measure() for _ in range(count)]


if __name__ == "__main__":
    main()
