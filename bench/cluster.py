"""``python -m bench.cluster``: a Ray cluster beside the local engine, and its throughput.

*Overhead*: the same calls on both engines in turns, on this machine. *Throughput*: pages of two
seconds, loaded by eight agents for each browser host. *Capacity*: memory and processor time of
tabs.
"""

import argparse
import statistics
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from bench import capacity
from bench.agents import Agent, HttpCaller, ask, open_callers, open_http_server, work
from bench.plot import plot
from bench.report import save
from charlotte.cluster.host_calls import CALLS
from charlotte.cluster.ray_calls import call_actor, import_ray
from tests.cluster.nodes import Nodes, open_nodes
from tests.site.routes import Request, page
from tests.site.server import Site, open_site

RESULTS: Final = Path(__file__).with_name("results")
HOSTS: Final = (1, 2, 4)
MOST_MS: Final = 3.0
"""Limit of the difference of the medians of the two engines, for each kind of call."""
_CALLS: Final = 10
"""Calls of each kind in a round; rounds of the two engines take turns."""
_FRAME: Final = 1 / 60
"""Seconds of a frame; clicks begin at all points of a frame.

A click waits for frames: without pauses, one engine begins all clicks just in time for a frame and
the other one just too late. A call after a pause takes longer: processes and processors wake up.
"""
_CALL_BYTES: Final = 300
_AGENTS: Final = 8
_PAGES: Final = 5
_PAGE_MS: Final = 2000
_PATIENCE: Final = 600.0
_START_WAIT: Final = 120.0
_FLAGS: Final = ("--log-level", "error", "--answers", "json")
_PARTS: Final = ("overhead", "throughput", "capacity")
_BUTTON: Final = """<button onclick="count.textContent = Number(count.textContent) + 1">Add</button>
<p id=count>0</p>"""


def _engine(nodes: Nodes) -> tuple[str, ...]:
    return ("--engine", "ray", "--address", nodes.address)


async def _wait_ready(url: str) -> None:
    """Wait until a gateway opens sessions: its first host takes seconds to start."""
    with trio.fail_after(_START_WAIT):
        async with open_callers(url, 1) as [caller]:
            while (await caller.call("tabs")).get("isError"):  # noqa: ASYNC110 - another process
                await trio.sleep(1)


class Times(dict[str, list[float]]):
    """The milliseconds of calls by kind."""

    async def note(self, kind: str, call: Callable[[], Awaitable[Any]]) -> None:
        """Make a call, and note its time."""
        begun = trio.current_time()
        await call()
        self.setdefault(kind, []).append(1000 * (trio.current_time() - begun))

    def median(self, kind: str) -> float:
        """Return the median of a kind."""
        return statistics.median(self[kind])


@attrs.define(eq=False)
class Side:
    """A session of one engine, and the milliseconds of its calls by kind."""

    name: str
    caller: HttpCaller
    button: str
    times: Times = attrs.field(factory=Times)

    async def measure(self) -> None:
        """Make the calls of a round, those that wait for no frame also without a pause."""
        for number in range(_CALLS):
            for tool in ("tabs", "observe"):
                await trio.sleep(_FRAME * number / _CALLS)
                await self._time(f"{tool} after a pause", tool)
                await self._time(tool, tool)
            await trio.sleep(_FRAME * number / _CALLS)
            await self._time("click", "click", element_id=self.button)

    async def _time(self, kind: str, tool: str, **arguments: Any) -> None:
        await self.times.note(kind, partial(ask, self.caller, tool, **arguments))


class Empty:
    """An actor of Ray that does nothing."""

    def ask(self, call: bytes) -> bytes:
        """Return the argument."""
        return call


@attrs.define(eq=False)
class EmptyCalls:
    """Calls of an empty actor: the part of the overhead that is Ray's own."""

    actor: Any
    times: Times = attrs.field(factory=Times)

    async def measure(self) -> None:
        """Make the calls of a round."""
        for number in range(_CALLS):
            call = partial(call_actor, self.actor, "ask", b"x" * _CALL_BYTES)
            await trio.sleep(_FRAME * number / _CALLS)
            await self.times.note("after a pause", call)
            await self.times.note("", call)


@contextmanager
def _open_empty_calls(nodes: Nodes) -> Generator[EmptyCalls]:
    ray = import_ray()
    ray.init(nodes.address, log_to_driver=False, logging_level="error")
    try:
        yield EmptyCalls(ray.remote(Empty).options(num_cpus=0, max_concurrency=CALLS).remote())
    finally:
        ray.shutdown()


async def _adds(_: Request) -> Any:
    return page("Adds", _BUTTON)


async def _open_side(stack: AsyncExitStack, name: str, site: Site, *flags: str) -> Side:
    url, _ = await stack.enter_async_context(open_http_server(*_FLAGS, *flags))
    await _wait_ready(url)
    [caller] = await stack.enter_async_context(open_callers(url, 1))
    await ask(caller, "navigate", url=site.url("/adds"))
    [button] = await ask(caller, "find", text="Add", role="button")
    return Side(name, caller, button["id"])


async def measure_overhead(rounds: int) -> list[dict[str, Any]]:
    """Return a row for each kind of call, with the medians of both engines."""
    async with open_site(routes={"/adds": _adds}) as site, AsyncExitStack() as stack:
        cluster = stack.enter_context(open_nodes(1))
        local = await _open_side(stack, "local", site)
        ray = await _open_side(stack, "ray", site, *_engine(cluster))
        empty = stack.enter_context(_open_empty_calls(cluster))
        for side in (local, ray, empty):  # warms up
            await side.measure()
            side.times.clear()
        for number in range(rounds):
            for side in (local, ray, empty) if number % 2 else (empty, ray, local):
                await side.measure()
    rows: list[dict[str, Any]] = [
        {"call": f"empty actor {kind}".strip(), "ray_ms": round(empty.times.median(kind), 2)}
        for kind in empty.times
    ]
    for tool, times in local.times.items():
        medians = {each.name: each.times.median(tool) for each in (local, ray)}
        rows.append(
            {
                "call": tool,
                **{f"{name}_ms": round(value, 2) for name, value in medians.items()},
                "overhead_ms": round(medians["ray"] - medians["local"], 2),
                "limit_ms": MOST_MS,
                "calls": len(times),
            }
        )
    return rows


async def _throughput(url: str, site: Site, hosts: int) -> float:
    """Return the pages per second of eight agents for each host."""
    count = _AGENTS * hosts
    async with open_callers(url, count) as callers:
        agents = [
            Agent(f"agent-{number}", caller, site, marks=True)
            for number, caller in enumerate(callers)
        ]
        await work([attrs.evolve(agent, marks=False) for agent in agents], 1, 0)  # opens sessions
        return count * _PAGES / await work(agents, _PAGES, _PAGE_MS)


async def measure_throughput() -> list[dict[str, Any]]:
    """Return the pages per second by number of hosts; write a plot."""
    rates: dict[int, float] = {}
    async with open_site() as site:
        with open_nodes(0) as cluster:
            for hosts in HOSTS:
                while len(cluster.running) < hosts:
                    cluster.add()
                flags = ("--max-sessions", str(_AGENTS), *_engine(cluster))
                async with open_http_server(*_FLAGS, *flags) as (url, _):
                    await _wait_ready(url)
                    rates[hosts] = await _throughput(url, site, hosts)
    ideal = _AGENTS * 1000 / _PAGE_MS
    lines = {
        "measured": [*rates.items()],
        "without limits of the machine": [(hosts, ideal * hosts) for hosts in HOSTS],
    }
    image = plot("Throughput by number of browser hosts", "hosts", "pages per second", lines)
    (RESULTS / "cluster.svg").write_text(image, encoding="utf-8")
    return [
        {"hosts": hosts, "agents": _AGENTS * hosts, "pages_per_second": round(rate, 1)}
        for hosts, rate in rates.items()
    ]


async def _run(parts: Sequence[str], rounds: int) -> int:
    rows: list[dict[str, Any]] = []
    with trio.fail_after(_PATIENCE):
        if "overhead" in parts:
            rows += await measure_overhead(rounds)
        if "throughput" in parts:
            rows += await measure_throughput()
    for row in rows:
        print(", ".join(f"{name} {value}" for name, value in row.items()))
    if rows:
        save(RESULTS / "cluster.json", rows, runs=rounds, ray=import_module("ray").__version__)
    if "capacity" in parts:
        await capacity.measure(3)
    return int(any(row.get("overhead_ms", 0) > MOST_MS for row in rows))


def main() -> None:
    """Measure the selected parts; exit with 1 if the overhead exceeds its limit."""
    parser = argparse.ArgumentParser(prog="bench.cluster", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, metavar="N")
    parser.add_argument("--only", action="append", choices=_PARTS, metavar="PART", help=str(_PARTS))
    options = parser.parse_args()
    raise SystemExit(trio.run(_run, options.only or _PARTS, options.rounds))


if __name__ == "__main__":
    main()
