"""Random faults of tabs and browser."""

import random
import signal
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import attrs
import trio

from tests.chaos import machine
from tests.chaos.agent import Tab
from tests.chaos.calls import Caller, Refused
from tests.chaos.ledger import Ledger, Scope
from tests.whole.processes import renderers
from tests.whole.sockets import cut_socket

POPUP_HOST = "popup.localhost"
_BETWEEN = 0.8, 2.5
_BETWEEN_BROWSERS = 16.0
"""Seconds between browser faults; a server gives up on a browser that dies more often."""

_IN_PAGE = {
    "loop": "setTimeout(() => { while (true); }); 1",
    "busy": "setTimeout(() => { const end = Date.now() + 3000; while (Date.now() < end); }); 1",
    "dialog": "setTimeout(() => alert('chaos')); 1",
    "flood": "setTimeout(() => { for (let n = 0; n < 5000; n += 1) console.log('x', n); }); 1",
    "requests": "setInterval(() => { for (let n = 0; n < 99; n += 1) fetch('data:,' + n) }, 50); 1",
    "exceptions": "setInterval(() => { for (let n = 0; n < 50; n++) setTimeout(() => lost.n) }); 1",
    "popups": "for (let n = 0; n < 3; n += 1) open('POPUP'); 1",
}

_BURNS = {"loop", "busy", "flood", "requests", "exceptions"}
"""Faults that use the whole processor, so that other tabs may be slow."""

_TICK = 0.1
_STARVED = 0.6


@attrs.define(eq=False)
class Faults:
    """An injector of random faults into a server and its tabs."""

    caller: Caller
    chance: random.Random
    tabs: Sequence[Tab]
    popup: str
    disk: Path | None = None
    _browser_at: float = attrs.field(factory=trio.current_time)

    @property
    def ledger(self) -> Ledger:
        return self.caller.ledger

    async def inject(self, until: float) -> None:
        """Inject one fault after another until a given time."""
        while trio.current_time() < until:
            await self._any()()
            await trio.sleep(self.chance.uniform(*_BETWEEN))

    async def watch_machine(self) -> NoReturn:
        """Record the times when this process itself is starved."""
        while True:
            before = trio.current_time()
            await trio.sleep(_TICK)
            if trio.current_time() - before > _STARVED:
                self.ledger.begin("machine starved", "tab").end()

    def _any(self) -> Callable[[], Awaitable[None]]:
        if (
            trio.current_time() > self._browser_at + _BETWEEN_BROWSERS
            and self.chance.random() < 0.5
        ):
            self._browser_at = trio.current_time()
            return self.chance.choice(
                (
                    self._kill_browser,
                    self._freeze_browser,
                    self._cut,
                    self._end_browser,
                    self._end_guardian,
                    self._take_descriptors,
                )
            )
        others = [self._kill_renderer, self._freeze_renderer, *[self._in_page] * 5]
        if self.disk is not None:
            others.append(self._fill_disk)
        return self.chance.choice(others)

    async def _in_page(self) -> None:
        kind = self.chance.choice(sorted(_IN_PAGE))
        tab = self.chance.choice(self.tabs)
        expression = _IN_PAGE[kind].replace("POPUP", self.popup)
        fault = self.ledger.begin(kind, "tab", None if kind in _BURNS else tab.id)
        try:
            if tab.id:
                await self.caller.call(tab.id, "evaluate", tab_id=tab.id, expression=expression)
            await trio.sleep(0.5)
        except Refused:
            pass
        finally:
            if kind != "dialog":  # a dialog lasts until it is answered
                fault.end()
        if kind == "popups":
            await close_popups(self.caller)

    async def _kill_renderer(self) -> None:
        await self._to_process("renderer killed", "renderers", self._renderer(), signal.SIGKILL)

    async def _freeze_renderer(self) -> None:
        seconds = self.chance.uniform(0.5, 4)
        await self._to_process("renderer frozen", "renderers", self._renderer(), seconds=seconds)

    async def _kill_browser(self) -> None:
        browser = machine.find_browser(self.caller.client.pid)
        await self._to_process("browser killed", "browser", browser, signal.SIGKILL)

    async def _end_browser(self) -> None:
        browser = machine.find_browser(self.caller.client.pid)
        number = self.chance.choice((signal.SIGTERM, signal.SIGINT, signal.SIGHUP))
        await self._to_process("browser asked to end", "browser", browser, number)

    async def _end_guardian(self) -> None:
        guardian = machine.find_guardian(self.caller.client.pid)
        await self._to_process("guardian asked to end", "browser", guardian, signal.SIGTERM)

    async def _take_descriptors(self) -> None:
        """Limit the descriptors of the server or the browser for a while."""
        server = self.caller.client.pid
        pid = self.chance.choice((server, machine.find_browser(server)))
        if pid is None:
            return
        fault = self.ledger.begin("descriptors scarce", "browser")
        try:
            with machine.few_descriptors(pid):
                await trio.sleep(self.chance.uniform(0.5, 2))
        finally:
            fault.end()

    async def _fill_disk(self) -> None:
        fault = self.ledger.begin("disk full", "tab")
        try:
            with machine.filled(self.disk or Path()):
                await trio.sleep(self.chance.uniform(0.5, 3))
        finally:
            fault.end()

    async def _freeze_browser(self) -> None:
        browser, seconds = machine.find_browser(self.caller.client.pid), self.chance.uniform(1, 4)
        await self._to_process("browser frozen", "browser", browser, seconds=seconds)

    async def _cut(self) -> None:
        fault = self.ledger.begin("socket cut", "browser")
        cut_socket(self.caller.client.pid)
        fault.end()

    def _renderer(self) -> int | None:
        found = sorted(renderers(self.caller.client.pid))
        return self.chance.choice(found) if found else None

    async def _to_process(
        self,
        kind: str,
        scope: Scope,
        pid: int | None,
        number: signal.Signals = signal.SIGSTOP,
        seconds: float = 0,
    ) -> None:
        """Send a signal; resume a stopped process after some seconds."""
        if pid is None:
            return
        fault = self.ledger.begin(kind, scope)
        try:
            machine.send(pid, number)
            await trio.sleep(seconds)
        finally:
            if number == signal.SIGSTOP:
                machine.send(pid, signal.SIGCONT)
            fault.end()


async def close_popups(caller: Caller) -> None:
    try:
        rows: list[dict[str, Any]] = await caller.call("all", "tabs")
        for row in rows:
            if POPUP_HOST in row["url"]:
                await caller.call(row["id"], "tab_close", tab_id=row["id"])
    except Refused:
        return
