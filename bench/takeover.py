"""``python -m bench.takeover``: from the input of a person on the dashboard to the next picture.

The page changes between a plain and a busy picture with each press of the mouse, which shows in the
size of the JPEG. The bare side is a screencast over the raw protocol with the same options. A pair
of samples is one of each, in alternating order.
"""

import argparse
import json
import statistics
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, Protocol

import attrs
import httpx2
import trio

from bench.floor import FloorTab, open_floor
from tests.whole.client import PROGRAM, Server, open_server
from tests.whole.people import Person

_RESULTS: Final = Path(__file__).with_name("results") / "takeover.json"
_BOUND_MS: Final = 50.0
_PAUSE: Final = 0.1
_PATIENCE: Final = 10.0
_POINT: Final = {"x": 640, "y": 360, "button": 0, "clicks": 1}
_PAGE: Final = """
const canvas = Object.assign(document.createElement("canvas"), { width: 1280, height: 720 });
const context = canvas.getContext("2d");
for (let y = 0; y < 720; y += 4) for (let x = 0; x < 1280; x += 4) {
  context.fillStyle = `hsl(${(x * 7 + y * 13) % 360} 80% ${(x * 3 + y * 11) % 100}%)`;
  context.fillRect(x, y, 4, 4);
}
const style = "position: fixed; inset: 0; width: 1280px; height: 720px; visibility: hidden";
canvas.style = style;
document.body.append(canvas);
addEventListener("mousedown", () => {
  canvas.style.visibility = canvas.style.visibility === "hidden" ? "visible" : "hidden";
});
0
"""
_OPTIONS: Final = {
    "format": "jpeg",
    "quality": 60,
    "maxWidth": 1920,
    "maxHeight": 1920,
    "everyNthFrame": 1,
}


class Viewer(Protocol):
    """One side: presses the mouse, and gets the sizes of pictures."""

    sizes: "Sizes"

    async def press(self) -> None:
        """Press and release the mouse button."""
        ...


@attrs.define(eq=False)
class Sizes:
    """The sizes of the pictures that arrive."""

    last: int = 0
    changed: trio.Event = attrs.field(factory=trio.Event)

    def note(self, size: int) -> None:
        """Record a picture."""
        self.last = size
        self.changed.set()
        self.changed = trio.Event()

    async def differs(self, before: int) -> None:
        """Wait for a picture of the other kind: at least double or half the size."""
        while before / 2 < self.last < before * 2:
            await self.changed.wait()


@attrs.define(eq=False)
class Bare:
    """A screencast over the raw protocol."""

    _tab: FloorTab
    sizes: Sizes = attrs.field(factory=Sizes)

    async def press(self) -> None:
        """Press and release the mouse button."""
        await self._tab.press_at(_POINT["x"], _POINT["y"])


@attrs.define(eq=False)
class Dashboard:
    """A person on the dashboard of Charlotte."""

    _http: httpx2.AsyncClient
    sizes: Sizes = attrs.field(factory=Sizes)

    async def press(self) -> None:
        """Press and release the mouse button."""
        events = [{"type": "down", "buttons": 1, **_POINT}, {"type": "up", **_POINT}]
        response = await self._http.post("turns/tab-1/input", json={"events": events})
        response.raise_for_status()

    async def watch(self, task_status: trio.TaskStatus[None]) -> None:
        """Read pictures until cancelled."""
        async with self._http.stream("GET", "turns/tab-1/pictures", timeout=None) as response:
            async for line in _lines(response.aiter_text()):
                if line.startswith("data: "):
                    first = self.sizes.last == 0
                    self.sizes.note(len(json.loads(line[6:])["jpeg"]))
                    if first:
                        task_status.started()


async def _lines(texts: AsyncIterator[str]) -> AsyncGenerator[str]:
    """Yield lines as soon as they are complete."""
    parts: list[str] = []
    async for text in texts:
        *complete, rest = text.split("\n")
        for line in complete:
            yield "".join([*parts, line])
            parts.clear()
        parts.append(rest)


@asynccontextmanager
async def _open_bare() -> AsyncGenerator[Bare]:
    async with open_floor() as floor:
        tab = await floor.tab()
        await tab.navigate("data:text/html,<body>")
        await tab.enter()
        await tab.run(_PAGE)
        bare = Bare(tab)
        await tab.follow_screencast(_OPTIONS, bare.sizes.note)
        while not bare.sizes.last:
            await bare.sizes.changed.wait()
        yield bare


@asynccontextmanager
async def _open_dashboard(server: Server) -> AsyncGenerator[Dashboard]:
    def hand_over() -> Person:
        server.call("navigate", url="data:text/html,<body>")
        server.call("evaluate", expression=_PAGE)
        server.start("ask_person", what="Measure", timeout=3_600_000)
        person = Person.beside(server)
        person.wait_asked()
        return person

    page, _, token = (await trio.to_thread.run_sync(hand_over)).address.partition("#token=")
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(base_url=f"{page}api/", headers=headers) as http,
        trio.open_nursery() as nursery,
    ):
        dashboard = Dashboard(http)
        await nursery.start(dashboard.watch)
        yield dashboard
        nursery.cancel_scope.cancel("measured")


async def _sample(viewer: Viewer) -> float:
    """Return the ms from a press of the mouse to the picture that shows its effect."""
    before, begun = viewer.sizes.last, time.perf_counter()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(viewer.press)
        with trio.fail_after(_PATIENCE):
            await viewer.sizes.differs(before)
        taken = (time.perf_counter() - begun) * 1000
    await trio.sleep(_PAUSE)
    return taken


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


async def measure(server: Server, pairs: int) -> dict[str, Any]:
    """Measure both sides; times in ms."""
    samples: dict[str, list[float]] = {"bare": [], "charlotte": []}
    async with _open_bare() as bare, _open_dashboard(server) as dashboard:
        sides: list[tuple[str, Callable[[], Awaitable[float]]]] = [
            ("bare", lambda: _sample(bare)),
            ("charlotte", lambda: _sample(dashboard)),
        ]
        for _, sample in sides:
            await sample()  # the first of each side is not counted
        for number in range(pairs):
            for name, sample in sides if number % 2 else reversed(sides):
                samples[name].append(round(await sample(), 2))
    summary: dict[str, Any] = {
        name: {
            "median": round(statistics.median(times), 2),
            "p95": round(_p95(times), 2),
            "ms": times,
        }
        for name, times in samples.items()
    }
    more = summary["charlotte"]["p95"] - summary["bare"]["p95"]
    return {"pairs": pairs, "bound_ms": _BOUND_MS, "more_p95_ms": round(more, 2), **summary}


def main() -> None:
    """Measure, print, and write ``takeover.json``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=100)
    pairs: int = parser.parse_args().pairs
    with open_server("--dashboard", program=PROGRAM) as server:
        results = trio.run(measure, server, pairs)
    for name in ("bare", "charlotte"):
        side = results[name]
        print(f"{name:<10} median {side['median']:6.1f} ms, p95 {side['p95']:6.1f} ms")
    print(f"p95 {results['more_p95_ms']:+.1f} ms; the bound is +{_BOUND_MS:.0f} ms")
    _RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
