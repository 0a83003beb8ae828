"""``python -m bench.console_flood``: how long another tab waits while a page logs a flood.

The bare protocol has the Runtime domain enabled in one session and no limit. Charlotte limits the
messages in the page: if the browser gets too little processor time to report them as fast as the
page logs them, its answers to all other tabs wait behind the flood, also when the session is
detached. Both sides are measured alone, and beside a busy process for each core.
"""

import json
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

import trio

from bench.faults import Bench, burning, open_adding_site
from bench.floor import Floor, open_floor
from tests.stdio_client import open_client

_RESULTS: Final = Path(__file__).with_name("results") / "console_flood.json"
_COMMAND: Final = (sys.executable, "-m", "charlotte", "--log-level", "error")
_MESSAGES: Final = 100_000
_FLOOD: Final = (
    f"setTimeout(() => {{ for (let n = 0; n < {_MESSAGES}; n += 1) console.log(n) }}); 1"
)
_PERIOD: Final = 0.1
_QUIET_AFTER: Final = 1.0
"""Seconds without a slow answer after which the flood is over."""

_LIMIT: Final = 300.0


async def _longest_wait(
    flood: Callable[[], Awaitable[Any]], ask: Callable[[], Awaitable[Any]]
) -> float:
    """Start a flood, ask another tab until it answers quickly; return the longest wait in ms."""
    await ask()
    await flood()
    longest, slow_until = 0.0, trio.current_time()
    while trio.current_time() < slow_until + _QUIET_AFTER:
        started = trio.current_time()
        await ask()
        waited = trio.current_time() - started
        longest = max(longest, waited)
        if waited > _PERIOD:
            slow_until = trio.current_time()
        await trio.sleep(_PERIOD)
    return longest * 1000


async def _bare(floor: Floor) -> float:
    loud, quiet = await floor.tab(), await floor.tab()
    for tab in (loud, quiet):
        await tab.navigate("data:text/html,<title>Page</title>")
        await tab.enter()
    await loud.follow_console()
    return await _longest_wait(lambda: loud.run(_FLOOD), lambda: quiet.run("'answer'"))


async def _charlotte() -> float:
    async with open_adding_site() as site, open_client(_COMMAND) as client:
        await client.initialize()
        bench = Bench(client, site, 1)
        loud, quiet = [await bench.open(number) for number in (0, 1)]
        return await _longest_wait(
            lambda: bench.call("evaluate", tab_id=loud, expression=_FLOOD),
            lambda: bench.call("evaluate", tab_id=quiet, expression="'answer'"),
        )


async def _measure(busy: int) -> dict[str, float]:
    """Measure both sides, in ms, beside a number of busy processes."""
    async with AsyncExitStack() as stack:
        for _ in range(busy):
            await stack.enter_async_context(burning())
        async with open_floor() as floor:
            bare = await _bare(floor)
        return {"bare": round(bare, 1), "charlotte": round(await _charlotte(), 1)}


async def _measure_all() -> dict[str, dict[str, float]]:
    with trio.fail_after(_LIMIT):
        return {"idle": await _measure(0), "busy": await _measure(os.cpu_count() or 1)}


def main() -> None:
    """Measure, print, and write ``console_flood.json``."""
    results = trio.run(_measure_all)
    print(f"longest answer of another tab while a page logs {_MESSAGES:,} messages:")
    for machine, waits in results.items():
        print(f"{machine}: " + ", ".join(f"{name} {wait:.0f} ms" for name, wait in waits.items()))
    _RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
