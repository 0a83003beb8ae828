"""``python -m bench.owner``: a browser of a person with 200 tabs, compared with one of our own.

Of the 200 tabs, 150 are asleep, 5 run endless loops and 5 show a dialog. Charlotte attaches to that
browser, or starts a browser of its own beside 5 busy processes: chromium-headless-shell ("shell"),
which it prefers, and the owner's program ("chromium"). The sides take turns; the crowded browser is
stopped (SIGSTOP) while it is not measured.
"""

import argparse
import os
import signal
import statistics
import subprocess
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

import attrs
import trio
from starlette.responses import Response

from bench.agents import HttpCaller, ask, open_callers, open_http_server
from bench.report import save
from tests.owner.browser import OwnerBrowser, Watcher, find_browser, open_owner_browser, watching
from tests.owner.crowd import SAMPLE, Crowd, CrowdPages, Sizes, build_crowd
from tests.site.routes import Request, page
from tests.site.server import Site, open_site
from tests.stdio_client import Client, open_client

_RESULTS: Final = Path(__file__).with_name("results") / "owner.json"
_PROGRAM: Final = (sys.executable, "-m", "charlotte")
_QUIET: Final = ("--log-level", "error")
_BURNER: Final = ("nice", "-n", "5", sys.executable, "-c", "while True: pass")
"""A busy process with the priority that Chromium gives to the renderers of background tabs.

It has a session of its own, as the crowded browser has: Linux shares processors among sessions.
"""

_GRANTED: Final = "http://*.localhost/*"
_AGENTS: Final = 8
_PAGES: Final = 3
_LISTINGS: Final = 20
_SETTLED: Final = 0.5
"""Seconds between continuing the crowded browser and measuring in it."""
_AGE: Final = 100.0
"""Seconds after its start when the crowded browser opens its dialogs again.

Chromium itself ends most open dialogs about 90 s after its start, once.
"""

_BUTTON: Final = """<button onclick="count.textContent = Number(count.textContent) + 1">Add</button>
<p id=count>0</p>"""

FIRST_ANSWER: Final = 1.5
AGENTS: Final = 1.2
LISTING_MS: Final = 50.0


async def _adds(request: Request) -> Response:
    """Return a page with a button that counts its clicks."""
    return page(f"Adds {request.query.get('n', '')}", _BUTTON)


@attrs.frozen
class Side:
    """A browser, by the flags of Charlotte; agents adopt its tabs or open their own."""

    name: str
    flags: tuple[str, ...] = ()
    is_attached: bool = False
    adopts: bool = False


def _sides(browser: OwnerBrowser) -> list[Side]:
    attach = ("--attach", str(browser.profile), "--adopt", _GRANTED)
    return [
        Side("shell"),
        Side("chromium", ("--chromium", find_browser())),
        Side("attached", attach, is_attached=True),
        Side("adopted", attach, is_attached=True, adopts=True),
    ]


@attrs.define(eq=False)
class Bench:
    """The crowded browser, and the seconds that were measured by row and side."""

    site: Site
    crowd: Crowd
    seconds: dict[str, dict[str, list[float]]] = attrs.field(
        factory=dict[str, dict[str, list[float]]]
    )

    def _note(self, row: str, side: Side, begun: float) -> None:
        spent = trio.current_time() - begun
        self.seconds.setdefault(row, {}).setdefault(side.name, []).append(spent)

    async def measure(self, sides: Sequence[Side], number: int) -> None:
        """Measure all sides once; every other round in reverse."""
        for side in sides if number % 2 else reversed(sides):
            async with self._conditions(side):
                if not side.adopts:
                    await self._first_answer(side)
                await self._agents(side)

    @asynccontextmanager
    async def _conditions(self, side: Side) -> AsyncGenerator[None]:
        """Run either the crowded browser or as many busy processes as it has endless loops."""
        async with AsyncExitStack() as stack:
            if side.is_attached:
                os.killpg(self.crowd.browser.pid, signal.SIGCONT)
                stack.callback(os.killpg, self.crowd.browser.pid, signal.SIGSTOP)
                await trio.sleep(_SETTLED)
            else:
                for _ in range(self.crowd.sizes.loops):
                    process = subprocess.Popen(  # noqa: ASYNC220, S603 - killed below
                        _BURNER, start_new_session=True
                    )
                    stack.callback(process.wait)
                    stack.callback(process.kill)
            yield

    async def _first_answer(self, side: Side) -> None:
        """Measure from the start of a server to its list of tabs and to its first page."""
        begun = trio.current_time()
        command = [*_PROGRAM, *_QUIET, *side.flags]
        async with open_client(command, stderr=subprocess.DEVNULL) as client:
            await client.initialize()
            await ask(client, "tabs")
            self._note("list of tabs", side, begun)
            await ask(client, "tab_open", url=self.site.url("/adds?n=0"))
            await ask(client, "observe")
            self._note("first page", side, begun)
            if side.is_attached:
                await self._listings(client, side)

    async def _listings(self, client: Client, side: Side) -> None:
        for _ in range(_LISTINGS):
            begun = trio.current_time()
            await ask(client, "tabs")
            self._note("tabs", side, begun)

    async def _agents(self, side: Side) -> None:
        """Measure agents with a session and a tab each, from their first page to the last."""
        async with (
            open_http_server(*_QUIET, *side.flags) as (url, _),
            open_callers(url, _AGENTS) as callers,
        ):
            tabs = [await self._tab(caller, n, side) for n, caller in enumerate(callers)]
            begun = trio.current_time()
            async with trio.open_nursery() as nursery:
                for number, (caller, tab_id) in enumerate(zip(callers, tabs, strict=True)):
                    nursery.start_soon(self._work, caller, number, tab_id)
            self._note("8 agents", side, begun)
            for caller, tab_id in zip(callers, tabs, strict=True):
                await ask(caller, "tab_close", tab_id=tab_id)

    async def _tab(self, caller: HttpCaller, number: int, side: Side) -> str:
        if not side.adopts:
            return str((await ask(caller, "tab_open"))["tab_id"])
        host = f"//o{number}.localhost:"
        rows = await ask(caller, "tabs")
        row = next(row for row in rows if row.get("adoptable") and host in row["url"])
        rows = await ask(caller, "tabs", adopt=row["id"])
        return next(str(row["id"]) for row in rows if row["active"])

    async def _work(self, caller: HttpCaller, number: int, tab_id: str) -> None:
        """Load pages, click in each of them and look; check each answer."""
        for count in range(_PAGES):
            url = self.site.url(f"/adds?n={count}", host=f"o{number}.localhost")
            shown = await ask(caller, "navigate", tab_id=tab_id, url=url)
            if shown["title"] != f"Adds {count}":
                raise RuntimeError(f"{shown['title']!r} instead of page {count}")
            [button] = await ask(caller, "find", tab_id=tab_id, text="Add", role="button")
            await ask(caller, "click", tab_id=tab_id, element_id=button["id"])
            await ask(caller, "observe", tab_id=tab_id)


@attrs.frozen
class Row:
    """A comparison of two sides, or the median of one in ms if there is no other."""

    name: str
    side: str
    other: str
    bound: float

    def as_json(self, seconds: dict[str, dict[str, list[float]]]) -> dict[str, Any]:
        """Return medians in ms, their ratio, and whether the bound is met."""
        times = seconds[self.name]
        median = statistics.median(times[self.side]) * 1000
        found = {"row": self.name, "side": self.side, "ms": round(median, 1), "bound": self.bound}
        value = median
        if self.other:
            other = statistics.median(times[self.other]) * 1000
            value = median / other
            found |= {"other": self.other, "other ms": round(other, 1), "ratio": round(value, 2)}
        return found | {"met": value <= self.bound, "samples": _rounded(times[self.side])}


ROWS: Final = (
    Row("list of tabs", "attached", "shell", FIRST_ANSWER),
    Row("first page", "attached", "shell", FIRST_ANSWER),
    Row("tabs", "attached", "", LISTING_MS),
    Row("8 agents", "attached", "chromium", AGENTS),
    Row("8 agents", "adopted", "chromium", AGENTS),
    Row("8 agents", "attached", "shell", AGENTS),
    Row("8 agents", "adopted", "shell", AGENTS),
)


def _rounded(seconds: Sequence[float]) -> list[float]:
    return [round(each * 1000, 1) for each in seconds]


def _line(row: dict[str, Any]) -> str:
    compared = (
        f"{row['other']} {row['other ms']:,} ms, ratio {row['ratio']}, " if "other" in row else ""
    )
    bound = f"{'met' if row['met'] else 'over'}: at most {row['bound']}"
    return f"{row['row']:<13} {row['side']:<9} {row['ms']:>9,} ms  {compared}{bound}"


async def _disturbed(crowd: Crowd, watcher: Watcher) -> dict[str, int]:
    """Return how many tabs were woken, attached, closed or answered; all must be zero."""
    os.killpg(crowd.browser.pid, signal.SIGCONT)
    pages = await watcher.pages()
    untouched = {target for target, url in crowd.targets.items() if "/crowd/ordinary?" not in url}
    found = {
        "woken": len(crowd.woken()),
        "attached": len(watcher.ever_attached() & untouched),
        "gone": len(untouched - pages.keys()),
        "dialogs answered": crowd.answered(),
    }
    for target, url in crowd.targets.items():
        if "/crowd/loop?" in url:  # the page that lists states needs a processor
            await watcher.cdp.call("Target.closeTarget", targetId=target)
    states = await crowd.states_now()
    changed = sum(states.get(url) != state for url, state in crowd.states.items())
    return found | {"changed states": changed}


async def measure(runs: int, sizes: Sizes) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """Build the crowd once and measure all sides several times; return rows and disturbances."""
    pages = CrowdPages()
    async with (
        open_site(routes=pages.routes | {"/adds": _adds}) as site,
        open_owner_browser() as browser,
    ):
        started = trio.current_time()
        crowd = await build_crowd(browser, site, pages, sizes)
        await trio.sleep_until(started + _AGE)
        await crowd.renew_dialogs()
        async with watching(browser) as watcher:
            bench = Bench(site, crowd)
            for number in range(runs):
                await bench.measure(_sides(browser), number)
                print(f"round {number + 1} of {runs}", flush=True)
            rows = [row.as_json(bench.seconds) for row in ROWS]
            for row in rows:
                print(_line(row), flush=True)
            return rows, await _disturbed(crowd, watcher)


def main() -> None:
    """Measure, print the rows and write ``owner.json``; exit with 1 if a bound is exceeded."""
    parser = argparse.ArgumentParser(prog="bench.owner", description=__doc__)
    parser.add_argument("--runs", type=int, default=7, metavar="N")
    parser.add_argument("--small", action="store_true", help="20 tabs instead of 200")
    options = parser.parse_args()
    sizes = attrs.evolve(SAMPLE, ordinary=8) if options.small else Sizes()
    rows, disturbed = trio.run(measure, options.runs, sizes)
    print(f"{sizes.total} tabs, {sizes.asleep} asleep: {disturbed}")
    save(_RESULTS, rows, runs=options.runs, tabs=attrs.asdict(sizes), disturbed=disturbed)
    raise SystemExit(not all(row["met"] for row in rows) or any(disturbed.values()))


if __name__ == "__main__":
    main()
