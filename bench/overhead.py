"""``python -m bench.overhead``: how fast a page's own scripts run under Charlotte.

Each page measures its own workload. The bare browser (the same binary and flags, without Charlotte)
and Charlotte take turns. Charlotte has observed the page before the workload starts, and no call
takes place while the workload runs.
"""

import argparse
import json
import statistics
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import quote

import attrs
import trio
import trio_websocket
from starlette.responses import HTMLResponse, Response

from bench.floor import FloorTab, open_floor
from bench.ours import Server, open_server
from bench.report import save
from tests.site.routes import Request, always
from tests.site.server import Site, open_site

_RESULTS: Final = Path(__file__).with_name("results") / "overhead.json"
_SCRIPT: Final = Path(__file__).with_name("overhead.js")
_PAGE: Final = (
    "<!DOCTYPE html><html lang=en><title>Workload</title>"
    "<body><h1>Workload</h1><main></main><script src=/overhead.js></script>"
)
_TIMEOUT: Final = 120.0

BOUNDS: Final[Mapping[str, float]] = {
    "list items": 1.1,
    "list items with listeners": 1.2,
    "elements with timers": 1.2,
    "virtual scrolling": 1.2,
    "canvas": 1.2,
    "timers": 1.2,
    "listeners": 1.2,
    "custom elements": 1.2,
    "big table": 1.2,
    "editor": 1.2,
    "chart": 1.2,
    "WebSocket feed": 1.2,
    "map": 1.2,
}
"""How many times the bare browser's time each workload may take."""


class Browser(Protocol):
    """One of the two browsers that are compared."""

    async def open(self, url: str) -> None:
        """Load a page; return once it is ready to run its workload."""


@attrs.frozen
class BareBrowser:
    """Chromium over raw CDP."""

    tab: FloorTab

    async def open(self, url: str) -> None:
        """Load a page."""
        await self.tab.navigate(url)


@attrs.frozen
class CharlotteBrowser:
    """Chromium under Charlotte."""

    server: Server

    async def open(self, url: str) -> None:
        """Load a page and observe it, which attaches Charlotte's mutation observers."""
        await self.server.call("navigate", url=url)
        await self.server.call("observe")


@attrs.define(eq=False)
class Gate:
    """Holds a page's workload until it is released, then receives the times."""

    _release: trio.Event = attrs.field(factory=trio.Event)
    _done: trio.Event = attrs.field(factory=trio.Event)
    _times: list[float] = attrs.field(factory=list[float])

    async def hold(self, _request: Request) -> Response:
        """Answer when the gate is released."""
        await self._release.wait()
        return HTMLResponse(b"")

    async def receive(self, request: Request) -> Response:
        """Store the times that a page posts."""
        self._times = json.loads(request.body)
        self._done.set()
        return HTMLResponse(b"")

    async def run(self) -> list[float]:
        """Release the page; return the times (ms) of its workload."""
        self._release.set()
        with trio.fail_after(_TIMEOUT):
            await self._done.wait()
        self._release, self._done = trio.Event(), trio.Event()
        return self._times


@attrs.frozen
class Result:
    """Times (ms) of one workload in each browser, by run."""

    name: str
    bare: Sequence[Sequence[float]]
    charlotte: Sequence[Sequence[float]]

    @property
    def ratio(self) -> float:
        """The time under Charlotte over that in the bare browser, median of the pairs of runs."""
        pairs = zip(self.bare, self.charlotte, strict=True)
        return statistics.median(
            statistics.median(ours) / statistics.median(bare) for bare, ours in pairs
        )

    @property
    def fastest_ratio(self) -> float:
        """The ratio of the fastest times, which the load of the machine changes least."""
        return _fastest(self.charlotte) / _fastest(self.bare)

    @property
    def is_met(self) -> bool:
        """Whether both ratios are within the bound."""
        return max(self.ratio, self.fastest_ratio) <= BOUNDS[self.name]

    def line(self) -> str:
        """Return the row of the table."""
        met = "yes" if self.is_met else "over"
        times = f"{_median(self.bare):>9.1f}{_median(self.charlotte):>11.1f}"
        ratios = f"{self.ratio:>8.2f}{self.fastest_ratio:>9.2f}{BOUNDS[self.name]:>7.1f}"
        return f"{self.name:<28}{times}{ratios}  {met}"

    def as_json(self) -> dict[str, Any]:
        """Return the record for the results file."""
        return {
            "row": self.name,
            "ratio": round(self.ratio, 3),
            "fastest_ratio": round(self.fastest_ratio, 3),
            "bound": BOUNDS[self.name],
            "bare": [[round(time, 2) for time in run] for run in self.bare],
            "charlotte": [[round(time, 2) for time in run] for run in self.charlotte],
        }


def _median(runs: Sequence[Sequence[float]]) -> float:
    return statistics.median(statistics.median(run) for run in runs)


def _fastest(runs: Sequence[Sequence[float]]) -> float:
    return min(min(run) for run in runs)


async def _feed(request: trio_websocket.WebSocketRequest) -> None:
    """Send as many prices as the page asks for."""
    socket = await request.accept()
    count = int(await socket.get_message())
    for number in range(count):
        await socket.send_message(json.dumps({"symbol": number % 100, "price": number}))
    await socket.get_message()  # until the page closes the socket


async def _serve_feed(task_status: trio.TaskStatus[int]) -> None:
    async def answer(request: trio_websocket.WebSocketRequest) -> None:
        with suppress(trio_websocket.ConnectionClosed):
            await _feed(request)

    async with trio.open_nursery() as nursery:
        server = await nursery.start(trio_websocket.serve_websocket, answer, "127.0.0.1", 0, None)
        task_status.started(server.port)


@asynccontextmanager
async def _open_workloads(gate: Gate) -> AsyncGenerator[tuple[Site, int]]:
    """Serve the workloads and the feed; yield the site and the port of the feed."""
    script = Response(_SCRIPT.read_bytes(), media_type="text/javascript; charset=utf-8")
    routes = {
        "/workload": always(HTMLResponse(_PAGE.encode())),
        "/overhead.js": always(script),
        "/gate": gate.hold,
        "/times": gate.receive,
    }
    async with open_site(routes=routes) as site, trio.open_nursery() as nursery:
        port = await nursery.start(_serve_feed)
        yield site, port
        nursery.cancel_scope.cancel("measured")


async def measure(names: Sequence[str], runs: int) -> list[Result]:
    """Run each workload in both browsers by turns."""
    gate = Gate()
    results: list[Result] = []
    async with (
        _open_workloads(gate) as (site, port),
        open_floor() as floor,
        open_server() as server,
    ):
        await server.initialize()
        browsers: list[Browser] = [BareBrowser(await floor.tab()), CharlotteBrowser(server)]
        for name in names:
            url = site.url(f"/workload?page={quote(name)}&feed={port}")
            times: list[list[list[float]]] = [[], []]
            for run in range(runs):
                for index in (0, 1) if run % 2 == 0 else (1, 0):
                    await browsers[index].open(url)
                    times[index].append(await gate.run())
            results.append(Result(name, *times))
            print(results[-1].line(), flush=True)
    return results


def main() -> None:
    """Measure, print the table, write the results; exit code 1 if a ratio is over its bound."""
    parser = argparse.ArgumentParser(prog="bench.overhead", description=__doc__)
    parser.add_argument("--runs", type=int, default=7, metavar="N")
    parser.add_argument("--only", action="append", metavar="PAGE", choices=list(BOUNDS))
    options = parser.parse_args()
    print(
        f"{'median ms':<28}{'bare':>9}{'Charlotte':>11}{'ratio':>8}{'fastest':>9}{'bound':>7}  met"
    )
    results = trio.run(measure, options.only or list(BOUNDS), options.runs)
    if not options.only:
        save(_RESULTS, [result.as_json() for result in results], runs=options.runs)
    if over := [result.name for result in results if not result.is_met]:
        sys.exit(f"Over the bound: {', '.join(over)}.")


if __name__ == "__main__":
    main()
