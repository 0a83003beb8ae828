"""``python -m bench.restore``: recovery of hundreds of tabs after kill -9 of the browser.

Sessions over HTTP hold some tabs each, each on its own small page. The browser is killed, and every
tab is observed at once, again after each error, until it answers with its page under its id.
Meanwhile `tabs` is called ten times per second.

In the same run, a bare Chromium opens as many pages over CDP and observes each once: ``bare``.
"""

import argparse
import json
import os
import statistics
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from bench.agents import HttpCaller, ask, open_callers, open_http_server
from bench.faults import browser_of, children, kill
from bench.floor import open_floor
from tests.site.server import Site, open_site

_RESULTS: Final = Path(__file__).with_name("results") / "restore.json"
_PATIENCE: Final = 120.0
_OPENED_AT_ONCE: Final = 4
_BARE_AT_ONCE: Final = 3
_PAUSE: Final = 0.1
_FIRST_ANSWER_P95: Final = 20.0
_TABS_P95: Final = 0.2
_TABS_MAX: Final = 1.0


@attrs.define(eq=False)
class Restoring:
    """A run: the tabs by caller and title, and the measurements in seconds."""

    callers: Sequence[HttpCaller]
    site: Site
    tabs: list[tuple[HttpCaller, str, str]] = attrs.field(factory=list[tuple[HttpCaller, str, str]])
    answered: dict[str, float] = attrs.field(factory=dict[str, float])
    wrong: list[str] = attrs.field(factory=list[str])
    errors: Counter[str] = attrs.field(factory=Counter[str])
    listings: list[float] = attrs.field(factory=list[float])
    killed_at: float = 0.0

    async def open_tabs(self, count: int) -> None:
        """Open the tabs, spread evenly over the sessions."""
        places = trio.CapacityLimiter(_OPENED_AT_ONCE)
        async with trio.open_nursery() as nursery:
            for number in range(count):
                nursery.start_soon(self._open, number, places)

    async def _open(self, number: int, places: trio.CapacityLimiter) -> None:
        title = f"Page {number}"
        url = self.site.url(f"/slow?ms=0&name={title.replace(' ', '+')}")
        async with places:
            caller = self.callers[number % len(self.callers)]
            shown = await ask(caller, "tab_open", url=url)
            self.tabs.append((caller, shown["tab_id"], title))

    async def measure(self, browser: int) -> None:
        """Kill the browser and ask every tab until it answers, while `tabs` is called."""
        self.killed_at = trio.current_time()
        kill(browser)
        async with trio.open_nursery() as listing:
            listing.start_soon(self._list)
            async with trio.open_nursery() as nursery:
                for caller, tab_id, title in self.tabs:
                    nursery.start_soon(self._ask, caller, tab_id, title)
            listing.cancel_scope.cancel("all tabs answered")

    async def _ask(self, caller: HttpCaller, tab_id: str, title: str) -> None:
        with trio.move_on_after(_PATIENCE):
            while True:
                result = await caller.call("observe", tab_id=tab_id)
                answer = json.loads(result["content"][0]["text"])
                if not result.get("isError"):
                    break
                self.errors[answer["error"]["code"]] += 1
                if answer["error"]["code"] == "TAB_NOT_FOUND":
                    return
                await trio.sleep(_PAUSE)
            if answer["title"] == title:
                self.answered[tab_id] = trio.current_time() - self.killed_at
            else:
                self.wrong.append(f"{tab_id}: {answer['title']!r} instead of {title!r}")

    async def _list(self) -> None:
        async with trio.open_nursery() as nursery:
            while True:
                for caller in self.callers:
                    nursery.start_soon(self._list_once, caller)
                    await trio.sleep(_PAUSE)

    async def _list_once(self, caller: HttpCaller) -> None:
        begun = trio.current_time()
        await ask(caller, "tabs")
        self.listings.append(trio.current_time() - begun)

    async def ghosts(self) -> int:
        """Count the tabs that no session opened."""
        there = 0
        for caller in self.callers:
            there += len(await ask(caller, "tabs"))
        return there - len(self.tabs)


async def _measure_bare(site: Site, count: int) -> list[float]:
    """Return the time of the first look at each page, in seconds since the browser start."""
    begun, seen = trio.current_time(), list[float]()
    numbers = iter(range(count))
    async with open_floor() as floor:

        async def look() -> None:
            for number in numbers:
                tab = await floor.tab()
                await tab.navigate(site.url(f"/slow?ms=0&name={number}"))
                await tab.enter()
                await tab.observe()
                seen.append(trio.current_time() - begun)

        async with trio.open_nursery() as nursery:
            for _ in range(_BARE_AT_ONCE):
                nursery.start_soon(look)
    return seen


def _processor_time(pid: int) -> float:
    """Return the processor seconds of a process without its children."""
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _below(pid: int) -> list[int]:
    """Return all descendants of a process."""
    return [one for child in children(pid) for one in (child, *_below(child))]


def _figures(times: Sequence[float]) -> dict[str, float]:
    return {
        "median": round(statistics.median(times), 3),
        "p95": round(statistics.quantiles(times, n=20)[-1], 3),
        "max": round(max(times), 3),
    }


async def measure(tabs: int, sessions: int) -> dict[str, Any]:
    """Run on a new server; times are in seconds."""
    async with open_site() as site:
        found = await _measure_restoring(site, tabs, sessions)
        found["bare"] = _figures(await _measure_bare(site, tabs))
    found["ratio of p95"] = round(found["first answer"]["p95"] / found["bare"]["p95"], 2)
    return found


async def _measure_restoring(site: Site, tabs: int, sessions: int) -> dict[str, Any]:
    async with (
        open_http_server("--max-sessions", str(sessions), stderr=None) as (url, process),
        open_callers(url, sessions) as callers,
    ):
        run = Restoring(callers, site)
        await run.open_tabs(tabs)
        await trio.sleep(1)
        before = _processor_time(process.pid)
        await run.measure(browser_of(process.pid))
        browser = browser_of(process.pid)
        return {
            "tabs": tabs,
            "sessions": sessions,
            "load": os.getloadavg()[0],
            "answered": len(run.answered),
            "wrong": run.wrong,
            "ghosts": await run.ghosts(),
            "first answer": _figures(list(run.answered.values())),
            "tabs listed": {"calls": len(run.listings), **_figures(run.listings)},
            "errors": dict(run.errors),
            "processor seconds": {
                "server": round(_processor_time(process.pid) - before, 1),
                "browser": round(_processor_time(browser), 1),
                "other processes of the browser": round(
                    sum(map(_processor_time, _below(browser))), 1
                ),
            },
        }


def _problems(found: dict[str, Any]) -> list[str]:
    first, listed = found["first answer"], found["tabs listed"]
    bounds = {
        f"{found['tabs'] - found['answered']} tabs did not answer": found["answered"]
        < found["tabs"],
        f"{len(found['wrong'])} tabs show another page": found["wrong"],
        f"{found['ghosts']} tabs that no session opened": found["ghosts"],
        f"first answer p95 is above {_FIRST_ANSWER_P95} s": first["p95"] > _FIRST_ANSWER_P95,
        f"tabs p95 is above {_TABS_P95} s": listed["p95"] > _TABS_P95,
        f"tabs maximum is above {_TABS_MAX} s": listed["max"] > _TABS_MAX,
    }
    return [problem for problem, holds in bounds.items() if holds]


def main() -> None:
    """Measure, write ``restore.json``, exit with 1 if a bound does not hold."""
    parser = argparse.ArgumentParser(prog="bench.restore", description=__doc__)
    parser.add_argument("--tabs", type=int, default=300, metavar="N")
    parser.add_argument("--sessions", type=int, default=32, metavar="N")
    options = parser.parse_args()
    found = trio.run(measure, options.tabs, options.sessions)
    print(json.dumps(found, indent=1))
    _RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    problems = _problems(found)
    for problem in problems:
        print(f"FAILED: {problem}")
    raise SystemExit(bool(problems))


if __name__ == "__main__":
    main()
