"""Owns the crash: one tab's renderer is killed while a call is in it, then all tabs are checked."""

import json
import os
import signal
from functools import partial

import attrs
import trio

from charlotte.demo.attempts import Failed, Job, in_time, together
from charlotte.demo.renderers import renderers
from charlotte.demo.report import Report
from charlotte.demo.visits import Refused, Tab
from charlotte.demo.web import Site

_MARK = "globalThis.untouched = true"
_IS_MARKED = "globalThis.untouched === true"
_WEIGHT = 64 * 2**20
_GROW = f"globalThis.weight = new Uint8Array({_WEIGHT}).fill(1); 0"
_STAY = "await fetch('/echo'); await new Promise(() => {})"


async def mark(tab: Tab) -> None:
    """Leave something in the page that is gone when the page is loaded again."""
    await tab.call("evaluate", expression=_MARK)


@attrs.define(eq=False)
class Crash:
    """One crash: the tab it happens to, where that tab shall be afterwards, and the other tabs."""

    site: Site
    report: Report
    victim: Tab
    url: str
    others: list[Tab]
    _killed: trio.Event = attrs.field(factory=trio.Event, init=False)
    _since: float = attrs.field(default=0.0, init=False)
    _slowest: float = attrs.field(default=0.0, init=False)

    async def happen(self) -> None:
        """Kill and check; raises `Failed` with all that does not hold."""
        pid = await self._renderer()
        jobs: list[Job] = [
            self._interrupted,
            partial(self._kill, pid),
            self._comes_back,
            *(partial(self._stays, tab) for tab in self.others),
        ]
        await together(self.report, f"killing a renderer, process {pid}", jobs)
        self.report.tell("the 7 other tabs unharmed; meanwhile they answered within", self._slowest)

    async def _renderer(self) -> int:
        """Find the process behind the tab: the one that grows when its page takes more memory."""
        client = self.victim.client
        before = renderers(client.pid)
        await self.victim.value(_GROW)
        now = renderers(client.pid)
        grown = [pid for pid in now if now[pid] - before.get(pid, 0) > _WEIGHT * 0.9]
        if len(grown) != 1:
            raise Failed(f"{len(grown)} renderers have grown with the page of {self.victim.id}")
        return grown[0]

    async def _kill(self, pid: int) -> None:
        """Wait until the call that is to be interrupted has begun, then kill."""
        try:
            await in_time("the page in the tab to be killed", self.site.requested("/echo"))
            os.kill(pid, signal.SIGKILL)
        finally:
            self._since = trio.current_time()
            self._killed.set()

    async def _interrupted(self) -> None:
        try:
            await self.victim.value(_STAY)
        except Refused as refusal:
            if refusal.code != "TAB_CRASHED":
                raise
            self._tell(f"renderer of {self.victim.id} killed; its call got TAB_CRASHED after")
            return
        raise Failed(f"{self.victim.id} lost its renderer, and the call in it did not notice")

    async def _comes_back(self) -> None:
        await self._killed.wait()
        page = json.loads(await self.victim.call("observe", detail="minimal"))
        if page["url"] != self.url or not page.get("notices"):
            raise Failed(f"{self.victim.id} was not brought back to {self.url}: {page}")
        if await self.victim.value(_IS_MARKED):
            raise Failed(f"{self.victim.id} still has the page whose renderer was killed")
        self._tell(f"{self.victim.id} back at its URL after")

    async def _stays(self, tab: Tab) -> None:
        await self._killed.wait()
        if not await tab.value(_IS_MARKED):
            raise Failed(f"{tab.id} was reloaded, though it was {self.victim.id} that crashed")
        self._slowest = max(self._slowest, trio.current_time() - self._since)

    def _tell(self, text: str) -> None:
        self.report.tell(text, trio.current_time() - self._since)
