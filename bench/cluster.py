"""``python -m bench.cluster``: what Ray adds to a call, and what a tab needs.

*Overhead*: how much longer the same calls take on a host of a Ray cluster than on this machine, in
turns with calls of an empty actor that carry as many bytes. *Capacity*: memory and processor
time of tabs.
"""

import argparse
import statistics
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from bench import capacity
from bench.report import save
from charlotte import Config
from charlotte.api import app
from charlotte.cluster.engine import open_cluster
from charlotte.cluster.host_actors import CALLS, call_actor, import_ray
from charlotte.cluster.messages import pack
from tests.cluster.nodes import open_nodes

RESULTS: Final = Path(__file__).with_name("results")
MOST: Final = 1.5
"""Limit of the overhead of a call, in empty calls of a Ray actor with the same bytes."""
_CALLS: Final = 10
"""Calls of each kind in a round; the rounds of all sides take turns."""
_PAUSE: Final = 1 / 60
"""Longest pause before a call: then processes and processors have to wake up."""
_REQUEST_BYTES: Final = 230
_REPLY_BYTES: Final = 330
"""Bytes of a reply without its answer."""
_PARTS: Final = ("overhead", "capacity")
_PAGE: Final = "data:text/html,<title>Adds</title><button>Add</button><p>0</p>"

Calls = dict[str, Callable[[], Awaitable[Any]]]


class Empty:
    """An actor of Ray that does nothing."""

    def ask(self, call: bytes) -> bytes:
        """Return as many bytes as the beginning of the argument says."""
        return bytes(int.from_bytes(call[:4], "big"))


@attrs.define(eq=False)
class Side:
    """One way to make the calls, and their milliseconds by kind."""

    calls: Calls
    times: dict[str, list[float]] = attrs.field(factory=dict[str, list[float]])

    async def measure(self) -> None:
        """Make the calls of a round, each after a pause and at once."""
        for number in range(_CALLS):
            for tool in self.calls:
                await trio.sleep(_PAUSE * number / _CALLS)
                await self._time(f"{tool} after a pause", tool)
                await self._time(tool, tool)

    async def _time(self, kind: str, tool: str) -> None:
        begun = trio.current_time()
        await self.calls[tool]()
        self.times.setdefault(kind, []).append(1000 * (trio.current_time() - begun))

    def median(self, kind: str) -> float:
        """Return the median of a kind."""
        return statistics.median(self.times[kind])


async def _open_side(session: Any) -> tuple[Side, dict[str, int]]:
    """Return the calls of a session, and the bytes of their answers."""
    await session.call("navigate", {"url": _PAGE})
    tools = ("tabs", "observe")
    sizes = {tool: len(pack((await session.call(tool)).blocks)) for tool in tools}
    return Side({tool: partial(session.call, tool) for tool in tools}), sizes


def _open_empty(sizes: dict[str, int]) -> Side:
    actor = import_ray().remote(Empty).options(num_cpus=0, max_concurrency=CALLS).remote()
    calls: Calls = {}
    for tool, size in sizes.items():
        call = (size + _REPLY_BYTES).to_bytes(4, "big") + bytes(_REQUEST_BYTES)
        calls[tool] = partial(call_actor, actor.ask, call)
    return Side(calls)


async def measure_overhead(rounds: int) -> list[dict[str, Any]]:
    """Return a row for each kind of call, with the medians of all sides."""
    with open_nodes(1) as nodes:
        config = Config(log_level="error")
        on_ray = attrs.evolve(config, engine="ray", address=nodes.address)
        async with (
            app.open_charlotte(config) as charlotte,
            open_cluster(on_ray) as cluster,
            charlotte.open_session() as one,
            cluster.open_session() as other,
        ):
            (local, sizes), (ray, _) = await _open_side(one), await _open_side(other)
            empty = _open_empty(sizes)
            sides = (local, ray, empty)
            for side in sides:  # warms up
                await side.measure()
                side.times.clear()
            for number in range(rounds):
                for side in sides if number % 2 else reversed(sides):
                    await side.measure()
    return [_row(kind, local, ray, empty) for kind in local.times]


def _row(kind: str, local: Side, ray: Side, empty: Side) -> dict[str, Any]:
    """Return the medians of a kind, and the overhead in empty calls."""
    here, there, least = local.median(kind), ray.median(kind), empty.median(kind)
    return {
        "call": kind,
        "calls": len(local.times[kind]),
        "local_ms": round(here, 2),
        "ray_ms": round(there, 2),
        "overhead_ms": round(there - here, 2),
        "empty_ms": round(least, 2),
        "ratio": round((there - here) / least, 2),
        "limit": MOST,
    }


async def _run(parts: Sequence[str], rounds: int) -> int:
    rows: list[dict[str, Any]] = []
    if "overhead" in parts:
        rows = await measure_overhead(rounds)
        for row in rows:
            print(", ".join(f"{name} {value}" for name, value in row.items()))
        save(RESULTS / "cluster.json", rows, runs=rounds, ray=import_module("ray").__version__)
    if "capacity" in parts:
        await capacity.measure(3)
    return int(any(row["ratio"] > row["limit"] for row in rows))


def main() -> None:
    """Measure the selected parts; exit with 1 if the overhead exceeds its limit."""
    parser = argparse.ArgumentParser(prog="bench.cluster", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, metavar="N")
    parser.add_argument("--only", action="append", choices=_PARTS, metavar="PART", help=str(_PARTS))
    options = parser.parse_args()
    raise SystemExit(trio.run(_run, options.only or _PARTS, options.rounds))


if __name__ == "__main__":
    main()
