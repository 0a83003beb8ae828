"""Owns the course of the demo: eight tabs open, are worked in, one of them crashes, all live on."""

import json
from collections.abc import Awaitable, Callable
from functools import partial

import attrs
import trio

from charlotte.demo.attempts import Failed, in_time, together
from charlotte.demo.client import Client
from charlotte.demo.crash import Crash, mark
from charlotte.demo.report import Report, milliseconds, table
from charlotte.demo.visits import VISITS, Tab, Visit, text_of
from charlotte.demo.web import Site

_SLOW_MS = 1000


@attrs.define(eq=False)
class Stop:
    """One tab, the page it is at, and how it fares there."""

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
    """One run of the demo: what it works with, and how far it has come."""

    site: Site
    client: Client
    report: Report
    stops: list[Stop] = attrs.field(factory=list[Stop], init=False)
    _opened: list[tuple[Tab, str]] = attrs.field(factory=list[tuple[Tab, str]], init=False)

    async def run(self) -> None:
        """Print lines, the table and the path of a screenshot; raises `Failed`, `RequestFailed`."""
        try:
            await self._start()
            await self._open()
            await self._everywhere("loading", "8 different pages loaded at once", self._go)
            await self._everywhere("reading", "8 pages read at once", self._read)
            await self._everywhere("working", "8 tabs worked in at once", self._work)
            await self._crash()
            picture = await self._screenshot(self.stops[-1])
        finally:
            if self.stops:
                self.report.say("", *table([stop.row() for stop in self.stops]), "")
        self.report.say(picture)

    async def _start(self) -> None:
        started = trio.current_time()
        self.report.progress("starting …")
        hello = await in_time("initialize", self.client.initialize())
        tools = await in_time("tools/list", self.client.request("tools/list"))
        version, count = hello["serverInfo"]["version"], len(tools["tools"])
        took = trio.current_time() - started
        self.report.tell(f"Charlotte {version} started, with {count} tools", took)

    async def _open(self) -> None:
        jobs = [partial(self._open_one, number) for number in range(1, len(VISITS) + 1)]
        took = await together(self.report, "opening tabs", jobs)
        self._opened.sort(key=lambda opened: int(opened[0].id.rpartition("-")[2]))
        for (tab, host), visit in zip(self._opened, VISITS, strict=True):
            self.stops.append(Stop(tab, visit, self.site.url(visit.path, host=host)))
        self.report.tell(f"8 tabs opened at once; each page takes {_SLOW_MS:,} ms", took)

    async def _open_one(self, number: int) -> None:
        # Each on a site of its own: a browser opens at most six connections to one host, and may
        # show two tabs of one site with the same renderer.
        host, title = f"shop-{number}.localhost", f"Shop-{number}"
        url = self.site.url(f"/slow?ms={_SLOW_MS}&name={title}", host=host)
        page = json.loads(await text_of(self.client, "tab_open", url=url))
        if page["title"] != title:
            raise Failed(f"{page['tab_id']} was asked for {title}, but shows {page['title']!r}")
        self._opened.append((Tab(self.client, page["tab_id"]), host))

    async def _everywhere(
        self, doing: str, done: str, work: Callable[[Stop], Awaitable[None]]
    ) -> None:
        jobs = [partial(work, stop) for stop in self.stops]
        self.report.tell(done, await together(self.report, doing, jobs))

    async def _go(self, stop: Stop) -> None:
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
            raise Failed(f"{stop.tab.id} does not say {stop.visit.result!r}: {answer[:300]}")
        stop.result = stop.visit.result
        await mark(stop.tab)

    async def _crash(self) -> None:
        *others, victim = self.stops
        neighbours = [stop.tab for stop in others]
        await Crash(self.site, self.report, victim.tab, victim.url, neighbours).happen()
        victim.result = "crashed, back at its URL"

    async def _screenshot(self, stop: Stop) -> str:
        answer = json.loads(await stop.tab.call("screenshot", save=True))
        path: str = answer["data"]["path"]
        return path
