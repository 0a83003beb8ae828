"""The crash of the demo: one tab's renderer is killed during a call, then all tabs are checked."""

import json
import os
import signal
from functools import partial

import attrs
import trio

from examples.demo.agent import PATIENCE, Failed, Job, Tab, ToolFailed, run_all
from examples.demo.report import Report
from tests.site.server import Site
from tests.whole.processes import renderers

_MARK = "globalThis.untouched = true"
_IS_MARKED = "globalThis.untouched === true"
_WEIGHT = 64 * 2**20
_GROW = f"globalThis.weight = new Uint8Array({_WEIGHT}).fill(1); 0"
_STAY = "await fetch('/echo'); await new Promise(() => {})"


async def mark(tab: Tab) -> None:
    """Leave a mark in the page, which is gone after the page is loaded again."""
    await tab.call("evaluate", expression=_MARK)


@attrs.define(eq=False)
class Crash:
    """One crash: the tab it happens to, the URL to which that tab returns, and the other tabs."""

    site: Site
    report: Report
    victim: Tab
    url: str
    others: list[Tab]
    _killed: trio.Event = attrs.field(factory=trio.Event, init=False)
    _killed_at: float = attrs.field(default=0.0, init=False)
    _slowest: float = attrs.field(default=0.0, init=False)

    async def run(self) -> None:
        """Kill the renderer and check all tabs; raise `Failed` if a check fails."""
        pid = await self._find_renderer()
        jobs: list[Job] = [
            self._check_interrupted_call,
            partial(self._kill, pid),
            self._check_restored,
            *(partial(self._check_untouched, tab) for tab in self.others),
        ]
        await run_all(self.report, f"killing a renderer, process {pid}", jobs)
        text = "the 7 other tabs unharmed; meanwhile they answered within"
        self.report.print_time(text, self._slowest)

    async def _find_renderer(self) -> int:
        """Return the renderer process of the tab: it grows when its page allocates memory."""
        before = renderers(os.getpid())
        await self.victim.evaluate(_GROW)
        now = renderers(os.getpid())
        grown = [pid for pid in now if now[pid] - before.get(pid, 0) > _WEIGHT * 0.9]
        if len(grown) != 1:
            raise Failed(f"{len(grown)} renderers have grown with the page of {self.victim.id}")
        return grown[0]

    async def _kill(self, pid: int) -> None:
        """Kill the renderer as soon as the call to be interrupted has begun."""
        try:
            with trio.fail_after(PATIENCE):
                await self.site.requested("/echo")
            os.kill(pid, signal.SIGKILL)
        except trio.TooSlowError as error:
            raise Failed(f"{self.victim.id} requested nothing within {PATIENCE:g} s") from error
        finally:
            self._killed_at = trio.current_time()
            self._killed.set()

    async def _check_interrupted_call(self) -> None:
        try:
            await self.victim.evaluate(_STAY)
        except ToolFailed as failure:
            if failure.code != "TAB_CRASHED":
                raise
            self._print(f"renderer of {self.victim.id} killed; its call got TAB_CRASHED after")
            return
        raise Failed(f"{self.victim.id} lost its renderer, and the call in it did not notice")

    async def _check_restored(self) -> None:
        await self._killed.wait()
        page = json.loads(await self.victim.call("observe", detail="minimal"))
        if page["url"] != self.url or not page.get("notices"):
            raise Failed(f"{self.victim.id} was not brought back to {self.url}: {page}")
        if await self.victim.evaluate(_IS_MARKED):
            raise Failed(f"{self.victim.id} still has the page whose renderer was killed")
        self._print(f"{self.victim.id} back at its URL after")

    async def _check_untouched(self, tab: Tab) -> None:
        await self._killed.wait()
        if not await tab.evaluate(_IS_MARKED):
            raise Failed(f"{tab.id} was reloaded, though {self.victim.id} crashed")
        self._slowest = max(self._slowest, trio.current_time() - self._killed_at)

    def _print(self, text: str) -> None:
        self.report.print_time(text, trio.current_time() - self._killed_at)
