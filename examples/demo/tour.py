"""The course of the demo: open eight tabs, work in them, crash one, check that all live on."""

import json
from collections.abc import Awaitable, Callable
from functools import partial

import attrs
import trio
from mcp import Client

from examples.demo.agent import Failed, Tab, call_tool, run_all
from examples.demo.crash import Crash, mark
from examples.demo.report import Report, milliseconds, table
from examples.demo.visits import VISITS, Visit
from tests.site.server import Site

_SLOW_MS = 1000


@attrs.define(eq=False)
class Stop:
    """One tab, the page that it visits, and the outcome there."""

    tab: Tab
    visit: Visit
    url: str
    seconds: float = 0.0
    result: str = ""

    def row(self) -> tuple[str, ...]:
        """Return the stop's row of the table."""
        visit = self.visit
        return self.tab.id, visit.path, visit.done, milliseconds(self.seconds), self.result


@attrs.define(eq=False)
class Tour:
    """One run of the demo with a connected client."""

    site: Site
    client: Client
    report: Report
    stops: list[Stop] = attrs.field(factory=list[Stop], init=False)

    async def run(self) -> None:
        """Print lines, the table and the path of a screenshot; raise `Failed` if a check fails."""
        try:
            await self._open()
            await self._everywhere("loading", "8 different pages loaded at once", self._load)
            await self._everywhere("reading", "8 pages read at once", self._read)
            await self._everywhere("working", "8 tabs worked in at once", self._work)
            *others, victim = self.stops
            neighbours = [stop.tab for stop in others]
            await Crash(self.site, self.report, victim.tab, victim.url, neighbours).run()
            victim.result = "crashed, back at its URL"
            screenshot = json.loads(await victim.tab.call("screenshot", save=True))
        finally:
            if self.stops:
                self.report.print("", *table([stop.row() for stop in self.stops]), "")
        self.report.print(screenshot["data"]["path"])

    async def _open(self) -> None:
        opened: list[tuple[Tab, str]] = []

        async def open_one(number: int) -> None:
            # Each tab has its own site: a browser opens at most six connections to one host, and
            # two tabs of one site may share a renderer.
            host, title = f"shop-{number}.localhost", f"Shop-{number}"
            url = self.site.url(f"/slow?ms={_SLOW_MS}&name={title}", host=host)
            page = json.loads(await call_tool(self.client, "tab_open", url=url))
            if page["title"] != title:
                raise Failed(f"{page['tab_id']} must show {title}, got {page['title']!r}")
            opened.append((Tab(self.client, page["tab_id"]), host))

        jobs = [partial(open_one, number) for number in range(1, len(VISITS) + 1)]
        seconds = await run_all(self.report, "opening tabs", jobs)
        opened.sort(key=lambda pair: int(pair[0].id.rpartition("-")[2]))
        for (tab, host), visit in zip(opened, VISITS, strict=True):
            self.stops.append(Stop(tab, visit, self.site.url(visit.path, host=host)))
        self.report.print_time(f"8 tabs opened at once; each page takes {_SLOW_MS:,} ms", seconds)

    async def _everywhere(
        self, doing: str, done: str, work: Callable[[Stop], Awaitable[None]]
    ) -> None:
        jobs = [partial(work, stop) for stop in self.stops]
        self.report.print_time(done, await run_all(self.report, doing, jobs))

    async def _load(self, stop: Stop) -> None:
        await stop.tab.call("navigate", url=stop.url, detail="minimal")

    async def _read(self, stop: Stop) -> None:
        page = json.loads(await stop.tab.call("observe"))
        if page["url"] != stop.url:
            raise Failed(f"{stop.tab.id} is at {page['url']}, not at {stop.url}")

    async def _work(self, stop: Stop) -> None:
        started = trio.current_time()
        answer = await stop.visit.work(stop.tab)
        stop.seconds = trio.current_time() - started
        if stop.visit.result not in answer:
            raise Failed(f"{stop.tab.id} does not show {stop.visit.result!r}: {answer[:300]}")
        stop.result = stop.visit.result
        await mark(stop.tab)
