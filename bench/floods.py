"""``python -m bench.floods``: the slowest ``observe`` of a tab while a page in another tab floods.

Each flood has a server of its own. The observed tab is measured before, during and after it.
"""

import json
import sys
from pathlib import Path
from typing import Any, Final

import trio

from bench.faults import Bench, open_adding_site
from tests.stdio_client import open_client

_RESULTS: Final = Path(__file__).with_name("results") / "floods.json"
_COMMAND: Final = (sys.executable, "-m", "charlotte", "--log-level", "error")
_SECONDS: Final = 8.0
_PAUSE: Final = 0.05
_BOUND: Final = 1.0
"""Seconds that no ``observe`` may take during a flood."""

_LIMIT: Final = 300.0
"""Maximum seconds for the whole benchmark."""

_FLOODS: Final = {
    "sockets": "for (let n = 0; n < 20; n += 1) new WebSocket('ws://127.0.0.1:9/')",
    "fetches": "for (let n = 0; n < 100; n += 1) fetch(`data:,${Math.random()}`)",
    "workers": "for (let n = 0; n < 4; n += 1) new Worker('data:text/javascript,close()')",
    "frames": """for (let n = 0; n < 20; n += 1) {
      const frame = document.createElement('iframe');
      frame.srcdoc = '<button>x</button><iframe srcdoc=y></iframe>';
      document.body.append(frame);
    }
    while (frames.length > 300) document.querySelector('iframe').remove()""",
    "downloads": """for (let n = 0; n < 7; n += 1) {
      const link = document.createElement('a');
      link.download = `f${n}`;
      link.href = 'data:text/plain,x';
      link.click();
    }""",
}
"""What a page does every 20 ms, by name."""


async def _slowest(bench: Bench, tab_id: str) -> float:
    """Return the seconds of the slowest ``observe`` within some seconds; infinite for an error."""
    slowest, end = 0.0, trio.current_time() + _SECONDS
    while (begun := trio.current_time()) < end:
        if await bench.call("observe", tab_id=tab_id) is None:
            return float("inf")
        slowest = max(slowest, trio.current_time() - begun)
        await trio.sleep(_PAUSE)
    return round(slowest, 2)


async def _measure(script: str) -> dict[str, float]:
    """Measure a tab before, during and after a flood in another one."""
    async with open_adding_site() as site, open_client(_COMMAND) as client:
        await client.initialize()
        bench = Bench(client, site, calls=1)
        observed, flooding = [await bench.open(number) for number in (0, 1)]
        row = {"before": await _slowest(bench, observed)}
        start = f"setInterval(() => {{ {script} }}, 20); 1"
        await bench.call("evaluate", tab_id=flooding, expression=start)
        row["during"] = await _slowest(bench, observed)
        await bench.call("tab_close", tab_id=flooding)
        return row | {"after": await _slowest(bench, observed)}


async def _measure_all() -> dict[str, Any]:
    with trio.fail_after(_LIMIT):
        return {name: await _measure(script) for name, script in _FLOODS.items()}


def main() -> int:
    """Measure, write ``floods.json``, and return 1 if a flood holds up the other tab."""
    rows = trio.run(_measure_all)
    for name, row in rows.items():
        print(f"{name:<10}", ", ".join(f"{when} {seconds:.2f} s" for when, seconds in row.items()))
    _RESULTS.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return int(any(max(row["during"], row["after"]) > _BOUND for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
