"""``python -m bench.monitors``: the cost of a loud page: slower calls on its tab, and memory.

Two tabs show the same page. One has written 10,000 lines and asked for 5,000 resources. The same
calls are made in both by turns, so that other load affects both alike.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from bench.faults import Bench, open_adding_site
from tests.stdio_client import open_client

_RESULTS: Final = Path(__file__).with_name("results") / "monitors.json"
_COMMAND: Final = (sys.executable, "-m", "charlotte", "--log-level", "error")
_LINES: Final = 10_000
_REQUESTS: Final = 5_000
_STEPS: Final = 20
_PAUSE: Final = 0.1
_AGAIN: Final = 2
_LIMIT: Final = 300.0
"""Maximum seconds for the whole benchmark."""

_LOUD: Final = """for (let n = 0; n < %d; n += 1) console.log('line', n, {n});
  await Promise.all(Array.from({length: %d}, (_, n) => fetch(`data:,${n}`))); 1"""


async def _be_loud(bench: Bench, tab_id: str) -> None:
    """Make pages log and send requests; wait until all of it is recorded.

    Each step has its own document, because the recorded lines of a document are limited. The
    page stays until its lines are recorded, because a flood of lines is read with pauses.
    """
    step = _LOUD % (_LINES // _STEPS, _REQUESTS // _STEPS)
    for done in range(1, _STEPS + 1):
        await bench.call("reload", tab_id=tab_id, detail="minimal")
        await bench.call("evaluate", tab_id=tab_id, expression=step, timeout=60_000)
        for monitor, made in ("console", _LINES), ("requests", _REQUESTS):
            while await _on_record(bench, monitor, tab_id) < made * done // _STEPS:  # noqa: ASYNC110 - by a process
                await trio.sleep(_PAUSE)


async def _on_record(bench: Bench, monitor: str, tab_id: str) -> int:
    answer = await bench.call(monitor, tab_id=tab_id, limit=1)
    return int(answer["count"]) + int(answer.get("dropped", 0))


async def _by_turns(bench: Bench, tab_ids: Sequence[str]) -> dict[str, list[list[float]]]:
    """Measure a look and a click in each tab (ms)."""
    buttons = [await bench.button(tab_id) for tab_id in tab_ids]
    times: dict[str, list[list[float]]] = {"observe": [[], []], "click": [[], []]}
    for number in range(bench.calls):
        turn = (0, 1) if number % 2 else (1, 0)
        for one in turn:
            clicked = {"tab_id": tab_ids[one], "element_id": buttons[one]}
            times["click"][one].append(await _timed(bench, "click", **clicked))
            times["observe"][one].append(await _timed(bench, "observe", tab_id=tab_ids[one]))
    return times


async def _timed(bench: Bench, tool: str, **arguments: Any) -> float:
    started = trio.current_time()
    await bench.call(tool, **arguments)
    return (trio.current_time() - started) * 1000


def _resident(pid: int) -> float:
    """Return the memory of the server in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


async def measure(calls: int) -> dict[str, Any]:
    """Measure times in ms, and memory in MB before, after and after repeated noise."""
    async with open_adding_site() as site, open_client(_COMMAND) as client:
        await client.initialize()
        bench = Bench(client, site, calls)
        quiet, loud = [await bench.open(number) for number in (0, 1)]
        await _by_turns(attrs.evolve(bench, calls=5), (quiet, loud))
        memory = [_resident(client.pid)]
        await _be_loud(bench, loud)
        memory.append(_resident(client.pid))
        times = await _by_turns(bench, (quiet, loud))
        for _ in range(_AGAIN):
            await bench.call("console", tab_id=loud, clear=True, limit=1)
            await bench.call("requests", tab_id=loud, clear=True, limit=1)
            await _be_loud(bench, loud)
            memory.append(_resident(client.pid))
    medians = {name: [statistics.median(one) for one in both] for name, both in times.items()}
    return {"medians": medians, "memory": memory}


async def _in_time(calls: int) -> dict[str, Any]:
    with trio.fail_after(_LIMIT):
        return await measure(calls)


def main() -> None:
    """Measure and write ``monitors.json``."""
    parser = argparse.ArgumentParser(prog="bench.monitors", description=__doc__)
    parser.add_argument("--calls", type=int, default=60, metavar="N")
    result = trio.run(_in_time, parser.parse_args().calls)
    for name, (quiet, loud) in result["medians"].items():
        print(f"{name:<8} quiet {quiet:.1f} ms, loud {loud:.1f} ms: ratio {loud / quiet:.2f}")
    print("memory   " + ", ".join(f"{one:.1f}" for one in result["memory"]) + " MB")
    _RESULTS.parent.mkdir(exist_ok=True)
    _RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
