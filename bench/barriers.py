"""``python -m bench.barriers``: the cost of barriers and records of calls on ``bench.actions``.

Each run makes every action on all sides in turn. The sides are servers without flags (two of them,
whose difference is that of chance), with ``--only-host``, and with everything: a policy that holds
each request and allows it, the audit log, and spans, which are not exported. ``--flags FLAGS``
measures a server with these flags instead.

The cost of a run is the geometric mean of the ratios of its rows to the side ``off``. The cost of a
side is the median of its runs, with the interval that contains it with a probability of 95 %.
"""

import argparse
import math
import os
import shlex
import statistics
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from bench.actions import ROWS, Row, routes, take_sample
from bench.ours import open_server
from bench.report import save
from bench.sides import Ours, Side
from tests.site.server import Site, open_site

_RESULTS: Final = Path(__file__).with_name("results") / "barriers.json"
_OFF: Final = "off"
_BOUNDS: Final[Mapping[str, float]] = {"only-host": 0.03, "everything": 0.10}
_ONE_TAIL: Final = 0.025
_LEAST_RUNS: Final = 30
"""Runs of a measurement that is kept."""
_HOSTS: Final = ("--only-host", "127.0.0.1", "--only-host", "localhost")
_RULES: Final = """
[[rule]]
name = "payments"
action = "refuse"
path = "/payments"

[[rule]]
name = "scripts"
action = "allow"
tool = "evaluate"
path = "*"

[[rule]]
name = "all"
action = "allow"
path = "*"
"""
"""The rule on the tool of a request lets no request pass unseen."""


@attrs.frozen
class Cost:
    """The cost of a side, and its interval: 0.02 is 2 % more time than without flags."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, runs: Sequence[float]) -> "Cost":
        """Return the cost from those of the runs."""
        ordered = sorted(runs)
        left_out = _outside(len(ordered))
        return cls(statistics.median(ordered), ordered[left_out], ordered[-1 - left_out])

    def __str__(self) -> str:
        return f"{self.median:+.1%} ({self.low:+.1%} to {self.high:+.1%})"


def _outside(runs: int) -> int:
    """Return how many of the ordered runs on each side are outside of the interval."""
    count, probability = 0, 0.5**runs
    while (probability := probability + math.comb(runs, count + 1) / 2**runs) <= _ONE_TAIL:
        count += 1
    return count


@attrs.frozen
class Times:
    """The times of a side in ms, by row and run; None if a call failed."""

    rows: Mapping[str, list[float | None]]

    def ratios(self, other: "Times") -> dict[str, list[float | None]]:
        """Return the ratios to another side."""
        return {
            name: [
                mine / its if mine and its else None
                for mine, its in zip(own, other.rows[name], strict=True)
            ]
            for name, own in self.rows.items()
        }

    def cost(self, other: "Times") -> Cost | None:
        """Return the cost beside another side; None if no run is complete."""
        runs = zip(*self.ratios(other).values(), strict=True)
        complete = [[ratio for ratio in run if ratio is not None] for run in runs]
        costs = [
            statistics.geometric_mean(run) - 1 for run in complete if len(run) == len(self.rows)
        ]
        return Cost.of(costs) if costs else None


async def measure(
    rows: Sequence[Row], site: Site, sides: Sequence[Side], runs: int
) -> dict[str, Times]:
    """Measure all rows on all sides; another side begins in each run."""
    times = {side.name: Times({row.name: [] for row in rows}) for side in sides}
    for side in sides:
        await take_sample(rows[0], site, side)  # the first call of each server is not counted
    for run in range(runs):
        first = run % len(sides)
        for row in rows:
            for side in (*sides[first:], *sides[:first]):
                sample = await take_sample(row, site, side)
                times[side.name].rows[row.name].append(sample.ms if sample else None)
        print(f"run {run + 1} of {runs}", flush=True)
    return times


def flags_of(directory: Path) -> dict[str, Sequence[str]]:
    """Return the flags of each side, whose files are in a directory."""
    rules = directory / "rules.toml"
    rules.write_text(_RULES, encoding="utf-8")
    records = ("--audit", str(directory / "audit.jsonl"), "--otel")
    everything = (*_HOSTS, "--policy", str(rules), *records)
    return {_OFF: (), "off again": (), "only-host": _HOSTS, "everything": everything}


@asynccontextmanager
async def _open_sides(flags: Mapping[str, Sequence[str]]) -> AsyncGenerator[list[Side]]:
    async with AsyncExitStack() as stack:
        sides: list[Side] = []
        for name, given in flags.items():
            server = await stack.enter_async_context(open_server(*given))
            await server.initialize()
            sides.append(Ours(server, name))
        yield sides


def report(rows: Sequence[Row], times: Mapping[str, Times]) -> list[dict[str, Any]]:
    """Print the costs; return the records of the results file."""
    off, others = times[_OFF], [name for name in times if name != _OFF]
    print(f"{'':<16}{'ms off':>8}" + "".join(f"{name:>15}" for name in others))
    for row in rows:
        known = [ms for ms in off.rows[row.name] if ms is not None]
        cells = [_median(times[name].ratios(off)[row.name]) for name in others]
        ms = f"{statistics.median(known):.1f}" if known else "failed"
        print(f"{row.name:<16}{ms:>8}" + "".join(f"{cell:>15}" for cell in cells))
    found: list[dict[str, Any]] = []
    for name, side in times.items():
        cost, bound = side.cost(off), _BOUNDS.get(name)
        if name != _OFF:
            limit = f", bound {bound:+.0%}" if bound is not None else ""
            print(f"{name}: {cost or 'no run is complete'}{limit}")
        found.append(
            {
                "side": name,
                "cost": attrs.asdict(cost) if cost else None,
                "bound": bound,
                "ms": side.rows,
            }
        )
    return found


def _median(ratios: Sequence[float | None]) -> str:
    known = [ratio for ratio in ratios if ratio is not None]
    return f"{statistics.median(known) - 1:+.1%}" if known else "failed"


async def _bench(rows: Sequence[Row], runs: int, given: Sequence[str] | None) -> None:
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        flags = flags_of(Path(scratch))
        if given is not None:
            flags = {_OFF: (), "off again": (), shlex.join(given): given}
        async with open_site(routes=routes()) as site, _open_sides(flags) as sides:
            found = report(rows, await measure(rows, site, sides, runs))
    if given is None and len(rows) == len(ROWS) and runs >= _LEAST_RUNS:
        save(_RESULTS, found, runs=runs)
        print(f"{runs} runs; raw times in {_RESULTS}")


def main() -> None:
    """Measure, print the costs, write ``barriers.json`` after enough runs of all rows."""
    parser = argparse.ArgumentParser(prog="bench.barriers", description=__doc__)
    parser.add_argument("--runs", type=int, default=_LEAST_RUNS, metavar="N")
    parser.add_argument("--only", action="append", metavar="ROW")
    parser.add_argument("--flags", metavar="FLAGS")
    options = parser.parse_args()
    os.environ.setdefault("OTEL_TRACES_EXPORTER", "none")
    rows = [row for row in ROWS if not options.only or row.name in options.only]
    given = shlex.split(options.flags) if options.flags else None
    trio.run(_bench, rows, options.runs, given)


if __name__ == "__main__":
    main()
