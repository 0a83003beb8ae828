"""``python -m bench.faults``: the cost of a tab's faults for other tabs, and recovery times."""

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import attrs
import trio
from starlette.responses import Response

from tests.site.routes import Request, page
from tests.site.server import Site, open_site
from tests.stdio_client import Client, open_client
from tests.whole.processes import renderers

_RESULTS: Final = Path(__file__).with_name("results") / "faults.json"
_COMMAND: Final = (sys.executable, "-m", "charlotte", "--log-level", "error")
_BURNER: Final = (sys.executable, "-c", "while True: pass")
_TABS: Final = 16
_CLOSE_WAIT: Final = 5.0
_LIMIT: Final = 300.0
"""Maximum seconds for the whole benchmark."""

_LOOP: Final = "setTimeout(() => { while (true); }); 1"
_FLOOD: Final = "setInterval(() => { for (let n = 0; n < 500; n += 1) console.log(n) }, 20); 1"
_BUTTON: Final = """<button onclick="count.textContent = Number(count.textContent) + 1">Add</button>
<p id=count>0</p>"""


async def _adds(_request: Request) -> Response:
    """Return a page with a button that counts its clicks."""
    return page("Adds", _BUTTON)


def open_adding_site() -> AbstractAsyncContextManager[Site]:
    """Serve the site of the pages of `Bench.open`."""
    return open_site(routes={"/adds": _adds})


@attrs.frozen
class Bench:
    """A server, a site, and the number of measured calls."""

    client: Client
    site: Site
    calls: int

    async def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool; return its parsed answer, or None for an error."""
        result = await self.client.call(tool, **arguments)
        return None if result.get("isError") else json.loads(result["content"][0]["text"])

    async def open(self, number: int) -> str:
        """Open a tab with its own renderer; return its id."""
        url = self.site.url("/adds", host=f"b{number}.localhost")
        opened = await self.call("tab_open", url=url)
        return str(opened["tab_id"])

    async def times(self, tab_id: str) -> list[float]:
        """Measure clicks in a tab (ms); raise an error if one is refused."""
        button = await self.button(tab_id)
        return [await _timed(self.press(tab_id, button)) for _ in range(self.calls)]

    async def button(self, tab_id: str) -> str:
        """Return the id of the button in a tab."""
        found = await self.call("find", tab_id=tab_id, text="Add")
        return str(found[0]["id"])

    async def press(self, tab_id: str, button: str) -> None:
        """Click the button; raise an error if the click is refused."""
        answer = await self.client.call("click", tab_id=tab_id, element_id=button)
        if answer.get("isError"):
            raise RuntimeError(answer["content"][0]["text"])

    async def until_usable(self, tab_id: str) -> None:
        """Observe until a tab answers."""
        while await self.call("observe", tab_id=tab_id, detail="minimal") is None:
            pass


async def _timed(work: Awaitable[object]) -> float:
    started = trio.current_time()
    await work
    return (trio.current_time() - started) * 1000


def _row(times: Sequence[float]) -> dict[str, float]:
    p95 = statistics.quantiles(times, n=20, method="inclusive")[-1]
    return {"median": round(statistics.median(times), 1), "p95": round(p95, 1)}


@asynccontextmanager
async def burning() -> AsyncGenerator[None]:
    """Keep a core busy with an unrelated process."""
    process = subprocess.Popen(_BURNER)  # noqa: ASYNC220, S603 - it is killed here
    try:
        yield
    finally:
        process.kill()
        process.wait()


@asynccontextmanager
async def _script(bench: Bench, expression: str) -> AsyncGenerator[None]:
    """Run an endless script in another tab while the block runs."""
    tab_id = await bench.open(1)
    await bench.call("evaluate", tab_id=tab_id, expression=expression)
    try:
        yield
    finally:
        with trio.move_on_after(_CLOSE_WAIT, shield=True):
            await bench.call("tab_close", tab_id=tab_id)


@asynccontextmanager
async def _crashing(bench: Bench) -> AsyncGenerator[None]:
    """Kill other renderers again and again while the block runs."""
    mine = set(renderers(bench.client.pid))
    tab_ids = [await bench.open(number) for number in range(1, 4)]
    async with trio.open_nursery() as nursery:

        async def repeat() -> None:
            while True:
                for pid in set(renderers(bench.client.pid)) - mine:
                    kill(pid)
                    break
                await trio.sleep(1)

        nursery.start_soon(repeat)
        yield
        nursery.cancel_scope.cancel("measured")
    for tab_id in tab_ids:
        await bench.call("tab_close", tab_id=tab_id)


def kill(pid: int) -> None:
    """End a process that may have ended already."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


async def _innocent(bench: Bench) -> dict[str, Any]:
    """Measure clicks with an unrelated busy process (control) and with misbehaving tabs."""
    tab_id = await bench.open(0)
    await bench.times(tab_id)
    conditions: dict[str, Callable[[], Any]] = {
        "control": burning,
        "loops": lambda: _script(bench, _LOOP),
        "floods": lambda: _script(bench, _FLOOD),
        "crashes": lambda: _crashing(bench),
    }
    rows: dict[str, Any] = {}
    for name, condition in conditions.items():
        async with condition():
            rows[name] = _row(await bench.times(tab_id))
    await bench.call("tab_close", tab_id=tab_id)
    return rows


async def _after_renderers(bench: Bench, deaths: int) -> dict[str, float]:
    """Measure the time from the kill of a renderer until its tab answers, for several tabs."""
    times = list[float]()
    for number in range(deaths):
        tab_id = await bench.open(number)
        for pid in renderers(bench.client.pid):
            kill(pid)
        times.append(await _timed(bench.until_usable(tab_id)))
        await bench.call("tab_close", tab_id=tab_id)
    return _row(times)


async def _after_browsers(site: Site, deaths: int) -> dict[str, float]:
    """Measure the time from the kill of a browser until all 16 tabs answer, several times."""
    times = list[float]()
    for _ in range(deaths):
        async with open_client(_COMMAND) as client:
            await client.initialize()
            times.append(await _after_browser(Bench(client, site, 0)))
    return _row(times)


async def _after_browser(bench: Bench) -> float:
    tab_ids = [await bench.open(number) for number in range(_TABS)]

    async def all_usable() -> None:
        async with trio.open_nursery() as nursery:
            for tab_id in tab_ids:
                nursery.start_soon(bench.until_usable, tab_id)

    kill(browser_of(bench.client.pid))
    return await _timed(all_usable())


def browser_of(server: int) -> int:
    """Return the browser of a server; raise `LookupError` while the server has no browser."""
    for child in children(server):
        for below in children(child):
            flags = arguments(below)
            if any(one.startswith("--user-data-dir=") for one in flags):
                return below
    raise LookupError(f"process {server} has no browser")


def arguments(pid: int) -> list[str]:
    """Return the command line of a process."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8").split("\0")
    return []


def children(pid: int) -> list[int]:
    """Return the child processes of a running process."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(one) for task in tasks for one in (task / "children").read_text().split()]


async def measure(calls: int, deaths: int) -> dict[str, Any]:
    """Measure all rows, in ms; raise `trio.TooSlowError` after the limit."""
    with trio.fail_after(_LIMIT):
        async with open_adding_site() as site:
            async with open_client(_COMMAND) as client:
                await client.initialize()
                bench = Bench(client, site, calls)
                rows = {
                    "innocent": await _innocent(bench),
                    "renderer killed": await _after_renderers(bench, deaths),
                }
            return {**rows, "browser killed, 16 tabs": await _after_browsers(site, deaths)}


def main() -> None:
    """Measure and write ``faults.json``."""
    parser = argparse.ArgumentParser(prog="bench.faults", description=__doc__)
    parser.add_argument("--calls", type=int, default=60, metavar="N")
    parser.add_argument("--deaths", type=int, default=5, metavar="N")
    options = parser.parse_args()
    rows = trio.run(measure, options.calls, options.deaths)
    control = rows["innocent"]["control"]
    for name, row in rows["innocent"].items():
        ratios = {key: round(row[key] / control[key], 2) for key in row}
        print(f"click while another tab {name:<10} {row}  times control {ratios}")
    for name in ("renderer killed", "browser killed, 16 tabs"):
        print(f"{name}, usable again after {rows[name]}")
    _RESULTS.parent.mkdir(exist_ok=True)
    _RESULTS.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
