"""``python -m bench.soak``: detect growth while tabs open, work and close."""

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from bench.plot import Points, plot
from tests.site.server import Site, open_site
from tests.stdio_client import Client, open_client

_RESULTS: Final = Path(__file__).with_name("results")
_COMMAND: Final = (sys.executable, "-m", "charlotte", "--log-level", "error")
_TABS: Final = 4
_LIFE: Final = 25
"""Actions in a tab before it is closed."""

_SAMPLES: Final = 100
_WARM_UP: Final = 0.2
"""Ignored share of the run, in which caches fill and the allocator grows."""

_MEASURES: Final = ("resident", "files", "tasks", "cdp_sessions", "profile")
_SIGNIFICANT: Final = 3.0
"""Minimum slope, in standard errors."""

_NEGLIGIBLE: Final = 0.01
"""Minimum growth per 1,000 actions, as a share of the mean."""


@attrs.frozen
class Line:
    """A least-squares line: its slope per 1,000 actions with the standard error, and the mean."""

    slope: float
    error: float
    mean: float

    @property
    def grows(self) -> bool:
        """Whether the line rises by more than noise."""
        is_large = self.slope > _NEGLIGIBLE * abs(self.mean)
        return is_large and self.slope > _SIGNIFICANT * self.error


def fitted(points: Points) -> Line:
    """Fit a line through at least three points with different x."""
    xs, ys = [x / 1000 for x, _ in points], [y for _, y in points]
    slope, intercept = statistics.linear_regression(xs, ys)
    residues = [y - intercept - slope * x for x, y in zip(xs, ys, strict=True)]
    spread = sum((x - statistics.fmean(xs)) ** 2 for x in xs)
    variance = sum(one**2 for one in residues) / max(len(points) - 2, 1)
    return Line(slope, (variance / spread) ** 0.5, statistics.fmean(ys))


@attrs.define(eq=False)
class Soak:
    """A run: the time of every action (ms), and samples of the measures.

    ``scratch`` is the directory of the browser's profile.
    """

    client: Client
    site: Site
    actions: int
    scratch: str
    took: list[float] = attrs.field(factory=list[float])
    samples: list[tuple[int, dict[str, float]]] = attrs.field(
        factory=list[tuple[int, dict[str, float]]]
    )

    async def run(self) -> None:
        """Work in several tabs at a time until all actions are done."""
        async with trio.open_nursery() as nursery:
            for number in range(_TABS):
                nursery.start_soon(self._work, number)

    async def _work(self, number: int) -> None:
        while len(self.took) < self.actions:
            url = self.site.url("/counter.html", host=f"s{number}.localhost")
            tab_id = (await self._call("tab_open", url=url))["tab_id"]
            button = (await self._call("find", tab_id=tab_id, text="Clicked"))[0]["id"]
            for _ in range(_LIFE):
                started = trio.current_time()
                await self._call("click", tab_id=tab_id, element_id=button)
                await self._count((trio.current_time() - started) * 1000)
            await self._call("tab_close", tab_id=tab_id)

    async def _call(self, tool: str, **arguments: Any) -> Any:
        result = await self.client.call(tool, **arguments)
        return json.loads(result["content"][0]["text"])

    async def _count(self, ms: float) -> None:
        self.took.append(ms)
        if len(self.took) % max(self.actions // _SAMPLES, 1) == 0:
            self.samples.append((len(self.took), await self._sample()))

    async def _sample(self) -> dict[str, float]:
        read = await self.client.request("resources/read", {"uri": "charlotte://status"})
        status = json.loads(read["contents"][0]["text"])
        found = {**status["process"], **status["browser"], "profile": _size_of(self.scratch)}
        return {name: float(found[name]) for name in _MEASURES}

    def points(self, name: str) -> Points:
        """Return a measure over the actions, without the warm-up."""
        first = self.actions * _WARM_UP
        return [(actions, sample[name]) for actions, sample in self.samples if actions > first]


def _size_of(directory: str) -> float:
    """Return the bytes of all files below a directory; files may disappear meanwhile."""
    total = 0.0
    for place, _, names in os.walk(directory):
        for name in names:
            with suppress(OSError):
                total += Path(place, name).lstat().st_size
    return total


def latencies(took: Sequence[float]) -> dict[str, dict[str, float]]:
    """Return median and p95 of the first and last 1,000 actions, or tenths of a short run."""
    count = min(1000, len(took) // 10)
    parts = {"first": took[:count], "last": took[-count:]}
    return {
        name: {
            "median": round(statistics.median(part), 2),
            "p95": round(statistics.quantiles(part, n=20)[-1], 2),
        }
        for name, part in parts.items()
    }


async def soak(actions: int) -> Soak:
    """Run on a new server."""
    with tempfile.TemporaryDirectory() as scratch:
        env = {**os.environ, "TMPDIR": scratch}
        async with open_site() as site, open_client(_COMMAND, env=env) as client:
            await client.initialize()
            run = Soak(client, site, actions, scratch)
            await run.run()
    return run


def main() -> int:
    """Measure, write ``soak.json`` and a plot; return 1 if a measure grows."""
    parser = argparse.ArgumentParser(prog="bench.soak", description=__doc__)
    parser.add_argument("--actions", type=int, default=2000, metavar="N")
    run = trio.run(soak, parser.parse_args().actions)
    lines = {name: fitted(run.points(name)) for name in _MEASURES}
    result: dict[str, Any] = {name: attrs.asdict(line) for name, line in lines.items()}
    result |= {"actions": len(run.took), "ms": latencies(run.took)}
    _RESULTS.mkdir(exist_ok=True)
    text = json.dumps({**result, "samples": run.samples}, indent=1)
    (_RESULTS / "soak.json").write_text(text + "\n", encoding="utf-8")
    (_RESULTS / "soak.svg").write_text(_plot(run), encoding="utf-8")
    print(json.dumps(result, indent=1))
    growing = [name for name, line in lines.items() if line.grows]
    print(f"grows: {', '.join(growing)}" if growing else "nothing grows")
    return 1 if growing else 0


def _plot(run: Soak) -> str:
    lines = {name: [(n, sample[name]) for n, sample in run.samples] for name in _MEASURES}
    lines["resident"] = [(n, value / 2**20) for n, value in lines["resident"]]
    lines["profile"] = [(n, value / 2**20) for n, value in lines["profile"]]
    return plot("Soak", "actions", "MiB or number", lines)


if __name__ == "__main__":
    sys.exit(main())
