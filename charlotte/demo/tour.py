"""Owns the course of the demo: eight tabs open, are worked in, one loses its renderer, all live on."""

import json
import os
import signal
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import attrs
import trio

from charlotte.demo.client import Client, RequestFailed
from charlotte.demo.renderers import renderers
from charlotte.demo.report import Report, milliseconds
from charlotte.demo.visits import PATIENCE, VISITS, Failed, Tab, Visit, text_of
from charlotte.demo.web import Site

T = TypeVar("T")

_SLOW_MS = 1000
_MARK = "globalThis.untouched = true"
_IS_MARKED = "globalThis.untouched === true"
_BALLAST_BYTES = 64 * 2**20
_BALLAST = f"globalThis.ballast = new Uint8Array({_BALLAST_BYTES}).fill(1); 0"
_STAY_IN_PAGE = "await fetch('/echo'); await new Promise(() => {})"


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
    """One run of the demo: what it works with, and what became of it."""

    site: Site
    client: Client
    report: Report
    stops: list[Stop] = attrs.field(factory=list[Stop], init=False)
    problems: list[str] = attrs.field(factory=list[str], init=False)
    screenshot: str = attrs.field(default="", init=False)
    _opened: list[tuple[Tab, str]] = attrs.field(factory=list[tuple[Tab, str]], init=False)
    _killed_at: float = attrs.field(default=0.0, init=False)

    async def run(self) -> None:
        """Go on until something does not hold; ``problems`` says what."""
        chapters = (self._start, self._open, self._read, self._work, self._kill, self._picture)
        for chapter in chapters:
            try:
                await chapter()
            except (Failed, RequestFailed) as failure:
                self.problems.append(str(failure))
            if self.problems:
                return

    async def _start(self) -> None:
        with self.report.timed() as told:
            with trio.move_on_after(PATIENCE):
                version = (await self.client.initialize())["serverInfo"]["version"]
                tools = (await self.client.request("tools/list"))["tools"]
            await text_of(self.client, "tabs")
            told(f"Charlotte {version} with {len(tools)} tools and its browser are up")

    async def _open(self) -> None:
        started = trio.current_time()
        await self._at_once("opening tabs", self._open_one, range(1, len(VISITS) + 1))
        self._opened.sort(key=lambda opened: int(opened[0].id.rpartition("-")[2]))
        for (tab, host), visit in zip(self._opened, VISITS, strict=False):
            self.stops.append(Stop(tab, visit, self.site.url(visit.path, host=host)))
        self.report.tell(f"8 tabs opened at once; each page takes {_SLOW_MS:,} ms", started)

    async def _open_one(self, number: int) -> None:
        # Each on a site of its own: a browser opens at most six connections to one host, and may
        # show two tabs of one site with the same renderer.
        host, title = f"shop-{number}.localhost", f"Shop-{number}"
        url = self.site.url(f"/slow?ms={_SLOW_MS}&name={title}", host=host)
        page = json.loads(await text_of(self.client, "tab_open", url=url))
        if page["title"] != title:
            raise Failed(f"{page['tab_id']} was asked for {title}, but shows {page['title']!r}")
        self._opened.append((Tab(self.client, page["tab_id"]), host))

    async def _read(self) -> None:
        started = trio.current_time()
        await self._at_once("loading pages", self._go_there, self.stops)
        self.report.tell("8 different pages loaded at once", started)
        started = trio.current_time()
        await self._at_once("reading", self._look, self.stops)
        self.report.tell("8 pages read at once", started)

    async def _go_there(self, stop: Stop) -> None:
        await stop.tab.call("navigate", url=stop.url, detail="minimal")

    async def _look(self, stop: Stop) -> None:
        page = json.loads(await stop.tab.call("observe"))
        if page["url"] != stop.url:
            raise Failed(f"{stop.tab.id} is at {page['url']}, not {stop.url}")

    async def _work(self) -> None:
        started = trio.current_time()
        await self._at_once("working", self._do, self.stops)
        self.report.tell("8 tabs worked in at once", started)

    async def _do(self, stop: Stop) -> None:
        started = trio.current_time()
        answer = await stop.visit.work(stop.tab)
        stop.seconds = trio.current_time() - started
        stop.result = stop.visit.result
        if stop.result not in answer:
            stop.result = "failed"
            raise Failed(f"{stop.tab.id} does not say {stop.visit.result!r}: {answer[:300]}")
        await stop.tab.call("evaluate", expression=_MARK)

    async def _kill(self) -> None:
        *others, victim = self.stops
        pid = await self._renderer_of(victim.tab)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._attempt, self._lose, victim)
            await self._in_page()
            os.kill(pid, signal.SIGKILL)
            self._killed_at = trio.current_time()
            nursery.start_soon(self._attempt, self._come_back, victim)
            await self._at_once("looking after the others", self._stay, others)
            self.report.tell("the 7 others were unharmed, and answered within", self._killed_at)

    async def _renderer_of(self, tab: Tab) -> int:
        """Find the process behind a tab: the one that grows when the page takes more memory."""
        before = renderers(self.client.pid)
        await tab.call("evaluate", expression=_BALLAST)
        now = renderers(self.client.pid)
        grown = [pid for pid in now if now[pid] - before.get(pid, 0) > _BALLAST_BYTES * 0.9]
        if len(grown) != 1:
            raise Failed(f"The renderer of {tab.id} could not be told from others: {grown}")
        return grown[0]

    async def _in_page(self) -> None:
        """Wait until the call that is to be interrupted has begun its work."""
        with trio.move_on_after(PATIENCE):
            await self.site.requested("/echo")
            return
        raise Failed("The call that was to be interrupted never began")

    async def _lose(self, stop: Stop) -> None:
        try:
            await stop.tab.call("evaluate", expression=_STAY_IN_PAGE)
        except Failed as failure:
            if failure.code != "TAB_CRASHED":
                raise
            self.report.tell(f"renderer of {stop.tab.id} killed: TAB_CRASHED after", self._killed_at)
            return
        raise Failed(f"{stop.tab.id} lost its renderer, but the call in it did not notice")

    async def _come_back(self, stop: Stop) -> None:
        page = json.loads(await stop.tab.call("observe", detail="minimal"))
        if page["url"] != stop.url or not page.get("notices"):
            raise Failed(f"{stop.tab.id} was not brought back to {stop.url}: {page}")
        if await self._is_marked(stop):
            raise Failed(f"{stop.tab.id} still has the page whose renderer was killed")
        self.report.tell(f"{stop.tab.id} back at its URL after", self._killed_at)
        stop.result = "killed, back"

    async def _stay(self, stop: Stop) -> None:
        if not await self._is_marked(stop):
            raise Failed(f"{stop.tab.id} was reloaded, though it was another that crashed")

    async def _is_marked(self, stop: Stop) -> bool:
        answer = await stop.tab.call("evaluate", expression=_IS_MARKED)
        return json.loads(answer)["value"] is True
